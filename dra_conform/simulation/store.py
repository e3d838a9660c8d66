"""The store, which keeps the v1 form of every object for API servers of all releases."""

from __future__ import annotations

from collections.abc import Sequence

from dra_conform.cluster_state.object_keys import Key, key_in
from dra_conform.kube.json_values import Json


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
