"""The plugin part for allocated claims: usable nodes, ready devices, and deallocation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dra_conform.controlplane.acceptable_nodes import usable
from dra_conform.controlplane.simulation.client import Client
from dra_conform.controlplane.simulation.clock import Clock
from dra_conform.controlplane.simulation.device_binding import (
    TIMEOUT,
    BindingRules,
    Readiness,
    binding_counts,
    has_conditions,
    readiness,
    readiness_of_all,
)
from dra_conform.controlplane.simulation.keys import key_in
from dra_conform.controlplane.simulation.pods import allocation_of, reservations_of
from dra_conform.controlplane.simulation.reserving import free
from dra_conform.controlplane.simulation.scheduling.cycle import Cycle
from dra_conform.controlplane.simulation.scheduling.phases import Code, PhaseRefused
from dra_conform.controlplane.simulation.scheduling.plugin import Plugin
from dra_conform.kube.core import Node
from dra_conform.kube.objects import decode
from dra_conform.kube.resource import ResourceClaim

Json = Any


class AllocatedClaims(Plugin):
    """Comes last: a node that others refuse says nothing of a claim, and devices are waited for when all is
    written."""

    def __init__(self, cycle: Cycle, client: Client, clock: Clock) -> None:
        super().__init__(cycle)
        self._client = client
        self._clock = clock
        self._allocated: list[tuple[Json, ResourceClaim]] = []
        self._given_up: set[str] = set()
        """The names of those whose devices were not made ready."""
        self._out_of_reach: list[Json] = []

    def pre_filter(self) -> None:
        """Look which claims are allocated, and whose devices were not made ready
        (API/binding/failure, API/binding/timeout)."""
        allocated = [claim for claim in self.cycle.claims if allocation_of(claim) is not None]
        self._allocated = [(claim, decode(claim)) for claim in allocated]
        if binding_counts(self.cycle.profile):
            rules = BindingRules.of(self.cycle.profile)
            for claim in allocated:
                if readiness(claim, self._clock, rules) in (Readiness.FAILED, Readiness.LATE):
                    self._given_up.add(claim["metadata"]["name"])

    def filter(self, node: Node) -> None:
        """Refuse a node on which an allocated claim cannot be used (DRA/workflow/filter-criteria)."""
        unusable = [
            claim
            for claim, typed in self._allocated
            if typed.metadata.name in self._given_up or not usable(typed, node)
        ]
        if unusable:
            self._out_of_reach += unusable
            raise PhaseRefused(Code.UNRESOLVABLE, "resourceclaim not available on the node")

    def post_filter(self) -> None:
        """Free one claim that no node of the pod can use, if no other pod does."""
        uid = self.cycle.pod["metadata"]["uid"]
        for claim in self._out_of_reach:
            if all(one["uid"] == uid for one in reservations_of(claim)):
                free(claim, self._client)
                raise PhaseRefused(Code.UNSCHEDULABLE, "deallocation of ResourceClaim completed", again=True)

    def pre_bind(self) -> Iterator[str]:
        """Wait until all devices are ready; raises PhaseRefused. The next attempt frees what was given up."""
        profile = self.cycle.profile
        claims = [*self.cycle.claims, *([self.cycle.made] if self.cycle.made else [])]
        if not binding_counts(profile) or not any(map(has_conditions, self._allocations())):
            return
        rules, end = BindingRules.of(profile), self._clock.now + TIMEOUT
        while (found := readiness_of_all(self._current(claims), self._clock, rules)) is not Readiness.READY:
            if found is Readiness.FAILED:
                raise PhaseRefused(Code.ERROR, "device binding failed", again=True)
            if found is Readiness.LATE or self._clock.now >= end:
                raise PhaseRefused(Code.ERROR, "device binding timeout", again=True)
            yield "waiting for binding conditions of devices"

    def _allocations(self) -> list[Json]:
        """What the pod's claims have got, in this attempt or before."""
        found = [allocation_of(claim) for claim in (*self.cycle.claims, self.cycle.made or {})]
        return [*found, *self.cycle.fits[self.cycle.node].allocations.values()]

    def _current(self, claims: Sequence[Json]) -> Iterator[Json]:
        """The claims as they are by now; raises PhaseRefused for one that is gone."""
        for claim in claims:
            key = key_in(claim)
            found = self._client.get(key)
            if found is None:
                raise PhaseRefused(Code.ERROR, f"resource claim {key[2]} is gone", again=True)
            yield found
