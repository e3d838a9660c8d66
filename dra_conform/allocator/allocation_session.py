"""Allocations one after the other: what a claim gets is taken for all that come later, on every node."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

import msgspec

from dra_conform.allocator.allocation_decision import Allocated, Decision, Failed, Stop, Unallocatable
from dra_conform.allocator.behaviour import Behaviour
from dra_conform.allocator.claim_plan import Planner
from dra_conform.allocator.inventory import PoolKey
from dra_conform.allocator.node_fronts import FirstFit, NodeFront
from dra_conform.allocator.node_states import NodeState, NodeStates
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
        self._log = _Log()
        self._share_ids = set(gone)
        self._on: dict[NodeView, _Known] = {}
        self._fronts: dict[tuple[int, tuple[bytes, ...]], NodeFront] = {}
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

    def allocate_on_first(self, nodes: Sequence[Node], claims: Sequence[ResourceClaim]) -> FirstFit:
        """Allocate all of the claims together on the first of the nodes that fits, as a loop over them would.

        A node that has refused claims like these for good is not asked again: in a session nothing is freed.
        Nor is one that was seen in a state in which another one has refused them. That is remembered for this
        very sequence of nodes, which must stay as it is.
        """
        shapes = tuple(map(self._shape, claims))
        front = self._fronts.get((id(nodes), shapes))
        if front is None:  # one is as long as there are nodes
            front = self._fronts[id(nodes), shapes] = NodeFront(nodes)
        errors: dict[int, Failed] = {}
        kept: list[int] = []
        try:
            while front.open:
                place = front.open[0]
                if front.refused and self._state_of(nodes[place]) in front.refused:
                    front.open.popleft()
                    continue
                decision = self.allocate(nodes[place], claims)
                if isinstance(decision, Allocated):
                    return FirstFit(place, decision, errors)
                front.open.popleft()
                if isinstance(decision, Failed):
                    errors[place] = decision
                if isinstance(decision, Failed) or not self._refused(nodes[place], shapes):
                    kept.append(place)
                elif (state := self._noted_state_of(nodes[place])) is not None:
                    front.refused.add(state)
            return FirstFit(None, None, errors)
        finally:
            front.open.extendleft(reversed(kept))

    def _refused(self, node: Node, shapes: tuple[bytes, ...]) -> bool:
        known = self._on.get(self._view(node))
        return known is not None and shapes in known.refused

    def _state_of(self, node: Node) -> NodeState | None:
        """The state that was noted last. What was refused in it stays so, whatever was taken since."""
        try:
            known = self._on.get(self._view(node))
        except Stop:
            return None
        return known.state if known is not None else None

    def _noted_state_of(self, node: Node) -> NodeState | None:
        known = self._on[self._view(node)]
        known.state = known.states.now()
        return known.state

    def _allocate(self, here: NodeView, claims: Sequence[ResourceClaim], *, explain: bool) -> Decision:
        known = self._known(here)
        if known.seen < len(self._log):
            known.occupancy.hold(self._log.since(known.seen, known.pools))
            known.seen = len(self._log)
        trace, planner = None, known.planner
        if known.refused and not explain and tuple(map(self._shape, claims)) in known.refused:
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
            known.refused.add(tuple(map(self._shape, claims)))
        if self._behaviour.refusals_leak:
            del self._on[here]
        return decision

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
    the specs of claims that will not fit any more, `state` is that which was noted last."""

    __slots__ = ("occupancy", "planner", "pools", "refused", "seen", "state", "states")

    def __init__(self, here: NodeView, behaviour: Behaviour, share_ids: set[str]) -> None:
        self.occupancy = Occupancy(here.devices, behaviour, share_ids)
        self.pools = tuple({(pool.driver, pool.name): None for pool in here.devices.pools})
        self.planner: Planner = here.planner(self.occupancy, None)
        self.seen = 0
        self.refused: set[tuple[bytes, ...]] = set()
        self.states = NodeStates(here.devices, self.occupancy)
        self.state: NodeState | None = None
