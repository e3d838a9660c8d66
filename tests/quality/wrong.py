"""Allocators that get one rule wrong each, and one that is right but chooses other devices.

The suite must catch each wrong one in the requirement concerned (`test_wrong_allocators.py`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from tests.quality.textbook import Device, Textbook, amount

Json = Any


class LastFitting(Textbook):
    """Right, and takes the last fitting device instead of the first."""

    def order(self, devices: list[Device]) -> list[Device]:
        return devices[::-1]


class RoundsDown(Textbook):
    def steps(self, exact: Fraction) -> int:
        return math.floor(exact)


class IgnoresStep(Textbook):
    def rounded(self, policy: Mapping[str, Json] | None, value: Fraction) -> Fraction | None:
        if policy and policy.get("validRange"):
            allowed = {key: one for key, one in policy["validRange"].items() if key != "step"}
            return super().rounded({"validRange": allowed}, value)
        return super().rounded(policy, value)


class ClampsToMax(Textbook):
    def within(self, value: Fraction, high: Fraction | None) -> Fraction | None:
        return value if high is None else min(value, high)


class ForgetsDefault(Textbook):
    def unrequested(self, capacity: Mapping[str, Json]) -> Fraction:
        return amount(capacity["value"])


class ComparesWithTotal(Textbook):
    def room(self, device: Device, name: str) -> Fraction:
        return amount(device.capacity[name]["value"])


class ForgetsZeroEntries(Textbook):
    def recorded(self, consumed: Mapping[str, Fraction]) -> Mapping[str, Fraction]:
        return {name: value for name, value in consumed.items() if value}


class SharesExclusive(Textbook):
    def free(self, device: Device) -> bool:
        return True


class IgnoresDistinct(Textbook):
    def distinct(self, values: Sequence[tuple[str, Json] | None]) -> bool:
        return True


class ReusesShareId(Textbook):
    def share_id(self, device: Device) -> str:
        return "6ba7b810-9dad-41d1-80b4-00c04fd430c8"


class PassesUnknownName(Textbook):
    def unknown(self, device: Device, names: Sequence[str]) -> list[str]:
        return []


class LosesCapacityOnBacktrack(Textbook):
    def give_back(self, device: Device) -> None:
        device.shares.pop()


WRONG: Mapping[type[Textbook], str] = {
    RoundsDown: "KEP-5075/rounding/step-up",
    IgnoresStep: "KEP-5075/rounding/step-up",
    ClampsToMax: "KEP-5075/rounding/above-max-refused",
    ForgetsDefault: "KEP-5075/default/policy-default-used-when-absent",
    ComparesWithTotal: "KEP-5075/capacity-accounting/one-over-refused",
    ForgetsZeroEntries: "KEP-5075/status/consumed-capacity-zero-entries",
    SharesExclusive: "KEP-5075/allocation/dedicated-only-once",
    IgnoresDistinct: "KEP-5075/constraint/distinct-different-values",
    ReusesShareId: "KEP-5075/status/share-id-unique-per-device",
    PassesUnknownName: "KEP-5075/filter/unknown-capacity-ineligible",
    LosesCapacityOnBacktrack: "KEP-5075/capacity-accounting/backtracking-restores",
}
"""Each wrong allocator with a requirement in which it must be caught."""
