"""Answers that no implementation should give become decisions about rows, and never exceptions."""

from __future__ import annotations

import copy
from collections.abc import Callable

import pytest

from dra_conform.adapters.inprocess import InProcessImplementation
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.simulation.parts import allocate
from tests.support.sweep.sweeping import swept

ROWS = 120


def _asked(change: Callable[[Json], Json]) -> InProcessImplementation:
    """Return an implementation that changes each result of the built-in."""

    class Hostile:
        operations = ("allocate",)

        def allocate(self, objects: Json, ask: Json, profile: Profile) -> Json:
            body = copy.deepcopy(allocate(objects, ask, profile))
            return change(body)

    return InProcessImplementation(Hostile, spec="python:hostile")


def _each_result(change: Callable[[Json], None]) -> Callable[[Json], Json]:
    def changed(body: Json) -> Json:
        for allocation in body.get("allocations", {}).values():
            for result in allocation["devices"]["results"]:
                change(result)
        return body

    return changed


def _each_quantity(text: Json) -> Callable[[Json], Json]:
    def change(result: Json) -> None:
        for name in result.get("consumedCapacity") or ():
            result["consumedCapacity"][name] = text

    return _each_result(change)


def _crash(body: Json) -> Json:
    raise RuntimeError("the allocator panics")


ANSWERS: dict[str, tuple[Callable[[Json], Json], str]] = {
    "no quantity": (_each_quantity("many"), "unreadable"),
    "empty quantity": (_each_quantity(""), "unreadable"),
    "a number": (_each_quantity(5), "fault"),
    "a list": (_each_quantity(["1"]), "fault"),
    "a huge quantity": (_each_quantity("1e500"), "unreadable"),
    "quantities are left out": (_each_result(lambda result: result.pop("consumedCapacity", None)), "missing"),
    "unknown capacity": (
        _each_result(lambda result: result.get("consumedCapacity", {}).update({"x": "1"})),
        "unreadable",
    ),
    "other device": (_each_result(lambda result: result.update(device="other")), "unreadable"),
    "other request": (_each_result(lambda result: result.update(request="r0/other")), "unreadable"),
    "claims are left out": (lambda body: {**body, "allocations": {}}, "missing"),
    "results are left out": (
        lambda body: {
            **body,
            "allocations": {name: {"devices": {}} for name in body.get("allocations", {})},
        },
        "unreadable",
    ),
    "nothing allocated": (lambda body: {"outcome": "unallocatable"}, "fault"),
    "unknown outcome": (lambda body: {"outcome": "perhaps"}, "fault"),
    "no mapping": (lambda body: [], "fault"),
    "crash": (_crash, "fault"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_a_hostile_answer_is_a_difference(name: str) -> None:
    change, outcome = ANSWERS[name]
    totals = swept("rounding", ROWS, implementation=_asked(change))
    assert totals.rows == ROWS
    assert totals.differing > 0
    assert {cause.found.actual[0] for cause in totals.unexplained} == {outcome}
    assert not totals.doubts


def test_an_implementation_that_declines_is_not_wrong() -> None:
    class Declining:
        operations = ("allocate",)

        def allocate(self, objects: Json, ask: Json, profile: Profile) -> Json:
            return {"status": "unsupported", "message": "no shared devices"}

    implementation = InProcessImplementation(Declining, spec="python:declining")
    totals = swept("rounding", ROWS, implementation=implementation)
    assert (totals.declined, totals.differing) == (ROWS, 0)
