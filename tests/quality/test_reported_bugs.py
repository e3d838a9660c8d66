"""Each bug that users have reported fails the case that was written for it."""

from __future__ import annotations

import multiprocessing
from collections.abc import Collection

import pytest

from dra_conform.conformance.suite.loading import LoadedSuite
from tests.faulty.mutants.mutation import Sources, Trial, changed
from tests.faulty.mutants.reported_bugs import MUTANTS, REPORTED

_BY_NAME = {mutant.name: mutant for mutant in MUTANTS}
_trial: Trial


@pytest.fixture(scope="module", autouse=True)
def trial(shipped_suite: LoadedSuite) -> None:
    global _trial  # noqa: PLW0603 - children inherit it
    _trial = Trial(REPORTED, shipped_suite)


def _in_a_child(near: Collection[str], texts: Sources) -> list[str]:
    with multiprocessing.get_context("fork").Pool(1, maxtasksperchild=1) as pool:
        return pool.apply(_failing, (near, texts))


def _failing(near: Collection[str], texts: Sources) -> list[str]:
    """Return the cases with these words in their ids that do not pass."""
    _trial.cases = {
        put: [case for case in cases if any(word in case.id for word in near)]
        for put, cases in _trial.cases.items()
    }
    assert len(_trial)
    return [case for _, (_, case) in _trial.failing(texts)]


def test_without_a_bug_its_cases_pass() -> None:
    assert _in_a_child({word for mutant in MUTANTS for word in mutant.near}, {}) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", _BY_NAME)
def test_a_reported_bug_fails_in_its_case(name: str) -> None:
    mutant = _BY_NAME[name]
    assert _in_a_child(mutant.near, changed(mutant, _trial.texts)) != []
