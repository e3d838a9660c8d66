"""A sequence of allocations in which each allocated device is unavailable to later claims."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

import msgspec

from dra_conform.allocator.allocation_decision import Allocated, Decision, Stop, Trace, Unallocatable
from dra_conform.allocator.claim_plan import Planner
from dra_conform.allocator.node_devices import NodeDevices, PoolKey, PoolState
from dra_conform.allocator.node_view import NodeView
from dra_conform.allocator.occupancy import Occupancy
from dra_conform.kube.core import Node
from dra_conform.kube.resource import DeviceRequestAllocationResult, ResourceClaim
from dra_conform.kube.switches.allocation import AllocationSwitches

_NodeState = tuple[bytes, bytes]
"""The devices without their names, and which of them are allocated."""


class _NodeStates:
    """The current state of one node, in a form that can be compared."""

    __slots__ = ("_devices", "_occupancy", "_what")

    def __init__(self, devices: NodeDevices, occupancy: Occupancy) -> None:
        self._devices = devices
        self._occupancy = occupancy
        self._what: bytes | None = None

    def now(self) -> _NodeState | None:
        """Return the current state, None if failures depend on more than the devices and their allocation.

        That is the case with shared allocations, counters, incomplete pools or perDeviceNodeSelection.
        """
        if self._what is None:
            self._what = _what(self._devices) if _by_themselves(self._devices) else b""
        if not self._what or self._occupancy.consumed.devices():
            return None
        return self._what, bytes(self._occupancy.in_use)


def _by_themselves(devices: NodeDevices) -> bool:
    """Whether failures depend on the devices and their allocation only."""
    return (
        not devices.draw
        and not any(devices.shared)
        and all(pool.state is PoolState.COMPLETE for pool in devices.pools)
        and not any(item.spec.per_device_node_selection for item in devices.slices)
    )


def _what(devices: NodeDevices) -> bytes:
    """Return drivers and devices in total order without device names, which selectors do not see."""
    contents = [
        (key[0], msgspec.structs.replace(device, name=""))
        for key, device in zip(devices.keys, devices.devices, strict=True)
    ]
    return msgspec.json.encode(contents, enc_hook=str)


FailureKey = tuple[_NodeState, tuple[str, ...], int]
"""The state of a node, the names of its devices, and the number of its slices."""


class AllocationSession:
    """Allocates claims in sequence and keeps track of the devices that they get.

    `view` returns the devices of a node, or raises Stop. `allocated` are claims with a `status.allocation`.
    `gone` are share IDs that must not be given to a new share.
    """

    def __init__(
        self,
        view: Callable[[Node], NodeView],
        switches: AllocationSwitches,
        allocated: Iterable[ResourceClaim],
        gone: Collection[str],
    ) -> None:
        self._view_of = view
        self._switches = switches
        self._log = _AllocationLog()
        self._share_ids = set(gone)
        self._records: dict[NodeView, _NodeRecord] = {}
        self._unallocatable: defaultdict[tuple[bytes, ...], set[_NodeState]] = defaultdict(set)
        """The node states in which later attempts cannot succeed either, by the specs of the claims."""
        self._shapes: dict[int, tuple[ResourceClaim, bytes]] = {}
        for claim in allocated:
            if claim.allocation is not None:
                self.hold(claim.allocation.devices.results)

    def hold(self, results: Iterable[DeviceRequestAllocationResult]) -> None:
        """Mark the devices of existing allocation results as allocated, also those of other schedulers."""
        for result in results:
            self._log.add(result)
            if result.share_id and not result.admin_access:
                self._share_ids.add(result.share_id)

    def allocate(self, node: Node, claims: Sequence[ResourceClaim], *, explain: bool = False) -> Decision:
        """Allocate all of the claims together on a node, or none. Later calls see the devices in use."""
        try:
            view = self._view_of(node)
        except Stop as stop:
            return stop.decision
        return self._allocate(view, claims, explain=explain)

    def may_end_with_error(self, node: Node, claims: Sequence[ResourceClaim]) -> bool:
        """Whether an allocation of the claims on a node may end with an error.

        This is possible with allocationMode All, and if a selector fails on one of the devices.
        """
        try:
            planner = self._record_of(self._view_of(node)).planner
            plans = [planner.plan(claim) for claim in claims]
        except Stop:
            return True
        slots = [slot for plan in plans for request in plan.requests for slot in request.slots]
        return any(slot.every is not None or slot.selectors.fail for slot in slots)

    def failure_key(self, node: Node) -> FailureKey | None:
        """Return a key that is equal for nodes on which equal claims fail with the same messages.

        The key is None if the failure depends on more than the devices of one pool and their allocation.
        """
        try:
            record = self._updated_record(self._view_of(node))
        except Stop:
            return None
        state = record.states.now()
        if state is None or len(record.pools) != 1:
            return None
        return state, record.names, record.slices

    def allocate_each(self, node: Node, claims: Iterable[ResourceClaim]) -> Iterator[Decision]:
        """Allocate the claims one by one, in their order, on a node."""
        try:
            view = self._view_of(node)
        except Stop as stop:
            for _ in claims:
                yield stop.decision
            return
        for claim in claims:
            yield self._allocate(view, (claim,), explain=False)

    def _allocate(self, view: NodeView, claims: Sequence[ResourceClaim], *, explain: bool) -> Decision:
        record = self._updated_record(view)
        trace, planner = None, record.planner
        if not explain and self._is_known_to_fail(record, claims):
            return Unallocatable()
        if explain:
            trace = Trace()
            planner = view.planner(record.occupancy, trace)
        decision, reusable = view.decide(claims, record.occupancy, planner, trace)
        if isinstance(decision, Allocated):
            for allocation in decision.allocations:
                self.hold(allocation.devices.results)
                if reusable:
                    record.occupancy.remember(allocation.devices.results)
            if reusable:
                record.seen = len(self._log)
        elif reusable:
            shapes = self._shapes_of(claims)
            record.unallocatable.add(shapes)
            state = record.states.now()
            if state is not None:
                self._unallocatable[shapes].add(state)
        if self._switches.failed_attempts_leak:
            del self._records[view]
        return decision

    def _is_known_to_fail(self, record: _NodeRecord, claims: Sequence[ResourceClaim]) -> bool:
        """Whether claims with these specs can never be allocated on the node.

        They failed before on this node or on a node in an equal state, and the failure is permanent.
        """
        if not self._unallocatable and not record.unallocatable:
            return False  # Usual while most claims fit; their specs need not be compared.
        shapes = self._shapes_of(claims)
        if shapes in record.unallocatable:
            return True
        if shapes not in self._unallocatable or record.states.now() not in self._unallocatable[shapes]:
            return False
        record.unallocatable.add(shapes)
        return True

    def _updated_record(self, view: NodeView) -> _NodeRecord:
        """Return the record of a node, updated with all devices allocated so far."""
        record = self._record_of(view)
        if record.seen < len(self._log):
            record.occupancy.hold(self._log.since(record.seen, record.pools))
            record.seen = len(self._log)
        return record

    def _record_of(self, view: NodeView) -> _NodeRecord:
        record = self._records.get(view)
        if record is None:
            record = self._records[view] = _NodeRecord(view, self._switches, self._share_ids)
        return record

    def _shapes_of(self, claims: Sequence[ResourceClaim]) -> tuple[bytes, ...]:
        return tuple(map(self._shape, claims))

    def _shape(self, claim: ResourceClaim) -> bytes:
        """Return the spec of a claim in a form that can be compared and hashed."""
        entry = self._shapes.get(id(claim))
        if entry is None:
            spec = msgspec.json.encode(claim.spec, enc_hook=str)
            entry = self._shapes[id(claim)] = claim, spec
        return entry[1]


class _AllocationLog:
    """Allocated devices in the order of their allocation.

    A node reads only the entries of its own pools, because an allocation only affects devices of its pool.
    """

    def __init__(self) -> None:
        self._results: list[DeviceRequestAllocationResult] = []
        self._places: dict[PoolKey, list[int]] = {}

    def __len__(self) -> int:
        return len(self._results)

    def add(self, result: DeviceRequestAllocationResult) -> None:
        self._places.setdefault((result.driver, result.pool), []).append(len(self._results))
        self._results.append(result)

    def since(self, seen: int, pools: Collection[PoolKey]) -> Iterator[DeviceRequestAllocationResult]:
        """Yield the results of these pools after the first `seen` results of the log, in order within a pool.

        Results of other pools may be included.
        """
        if len(self._results) - seen <= len(pools):
            yield from self._results[seen:]
            return
        for pool in pools:
            places = self._places.get(pool, ())
            for place in places[bisect_left(places, seen) :]:
                yield self._results[place]


class _NodeRecord:
    """The cached view and state of one node in a session.

    `occupancy` includes the first `seen` entries of the log. `unallocatable` has the specs of claims that
    cannot be allocated there any more.
    """

    __slots__ = ("names", "occupancy", "planner", "pools", "seen", "slices", "states", "unallocatable")

    def __init__(self, view: NodeView, switches: AllocationSwitches, share_ids: set[str]) -> None:
        self.occupancy = Occupancy(view.devices, switches, share_ids)
        self.pools = tuple({(pool.driver, pool.name): None for pool in view.devices.pools})
        self.names = tuple(device for _, _, device in view.devices.keys)
        self.slices = len({id(item) for item in view.devices.slices})
        self.planner: Planner = view.planner(self.occupancy, None)
        self.seen = 0
        self.unallocatable: set[tuple[bytes, ...]] = set()
        self.states = _NodeStates(view.devices, self.occupancy)
