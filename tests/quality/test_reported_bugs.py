"""Bugs that users have reported fail in the case that was made for them."""

from __future__ import annotations

import multiprocessing

import pytest

from tests.quality.mutants_of_reported_bugs import MUTANTS, REPORTED
from tests.quality.mutation import Mutant, Trial, changed

_BY_NAME = {mutant.name: mutant for mutant in MUTANTS}


@pytest.fixture(scope="module")
def trial() -> Trial:
    return Trial(REPORTED)


def _failing(trial: Trial, mutant: Mutant, *, right: bool = False) -> list[str]:
    """The cases near the mutant that do not pass, for a process that ends afterwards."""
    trial.cases = {
        put: [case for case in cases if any(word in case.id for word in mutant.near)]
        for put, cases in trial.cases.items()
    }
    return [case for _, (_, case) in trial.failing({} if right else changed(mutant, trial.texts))]


@pytest.mark.parametrize("name", _BY_NAME)
def test_a_reported_bug_fails_in_its_case(trial: Trial, name: str) -> None:
    with multiprocessing.get_context("fork").Pool(1, maxtasksperchild=1) as pool:
        assert pool.apply(_failing, (trial, _BY_NAME[name]), {"right": True}) == []
        assert pool.apply(_failing, (trial, _BY_NAME[name])) != []
