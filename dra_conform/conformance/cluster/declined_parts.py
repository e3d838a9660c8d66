"""The rest of a scenario's expectations if the allocator declines parts of a result."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from dra_conform.conformance.allocate.declined_parts import checks_without
from dra_conform.conformance.cluster.expectation import NEW_SHARES, ClusterExpectation
from dra_conform.conformance.operation import Expectations


def without(expectations: Expectations, declined: Set[str]) -> tuple[Expectations, frozenset[str]]:
    """Remove declined parts from the expectations; return them with the parts that they had demanded."""
    left: list[ClusterExpectation | None] = []
    demanded: set[str] = set()
    for expectation in expectations:
        if expectation is None:
            left.append(None)
            continue
        assert isinstance(expectation, ClusterExpectation)
        claims, of_claims = checks_without(expectation.claims, declined)
        demanded |= of_claims
        facts = expectation.facts
        if "share-id" in declined and any(fact.value is NEW_SHARES for fact in facts):
            demanded.add("share-id")
            facts = tuple(fact for fact in facts if fact.value is not NEW_SHARES)
        left.append(replace(expectation, claims=claims, facts=facts))
    return left, frozenset(demanded)
