"""The expectation of an allocation: its outcome, and the devices of each claim."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from dra_conform.conformance.allocate.answer import NOT_ALLOCATED, Outcome
from dra_conform.conformance.allocations.checks import (
    Check,
    checks_without,
    demands_values,
    negated,
)
from dra_conform.conformance.steps.step import StepError
from dra_conform.kube.json_values import Json


@dataclass(frozen=True, slots=True)
class AllocationExpectation:
    """The correct answer: one of `outcomes`, and each check if the outcome is an allocation.

    `category`: if set and the answer has reasons, one of them must have this category.
    `unjudged`: invariants that are not checked, because the implementation declines their part.
    """

    outcomes: frozenset[Outcome]
    checks: tuple[Check, ...] = ()
    category: str | None = None
    steps: tuple[str, ...] = ()
    unjudged: frozenset[str] = frozenset()

    @property
    def accepts(self) -> bool:
        return Outcome.ALLOCATED in self.outcomes

    @property
    def rejects(self) -> bool:
        return not self.accepts


ANYTHING = AllocationExpectation(frozenset(Outcome))
"""Accepts each outcome, so that the judge reports only invalid allocations."""


@dataclass
class AllocationExpectationBuilder:
    """Collects the Then steps of the question `ask`."""

    ask: Mapping[str, Json]
    outcomes: frozenset[Outcome] | None = None
    checks: list[Check] = field(default_factory=list)
    category: str | None = None
    may_end_with_error: bool = False
    steps: list[str] = field(default_factory=list)

    def decide(self, outcomes: Iterable[Outcome], category: str | None = None) -> None:
        """Record the outcome; raises StepError if an earlier Then step has a different one."""
        new = frozenset(outcomes)
        if self.outcomes is not None and self.outcomes != new:
            raise StepError("contradicts the outcome of an earlier Then step, expected the same outcome")
        self.outcomes = new
        self.category = category or self.category

    def expect_allocation(self, check: Check) -> None:
        """Record an expected allocation; raises StepError if an earlier Then step expects none."""
        self.decide({Outcome.ALLOCATED})
        self.checks.append(check)

    def build(self) -> AllocationExpectation:
        """Return the expectation.

        Raises StepError if no Then step states the outcome, or for a claim that the When step does not name.
        """
        if self.outcomes is None:
            raise StepError("has no outcome, expected at least one Then step")
        asked: Sequence[str] = self.ask["claims"]
        for check in self.checks:
            if check.claim not in asked:
                raise StepError(
                    f"is about ResourceClaim {check.claim}, "
                    f"expected a ResourceClaim of the When step: {', '.join(asked)}"
                )
        outcomes = self.outcomes | NOT_ALLOCATED if self.may_end_with_error else self.outcomes
        return AllocationExpectation(outcomes, tuple(self.checks), self.category, tuple(self.steps))


def negations(expectation: AllocationExpectation) -> Iterator[tuple[str, AllocationExpectation]]:
    """Yield the other outcomes, and each check with a different value."""
    others = frozenset(Outcome) - expectation.outcomes
    if others:
        yield "its outcome", replace(expectation, outcomes=others, checks=())
    allocated = frozenset({Outcome.ALLOCATED})
    for check in expectation.checks:
        if demands_values(check):
            words = f"step {expectation.steps[check.step]!r}"
            yield words, replace(expectation, outcomes=allocated, checks=(negated(check),))


PART_OF_INVARIANT = {
    "configuration-complete": "configuration",
    "node-selector-fits": "node-selector",
    "share-ids-distinct": "share-id",
    "consumed-capacity-complete": "consumed-capacity",
    "admin-access-as-requested": "recorded-admin-access",
    "tolerations-copied": "recorded-tolerations",
    "binding-conditions-copied": "recorded-binding-conditions",
    "groups-recorded": "recorded-compatibility-groups",
}
"""The part of each invariant that is only about one part of a result."""


def without_declined(
    expectation: AllocationExpectation, declined: Set[str]
) -> tuple[AllocationExpectation, frozenset[str]]:
    """Remove declined parts from the expectation; return it with the parts that it had demanded."""
    checks, demanded = checks_without(expectation.checks, declined)
    unjudged = frozenset(name for name, part in PART_OF_INVARIANT.items() if part in declined)
    return replace(expectation, checks=checks, unjudged=unjudged), demanded
