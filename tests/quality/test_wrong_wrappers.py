"""Wrong wrappers of the textbook: how many there are, and that the suite fails some of each family."""

from __future__ import annotations

import pytest

from dra_conform.conformance.suite.loading import LoadedSuite
from tests.faulty.implementations.wrappers import wrappers
from tests.faulty.implementations.wrapping import failing_wrapper


def test_there_are_many_and_each_has_its_name() -> None:
    names = [wrapper.name for wrapper in wrappers()]
    assert len(names) == len(set(names)) >= 400


@pytest.mark.slow
def test_the_suite_fails_one_in_ten_of_them(shipped_suite: LoadedSuite) -> None:
    tried = list(wrappers())[::10]
    assert [one.name for one in tried if next(failing_wrapper(shipped_suite, one), None) is None] == []
