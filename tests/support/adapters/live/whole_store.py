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
        for one in api.get(root).body.get("resources", ()):
            if "list" in one["verbs"] and "/" not in one["name"] and one["name"] not in _BY_ITSELF:
                for item in api.get(f"{root}/{one['name']}").body.get("items") or ():
                    metadata = item["metadata"]
                    found[f"{root}/{one['name']}", metadata.get("namespace", ""), metadata["name"]] = item
    return found


def _groups(api: Api) -> list[str]:
    groups = api.get("/apis").body["groups"]
    return [f"/apis/{one['preferredVersion']['groupVersion']}" for one in groups]
