"""The expectation and the answer of node resource usage as documents that can be compared."""

from __future__ import annotations

from typing import Any

from dra_conform.conformance.case import Case
from dra_conform.conformance.footprint.answer import FootprintAnswer, write
from dra_conform.conformance.footprint.expectation import FootprintExpectation
from dra_conform.conformance.operation import Expectations
from dra_conform.kube.quantity import Quantity, QuantityError

Json = Any


def expected(expectations: Expectations) -> Json:
    """Return the expected usage by resource and by ResourceClaim, or the expected error."""
    [expectation] = expectations
    assert isinstance(expectation, FootprintExpectation)
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


def actual(answer: FootprintAnswer) -> Json:
    """Return the answer, with ResourceClaims by name."""
    body = write(answer)
    if "claims" in body:
        body["claims"] = {usage["claim"]: usage["resources"] for usage in body["claims"]}
    return body


def align(case: Case, profile: str, wanted: Json, answer: Json) -> tuple[Json, Json]:
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
