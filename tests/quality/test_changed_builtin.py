"""Faulty implementations that change requests or answers: their number, and that a sample fails the suite."""

from __future__ import annotations

import pytest

from dra_conform.conformance.suite.loading import LoadedSuite
from tests.faulty.changed_builtin.catalogue import FAULTY_ALLOCATORS
from tests.faulty.changed_builtin.faulty_allocator import FaultyAllocator, failing
from tests.faulty.changed_builtin.reported_bugs import BY_CASE
from tests.support.rows import mostly_slow


def test_there_are_many_with_unique_names() -> None:
    names = [faulty.name for faulty in FAULTY_ALLOCATORS]
    assert len(names) == len(set(names)) >= 470


@pytest.mark.slow
def test_a_sample_of_one_in_twenty_fails_the_suite(shipped_suite: LoadedSuite) -> None:
    tried = FAULTY_ALLOCATORS[::20]
    assert [faulty.name for faulty in tried if next(failing(shipped_suite, faulty), None) is None] == []


@pytest.mark.parametrize(
    ("fault", "case"), mostly_slow(pytest.param(*item, id=item[0].name) for item in BY_CASE.items())
)
def test_a_reported_fault_fails_the_case_that_was_written_for_it(
    fault: FaultyAllocator, case: str, shipped_suite: LoadedSuite
) -> None:
    assert any(
        profile == "kep" and case_id.startswith(case) for profile, case_id in failing(shipped_suite, fault)
    )
