"""The suite as judge of counters: wrong ones fail in the requirement concerned."""

from __future__ import annotations

import pytest

from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import Verdict
from tests.faulty.implementations.counters import WRONG, QuotaCounter
from tests.faulty.implementations.putting import KEP_AND_RELEASE, verdicts


@pytest.mark.parametrize(
    ("counter", "requirement"), WRONG.items(), ids=lambda one: getattr(one, "__name__", None)
)
def test_a_wrong_counter_is_caught_where_it_is_wrong(
    shipped_suite: LoadedSuite, counter: type[QuotaCounter], requirement: str
) -> None:
    assert verdicts(shipped_suite, QuotaCounter, "usage", requirement, KEP_AND_RELEASE) == {Verdict.PASS}
    assert Verdict.FAIL in verdicts(shipped_suite, counter, "usage", requirement, KEP_AND_RELEASE)
