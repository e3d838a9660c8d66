"""Allocators that ignore the last element that the API allows, such as the 32nd constraint."""

from __future__ import annotations

from collections.abc import Callable

from dra_conform.kube.json_values import Json
from tests.faulty.changed_builtin.answers import in_results
from tests.faulty.changed_builtin.faulty_allocator import (
    ChangesRequest,
    FaultyAllocator,
    Parts,
    World,
    constraints_of,
)


def _without_last(holders: Parts, field: str, most: int) -> ChangesRequest:
    """Remove the elements of a list or map beyond `most`."""

    def change_request(world: World) -> None:
        for holder in holders(world):
            have = holder.get(field) or ()
            if len(have) > most:
                holder[field] = dict(list(have.items())[:most]) if isinstance(have, dict) else have[:most]

    return change_request


def _specs(world: World) -> list[Json]:
    return [claim["spec"]["devices"] for claim in world.claims]


def _classes(world: World) -> list[Json]:
    return [device_class.get("spec") or {} for device_class in world.classes]


def _constraints(world: World) -> list[Json]:
    return [constraint for claim in world.claims for constraint in constraints_of(claim)]


def _configurations(world: World) -> list[Json]:
    return [entry for spec in _specs(world) for entry in spec.get("config") or ()]


def _amounts(world: World) -> list[Json]:
    return [request["capacity"] for request in world.exact_requests if request.get("capacity")]


def _counter_sets(world: World) -> list[Json]:
    return [counter_set for item in world.specs for counter_set in item.get("sharedCounters") or ()]


def _criteria(world: World) -> list[Json]:
    return [rule["spec"].get("deviceSelector") or {} for rule in world.rules]


def _terms(world: World) -> list[Json]:
    selected = [spec.get("nodeSelector") or {} for spec in (*world.specs, *world.devices)]
    return [term for one in selected for term in one.get("nodeSelectorTerms") or ()]


def _requirements(world: World) -> list[Json]:
    return [
        match_expression for term in _terms(world) for match_expression in term.get("matchExpressions") or ()
    ]


def _four(field: str) -> Callable[[list[Json]], None]:
    def change(results: list[Json]) -> None:
        for result in results:
            if result.get(field):
                result[field] = result[field][:3]

    return change


OF_LIMITS = (
    FaultyAllocator("a claim has at most 31 constraints", _without_last(_specs, "constraints", 31)),
    FaultyAllocator("a claim has at most 31 configurations", _without_last(_specs, "config", 31)),
    FaultyAllocator("a class has 31 configurations", _without_last(_classes, "config", 31)),
    FaultyAllocator("a class has 31 selectors", _without_last(_classes, "selectors", 31)),
    FaultyAllocator("a request has 31 selectors", _without_last(lambda world: world.exact_requests, "selectors", 31)),
    FaultyAllocator("a prioritized list has seven subrequests", _without_last(lambda world: world.lists, "firstAvailable", 7)),
    FaultyAllocator("a constraint names 31 requests", _without_last(_constraints, "requests", 31)),
    FaultyAllocator("a configuration names 31 requests", _without_last(_configurations, "requests", 31)),
    FaultyAllocator("a request has 31 requested capacities", _without_last(_amounts, "requests", 31)),
    FaultyAllocator("a device has 31 attributes", _without_last(lambda world: world.devices, "attributes", 31)),
    FaultyAllocator("a device has 31 capacities", _without_last(lambda world: world.devices, "capacity", 31)),
    FaultyAllocator("an entry draws on 31 counters", _without_last(lambda world: world.entries, "counters", 31)),
    FaultyAllocator("a slice has seven counter sets", _without_last(lambda world: world.specs, "sharedCounters", 7)),
    FaultyAllocator("a counter set has 31 counters", _without_last(_counter_sets, "counters", 31)),
    FaultyAllocator("a list of strings has 47 values", _without_last(lambda world: world.attributes, "strings", 47)),
    FaultyAllocator("a list of whole numbers has 47 values", _without_last(lambda world: world.attributes, "ints", 47)),
    FaultyAllocator("a rule has three selectors", _without_last(_criteria, "selectors", 3)),
    FaultyAllocator("a requirement has three values", _without_last(_requirements, "values", 3)),
    FaultyAllocator("a term has three requirements", _without_last(_terms, "matchExpressions", 3)),
    FaultyAllocator("three binding conditions are recorded", changes_answer=in_results(_four("bindingConditions"))),
    FaultyAllocator("three binding failure conditions are recorded", changes_answer=in_results(_four("bindingFailureConditions"))),
)  # fmt: skip
