"""The store: one v1 version of every object, independent of the API server's release."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dra_conform.controlplane.simulation.keys import Key, key_in

Json = Any


class Store:
    """Plain objects in the order they were created. Each write gives the next resource version."""

    def __init__(self) -> None:
        self._objects: dict[str, dict[Key, Json]] = {}
        self._written: dict[str, list[Key]] = {}
        self.revision = 0
        """The resource version of the newest write."""

    def get(self, key: Key) -> Json | None:
        return self._objects.get(key[0], {}).get(key)

    def of_kind(self, kind: str) -> list[Json]:
        return list(self._objects.get(kind, {}).values())

    def written(self, kind: str) -> Sequence[Key]:
        """The keys of all writes to objects of a kind since the beginning, in order."""
        return self._written.get(kind, ())

    def put(self, raw: Json) -> Json:
        """Store an object under its key with the next resource version; the object as it is stored."""
        self.revision += 1
        metadata = type(raw["metadata"])(raw["metadata"], resourceVersion=str(self.revision))
        key = key_in(raw)
        stored = self._objects.setdefault(key[0], {})[key] = {**raw, "metadata": metadata}
        self._written.setdefault(key[0], []).append(key)
        return stored

    def remove(self, key: Key) -> None:
        self.revision += 1
        del self._objects[key[0]][key]
        self._written[key[0]].append(key)
