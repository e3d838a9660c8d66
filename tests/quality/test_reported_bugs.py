"""Bugs that users have reported fail in the case that was made for them."""

from __future__ import annotations

import multiprocessing

import pytest

from tests.quality.mutants_of_reported_bugs import MUTANTS, REPORTED
from tests.quality.mutation import Mutant, Sources, Trial, changed

_BY_NAME = {mutant.name: mutant for mutant in MUTANTS}
_trial: Trial


@pytest.fixture(scope="module", autouse=True)
def trial() -> None:
    global _trial  # noqa: PLW0603 - children inherit it
    _trial = Trial(REPORTED)


def _failing(mutant: Mutant, texts: Sources) -> list[str]:
    """In a child: the cases near the mutant that do not pass."""
    _trial.cases = {
        put: [case for case in cases if any(word in case.id for word in mutant.near)]
        for put, cases in _trial.cases.items()
    }
    assert len(_trial)
    return [case for _, (_, case) in _trial.failing(texts)]


@pytest.mark.parametrize("name", _BY_NAME)
def test_a_reported_bug_fails_in_its_case(name: str) -> None:
    mutant = _BY_NAME[name]
    with multiprocessing.get_context("fork").Pool(1, maxtasksperchild=1) as pool:
        assert pool.apply(_failing, (mutant, {})) == []
        assert pool.apply(_failing, (mutant, changed(mutant, _trial.texts))) != []
