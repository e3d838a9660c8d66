"""Each case of drivers and kubelets passes on the reference and fails if any of its demands is negated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from dra_conform.adapters.specs import open_implementation
from dra_conform.conformance.case import applicable
from dra_conform.conformance.events import CaseFinished
from dra_conform.conformance.features import profile_of
from dra_conform.conformance.implementation import Identity, Implementation, Reply, Request, Suite
from dra_conform.conformance.operation import negations_of
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.conformance.runner import Settings, run
from dra_conform.conformance.suite.loading import LoadedSuite
from dra_conform.conformance.verdict import Verdict
from dra_conform.kube.profile import KEP

LEFT_OUT = "kubelet/time-limits/"
"""Cases that wait for a minute each."""


class Recorded:
    """An implementation whose replies are kept by the index of their case."""

    def __init__(self, implementation: Implementation) -> None:
        self._implementation = implementation
        self.replies: dict[int, Reply] = {}

    def start(self, suite: Suite) -> Identity:
        return self._implementation.start(suite)

    def run(self, requests: Iterable[Request]) -> Iterator[Reply]:
        for reply in self._implementation.run(requests):
            self.replies[reply.id] = reply
            yield reply

    def close(self) -> None:
        self._implementation.close()


@pytest.mark.slow
@pytest.mark.parametrize(("subject", "least"), [("driver", 80), ("kubelet", 55)])
def test_each_demand_can_fail(shipped_suite: LoadedSuite, subject: str, least: int) -> None:
    operation = OPERATIONS[subject]
    of_subject = [case for case in shipped_suite.cases if case.operation == subject]
    cases = applicable([case for case in of_subject if not case.id.startswith(LEFT_OUT)], KEP)
    assert len(cases) > least
    reference = Recorded(open_implementation(f"{subject}:reference"))
    events = run(reference, shipped_suite.as_suite(), cases, settings=Settings())
    results = [event.result for event in events if isinstance(event, CaseFinished)]
    assert {result.case.id: (result.verdict, result.findings) for result in results if result.findings} == {}
    assert {result.verdict for result in results} == {Verdict.PASS}
    for index, case in enumerate(cases):
        profile, _ = profile_of(case, KEP)
        answer = reference.replies[index].answer
        expectations = tuple(step.expectation for step in case.case_steps)
        assert operation.judge(case, profile, expectations, answer, strict=False).verdict is Verdict.PASS
        negations = dict(negations_of(operation, expectations))
        assert negations, case.id
        for words, negated in negations.items():
            verdict = operation.judge(case, profile, negated, answer, strict=False).verdict
            assert verdict is Verdict.FAIL, (case.id, words)
