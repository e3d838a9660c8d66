"""The area `remaining`: the capacity that remains after several shared allocations, in any notation."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from dra_conform.kube.profile import Profile
from dra_conform.sweep.areas.capacity_area import CapacityArea
from dra_conform.sweep.capacity_row import Capacity, CapacityRow
from dra_conform.sweep.policy_shapes import SHAPES, PolicyShape, admissible
from dra_conform.sweep.quantities import (
    NANO,
    NOTATIONS,
    SCALES,
    UNITS,
    ValueClass,
    WrittenQuantity,
    notation,
    written,
)

_POLICIES = {name: SHAPES[name] for name in ("no policy", "default", "min", "min, step", "three values")}
_SPLITS = {
    "1 share": (1,),
    "2 equal shares": (1, 1),
    "3 shares": (1, 2, 3),
    "8 shares": (1, 1, 2, 3, 5, 8, 13, 21),
}
"""Splits of the total consumption into shared allocations, each as a list of proportions."""

_OFFSETS = (("", 0), ("-1n", -1), ("+1n", 1), ("-1", -NANO), ("+1", NANO))


class Remaining(CapacityArea):
    """Whether a request fits the capacity that remains after shared allocations."""

    name = "remaining"

    def class_rows(self, profile: Profile, *, inadmissible: bool) -> Iterator[CapacityRow]:
        for scale in SCALES:
            for name, shape in _POLICIES.items():
                capacity = shape.at(name, scale)
                if not inadmissible and not admissible(capacity, profile):
                    continue
                for split, parts in _SPLITS.items():
                    for left in (0, 2, 4, 6):
                        yield from _rows(capacity, shape, scale, split, parts, left)

    def random_rows(
        self, chance: random.Random, count: int, profile: Profile, *, inadmissible: bool
    ) -> Sequence[CapacityRow]:
        allowed = {
            (scale.name, name)
            for scale in SCALES
            for name, shape in _POLICIES.items()
            if inadmissible or admissible(shape.at(name, scale), profile)
        }
        return [_random_row(chance, allowed) for _ in range(count)]


def _rows(
    capacity: Capacity,
    shape: PolicyShape,
    scale: ValueClass,
    split: str,
    parts: Sequence[int],
    left: int,
) -> Iterator[CapacityRow]:
    """Yield requests near the remaining capacity, with the shared allocations in every notation."""
    consumed = capacity.value.nano - left * scale.nano
    held = _parts(consumed, parts)
    place = len(scale.name) + left
    for name, offset in _OFFSETS:
        nano = left * scale.nano + offset
        if nano < 0:
            continue
        shares = []
        for share in held:
            shares.append(notation(share, place))
            place += 7  # coprime to the number of notations, so that all of them are used
        requested = written(nano, scale.suffix)
        yield CapacityRow(capacity, requested, tuple(shares), f"{left} left{name}", split)


def _parts(total: int, parts: Sequence[int]) -> list[int]:
    """Split a quantity in nano-units into parts. The last part is the remainder."""
    split = [total * part // sum(parts) for part in parts[:-1]]
    return [*split, total - sum(split)]


def _random_row(chance: random.Random, allowed: AbstractSet[tuple[str, str]]) -> CapacityRow:
    """Return a random row with one of the allowed scales and policy classes, by their names."""
    while True:
        scale = chance.choice(SCALES)
        name, shape = chance.choice(list(_POLICIES.items()))
        if (scale.name, name) in allowed:
            break
    capacity = shape.at(name, scale)
    value = capacity.value.nano
    consumed = chance.randrange(value + 1)
    cuts = sorted(chance.randrange(consumed + 1) for _ in range(chance.randrange(6)))
    shares: list[WrittenQuantity] = [
        notation(end - begin, chance.randrange(NOTATIONS))
        for begin, end in zip((0, *cuts), (*cuts, consumed), strict=True)
    ]
    left = value - consumed
    near = left + chance.choice((-NANO, -1, 0, 1, NANO))
    nano = max(0, near) if chance.random() < 0.6 else chance.randrange(value + 1)
    requested = written(nano, chance.choice(tuple(UNITS)))
    return CapacityRow(capacity, requested, tuple(shares), "random", f"{len(shares)} random shares")
