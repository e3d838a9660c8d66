"""The store, which keeps the v1 form of every object for API servers of all releases, and the keys of
objects.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dra_conform.controlplane.apiserver.kinds import STRATEGIES

Json = Any

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


class Store:
    """Objects in JSON form in creation order; each write gets the next resource version."""

    def __init__(self) -> None:
        self._objects: dict[str, dict[Key, Json]] = {}
        self._written: dict[str, list[Key]] = {}
        self.revision = 0
        """The resource version of the newest write."""

    def get(self, key: Key) -> Json | None:
        """Return the object with this key, None if there is none."""
        return self._objects.get(key[0], {}).get(key)

    def of_kind(self, kind: str) -> list[Json]:
        """Return the objects of a kind in creation order."""
        return list(self._objects.get(kind, {}).values())

    def written(self, kind: str) -> Sequence[Key]:
        """Return the keys of all writes to objects of a kind in order; deletions are writes too."""
        return self._written.get(kind, ())

    def put(self, raw: Json) -> Json:
        """Store an object with the next resource version, and return the stored object."""
        self.revision += 1
        metadata = type(raw["metadata"])(raw["metadata"], resourceVersion=str(self.revision))
        key = key_in(raw)
        stored = self._objects.setdefault(key[0], {})[key] = {**raw, "metadata": metadata}
        self._written.setdefault(key[0], []).append(key)
        return stored

    def remove(self, key: Key) -> None:
        """Remove an existing object; this increments the resource version too."""
        self.revision += 1
        del self._objects[key[0]][key]
        self._written[key[0]].append(key)
