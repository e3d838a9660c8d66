"""The devices of one node, with selectors and capacity needs that are computed only once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from dra_conform.allocator.allocation_decision import (
    Allocated,
    Decision,
    Failed,
    FailureReason,
    Stop,
    Trace,
    Unallocatable,
)
from dra_conform.allocator.allocation_result import ShareIDs, allocation_of
from dra_conform.allocator.capacity_needs import LARGE, CapacityNeeds, InternedCapacities
from dra_conform.allocator.claim_plan import ClaimPlan, Planner
from dra_conform.allocator.eligibility import Chain, DeviceViews, Selectors, chain_of
from dra_conform.allocator.interchangeable import applies
from dra_conform.allocator.inventory import Inventory
from dra_conform.allocator.node_devices import NodeDevices, PoolState
from dra_conform.allocator.occupancy import Occupancy
from dra_conform.allocator.search import GAVE_UP, MOST_STEPS, Search, TooManySteps
from dra_conform.kube.category import Category
from dra_conform.kube.column_use import ColumnUse
from dra_conform.kube.quantity import Format, Quantity
from dra_conform.kube.resource import DeviceClass, DeviceSelector, ResourceClaim
from dra_conform.kube.switches.allocation import AllocationSwitches
from dra_conform.kube.switches.values import AllModeCapacity

_SKIPPED = {
    Category.FEATURE_DISABLED: "skipped: it has binding conditions, but the feature is disabled",
    Category.NODE_MISMATCH: "skipped: the node cannot access the device",
    Category.CAPACITY_NOT_DECLARED: "skipped: it lacks a requested capacity",
    Category.CAPACITY_POLICY_VIOLATION: "skipped: its request policy does not allow the requested quantity",
    Category.INSUFFICIENT_CAPACITY: "skipped: it has less capacity than requested",
}
"""Messages for devices that allocationMode All skips, by category."""


MOST_EXPLAINED = 50_000
"""The maximum number of search steps that are explained, which takes about a second."""

MOST_SLICES_NAMED = 100
"""The number of slices in the cluster above which an explanation only counts the slices for other nodes."""

INVALID_POOLS = "invalid resource pools were encountered"
"""The message of kube-scheduler if claims cannot be allocated and a pool is invalid."""


class NodeView:
    """The devices of one node. Selectors and capacity needs are computed once and reused by all claims."""

    def __init__(
        self,
        inventory: Inventory,
        devices: NodeDevices,
        classes: Mapping[str, DeviceClass],
        switches: AllocationSwitches,
        share_ids: ShareIDs,
        *,
        exhaustive: bool,
        columns: ColumnUse,
    ) -> None:
        self._inventory = inventory
        self.devices = devices
        self._switches = switches
        self._classes = classes
        self._share_ids = share_ids
        self._exhaustive = exhaustive
        self._columns = columns
        self._views = DeviceViews(devices, switches.selectors, columns)
        self._selectors: dict[Chain, Selectors] = {}
        self._needs: dict[tuple[tuple[str, int, Format], ...], CapacityNeeds] = {}
        self._interned: InternedCapacities | None = None
        self._has_invalid_pool = any(pool.state is PoolState.INVALID for pool in devices.pools)

    def decide(
        self, claims: Sequence[ResourceClaim], occupancy: Occupancy, planner: Planner, trace: Trace | None
    ) -> tuple[Decision, bool]:
        """Allocate the claims. Return the decision, and whether it can be reused.

        An allocation can be reused if `occupancy` has the new devices already. A failure can be reused if
        claims with the same specs also fail after any further allocation.

        With `trace` the search tries every device, within a limit of steps. Beyond the limit it starts again
        without `trace`, and the explanation has the reasons found so far.
        """
        if trace is not None:
            try:
                return self._decide(claims, occupancy, planner, trace, MOST_EXPLAINED)
            except TooManySteps:
                decision, reusable = self.decide(claims, occupancy, planner, None)
                reasons = trace.reasons()
                if isinstance(decision, Unallocatable):
                    return replace(decision, reasons=reasons, trace=reasons), reusable
                return replace(decision, trace=reasons), reusable
        try:
            return self._decide(claims, occupancy, planner, None, MOST_STEPS)
        except TooManySteps:
            return Failed(Category.OTHER, GAVE_UP, steps=MOST_STEPS), False

    def _decide(
        self,
        claims: Sequence[ResourceClaim],
        occupancy: Occupancy,
        planner: Planner,
        trace: Trace | None,
        most_steps: int,
    ) -> tuple[Decision, bool]:
        """Search like `decide`, but without side effects; raise TooManySteps at a limit."""
        steps = 0
        search: Search | None = None
        plans: list[ClaimPlan] = []
        try:
            plans = [planner.plan(claim) for claim in claims]
            search = Search(
                self.devices,
                occupancy,
                plans,
                self._switches,
                trace,
                exhaustive=self._exhaustive,
                most_steps=most_steps,
            )
            fits = search.solve()
            steps = search.steps
            if fits:
                allocations = tuple(
                    allocation_of(
                        plan,
                        chosen,
                        self.devices,
                        switches=self._switches,
                        share_ids=self._share_ids,
                        used=occupancy.share_ids,
                    )
                    for plan, chosen in zip(plans, search.choices.chosen, strict=True)
                )
                reusable = search.choices.settle()
                return Allocated(allocations, trace.reasons() if trace is not None else (), steps), reusable
        except TooManySteps:
            assert search is not None
            search.choices.undo()
            raise
        except Stop as stop:
            if search is not None:
                search.choices.undo()
            reasons = trace.reasons() if trace is not None else ()
            steps = search.steps if search is not None else 0
            return Failed(stop.decision.category, stop.decision.message, reasons, steps), False
        if trace is not None:
            self._note_pools(trace)
        reasons = trace.reasons() if trace is not None else ()
        if self._has_invalid_pool:
            return Failed(Category.POOL_INVALID, INVALID_POOLS, reasons, steps), False
        return Unallocatable(reasons, reasons, steps), self._fails_for_good(plans)

    def _fails_for_good(self, plans: Sequence[ClaimPlan]) -> bool:
        """Whether the claims remain unallocatable as other claims get more devices.

        False for allocationMode All, which may skip the devices of other claims. Also false with counters,
        because more allocated devices can change the common compatibility groups.
        """
        slots = (slot for plan in plans for request in plan.requests for slot in request.slots)
        if self.devices.draw or any(slot.every is not None for slot in slots):
            return False
        return applies(plans, self._switches)

    def planner(self, occupancy: Occupancy, trace: Trace | None) -> Planner:
        """Return the planner that prepares claims for a search with this occupancy."""

        def all_of(
            claim: str, request: str, subrequest: str, selectors: Selectors, needs: CapacityNeeds
        ) -> tuple[int, ...]:
            self._check_pools(claim, subrequest or request)
            name = f"{request}/{subrequest}" if subrequest else request
            indices = []
            for index in range(len(self.devices.keys)):
                category = self._why_skipped(claim, index, selectors, needs, occupancy)
                if category is None:
                    indices.append(index)
                elif trace is not None:
                    message = _SKIPPED.get(category) or selectors.why_not_matched(index)
                    trace.add(FailureReason(category, message, claim, name, self.devices.label(index)))
            return tuple(indices)

        return Planner(self._switches, self._classes, self._selectors_of, self._needs_of, all_of)

    def _selectors_of(self, device_class: DeviceClass, selectors: tuple[DeviceSelector, ...]) -> Selectors:
        chain = chain_of(device_class, selectors)
        chain_selectors = self._selectors.get(chain)
        if chain_selectors is None:
            chain_selectors = self._selectors[chain] = Selectors(chain, self._views)
        return chain_selectors

    def _needs_of(self, requested: Mapping[str, Quantity]) -> CapacityNeeds:
        if not self._switches.features.consumable_capacity:
            requested = {}
        key = tuple((name, amount.nano, amount.format) for name, amount in requested.items())
        needs = self._needs.get(key)
        if needs is None:
            if self._interned is None and self._columns.applies(len(self.devices.keys), LARGE):
                arithmetic = self._switches.capacity.arithmetic
                self._interned = InternedCapacities(self.devices, arithmetic, self._columns)
            needs = self._needs[key] = CapacityNeeds(requested, self.devices, self._switches, self._interned)
        return needs

    def _check_pools(self, claim: str, request: str) -> None:
        """Raise Stop unless the pools of all drivers are complete, as allocationMode All requires."""
        for pool in self.devices.pools:
            if pool.state is PoolState.COMPLETE:
                continue
            incomplete = pool.state is PoolState.INCOMPLETE
            raise Stop(
                Failed(
                    Category.POOL_INCOMPLETE if incomplete else Category.POOL_INVALID,
                    f"claim {claim}, request {request}: asks for all devices, but resource pool "
                    f"{pool.label} is currently {'being updated' if incomplete else 'invalid'}",
                )
            )

    def _why_skipped(
        self, claim: str, index: int, selectors: Selectors, needs: CapacityNeeds, occupancy: Occupancy
    ) -> Category | None:
        """Return why allocationMode All skips the device, None if it needs the device."""
        if index in self.devices.hidden:
            return Category.FEATURE_DISABLED
        if not selectors.accepts(index, claim):
            return Category.SELECTOR_NOT_MATCHED
        if not self.devices.reaches(index):
            return Category.NODE_MISMATCH
        if not self._switches.features.consumable_capacity:
            return None
        mode = self._switches.all_mode.capacity
        if mode is AllModeCapacity.VALUE:
            small = needs.too_small(index)
            return small.lack if small is not None else None
        need = needs.of(index)
        if need.lack:
            return need.lack
        fits = occupancy.consumed.fits(index, need.values, need.amounts)
        return Category.INSUFFICIENT_CAPACITY if mode is AllModeCapacity.REMAINING and not fits else None

    def _note_pools(self, trace: Trace) -> None:
        for pool in self.devices.pools:
            if pool.state is PoolState.INCOMPLETE:
                trace.add(
                    FailureReason(
                        Category.POOL_INCOMPLETE,
                        f"pool {pool.label} is incomplete: resourceSliceCount is not the number of slices",
                        device=pool.label,
                    )
                )
            elif pool.state is PoolState.INVALID:
                trace.add(
                    FailureReason(
                        Category.POOL_INVALID, f"pool {pool.label}: {pool.fault}", device=pool.label
                    )
                )
        size = self._inventory.size
        if size > MOST_SLICES_NAMED:
            on_node = len({id(item) for pool in self.devices.pools for item in pool.slices})
            message = f"{size - on_node:,} of {size:,} ResourceSlices are not for the node"
            trace.add(FailureReason(Category.NODE_MISMATCH, message))
            return
        for item in self._inventory.elsewhere(self.devices.node):
            message = f"ResourceSlice {item.metadata.name} is not for node {self.devices.node.metadata.name}"
            label = f"{item.spec.driver}/{item.spec.pool.name}"
            trace.add(FailureReason(Category.NODE_MISMATCH, message, device=label, slice=item.metadata.name))
