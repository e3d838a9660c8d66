"""The cached objects of a kind, updated as by watch events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dra_conform.controlplane.simulation.keys import Key, key_in
from dra_conform.controlplane.simulation.server import Server
from dra_conform.kube.profile import Profile

Json = Any


class WatchedKind:
    """All objects of one kind by key, in creation order."""

    def __init__(self, server: Server, kind: str) -> None:
        self._server = server
        self._kind = kind
        self._seen = 0
        self._readers: tuple[Profile, Profile] | None = None
        self._objects: dict[Key, Json] = {}

    def current(self, profile: Profile) -> Mapping[Key, Json]:
        """Return the objects as the types of a release read them; each call updates the same mapping."""
        own, written = self._server.profile, self._server.store.written(self._kind)
        if self._readers is not None and self._readers[0] is own and self._readers[1] is profile:
            for key in dict.fromkeys(written[self._seen :]):  # Many objects are written several times.
                self._update(key, self._server.get(key, profile))
        else:
            self._readers = own, profile
            self._objects.clear()
            self._objects.update((key_in(raw), raw) for raw in self._server.all(self._kind, profile))
        self._seen = len(written)
        return self._objects

    def _update(self, key: Key, raw: Json | None) -> None:
        known = self._objects.get(key)
        if known is not None and (raw is None or known["metadata"]["uid"] != raw["metadata"]["uid"]):
            del self._objects[key]
        if raw is not None:
            self._objects[key] = raw
