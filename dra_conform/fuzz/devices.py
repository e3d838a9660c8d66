"""Devices that are equal or nearly equal, and the pools and slices that publish them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dra_conform.conformance.building import DRIVER, POOL
from dra_conform.fuzz.amounts import SCALES, VALUES, Scale, policies
from dra_conform.fuzz.scenario import Choose, api_object

Json = Any

OTHER_DRIVER = "net.example.com"
NODES = ("node-1", "node-2", "node-3")
CAPACITIES = (("bw",), ("bw",), ("bw", "mem"), (f"{DRIVER}/bw",), ("bw", f"{OTHER_DRIVER}/mem"))
NUMA: tuple[Json, ...] = (
    *({"int": 0}, {"int": 1}, {"int": 0}, {"int": 1}, {"int": 2}),
    *({"string": "0"}, {"bool": False}, {"version": "1.0.0"}, None),
)
NUMA_LISTS: tuple[Json, ...] = ({"ints": [0, 1]}, {"ints": [1, 2]}, {"strings": ["0"]})
MODELS: tuple[Json, ...] = ({"string": "a"}, {"string": "b"}, None)
TAINTS: tuple[str | None, ...] = (None, None, "NoSchedule", "NoExecute", "None")
LAYOUTS = (
    *("one",) * 16,
    *("split",) * 5,
    *("everywhere", "selected", "incomplete", "renewed", "two-nodes", "newer-elsewhere", "repeated"),
)


@dataclass(frozen=True, slots=True)
class World:
    """What slices publish: their devices by driver and pool, and the amounts' scale."""

    scale: Scale
    slices: tuple[Json, ...]
    devices: tuple[tuple[str, str, Json], ...]
    """Driver, pool, body."""


def world(choose: Choose, features: frozenset[str], nodes: Sequence[str]) -> World:
    """Pools with 1 to 6 devices together."""
    scale = choose(SCALES)
    templates = _templates(choose, features, scale)
    pools = choose(
        (((DRIVER, POOL),),) * 3
        + (((DRIVER, POOL), (DRIVER, "pool-2")), ((DRIVER, POOL), (OTHER_DRIVER, POOL)))
    )
    slices: list[Json] = []
    placed: list[tuple[str, str, Json]] = []
    for driver, pool in pools:
        count = choose((1, 2, 2, 3, 3, 4, 5, 6) if len(pools) == 1 else (1, 2, 3))
        bodies = [_device(choose, features, f"d{number}", templates) for number in range(1, count + 1)]
        placed += [(driver, pool, body) for body in bodies]
        slices += _pool(choose, driver, pool, nodes, bodies)
    return World(scale, tuple(slices), tuple(placed))


def _templates(choose: Choose, features: frozenset[str], scale: Scale) -> list[Json]:
    """A few kinds of devices; all devices of the scenario are of these kinds."""
    names = choose(CAPACITIES)
    sharing = (True, True, True, False, None) if "consumable-capacity" in features else (None,)
    templates: list[Json] = []
    for _ in range(choose((1, 2, 2, 3))):
        shared = choose(sharing)
        body: dict[str, Json] = {} if shared is None else {"allowMultipleAllocations": shared}
        capacity: dict[str, Json] = {}
        for name in names if choose((True,) * 8 + (False,)) else ():
            value = choose(VALUES)
            capacity[name] = {"value": scale.units(value)}
            policy = choose(policies(value)) if shared else None
            if policy is not None:
                capacity[name]["requestPolicy"] = policy.json(scale)
        if capacity:
            body["capacity"] = capacity
        templates.append(body)
    return templates


def _device(choose: Choose, features: frozenset[str], name: str, templates: Sequence[Json]) -> Json:
    attributes = {}
    if features & {"match-attribute", "distinct-attribute", "cel-selectors", "list-attributes"}:
        values = NUMA + (NUMA_LISTS if "list-attributes" in features else ())
        found: dict[str, Json] = {"numa": choose(values), "model": choose(MODELS)}
        attributes = {key: dict(value) for key, value in found.items() if value is not None}
    body = {"name": name, **({"attributes": attributes} if attributes else {}), **choose(templates)}
    if "device-taints" in features and (effect := choose(TAINTS)):
        body["taints"] = [{"key": "dra.example.com/bad", "effect": effect}]
    if "binding-conditions" in features and choose((False,) * 5 + (True,)):
        body |= {
            "bindingConditions": ["example.com/ready"],
            "bindingFailureConditions": ["example.com/broken"],
        }
    return body


def _pool(choose: Choose, driver: str, pool: str, nodes: Sequence[str], bodies: list[Json]) -> list[Json]:
    here, other = nodes[0], nodes[-1]
    half = (len(bodies) + 1) // 2
    first, second = choose((("a", "b"), ("b", "a")))
    name = f"{pool}-{driver.partition('.')[0]}"

    def one(suffix: str, devices: list[Json], generation: int = 1, count: int = 1, **where: Json) -> Json:
        where = where or {"nodeName": here}
        place = {"name": pool, "generation": generation, "resourceSliceCount": count}
        spec = {"driver": driver, "pool": place, **where, "devices": devices}
        return api_object("ResourceSlice", f"{name}-{suffix}", spec)

    match choose(LAYOUTS):
        case "split":
            return [one(first, bodies[:half], 1, 2), one(second, bodies[half:], 1, 2)]
        case "everywhere":
            return [one(first, bodies, allNodes=True)]
        case "selected":
            zone = {"key": "zone", "operator": "In", "values": [choose(("a", "b"))]}
            return [one(first, bodies, nodeSelector={"nodeSelectorTerms": [{"matchExpressions": [zone]}]})]
        case "incomplete":
            return [one(first, bodies, 1, 2)]
        case "renewed":
            return [one(first, bodies[:half], 1), one(second, bodies, 2)]
        case "two-nodes":
            return [one(first, bodies[:half], 1, 2), one(second, bodies[half:], 1, 2, nodeName=other)]
        case "newer-elsewhere":
            return [one(first, bodies, 1), one(second, bodies[:half], 2, nodeName=other)]
        case "repeated":
            return [one(first, bodies, 1, 2), one(second, bodies[:1], 1, 2)]
        case _:
            return [one(first, bodies)]
