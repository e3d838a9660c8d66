"""The keys of objects in a cluster."""

from __future__ import annotations

from dra_conform.apiserver.kinds import STRATEGIES
from dra_conform.kube.json_values import Json

_NAMESPACED = frozenset(kind for kind, strategy in STRATEGIES.items() if strategy.namespaced)

Key = tuple[str, str, str]
"""Kind, namespace (empty for cluster-scoped kinds) and name."""


def key_of(kind: str, name: str, namespace: str = "") -> Key:
    """Return the key of an object; the namespace of a namespaced kind defaults to `default`."""
    return kind, (namespace or "default") if kind in _NAMESPACED else "", name


def key_in(raw: Json) -> Key:
    """Return the key of an object in JSON form."""
    kind, metadata = raw["kind"], raw.get("metadata") or {}
    namespace = (metadata.get("namespace") or "default") if kind in _NAMESPACED else ""
    return kind, namespace, metadata.get("name", "")
