"""Each case of drivers passes on the reference driver and fails if any of its demands is negated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import pytest

from dra_conform.adapters.driver.implementation import REFERENCE, DriverImplementation
from dra_conform.conformance.case import Case
from dra_conform.conformance.checked_observations import CheckedStep
from dra_conform.conformance.driver.operation import Driver
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.features import profile_of
from dra_conform.conformance.implementation import Answer, Reply, Request, Suite
from dra_conform.conformance.operation import negations_of
from dra_conform.conformance.runner import Settings, applicable, run
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import Verdict
from dra_conform.kube.profile import KEP

DRIVER = Driver()


class RecordedReference(DriverImplementation):
    """The reference driver, whose replies are kept in their order."""

    def __init__(self) -> None:
        super().__init__(REFERENCE, spec="driver:reference")
        self.replies: list[Reply] = []

    def run(self, requests: Iterable[Request]) -> Iterator[Reply]:
        for reply in super().run(requests):
            self.replies.append(reply)
            yield reply


def passes(case: Case, expectations: Sequence[CheckedStep | None], answer: Answer) -> bool:
    profile, _ = profile_of(case, KEP)
    return DRIVER.judge(case, profile, expectations, answer, strict=False).verdict is Verdict.PASS


@pytest.mark.slow
def test_each_demand_can_fail(shipped_suite: LoadedSuite) -> None:
    cases = applicable([case for case in shipped_suite.cases if case.operation == DRIVER.name], KEP)
    assert len(cases) > 80
    reference = RecordedReference()
    events = run(reference, Suite("", "", ""), cases, settings=Settings())
    results = [event.result for event in events if isinstance(event, CaseFinished)]
    assert {result.case.id: (result.verdict, result.findings) for result in results if result.findings} == {}
    assert {result.verdict for result in results} == {Verdict.PASS}
    for result, reply in zip(results, reference.replies, strict=True):
        expectations = tuple(step.expectation for step in result.case.case_steps)
        assert passes(result.case, expectations, reply.answer)
        negations = dict(negations_of(DRIVER, expectations))
        assert negations, result.case.id
        for words, negated in negations.items():
            assert not passes(result.case, negated, reply.answer), (result.case.id, words)
