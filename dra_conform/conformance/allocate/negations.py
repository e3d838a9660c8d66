"""Negated expectations of an allocation: a correct answer must fail each of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dra_conform.conformance.allocate.answer import Outcome
from dra_conform.conformance.allocate.expectation import (
    AllocationExpectation,
    Check,
    ExpectedConfiguration,
    ExpectedResult,
)
from dra_conform.conformance.operation import Expectations


def negations(expectations: Expectations) -> Iterator[tuple[str, Expectations]]:
    """Yield the other outcomes, and each check that demands a value with a different value."""
    [expectation] = expectations
    assert isinstance(expectation, AllocationExpectation)
    others = frozenset(Outcome) - expectation.outcomes
    if others:
        yield "its outcome", (replace(expectation, outcomes=others, checks=()),)
    allocated = frozenset({Outcome.ALLOCATED})
    for check in expectation.checks:
        if pins(check):
            words = f"step {expectation.steps[check.step]!r}"
            yield words, (replace(expectation, outcomes=allocated, checks=(negated(check),)),)


def pins(check: Check) -> bool:
    """Whether a check demands more than an allocation of the ResourceClaim."""
    pinned = (check.count, check.nodes, check.config)
    return any(one is not None for one in pinned) or bool(check.choices)


def negated(check: Check) -> Check:
    """Return a check that a correct answer must fail: one device more, or different values."""
    if check.count is not None:
        return replace(check, count=check.count + 1)
    if check.nodes is not None:
        return replace(check, nodes=check.nodes | {"no-such-node"})
    if check.config is not None:
        return replace(check, config=(*check.config, ExpectedConfiguration("FromNowhere", {})))
    choices = tuple(
        tuple(_other(result) for result in results) or (ExpectedResult(),) for results in check.choices
    )
    return replace(check, choices=choices)


def _other(result: ExpectedResult) -> ExpectedResult:
    """Return the expected result with a different value in each compared field."""
    return ExpectedResult(
        request=None if result.request is None else f"not-{result.request}",
        device=None if result.device is None else f"not-{result.device}",
        pool=None if result.pool is None else f"not-{result.pool}",
        driver=None if result.driver is None else f"not-{result.driver}",
        consumed=None if result.consumed is None else {**result.consumed, "no-such-capacity": "1"},
        consumes=None if result.consumes is None else {**result.consumes, "no-such-capacity": "1"},
        share=None if result.share is None else not result.share,
        admin=None if result.admin is None else not result.admin,
        groups=None if result.groups is None else {**result.groups, "no-such-set": ("no-such-group",)},
        binding=None if result.binding is None else (*result.binding, "no-such-condition"),
        failure=None if result.failure is None else (*result.failure, "no-such-condition"),
    )
