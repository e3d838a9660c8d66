"""Negated expectations of node resource usage: a correct answer must fail each of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dra_conform.conformance.footprint.answer import FootprintErrorReason
from dra_conform.conformance.footprint.expectation import Amounts, FootprintExpectation
from dra_conform.conformance.operation import Expectations
from dra_conform.kube.quantity import Quantity


def negations(expectations: Expectations) -> Iterator[tuple[str, Expectations]]:
    """Yield the other outcome, another error, larger quantities, and one more container."""
    [expectation] = expectations
    assert isinstance(expectation, FootprintExpectation)
    if expectation.refused:
        yield "its outcome", (FootprintExpectation(resources={}),)
        if expectation.reason is not None:
            other = next(one for one in FootprintErrorReason if one is not expectation.reason)
            yield "its reason", (replace(expectation, reason=other),)
        return
    yield "its outcome", (FootprintExpectation(refused=True),)
    if expectation.resources is not None:
        yield "the usage of the pod", (replace(expectation, resources=_more(expectation.resources)),)
    for index, one in enumerate(expectation.claims):
        turned = [replace(one, resources=_more(one.resources or {}))]
        if one.containers is not None:
            turned.append(replace(one, containers=(*one.containers, "no-such-container")))
        for other_share in turned:
            claims = (*expectation.claims[:index], other_share, *expectation.claims[index + 1 :])
            yield f"the usage of ResourceClaim {one.claim}", (replace(expectation, claims=claims),)


def _more(amounts: Amounts) -> Amounts:
    """Return quantities that are a nano unit larger, or some cpu if there are none."""
    if not amounts:
        return {"cpu": Quantity(1)}
    return {name: Quantity(amount.nano + 1, amount.format) for name, amount in amounts.items()}
