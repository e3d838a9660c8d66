"""Misreadings and misreports: how many there are, and that the suite fails some of each family."""

from __future__ import annotations

import pytest

from dra_conform.conformance.suite.loading import LoadedSuite
from tests.faulty.misreadings.catalogue import MISREADINGS
from tests.faulty.misreadings.misreading import Misreading, failing
from tests.faulty.misreadings.reported import BY_CASE


def test_there_are_many_and_each_has_its_name() -> None:
    names = [misreading.name for misreading in MISREADINGS]
    assert len(names) == len(set(names)) >= 470


@pytest.mark.slow
def test_the_suite_fails_one_in_twenty_of_them(shipped_suite: LoadedSuite) -> None:
    tried = MISREADINGS[::20]
    assert [one.name for one in tried if next(failing(shipped_suite, one), None) is None] == []


@pytest.mark.parametrize(
    ("fault", "case"), [pytest.param(*item, id=item[0].name) for item in BY_CASE.items()]
)
def test_a_reported_fault_is_seen_by_the_case_that_it_led_to(
    fault: Misreading, case: str, shipped_suite: LoadedSuite
) -> None:
    assert any(
        profile == "kep" and found.startswith(case) for profile, found in failing(shipped_suite, fault)
    )
