"""The expectation of an allocation: its outcome, and the devices of each claim."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from dra_conform.conformance.allocate.answer import REFUSALS, Outcome
from dra_conform.conformance.steps.step import StepError

Json = Any


class MatchMode(StrEnum):
    """How an allocation is compared with the expected one; the invariants hold in every mode."""

    EXACT = "exact"
    """These results and no others, in any order; unnamed fields of a result are free."""
    ONE_OF = "one-of"
    """Exactly one of several lists of results."""
    VALID = "valid"
    """Any allocation that the invariants accept; expected results pin single facts of it."""
    COUNT = "count"
    """So many devices, whichever."""


@dataclass(frozen=True, slots=True)
class ExpectedResult:
    """One expected device of a claim. Only the fields that are not None are compared.

    `consumed` maps capacity names to quantity texts and is complete: `{}` means no consumedCapacity at all.
    `consumes` names single entries of it. `share` says whether a share ID must be there, `admin` whether
    adminAccess must. `groups` are the recorded compatibility groups by counter set, complete; sets without
    groups do not count. `binding` and `failure` are the binding conditions and binding failure conditions.
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
    """One expected entry of the configuration of an allocation; no requests means all of them."""

    source: str
    parameters: Mapping[str, Json]
    requests: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """What one Then step demands of one claim (`namespace/name`).

    `choices` are lists of results: one list in the modes `exact` and `valid` (where each expected result
    must match a different actual one, and others may exist), several in `one-of`, none in `count`.
    `nodes` are those of the case's nodes that the allocation's node selector admits, `config` its complete
    configuration in order. `step` is the index of the step in `AllocationExpectation.steps`.
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
    """What is right: one of `outcomes`, and every check where the outcome is an allocation.

    `category`: where set, the reasons of the answer must hold it, if the implementation gives any.
    `unjudged`: invariants that are not looked at, because the implementation declines what they are about.
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
"""Whatever is answered; what the judge then still complains of is an invalid allocation."""


@dataclass
class AllocationExpectationBuilder:
    """What the then steps have said so far of the question `ask`."""

    ask: Mapping[str, Json]
    outcomes: frozenset[Outcome] | None = None
    checks: list[Check] = field(default_factory=list)
    category: str | None = None
    may_be_refused: bool = False
    steps: list[str] = field(default_factory=list)

    def decide(self, outcomes: Iterable[Outcome], category: str | None = None) -> None:
        """Take the outcome; every then step of an act must mean the same one."""
        new = frozenset(outcomes)
        if self.outcomes is not None and self.outcomes != new:
            raise StepError("contradicts the outcome of a step before it, expected one outcome")
        self.outcomes = new
        self.category = category or self.category

    def build(self) -> AllocationExpectation:
        """The expectation; raises StepError without an outcome, or for a claim that is not requesting."""
        if self.outcomes is None:
            raise StepError("has no outcome, expected at least one Then step")
        asked: Sequence[str] = self.ask["claims"]
        for check in self.checks:
            if check.claim not in asked:
                raise StepError(
                    f"says what claim {check.claim} gets, expected one that is asked: {', '.join(asked)}"
                )
        outcomes = self.outcomes | REFUSALS if self.may_be_refused else self.outcomes
        return AllocationExpectation(outcomes, tuple(self.checks), self.category, tuple(self.steps))
