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
    if expectation.refused:
        reason = {"reason": expectation.reason.value} if expectation.reason else {}
        return {"outcome": "refused", **reason}
    document: dict[str, Json] = {"outcome": "counted"}
    if expectation.resources is not None:
        document["resources"] = {name: str(amount) for name, amount in expectation.resources.items()}
    claims = {}
    for one in expectation.claims:
        claims[one.claim] = {name: str(amount) for name, amount in (one.resources or {}).items()}
    return {**document, **({"claims": claims} if claims else {})}


def actual(answer: FootprintAnswer) -> Json:
    """Return the answer, with ResourceClaims by name."""
    body = write(answer)
    if "claims" in body:
        body["claims"] = {one["claim"]: one["resources"] for one in body["claims"]}
    return body


def align(case: Case, profile: str, wanted: Json, answer: Json) -> tuple[Json, Json]:
    """Keep only the compared members of the answer; equal quantities get the expected notation."""
    if not isinstance(wanted, dict) or not isinstance(answer, dict):
        return wanted, answer
    answer = {name: one for name, one in answer.items() if name in wanted}
    if "resources" in wanted and "resources" in answer:
        answer["resources"] = _with_expected_notation(wanted["resources"], answer["resources"])
    if "claims" in wanted and "claims" in answer:
        answer["claims"] = {
            name: _with_expected_notation(amounts, answer["claims"].get(name, {}))
            for name, amounts in wanted["claims"].items()
        }
    return wanted, answer


def _with_expected_notation(wanted: dict[str, str], found: dict[str, str]) -> dict[str, str]:
    return {name: wanted[name] if _same(wanted.get(name), one) else one for name, one in found.items()}


def _same(one: str | None, other: str) -> bool:
    try:
        return one is not None and Quantity.parse(one) == Quantity.parse(other)
    except QuantityError:
        return False
