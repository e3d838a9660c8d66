"""Interchangeable devices: if an attempt fails with one of them, it fails with all.

Exchanging two such devices in a solution gives another solution. The search takes the devices of a request in
total order, so it only needs to try the first free devices of a set of interchangeable devices.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence

from dra_conform.allocator.allocation_decision import Stop
from dra_conform.allocator.claim_plan import ClaimPlan, Slot
from dra_conform.allocator.constraints import DistinctAttribute
from dra_conform.allocator.device_choices import ChosenDevice, DeviceChoices
from dra_conform.allocator.distinct_values import DistinctValues
from dra_conform.allocator.eligibility import NO
from dra_conform.kube.switches.allocation import AllocationSwitches

Kind = Hashable
"""A key that is equal for interchangeable devices."""

_Rest = tuple[int, int, int]
"""The current indices of claim, request and slot in the search. No device is chosen for later slots yet."""


class Interchangeable:
    """Groups interchangeable devices by a key, and tells whether enough candidates are left for a slot.

    The key, called kind, has everything that the undecided slots depend on: the outcome of selectors and
    capacity requests, values under constraints, counters, groups, taints, and the current use of the device.
    """

    def __init__(self, choices: DeviceChoices) -> None:
        self._choices = choices
        self._distinct = DistinctValues(choices)
        self._slots: dict[_Rest, tuple[Slot, ...]] = {}
        self._published: dict[tuple[_Rest, int], Kind] = {}
        self._owners: dict[str, Counter[tuple[str, Hashable]]] = {}
        """The number of devices with each value of an attribute."""

    def kind(self, rest: _Rest, index: int) -> Kind:
        """Return the kind of a device, including its current use, for the slots from `rest` on."""
        key = (rest, index)
        published = self._published.get(key)
        if published is None:
            published = self._published[key] = self._as_published(rest, index)
        return published, self._as_taken(index)

    def enough(self, rest: _Rest, candidates: Sequence[int], needed: int) -> bool:
        """Whether `needed` candidates can be chosen together for the first slot of `rest`.

        Under distinctAttribute, enough distinct values must also be left for the later requests of the claim.

        If not, each candidate is still evaluated: an error raises Stop, as in the exhaustive search.
        """
        slot = self._rest(rest)[0]
        later = self._choices.plans[rest[0]].requests[rest[1] + 1 :]
        enough = self._could_be_enough(rest, slot, candidates, needed)
        if enough and self._distinct.suffice(slot, needed, later):
            return True
        for index in candidates:
            if not self._choices.blocks(rest[0], slot, index):
                self._seen(slot, rest[0], index)
        return False

    def _could_be_enough(self, rest: _Rest, slot: Slot, candidates: Sequence[int], needed: int) -> bool:
        free = [
            index
            for index in candidates
            if slot.selectors.verdicts[index] != NO and not self._choices.blocks(rest[0], slot, index)
        ]
        if len(free) < needed:
            return False
        for constraint in slot.constraints:
            values = (self._choices.value(index, constraint.attribute) for index in free)
            if constraint.at_most([value for value in values if value is not None]) < needed:
                return False
        return True

    def _as_published(self, rest: _Rest, index: int) -> Kind:
        devices = self._choices.devices
        device = devices.devices[index]
        slots = self._rest(rest)
        try:
            seen = tuple(self._seen(slot, rest[0], index) for slot in slots)
        except Stop:  # the search ends with an error at this device, so it is like no other device
            return index
        draws: Kind = None
        if device.consumes_counters:
            amounts = tuple(
                (
                    consumption.counter_set,
                    frozenset((name, counter.value.nano) for name, counter in consumption.counters.items()),
                    frozenset(consumption.compatibility_groups),
                )
                for consumption in device.consumes_counters
            )
            draws = (devices.keys[index][:2], devices.slices[index].metadata.name, amounts)
        constraints = {
            (constraint.attribute, constraint.word) for slot in slots for constraint in slot.constraints
        }
        values = tuple(self._value(index, attribute, word) for attribute, word in sorted(constraints))
        skips = devices.slices[index].spec.skip_node_operations
        taints = tuple((taint.key, taint.value, taint.effect) for taint in device.taints)
        return seen, draws, values, devices.shared[index], index in devices.hidden, skips, taints

    def _value(self, index: int, attribute: str, word: str) -> Kind:
        """Return the attribute value of a device that a constraint compares.

        Under distinctAttribute, all values that only one device has are equivalent.
        """
        value = self._choices.value(index, attribute)
        if word != DistinctAttribute.word or value is None:
            return value
        owners = self._owners.get(attribute)
        if owners is None:
            places = range(len(self._choices.devices.keys))
            known = (self._choices.value(place, attribute) for place in places)
            owners = self._owners[attribute] = Counter(
                (kind, member) for kind, members, _ in filter(None, known) for member in members
            )
        kind, members, is_list = value
        alone = len(members) == 1 and all(owners[kind, member] == 1 for member in members)
        return ("alone", is_list) if alone else value

    def _seen(self, slot: Slot, claim: int, index: int) -> Kind:
        """Return the properties of a device that one slot depends on, None if the slot cannot use the device.

        Raise Stop if a selector or a capacity request fails with an error.
        """
        if slot.every is not None:
            wanted = index in slot.every
        else:
            label = self._choices.plans[claim].label
            wanted = slot.selectors.accepts(index, label) and self._choices.devices.reaches(index)
        if not wanted:
            return None
        need = slot.needs.of(index)
        return need.lack, frozenset(need.amounts.items()), frozenset(need.values.items())

    def _as_taken(self, index: int) -> Kind:
        choices = self._choices
        occupancy = choices.occupancy
        return (
            occupancy.in_use[index],
            frozenset(occupancy.consumed.used(index).items()),
            occupancy.consumed.shares(index),
            index in occupancy.marked,
            choices.shares(index),
            tuple(claim for claim, chosen in enumerate(choices.chosen) if _has(chosen, index)),
        )

    def _rest(self, rest: _Rest) -> tuple[Slot, ...]:
        slots = self._slots.get(rest)
        if slots is None:
            slots = self._slots[rest] = tuple(_slots_from(self._choices.plans, rest))
        return slots


def applies(plans: Sequence[ClaimPlan], switches: AllocationSwitches) -> bool:
    """Whether devices with equal properties are interchangeable for these claims.

    This requires a release that restores all state on backtracking, and no error that depends on the order of
    devices.
    """
    if switches.failed_attempts_leak or switches.capacity.checks_another_device:
        return False
    if not switches.capacity.one_share_a_request:
        return False
    slots = [slot for plan in plans for request in plan.requests for slot in request.slots]
    if switches.all_mode.constraint_is_error and any(slot.every and slot.constraints for slot in slots):
        return False
    return not any(constraint.forgets for slot in slots for constraint in slot.constraints)


def _slots_from(plans: Sequence[ClaimPlan], rest: _Rest) -> Iterator[Slot]:
    """Yield the current slot, then those of all later requests."""
    claim, request, place = rest
    requests = plans[claim].requests
    yield requests[request].slots[place]
    for later in (
        *requests[request + 1 :],
        *(request for plan in plans[claim + 1 :] for request in plan.requests),
    ):
        yield from later.slots


def _has(chosen: Sequence[ChosenDevice], index: int) -> bool:
    return any(device.index == index for device in chosen)
