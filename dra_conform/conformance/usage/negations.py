"""Negated expectations of usage: a correct answer must fail each of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dra_conform.conformance.operation import Expectations
from dra_conform.conformance.usage.expectation import UsageExpectation
from dra_conform.kube.quantity import Quantity


def negations(expectations: Expectations) -> Iterator[tuple[str, Expectations]]:
    """Yield the expectation with one quota increased by 1, for each quota."""
    [expectation] = expectations
    assert isinstance(expectation, UsageExpectation)
    for index, use in enumerate(expectation.uses):
        more = replace(use, amount=use.amount + Quantity.whole(1))
        uses = (*expectation.uses[:index], more, *expectation.uses[index + 1 :])
        yield f"the used quantity of {use.quota}", (replace(expectation, uses=uses),)
