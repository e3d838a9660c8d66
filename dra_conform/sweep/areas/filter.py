"""The area `filter`: whether the capacity of an exclusive device is enough for a request."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from dra_conform.kube.profile import Profile
from dra_conform.sweep.areas.capacity_area import CapacityArea
from dra_conform.sweep.capacity_row import Capacity, CapacityRow
from dra_conform.sweep.policy_shapes import SHAPES, near_bounds
from dra_conform.sweep.quantities import REQUESTED, SCALES, UNITS, written

EXCLUSIVE = "exclusive device"
_NO_POLICY = SHAPES["no policy"]


class Filter(CapacityArea):
    """A request fits an exclusive device if it is at most the capacity value; nothing is consumed."""

    name = "filter"

    def class_rows(self, profile: Profile, *, inadmissible: bool) -> Iterator[CapacityRow]:
        values = [_NO_POLICY.at(EXCLUSIVE, scale) for scale in SCALES]
        values += [
            Capacity(EXCLUSIVE, f"only {value.name}", written(value.nano, value.suffix))
            for value in REQUESTED
        ]
        for capacity in values:
            requests = [(value.name, written(value.nano, value.suffix)) for value in REQUESTED]
            yield CapacityRow(capacity, None, (), "unset", "all", shared=False)
            for name, requested in (*near_bounds(capacity), *requests):
                yield CapacityRow(capacity, requested, (), name, "all", shared=False)

    def random_rows(
        self, chance: random.Random, count: int, profile: Profile, *, inadmissible: bool
    ) -> Sequence[CapacityRow]:
        rows: list[CapacityRow] = []
        while len(rows) < count:
            scale = chance.choice(SCALES)
            value = chance.randrange(1, 1000) * scale.nano + chance.choice((0, 0, 1))
            capacity = Capacity(EXCLUSIVE, scale.name, written(value, scale.suffix))
            for _ in range(min(8, count - len(rows))):
                kind = chance.random()
                near = value + chance.choice((-(10**9), -1, 0, 1, 10**9))
                nano = max(0, near) if kind < 0.5 else chance.randrange(2 * value)
                name = "random near a bound" if kind < 0.5 else "random"
                requested = written(nano, chance.choice(_SUFFIXES))
                rows.append(CapacityRow(capacity, requested, (), name, "all", shared=False))
        return rows


_SUFFIXES = tuple(UNITS)
