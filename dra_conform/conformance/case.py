"""A case: given, when, then. Gherkin scenarios and golden entries both become this."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from dra_conform.conformance.allocate.answer import Outcome

Json = Any


@dataclass(frozen=True, slots=True)
class Source:
    """Where a case is written; `file` is relative to the suite: `features/kep-5075/rounding.feature`."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Action:
    """What is asked. For `allocate`: `{"node": NAME, "claims": ["namespace/name", ...]}`."""

    operation: str
    ask: Mapping[str, Json]


class Match(StrEnum):
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
class ExpectedEntry:
    """One expected entry of the configuration of an allocation; no requests means all of them."""

    source: str
    parameters: Mapping[str, Json]
    requests: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """What one Then step demands of one claim (`namespace/name`).

    `alternatives` are lists of results: one list in the modes `exact` and `valid` (where each expected result
    must match a different actual one, and others may exist), several in `one-of`, none in `count`.
    `nodes` are those of the case's nodes that the allocation's node selector admits, `config` its complete
    configuration in order. `step` is the index of the step in `Expectation.steps`.
    """

    claim: str
    match: Match
    alternatives: tuple[tuple[ExpectedResult, ...], ...] = ()
    count: int | None = None
    nodes: frozenset[str] | None = None
    config: tuple[ExpectedEntry, ...] | None = None
    step: int = 0


@dataclass(frozen=True, slots=True)
class Expectation:
    """What is right: one of `outcomes`, and every check where the outcome is an allocation.

    `category`: where set, the reasons of the answer must hold it, if the implementation gives any.
    `steps` are the texts of the Then steps, so that a failure can name its line.
    """

    outcomes: frozenset[Outcome]
    checks: tuple[Check, ...] = ()
    category: str | None = None
    steps: tuple[str, ...] = ()

    @property
    def allocates(self) -> bool:
        return Outcome.ALLOCATED in self.outcomes


@dataclass(frozen=True, slots=True)
class Departure:
    """Another expectation for some profiles, and why that release departs from the document."""

    profiles: frozenset[str]
    expectation: Expectation
    reason: str


@dataclass(frozen=True, slots=True)
class Case:
    """One question with its right answer.

    `objects` are plain v1 API objects by collection name (`nodes`, `deviceClasses`, `resourceSlices`,
    `resourceClaims`, `deviceTaintRules`, ...). Claims with `status.allocation` that are not asked for are the
    state. `gates` overrides the profile's feature gates. `features` are the feature ids the objects use.
    `order`: the checks pin a choice between equally valid devices and count only with `--strict`.
    `witness` is a valid allocation by claim where the case knows one. `given` is the given in the words
    of the case, for reports. `row` are the cells of the table row or example the case was made of.
    """

    id: str
    title: str
    source: Source
    kind: str  # "scenario" or "golden"
    requirements: tuple[str, ...]
    objects: Mapping[str, tuple[Json, ...]]
    action: Action
    expectation: Expectation
    departures: tuple[Departure, ...] = ()
    gates: Mapping[str, bool] = field(default_factory=dict)
    profiles: frozenset[str] | None = None
    features: frozenset[str] = frozenset()
    order: bool = False
    witness: Mapping[str, Json] | None = None
    given: tuple[str, ...] = ()
    row: tuple[str, ...] = ()

    def expected(self, profile: str) -> tuple[Expectation, str]:
        """The expectation in a profile, and the reason where it departs from the document (else empty)."""
        for departure in self.departures:
            if profile in departure.profiles:
                return departure.expectation, departure.reason
        return self.expectation, ""
