"""A wrong wrapper put to the suite: `make wrong-wrappers`.

A wrapper that no case fails is a hole in the suite: write the case. Only questions at which it is wrong are
asked, since at all others it is the textbook, which is right (`tests/quality/test_wrong_allocators.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

from dra_conform.adapters.inprocess import InProcessImplementation
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.runner import Settings, applicable, run
from dra_conform.conformance.suite.loading import LoadedSuite, select
from dra_conform.conformance.verdict import Verdict
from tests.faulty.implementations.wrappers import WrongWrapper


def failing_wrapper(suite: LoadedSuite, wrapper: WrongWrapper) -> Iterator[str]:
    """The id of each case that fails."""
    cases = applicable(select(suite.cases, "operation:allocate"), "kep")
    asked = [case for case in cases if wrapper.when(case.objects, case.ask)]
    implementation = InProcessImplementation(lambda: wrapper.other, spec=wrapper.name)
    for event in run(implementation, suite.as_suite(), asked, settings=Settings()):
        if isinstance(event, CaseFinished) and event.result.verdict is Verdict.FAIL:
            yield event.result.case.id
