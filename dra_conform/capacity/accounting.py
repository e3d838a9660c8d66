"""The total consumed capacity of devices with several shared allocations (KEP-5075/capacity-accounting/*)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Generic, TypeVar

Amounts = Mapping[str, int]
"""Consumed capacity in nano-units by capacity name."""

Key = TypeVar("Key", bound=Hashable)


class Aggregate(Generic[Key]):
    """The total consumed capacity of each device over its shared allocations, in nano-units."""

    __slots__ = ("_shares", "_sums")

    def __init__(self) -> None:
        self._sums: dict[Key, dict[str, int]] = {}
        self._shares: dict[Key, int] = {}

    def add(self, device: Key, amounts: Amounts) -> None:
        """Add one shared allocation of the device, which may consume nothing."""
        self._shares[device] = self._shares.get(device, 0) + 1
        sums = self._sums.get(device)
        if sums is None:
            self._sums[device] = dict(amounts)
            return
        for name, amount in amounts.items():
            sums[name] = sums.get(name, 0) + amount

    def remove(self, device: Key, amounts: Amounts) -> None:
        """Undo one `add`; raise KeyError if the device has no shared allocation."""
        remaining = self._shares[device] - 1
        if remaining == 0:
            del self._shares[device], self._sums[device]
            return
        self._shares[device] = remaining
        sums = self._sums[device]
        for name, amount in amounts.items():
            sums[name] -= amount

    def shares(self, device: Key) -> int:
        """Return the number of shared allocations of the device."""
        return self._shares.get(device, 0)

    def used(self, device: Key) -> Amounts:
        """Return the consumed capacity of the device, empty for an unused device."""
        return self._sums.get(device, _NOTHING)

    def devices(self) -> Iterable[Key]:
        """Return the devices with shared allocations."""
        return self._shares.keys()

    def fits(self, device: Key, values: Amounts, amounts: Amounts) -> bool:
        """Whether a further shared allocation fits into the capacity of the device."""
        used = self.used(device)
        return all(used.get(name, 0) + amount <= values[name] for name, amount in amounts.items())


_NOTHING: dict[str, int] = {}
