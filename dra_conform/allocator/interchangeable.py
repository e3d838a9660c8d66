"""Interchangeable devices: what fails with one of them fails with all.

A full solution that has one of two such devices stays one when they change places. The search takes the
devices of a request in total order, so of alike devices the first that are free are enough.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence

from dra_conform.allocator.allocation_decision import Stop
from dra_conform.allocator.behaviour import Behaviour
from dra_conform.allocator.claim_plan import ClaimPlan, Slot
from dra_conform.allocator.constraints import DistinctAttribute
from dra_conform.allocator.device_choices import ChosenDevice, DeviceChoices
from dra_conform.allocator.distinct_values import DistinctValues
from dra_conform.allocator.eligibility import NO

Kind = Hashable
"""Equal kinds: alike devices."""

_Rest = tuple[int, int, int]
"""The claim, its request, and the slot of that: what is still to be decided begins here."""


class Interchangeable:
    """Tells the kinds of devices, and whether enough of them are left; computed when it is asked.

    A kind has all that the slots yet to be served look at: what selectors and capacity requests say of the
    device, its values under constraints, counters, groups and taints, and how far it is taken.
    """

    def __init__(self, choices: DeviceChoices) -> None:
        self._choices = choices
        self._distinct = DistinctValues(choices)
        self._slots: dict[_Rest, tuple[Slot, ...]] = {}
        self._published: dict[tuple[_Rest, int], Kind] = {}
        self._owners: dict[str, Counter[tuple[str, Hashable]]] = {}
        """How many devices have each value of an attribute."""

    def kind(self, rest: _Rest, index: int) -> Kind:
        """What a device is to the slots from `rest` on, as far as it is taken now."""
        key = (rest, index)
        published = self._published.get(key)
        if published is None:
            published = self._published[key] = self._as_published(rest, index)
        return published, self._as_taken(index)

    def enough(self, rest: _Rest, candidates: Sequence[int], needed: int) -> bool:
        """Whether so many of the candidates could be taken together for the first slot of `rest`.

        Where values must differ, also whether enough of them are left for the later requests of the claim.

        Where they could not, they are looked at all the same: raises Stop where one of them is an error.
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
        except Stop:  # whoever reaches it ends there
            return index
        draws: Kind = None
        if device.consumes_counters:
            amounts = tuple(
                (
                    one.counter_set,
                    frozenset((name, counter.value.nano) for name, counter in one.counters.items()),
                    frozenset(one.compatibility_groups),
                )
                for one in device.consumes_counters
            )
            draws = (devices.keys[index][:2], devices.slices[index].metadata.name, amounts)
        constraints = {(one.attribute, one.word) for slot in slots for one in slot.constraints}
        values = tuple(self._value(index, attribute, word) for attribute, word in sorted(constraints))
        skips = devices.slices[index].spec.skip_node_operations
        taints = tuple((taint.key, taint.value, taint.effect) for taint in device.taints)
        return seen, draws, values, devices.shared[index], index in devices.hidden, skips, taints

    def _value(self, index: int, attribute: str, word: str) -> Kind:
        """A device's value under a constraint.

        Where values must differ, one that nobody else has is as good as another.
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
        alone = len(members) == 1 and all(owners[kind, one] == 1 for one in members)
        return ("alone", is_list) if alone else value

    def _seen(self, slot: Slot, claim: int, index: int) -> Kind:
        """What one slot sees of a device; raises Stop where looking at it is an error."""
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
        found = self._slots.get(rest)
        if found is None:
            found = self._slots[rest] = tuple(_slots_from(self._choices.plans, rest))
        return found


def applies(plans: Sequence[ClaimPlan], behaviour: Behaviour) -> bool:
    """Whether going back leaves everything as it was, and the order of devices decides about no error.

    Some releases are not like that.
    """
    capacity = behaviour.capacity
    if behaviour.refusals_leak or capacity.checks_another_device or not capacity.one_share_a_request:
        return False
    slots = [slot for plan in plans for request in plan.requests for slot in request.slots]
    if behaviour.all_mode.constraint_is_error and any(slot.every and slot.constraints for slot in slots):
        return False
    return not any(constraint.forgets for slot in slots for constraint in slot.constraints)


def _slots_from(plans: Sequence[ClaimPlan], rest: _Rest) -> Iterator[Slot]:
    """The slot that is being served, then those of all later requests."""
    claim, request, place = rest
    requests = plans[claim].requests
    yield requests[request].slots[place]
    for later in (*requests[request + 1 :], *(one for plan in plans[claim + 1 :] for one in plan.requests)):
        yield from later.slots


def _has(chosen: Sequence[ChosenDevice], index: int) -> bool:
    return any(one.index == index for one in chosen)
