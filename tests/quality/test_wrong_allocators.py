"""Correct allocators pass the suite, and faulty ones fail a case of the violated requirement."""

from __future__ import annotations

import pytest

from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import Verdict
from tests.faulty.implementations.allocators import WRONG
from tests.faulty.implementations.random_faults import WRONG_BY_CHANCE
from tests.faulty.implementations.running import results, verdicts
from tests.reference.right import RIGHT, AnyFitting
from tests.reference.textbook import Textbook
from tests.support.rows import mostly_slow

FEW = ((Textbook, 0), (AnyFitting, 0))
"""Correct allocators that `make test` runs, each with its seed."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("allocator", "seed"),
    [
        pytest.param(result, seed, marks=() if (result, seed) in FEW else pytest.mark.slow)
        for result, seed in (*((result, 0) for result in RIGHT), (AnyFitting, 1), (AnyFitting, 2))
    ],
)
def test_a_correct_allocator_passes_with_any_choice_of_devices(
    shipped_suite: LoadedSuite, allocator: type[Textbook], seed: int
) -> None:
    case_results = results(shipped_suite, allocator, "allocate", seed=seed)
    wrong = [
        (result.case.id, result.detail, result.findings)
        for result in case_results
        if result.verdict is not Verdict.PASS
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("allocator", "requirement"),
    mostly_slow(WRONG.items(), 20),
    ids=lambda row: getattr(row, "__name__", None),
)
def test_a_faulty_allocator_fails_the_violated_requirement(
    shipped_suite: LoadedSuite, allocator: type[Textbook], requirement: str
) -> None:
    assert verdicts(shipped_suite, allocator, "allocate", requirement) - {Verdict.PASS} == {Verdict.FAIL}


@pytest.mark.parametrize(
    ("allocator", "rows"), WRONG_BY_CHANCE.items(), ids=lambda result: getattr(result, "__name__", None)
)
def test_a_randomly_faulty_allocator_fails_some_row_of_a_case(
    shipped_suite: LoadedSuite, allocator: type[Textbook], rows: str
) -> None:
    case_results = results(shipped_suite, allocator, "allocate", lambda case: case.id.startswith(f"{rows}["))
    assert {result.verdict for result in case_results} - {Verdict.PASS} == {Verdict.FAIL}
