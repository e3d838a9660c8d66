"""All objects of an API server, for comparison before and after a run."""

from __future__ import annotations

from dra_conform.adapters.live.api import Api
from dra_conform.kube.json_values import Json

_BY_ITSELF = {"events", "leases", "componentstatuses"}
"""Collections that change by themselves."""


def everything(api: Api) -> dict[tuple[str, str, str], Json]:
    """Return all objects by collection, namespace and name, without collections that change by themselves."""
    found = {}
    for root in ("/api/v1", *_groups(api)):
        for one in _document(api, root).get("resources", ()):
            if "list" in one["verbs"] and "/" not in one["name"] and one["name"] not in _BY_ITSELF:
                for item in _document(api, f"{root}/{one['name']}").get("items") or ():
                    metadata = item["metadata"]
                    found[f"{root}/{one['name']}", metadata.get("namespace", ""), metadata["name"]] = item
    return found


def _groups(api: Api) -> list[str]:
    groups = _document(api, "/apis")["groups"]
    return [f"/apis/{one['preferredVersion']['groupVersion']}" for one in groups]


def _document(api: Api, path: str) -> Json:
    """Return any JSON document of the API server, such as those of discovery."""
    with api._opened("GET", path, None, {}, {"Accept": "application/json"}) as response:
        return response.json()
