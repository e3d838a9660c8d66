"""The textbook's node resource usage passes the suite, and faulty ones fail the violated requirement."""

from __future__ import annotations

import pytest

from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import Verdict
from tests.faulty.implementations.footprints import WRONG
from tests.faulty.implementations.running import fails, results
from tests.reference.textbook_footprint import TextbookFootprint


def test_the_textbook_passes(shipped_suite: LoadedSuite) -> None:
    case_results = results(shipped_suite, TextbookFootprint, "footprint")
    assert [result.case.id for result in case_results if result.verdict is not Verdict.PASS] == []


@pytest.mark.parametrize(
    ("counter", "requirement"), WRONG.items(), ids=lambda one: getattr(one, "__name__", None)
)
def test_a_faulty_usage_fails_the_violated_requirement(
    shipped_suite: LoadedSuite, counter: type[TextbookFootprint], requirement: str
) -> None:
    assert fails(shipped_suite, counter, "footprint", requirement)
