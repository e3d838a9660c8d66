"""The plugin DynamicResources, which allocates and reserves the claims of a pod."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace

from dra_conform.allocator.allocation_decision import FailureReasonGroup
from dra_conform.cluster_state.binding_conditions import binding_counts
from dra_conform.cluster_state.object_keys import key_in
from dra_conform.cluster_state.pods import (
    allocation_of,
    requests_of,
    reserved_for,
)
from dra_conform.kube.core import Node
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import decode
from dra_conform.kube.switches.extended_resources import ExtendedResourceSwitches
from dra_conform.kube.switches.scheduler import PodWriteSwitches, SchedulerSwitches
from dra_conform.simulation.client import Client, WriteFailed
from dra_conform.simulation.extended_resources.claim_requests import requests_backed_resource
from dra_conform.simulation.extended_resources.extended_resource_claims import (
    WITHOUT_RESOURCES,
    ExtendedResourceClaim,
    LeftoverClaim,
    create_claim,
    discard,
    extended_resource_claim,
    record,
)
from dra_conform.simulation.in_flight import InFlight
from dra_conform.simulation.pod_claims import (
    PodWaits,
    check_gates,
    check_usable,
    claims_by_entry,
    claims_for,
    tainted_claim,
)
from dra_conform.simulation.scheduling.cycle import Cycle, NodeFit, SchedulerPlugin
from dra_conform.simulation.scheduling.node_allocation import NodeAllocation
from dra_conform.simulation.scheduling.phases import Code, PhaseFailed
from dra_conform.simulation.shared_state import Clock
from dra_conform.simulation.status_writes import reserve, unreserve

_MAX_SUBREQUESTS = 8
"""The maximum number of subrequests in `firstAvailable`."""

CLAIMS_UNALLOCATABLE = "cannot allocate all claims"
"""The reason for a node on which not all claims can be allocated."""


class DynamicResources(SchedulerPlugin):
    """Allocates the ResourceClaims of a pod and its extended-resource claim."""

    name = "DynamicResources"

    def __init__(
        self, cycle: Cycle, client: Client, allocation: NodeAllocation, in_flight: InFlight, clock: Clock
    ) -> None:
        super().__init__(cycle)
        self._client = client
        self._in_flight = in_flight
        self._allocation = allocation
        self._clock = clock
        self._switches = ExtendedResourceSwitches.of(cycle.profile)
        self._leftover = LeftoverClaim.of((), self._switches)
        self._written: dict[str, Json] = {}
        """The claims that this attempt has reserved, by `namespace/name`."""

    def pre_enqueue(self) -> None:
        """Reject a pod with a missing claim (DRA/workflow/missing-claim-blocks-pod)."""
        try:
            self.cycle.claims = claims_for(self.cycle.pod, self.cycle.snapshot)
        except PodWaits as waiting:
            raise PhaseFailed(Code.UNRESOLVABLE, str(waiting)) from None

    def pre_filter(self) -> None:
        """Reject a pod with a claim that cannot be used on any node, or with an unusable leftover claim."""
        cycle = self.cycle
        self._allocation.update()
        try:
            check_usable(cycle.pod, cycle.claims, cycle.snapshot)
            check_gates(cycle.claims, cycle.profile)
        except PodWaits as waiting:
            raise PhaseFailed(Code.UNRESOLVABLE, str(waiting)) from None
        for claim in cycle.claims:
            if allocation_of(claim) is None and self._in_flight.has(claim):
                message = f"resource claim {_named(claim)} is in the process of being allocated"
                raise PhaseFailed(Code.UNRESOLVABLE, message)
        tainted = tainted_claim(map(decode, cycle.claims), cycle.snapshot, cycle.profile)
        if tainted:
            raise PhaseFailed(Code.UNRESOLVABLE, tainted)
        if requests_backed_resource(cycle.typed, cycle.backing_classes):
            self._leftover = LeftoverClaim.of(
                cycle.snapshot.extended_resource_claims_of(cycle.pod), self._switches
            )
            self._leftover.check(cycle.snapshot, cycle.profile)

    def filter(self, node: Node) -> None:
        """Reject a node on which not all unallocated claims can be allocated
        (DRA/workflow/filter-criteria)."""
        cycle = self.cycle
        extended = self._leftover.claim_for(self._planned(node), node)
        allocations = self._allocation.on(node, self._unallocated(extended), cycle.snapshot, cycle.profile)
        if allocations is None:
            raise PhaseFailed(Code.UNRESOLVABLE, CLAIMS_UNALLOCATABLE)
        cycle.fits[node.metadata.name] = NodeFit(allocations, extended)

    def explain(self, node: Node) -> Sequence[FailureReasonGroup]:
        """Return the reasons why the claims cannot be allocated on a node."""
        try:
            extended = self._leftover.claim_for(self._planned(node), node)
        except PhaseFailed:
            return ()
        claims = self._unallocated(extended)
        groups = self._allocation.explain(node, claims, self.cycle.snapshot, self.cycle.profile)
        return [_with_resources(group, extended) for group in groups] if extended is not None else groups

    def _unallocated(self, extended: ExtendedResourceClaim | None) -> list[Json]:
        """Return the claims to allocate, including an extended-resource claim that does not exist yet."""
        unallocated = [claim for claim in self.cycle.claims if allocation_of(claim) is None]
        return [*unallocated, extended.claim] if extended is not None and not extended.exists else unallocated

    def _planned(self, node: Node) -> ExtendedResourceClaim | None:
        """Return the extended-resource claim that the pod needs on a node."""
        cycle, claims = self.cycle, bool(self.cycle.claims)
        return extended_resource_claim(
            cycle.pod, cycle.typed, node, cycle.backing_classes, self._switches, claims=claims
        )

    @property
    def cacheable(self) -> bool:
        """False for a pod with backed extended resources, since a leftover claim concerns this pod only."""
        return not requests_backed_resource(self.cycle.typed, self.cycle.backing_classes)

    @property
    def scores_nodes(self) -> bool:
        """Whether a claim has a prioritized list (DRA/prioritized-list/node-choice), or Score can fail."""
        if self._score_can_fail:
            return True
        if not SchedulerSwitches.of(self.cycle.profile).nodes_scored:
            return False
        return any(
            request.get("firstAvailable") for claim in self.cycle.claims for request in requests_of(claim)
        )

    @property
    def _score_can_fail(self) -> bool:
        """Whether a claim is allocated, in a release that cannot score a pod with such and other claims."""
        switches = SchedulerSwitches.of(self.cycle.profile)
        return not switches.partial_allocations_scored and any(map(allocation_of, self.cycle.claims))

    @property
    def filters_all_nodes(self) -> bool:
        """Whether the allocation of a claim can fail with an error on a node
        (API/selector/failing-elsewhere)."""
        cycle = self.cycle
        if not SchedulerSwitches.of(cycle.profile).errors_end_attempts:
            return False
        claims = self._unallocated(self._planned(WITHOUT_RESOURCES))
        return bool(claims) and self._allocation.may_end_with_error(claims, cycle.snapshot, cycle.profile)

    def score(self, node: str) -> int:
        """Return the sum over prioritized lists: 8 for the first subrequest, 7 for the second, and so on.

        Raises PhaseFailed if the release cannot score a pod with allocated and unallocated claims.
        """
        allocations = self.cycle.fits[node].allocations
        if self._score_can_fail and allocations:
            message = f"number of allocations {len(allocations)} is smaller than number of claims"
            raise PhaseFailed(Code.ERROR, message)
        return sum(
            _MAX_SUBREQUESTS - index
            for claim in self.cycle.claims
            for index in _subrequest_indices(claim, allocation_of(claim) or allocations[_named(claim)])
        )

    def post_filter(self) -> None:
        """Delete the leftover extended-resource claim."""
        if self._leftover.claim is not None:
            discard(self._leftover.claim, self.cycle.pod, self._switches, self._client)
            raise PhaseFailed(Code.UNSCHEDULABLE, "deletion of ResourceClaim completed", retryable=True)

    def reserve(self) -> None:
        """Put the new allocations in flight until they are written
        (KEP-5004/scheduling-phase/reserve-in-flight)."""
        allocations = self.cycle.fits[self.cycle.node].allocations
        for claim in self._to_allocate():
            self._in_flight.begin(claim, allocations[_named(claim)])

    def _to_allocate(self) -> list[Json]:
        """Return the claims that this attempt allocates."""
        return self._unallocated(self.cycle.fits[self.cycle.node].extended)

    def unreserve(self) -> None:
        """Remove the reservations for the pod, and delete its extended-resource claim."""
        cycle = self.cycle
        ended = cycle.claims if PodWriteSwitches.of(cycle.profile).abandoned_for_all else ()
        for claim in (*self._to_allocate(), *ended):
            self._in_flight.end(claim)
        known = [self._written.get(_named(claim), claim) for claim in cycle.claims]
        unreserve(cycle.pod, [claim for claim in known if reserved_for(claim, cycle.pod)], self._client)
        if cycle.extended is not None:
            with suppress(WriteFailed):  # The next attempt handles the claim as a leftover.
                discard(cycle.extended, cycle.pod, self._switches, self._client)

    def pre_bind(self) -> Iterable[str]:
        """Write allocations and reservations claim by claim, the extended-resource claim last."""
        cycle, fit = self.cycle, self.cycle.fits[self.cycle.node]
        each = PodWriteSwitches.of(cycle.profile).written_for_each_name
        for claim in claims_by_entry(cycle.pod, cycle.claims) if each else cycle.claims:
            self._reserve(claim, fit.allocations.get(_named(claim)))
        if fit.extended is not None:
            cycle.extended = fit.extended.claim
            with self._ends_in_flight(fit.extended.claim):
                if not fit.extended.exists:
                    cycle.extended = create_claim(fit.extended, cycle.pod, self._switches, self._client)
                self._reserve(cycle.extended, fit.allocations.get(_named(fit.extended.claim)))
            record(cycle.pod, cycle.extended, fit.extended.mappings, self._client)
        return ()

    def pre_bound(self) -> None:
        """Remove the written claims from the claims in flight."""
        for claim in self._to_allocate():
            self._in_flight.end(claim)

    def _reserve(self, claim: Json, allocation: Json) -> None:
        """Write allocation and reservation of a claim; raise WriteFailed."""
        if not reserved_for(claim, self.cycle.pod):
            with self._ends_in_flight(claim):
                time = self._clock.text if binding_counts(self.cycle.profile) else ""
                written = reserve(self.cycle.pod, claim, allocation, self._client, time)
                self._written[_named(claim)] = written

    @contextmanager
    def _ends_in_flight(self, claim: Json) -> Iterator[None]:
        """Remove a claim from the claims in flight after its write, unless the release does so later."""
        try:
            yield
        finally:
            if not PodWriteSwitches.of(self.cycle.profile).in_flight_for_all:
                self._in_flight.end(claim)


def _subrequest_indices(claim: Json, allocation: Json) -> Iterator[int]:
    """Yield the index of the allocated subrequest in each prioritized list."""
    results = allocation.get("devices", {}).get("results") or ()
    allocated = {result["request"] for result in results}
    for request in requests_of(claim):
        for index, subrequest in enumerate(request.get("firstAvailable") or ()):
            if f"{request['name']}/{subrequest['name']}" in allocated:
                yield index


def _with_resources(group: FailureReasonGroup, extended: ExtendedResourceClaim) -> FailureReasonGroup:
    """Return a reason with the containers and the extended resource of its request.

    Users do not know the generated requests of an extended-resource claim.
    """
    if group.claim != _named(extended.claim):
        return group
    mapped = [mapping for mapping in extended.mappings if mapping["requestName"] == group.request]
    if not mapped:
        return group
    containers = " and ".join(mapping["containerName"] for mapping in mapped)
    return replace(group, request=f"{group.request} ({mapped[0]['resourceName']} of container {containers})")


def _named(claim: Json) -> str:
    """Return the `namespace/name` of a claim."""
    return "/".join(key_in(claim)[1:])
