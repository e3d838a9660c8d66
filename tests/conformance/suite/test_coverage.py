"""Coverage of requirements: a case for each polarity."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from dra_conform.conformance.allocate.answer import Outcome
from dra_conform.conformance.allocate.expectation import AllocationExpectation
from dra_conform.conformance.case import Case, CaseStep
from dra_conform.conformance.suite.catalogue import requirements_of
from dra_conform.conformance.suite.coverage import coverage
from tests.support.conformance.suite.writing import CATALOGUE, golden

STEP_UP, STORED = "KEP-5075/rounding/step-up", "KEP-5075/api/stored"
CATALOGUE_OF_TWO = tuple(requirements_of(CATALOGUE, "requirements/kep-5075.yaml"))


def case(name: str, requirement: str, outcome: Outcome) -> Case:
    (one,) = golden()
    act = CaseStep("", AllocationExpectation(frozenset({outcome})))
    return replace(one, id=name, requirements=(requirement,), case_steps=(act,))


ACCEPTS = case("a", STEP_UP, Outcome.ALLOCATED)
REFUSES = case("r", STEP_UP, Outcome.UNALLOCATABLE)
ERRS = case("e", STEP_UP, Outcome.ERRORED)
STORES = case("s", STORED, Outcome.ALLOCATED)


def row(cases: list[Case], requirement: str = STEP_UP) -> Any:
    return next(one for one in coverage(CATALOGUE_OF_TWO, cases)["requirements"] if one["id"] == requirement)


@pytest.mark.parametrize(
    ("cases", "covered", "accepts", "rejects"),
    [
        ([], False, 0, 0),
        ([ACCEPTS], False, 1, 0),
        ([REFUSES, ERRS], False, 0, 2),
        ([ACCEPTS, REFUSES], True, 1, 1),
        ([ACCEPTS, ERRS], True, 1, 1),
        ([STORES], False, 0, 0),
    ],
)
def test_both_polarities(cases: list[Case], covered: bool, accepts: int, rejects: int) -> None:
    found = row(cases)
    assert (found["covered"], found["accepts"], found["rejects"]) == (covered, accepts, rejects)


def test_one_polarity() -> None:
    assert row([STORES], STORED)["covered"]
    assert not row([replace(REFUSES, requirements=(STORED,))], STORED)["covered"]


def test_the_document() -> None:
    document = coverage(CATALOGUE_OF_TWO, [ACCEPTS, STORES])
    assert document["requirements"][0] == {
        "id": STEP_UP,
        "document": "KEP-5075",
        "level": "MUST",
        "operation": "consume",
        "covered": False,
        "untestable": False,
        "cases": ["a"],
        "accepts": 1,
        "rejects": 0,
    }
    assert document["totals"] == {
        "total": 2,
        "covered": 1,
        "untestable": 0,
        "documents": {"KEP-5075": {"total": 2, "covered": 1, "untestable": 0}},
        "levels": {
            "MUST": {"total": 1, "covered": 0, "untestable": 0},
            "SHOULD": {"total": 1, "covered": 1, "untestable": 0},
        },
        "operations": {
            "consume": {"total": 1, "covered": 0, "untestable": 0},
            "admit": {"total": 1, "covered": 1, "untestable": 0},
        },
    }


def test_untestable_requirements_are_counted_separately() -> None:
    catalogue = [replace(one, untestable="a metric") for one in CATALOGUE_OF_TWO]
    document = coverage(catalogue, [ACCEPTS, REFUSES])
    assert [one["covered"] for one in document["requirements"]] == [False, False]
    assert (document["totals"]["covered"], document["totals"]["untestable"]) == (0, 2)
