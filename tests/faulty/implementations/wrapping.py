"""Run the suite on a faulty wrapper: `make faulty-wrappers`.

If a wrapper passes, the suite lacks a case. Only the cases that satisfy its condition are run, since it is equal to
the textbook for others, which is correct (`tests/quality/test_wrong_allocators.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

from dra_conform.adapters.inprocess import InProcessImplementation
from dra_conform.conformance.case import applicable
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.runner import Settings, run
from dra_conform.conformance.suite.loading import LoadedSuite, select
from dra_conform.conformance.verdict import Verdict
from tests.faulty.implementations.wrappers import FaultyWrapper


def failing_wrapper(suite: LoadedSuite, wrapper: FaultyWrapper) -> Iterator[str]:
    """Yield the id of each case that fails."""
    cases = applicable(select(suite.cases, "operation:allocate"), "kep")
    cases_to_run = [case for case in cases if wrapper.when(case.objects, case.ask)]
    implementation = InProcessImplementation(lambda: wrapper.other, spec=wrapper.name)
    for event in run(implementation, suite.as_suite(), cases_to_run, settings=Settings()):
        if isinstance(event, CaseFinished) and event.result.verdict is Verdict.FAIL:
            yield event.result.case.id
