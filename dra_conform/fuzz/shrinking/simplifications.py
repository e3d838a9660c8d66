"""All one-step simplifications of a scenario: removals first, then simpler values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from dra_conform.fuzz.scenario import Scenario
from dra_conform.fuzz.shrinking.field_path import value_at
from dra_conform.fuzz.shrinking.merging import complete_pools, merge_slices, mergeable_slices
from dra_conform.fuzz.shrinking.plainer_values import plainer_values
from dra_conform.fuzz.shrinking.removals import KEPT_OF_MANY, long_device_lists, removable
from dra_conform.fuzz.shrinking.renaming import rename
from dra_conform.fuzz.shrinking.repairs import repair
from dra_conform.fuzz.shrinking.scaling import rescaled

Json = Any

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
            complete_pools(copy)
            yield from _finished(copy)
    for path, value in plainer_values(whole):
        copy = _unpack(text)
        value_at(copy, path[:-1])[path[-1]] = value
        yield from _finished(copy)
    for many in long_device_lists(whole):
        copy = _unpack(text)
        del value_at(copy, many)[KEPT_OF_MANY:]
        yield from _finished(copy)
    for first, last in mergeable_slices(whole):
        copy = _unpack(text)
        merge_slices(copy, first, last)
        yield from _finished(copy)
    for change in (complete_pools, rename):
        copy = _unpack(text)
        change(copy)
        yield from _finished(copy)
    yield from (simplified for other in rescaled(_unpack(text)) for simplified in _finished(other))


def _finished(whole: Json) -> Iterator[Scenario]:
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


def _unpack_tuples(objects: Json) -> dict[str, tuple[Json, ...]]:
    return {name: tuple(_unpack(_pack(item)) for item in items) for name, items in objects.items()}
