"""Negated expectations of a footprint: a correct answer must fail each of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dra_conform.conformance.footprint.answer import FootprintRefusal
from dra_conform.conformance.footprint.expectation import Amounts, FootprintExpectation
from dra_conform.conformance.operation import Expectations
from dra_conform.kube.quantity import Quantity


def negations(expectations: Expectations) -> Iterator[tuple[str, Expectations]]:
    """The other outcome; another reason; one unit more of each amount; another container."""
    [expectation] = expectations
    assert isinstance(expectation, FootprintExpectation)
    if expectation.refused:
        yield "its outcome", (FootprintExpectation(resources={}),)
        if expectation.reason is not None:
            other = next(one for one in FootprintRefusal if one is not expectation.reason)
            yield "its reason", (replace(expectation, reason=other),)
        return
    yield "its outcome", (FootprintExpectation(refused=True),)
    if expectation.resources is not None:
        yield "what the pod takes", (replace(expectation, resources=_more(expectation.resources)),)
    for index, one in enumerate(expectation.claims):
        turned = [replace(one, resources=_more(one.resources or {}))]
        if one.containers is not None:
            turned.append(replace(one, containers=(*one.containers, "no-such-container")))
        for other_share in turned:
            claims = (*expectation.claims[:index], other_share, *expectation.claims[index + 1 :])
            yield f"what claim {one.claim} takes", (replace(expectation, claims=claims),)


def _more(amounts: Amounts) -> Amounts:
    """Each amount a nano unit larger; where there is none, some of something."""
    if not amounts:
        return {"cpu": Quantity(1)}
    return {name: Quantity(amount.nano + 1, amount.format) for name, amount in amounts.items()}
