"""Random allocated claims, some with devices that were changed or removed after the allocation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dra_conform.conformance.steps.given import CLASS, NAMESPACE, share_id
from dra_conform.fuzz.generation.amounts import Scale
from dra_conform.fuzz.generation.chance import Choose, happens
from dra_conform.fuzz.generation.pool_slices import COMPATIBILITY_GROUPS
from dra_conform.fuzz.generation.published_devices import PublishedDevices
from dra_conform.fuzz.scenario import api_object
from dra_conform.kube.json_values import Json
from dra_conform.kube.quantity import Quantity

_DEPEND_ON_ALLOCATIONS = frozenset({"admin-access", "consumable-capacity", "partitionable-devices"})
"""Features that depend on details of allocations; without them a device is just free or allocated."""

GONE = "gone"
"""The name of a device in allocations that is no longer published."""


def allocated_claims(
    choose: Choose, features: frozenset[str], published: PublishedDevices, *, recorded_groups: bool
) -> tuple[Json, ...]:
    """Generate up to 2 allocated claims with one or two devices each.

    If `recorded_groups`, results record compatibility groups (KEP-5963).
    """
    results_of = _Results(choose, features, published, recorded_groups)
    claims = []
    counts = (0, 1, 1, 2) if features & _DEPEND_ON_ALLOCATIONS else (0, 0, 0, 0, 1)
    for number in range(choose(counts)):
        results = []
        for position in range(choose((1, 1, 1, 1, 2))):
            result = results_of.request(f"r{position}")
            if result is not None:
                results.append({**result, **_share(result, f"{number}-{position}")})
        if results:
            claims.append(_claim(f"h{number}", results))
    return tuple(claims)


@dataclass(frozen=True, slots=True)
class _Results:
    """A generator of allocation results.

    `taken` has driver, pool and device of allocated exclusive devices.
    """

    choose: Choose
    features: frozenset[str]
    published: PublishedDevices
    recorded_groups: bool
    taken: set[tuple[str, str, str]] = field(default_factory=set)

    def request(self, request: str) -> dict[str, Json] | None:
        """Generate the result of a request, with consumed capacity if shared; None for a device in use."""
        driver, pool, body = self.choose(self.published.devices)
        where = {"request": request, "driver": driver, "pool": pool, "device": body["name"]}
        shared = bool(body.get("allowMultipleAllocations"))
        later_change = self._later_change()
        if later_change == GONE:
            where["device"] = GONE
        elif later_change:
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

    def _later_change(self) -> str:
        """Choose a change after the allocation: none, removed, or `allowMultipleAllocations` toggled."""
        if "consumable-capacity" in self.features:
            return self.choose((*("",) * 12, "changed", "changed", GONE))
        return GONE if happens(self.choose, 16) else ""

    def _recorded(self, body: Json) -> dict[str, Json]:
        """Return recorded compatibility groups: the published groups, other groups, or none."""
        if not self.recorded_groups or happens(self.choose, 4):
            return {}
        changed = happens(self.choose, 5)
        entries = {}
        for consumption in body.get("consumesCounters", ()):
            published = consumption.get("compatibilityGroups", [])
            groups = list(self.choose(COMPATIBILITY_GROUPS)) if changed else published
            if groups:
                entries[consumption["counterSet"]] = groups
        return {"compatibilityGroups": entries} if entries else {}


def _amount(choose: Choose, scale: Scale, capacity: Json) -> str:
    """Choose the consumed capacity of a shared allocation, from zero to more than the current capacity."""
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
            "name": result["request"],
            "exactly": {
                "deviceClassName": CLASS,
                "allocationMode": "ExactCount",
                "count": 1,
                **({"adminAccess": True} if "adminAccess" in result else {}),
            },
        }
        for result in results
    ]
    claim = api_object("ResourceClaim", name, {"devices": {"requests": requests}}, namespace=NAMESPACE)
    claim["status"] = {"allocation": {"devices": {"results": list(results)}}}
    return claim


def consumed(claims: Sequence[Json], name: str) -> list[int]:
    """Return the nano-units that each shared allocation consumes of the capacity with this name."""
    return [
        Quantity.parse(result["consumedCapacity"][name]).nano
        for claim in claims
        for result in claim["status"]["allocation"]["devices"]["results"]
        if name in (result.get("consumedCapacity") or {})
    ]
