"""Shrinking of multi-step scenarios: the cut after the difference, and what can be removed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import msgspec

from dra_conform.fuzz.multi_step.cluster_scenario import ClusterScenario
from dra_conform.fuzz.shrinking.removals import FieldPath, value_at
from dra_conform.fuzz.shrinking.shrink import smallest

Json = Any

LIMIT = 120
"""The most runs of both implementations to shrink one scenario."""

_KEPT = frozenset(
    {"apiVersion", "kind", "name", "namespace", "metadata", "do", "of", "object", "spec", "groups"}
)
"""Fields that are not removed: an action needs them, or they identify the object."""


def shrink_scenario(
    scenario: ClusterScenario, step: int, shows: Callable[[ClusterScenario], bool], *, limit: int = LIMIT
) -> ClusterScenario:
    """Simplify a scenario as long as `shows` stays true, until nothing is left to simplify or after `limit`
    runs.

    Actions after the index `step` are removed first.
    """
    if limit and step + 1 < len(scenario.actions):
        cut = replace(scenario, actions=scenario.actions[: step + 1])
        limit -= 1
        scenario = cut if shows(cut) else scenario
    return smallest(scenario, _simpler, shows, limit=limit)


def _simpler(scenario: ClusterScenario) -> Iterator[ClusterScenario]:
    """Yield scenarios without one part: all gates, an action, an object, a gate, a field or a list item."""
    if len(scenario.gates) > 1:
        yield replace(scenario, gates={})
    for place in reversed(range(len(scenario.actions) - 1)):
        yield replace(scenario, actions=(*scenario.actions[:place], *scenario.actions[place + 1 :]))
    for name, several in scenario.objects.items():
        for place in range(len(several)):
            left = (*several[:place], *several[place + 1 :])
            objects = {**scenario.objects, name: left}
            yield replace(scenario, objects={kind: some for kind, some in objects.items() if some})
    for gate in scenario.gates:
        yield replace(scenario, gates={name: on for name, on in scenario.gates.items() if name != gate})
    yield from _without_fields(scenario)


def _without_fields(scenario: ClusterScenario) -> Iterator[ClusterScenario]:
    whole = {"objects": scenario.objects, "actions": list(scenario.actions)}
    text = msgspec.json.encode(whole)
    for path in list(_removable(msgspec.json.decode(text), ())):
        copy = msgspec.json.decode(text)
        del value_at(copy, path[:-1])[path[-1]]
        objects = {name: tuple(several) for name, several in copy["objects"].items()}
        yield replace(scenario, objects=objects, actions=tuple(copy["actions"]))


def _removable(value: Json, path: FieldPath) -> Iterator[FieldPath]:
    """Yield the paths of removable fields and list items, outer before inner."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if len(path) > 2 and name not in _KEPT:
                yield (*path, name)
            if name != "of":
                yield from _removable(inner, (*path, name))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            if len(path) > 2 and len(value) <= 40:
                yield (*path, place)
            yield from _removable(inner, (*path, place))
