"""Check whether enough distinct values are left for the requests of a distinctAttribute constraint.

Without this check the search tries the remaining values in every order before it fails: twelve requests and
eleven values take 11! attempts. A bipartite matching of requests and values finds the failure at once.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from dra_conform.allocator.claim_plan import RESULTS_MAX, RequestPlan, Slot
from dra_conform.allocator.constraints import ConstraintState
from dra_conform.allocator.device_choices import DeviceChoices
from dra_conform.allocator.eligibility import NO
from dra_conform.allocator.occupancy import CHOSEN

Value = tuple[str, Hashable]
"""The type and the value of an attribute; a list is represented by its first value."""


class DistinctValues:
    """The attribute values that the slots of a search can get, computed when first needed."""

    def __init__(self, choices: DeviceChoices) -> None:
        self._choices = choices
        self._values: dict[tuple[int, str], frozenset[Value]] = {}
        self._fail: dict[tuple[int, int], bool] = {}

    def suffice(self, slot: Slot, needed: int, later: Sequence[RequestPlan]) -> bool:
        """Whether `needed` devices for the slot and those of the `later` requests can have distinct values.

        Also true if the search may end with an error: a selector or a requested quantity fails on a device,
        or the claim may exceed its limit of devices.
        """
        constraints = [constraint for constraint in slot.constraints if constraint.used is not None]
        if not constraints or not later or self._may_end_with_error(slot, later):
            return True
        return all(self._suffice(constraint, slot, needed, later) for constraint in constraints)

    def _may_end_with_error(self, slot: Slot, later: Sequence[RequestPlan]) -> bool:
        most = slot.count + sum(max(slot.count for slot in request.slots) for request in later)
        if most > RESULTS_MAX:
            return True
        return any(
            self._fails(candidate)
            for candidate in (slot, *(candidate for request in later for candidate in request.slots))
        )

    def _fails(self, slot: Slot) -> bool:
        key = id(slot.selectors), id(slot.needs)  # the plans keep both as long as the search lasts
        if key not in self._fail:
            self._fail[key] = slot.selectors.fail or slot.needs.fail
        return self._fail[key]

    def _suffice(
        self, constraint: ConstraintState, slot: Slot, needed: int, later: Sequence[RequestPlan]
    ) -> bool:
        used = constraint.used or frozenset()
        wanted = [self._values_of(slot, constraint) - used] * needed
        for request in later:
            only = request.slots[0]
            if not request.is_list and constraint in only.constraints:
                wanted += [self._values_of(only, constraint) - used] * only.count
        return len(wanted) == needed or _can_all_differ(wanted)

    def _values_of(self, slot: Slot, constraint: ConstraintState) -> frozenset[Value]:
        """Return the values of the devices that the slot could get if the search had chosen nothing yet."""
        key = (id(slot), constraint.attribute)
        values = self._values.get(key)
        if values is None:
            values = self._values[key] = frozenset(self._possible(slot, constraint))
        return values

    def _possible(self, slot: Slot, constraint: ConstraintState) -> list[Value]:
        choices = self._choices
        in_use = choices.occupancy.in_use
        values = []
        for index, verdict in enumerate(slot.selectors.verdicts):
            if verdict == NO or (not slot.admin and in_use[index] not in (0, CHOSEN)):
                continue
            value = choices.value(index, constraint.attribute)
            if value is not None and value[1]:
                values.append((value[0], min(value[1], key=str)))
        return values


def _can_all_differ(wanted: Sequence[frozenset[Value]]) -> bool:
    """Whether a different value can be picked from each of these sets (a bipartite matching)."""
    if all(len(values) >= len(wanted) for values in wanted):
        return True
    assigned: dict[Value, int] = {}
    return all(_assign(place, wanted, assigned, set()) for place in range(len(wanted)))


def _assign(
    place: int, wanted: Sequence[frozenset[Value]], assigned: dict[Value, int], seen: set[Value]
) -> bool:
    """Pick a value for one set; other sets may have to pick another value (an augmenting path)."""
    for value in wanted[place]:
        if value in seen:
            continue
        seen.add(value)
        if value not in assigned or _assign(assigned[value], wanted, assigned, seen):
            assigned[value] = place
            return True
    return False
