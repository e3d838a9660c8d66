"""The objects of a kind as a component knows them, brought up to date by what was written since."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

from dra_conform.controlplane.simulation.keys import Key, key_in
from dra_conform.controlplane.simulation.server import Server
from dra_conform.kube.profile import Profile

Json = Any


class WatchedKind:
    """All objects of one kind by key, in the order in which they were created."""

    def __init__(self, server: Server, kind: str) -> None:
        self._server = server
        self._kind = kind
        self._seen = 0
        self._readers: tuple[Profile, ...] = ()
        self._objects: dict[Key, Json] = {}

    def now(self, profile: Profile) -> Mapping[Key, Json]:
        """The objects as the types of a release read them: always the same mapping, brought up to date."""
        readers = (self._server.profile, profile)
        store = self._server.store
        if self._readers and all(map(operator.is_, readers, self._readers)):
            for key in store.written(self._kind)[self._seen :]:
                self._update(key, self._server.get(key, profile))
        else:
            self._readers = readers
            self._objects.clear()
            self._objects.update((key_in(one), one) for one in self._server.all(self._kind, profile))
        self._seen = len(store.written(self._kind))
        return self._objects

    def _update(self, key: Key, one: Json | None) -> None:
        known = self._objects.get(key)
        if known is not None and (one is None or known["metadata"]["uid"] != one["metadata"]["uid"]):
            del self._objects[key]
        if one is not None:
            self._objects[key] = one
