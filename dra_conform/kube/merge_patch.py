"""JSON merge patches (RFC 7396)."""

from __future__ import annotations

from collections.abc import Mapping

from dra_conform.kube.json_values import Json


def merge_patch(value: Json, patch: Json) -> Json:
    """Return the patched value: merge objects, remove members on null, replace other values."""
    if not isinstance(patch, Mapping):
        return patch
    members = value if isinstance(value, Mapping) else {}
    patched = {name: merge_patch(members.get(name), item) for name, item in patch.items() if item is not None}
    return {**{name: item for name, item in members.items() if name not in patch}, **patched}
