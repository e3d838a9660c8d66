"""The judge of kubelets, its negations, and the documents that reports compare."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from dra_conform.conformance.case import Case
from dra_conform.conformance.kubelet.answer import KubeletAnswer, read, write
from dra_conform.conformance.kubelet.checks import History
from dra_conform.conformance.kubelet.expectation import KubeletExpectation
from dra_conform.conformance.operation import Expectations
from dra_conform.conformance.verdict import PASSED, Finding, Judgement, Kind, Verdict
from dra_conform.kube.profile import Profile

Json = Any

_MET = "met"


def judge(
    case: Case, profile: Profile, expectations: Expectations, answer: KubeletAnswer, strict: bool
) -> Judgement:
    """Judge all steps of a case: each check of its Thens must be met."""
    if len(answer.observations) != len(expectations):
        count = f"{len(answer.observations)} observations, expected {len(expectations)}, one for each action"
        return Judgement(
            Verdict.FAIL, Kind.WRONG_RESULT, (Finding("expectation", f"the answer has {count}"),)
        )
    findings = tuple(_findings(expectations, answer))
    return Judgement(Verdict.FAIL, Kind.WRONG_RESULT, findings) if findings else PASSED


def _findings(expectations: Expectations, answer: KubeletAnswer) -> Iterator[Finding]:
    for index, expectation in enumerate(expectations):
        if isinstance(expectation, KubeletExpectation):
            for expected in expectation.checks:
                problem = expected.problem(History(answer, index))
                if problem:
                    yield Finding("expectation", problem, step=expected.step, act=index)


def negations(expectations: Expectations) -> Iterator[tuple[str, Expectations]]:
    """Yield the expectations with one check negated, for each check."""
    for index, expectation in enumerate(expectations):
        if not isinstance(expectation, KubeletExpectation):
            continue
        for number, expected in enumerate(expectation.checks):
            checks = list(expectation.checks)
            checks[number] = replace(expected, negated=True)
            negated = replace(expectation, checks=tuple(checks))
            words = f"step {expectation.steps[expected.step]!r}"
            yield words, (*expectations[:index], negated, *expectations[index + 1 :])


def expected_document(expectations: Expectations) -> Json:
    """Return the demands of each step, numbered from 1."""
    return {
        f"step {number}": dict.fromkeys(expectation.steps, _MET)
        for number, expectation in enumerate(expectations, 1)
        if isinstance(expectation, KubeletExpectation) and expectation.checks
    }


def actual_document(answer: KubeletAnswer) -> Json:
    """Return all observations."""
    return write(answer)


def align(case: Case, profile: str, wanted: Json, answer: Json) -> tuple[Json, Json]:
    """Return which demands are met, and what is wrong with the others."""
    if not isinstance(wanted, dict) or not isinstance(answer, Mapping):
        return wanted, answer
    observed = read(answer)
    document: dict[str, dict[str, str]] = {}
    for index, expectation in enumerate(case.expected(profile)[: len(observed.observations)]):
        if not isinstance(expectation, KubeletExpectation) or not expectation.checks:
            continue
        history = History(observed, index)
        document[f"step {index + 1}"] = {
            expectation.steps[expected.step]: expected.problem(history) or _MET
            for expected in expectation.checks
        }
    return wanted, document
