"""The devices chosen so far in a search, and how devices are chosen and backtracked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dra_conform.allocator.allocation_decision import Failed, FailureReason, Stop, Trace, chosen_for
from dra_conform.allocator.capacity_needs import CapacityNeed
from dra_conform.allocator.claim_plan import ClaimPlan, Slot
from dra_conform.allocator.constraints import Attribute, attribute_of, describe
from dra_conform.allocator.device_taints import untolerated
from dra_conform.allocator.node_devices import NodeDevices
from dra_conform.allocator.occupancy import (
    CHOSEN,
    NOTHING_DRAWN,
    DrawFailure,
    Drawn,
    Occupancy,
    draw,
    undo_draw,
)
from dra_conform.footprint import without_policy
from dra_conform.kube.category import Category
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.switches.allocation import AllocationSwitches


@dataclass(slots=True, eq=False)
class ChosenDevice:
    """A device that the search has chosen for a slot.

    `drawn` has the counters and groups that it consumed, `before` its state in `Occupancy.in_use` until then.
    `uses` is false for adminAccess that consumes nothing.
    """

    slot: Slot
    index: int
    need: CapacityNeed
    drawn: Drawn
    before: int
    uses: bool


class DeviceChoices:
    """The devices that a search has chosen: `chosen` by claim, `count` in total."""

    def __init__(
        self,
        devices: NodeDevices,
        occupancy: Occupancy,
        plans: Sequence[ClaimPlan],
        switches: AllocationSwitches,
        trace: Trace | None,
    ) -> None:
        self.devices = devices
        self.occupancy = occupancy
        self.plans = plans
        self.switches = switches
        self.capacity_switches = switches.capacity
        self._taints = switches.features.device_taints
        self.trace = trace
        self.chosen: list[list[ChosenDevice]] = [[] for _ in plans]
        self.count = 0
        self._sharing: dict[int, int] = {}
        self._stuck: set[tuple[int, int]] = set()
        self._values: dict[tuple[int, str], Attribute | None] = {}
        self.with_admin = False
        for plan in plans:
            for request in plan.requests:
                self.with_admin |= request.admin

    def shares(self, index: int) -> int:
        """Return how many shared allocations of a device with counters or taints were chosen."""
        return self._sharing.get(index, 0)

    def settle(self) -> bool:
        """Finish an allocation: mark the chosen devices as allocated, or release them.

        Return whether they are kept. They are released if the occupancy would differ from that of the
        allocated claims; the session then records the allocation results instead.
        """
        if not self._sharing and not self.with_admin and not self.switches.failed_attempts_leak:
            return True
        shared = [index for index, shares in self._sharing.items() if shares]
        unmarked = self.switches.counters.consumed_capacity_marks_sharing and any(
            not self.devices.devices[index].capacity for index in shared
        )
        if unmarked or self.with_admin or self.switches.failed_attempts_leak:
            self.undo()
            return False
        self.occupancy.marked.update(shared)
        return True

    def undo(self) -> None:
        """Release all chosen devices."""
        for claim in reversed(range(len(self.chosen))):
            while self.chosen[claim]:
                self.backtrack(claim)

    def fits(self, slot: Slot, index: int, need: CapacityNeed) -> bool:
        """Whether the remaining capacity of the device is large enough; in some releases adminAccess consumes
        none."""
        if slot.admin and self.switches.admin_consumes_nothing:
            return True
        return self.occupancy.consumed.fits(index, need.values, need.amounts)

    def blocks(self, claim: int, slot: Slot, index: int) -> bool:
        """Whether the device is in use for this slot.

        adminAccess can get devices of other claims. A claim gets an exclusive device only once.
        """
        if not slot.admin:
            if self.occupancy.in_use[index]:
                return True
            if not self.with_admin or not self.switches.admin_consumes_nothing:
                return False
        if self.devices.shared[index]:
            return False
        return (claim, index) in self._stuck or any(device.index == index for device in self.chosen[claim])

    def take(self, claim: int, slot: Slot, index: int, need: CapacityNeed, number: int) -> Category | None:
        """Choose the device for the slot, or return the category of the failure.

        A failure changes nothing, unless the switch `refusals_leak` is on. `number` is how many devices the
        slot has already.
        """
        if self.switches.node_operations_known and self.devices.slices[index].spec.skip_node_operations:
            message = "the device needs optional node operations, but that feature is disabled"
            self.note(claim, slot, Category.FEATURE_DISABLED, message, index)
            return Category.FEATURE_DISABLED
        if self.switches.policies_needed:
            resource = without_policy(self.devices.devices[index], slot.device_class)
            if resource:
                self.note(claim, slot, Category.FIELD_INVALID, f"no accounting policy for {resource}", index)
                return Category.FIELD_INVALID
        uses = not (slot.admin and self.switches.admin_consumes_nothing)
        drawn, category = NOTHING_DRAWN, None
        if self.devices.special[index]:
            shares = self._sharing.get(index, 0)
            outcome = draw(index, self.devices, self.occupancy, self.switches, uses=uses, shares=shares)
            if isinstance(outcome, DrawFailure):
                self.note(claim, slot, outcome.category, outcome.message, index)
                return outcome.category
            drawn = outcome
            if self._taints:
                category = self._tainted(claim, slot, index)
        category = category or self._constrain(claim, slot, index)
        if category:
            if not self.switches.failed_attempts_leak:
                undo_draw(index, self.occupancy, drawn)
            return category
        before = self.occupancy.in_use[index]
        if self.capacity_switches.checks_another_device and not self._passes_for_another(slot, index, number):
            if not self.devices.shared[index]:
                self.occupancy.in_use[index] = CHOSEN
                self._stuck.add((claim, index))
            return Category.INSUFFICIENT_CAPACITY
        if not uses:
            pass
        elif self.devices.shared[index]:
            self.occupancy.consumed.add(index, need.amounts)
            if self.devices.special[index]:
                self._sharing[index] = self._sharing.get(index, 0) + 1
        else:
            self.occupancy.in_use[index] = CHOSEN
        self.chosen[claim].append(ChosenDevice(slot, index, need, drawn, before, uses))
        self.count += 1
        return None

    def backtrack(self, claim: int) -> None:
        """Undo the latest `take` of the claim."""
        chosen = self.chosen[claim].pop()
        self.count -= 1
        index = chosen.index
        shared = self.devices.shared[index]
        if not chosen.uses:
            pass
        elif shared:
            self._release_share(index, chosen.need, marked=self.switches.failed_attempts_leak)
        else:
            self.occupancy.in_use[index] = chosen.before
        for constraint in reversed(chosen.slot.constraints):
            value = self.value(index, constraint.attribute)
            if value is not None:
                constraint.remove(chosen.slot.request, value)
        if not (shared and self.switches.failed_attempts_leak):
            undo_draw(index, self.occupancy, chosen.drawn)

    def abandon(self, claim: int) -> None:
        """Undo the latest `take` of the claim, because the capacity of the device does not suffice."""
        if not self.switches.failed_attempts_leak:
            self.backtrack(claim)
            return
        chosen = self.chosen[claim].pop()
        self.count -= 1
        if self.devices.shared[chosen.index]:
            self._release_share(chosen.index, chosen.need)

    def _release_share(self, index: int, need: CapacityNeed, *, marked: bool = False) -> None:
        """Release a shared allocation.

        With `marked`, a shared allocation without consumed capacity still counts for its device.
        """
        self.occupancy.consumed.remove(index, need.amounts)
        if self.devices.special[index] and (need.amounts or not marked):
            self._sharing[index] -= 1

    def _passes_for_another(self, slot: Slot, index: int, number: int) -> bool:
        item = self.devices.slices[index]
        if number >= len(item.spec.devices):
            message = "this release crashes for a ResourceSlice that has fewer devices than the request"
            raise Stop(Failed(Category.OTHER, message))
        first = index
        while first > 0 and self.devices.slices[first - 1] is item:
            first -= 1
        need = slot.needs.of(first + number)
        return not need.lack and self.fits(slot, first + number, need)

    def _tainted(self, claim: int, slot: Slot, index: int) -> Category | None:
        taint = untolerated(self.devices.devices[index], slot.tolerations, self.switches.taints)
        if taint is None:
            return None
        message = f"the taint {taint.text} is not tolerated"
        self.note(claim, slot, Category.TAINT_NOT_TOLERATED, message, index)
        return Category.TAINT_NOT_TOLERATED

    def _constrain(self, claim: int, slot: Slot, index: int) -> Category | None:
        for place, constraint in enumerate(slot.constraints):
            value = self.value(index, constraint.attribute)
            self._stop_at_list(value, constraint.attribute, index)
            if value is not None and constraint.add(slot.request, value):
                continue
            for earlier in reversed(slot.constraints[:place]):
                known = self.value(index, earlier.attribute)
                if known is not None:
                    earlier.remove(slot.request, known)
            if value is None:
                message = f"the device has no attribute {constraint.attribute}"
                self.note(claim, slot, Category.ATTRIBUTE_MISSING, message, index)
                return Category.ATTRIBUTE_MISSING
            message = f"{constraint.word} {constraint.attribute} is violated by {describe(value)}"
            self.note(claim, slot, Category.CONSTRAINT_UNSATISFIED, message, index)
            return Category.CONSTRAINT_UNSATISFIED
        return None

    def _stop_at_list(self, value: Attribute | None, attribute: str, index: int) -> None:
        if value is not None and value[2] and self.switches.constraints.lists_are_errors:
            message = f"attribute {attribute} of a constraint is a list on {self.devices.label(index)}"
            raise Stop(Failed(Category.FIELD_INVALID, message))

    def value(self, index: int, attribute: str) -> Attribute | None:
        """Return a device's attribute, None if the device does not have it."""
        key = (index, attribute)
        if key not in self._values:
            builds_differ = self.switches.constraints.builds_differ
            self._values[key] = attribute_of(self.devices, index, attribute, builds_differ=builds_differ)
        return self._values[key]

    # The methods below explain failures. They do nothing without a trace.

    def note(
        self, claim: int, slot: Slot, category: Category, message: str, index: int | None = None
    ) -> None:
        """Record the reason why a device cannot be allocated to the slot, or why no device can."""
        if self.trace is None:
            return
        label = "" if index is None else self.devices.label(index)
        self.trace.add(FailureReason(category, message, self.plans[claim].label, slot.name, label))

    def note_full(self, claim: int, slot: Slot, index: int, need: CapacityNeed) -> None:
        """Record which remaining capacity of a device is too small."""
        if self.trace is None:
            return
        used = self.occupancy.consumed.used(index)
        capacities = self.devices.devices[index].capacity
        parts = []
        for name, amount in need.amounts.items():
            if used.get(name, 0) + amount <= need.values[name]:
                continue
            value = capacities[name].value
            left = Quantity(need.values[name] - used.get(name, 0), value.format)
            parts.append(f"{name}: needs {Quantity(amount, value.format)}, remaining {left} of {value}")
        self.note(claim, slot, Category.INSUFFICIENT_CAPACITY, "; ".join(parts), index)

    def note_in_use(self, claim: int, slot: Slot, index: int) -> None:
        """Record why a device is in use."""
        if self.trace is None:
            return
        for holder, chosen in enumerate(self.chosen):
            if slots := [device.slot for device in chosen if device.index == index]:
                message = chosen_for(slots[0].name, self.plans[holder].label, self.plans[claim].label)
                break
        else:
            message = "allocated to another claim"
            if self.occupancy.consumed.shares(index):
                message = "the device no longer allows multiple allocations, but still has shared allocations"
        self.note(claim, slot, Category.DEVICE_IN_USE, message, index)
