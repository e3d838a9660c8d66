"""Allocations one after the other: what a claim gets is taken for all that come later, on every node."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from dra_conform.allocator.allocation_decision import Allocated, Decision, Stop
from dra_conform.allocator.behaviour import Behaviour
from dra_conform.allocator.claim_plan import Planner
from dra_conform.allocator.node_view import NodeView
from dra_conform.allocator.occupancy import Occupancy
from dra_conform.allocator.refusals import Trace
from dra_conform.kube.core import Node
from dra_conform.kube.resource import DeviceRequestAllocationResult, ResourceClaim


class AllocationSession:
    """A growing set of allocated claims. `view` finds a node's devices and raises Stop where it cannot.

    No new share has one of the IDs in `gone`.
    """

    def __init__(
        self,
        view: Callable[[Node], NodeView],
        behaviour: Behaviour,
        allocated: Iterable[ResourceClaim],
        gone: Collection[str],
    ) -> None:
        self._view = view
        self._behaviour = behaviour
        self._gone = gone
        self._log: list[DeviceRequestAllocationResult] = [
            result
            for claim in allocated
            if claim.allocation is not None
            for result in claim.allocation.devices.results
        ]
        self._on: dict[NodeView, _Known] = {}

    def hold(self, results: Iterable[DeviceRequestAllocationResult]) -> None:
        """Take in what another claim got elsewhere; it is taken from now on."""
        self._log += results

    def allocate(self, node: Node, claims: Sequence[ResourceClaim], *, explain: bool = False) -> Decision:
        """Allocate all of the claims together on a node, or none; what they get is taken from now on."""
        try:
            here = self._view(node)
        except Stop as stop:
            return stop.decision
        return self._allocate(here, claims, explain=explain)

    def allocate_each(self, node: Node, claims: Iterable[ResourceClaim]) -> Iterator[Decision]:
        """Allocate claims one by one in their order on one node."""
        try:
            here = self._view(node)
        except Stop as stop:
            for _ in claims:
                yield stop.decision
            return
        for claim in claims:
            yield self._allocate(here, (claim,), explain=False)

    def _allocate(self, here: NodeView, claims: Sequence[ResourceClaim], *, explain: bool) -> Decision:
        known = self._on.get(here)
        if known is None:
            known = self._on[here] = _Known(here, self._behaviour, self._gone)
        if known.seen < len(self._log):
            known.occupancy.hold(self._log[known.seen :])
            known.seen = len(self._log)
        trace, planner = None, known.planner
        if explain:
            trace = Trace()
            planner = here.planner(known.occupancy, trace)
        decision, lasting = here.decide(claims, known.occupancy, planner, trace)
        if isinstance(decision, Allocated):
            for allocation in decision.allocations:
                self._log += allocation.devices.results
                if lasting:
                    known.occupancy.remember(allocation.devices.results)
            if lasting:
                known.seen = len(self._log)
        if self._behaviour.refusals_leak:
            del self._on[here]
        return decision


class _Known:
    """What a session knows of a node: `seen` counts the results that its occupancy holds."""

    __slots__ = ("occupancy", "planner", "seen")

    def __init__(self, here: NodeView, behaviour: Behaviour, gone: Collection[str]) -> None:
        self.occupancy = Occupancy(here.devices, behaviour)
        self.occupancy.share_ids.update(gone)
        self.planner: Planner = here.planner(self.occupancy, None)
        self.seen = 0
