"""The plugin DynamicResources: claims are allocated, reserved and made ready before binding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from dra_conform.allocator.grouped_refusals import RefusalGroup
from dra_conform.controlplane.simulation.client import Client, WriteFailed
from dra_conform.controlplane.simulation.clock import Clock
from dra_conform.controlplane.simulation.device_binding import stamped
from dra_conform.controlplane.simulation.extended_resources.claim_requests import asks_for
from dra_conform.controlplane.simulation.extended_resources.extended_resource_claims import (
    SpecialClaim,
    discard,
    make,
    record,
    special_claim,
)
from dra_conform.controlplane.simulation.extended_resources.leftover_claim import LeftOver
from dra_conform.controlplane.simulation.extended_resources.serving_rules import ServingRules
from dra_conform.controlplane.simulation.in_flight import InFlight
from dra_conform.controlplane.simulation.keys import key_in
from dra_conform.controlplane.simulation.pod_claims import Waiting, check_usable, claims_by_entry, claims_for
from dra_conform.controlplane.simulation.pods import (
    allocation_of,
    requests_of,
    reserved_for,
)
from dra_conform.controlplane.simulation.reserving import reserve, unreserve
from dra_conform.controlplane.simulation.scheduling.allocated_taints import tainted_claim
from dra_conform.controlplane.simulation.scheduling.cycle import Cycle, OnNode
from dra_conform.controlplane.simulation.scheduling.filtering_rules import FilteringRules
from dra_conform.controlplane.simulation.scheduling.node_allocation import NodeAllocation
from dra_conform.controlplane.simulation.scheduling.phases import Code, PhaseRefused
from dra_conform.controlplane.simulation.scheduling.plugin import Plugin
from dra_conform.controlplane.simulation.writing_rules import WritingRules
from dra_conform.kube.core import Node
from dra_conform.kube.meta import ObjectMeta
from dra_conform.kube.objects import decode

Json = Any

_MOST_ALTERNATIVES = 8
"""How many subrequests a request may have."""

CLAIMS_DO_NOT_FIT = "cannot allocate all claims"
"""Why a node is refused on which the allocator does not find devices for all claims."""

_WITHOUT_RESOURCES = Node(metadata=ObjectMeta())
"""On such a node classes serve all extended resources."""


class DynamicResources(Plugin):
    """The claims that a pod names, and the one that is made for its extended resources."""

    def __init__(
        self, cycle: Cycle, client: Client, allocation: NodeAllocation, in_flight: InFlight, clock: Clock
    ) -> None:
        super().__init__(cycle)
        self._client = client
        self._in_flight = in_flight
        self._allocation = allocation
        self._clock = clock
        self._rules = ServingRules.of(cycle.profile)
        self._left = LeftOver.of((), self._rules)
        self._written: dict[str, Json] = {}
        """The claims that this attempt has reserved, by `namespace/name`."""

    def pre_enqueue(self) -> None:
        """Refuse a pod one of whose claims is missing (DRA/workflow/missing-claim-blocks-pod)."""
        try:
            self.cycle.claims = claims_for(self.cycle.pod, self.cycle.snapshot)
        except Waiting as waiting:
            raise PhaseRefused(Code.UNRESOLVABLE, str(waiting)) from None

    def pre_filter(self) -> None:
        """Refuse a pod one of whose claims cannot be served anywhere; a claim for extended resources that an
        attempt has left behind goes first."""
        cycle = self.cycle
        self._allocation.look()
        try:
            check_usable(cycle.pod, cycle.claims, cycle.snapshot)
        except Waiting as waiting:
            raise PhaseRefused(Code.UNRESOLVABLE, str(waiting)) from None
        for claim in cycle.claims:
            if allocation_of(claim) is None and self._in_flight.has(claim):
                said = f"resource claim {_named(claim)} is in the process of being allocated"
                raise PhaseRefused(Code.UNRESOLVABLE, said)
        tainted = tainted_claim(map(decode, cycle.claims), cycle.snapshot, cycle.profile)
        if tainted:
            raise PhaseRefused(Code.UNRESOLVABLE, tainted)
        if asks_for(cycle.typed, cycle.served):
            self._left = LeftOver.of(cycle.snapshot.special_claims_of(cycle.pod), self._rules)
            self._left.check(cycle.snapshot, cycle.profile)

    def filter(self, node: Node) -> None:
        """Refuse a node where not all claims fit that have to be allocated (DRA/workflow/filter-criteria)."""
        cycle = self.cycle
        special = self._left.instead_of(self._special(node), node)
        found = self._allocation.on(node, self._asked(special), cycle.snapshot, cycle.profile)
        if found is None:
            raise PhaseRefused(Code.UNRESOLVABLE, CLAIMS_DO_NOT_FIT)
        cycle.fits[node.metadata.name] = OnNode(
            {key: stamped(one, self._clock) for key, one in found.items()}, special
        )

    def explain(self, node: Node) -> Sequence[RefusalGroup]:
        """Why the claims do not fit on a node, device by device."""
        try:
            special = self._left.instead_of(self._special(node), node)
        except PhaseRefused:
            return ()
        return self._allocation.explain(node, self._asked(special), self.cycle.snapshot, self.cycle.profile)

    def _asked(self, special: SpecialClaim | None) -> list[Json]:
        """The claims that have to be allocated, with the special one where it is not made yet."""
        asked = [claim for claim in self.cycle.claims if allocation_of(claim) is None]
        return [*asked, special.claim] if special is not None and not special.made else asked

    def _special(self, node: Node) -> SpecialClaim | None:
        cycle, claims = self.cycle, bool(self.cycle.claims)
        return special_claim(cycle.pod, cycle.typed, node, cycle.served, self._rules, claims=claims)

    @property
    def lasting(self) -> bool:
        """A claim that was left behind for extended resources concerns its own pod only."""
        return not asks_for(self.cycle.typed, self.cycle.served)

    @property
    def ranks(self) -> bool:
        """Whether a claim has alternatives (DRA/prioritized-list/node-choice)."""
        profile = self.cycle.profile
        if profile.before("1.35") or not profile.enabled("DRAPrioritizedList"):
            return False
        return any(one.get("firstAvailable") for claim in self.cycle.claims for one in requests_of(claim))

    @property
    def thorough(self) -> bool:
        """Whether a claim can end in an error on some node (API/selector/failing-elsewhere)."""
        cycle = self.cycle
        if not FilteringRules.of(cycle.profile).errors_end_attempts:
            return False
        asked = self._asked(self._special(_WITHOUT_RESOURCES))
        return bool(asked) and self._allocation.may_fail(asked, cycle.snapshot, cycle.profile)

    def score(self, node: str) -> int:
        """Eight for each request that gets its first alternative, one less for each alternative after it."""
        allocations = self.cycle.fits[node].allocations
        return sum(
            _MOST_ALTERNATIVES - place
            for claim in self.cycle.claims
            for place in _places(claim, allocation_of(claim) or allocations[_named(claim)])
        )

    def post_filter(self) -> None:
        """Delete the claim for extended resources that an attempt has left."""
        if self._left.claim is not None:
            discard(self._left.claim, self.cycle.pod, self._rules, self._client)
            raise PhaseRefused(Code.UNSCHEDULABLE, "deletion of ResourceClaim completed", again=True)

    def reserve(self) -> None:
        """Keep what is not allocated yet from everybody else until it is written
        (KEP-5004/scheduling-phase/reserve-in-flight)."""
        allocations = self.cycle.fits[self.cycle.node].allocations
        for claim in self._to_allocate():
            self._in_flight.begin(claim, allocations[_named(claim)])

    def _to_allocate(self) -> list[Json]:
        """The claims that get devices in this attempt, that for extended resources as it was planned."""
        return self._asked(self.cycle.fits[self.cycle.node].special)

    def unreserve(self) -> None:
        """Take back what the attempt knows to be reserved for the pod, and delete the special claim."""
        cycle = self.cycle
        shared = cycle.claims if WritingRules.of(cycle.profile).given_up_for_all else ()
        for claim in (*self._to_allocate(), *shared):
            self._in_flight.end(claim)
        known = [self._written.get(_named(one), one) for one in cycle.claims]
        unreserve(cycle.pod, [one for one in known if reserved_for(one, cycle.pod)], self._client)
        if cycle.made is not None:
            with suppress(WriteFailed):  # the next attempt finds the claim
                discard(cycle.made, cycle.pod, self._rules, self._client)

    def pre_bind(self) -> Iterable[str]:
        """Write allocations and reservations, one claim after the other and the special one at last."""
        cycle, fit = self.cycle, self.cycle.fits[self.cycle.node]
        each = WritingRules.of(cycle.profile).written_for_each_name
        for claim in claims_by_entry(cycle.pod, cycle.claims) if each else cycle.claims:
            self._reserve(claim, fit.allocations.get(_named(claim)))
        if fit.special is not None:
            cycle.made = fit.special.claim
            with self._landing(fit.special.claim):
                if not fit.special.made:
                    cycle.made = make(fit.special, cycle.pod, self._rules, self._client)
                self._reserve(cycle.made, fit.allocations.get(_named(fit.special.claim)))
            record(cycle.pod, cycle.made, fit.special.mappings, self._client)
        return ()

    def pre_bound(self) -> None:
        """What is stored is not in flight any more."""
        for claim in self._to_allocate():
            self._in_flight.end(claim)

    def _reserve(self, claim: Json, allocation: Json) -> None:
        """Write what a claim gets, and that it is reserved for the pod; raises WriteFailed."""
        if not reserved_for(claim, self.cycle.pod):
            with self._landing(claim):
                self._written[_named(claim)] = reserve(self.cycle.pod, claim, allocation, self._client)

    @contextmanager
    def _landing(self, claim: Json) -> Iterator[None]:
        """Whether or not a claim can be written, it may not be in flight any more then."""
        try:
            yield
        finally:
            if not WritingRules.of(self.cycle.profile).in_flight_for_all:
                self._in_flight.end(claim)


def _places(claim: Json, allocation: Json) -> Iterator[int]:
    """The place among its alternatives, from 0, of each that is allocated."""
    results = allocation.get("devices", {}).get("results") or ()
    allocated = {one["request"] for one in results}
    for request in requests_of(claim):
        for place, one in enumerate(request.get("firstAvailable") or ()):
            if f"{request['name']}/{one['name']}" in allocated:
                yield place


def _named(claim: Json) -> str:
    """`namespace/name`, as claims are called in questions and answers."""
    return "/".join(key_in(claim)[1:])
