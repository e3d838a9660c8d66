"""Allocators whose fault depends on chance, or on repeated values."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from tests.reference.textbook import Textbook
from tests.reference.textbook_world import Device


class TakesAtRandom(Textbook):
    """Allocates random devices without backtracking, so it fails some of many equal requests."""

    _random = random.Random(40)

    def order(self, devices: list[Device]) -> list[Device]:
        return self._random.sample(devices, len(devices))

    def _some(self, *requested: Any) -> Iterator[Any]:
        for taken in super()._some(*requested):
            yield taken
            return


class CountsGroupNames(Textbook):
    """Takes a group for common if its name occurs as often as there are devices, also twice at one device."""

    def compatible(self, device: Device) -> bool:
        return super().compatible(device) or all(
            self._often_enough(device, counter_set) for counter_set in device.groups()
        )

    def _often_enough(self, device: Device, counter_set: str) -> bool:
        recorded = [taken.groups.get(counter_set) or () for taken in self.taken if self.uses(taken)]
        names = Counter(chain(device.groups()[counter_set], *recorded))
        return max(names.values(), default=0) > len(self.members(device.pool, counter_set))


WRONG_BY_CHANCE: Mapping[type[Textbook], str] = {
    TakesAtRandom: "dra/search/repeated-search-same-result",
    CountsGroupNames: "kep-5963/order-of-names/repeated-name-adds-no-group",
}
"""Each faulty allocator with the case whose rows detect it."""
