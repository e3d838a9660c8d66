"""The area `rounding`: requestPolicy, request and remaining capacity."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from dra_conform.kube.profile import Profile
from dra_conform.sweep.areas.capacity_area import CapacityArea
from dra_conform.sweep.capacity_row import Capacity, CapacityRow
from dra_conform.sweep.policy_shapes import bounds_of, capacities, near_bounds, random_capacity
from dra_conform.sweep.quantities import (
    NANO,
    REQUESTED,
    UNITS,
    ValueClass,
    WrittenQuantity,
    written,
)

ALL, HALF, AS_REQUESTED, BELOW_REQUESTED, NOTHING = "all", "half", "requested", "requested-1n", "nothing"
"""The value classes of the remaining capacity."""

NEGATIVE = (ValueClass("-1", -NANO), ValueClass("-1n", -1, "n"))
UNSET = "unset"


class Rounding(CapacityArea):
    """The rounded quantity that a request consumes, and whether it fits the remaining capacity."""

    name = "rounding"

    def class_rows(self, profile: Profile, *, inadmissible: bool) -> Iterator[CapacityRow]:
        absolute = [
            (request.name, written(request.nano, request.suffix))
            for request in (*REQUESTED, *(NEGATIVE if inadmissible else ()))
        ]
        for capacity in capacities(profile, inadmissible=inadmissible):
            yield from rows_of(capacity, UNSET, None)
            for value_class, requested in (*near_bounds(capacity), *absolute):
                yield from rows_of(capacity, value_class, requested)

    def random_rows(
        self, chance: random.Random, count: int, profile: Profile, *, inadmissible: bool
    ) -> Sequence[CapacityRow]:
        distinct = [
            random_capacity(chance, profile, inadmissible=inadmissible) for _ in range(1 + count // 20)
        ]
        choices = list(map(RandomRequests, distinct))
        return [chosen.row(chance, inadmissible=inadmissible) for chosen in chance.choices(choices, k=count)]


class RandomRequests:
    """Random rows of one capacity."""

    __slots__ = ("_capacity", "_near")

    def __init__(self, capacity: Capacity) -> None:
        self._capacity = capacity
        self._near = [nano for _, nano in bounds_of(capacity)]

    def row(self, chance: random.Random, *, inadmissible: bool) -> CapacityRow:
        """Return a random row, with a request near a bound, between the bounds, or of any size."""
        capacity = self._capacity
        kind = chance.random()
        top = capacity.value.nano
        if kind < 0.05:
            value_class, requested = UNSET, None
        else:
            nano, value_class = self._nano(chance, kind, top)
            if inadmissible and chance.random() < 0.05:
                nano, value_class = -nano, "negative"
            requested = written(nano, chance.choice(_SUFFIXES))
        held: tuple[WrittenQuantity, ...] = ()
        left_class = ALL
        if chance.random() < 0.3:
            left_class = "random"
            usual = top if capacity.default is None else top - capacity.default.nano
            held = (written(_random(chance, 1 + (usual if chance.random() < 0.8 else top))),)
        return CapacityRow(capacity, requested, held, value_class, left_class)

    def _nano(self, chance: random.Random, kind: float, top: int) -> tuple[int, str]:
        if kind < 0.4:
            offset = chance.choice((-NANO, -(10**6), -1, 0, 0, 1, 10**6, NANO))
            return max(0, chance.choice(self._near) + offset), "random near a bound"
        if kind < 0.85:
            return _random(chance, top + top // 8 + 2), "random"
        return 1 << chance.randrange(1, 100), "random power of 2"


_SUFFIXES = tuple(UNITS)


def _random(chance: random.Random, limit: int) -> int:
    """Return a random number, which is often a multiple of whole units or of milli-units."""
    nano = chance.randrange(limit)
    unit = chance.choice((1, 10**6, NANO))
    return nano - nano % unit


def rows_of(capacity: Capacity, value_class: str, requested: WrittenQuantity | None) -> Iterator[CapacityRow]:
    """Yield a row of a request for each possible value class of the remaining capacity."""
    value = capacity.value.nano
    if requested is not None:
        asked = requested.nano
    else:
        asked = value if capacity.default is None else capacity.default.nano
    consumed = {ALL: 0, HALF: value // 2, NOTHING: value}
    if 0 < asked <= value:
        consumed[AS_REQUESTED] = value - asked
        consumed[BELOW_REQUESTED] = value - asked + 1
    for left_class, nano in consumed.items():
        held = (written(nano),) if left_class != ALL else ()
        yield CapacityRow(capacity, requested, held, value_class, left_class)
