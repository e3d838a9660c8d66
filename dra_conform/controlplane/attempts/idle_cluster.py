"""A cluster in which only the scheduler writes, and only on demand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dra_conform.controlplane.admitting import admit
from dra_conform.controlplane.allocating import allocate
from dra_conform.controlplane.parts import Objects
from dra_conform.controlplane.simulation.chance import Chance
from dra_conform.controlplane.simulation.claim_metrics import ClaimMetrics
from dra_conform.controlplane.simulation.client import Client
from dra_conform.controlplane.simulation.clock import Clock
from dra_conform.controlplane.simulation.components import SCHEDULER, Components
from dra_conform.controlplane.simulation.in_flight import InFlight
from dra_conform.controlplane.simulation.keys import key_in, key_of
from dra_conform.controlplane.simulation.references import resolve
from dra_conform.controlplane.simulation.scheduling.attempt_start import Beginning
from dra_conform.controlplane.simulation.scheduling.scheduling_cycle import SchedulingCycle
from dra_conform.controlplane.simulation.server import Server
from dra_conform.controlplane.simulation.write_failures import WriteFailures
from dra_conform.kube.profile import Profile

Json = Any


class StillCluster:
    """API server and scheduler of one profile; objects are stored as they are written."""

    def __init__(self, objects: Objects, profile: Profile, seed: int) -> None:
        components = Components({}, profile)
        self.profile = profile
        self.failures = WriteFailures()
        self.in_flight = InFlight()
        self._clock = Clock()
        self._server = Server(components, admit, self._clock, Chance(seed))
        for several in objects.values():
            for raw in several:
                self._server.load(raw)
        metrics = ClaimMetrics(self._server.store)
        client = Client(SCHEDULER, self._server, components, self.failures, metrics)
        self._beginning = Beginning(client, self._allocate, self._clock, seed, self.in_flight)

    def begun(self, pod: Json, assumed: Sequence[Json]) -> SchedulingCycle:
        """An attempt for a pod, with some pods assumed to be on nodes."""
        return self._beginning.of(pod, list(assumed))

    def objects(self, kind: str) -> list[Json]:
        """All objects of a kind."""
        return self._server.all(kind)

    def find(self, kind: str, name: str) -> Json | None:
        """The object of a kind by `namespace/name`."""
        namespace, _, bare = name.rpartition("/")
        return self._server.get(key_of(kind, bare, namespace))

    def meant(self, reference: Json) -> Json:
        """The object that a reference means; raises ValueError where there is none."""
        key = resolve(reference, self._server.store)
        found = self._server.get(key) if key else None
        if found is None:
            raise ValueError(f"there is no {reference['kind']} {reference.get('name', '')}")
        return found

    def put(self, raw: Json) -> Json:
        """Store what somebody else has written."""
        known = self._server.store.get(key_in(raw))
        if known is None:
            self._server.load(raw)
        else:
            self._server.store.put({**raw, "metadata": {**known["metadata"], **raw["metadata"]}})
        return self._server.get(key_in(raw))

    def remove(self, raw: Json) -> None:
        """Take away what somebody else has deleted."""
        self._server.store.remove(key_in(raw))

    def _allocate(
        self, objects: Objects, ask: Mapping[str, Json], profile: Profile, seed: int
    ) -> Mapping[str, Json]:
        """The built-in allocator, which takes what is in flight for allocated."""
        claims = self.in_flight.laid_over(objects["resourceClaims"])
        return allocate({**objects, "resourceClaims": claims}, ask, profile, seed)
