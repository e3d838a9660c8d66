"""The devices chosen so far in a search, and how one more is chosen or taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dra_conform.allocator import explain
from dra_conform.allocator.behaviour import Behaviour
from dra_conform.allocator.constraints import attribute_of
from dra_conform.allocator.explain import Refusal, Trace
from dra_conform.allocator.inventory import Devices
from dra_conform.allocator.needs import Need
from dra_conform.allocator.plan import ClaimPlan, Slot
from dra_conform.allocator.state import CHOSEN, FREE, Occupancy
from dra_conform.allocator.unsupported import is_special, refuse_list_attribute, refuse_special
from dra_conform.kube.quantity import Quantity


@dataclass(slots=True, eq=False)
class Chosen:
    """One device chosen for a slot."""

    slot: Slot
    index: int
    need: Need


class Choices:
    """What a search has chosen: `chosen` by claim, `count` in all."""

    def __init__(
        self,
        devices: Devices,
        occupancy: Occupancy,
        plans: Sequence[ClaimPlan],
        behaviour: Behaviour,
        trace: Trace | None,
    ) -> None:
        self.devices = devices
        self.occupancy = occupancy
        self.plans = plans
        self.behaviour = behaviour
        self.trace = trace
        self.chosen: list[list[Chosen]] = [[] for _ in plans]
        self.count = 0

    def undo(self) -> None:
        """Take back everything that was chosen."""
        for claim, chosen in enumerate(self.chosen):
            while chosen:
                self.take_back(claim)

    def fits(self, index: int, need: Need) -> bool:
        """Whether what is left of each capacity suffices."""
        return self.occupancy.consumed.fits(index, need.values, need.amounts)

    def take(self, claim: int, slot: Slot, index: int, need: Need) -> str:
        """Choose the device for the slot; else the category of the refusal, and nothing happened."""
        device = self.devices.devices[index]
        if device.consumes_counters and not self.behaviour.partitionable_devices:
            message = "the device consumes counters, but the DRAPartitionableDevices feature is disabled"
            self.note(claim, slot, explain.FEATURE_DISABLED, message, index)
            return explain.FEATURE_DISABLED
        if is_special(device, self.behaviour):
            refuse_special(self.devices.label(index), device)
        refused = self._constrain(claim, slot, index)
        if refused:
            return refused
        if self.devices.shared[index]:
            self.occupancy.consumed.add(index, need.amounts)
        else:
            self.occupancy.in_use[index] = CHOSEN
        self.chosen[claim].append(Chosen(slot, index, need))
        self.count += 1
        return ""

    def take_back(self, claim: int) -> None:
        """Undo the latest `take` of the claim."""
        chosen = self.chosen[claim].pop()
        self.count -= 1
        if self.devices.shared[chosen.index]:
            self.occupancy.consumed.remove(chosen.index, chosen.need.amounts)
        else:
            self.occupancy.in_use[chosen.index] = FREE
        for constraint in reversed(chosen.slot.constraints):
            value = attribute_of(self.devices, chosen.index, constraint.attribute)
            if value is not None:
                constraint.remove(chosen.slot.request, value)

    def _constrain(self, claim: int, slot: Slot, index: int) -> str:
        for place, constraint in enumerate(slot.constraints):
            value = attribute_of(self.devices, index, constraint.attribute)
            if value is not None:
                refuse_list_attribute(self.devices.label(index), constraint.attribute, value)
                if constraint.add(slot.request, value):
                    continue
            for earlier in reversed(slot.constraints[:place]):
                known = attribute_of(self.devices, index, earlier.attribute)
                if known is not None:
                    earlier.remove(slot.request, known)
            if value is None:
                message = f"the device has no attribute {constraint.attribute}"
                self.note(claim, slot, explain.ATTRIBUTE_MISSING, message, index)
                return explain.ATTRIBUTE_MISSING
            message = (
                f"{type(constraint).__name__.lower()} {constraint.attribute} refuses {value[0]} {value[1]}"
            )
            self.note(claim, slot, explain.CONSTRAINT_UNSATISFIED, message, index)
            return explain.CONSTRAINT_UNSATISFIED
        return ""

    # Explanation: all of it is skipped when there is no trace.

    def note(self, claim: int, slot: Slot, category: str, message: str, index: int | None = None) -> None:
        """Record a refusal of a device, or of the slot as a whole."""
        if self.trace is None:
            return
        label = "" if index is None else self.devices.label(index)
        self.trace.add(Refusal(category, message, self.plans[claim].label, slot.name, label))

    def note_full(self, claim: int, slot: Slot, index: int, need: Need) -> None:
        if self.trace is None:
            return
        used = self.occupancy.consumed.used(index)
        parts = [
            f"{name}: needed {Quantity(amount)}, left {Quantity(need.values[name] - used.get(name, 0))} "
            f"of {Quantity(need.values[name])}"
            for name, amount in need.amounts.items()
            if used.get(name, 0) + amount > need.values[name]
        ]
        self.note(claim, slot, explain.INSUFFICIENT_CAPACITY, "; ".join(parts), index)

    def note_in_use(self, claim: int, slot: Slot, index: int) -> None:
        if self.trace is None:
            return
        if self.occupancy.in_use[index] == CHOSEN:
            message = "chosen for another request"
        elif self.occupancy.consumed.shares(index):
            message = "shares from when it allowed multiple allocations remain"
        else:
            message = "allocated to another claim"
        self.note(claim, slot, explain.DEVICE_IN_USE, message, index)
