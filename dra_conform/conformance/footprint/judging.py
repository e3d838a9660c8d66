"""The judge of node resource usage: each quantity must be equal, and an absent resource means zero."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dra_conform.conformance.case import Case
from dra_conform.conformance.footprint.answer import ClaimUsage, FootprintAnswer
from dra_conform.conformance.footprint.expectation import Amounts, ExpectedClaimUsage, FootprintExpectation
from dra_conform.conformance.operation import Expectations
from dra_conform.conformance.verdict import PASSED, Finding, Judgement, Kind, Verdict
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity, QuantityError

_NOTHING = Quantity(0)


def judge(
    case: Case, profile: Profile, expectations: Expectations, answer: FootprintAnswer, strict: bool
) -> Judgement:
    """Judge the only step of a case."""
    [expectation] = expectations
    assert isinstance(expectation, FootprintExpectation)
    if expectation.is_error:
        return _error(expectation, answer)
    if answer.resources is None:
        error = ": ".join(part for part in (answer.error, answer.message) if part)
        return _failed(
            Kind.WRONG_OUTCOME,
            [Finding("expectation", f"expected the node resource usage, got an error ({error})", step=0)],
        )
    try:
        return _failed(Kind.WRONG_RESULT, list(_findings(expectation, answer)))
    except QuantityError as error:
        return _failed(Kind.WRONG_RESULT, [Finding("expectation", str(error), step=0)])


def _error(expectation: FootprintExpectation, answer: FootprintAnswer) -> Judgement:
    if answer.error is None:
        expected = f"error {expectation.reason}" if expectation.reason else "an error"
        message = f"expected {expected}, got the node resource usage {written(answer.resources or {})}"
        return _failed(Kind.WRONG_OUTCOME, [Finding("expectation", message, step=0)])
    if expectation.reason not in (None, answer.error):
        message = f"expected error {expectation.reason}, got {answer.error}"
        return _failed(Kind.WRONG_REASON, [Finding("expectation", message, step=0)])
    return PASSED


def _failed(kind: Kind, findings: list[Finding]) -> Judgement:
    return Judgement(Verdict.FAIL, kind, tuple(findings)) if findings else PASSED


def _findings(expectation: FootprintExpectation, answer: FootprintAnswer) -> Iterator[Finding]:
    if expectation.resources is not None:
        for difference in _differing(expectation.resources, parsed(answer.resources or {})):
            yield Finding("expectation", f"usage of the pod: {difference}", step=expectation.resources_step)
    usages = {usage.claim: usage for usage in answer.claims}
    for expected in expectation.claims:
        for difference in _of_claim(expected, usages.get(expected.claim)):
            yield Finding(
                "expectation", f"usage of ResourceClaim {expected.claim}: {difference}", step=expected.step
            )


def _of_claim(expected: ExpectedClaimUsage, usage: ClaimUsage | None) -> Iterator[str]:
    entry = usage or ClaimUsage(expected.claim)
    if expected.resources is not None:
        yield from _differing(expected.resources, parsed(entry.resources))
        if usage is not None and not expected.resources and not expected.overhead:
            yield "expected no entry, got an entry without resources"
    for name in {**(expected.overhead or {}), **entry.overhead}:
        wanted = (expected.overhead or {}).get(name, {})
        for difference in _differing(wanted, parsed(entry.overhead.get(name, {}))):
            yield f"overhead of {name}: {difference}"
    if expected.containers is not None and sorted(entry.containers) != sorted(expected.containers):
        names = ", ".join(expected.containers) or "none"
        yield f"containers: expected {names}, got {', '.join(entry.containers) or 'none'}"


def parsed(amounts: Mapping[str, str]) -> dict[str, Quantity]:
    """Parse the quantities of an answer; raises QuantityError."""
    return {name: Quantity.parse(amount) for name, amount in amounts.items()}


def _differing(expected: Amounts, actual: Amounts) -> Iterator[str]:
    for name in {**expected, **actual}:
        wanted, got = expected.get(name, _NOTHING), actual.get(name, _NOTHING)
        if wanted != got:
            yield f"{name}: expected {wanted}, got {got}"


def written(amounts: Mapping[str, object]) -> str:
    """Return quantities in the words of a case."""
    return " and ".join(f"{amount} of {name}" for name, amount in amounts.items()) or "nothing"
