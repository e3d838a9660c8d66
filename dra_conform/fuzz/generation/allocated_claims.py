"""Random allocated claims, also with devices that have changed or gone since."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dra_conform.conformance.steps.given import CLASS, NAMESPACE, share_id
from dra_conform.fuzz.generation.amounts import Scale
from dra_conform.fuzz.generation.chance import Choose, happens
from dra_conform.fuzz.generation.published_devices import PublishedDevices
from dra_conform.fuzz.generation.shared_counters import COMPATIBILITY_GROUPS
from dra_conform.fuzz.scenario import api_object
from dra_conform.kube.quantity import Quantity

Json = Any

_ALLOCATED_MATTERS = frozenset({"admin-access", "consumable-capacity", "partitionable-devices"})
"""Features that look at what is allocated; without them a device is free or not."""

GONE = "gone"
"""A device that nobody publishes any more."""


def allocated_claims(
    choose: Choose, features: frozenset[str], published: PublishedDevices, *, recorded_groups: bool
) -> tuple[Json, ...]:
    """Up to 2 allocated claims, one or two devices each.

    `recorded_groups`: results record compatibility groups (KEP-5963).
    """
    results_of = _Results(choose, features, published, recorded_groups)
    made = []
    counts = (0, 1, 1, 2) if features & _ALLOCATED_MATTERS else (0, 0, 0, 0, 1)
    for number in range(choose(counts)):
        results = []
        for position in range(choose((1, 1, 1, 1, 2))):
            result = results_of.request(f"r{position}")
            if result is not None:
                results.append({**result, **_share(result, f"{number}-{position}")})
        if results:
            made.append(_claim(f"h{number}", results))
    return tuple(made)


@dataclass(frozen=True, slots=True)
class _Results:
    """What the claims of a scenario have allocated; `taken` are driver, pool, device of exclusive devices."""

    choose: Choose
    features: frozenset[str]
    published: PublishedDevices
    recorded_groups: bool
    taken: set[tuple[str, str, str]] = field(default_factory=set)

    def request(self, request: str) -> dict[str, Json] | None:
        """The result of one request, with consumed capacity if the device is shared; None if it is taken."""
        driver, pool, body = self.choose(self.published.devices)
        where = {"request": request, "driver": driver, "pool": pool, "device": body["name"]}
        shared = bool(body.get("allowMultipleAllocations"))
        surprise = self._surprise()
        if surprise == GONE:
            where["device"] = GONE
        elif surprise:
            shared = not shared
        where |= self._recorded(body)
        if "admin-access" in self.features and happens(self.choose, 4):
            return where | {"adminAccess": True}
        key = (driver, pool, str(where["device"]))
        if not shared:
            if key in self.taken:
                return None
            self.taken.add(key)
            return where
        amounts = {
            name: _amount(self.choose, self.published.scale, capacity)
            for name, capacity in body.get("capacity", {}).items()
        }
        return {**where, "shareID": "", **({"consumedCapacity": amounts} if amounts else {})}

    def _surprise(self) -> str:
        """Whether the device has vanished since, or was shared when it is not now and the other way round."""
        if "consumable-capacity" in self.features:
            return self.choose((*("",) * 12, "changed", "changed", GONE))
        return GONE if happens(self.choose, 16) else ""

    def _recorded(self, body: Json) -> dict[str, Json]:
        """The groups as they are published, as they were once, or none."""
        if not self.recorded_groups or happens(self.choose, 4):
            return {}
        changed = happens(self.choose, 5)
        entries = {}
        for one in body.get("consumesCounters", ()):
            published = one.get("compatibilityGroups", [])
            groups = list(self.choose(COMPATIBILITY_GROUPS)) if changed else published
            if groups:
                entries[one["counterSet"]] = groups
        return {"compatibilityGroups": entries} if entries else {}


def _amount(choose: Choose, scale: Scale, capacity: Json) -> str:
    """What a share consumes: the default, a part, everything, nothing, or (it has shrunk) too much."""
    value = Quantity.parse(capacity["value"]).nano
    policy = capacity.get("requestPolicy") or {}
    low = (policy.get("validRange") or {}).get("min")
    usual = [text for text in (policy.get("default"), low, *(policy.get("validValues") or ())) if text]
    own = [Quantity.parse(text).nano for text in usual]
    options = (
        *own,
        *own,
        scale.unit,
        value // 2,
        value - scale.unit,
        value,
        value - scale.tiny,
        0,
        value + 1,
    )
    return scale.text(max(0, choose(options)))


def _share(result: Json, name: str) -> Json:
    return {"shareID": share_id(name)} if "shareID" in result else {}


def _claim(name: str, results: Sequence[Json]) -> Json:
    requests = [
        {
            "name": one["request"],
            "exactly": {
                "deviceClassName": CLASS,
                "allocationMode": "ExactCount",
                "count": 1,
                **({"adminAccess": True} if "adminAccess" in one else {}),
            },
        }
        for one in results
    ]
    made = api_object("ResourceClaim", name, {"devices": {"requests": requests}}, namespace=NAMESPACE)
    made["status"] = {"allocation": {"devices": {"results": list(results)}}}
    return made


def consumed(claims: Sequence[Json], name: str) -> list[int]:
    """What the shares of allocated claims consume of the capacities of a name, in nano."""
    return [
        Quantity.parse(one["consumedCapacity"][name]).nano
        for claim in claims
        for one in claim["status"]["allocation"]["devices"]["results"]
        if name in (one.get("consumedCapacity") or {})
    ]
