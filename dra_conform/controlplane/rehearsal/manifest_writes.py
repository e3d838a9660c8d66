"""Writing manifests to the API server of a simulated cluster, as `kubectl apply` does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dra_conform.controlplane.simulation.keys import Key, key_in
from dra_conform.controlplane.simulation.server import Server, WriteResult

Json = Any


class ManifestWrites:
    """Applies objects one after the other.

    `created` has each object that was to be created with the answer of the API server, `rejected` what the
    server said of those it did not take.
    """

    def __init__(self, server: Server) -> None:
        self.created: list[tuple[Json, WriteResult]] = []
        self.rejected: list[str] = []
        self._server = server
        self._seen: dict[Key, Json] = {}

    def load(self, objects: Iterable[Json]) -> list[Json]:
        """Store the objects that have a UID, which are there from the beginning; those that were stored."""
        there: dict[Key, Json] = {}
        for raw in objects:
            if raw["metadata"].get("uid"):
                there.setdefault(key_in(raw), raw)
        for raw in there.values():
            self._server.load(raw)
        self._seen |= there
        return list(there.values())

    def apply(self, raw: Json) -> None:
        """Create an object, or update it if it is there already and differs; its status is written apart."""
        named = bool(raw["metadata"].get("name"))
        key = key_in(raw)
        known = self._seen.get(key) if named else None
        if known is raw or known == raw:
            return
        if known is None:
            written = self._server.create(raw)
            self.created.append((raw, written))
            if raw["kind"] != "Pod":
                self._note(raw, written)
        else:
            self._note(raw, self._server.update(raw))
        if named:
            if "status" in raw:
                self._note(raw, self._server.update(raw, "status"))
            self._seen[key] = raw

    def _note(self, raw: Json, written: WriteResult) -> None:
        if written["outcome"] == "rejected":
            name = raw["metadata"].get("name", "")
            self.rejected.append(f"{raw['kind']} {name}: {written.get('message', '')}")
