"""The judge of a footprint: every quantity must be equal, and an unnamed resource means zero."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dra_conform.conformance.case import Case
from dra_conform.conformance.footprint.answer import ClaimShare, FootprintAnswer
from dra_conform.conformance.footprint.expectation import Amounts, ExpectedShare, FootprintExpectation
from dra_conform.conformance.operation import Expectations
from dra_conform.conformance.verdict import PASSED, Finding, Judgement, Kind, Verdict
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity, QuantityError

_NOTHING = Quantity(0)


def judge(
    case: Case, profile: Profile, expectations: Expectations, answer: FootprintAnswer, strict: bool
) -> Judgement:
    """The only act of a case."""
    [expectation] = expectations
    assert isinstance(expectation, FootprintExpectation)
    if expectation.refused:
        return _refusal(expectation, answer)
    if answer.resources is None:
        told = answer.message or (answer.refusal.value if answer.refusal else "")
        return _failed(
            Kind.WRONG_OUTCOME,
            [Finding("expectation", f"the node resource usage was not computed: {told}", step=0)],
        )
    try:
        return _failed(Kind.WRONG_RESULT, list(_findings(expectation, answer)))
    except QuantityError as error:
        return _failed(Kind.WRONG_RESULT, [Finding("expectation", str(error), step=0)])


def _refusal(expectation: FootprintExpectation, answer: FootprintAnswer) -> Judgement:
    if answer.refusal is None:
        said = f"expected no node resource usage, got {written(answer.resources or {})}"
        return _failed(Kind.WRONG_OUTCOME, [Finding("expectation", said, step=0)])
    if expectation.reason not in (None, answer.refusal):
        said = f"rejected as {answer.refusal} instead of {expectation.reason}"
        return _failed(Kind.WRONG_REASON, [Finding("expectation", said, step=0)])
    return PASSED


def _failed(kind: Kind, findings: list[Finding]) -> Judgement:
    return Judgement(Verdict.FAIL, kind, tuple(findings)) if findings else PASSED


def _findings(expectation: FootprintExpectation, answer: FootprintAnswer) -> Iterator[Finding]:
    if expectation.resources is not None:
        for wrong in _differing(expectation.resources, parsed(answer.resources or {})):
            yield Finding("expectation", f"the pod should take {wrong}", step=expectation.resources_step)
    shares = {one.claim: one for one in answer.claims}
    for one in expectation.claims:
        for wrong in _of_claim(one, shares.get(one.claim)):
            yield Finding("expectation", f"claim {one.claim} should {wrong}", step=one.step)


def _of_claim(expected: ExpectedShare, share: ClaimShare | None) -> Iterator[str]:
    entry = share or ClaimShare(expected.claim)
    if expected.resources is not None:
        yield from (f"take {wrong}" for wrong in _differing(expected.resources, parsed(entry.resources)))
        if share is not None and not expected.resources and not expected.overhead:
            yield "have no entry"
    for name in {**(expected.overhead or {}), **entry.overhead}:
        wanted = (expected.overhead or {}).get(name, {})
        for wrong in _differing(wanted, parsed(entry.overhead.get(name, {}))):
            yield f"need of {name} besides: {wrong}"
    if expected.containers is not None and sorted(entry.containers) != sorted(expected.containers):
        names = ", ".join(expected.containers) or "no container"
        yield f"be used by {names}, it says {', '.join(entry.containers) or 'none'}"


def parsed(amounts: Mapping[str, str]) -> dict[str, Quantity]:
    """Amounts as answered; raises QuantityError."""
    return {name: Quantity.parse(amount) for name, amount in amounts.items()}


def _differing(expected: Amounts, actual: Amounts) -> Iterator[str]:
    for name in {**expected, **actual}:
        wanted, found = expected.get(name, _NOTHING), actual.get(name, _NOTHING)
        if wanted != found:
            yield f"{wanted} of {name}, it is {found}"


def written(amounts: Mapping[str, object]) -> str:
    """Amounts in the words of a case."""
    return " and ".join(f"{amount} of {name}" for name, amount in amounts.items()) or "nothing"
