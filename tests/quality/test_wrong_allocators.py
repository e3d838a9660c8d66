"""The suite as judge of allocators: right ones pass, wrong ones fail in the requirement concerned."""

from __future__ import annotations

import pytest

from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import Verdict
from tests.faulty.implementations.allocators import WRONG
from tests.faulty.implementations.by_chance import WRONG_BY_CHANCE
from tests.faulty.implementations.putting import results, verdicts
from tests.reference.right import RIGHT, AnyFitting
from tests.reference.textbook import Textbook

FEW = ((Textbook, 0), (AnyFitting, 0))
"""The right allocators that `make test` runs, each with its seed."""


@pytest.mark.parametrize(
    ("allocator", "seed"),
    [
        pytest.param(one, seed, marks=() if (one, seed) in FEW else pytest.mark.slow)
        for one, seed in (*((one, 0) for one in RIGHT), (AnyFitting, 1), (AnyFitting, 2))
    ],
)
def test_a_right_allocator_passes_whichever_device_it_takes(
    shipped_suite: LoadedSuite, allocator: type[Textbook], seed: int
) -> None:
    found = results(shipped_suite, allocator, "allocate", seed=seed)
    wrong = [(one.case.id, one.detail, one.findings) for one in found if one.verdict is not Verdict.PASS]
    assert wrong == []


@pytest.mark.parametrize(
    ("allocator", "requirement"), WRONG.items(), ids=lambda one: getattr(one, "__name__", None)
)
def test_a_wrong_allocator_is_caught_where_it_is_wrong(
    shipped_suite: LoadedSuite, allocator: type[Textbook], requirement: str
) -> None:
    assert verdicts(shipped_suite, allocator, "allocate", requirement) - {Verdict.PASS} == {Verdict.FAIL}


@pytest.mark.parametrize(
    ("allocator", "rows"), WRONG_BY_CHANCE.items(), ids=lambda one: getattr(one, "__name__", None)
)
def test_what_is_wrong_by_chance_is_caught_by_the_rows_of_one_case(
    shipped_suite: LoadedSuite, allocator: type[Textbook], rows: str
) -> None:
    found = results(shipped_suite, allocator, "allocate", lambda case: case.id.startswith(f"{rows}["))
    assert {one.verdict for one in found} - {Verdict.PASS} == {Verdict.FAIL}
