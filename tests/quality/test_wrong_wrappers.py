"""Faulty wrappers of the textbook: their number, and that a sample fails the suite."""

from __future__ import annotations

import pytest

from dra_conform.conformance.suite.loading import LoadedSuite
from tests.faulty.implementations.wrappers import wrappers
from tests.faulty.implementations.wrapping import failing_wrapper


def test_there_are_many_with_unique_names() -> None:
    names = [wrapper.name for wrapper in wrappers()]
    assert len(names) == len(set(names)) >= 400


@pytest.mark.slow
def test_a_sample_of_one_in_ten_fails_the_suite(shipped_suite: LoadedSuite) -> None:
    tried = list(wrappers())[::10]
    assert [
        wrapper.name for wrapper in tried if next(failing_wrapper(shipped_suite, wrapper), None) is None
    ] == []
