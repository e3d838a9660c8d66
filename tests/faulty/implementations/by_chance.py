"""Allocators whose fault hangs on chance, or on how often something is said."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from tests.reference.textbook import Textbook
from tests.reference.textbook_world import Device

Json = Any


class TakesAtRandom(Textbook):
    """Takes devices at random and never goes back: of many equal questions it answers most and fails some."""

    _random = random.Random(40)

    def order(self, devices: list[Device]) -> list[Device]:
        return self._random.sample(devices, len(devices))

    def _some(self, *asked: Any) -> Iterator[Any]:
        for found in super()._some(*asked):
            yield found
            return


class CountsGroupNames(Textbook):
    """Takes a group for common whose name stands as often as there are devices, be it twice with one of them."""

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
"""The case whose rows see each."""
