"""The operation `kubelet`: what a kubelet asks of DRA drivers and gives to containers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from dra_conform.conformance.case import Case, Objects
from dra_conform.conformance.kubelet import answer as answers
from dra_conform.conformance.kubelet import steps as kubelet_steps
from dra_conform.conformance.kubelet.answer import KubeletAnswer
from dra_conform.conformance.kubelet.checks import History
from dra_conform.conformance.kubelet.expectation import KubeletExpectation, KubeletExpectationBuilder
from dra_conform.conformance.operation import Operation, Probe
from dra_conform.conformance.steps.given import Given
from dra_conform.conformance.verdict import PASSED, Finding, Judgement, Kind, Verdict
from dra_conform.kube.json_values import CheckedJson, Json
from dra_conform.kube.profile import Profile

_Expectations = Sequence[KubeletExpectation | None]

_MET = "met"
"""The document of a demand that is met."""


class Kubelet(Operation[KubeletExpectation, KubeletAnswer]):
    """From pods, ResourceClaims and drivers on a node to one observation for each action."""

    name = "kubelet"
    steps = (*kubelet_steps.WHEN_STEPS, *kubelet_steps.THEN_STEPS)
    subject = "kubelet"
    multi_step = True
    probes = (Probe("a kubelet that is restarted", {}, {"actions": [{"do": "restart-kubelet"}]}),)

    def convert(self, raw: Mapping[str, CheckedJson]) -> dict[str, CheckedJson]:
        return kubelet_steps.convert(raw)

    def build_question(
        self, given: Given, actions: Sequence[CheckedJson]
    ) -> tuple[Objects, Mapping[str, CheckedJson]]:
        return kubelet_steps.build_question(given, actions)

    def features(self, objects: Objects, ask: Mapping[str, CheckedJson]) -> frozenset[str]:
        return kubelet_steps.features(objects, ask)

    def expect(self, ask: Mapping[str, CheckedJson], step_index: int) -> KubeletExpectationBuilder:
        return KubeletExpectationBuilder()

    def read(self, body: Mapping[str, Json]) -> KubeletAnswer:
        return answers.read(body)

    def write(self, answer: KubeletAnswer) -> dict[str, CheckedJson]:
        return answers.write(answer)

    def judge(
        self,
        case: Case,
        profile: Profile,
        expectations: _Expectations,
        answer: KubeletAnswer,
        *,
        strict: bool,
    ) -> Judgement:
        """Judge all steps of a case: each check of its Thens must be met."""
        observed, wanted = len(answer.observations), len(expectations)
        if observed != wanted:
            problem = f"the answer has {observed} observations, expected {wanted}, one for each action"
            return Judgement(Verdict.FAIL, Kind.WRONG_RESULT, (Finding("expectation", problem),))
        findings = tuple(_findings(expectations, answer))
        return Judgement(Verdict.FAIL, Kind.WRONG_RESULT, findings) if findings else PASSED

    def negations(self, expectation: KubeletExpectation) -> Iterator[tuple[str, KubeletExpectation]]:
        """Yield the expectation with one check negated, for each check."""
        for number, expected in enumerate(expectation.checks):
            checks = list(expectation.checks)
            checks[number] = replace(expected, negated=True)
            yield f"step {expectation.steps[expected.step]!r}", replace(expectation, checks=tuple(checks))

    def question(self, ask: Mapping[str, CheckedJson]) -> str:
        return kubelet_steps.question_in_words(ask)

    def expected(self, expectations: _Expectations) -> Json:
        """Return the demands of each step, numbered from 1."""
        return {
            f"step {number}": dict.fromkeys(expectation.steps, _MET)
            for number, expectation in enumerate(expectations, 1)
            if expectation is not None and expectation.checks
        }

    def align(self, case: Case, profile: str, expected: Json, actual: Json) -> tuple[Json, Json]:
        """Return which demands are met, and what is wrong with the others."""
        if not isinstance(expected, dict) or not isinstance(actual, dict):
            return expected, actual
        observed = answers.read(actual)
        document: dict[str, Json] = {}
        for index, expectation in enumerate(case.expected(profile)[: len(observed.observations)]):
            if not isinstance(expectation, KubeletExpectation) or not expectation.checks:
                continue
            history = History(observed, index)
            document[f"step {index + 1}"] = {
                expectation.steps[check.step]: check.problem(history) or _MET for check in expectation.checks
            }
        return expected, document


def _findings(expectations: _Expectations, answer: KubeletAnswer) -> Iterator[Finding]:
    for index, expectation in enumerate(expectations):
        for expected in expectation.checks if expectation is not None else ():
            problem = expected.problem(History(answer, index))
            if problem:
                yield Finding("expectation", problem, step=expected.step, act=index)
