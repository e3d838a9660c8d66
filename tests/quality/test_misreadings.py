"""Misreadings and misreports: how many there are, and that the suite fails some of each family."""

from __future__ import annotations

from dra_conform.conformance.suite.loading import LoadedSuite
from tests.quality.misreading import failing
from tests.quality.misreadings import MISREADINGS


def test_there_are_many_and_each_has_its_name() -> None:
    names = [one.name for one in MISREADINGS]
    assert len(names) == len(set(names)) >= 320


def test_the_suite_fails_one_in_twenty_of_them(shipped_suite: LoadedSuite) -> None:
    tried = MISREADINGS[::20]
    assert [one.name for one in tried if next(failing(shipped_suite, one), None) is None] == []
