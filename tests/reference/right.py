"""Correct allocators that choose other devices than the first, or decide open points differently."""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from dra_conform import cel
from dra_conform.kube.json_values import Json
from tests.reference.textbook import Taken, Textbook
from tests.reference.textbook_world import Device, Pool, amount


class LastFitting(Textbook):
    """Allocates the last device that fits."""

    def order(self, devices: list[Device]) -> list[Device]:
        return devices[::-1]


class BestFitting(Textbook):
    """Allocates the device with the least remaining capacity: shared devices in use first, then small devices."""

    def order(self, devices: list[Device]) -> list[Device]:
        return sorted(devices, key=self._left)

    def _left(self, device: Device) -> tuple[Fraction, Fraction]:
        left = sum((self.remaining(device, name) for name in device.capacity), Fraction(0))
        draws = [
            amount(counter["value"]) for entry in device.entries for counter in entry["counters"].values()
        ]
        return left, -sum(draws, Fraction(0))


class AnyFitting(Textbook):
    """Allocates a random device that fits, by the seed of the request."""

    def allocate(self, objects: Json, ask: Json, profile: Any, seed: int = 0) -> Json:
        self._random = random.Random(f"{seed} {ask}")
        return super().allocate(objects, ask, profile)

    def order(self, devices: list[Device]) -> list[Device]:
        return self._random.sample(devices, len(devices))


class DecidesOtherwise(Textbook):
    """Decides every point differently that the specification leaves open."""

    most = 128

    def _selected(self, device: Device, requested: Json) -> bool:
        """Return whether the selectors match. A failing expression does not match."""
        try:
            return super()._selected(device, requested)
        except (cel.CompileError, cel.EvaluationError):
            return False

    def tolerates(self, toleration: Json, taint: Json) -> bool:
        """Return whether a toleration matches. Without operator its value is compared, also an empty one."""
        if not (toleration.get("operator") or toleration.get("key")) and taint.get("value"):
            return False
        return super().tolerates(toleration, taint)

    def in_all(self, device: Device, requested: Json) -> bool:
        """Return whether mode All needs the device. Excluded devices are not needed."""
        excluded = not self.grouping and any(device.groups().values())
        return not excluded and super().in_all(device, requested)

    def counted(self, device: Device) -> bool:
        """Return whether the counters suffice. Counters of a device that is no longer published stay consumed.

        With recorded groups they are available again.
        """
        published = {sibling.key for sibling in device.pool.devices}
        gone = [taken for taken in self.taken if taken.key not in published and not taken.groups]
        pool = (device.driver, device.pool.name)
        return super().counted(device) and not (
            device.entries and any(taken.key[:2] == pool for taken in gone)
        )

    def compatible_for(self, device: Device, requested: Json) -> bool:
        """Return whether groups admit the device. They are also compared for adminAccess."""
        return self.compatible(device)

    def snapshot(self, device: Device) -> Mapping[str, Sequence[str]]:
        """Return the recorded groups. A counter set without groups is recorded with none."""
        return device.groups() if super().snapshot(device) else {}

    def share_id(self, device: Device) -> str:
        """Return a share ID that is unique among the allocations of its device."""
        others = sum(taken.key == device.key and taken.share is not None for taken in self.taken)
        return str(uuid.UUID(int=(4 << 76) | (2 << 62) | (others + 1)))

    def free(self, device: Device, claim: str, requested: Json) -> bool:
        """Return whether the device is free. Two requests of a claim may have adminAccess to the same device."""
        mine = [taken for taken in self.taken if taken.claim == claim and taken.key == device.key]
        if self.is_admin(requested) and mine and all(taken.admin for taken in mine):
            return True
        return super().free(device, claim, requested)

    def complete(self, pool: Pool) -> bool:
        """Return whether a pool is complete. It may have more slices than its count."""
        [count, *others] = {
            resource_slice["spec"]["pool"]["resourceSliceCount"] for resource_slice in pool.slices
        }
        return not others and len(pool.slices) >= count

    def rounded(self, policy: Mapping[str, Json] | None, value: Fraction) -> Fraction | None:
        """Return the rounded quantity, None if it is negative."""
        return None if value < 0 else super().rounded(policy, value)

    def _requests(
        self, key: str, claim: Json, requests: Sequence[Json], done: list[Taken]
    ) -> Iterator[list[Taken]]:
        """Yield allocations of the requests. Prioritized lists fall back in reverse order."""
        if not done:
            lists = [request for request in requests if "exactly" not in request]
            requests = [*lists[::-1], *(request for request in requests if "exactly" in request)]
        yield from super()._requests(key, claim, requests, done)

    def _consumed(self, device: Device, requested: Json) -> Mapping[str, Fraction] | None:
        """Return the consumed capacity. A request policy also applies to exclusively allocated devices."""
        for name, value in self._requested_capacity(requested).items():
            own = device.capacity.get(self.own_name(device, name) or "")
            if own is not None and self.rounded(own.get("requestPolicy"), amount(value)) is None:
                return None
        return super()._consumed(device, requested)


RIGHT = (Textbook, DecidesOtherwise, LastFitting, BestFitting, AnyFitting)
