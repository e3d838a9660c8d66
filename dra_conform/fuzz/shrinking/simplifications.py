"""All one-step simplifications of a scenario: removals first, then simpler values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

import msgspec

from dra_conform.conformance.steps.given import DRIVER
from dra_conform.fuzz.scenario import Scenario
from dra_conform.fuzz.shrinking.plainer_values import plainer_values, rescaled
from dra_conform.fuzz.shrinking.removals import KEPT_OF_MANY, long_device_lists, removable, repair, value_at
from dra_conform.kube.json_values import CheckedJson


def _mergeable_slices(whole: CheckedJson) -> Iterator[tuple[int, int]]:
    """Yield pairs of mergeable slices of one pool: both have counters, or equal node selection modes."""
    slices = whole["objects"].get("resourceSlices", [])
    kinds = [
        (
            *_pool(resource_slice),
            "sharedCounters" in resource_slice["spec"],
            "perDeviceNodeSelection" in resource_slice["spec"],
        )
        for resource_slice in slices
    ]
    yield from ((i, j) for i, j in combinations(range(len(slices)), 2) if kinds[i] == kinds[j])


def _merge_slices(whole: CheckedJson, first: int, last: int) -> None:
    """Move the content of the later slice to the earlier one, in place."""
    slices = whole["objects"]["resourceSlices"]
    removed = slices.pop(last)["spec"]
    for field in ("devices", "sharedCounters"):
        if field in removed:
            slices[first]["spec"][field] = slices[first]["spec"].get(field, []) + removed[field]
    _complete_pools(whole)


def _complete_pools(whole: CheckedJson) -> None:
    """Set `resourceSliceCount` of each pool to its number of slices, in place."""
    slices = whole["objects"].get("resourceSlices", [])
    for resource_slice in slices:
        generation = resource_slice["spec"]["pool"]["generation"]
        same = [
            o
            for o in slices
            if _pool(o) == _pool(resource_slice) and o["spec"]["pool"]["generation"] == generation
        ]
        resource_slice["spec"]["pool"]["resourceSliceCount"] = len(same)


def _pool(resource_slice: CheckedJson) -> tuple[str, str]:
    return resource_slice["spec"]["driver"], resource_slice["spec"]["pool"]["name"]


_NUMBERED = (
    *(("d", 1), ("r", 0), ("s", 0), ("c", 0), ("h", 0)),
    *(("node-", 1), ("pool-", 1), ("set-", 1), ("rule-", 0)),
)
"""Prefixes of names, with the number of the first name."""


def _rename(whole: CheckedJson) -> None:
    """Give a single driver its usual name, and number names in order of appearance, in place."""
    slices = whole["objects"].get("resourceSlices", [])
    drivers = {resource_slice["spec"]["driver"] for resource_slice in slices}
    for number, resource_slice in enumerate(slices, 1):
        resource_slice["metadata"]["name"] = f"slice-{number}"
    text = msgspec.json.encode(whole).decode()
    if len(drivers) == 1:
        text = text.replace(f'"{drivers.pop()}"', f'"{DRIVER}"')
    for prefix, first in _NUMBERED:
        pattern = re.compile(rf"\b{prefix}([0-9]{{1,2}})\b")
        order = {name: str(first + at) for at, name in enumerate(dict.fromkeys(pattern.findall(text)))}
        text = pattern.sub(lambda match, p=prefix, o=order: p + o[match[1]], text)  # type: ignore[misc] # defaults bind the loop's names
    whole.clear()
    whole.update(msgspec.json.decode(text))


_pack = msgspec.json.Encoder().encode
_unpack = msgspec.json.Decoder().decode


def simplifications(scenario: Scenario) -> Iterator[Scenario]:
    """Yield scenarios that each have one part removed or simplified; their objects can be invalid.

    No simplification undoes another, so shrinking ends.
    """
    whole = {
        "objects": {name: list(items) for name, items in scenario.objects.items()},
        "node": scenario.node,
        "claims": list(scenario.claims),
        "gates": dict(scenario.gates),
    }
    text = _pack(whole)
    for path in removable(whole):
        copy = _unpack(text)
        del value_at(copy, path[:-1])[path[-1]]
        yield from _finished(copy)
        if path[1] == "resourceSlices" and len(path) == 3:
            _complete_pools(copy)
            yield from _finished(copy)
    for path, value in plainer_values(whole):
        copy = _unpack(text)
        value_at(copy, path[:-1])[path[-1]] = value
        yield from _finished(copy)
    for many in long_device_lists(whole):
        copy = _unpack(text)
        del value_at(copy, many)[KEPT_OF_MANY:]
        yield from _finished(copy)
    for first, last in _mergeable_slices(whole):
        copy = _unpack(text)
        _merge_slices(copy, first, last)
        yield from _finished(copy)
    for change in (_complete_pools, _rename):
        copy = _unpack(text)
        change(copy)
        yield from _finished(copy)
    yield from (simplified for other in rescaled(_unpack(text)) for simplified in _finished(other))


def _finished(whole: CheckedJson) -> Iterator[Scenario]:
    """Repair an edited copy of a scenario; yield it if it still has a claim to allocate."""
    objects = whole["objects"]
    repair(objects)
    names = [
        f"{claim['metadata']['namespace']}/{claim['metadata']['name']}" for claim in objects["resourceClaims"]
    ]
    claims = tuple(name for name in whole["claims"] if name in names)
    if claims:
        kept = {name: tuple(items) for name, items in objects.items() if items}
        yield Scenario(_unpack_tuples(kept), whole["node"], claims, whole["gates"])


def _unpack_tuples(objects: CheckedJson) -> dict[str, tuple[CheckedJson, ...]]:
    return {name: tuple(_unpack(_pack(item)) for item in items) for name, items in objects.items()}
