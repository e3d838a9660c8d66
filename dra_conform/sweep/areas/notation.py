"""The area `notation`: one quantity of each row in every notation of the API."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from dra_conform.kube.profile import Profile
from dra_conform.sweep.areas.capacity_area import CapacityArea
from dra_conform.sweep.capacity_row import Capacity, CapacityRow
from dra_conform.sweep.policy_shapes import bounds_of, capacities, random_capacity
from dra_conform.sweep.quantities import NOTATIONS, notation, notation_name, written

_SHAPES = ("default", "min, step, max", "three values")
_FIELDS = ("value", "default", "minimum", "maximum", "step", "values", "request", "held")
_HELD = 3
"""The shared allocation whose notation varies consumes the capacity value divided by this number."""


class Notation(CapacityArea):
    """The notation of a quantity does not change the result: equal values are equal quantities."""

    name = "notation"

    def class_rows(self, profile: Profile, *, inadmissible: bool) -> Iterator[CapacityRow]:
        for capacity in capacities(profile, inadmissible=inadmissible):
            if capacity.policy_class in _SHAPES:
                for field in _FIELDS:
                    for place in range(NOTATIONS):
                        yield from _rewritten(capacity, field, place, capacity.value.nano // 2)

    def random_rows(
        self, chance: random.Random, count: int, profile: Profile, *, inadmissible: bool
    ) -> Sequence[CapacityRow]:
        rows: list[CapacityRow] = []
        while len(rows) < count:
            capacity = random_capacity(chance, profile, inadmissible=inadmissible)
            near = [nano for _, nano in bounds_of(capacity)]
            for _ in range(20):
                asked = max(0, chance.choice(near) + chance.choice((-1, 0, 0, 1)))
                field = chance.choice(_FIELDS)
                rows += _rewritten(capacity, field, chance.randrange(NOTATIONS), asked)
        return rows[:count]


def _rewritten(capacity: Capacity, field: str, place: int, asked: int) -> Iterator[CapacityRow]:
    """Yield the row with one field in a notation, none if the field is unset or cannot have the notation."""
    nano = _nano(capacity, field, asked)
    name = "" if nano is None else notation_name(nano, place)
    if nano is None or not name:
        return
    again = notation(nano, place)
    held = (again,) if field == "held" else ()
    requested = again if field == "request" else written(asked)
    if field in ("value", "default", "minimum", "maximum", "step"):
        capacity = capacity.with_part(field, again)
    elif field == "values":
        capacity = replace(capacity, values=tuple(notation(value.nano, place) for value in capacity.values))
    named = replace(capacity, policy_class=f"{capacity.policy_class}: {field}")
    yield CapacityRow(named, requested, held, name, "all" if not held else "a third")


def _nano(capacity: Capacity, field: str, asked: int) -> int | None:
    """Return the quantity of a field in nano-units, None if it is unset."""
    if field == "request":
        return asked
    if field == "held":
        return capacity.value.nano // _HELD
    if field == "values":
        return capacity.values[0].nano if capacity.values else None
    part = getattr(capacity, field)
    return None if part is None else int(part.nano)
