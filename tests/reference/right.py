"""Allocators that are right: they choose other devices than the first that fit, or decide otherwise where they may."""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from dra_conform import cel
from tests.reference.textbook import Taken, Textbook
from tests.reference.textbook_world import Device, Pool, amount

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
        draws = [
            amount(counter["value"]) for entry in device.entries for counter in entry["counters"].values()
        ]
        return left, -sum(draws, Fraction(0))


class AnyFitting(Textbook):
    """Takes any device that fits, by the seed of the request."""

    def allocate(self, objects: Json, ask: Json, profile: Any, seed: int = 0) -> Json:
        self._random = random.Random(f"{seed} {ask}")
        return super().allocate(objects, ask, profile)

    def order(self, devices: list[Device]) -> list[Device]:
        return self._random.sample(devices, len(devices))


class DecidesOtherwise(Textbook):
    """Decides every point the other way that the documents leave open."""

    most = 128

    def _selected(self, device: Device, asked: Json) -> bool:
        """An expression that fails is one that does not match."""
        try:
            return super()._selected(device, asked)
        except (cel.CompileError, cel.EvaluationError):
            return False

    def tolerates(self, toleration: Json, taint: Json) -> bool:
        """A toleration without operator compares its value, be it none."""
        if not (toleration.get("operator") or toleration.get("key")) and taint.get("value"):
            return False
        return super().tolerates(toleration, taint)

    def in_all(self, device: Device, asked: Json) -> bool:
        """Mode All leaves out what is excluded from consideration."""
        excluded = not self.grouping and any(device.groups().values())
        return not excluded and super().in_all(device, asked)

    def counted(self, device: Device) -> bool:
        """What a held device took that nobody publishes any more, nobody gets; with recorded groups they do."""
        published = {sibling.key for sibling in device.pool.devices}
        gone = [taken for taken in self.taken if taken.key not in published and not taken.groups]
        pool = (device.driver, device.pool.name)
        return super().counted(device) and not (
            device.entries and any(taken.key[:2] == pool for taken in gone)
        )

    def compatible_for(self, device: Device, asked: Json) -> bool:
        """Groups refuse administrative access as well."""
        return self.compatible(device)

    def snapshot(self, device: Device) -> Mapping[str, Sequence[str]]:
        """A set for which a grouped device declares no groups is recorded with none."""
        return device.groups() if super().snapshot(device) else {}

    def share_id(self, device: Device) -> str:
        """A share ID tells the shares of one device apart."""
        others = sum(taken.key == device.key and taken.share is not None for taken in self.taken)
        return str(uuid.UUID(int=(4 << 76) | (2 << 62) | (others + 1)))

    def free(self, device: Device, claim: str, asked: Json) -> bool:
        """Two requests of one claim may have administrative access to one device."""
        mine = [taken for taken in self.taken if taken.claim == claim and taken.key == device.key]
        if self.is_admin(asked) and mine and all(taken.admin for taken in mine):
            return True
        return super().free(device, claim, asked)

    def complete(self, pool: Pool) -> bool:
        """More slices than a pool says it has are as good as so many."""
        [said, *others] = {
            resource_slice["spec"]["pool"]["resourceSliceCount"] for resource_slice in pool.slices
        }
        return not others and len(pool.slices) >= said

    def rounded(self, policy: Mapping[str, Json] | None, value: Fraction) -> Fraction | None:
        """No policy raises a negative amount."""
        return None if value < 0 else super().rounded(policy, value)

    def _requests(
        self, key: str, claim: Json, requests: Sequence[Json], done: list[Taken]
    ) -> Iterator[list[Taken]]:
        """Of two lists the first gives way."""
        if not done:
            lists = [request for request in requests if "exactly" not in request]
            requests = [*lists[::-1], *(request for request in requests if "exactly" in request)]
        yield from super()._requests(key, claim, requests, done)

    def _consumed(self, device: Device, asked: Json) -> Mapping[str, Fraction] | None:
        """A policy that was left on a dedicated device holds."""
        for name, value in self._asked(asked).items():
            own = device.capacity.get(self.own_name(device, name) or "")
            if own is not None and self.rounded(own.get("requestPolicy"), amount(value)) is None:
                return None
        return super()._consumed(device, asked)


RIGHT = (Textbook, DecidesOtherwise, LastFitting, BestFitting, AnyFitting)
