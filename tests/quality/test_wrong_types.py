"""Each case with a value of the wrong type fails on an API server that accepts the value."""

from __future__ import annotations

from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import Verdict
from tests.faulty.implementations import lenient_types
from tests.faulty.implementations.running import results

REQUIREMENT = "API/type/wrong"


def test_no_case_of_a_wrong_type_is_rejected_for_another_reason(shipped_suite: LoadedSuite) -> None:
    cited = {case.id for case in shipped_suite.cases if REQUIREMENT in case.requirements}
    assert len(cited) > 300
    run = failing = frozenset[str]()
    for server in lenient_types.WRONG:
        found = results(shipped_suite, server, "admit", lambda case: case.id in cited)
        run |= {result.case.id for result in found}
        failing |= {result.case.id for result in found if result.verdict is Verdict.FAIL}
    assert run - failing == set()
