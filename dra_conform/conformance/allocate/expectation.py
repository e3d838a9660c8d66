"""The expectation of an allocation: its outcome, and the devices of each claim."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from dra_conform.conformance.allocate.answer import NOT_ALLOCATED, Outcome
from dra_conform.conformance.steps.step import StepError

Json = Any


class MatchMode(StrEnum):
    """How an allocation is compared with the expected one. Invariants are checked in every mode."""

    EXACT = "exact"
    """Exactly these results, in any order. Fields that a result does not name are not compared."""
    ONE_OF = "one-of"
    """Exactly the results of one of several lists."""
    VALID = "valid"
    """Any allocation that satisfies the invariants and has the expected results, among others."""
    COUNT = "count"
    """Any devices of the expected number."""


@dataclass(frozen=True, slots=True)
class ExpectedResult:
    """One expected result of a ResourceClaim. Only fields that are not None are compared.

    `consumed` maps capacity names to quantities and is complete: `{}` means no consumedCapacity. `consumes`
    has single entries. `share` and `admin` say whether shareID and adminAccess must be set. `groups` are all
    recorded compatibility groups by counter set, without counter sets that have none. `binding` and `failure`
    are the binding conditions and binding failure conditions.
    """

    request: str | None = None
    device: str | None = None
    pool: str | None = None
    driver: str | None = None
    consumed: Mapping[str, str] | None = None
    consumes: Mapping[str, str] | None = None
    share: bool | None = None
    admin: bool | None = None
    groups: Mapping[str, tuple[str, ...]] | None = None
    binding: tuple[str, ...] | None = None
    failure: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class ExpectedConfiguration:
    """One expected entry of the configuration. Empty `requests` mean all requests."""

    source: str
    parameters: Mapping[str, Json]
    requests: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """The demands of one Then step on one ResourceClaim (`namespace/name`).

    `choices` are lists of results: one list in the modes `exact` and `valid`, several in `one-of`, none in
    `count`. In mode `valid`, each expected result must match a different actual one, and others may exist.
    `nodes` are the nodes of the case that the node selector of the allocation selects. `config` is the
    complete configuration in order. `step` is the index of the step in `AllocationExpectation.steps`.
    """

    claim: str
    match: MatchMode
    choices: tuple[tuple[ExpectedResult, ...], ...] = ()
    count: int | None = None
    nodes: frozenset[str] | None = None
    config: tuple[ExpectedConfiguration, ...] | None = None
    step: int = 0


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
    def refuses(self) -> bool:
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
                    f"expected one that the When step names: {', '.join(asked)}"
                )
        outcomes = self.outcomes | NOT_ALLOCATED if self.may_end_with_error else self.outcomes
        return AllocationExpectation(outcomes, tuple(self.checks), self.category, tuple(self.steps))
