"""The judge of usage: every quota that the case names must be equal."""

from __future__ import annotations

from collections.abc import Iterator

from dra_conform.conformance.case import Case
from dra_conform.conformance.operation import Expectations
from dra_conform.conformance.usage.answer import UsageAnswer
from dra_conform.conformance.usage.expectation import UsageExpectation
from dra_conform.conformance.verdict import PASSED, Finding, Judgement, Kind, Verdict
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity, QuantityError


def judge(
    case: Case, profile: Profile, expectations: Expectations, answer: UsageAnswer, strict: bool
) -> Judgement:
    """Judge the only step of a case."""
    [expectation] = expectations
    assert isinstance(expectation, UsageExpectation)
    findings = tuple(_findings(expectation, answer))
    return Judgement(Verdict.FAIL, Kind.WRONG_RESULT, findings) if findings else PASSED


def _findings(expectation: UsageExpectation, answer: UsageAnswer) -> Iterator[Finding]:
    for one in expectation.uses:
        used = answer.used.get(one.quota, "0")
        try:
            got = "" if Quantity.parse(used) == one.amount else used
        except QuantityError as error:
            got = str(error)
        if got:
            message = f"quota usage of {one.quota}: expected {one.amount}, got {got}"
            yield Finding("expectation", message, step=one.step)
