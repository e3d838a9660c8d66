"""Everything an API server has, to compare before and after."""

from __future__ import annotations

from typing import Any

from dra_conform.adapters.live.api import Api

Json = Any

_BY_ITSELF = {"events", "leases", "componentstatuses"}
"""What changes while nobody does anything."""


def everything(api: Api) -> dict[tuple[str, str, str], Json]:
    """All objects by collection, namespace and name, without what changes by itself."""
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
    """Any document of the API server, also one that is no object, such as those of discovery."""
    with api._opened("GET", path, None, {}, {"Accept": "application/json"}) as response:
        return response.json()
