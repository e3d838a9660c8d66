"""The outcome of a case depends on the fields of the requirements that it cites."""

from __future__ import annotations

import pytest

from dra_conform.conformance.suite.loading import LoadedSuite
from tests.support.quality.citations import shows

pytestmark = pytest.mark.slow

PARTS = 12
"""Number of tests that share the cases, so that several processes can run them."""


@pytest.mark.parametrize("part", range(PARTS))
def test_each_positive_outcome_depends_on_the_cited_requirements(
    shipped_suite: LoadedSuite, part: int
) -> None:
    accepting = [
        case
        for case in shipped_suite.cases
        if case.operation == "allocate" and case.accepts and (case.profiles is None or "kep" in case.profiles)
    ]
    assert len(accepting) > 1500
    cited = [(case, name) for case in accepting for name in case.requirements]
    assert [(case.id, name) for case, name in cited[part::PARTS] if not shows(case, name)] == []
