"""The suite as judge of footprints: the textbook passes, and what gets one thing wrong fails where it does."""

from __future__ import annotations

import pytest

from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import Verdict
from tests.faulty.implementations.footprints import WRONG
from tests.faulty.implementations.putting import KEP_AND_RELEASE, results, verdicts
from tests.reference.textbook_footprint import TextbookFootprint


def test_the_textbook_counts_as_the_suite_demands(shipped_suite: LoadedSuite) -> None:
    found = results(shipped_suite, TextbookFootprint, "footprint")
    assert [one.case.id for one in found if one.verdict is not Verdict.PASS] == []


@pytest.mark.parametrize(
    ("counter", "requirement"), WRONG.items(), ids=lambda one: getattr(one, "__name__", None)
)
def test_a_wrong_footprint_is_caught_where_it_is_wrong(
    shipped_suite: LoadedSuite, counter: type[TextbookFootprint], requirement: str
) -> None:
    assert Verdict.FAIL in verdicts(shipped_suite, counter, "footprint", requirement, KEP_AND_RELEASE)
