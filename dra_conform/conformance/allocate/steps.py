"""The When step and the Then steps of an allocation."""

from __future__ import annotations

import re
from collections.abc import Iterable

from dra_conform.conformance.allocate.answer import NOT_ALLOCATED, Outcome
from dra_conform.conformance.allocate.expectation import AllocationExpectationBuilder
from dra_conform.conformance.allocations.steps import CLAIM_STEPS
from dra_conform.conformance.steps.given import NODE, Given, claim_key, not_in_setup
from dra_conform.conformance.steps.step import Params, Step, StepError, Table, listed, then, when
from dra_conform.kube.category import Category
from dra_conform.kube.json_values import UncheckedJson


class AllocateClaims(Params, frozen=True, kw_only=True):
    """ResourceClaims that are allocated together on a node, by default the first node."""

    resource_claims: tuple[str, ...]
    node: str = ""


class FailureCategory(Params, frozen=True, kw_only=True):
    """The category of the reason why nothing is allocated."""

    category: str


def _decide(
    then: AllocationExpectationBuilder, outcomes: Iterable[Outcome], params: FailureCategory | bool
) -> None:
    category = params.category if isinstance(params, FailureCategory) else None
    if params is False:
        raise StepError("is false, expected true or a category")
    if category is not None and category not in set(Category):
        known = ", ".join(known_category.value for known_category in Category)
        raise StepError(f"unknown category {category!r}, expected one of {known}")
    then.decide(outcomes, category)


def _together(match: re.Match[str], _: Table, __: str) -> UncheckedJson:
    return {"resourceClaims": listed(match["claims"]), "node": match["node"] or ""}


def _because(match: re.Match[str], _: Table, __: str) -> UncheckedJson:
    return {"category": match["category"]} if match["category"] else True


@when('allocation of ResourceClaim "{claims}"[ on node "{node}"] is attempted', _together)
@when('allocation of the ResourceClaims "{claims}" together[ on node "{node}"] is attempted', _together)
def allocate(given: Given, params: AllocateClaims) -> UncheckedJson:
    """Return the action to allocate these ResourceClaims together on a node, by default the first node."""
    nodes = given.names("Node")
    if params.node and nodes and params.node not in nodes:
        raise StepError(not_in_setup("node", params.node, ", ".join(nodes)))
    keys = []
    for name in params.resource_claims:
        given.claim(name)
        keys.append(claim_key(name))
    if not keys:
        raise StepError("names no ResourceClaim, expected at least one")
    return {"node": params.node or (nodes or [NODE])[0], "claims": keys}


@then("no allocation is possible[ because of {category}]", _because, category="[A-Za-z]+")
def unallocatable(then: AllocationExpectationBuilder, params: FailureCategory | bool) -> None:
    _decide(then, (Outcome.UNALLOCATABLE,), params)


@then("allocation fails with an error[ because of {category}]", _because, category="[A-Za-z]+")
def allocation_error(then: AllocationExpectationBuilder, params: FailureCategory | bool) -> None:
    _decide(then, (Outcome.ERRORED,), params)


@then("nothing is allocated[ because of {category}]", _because, category="[A-Za-z]+")
def nothing_allocated(then: AllocationExpectationBuilder, params: FailureCategory | bool) -> None:
    _decide(then, NOT_ALLOCATED, params)


@then("allocation may also fail")
def may_also_fail(then: AllocationExpectationBuilder, params: bool) -> None:
    if params is False:
        raise StepError("is false, expected true")
    then.decide({Outcome.ALLOCATED})
    then.may_end_with_error = True


STEPS: tuple[Step, ...] = (
    allocate,
    *CLAIM_STEPS,
    unallocatable,
    allocation_error,
    nothing_allocated,
    may_also_fail,
)
"""The When and Then steps."""
