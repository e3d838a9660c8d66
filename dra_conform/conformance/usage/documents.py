"""The expectation and the answer of usage as documents that can be compared."""

from __future__ import annotations

from typing import Any

from dra_conform.conformance.case import Case
from dra_conform.conformance.operation import Expectations
from dra_conform.conformance.usage.answer import UsageAnswer, write
from dra_conform.conformance.usage.expectation import UsageExpectation
from dra_conform.kube.quantity import Quantity, QuantityError

Json = Any


def expected(expectations: Expectations) -> Json:
    """Return the expected quantities by quota name."""
    [expectation] = expectations
    assert isinstance(expectation, UsageExpectation)
    return {"outcome": "counted", "used": {one.quota: str(one.amount) for one in expectation.uses}}


def actual(answer: UsageAnswer) -> Json:
    """Return the answer."""
    return write(answer)


def align(case: Case, profile: str, wanted: Json, answer: Json) -> tuple[Json, Json]:
    """Keep only the expected quota names; equal quantities get the expected notation."""
    if not isinstance(wanted, dict) or not isinstance(answer, dict):
        return wanted, answer
    actual_use = {name: answer["used"].get(name, "0") for name in wanted["used"]}
    used = {
        name: wanted["used"][name] if _same(wanted["used"][name], one) else one
        for name, one in actual_use.items()
    }
    return wanted, {**answer, "used": used}


def _same(one: str, other: str) -> bool:
    try:
        return Quantity.parse(one) == Quantity.parse(other)
    except QuantityError:
        return False
