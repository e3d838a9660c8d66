"""Misreadings of the last of what the API lets one write: the 32nd constraint, the eighth alternative."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.faulty.misreadings.misreading import Misreading, Parts, Reads, World, constraints_of
from tests.faulty.misreadings.misreports import in_results

Json = Any


def _without_last(holders: Parts, field: str, most: int) -> Reads:
    """Leaves out what a list or map has beyond `most`."""

    def reads(world: World) -> None:
        for one in holders(world):
            have = one.get(field) or ()
            if len(have) > most:
                one[field] = dict(list(have.items())[:most]) if isinstance(have, dict) else have[:most]

    return reads


def _specs(world: World) -> list[Json]:
    return [claim["spec"]["devices"] for claim in world.claims]


def _classes(world: World) -> list[Json]:
    return [one.get("spec") or {} for one in world.classes]


def _constraints(world: World) -> list[Json]:
    return [one for claim in world.claims for one in constraints_of(claim)]


def _configurations(world: World) -> list[Json]:
    return [entry for spec in _specs(world) for entry in spec.get("config") or ()]


def _amounts(world: World) -> list[Json]:
    return [one["capacity"] for one in world.asked if one.get("capacity")]


def _counter_sets(world: World) -> list[Json]:
    return [one for item in world.specs for one in item.get("sharedCounters") or ()]


def _criteria(world: World) -> list[Json]:
    return [one["spec"].get("deviceSelector") or {} for one in world.rules]


def _terms(world: World) -> list[Json]:
    selected = [one.get("nodeSelector") or {} for one in (*world.specs, *world.devices)]
    return [term for one in selected for term in one.get("nodeSelectorTerms") or ()]


def _requirements(world: World) -> list[Json]:
    return [one for term in _terms(world) for one in term.get("matchExpressions") or ()]


def _four(field: str) -> Callable[[list[Json]], None]:
    def change(results: list[Json]) -> None:
        for one in results:
            if one.get(field):
                one[field] = one[field][:3]

    return change


OF_LIMITS = (
    Misreading("a claim has 31 constraints", _without_last(_specs, "constraints", 31)),
    Misreading("a claim has 31 configurations", _without_last(_specs, "config", 31)),
    Misreading("a class has 31 configurations", _without_last(_classes, "config", 31)),
    Misreading("a class has 31 selectors", _without_last(_classes, "selectors", 31)),
    Misreading("a request has 31 selectors", _without_last(lambda world: world.asked, "selectors", 31)),
    Misreading("a list has seven alternatives", _without_last(lambda world: world.lists, "firstAvailable", 7)),
    Misreading("a constraint names 31 requests", _without_last(_constraints, "requests", 31)),
    Misreading("a configuration names 31 requests", _without_last(_configurations, "requests", 31)),
    Misreading("a request asks for 31 amounts", _without_last(_amounts, "requests", 31)),
    Misreading("a device has 31 attributes", _without_last(lambda world: world.devices, "attributes", 31)),
    Misreading("a device has 31 capacities", _without_last(lambda world: world.devices, "capacity", 31)),
    Misreading("an entry draws on 31 counters", _without_last(lambda world: world.entries, "counters", 31)),
    Misreading("a slice has seven counter sets", _without_last(lambda world: world.specs, "sharedCounters", 7)),
    Misreading("a counter set has 31 counters", _without_last(_counter_sets, "counters", 31)),
    Misreading("a list of texts has 47 values", _without_last(lambda world: world.attributes, "strings", 47)),
    Misreading("a list of whole numbers has 47 values", _without_last(lambda world: world.attributes, "ints", 47)),
    Misreading("a rule has three selectors", _without_last(_criteria, "selectors", 3)),
    Misreading("a requirement has three values", _without_last(_requirements, "values", 3)),
    Misreading("a term has three requirements", _without_last(_terms, "matchExpressions", 3)),
    Misreading("three binding conditions are recorded", tells=in_results(_four("bindingConditions"))),
    Misreading("three binding failure conditions are recorded", tells=in_results(_four("bindingFailureConditions"))),
)  # fmt: skip
