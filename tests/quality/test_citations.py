"""What cases that accept cite is what their outcome hangs on."""

from __future__ import annotations

import pytest

from dra_conform.conformance.suite.loading import LoadedSuite
from tests.support.quality.citations import shows

pytestmark = pytest.mark.slow

PARTS = 12
"""So many tests share the cases, for several processes to take."""


@pytest.mark.parametrize("part", range(PARTS))
def test_every_acceptance_would_come_out_otherwise_with_what_it_cites_changed(
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
