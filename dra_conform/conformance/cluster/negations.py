"""Negated expectations of a scenario: a correct answer must fail each of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from dra_conform.conformance.admit import negations as admission
from dra_conform.conformance.admit.expectation import AdmissionExpectation
from dra_conform.conformance.allocate.negations import negated, pins
from dra_conform.conformance.cluster.expectation import BEFORE, ClusterExpectation, Fact
from dra_conform.conformance.cluster.other_observations import is_scheduling_failure
from dra_conform.conformance.operation import Expectations
from dra_conform.kube.field_paths import ABSENT

Json = Any


def negations(expectations: Expectations) -> Iterator[tuple[str, Expectations]]:
    """Yield the expectations of all steps with one of them negated."""
    for act, expectation in enumerate(expectations):
        if isinstance(expectation, ClusterExpectation):
            for words, turned in _of_act(expectation):
                yield words, (*expectations[:act], turned, *expectations[act + 1 :])


def _of_act(expectation: ClusterExpectation) -> Iterator[tuple[str, ClusterExpectation]]:
    if expectation.write is not None:
        for words, (turned,) in admission.negations([expectation.write]):
            assert isinstance(turned, AdmissionExpectation)
            yield words, replace(expectation, write=turned)
    for check in expectation.claims:
        words = f"step {expectation.steps[check.step]!r}"
        if pins(check):
            claims = tuple(negated(one) if one is check else one for one in expectation.claims)
            yield words, replace(expectation, claims=claims)
        else:
            fact = Fact("ResourceClaim", check.claim, "status.allocation", ABSENT, check.step)
            yield words, replace(expectation, facts=(*expectation.facts, fact))
    for fact in expectation.facts:
        facts = tuple(_other(one) if one is fact else one for one in expectation.facts)
        yield f"step {expectation.steps[fact.step]!r}", replace(expectation, facts=facts)


def _other(fact: Fact) -> Fact:
    """Return the expected field with a different value, or absent."""
    value: Json = "no such value"
    if fact.path == "status.reservedFor":
        value = ["no-such-pod"]
    elif (
        fact.value is not ABSENT
        and fact.value is not BEFORE
        and fact.path != "status.phase"
        and not is_scheduling_failure(fact.path)
    ):
        value = ABSENT
    return replace(fact, value=value)
