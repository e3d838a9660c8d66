"""Claims that hold devices already, also such as the slices have changed under since."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dra_conform.conformance.building import CLASS, NAMESPACE, share_id
from dra_conform.fuzz.amounts import Scale
from dra_conform.fuzz.devices import World
from dra_conform.fuzz.scenario import Choose, api_object
from dra_conform.kube.quantity import Quantity

Json = Any

GONE = "gone"
"""A device that nobody publishes any more."""


def held(choose: Choose, features: frozenset[str], world: World) -> tuple[Json, ...]:
    """Up to 3 allocated claims, one or two devices each."""
    claims: list[Json] = []
    taken: set[tuple[str, str, str]] = set()
    for number in range(choose((0, 0, 0, 0, 1, 1, 2, 3))):
        results = []
        for place in range(choose((1, 1, 1, 2))):
            result = _result(choose, features, world, f"r{place}", taken)
            if result is not None:
                results.append({**result, **_share(result, f"{number}-{place}")})
        if results:
            claims.append(_claim(f"h{number}", results))
    return tuple(claims)


def _result(
    choose: Choose,
    features: frozenset[str],
    world: World,
    request: str,
    taken: set[tuple[str, str, str]],
) -> dict[str, Json] | None:
    """What one request holds, None where the device is held by somebody already; consumed if shared."""
    driver, pool, body = choose(world.devices)
    where = {"request": request, "driver": driver, "pool": pool, "device": body["name"]}
    key = (driver, pool, str(body["name"]))
    shared = bool(body.get("allowMultipleAllocations"))
    if "consumable-capacity" in features:
        surprise = choose((*("",) * 20, "changed", GONE))
        if surprise == GONE:
            where["device"] = GONE
            key = (driver, pool, GONE)
        elif surprise:
            shared = not shared
    if not shared:
        if key in taken:
            return None
        taken.add(key)
        return where
    amounts = {
        name: _amount(choose, world.scale, capacity) for name, capacity in body.get("capacity", {}).items()
    }
    return {**where, "shareID": "", **({"consumedCapacity": amounts} if amounts else {})}


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
            "exactly": {"deviceClassName": CLASS, "allocationMode": "ExactCount", "count": 1},
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
