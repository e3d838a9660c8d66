"""Pools and the slices that publish them: on one node or several, whole, unfinished, outdated, or invalid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dra_conform.fuzz.generation.amounts import Scale
from dra_conform.fuzz.generation.shared_counters import Sets, shared_counters
from dra_conform.fuzz.scenario import Choose, api_object, happens

Json = Any
Place = Mapping[str, Json]
"""The node selection of a slice or a device, as the API has it."""

PER_DEVICE: Place = {"perDeviceNodeSelection": True}
EVERYWHERE: Place = {"allNodes": True}

_ORDERS = ("abcd", "bacd", "dcba")
_REQUIREMENTS: tuple[Json, ...] = (
    {"key": "zone", "operator": "In", "values": ["a"]},
    {"key": "zone", "operator": "In", "values": ["b"]},
    {"key": "zone", "operator": "In", "values": ["b", "a"]},
    {"key": "zone", "operator": "NotIn", "values": ["b"]},
    {"key": "disk", "operator": "Exists"},
    {"key": "disk", "operator": "DoesNotExist"},
)
_FLAWS = ("missing", "surplus", "older", "newer", "newer-unfinished", "newer-elsewhere", "twice")
_COUNTER_FLAWS = ("no-set", "no-counter", "set-twice", "no-set-elsewhere")


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool to publish. `sets` are its counter sets.

    `split`: devices may choose nodes themselves. `wide`: often not for the first node alone. `mixed`: counter
    sets may stand beside devices.
    """

    driver: str
    name: str
    bodies: Sequence[Json]
    scale: Scale
    sets: Sets
    split: bool
    wide: bool
    mixed: bool


def slices(choose: Choose, pool: Pool, nodes: Sequence[str]) -> list[Json]:
    """The slices of a pool; one pool in ten has a flaw."""
    flaw = choose((*("",) * 72, *_FLAWS, *(_COUNTER_FLAWS if pool.sets else ())))
    order = iter(choose(_ORDERS))
    generation = choose((1, 1, 1, 2))
    home = place(choose, nodes) if happens(choose, 2 if pool.wide else 8) else {"nodeName": nodes[0]}
    specs = list(_device_slices(choose, pool, nodes, home))
    counters = list(_counter_slices(choose, pool, nodes, home, flaw))
    if counters and pool.mixed and happens(choose, 2):
        specs[0] = {**specs[0], "sharedCounters": counters.pop(0)["sharedCounters"]}
    specs += counters
    if flaw == "twice":
        specs.append({**home, "devices": pool.bodies[:1]})
    if flaw == "no-set-elsewhere":
        ghost = {"name": "ghost", "consumesCounters": [{"counterSet": "set-9", "counters": {}}]}
        specs.append({"nodeName": nodes[-1], "devices": [ghost]})
    declared = len(specs) + {"missing": 1, "surplus": -1 if len(specs) > 1 else 1}.get(flaw, 0)
    specs = [{**_head(pool, generation, declared), **spec} for spec in specs]
    for count, where, change in _others(flaw, home, nodes):
        devices = pool.bodies[: (len(pool.bodies) + 1) // 2]
        other = {**_head(pool, generation + change, count), **where, "devices": devices}
        specs.insert(choose((0, len(specs))), other)
    name = f"{pool.name}-{pool.driver.partition('.')[0]}"
    return [api_object("ResourceSlice", f"{name}-{next(order, f'e{n}')}", one) for n, one in enumerate(specs)]


def place(choose: Choose, nodes: Sequence[str]) -> Place:
    """Often the first node; else every node, those with some labels, or the last node."""
    kind = choose((*("here",) * 7, "every", "every", "chosen", "chosen", "named", "there"))
    match kind:
        case "every":
            return EVERYWHERE
        case "chosen":
            return _selected({"matchExpressions": [choose(_REQUIREMENTS)]})
        case "named":
            name = {"key": "metadata.name", "operator": "In", "values": [choose(tuple(nodes))]}
            return _selected({"matchFields": [name]})
        case "there":
            return {"nodeName": nodes[-1]}
        case _:
            return {"nodeName": nodes[0]}


def _selected(term: Json) -> Place:
    return {"nodeSelector": {"nodeSelectorTerms": [term]}}


def _device_slices(
    choose: Choose, pool: Pool, nodes: Sequence[str], home: Place
) -> Iterator[dict[str, Json]]:
    """The devices in one to three slices; some slices leave the choice of nodes to their devices."""
    count = min(choose((1, 1, 1, 1, 1, 2, 2, 3)), len(pool.bodies))
    size = -(-len(pool.bodies) // count)
    for first in range(0, len(pool.bodies), size):
        bodies = pool.bodies[first : first + size]
        if pool.split and happens(choose, 4):
            yield {**PER_DEVICE, "devices": [{**body, **place(choose, nodes)} for body in bodies]}
        else:
            where = place(choose, nodes) if first and happens(choose, 2) else home
            yield {**where, "devices": bodies}


def _counter_slices(
    choose: Choose, pool: Pool, nodes: Sequence[str], home: Place, flaw: str
) -> Iterator[dict[str, Json]]:
    """The counter sets in one slice, or each in its own, mostly for the nodes of the devices."""
    sets = shared_counters(pool.sets, pool.scale)
    if flaw == "no-set":
        sets = sets[1:]
    elif flaw == "no-counter":
        sets = [{**one, "counters": dict(list(one["counters"].items())[1:])} for one in sets]
    if not sets:
        return
    where = choose((home, home, home, EVERYWHERE, {"nodeName": nodes[-1]}, place(choose, nodes)))
    if len(sets) > 1 and happens(choose, 3):
        yield from ({**where, "sharedCounters": [one]} for one in sets)
    else:
        yield {**where, "sharedCounters": sets}
    if flaw == "set-twice":
        yield {**where, "sharedCounters": sets[:1]}


def _others(flaw: str, home: Place, nodes: Sequence[str]) -> Iterator[tuple[int, Place, int]]:
    """Slices of other generations: how many are declared, where, and by how much the generation differs."""
    match flaw:
        case "older":
            yield 1, home, -1
        case "newer":
            yield 1, home, 1
        case "newer-unfinished":
            yield 2, home, 1
        case "newer-elsewhere":
            yield 1, {"nodeName": nodes[-1]}, 1


def _head(pool: Pool, generation: int, count: int) -> dict[str, Json]:
    place = {"name": pool.name, "generation": generation, "resourceSliceCount": count}
    return {"driver": pool.driver, "pool": place}
