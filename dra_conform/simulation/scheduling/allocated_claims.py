"""The plugin for allocated claims: nodes that can use them, device readiness, and deallocation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dra_conform.cluster_state.acceptable_nodes import usable
from dra_conform.cluster_state.binding_conditions import (
    TIMEOUT,
    Readiness,
    binding_counts,
    has_conditions,
    readiness,
    readiness_of_all,
)
from dra_conform.cluster_state.object_keys import key_in
from dra_conform.cluster_state.pods import allocation_of, reservations_of
from dra_conform.kube.core import Node
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import decode
from dra_conform.kube.resource import ResourceClaim
from dra_conform.kube.switches.scheduler import BindingSwitches
from dra_conform.simulation.client import Client
from dra_conform.simulation.scheduling.cycle import Cycle, SchedulerPlugin
from dra_conform.simulation.scheduling.phases import Code, PhaseFailed
from dra_conform.simulation.shared_state import Clock
from dra_conform.simulation.status_writes import free


class AllocatedClaims(SchedulerPlugin):
    """Filters nodes by allocated claims, deallocates unusable claims, and waits for binding conditions.

    It is the last plugin: a claim counts as unusable only on nodes that all other plugins accept, and PreBind
    waits for devices only after all writes.
    """

    name = "DynamicResources"

    def __init__(self, cycle: Cycle, client: Client, clock: Clock) -> None:
        super().__init__(cycle)
        self._client = client
        self._clock = clock
        self._allocated: list[tuple[Json, ResourceClaim]] = []
        self._failed: set[str] = set()
        """The names of claims whose devices failed to become ready."""
        self._unusable: list[Json] = []
        """The claims that some node cannot use."""

    def pre_filter(self) -> None:
        """Collect the allocated claims, and those whose devices failed to become ready
        (API/binding/failure, API/binding/timeout)."""
        allocated = [claim for claim in self.cycle.claims if allocation_of(claim) is not None]
        self._allocated = [(claim, decode(claim)) for claim in allocated]
        if binding_counts(self.cycle.profile):
            switches = BindingSwitches.of(self.cycle.profile)
            for claim in allocated:
                if readiness(claim, self._clock.now, switches) in (Readiness.FAILED, Readiness.LATE):
                    self._failed.add(claim["metadata"]["name"])

    def filter(self, node: Node) -> None:
        """Reject a node that cannot use an allocated claim (DRA/workflow/filter-criteria)."""
        unusable = [
            claim
            for claim, typed in self._allocated
            if typed.metadata.name in self._failed or not usable(typed, node)
        ]
        if unusable:
            self._unusable += unusable
            raise PhaseFailed(Code.UNRESOLVABLE, "resourceclaim not available on the node")

    def post_filter(self) -> None:
        """Deallocate one unusable claim that is reserved for no other pod."""
        uid = self.cycle.pod["metadata"]["uid"]
        for claim in self._unusable:
            if all(consumer["uid"] == uid for consumer in reservations_of(claim)):
                free(claim, self._client)
                raise PhaseFailed(
                    Code.UNSCHEDULABLE, "deallocation of ResourceClaim completed", retryable=True
                )

    def pre_bind(self) -> Iterator[str]:
        """Wait until all devices are ready; raise PhaseFailed on failure or timeout.

        The next attempt deallocates the claims whose devices failed.
        """
        profile = self.cycle.profile
        claims = [*self.cycle.claims, *([self.cycle.extended] if self.cycle.extended else [])]
        if not binding_counts(profile) or not any(map(has_conditions, self._allocations())):
            return
        switches, deadline = BindingSwitches.of(profile), self._clock.now + TIMEOUT
        while (
            state := readiness_of_all(self._current(claims), self._clock.now, switches)
        ) is not Readiness.READY:
            if state is Readiness.FAILED:
                raise PhaseFailed(Code.ERROR, "device binding failed", retryable=True)
            if state is Readiness.LATE or self._clock.now >= deadline:
                raise PhaseFailed(Code.ERROR, "device binding timeout", retryable=True)
            yield "waiting for binding conditions of devices"

    def _allocations(self) -> list[Json]:
        """Return the allocations of the pod's claims from this attempt and from earlier attempts."""
        stored = [allocation_of(claim) for claim in (*self.cycle.claims, self.cycle.extended or {})]
        return [*stored, *self.cycle.fits[self.cycle.node].allocations.values()]

    def _current(self, claims: Sequence[Json]) -> Iterator[Json]:
        """Yield the claims as they are stored now; raise PhaseFailed for a deleted claim."""
        for claim in claims:
            key = key_in(claim)
            current = self._client.get(key)
            if current is None:
                raise PhaseFailed(Code.ERROR, f"resource claim {key[2]} is gone", retryable=True)
            yield current
