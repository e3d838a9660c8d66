"""The judge of node resource usage, and the documents of a wrong answer. An absent resource means zero."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dra_conform.conformance.footprint.answer import ClaimUsage, FootprintAnswer, write
from dra_conform.conformance.footprint.expectation import Amounts, ExpectedClaimUsage, FootprintExpectation
from dra_conform.conformance.verdict import PASSED, Finding, Judgement, Kind, Verdict
from dra_conform.kube.json_values import Json
from dra_conform.kube.quantity import Quantity, QuantityError

_NOTHING = Quantity(0)


def judge(expectation: FootprintExpectation, answer: FootprintAnswer) -> Judgement:
    """Compare the usage or the error with the expectation."""
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


def expected(expectation: FootprintExpectation) -> dict[str, Json]:
    """Return the expected usage by resource and by ResourceClaim, or the expected error."""
    if expectation.is_error:
        reason = {"reason": expectation.reason.value} if expectation.reason else {}
        return {"outcome": "refused", **reason}
    document: dict[str, Json] = {"outcome": "counted"}
    if expectation.resources is not None:
        document["resources"] = {name: str(amount) for name, amount in expectation.resources.items()}
    claims = {}
    for usage in expectation.claims:
        claims[usage.claim] = {name: str(amount) for name, amount in (usage.resources or {}).items()}
    return {**document, **({"claims": claims} if claims else {})}


def actual(answer: FootprintAnswer) -> dict[str, Json]:
    """Return the answer, with ResourceClaims by name."""
    body = write(answer)
    if "claims" in body:
        body["claims"] = {usage["claim"]: usage["resources"] for usage in body["claims"]}
    return body


def align(wanted: Json, answer: Json) -> tuple[Json, Json]:
    """Keep only the compared members of the answer; equal quantities get the expected notation."""
    if not isinstance(wanted, dict) or not isinstance(answer, dict):
        return wanted, answer
    answer = {name: value for name, value in answer.items() if name in wanted}
    if "resources" in wanted and "resources" in answer:
        answer["resources"] = _with_expected_notation(wanted["resources"], answer["resources"])
    if "claims" in wanted and "claims" in answer:
        answer["claims"] = {
            name: _with_expected_notation(amounts, answer["claims"].get(name, {}))
            for name, amounts in wanted["claims"].items()
        }
    return wanted, answer


def _with_expected_notation(wanted: dict[str, str], actual: dict[str, str]) -> dict[str, str]:
    return {
        name: wanted[name] if _same(wanted.get(name), amount) else amount for name, amount in actual.items()
    }


def _same(expected: str | None, actual: str) -> bool:
    try:
        return expected is not None and Quantity.parse(expected) == Quantity.parse(actual)
    except QuantityError:
        return False
