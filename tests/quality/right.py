"""Allocators that are right and choose other devices than the first that fit."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from tests.quality.textbook import Textbook
from tests.quality.textbook_world import Device, amount

Json = Any


class LastFitting(Textbook):
    """Takes the last device that fits."""

    def order(self, devices: list[Device]) -> list[Device]:
        return devices[::-1]


class BestFitting(Textbook):
    """Takes the device of which least is left: used up shares first, then small devices."""

    def order(self, devices: list[Device]) -> list[Device]:
        return sorted(devices, key=self._left)

    def _left(self, device: Device) -> tuple[Fraction, Fraction]:
        left = sum((self.room(device, name) for name in device.capacity), Fraction(0))
        draws = [amount(one["value"]) for entry in device.entries for one in entry["counters"].values()]
        return left, -sum(draws, Fraction(0))


class AnyFitting(Textbook):
    """Takes any device that fits, by the seed of the request."""

    def allocate(self, objects: Json, ask: Json, profile: Any, seed: int = 0) -> Json:
        self._random = random.Random(f"{seed} {ask}")
        return super().allocate(objects, ask, profile)

    def order(self, devices: list[Device]) -> list[Device]:
        return self._random.sample(devices, len(devices))


RIGHT = (Textbook, LastFitting, BestFitting, AnyFitting)
