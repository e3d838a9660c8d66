"""The consumed capacity of shared devices in total (KEP-5075/capacity-accounting/*)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Generic, TypeVar

Amounts = Mapping[str, int]
"""Consumed amounts in nano units by capacity name."""

Key = TypeVar("Key", bound=Hashable)


class Aggregate(Generic[Key]):
    """The sum of consumed amounts by device, in nano units. Adding a share and removing it are inverse."""

    __slots__ = ("_shares", "_sums")

    def __init__(self) -> None:
        self._sums: dict[Key, dict[str, int]] = {}
        self._shares: dict[Key, int] = {}

    def add(self, device: Key, amounts: Amounts) -> None:
        """Count one more share of the device; a share that consumes nothing counts too."""
        self._shares[device] = self._shares.get(device, 0) + 1
        sums = self._sums.get(device)
        if sums is None:
            self._sums[device] = dict(amounts)
            return
        for name, amount in amounts.items():
            sums[name] = sums.get(name, 0) + amount

    def remove(self, device: Key, amounts: Amounts) -> None:
        """Undo one `add`; without shares the device is unused again. KeyError if it has none."""
        left = self._shares[device] - 1
        if left == 0:
            del self._shares[device], self._sums[device]
            return
        self._shares[device] = left
        sums = self._sums[device]
        for name, amount in amounts.items():
            sums[name] -= amount

    def shares(self, device: Key) -> int:
        """How many shares of the device there are."""
        return self._shares.get(device, 0)

    def used(self, device: Key) -> Amounts:
        """What its shares consume; empty for an unused device."""
        return self._sums.get(device, _NOTHING)

    def devices(self) -> Iterable[Key]:
        """The devices that have shares."""
        return self._shares.keys()

    def fits(self, device: Key, values: Amounts, amounts: Amounts) -> bool:
        """Whether one more share of these amounts stays within the device's capacity values."""
        used = self.used(device)
        return all(used.get(name, 0) + amount <= values[name] for name, amount in amounts.items())


_NOTHING: dict[str, int] = {}
