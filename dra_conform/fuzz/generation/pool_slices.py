"""Random ResourceSlices of a pool: complete, incomplete, obsolete, or invalid, with random node access,
counter sets, and consumed counters that just fit or just fail."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dra_conform.fuzz.generation.amounts import Scale
from dra_conform.fuzz.generation.chance import Choose, happens
from dra_conform.fuzz.scenario import api_object
from dra_conform.kube.json_values import Json

CounterSets = Mapping[str, Mapping[str, int]]
"""Quantities in nano by counter set and counter (KEP-4815)."""

COMPATIBILITY_GROUPS: tuple[tuple[str, ...], ...] = (
    *(("a",), ("b",), ("a",), ("a", "b"), ("a", "b"), ("b", "c"), ("c", "a"), ()),
)
"""Possible compatibility groups of an entry of `consumesCounters` (KEP-5963)."""

_NAMES = (("set-1",), ("set-1", "set-2"))
_COUNTERS = (("mem",), ("mem",), ("mem", "cores"))
_VALUES = (4, 4, 8, 2)


def counter_sets(choose: Choose, scale: Scale) -> CounterSets:
    """Choose one or two sets with one or two counters; the pools of a scenario use equal names."""
    names, counters = choose(_NAMES), choose(_COUNTERS)
    return {name: {counter: choose(_VALUES) * scale.unit for counter in counters} for name in names}


def shared_counters(sets: CounterSets, scale: Scale) -> list[Json]:
    """Return the sets as the `sharedCounters` of a slice."""
    return [{"name": name, "counters": _written(counters, scale)} for name, counters in sets.items()]


def consumed_counters(choose: Choose, sets: CounterSets, scale: Scale, *, grouped: bool) -> list[Json]:
    """Generate the `consumesCounters` of one device, for no set, one set or all sets.

    If `grouped`, the entries name compatibility groups.
    """
    if happens(choose, 6):
        return []
    names = tuple(sets)
    used = choose((*((name,) for name in names), names))
    entries = []
    for name in used:
        counters = sets[name]
        if len(counters) > 1 and happens(choose, 4):
            counter = choose(tuple(counters))
            counters = {counter: counters[counter]}
        taken = {
            counter: choose(_amounts(value, scale, grouped=grouped)) for counter, value in counters.items()
        }
        entry = {"counterSet": name, "counters": _written(taken, scale)}
        groups = choose(COMPATIBILITY_GROUPS) if grouped else ()
        entries.append({**entry, "compatibilityGroups": list(groups)} if groups else entry)
    return entries


def _amounts(value: int, scale: Scale, *, grouped: bool) -> tuple[int, ...]:
    """Return likely quantities: halves and wholes first, then slightly different quantities.

    If `grouped`, most quantities are small.
    """
    half = value // 2
    usual: tuple[int, ...] = (*(half,) * 6, value, scale.unit, scale.unit, value - scale.unit)
    if grouped:
        usual = (*(scale.unit,) * 20, *usual)
    return (*usual, half + scale.tiny, half - scale.tiny, value - half + scale.unit, 0, value + scale.tiny)


def _written(amounts: Mapping[str, int], scale: Scale) -> dict[str, Json]:
    return {name: {"value": scale.text(amount)} for name, amount in amounts.items()}


_NodeSelection = Mapping[str, Json]
"""The node selection of a slice or a device, in the form of the API."""

_PER_DEVICE: _NodeSelection = {"perDeviceNodeSelection": True}
_EVERYWHERE: _NodeSelection = {"allNodes": True}

_REQUIREMENTS: tuple[Json, ...] = (
    {"key": "zone", "operator": "In", "values": ["a"]},
    {"key": "zone", "operator": "In", "values": ["b"]},
    {"key": "zone", "operator": "In", "values": ["b", "a"]},
    {"key": "zone", "operator": "NotIn", "values": ["b"]},
    {"key": "disk", "operator": "Exists"},
    {"key": "disk", "operator": "DoesNotExist"},
)


def _node_selection(choose: Choose, nodes: Sequence[str]) -> _NodeSelection:
    """Choose the first node most often, otherwise all nodes, nodes with some labels, or the last node."""
    kind = choose((*("here",) * 7, "every", "every", "chosen", "chosen", "named", "there"))
    match kind:
        case "every":
            return _EVERYWHERE
        case "chosen":
            return _selected({"matchExpressions": [choose(_REQUIREMENTS)]})
        case "named":
            name = {"key": "metadata.name", "operator": "In", "values": [choose(tuple(nodes))]}
            return _selected({"matchFields": [name]})
        case "there":
            return {"nodeName": nodes[-1]}
        case _:
            return {"nodeName": nodes[0]}


def _selected(term: Json) -> _NodeSelection:
    return {"nodeSelector": {"nodeSelectorTerms": [term]}}


_ORDERS = ("abcd", "bacd", "dcba")
_FLAWS = ("missing", "surplus", "older", "newer", "newer-unfinished", "newer-elsewhere", "twice")
_COUNTER_FLAWS = ("no-set", "no-counter", "set-twice", "no-set-elsewhere")


@dataclass(frozen=True, slots=True)
class PoolToPublish:
    """A pool to publish, with its devices in the form of the API and its counter sets.

    If `per_device_nodes`, devices can select nodes themselves. If `beyond_first_node`, the pool is often not
    only for the first node. If `mixed_slices`, a slice can have counter sets and devices.
    """

    driver: str
    name: str
    devices: Sequence[Json]
    scale: Scale
    sets: CounterSets
    per_device_nodes: bool
    beyond_first_node: bool
    mixed_slices: bool


def pool_slices(choose: Choose, pool: PoolToPublish, nodes: Sequence[str]) -> list[Json]:
    """Generate the ResourceSlices of a pool for these nodes; one pool in ten is incomplete or invalid."""
    flaw = choose((*("",) * 72, *_FLAWS, *(_COUNTER_FLAWS if pool.sets else ())))
    order = iter(choose(_ORDERS))
    generation = choose((1, 1, 1, 2))
    moved = happens(choose, 2 if pool.beyond_first_node else 8)
    home = _node_selection(choose, nodes) if moved else {"nodeName": nodes[0]}
    specs = list(_device_slices(choose, pool, nodes, home))
    counters = list(_counter_slices(choose, pool, nodes, home, flaw))
    if counters and pool.mixed_slices and happens(choose, 2):
        specs[0] = {**specs[0], "sharedCounters": counters.pop(0)["sharedCounters"]}
    specs += counters
    if flaw == "twice":
        specs.append({**home, "devices": pool.devices[:1]})
    if flaw == "no-set-elsewhere":
        ghost = {"name": "ghost", "consumesCounters": [{"counterSet": "set-9", "counters": {}}]}
        specs.append({"nodeName": nodes[-1], "devices": [ghost]})
    declared = len(specs) + {"missing": 1, "surplus": -1 if len(specs) > 1 else 1}.get(flaw, 0)
    specs = [{**_head(pool, generation, declared), **spec} for spec in specs]
    for count, where, change in _other_generations(flaw, home, nodes):
        devices = pool.devices[: (len(pool.devices) + 1) // 2]
        other = {**_head(pool, generation + change, count), **where, "devices": devices}
        specs.insert(choose((0, len(specs))), other)
    name = f"{pool.name}-{pool.driver.partition('.')[0]}"
    return [
        api_object("ResourceSlice", f"{name}-{next(order, f'e{n}')}", spec) for n, spec in enumerate(specs)
    ]


def _device_slices(
    choose: Choose, pool: PoolToPublish, nodes: Sequence[str], home: _NodeSelection
) -> Iterator[dict[str, Json]]:
    """Yield the devices in one to three slices; some slices use `perDeviceNodeSelection`."""
    count = min(choose((1, 1, 1, 1, 1, 2, 2, 3)), len(pool.devices))
    size = -(-len(pool.devices) // count)
    for first in range(0, len(pool.devices), size):
        bodies = pool.devices[first : first + size]
        if pool.per_device_nodes and happens(choose, 4):
            yield {**_PER_DEVICE, "devices": [{**body, **_node_selection(choose, nodes)} for body in bodies]}
        else:
            where = _node_selection(choose, nodes) if first and happens(choose, 2) else home
            yield {**where, "devices": bodies}


def _counter_slices(
    choose: Choose, pool: PoolToPublish, nodes: Sequence[str], home: _NodeSelection, flaw: str
) -> Iterator[dict[str, Json]]:
    """Yield the counter sets in one slice, or each in its own slice, mostly for the nodes of the devices."""
    sets = shared_counters(pool.sets, pool.scale)
    if flaw == "no-set":
        sets = sets[1:]
    elif flaw == "no-counter":
        sets = [
            {**counter_set, "counters": dict(list(counter_set["counters"].items())[1:])}
            for counter_set in sets
        ]
    if not sets:
        return
    where = choose((home, home, home, _EVERYWHERE, {"nodeName": nodes[-1]}, _node_selection(choose, nodes)))
    if len(sets) > 1 and happens(choose, 3):
        yield from ({**where, "sharedCounters": [counter_set]} for counter_set in sets)
    else:
        yield {**where, "sharedCounters": sets}
    if flaw == "set-twice":
        yield {**where, "sharedCounters": sets[:1]}


def _other_generations(
    flaw: str, home: _NodeSelection, nodes: Sequence[str]
) -> Iterator[tuple[int, _NodeSelection, int]]:
    """Yield the ResourceSlices of other generations: slice count, node selection, and generation offset."""
    match flaw:
        case "older":
            yield 1, home, -1
        case "newer":
            yield 1, home, 1
        case "newer-unfinished":
            yield 2, home, 1
        case "newer-elsewhere":
            yield 1, {"nodeName": nodes[-1]}, 1


def _head(pool: PoolToPublish, generation: int, count: int) -> dict[str, Json]:
    published = {"name": pool.name, "generation": generation, "resourceSliceCount": count}
    return {"driver": pool.driver, "pool": published}
