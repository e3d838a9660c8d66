"""What is stored: one version of every object, v1, whatever the API server in front of it knows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dra_conform.controlplane.simulation.keys import Key, key_in

Json = Any


class Store:
    """Plain objects in the order they were created. Each write gives the next resource version."""

    def __init__(self) -> None:
        self._objects: dict[Key, Json] = {}
        self.revision = 0
        """The resource version of the newest write."""

    def get(self, key: Key) -> Json | None:
        return self._objects.get(key)

    def of_kind(self, kind: str) -> list[Json]:
        return [one for key, one in self._objects.items() if key[0] == kind]

    def __iter__(self) -> Iterator[Json]:
        return iter(list(self._objects.values()))

    def put(self, raw: Json) -> Json:
        """Store an object under its key with the next resource version; the object as it is stored."""
        self.revision += 1
        metadata = {**raw["metadata"], "resourceVersion": str(self.revision)}
        stored = self._objects[key_in(raw)] = {**raw, "metadata": metadata}
        return stored

    def remove(self, key: Key) -> None:
        self.revision += 1
        del self._objects[key]
