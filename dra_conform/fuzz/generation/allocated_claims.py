"""Claims that hold devices already, also such as the slices have changed under since."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dra_conform.conformance.building import CLASS, NAMESPACE, share_id
from dra_conform.fuzz.generation.amounts import Scale
from dra_conform.fuzz.generation.published_devices import World
from dra_conform.fuzz.generation.shared_counters import GROUPS
from dra_conform.fuzz.scenario import Choose, api_object, happens
from dra_conform.kube.quantity import Quantity

Json = Any

_HELD_MATTERS = frozenset({"admin-access", "consumable-capacity", "partitionable-devices"})
"""Features that look at what is held; without them a device is taken or not."""

GONE = "gone"
"""A device that nobody publishes any more."""


def held(choose: Choose, features: frozenset[str], world: World, *, snapshots: bool) -> tuple[Json, ...]:
    """Up to 2 allocated claims, one or two devices each."""
    holding = _Holding(choose, features, world, snapshots)
    made = []
    counts = (0, 1, 1, 2) if features & _HELD_MATTERS else (0, 0, 0, 0, 1)
    for number in range(choose(counts)):
        results = []
        for place in range(choose((1, 1, 1, 1, 2))):
            result = holding.result(f"r{place}")
            if result is not None:
                results.append({**result, **_share(result, f"{number}-{place}")})
        if results:
            made.append(_claim(f"h{number}", results))
    return tuple(made)


@dataclass(frozen=True, slots=True)
class _Holding:
    """What the claims of a scenario hold; `snapshots`: results record compatibility groups (KEP-5963)."""

    choose: Choose
    features: frozenset[str]
    world: World
    snapshots: bool
    taken: set[tuple[str, str, str]] = field(default_factory=set)

    def result(self, request: str) -> dict[str, Json] | None:
        """What one request holds, None where the device is held by somebody already; consumed if shared."""
        driver, pool, body = self.choose(self.world.devices)
        where = {"request": request, "driver": driver, "pool": pool, "device": body["name"]}
        shared = bool(body.get("allowMultipleAllocations"))
        surprise = self._surprise()
        if surprise == GONE:
            where["device"] = GONE
        elif surprise:
            shared = not shared
        where |= self._snapshot(body)
        if "admin-access" in self.features and happens(self.choose, 4):
            return where | {"adminAccess": True}
        key = (driver, pool, str(where["device"]))
        if not shared:
            if key in self.taken:
                return None
            self.taken.add(key)
            return where
        amounts = {
            name: _amount(self.choose, self.world.scale, capacity)
            for name, capacity in body.get("capacity", {}).items()
        }
        return {**where, "shareID": "", **({"consumedCapacity": amounts} if amounts else {})}

    def _surprise(self) -> str:
        """Whether the device has vanished since, or was shared when it is not now and the other way round."""
        if "consumable-capacity" in self.features:
            return self.choose((*("",) * 12, "changed", "changed", GONE))
        return GONE if happens(self.choose, 16) else ""

    def _snapshot(self, body: Json) -> dict[str, Json]:
        """The groups as they are published, as they were once, or none."""
        if not self.snapshots or happens(self.choose, 4):
            return {}
        changed = happens(self.choose, 5)
        entries = {
            one["counterSet"]: list(self.choose(GROUPS)) if changed else one.get("compatibilityGroups", [])
            for one in body.get("consumesCounters", ())
        }
        entries = {name: groups for name, groups in entries.items() if groups}
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
    """What shares hold of the capacities of a name, in nano."""
    return [
        Quantity.parse(one["consumedCapacity"][name]).nano
        for claim in claims
        for one in claim["status"]["allocation"]["devices"]["results"]
        if name in (one.get("consumedCapacity") or {})
    ]
