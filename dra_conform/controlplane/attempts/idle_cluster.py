"""A cluster in which the scheduler runs on demand and no other component exists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dra_conform.controlplane.admitting import admit
from dra_conform.controlplane.allocating import allocate
from dra_conform.controlplane.parts import Objects
from dra_conform.controlplane.simulation.client import Client
from dra_conform.controlplane.simulation.clock import Clock
from dra_conform.controlplane.simulation.components import SCHEDULER, Components
from dra_conform.controlplane.simulation.in_flight import InFlight
from dra_conform.controlplane.simulation.metrics import Metrics
from dra_conform.controlplane.simulation.random_values import RandomValues
from dra_conform.controlplane.simulation.references import resolve
from dra_conform.controlplane.simulation.scheduling.cycle_factory import CycleFactory
from dra_conform.controlplane.simulation.scheduling.scheduling_cycle import SchedulingCycle
from dra_conform.controlplane.simulation.server import Server
from dra_conform.controlplane.simulation.store import key_in, key_of
from dra_conform.controlplane.simulation.write_failures import WriteFailures
from dra_conform.kube.profile import Profile

Json = Any


class IdleCluster:
    """The API server and the scheduler of one profile; setup objects are stored without admission."""

    def __init__(self, objects: Objects, profile: Profile, seed: int) -> None:
        components = Components({}, profile)
        self.profile = profile
        self.failures = WriteFailures()
        self.in_flight = InFlight()
        self._clock = Clock()
        self._server = Server(components, admit, self._clock, RandomValues(seed))
        for collection in objects.values():
            for raw in collection:
                self._server.load(raw)
        metrics = Metrics(self._server.store)
        client = Client(SCHEDULER, self._server, components, self.failures, metrics)
        self._cycles = CycleFactory(client, self._allocate, self._clock, seed, self.in_flight)

    def cycle_for(self, pod: Json, assumed: Sequence[Json]) -> SchedulingCycle:
        """Return the cycle of a new attempt; `assumed` pods count as bound to their nodes."""
        return self._cycles.cycle_for(pod, list(assumed))

    def objects(self, kind: str) -> list[Json]:
        """Return all objects of a kind."""
        return self._server.all(kind)

    def find(self, kind: str, name: str) -> Json | None:
        """Return the object of a kind by `namespace/name`, None if there is none."""
        namespace, _, bare = name.rpartition("/")
        return self._server.get(key_of(kind, bare, namespace))

    def referenced(self, reference: Json) -> Json:
        """Return the object of a reference; raise ValueError if there is none."""
        key = resolve(reference, self._server.store)
        raw = self._server.get(key) if key else None
        if raw is None:
            raise ValueError(f"unknown {reference['kind']} {reference.get('name', '')}")
        return raw

    def put(self, raw: Json) -> Json:
        """Store an object that another client has written, and return the stored object."""
        known = self._server.store.get(key_in(raw))
        if known is None:
            self._server.load(raw)
        else:
            self._server.store.put({**raw, "metadata": {**known["metadata"], **raw["metadata"]}})
        return self._server.get(key_in(raw))

    def remove(self, raw: Json) -> None:
        """Remove an object that another client has deleted."""
        self._server.store.remove(key_in(raw))

    def _allocate(
        self, objects: Objects, ask: Mapping[str, Json], profile: Profile, seed: int
    ) -> Mapping[str, Json]:
        """Call the built-in allocator, with claims in flight as allocated."""
        claims = self.in_flight.merged_with(objects["resourceClaims"])
        return allocate({**objects, "resourceClaims": claims}, ask, profile, seed)
