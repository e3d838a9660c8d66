"""Allocations in sequence: what a claim gets is unavailable to all later claims, on every node."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

import msgspec

from dra_conform.allocator.allocation_decision import Allocated, Decision, Stop, Unallocatable
from dra_conform.allocator.behaviour import Behaviour
from dra_conform.allocator.claim_plan import Planner
from dra_conform.allocator.inventory import PoolKey
from dra_conform.allocator.node_states import NodeState, NodeStates
from dra_conform.allocator.node_view import NodeView
from dra_conform.allocator.occupancy import Occupancy
from dra_conform.allocator.refusals import Trace
from dra_conform.kube.core import Node
from dra_conform.kube.resource import DeviceRequestAllocationResult, ResourceClaim

RefusalKey = tuple[NodeState, tuple[str, ...], int]
"""The state of a node, the names of its devices, and the number of its slices."""


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
        self._log = _Log()
        self._share_ids = set(gone)
        self._on: dict[NodeView, _Known] = {}
        self._refused: defaultdict[tuple[bytes, ...], set[NodeState]] = defaultdict(set)
        """The states in which nodes have refused claims for good, by the specs of the claims."""
        self._shapes: dict[int, tuple[ResourceClaim, bytes]] = {}
        for claim in allocated:
            if claim.allocation is not None:
                self.hold(claim.allocation.devices.results)

    def hold(self, results: Iterable[DeviceRequestAllocationResult]) -> None:
        """Take in what another claim got elsewhere; it is taken from now on."""
        for result in results:
            self._log.add(result)
            if result.share_id and not result.admin_access:
                self._share_ids.add(result.share_id)

    def allocate(self, node: Node, claims: Sequence[ResourceClaim], *, explain: bool = False) -> Decision:
        """Allocate all of the claims together on a node, or none; what they get is taken from now on."""
        try:
            here = self._view(node)
        except Stop as stop:
            return stop.decision
        return self._allocate(here, claims, explain=explain)

    def may_fail(self, node: Node, claims: Sequence[ResourceClaim]) -> bool:
        """Whether claims like these can end in an error on a node, instead of fitting there or not: for all
        devices that match, or with selectors that fail on one of the devices."""
        try:
            planner = self._known(self._view(node)).planner
            plans = [planner.plan(claim) for claim in claims]
        except Stop:
            return True
        slots = [slot for plan in plans for request in plan.requests for slot in request.slots]
        return any(slot.every is not None or slot.selectors.fail for slot in slots)

    def refusal_key(self, node: Node) -> RefusalKey | None:
        """Equal for nodes that refuse equal claims in the same words, as far as they do.

        None where refusals depend on more than the devices of one pool and on which of them are taken.
        """
        try:
            known = self._up_to_date(self._view(node))
        except Stop:
            return None
        state = known.states.now()
        if state is None or len(known.pools) != 1:
            return None
        return state, known.names, known.slices

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
        known = self._up_to_date(here)
        trace, planner = None, known.planner
        shapes = tuple(map(self._shape, claims))
        if not explain and self._is_refused(known, shapes):
            return Unallocatable()
        if explain:
            trace = Trace()
            planner = here.planner(known.occupancy, trace)
        decision, lasting = here.decide(claims, known.occupancy, planner, trace)
        if isinstance(decision, Allocated):
            for allocation in decision.allocations:
                self.hold(allocation.devices.results)
                if lasting:
                    known.occupancy.remember(allocation.devices.results)
            if lasting:
                known.seen = len(self._log)
        elif lasting:
            known.refused.add(shapes)
            state = known.states.now()
            if state is not None:
                self._refused[shapes].add(state)
        if self._behaviour.refusals_leak:
            del self._on[here]
        return decision

    def _is_refused(self, known: _Known, shapes: tuple[bytes, ...]) -> bool:
        """Whether the node, or one that was in the state in which it is, has refused such claims for good."""
        if shapes in known.refused:
            return True
        if shapes not in self._refused or known.states.now() not in self._refused[shapes]:
            return False
        known.refused.add(shapes)
        return True

    def _up_to_date(self, here: NodeView) -> _Known:
        """What is known of a node, with all that was taken."""
        known = self._known(here)
        if known.seen < len(self._log):
            known.occupancy.hold(self._log.since(known.seen, known.pools))
            known.seen = len(self._log)
        return known

    def _known(self, here: NodeView) -> _Known:
        known = self._on.get(here)
        if known is None:
            known = self._on[here] = _Known(here, self._behaviour, self._share_ids)
        return known

    def _shape(self, claim: ResourceClaim) -> bytes:
        """Equal for claims that ask for the same."""
        found = self._shapes.get(id(claim))
        if found is None:
            spec = msgspec.json.encode(claim.spec, enc_hook=str)
            found = self._shapes[id(claim)] = claim, spec
        return found[1]


class _Log:
    """What was taken, in order. A node is told of its own pools only: all that it counts is within a pool."""

    def __init__(self) -> None:
        self._results: list[DeviceRequestAllocationResult] = []
        self._places: dict[PoolKey, list[int]] = {}

    def __len__(self) -> int:
        return len(self._results)

    def add(self, result: DeviceRequestAllocationResult) -> None:
        self._places.setdefault((result.driver, result.pool), []).append(len(self._results))
        self._results.append(result)

    def since(self, seen: int, pools: Collection[PoolKey]) -> Iterator[DeviceRequestAllocationResult]:
        """What was taken after the first `seen` results, of these pools at least, in order within each."""
        if len(self._results) - seen <= len(pools):
            yield from self._results[seen:]
            return
        for pool in pools:
            places = self._places.get(pool, ())
            for place in places[bisect_left(places, seen) :]:
                yield self._results[place]


class _Known:
    """What a session knows of a node: its occupancy has taken note of the first `seen` results; `refused` are
    the specs of claims that will not fit any more."""

    __slots__ = ("names", "occupancy", "planner", "pools", "refused", "seen", "slices", "states")

    def __init__(self, here: NodeView, behaviour: Behaviour, share_ids: set[str]) -> None:
        self.occupancy = Occupancy(here.devices, behaviour, share_ids)
        self.pools = tuple({(pool.driver, pool.name): None for pool in here.devices.pools})
        self.names = tuple(device for _, _, device in here.devices.keys)
        self.slices = len({id(item) for item in here.devices.slices})
        self.planner: Planner = here.planner(self.occupancy, None)
        self.seen = 0
        self.refused: set[tuple[bytes, ...]] = set()
        self.states = NodeStates(here.devices, self.occupancy)
