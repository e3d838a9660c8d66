"""The golden case of a difference fails on the implementation that differs, and passes on the built-in."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path

import pytest

from dra_conform.adapters.builtin import Builtin
from dra_conform.adapters.inprocess import InProcessImplementation
from dra_conform.conformance.suite.golden import golden_cases
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity
from dra_conform.sweep.areas.table import AREAS
from dra_conform.sweep.campaign import opened, start
from dra_conform.sweep.capacity_row import Capacity, CapacityRow
from dra_conform.sweep.counterexample import shows, write_case
from dra_conform.sweep.decision import REJECTED, RowDecision, RowOutcome
from dra_conform.sweep.known import why_rows_differ
from dra_conform.sweep.part import Found, SweepSettings
from dra_conform.sweep.quantities import WrittenQuantity
from dra_conform.sweep.totals import CauseFound
from tests.support.rows import mostly_slow
from tests.support.sweep.sweeping import swept

Change = Callable[[Json], None]
ROWS = 300


def _more(text: str) -> str:
    return str(Quantity.parse(text) + Quantity(1))


def _consume_more(body: Json) -> None:
    for allocation in body.get("allocations", {}).values():
        for result in allocation["devices"]["results"]:
            consumed = result.get("consumedCapacity") or {}
            consumed.update({name: _more(text) for name, text in consumed.items()})


def _count_more(body: Json) -> None:
    for field in ("used", "resources"):
        if field in body:
            body[field] = {name: _more(text) for name, text in body[field].items()}


def _store_more(body: Json) -> None:
    for device in body.get("object", {}).get("spec", {}).get("devices", ()):
        for capacity in device["capacity"].values():
            capacity["value"] = _more(capacity["value"])


def _without_amounts(objects: Json) -> None:
    """Remove what devices consume of counters, and what claims request of exclusive devices."""
    for resource_slice in objects.get("resourceSlices", ()):
        for device in resource_slice["spec"].get("devices", ()):
            device.pop("consumesCounters", None)
    for claim in objects.get("resourceClaims", ()):
        for request in claim["spec"]["devices"]["requests"]:
            for asked in (request.get("exactly"), *request.get("firstAvailable", ())):
                if asked is not None:
                    asked.pop("capacity", None)


def _nothing(_: Json) -> None:
    pass


RANDOM_PART = 100
"""A part after all combinations of value classes, with random rows only."""

WRONG: dict[str, tuple[Change, Change]] = {
    "rounding": (_nothing, _consume_more),
    "defaults": (_nothing, _consume_more),
    "filter": (_without_amounts, _nothing),
    "remaining": (_nothing, _consume_more),
    "counters": (_without_amounts, _nothing),
    "notation": (_nothing, _consume_more),
    "footprint": (_nothing, _count_more),
    "usage": (_nothing, _count_more),
    "policy": (_nothing, _store_more),
}
"""How each area is answered wrongly: a change of the objects that are asked, and of the result."""


def _wrong(area: str) -> InProcessImplementation:
    asked, answered = WRONG[area]
    operation = AREAS[area].operation
    right = getattr(Builtin, operation)

    def answer(self: object, objects: Json, ask: Json, profile: Profile) -> Json:
        changed = copy.deepcopy(objects)
        asked(changed)
        body = copy.deepcopy(right(changed, ask, profile))
        answered(body)
        return body

    target = type("Wrong", (), {"operations": (operation,), operation: answer})
    return InProcessImplementation(target, spec="python:wrong")


@pytest.mark.parametrize("area", mostly_slow(AREAS, 2))
def test_a_case_shows_its_difference_and_only_that(area: str, tmp_path: Path) -> None:
    wrong, right = _wrong(area), opened("builtin")
    totals = swept(area, ROWS, implementation=wrong)
    settings = SweepSettings(area, "kep", 3, inadmissible=False, deadline_ms=60_000)
    assert totals.unexplained
    start(wrong)
    start(right)
    for cause in totals.unexplained[:3]:
        path = write_case(cause, settings, wrong, "dra-conform sweep", tmp_path)
        text = path.read_text("utf-8")
        assert len(list(golden_cases(text, "golden/x.yaml", lambda _: ()))) == 1
        assert shows(text, wrong, settings)
        assert not shows(text, right, settings)


def test_a_random_row_is_that_of_its_part() -> None:
    settings = SweepSettings("rounding", "kep", 3, inadmissible=False, deadline_ms=60_000)
    rows = settings.rows(RANDOM_PART, ROWS)
    found = Found("", "", "", 1, 5, (), rows[5].classes, ("rejected", ""), ("accepted", "1"), "")
    assert CauseFound(RANDOM_PART, ROWS, found).row(settings).texts() == rows[5].texts()


def test_a_default_beyond_milli_units_is_a_known_fault_of_1_37() -> None:
    amounts = {"default": "9Pi", "minimum": "4Pi", "step": "5Pi"}
    parts = {name: WrittenQuantity(Quantity.parse(text).nano, text) for name, text in amounts.items()}
    value = WrittenQuantity(Quantity.parse("12Pi").nano, "12Pi")
    row = CapacityRow(Capacity("min, step", "1Pi", value, **parts), None, (), "unset", "all")
    accepted = RowDecision(RowOutcome.ACCEPTED, parts["default"].nano)
    reasons = [
        why_rows_differ("rounding", Profile.named(name), row, accepted, REJECTED)
        for name in ("kubernetes-1.36", "kubernetes-1.37")
    ]
    assert [bool(reason) for reason in reasons] == [False, True]
