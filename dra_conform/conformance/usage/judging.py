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
    """The only act of a case."""
    [expectation] = expectations
    assert isinstance(expectation, UsageExpectation)
    findings = tuple(_findings(expectation, answer))
    return Judgement(Verdict.FAIL, Kind.WRONG_RESULT, findings) if findings else PASSED


def _findings(expectation: UsageExpectation, answer: UsageAnswer) -> Iterator[Finding]:
    for one in expectation.uses:
        told = answer.used.get(one.quota, "0")
        try:
            wrong = "" if Quantity.parse(told) == one.amount else f"it is {told}"
        except QuantityError as error:
            wrong = str(error)
        if wrong:
            message = f"the namespace should use {one.amount} of {one.quota}, {wrong}"
            yield Finding("expectation", message, step=one.step)
