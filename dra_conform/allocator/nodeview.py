"""What is known of one node: its devices, and what is computed about them once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dra_conform.allocator.behaviour import Behaviour
from dra_conform.allocator.decision import Allocated, Decision, Failed, Stop, Unallocatable
from dra_conform.allocator.eligibility import Chain, Selectors, Views, chain_of
from dra_conform.allocator.explain import (
    CAPACITY_NOT_DECLARED,
    CAPACITY_POLICY_VIOLATION,
    FEATURE_DISABLED,
    INSUFFICIENT_CAPACITY,
    NODE_MISMATCH,
    POOL_INCOMPLETE,
    POOL_INVALID,
    SELECTOR_NOT_MATCHED,
    Refusal,
    Trace,
)
from dra_conform.allocator.inventory import Devices, Inventory, PoolState
from dra_conform.allocator.needs import LARGE, Interned, Needs
from dra_conform.allocator.plan import Planner
from dra_conform.allocator.result import ShareIDs, allocation_of
from dra_conform.allocator.search import Search
from dra_conform.allocator.state import Occupancy
from dra_conform.kube.quantity import Format, Quantity
from dra_conform.kube.readings import AllCapacity
from dra_conform.kube.resource import DeviceClass, DeviceSelector, ResourceClaim

_LEFT_OUT = {
    FEATURE_DISABLED: "left out: binding conditions are disabled",
    NODE_MISMATCH: "left out: the device is not on the node",
    CAPACITY_NOT_DECLARED: "left out: it lacks a requested capacity",
    CAPACITY_POLICY_VIOLATION: "left out: its request policy refuses the amount",
    INSUFFICIENT_CAPACITY: "left out: it has less capacity than requested",
}
"""What mode All says of the devices it does without, by category."""


class NodeView:
    """The devices of one node with all that is computed about them once."""

    def __init__(
        self,
        inventory: Inventory,
        devices: Devices,
        classes: Mapping[str, DeviceClass],
        behaviour: Behaviour,
        share_ids: ShareIDs,
    ) -> None:
        self._inventory = inventory
        self.devices = devices
        self._behaviour = behaviour
        self._classes = classes
        self._share_ids = share_ids
        self._views = Views(devices, behaviour.selectors)
        self._selectors: dict[Chain, Selectors] = {}
        self._needs: dict[tuple[tuple[str, int, Format], ...], Needs] = {}
        self._interned: Interned | None = None
        self._has_invalid_pool = any(pool.state is PoolState.INVALID for pool in devices.pools)

    def decide(
        self, claims: Sequence[ResourceClaim], occupancy: Occupancy, planner: Planner, trace: Trace | None
    ) -> tuple[Decision, bool]:
        """Allocate the claims, and whether `occupancy` holds what they got, as it would hold it later."""
        steps = 0
        search: Search | None = None
        try:
            plans = [planner.plan(claim) for claim in claims]
            search = Search(self.devices, occupancy, plans, self._behaviour, trace)
            fits = search.solve()
            steps = search.steps
            if fits:
                allocations = tuple(
                    allocation_of(
                        plan,
                        chosen,
                        self.devices,
                        behaviour=self._behaviour,
                        share_ids=self._share_ids,
                        used=occupancy.share_ids,
                    )
                    for plan, chosen in zip(plans, search.choices.chosen, strict=True)
                )
                lasting = search.choices.settle()
                return Allocated(allocations, trace.refusals() if trace is not None else (), steps), lasting
        except Stop as stop:
            if search is not None:
                search.choices.undo()
            refusals = trace.refusals() if trace is not None else ()
            steps = search.steps if search is not None else 0
            return Failed(stop.decision.category, stop.decision.message, refusals, steps), False
        if trace is not None:
            self._note_pools(trace)
        refusals = trace.refusals() if trace is not None else ()
        if self._has_invalid_pool:
            return Failed(POOL_INVALID, "invalid resource pools were encountered", refusals, steps), False
        return Unallocatable(refusals, refusals, steps), False

    def planner(self, occupancy: Occupancy, trace: Trace | None) -> Planner:
        """What makes claims ready for a search over this occupancy."""

        def all_of(
            claim: str, request: str, alternative: str, selectors: Selectors, needs: Needs
        ) -> tuple[int, ...]:
            self._check_pools(claim, alternative or request)
            name = f"{request}/{alternative}" if alternative else request
            found = []
            for index in range(len(self.devices.keys)):
                refused = self._left_out(claim, index, selectors, needs, occupancy)
                if not refused:
                    found.append(index)
                elif trace is not None:
                    message = _LEFT_OUT.get(refused) or selectors.refusing(index)
                    trace.add(Refusal(refused, message, claim, name, self.devices.label(index)))
            return tuple(found)

        return Planner(self._behaviour, self._classes, self._selectors_of, self._needs_of, all_of)

    def _selectors_of(self, device_class: DeviceClass, selectors: tuple[DeviceSelector, ...]) -> Selectors:
        chain = chain_of(device_class, selectors)
        found = self._selectors.get(chain)
        if found is None:
            found = self._selectors[chain] = Selectors(chain, self._views)
        return found

    def _needs_of(self, asked: Mapping[str, Quantity]) -> Needs:
        if not self._behaviour.features.consumable_capacity:
            asked = {}
        key = tuple((name, amount.nano, amount.format) for name, amount in asked.items())
        found = self._needs.get(key)
        if found is None:
            if len(self.devices.keys) >= LARGE and self._interned is None:
                self._interned = Interned(self.devices, self._behaviour.capacity.arithmetic)
            found = self._needs[key] = Needs(asked, self.devices, self._behaviour, self._interned)
        return found

    def _check_pools(self, claim: str, request: str) -> None:
        """Mode All needs every visible pool, of whatever driver, in order."""
        for pool in self.devices.pools:
            if pool.state is PoolState.COMPLETE:
                continue
            incomplete = pool.state is PoolState.INCOMPLETE
            raise Stop(
                Failed(
                    POOL_INCOMPLETE if incomplete else POOL_INVALID,
                    f"claim {claim}, request {request}: asks for all devices, but resource pool "
                    f"{pool.label} is currently {'being updated' if incomplete else 'invalid'}",
                )
            )

    def _left_out(
        self, claim: str, index: int, selectors: Selectors, needs: Needs, occupancy: Occupancy
    ) -> str:
        """Why mode All does without the device, empty if it must have it."""
        if index in self.devices.hidden:
            return FEATURE_DISABLED
        if not selectors.accepts(index, claim):
            return SELECTOR_NOT_MATCHED
        if not self.devices.reaches(index):
            return NODE_MISMATCH
        if not self._behaviour.features.consumable_capacity:
            return ""
        mode = self._behaviour.all_mode.capacity
        if mode is AllCapacity.VALUE:
            small = needs.too_small(index)
            return small.lack if small is not None else ""
        need = needs.of(index)
        if need.lack:
            return need.lack
        fits = occupancy.consumed.fits(index, need.values, need.amounts)
        return INSUFFICIENT_CAPACITY if mode is AllCapacity.REMAINING and not fits else ""

    def _note_pools(self, trace: Trace) -> None:
        for pool in self.devices.pools:
            if pool.state is PoolState.INCOMPLETE:
                trace.add(Refusal(POOL_INCOMPLETE, f"pool {pool.label} lacks slices", device=pool.label))
            elif pool.state is PoolState.INVALID:
                trace.add(Refusal(POOL_INVALID, f"pool {pool.label}: {pool.fault}", device=pool.label))
        for item in self._inventory.elsewhere(self.devices.node):
            message = f"slice {item.metadata.name} is not for node {self.devices.node.metadata.name}"
            label = f"{item.spec.driver}/{item.spec.pool.name}"
            trace.add(Refusal(NODE_MISMATCH, message, request=f"slice {item.metadata.name}", device=label))
