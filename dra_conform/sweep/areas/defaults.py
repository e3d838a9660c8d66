"""The area `defaults`: the consumption of a capacity that the request does not name."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from dra_conform.kube.profile import Profile
from dra_conform.sweep.areas.capacity_area import CapacityArea
from dra_conform.sweep.capacity_row import Capacity, CapacityRow
from dra_conform.sweep.policy_shapes import capacities, near_bounds, random_capacity
from dra_conform.sweep.quantities import WrittenQuantity, written

UNSET = "unset"


class Defaults(CapacityArea):
    """The default of the requestPolicy or the whole capacity, and whether it fits into the remaining
    capacity."""

    name = "defaults"

    def class_rows(self, profile: Profile, *, inadmissible: bool) -> Iterator[CapacityRow]:
        for capacity in capacities(profile, inadmissible=inadmissible):
            value = capacity.value
            yield CapacityRow(capacity, None, (), UNSET, "all")
            for name, left in (("nothing", written(0)), ("1n", written(1)), *near_bounds(capacity)):
                if left.nano <= value.nano:
                    yield CapacityRow(capacity, None, (written(value.nano - left.nano),), UNSET, name)
            yield CapacityRow(capacity, None, _halves(capacity), UNSET, "default, 2 shared allocations")

    def random_rows(
        self, chance: random.Random, count: int, profile: Profile, *, inadmissible: bool
    ) -> Sequence[CapacityRow]:
        rows: list[CapacityRow] = []
        while len(rows) < count:
            capacity = random_capacity(chance, profile, inadmissible=inadmissible)
            for _ in range(min(20, count - len(rows))):
                rows.append(_random_row(chance, capacity))
        return rows


def _halves(capacity: Capacity) -> tuple[WrittenQuantity, ...]:
    """Return two shared allocations that leave exactly the quantity that the request consumes by default."""
    default = capacity.default or capacity.value
    consumed = max(0, capacity.value.nano - default.nano)
    return written(consumed // 2), written(consumed - consumed // 2)


def _random_row(chance: random.Random, capacity: Capacity) -> CapacityRow:
    if chance.random() < 0.2:
        return CapacityRow(capacity, None, (), UNSET, "all")
    value = capacity.value.nano
    spare = max(0, value - (capacity.default or capacity.value).nano)
    kind = chance.random()
    consumed = spare + chance.choice((-1, 0, 0, 1)) if kind < 0.4 else chance.randrange(value + 1)
    return CapacityRow(capacity, None, (written(min(max(0, consumed), value)),), UNSET, "random")
