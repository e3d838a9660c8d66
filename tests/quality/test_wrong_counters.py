"""Faulty quota evaluators fail a case of the violated requirement."""

from __future__ import annotations

import pytest

from dra_conform.conformance.suite.loading import LoadedSuite
from tests.faulty.implementations.counters import WRONG, QuotaCounter
from tests.faulty.implementations.running import fails, passes


@pytest.mark.parametrize(
    ("counter", "requirement"), WRONG.items(), ids=lambda one: getattr(one, "__name__", None)
)
def test_a_faulty_quota_evaluator_fails_the_violated_requirement(
    shipped_suite: LoadedSuite, counter: type[QuotaCounter], requirement: str
) -> None:
    assert passes(QuotaCounter, "usage", requirement)
    assert fails(shipped_suite, counter, "usage", requirement)
