"""A case: its setup, then steps of a When and its Thens. Scenarios and golden entries become cases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from dra_conform.conformance.requirement import MUST
from dra_conform.kube.profile import KEP

Json = Any
Objects = Mapping[str, tuple[Json, ...]]
"""API objects by the name of their collection (`nodes`, `resourceSlices`, ...)."""


class Expectation(Protocol):
    """What one act must bring about, in the terms of its operation; a frozen value."""

    @property
    def steps(self) -> tuple[str, ...]:
        """The texts of the Then steps, so that a failure can name its line."""
        ...

    @property
    def accepts(self) -> bool:
        """Whether an answer that gives what was asked can be right."""
        ...

    @property
    def refuses(self) -> bool:
        """Whether an answer that refuses it can be right."""
        ...


@dataclass(frozen=True, slots=True)
class Source:
    """Where a case is written; `file` is relative to the suite: `features/kep-5075/rounding.feature`."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Deviation:
    """Another expectation for some profiles, and why that release departs from the document."""

    profiles: frozenset[str]
    expectation: Expectation
    reason: str


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that is asked, and what must then be observed; without an expectation, anything may be.

    `words` is the When step as it is written.
    """

    words: str
    expectation: Expectation | None
    departures: tuple[Deviation, ...] = ()

    def expected(self, profile: str) -> tuple[Expectation | None, str]:
        """The expectation in a profile, and the reason where it departs from the document (else empty)."""
        for departure in self.departures:
            if profile in departure.profiles:
                return departure.expectation, departure.reason
        return self.expectation, ""


@dataclass(frozen=True, slots=True)
class Case:
    """One story with what is right at each of its acts.

    `operation` is the question it is put as (a name in `operations.OPERATIONS`), `objects` and `ask` are the
    question: what an implementation gets to see. `gates` overrides the profile's feature gates, `turned_on`
    are those that a release must have so that they can be turned on. `features` are the feature ids the story
    uses. `order`: it pins a choice between equally valid answers, which counts only with `--strict-choice`.
    `not_admitted` says why something is given that an API server would not store, else it is empty.
    `witness` is a right answer where the case knows one. `given` is the given in the words of the case and
    `rule` the Rule it stands under, for reports. `row` are the cells of the table row or example it was made
    of. `profiles`: it holds in these only, None means in all. `level` is the highest level
    of its requirements.
    """

    id: str
    title: str
    source: Source
    kind: str  # "scenario" or "golden"
    requirements: tuple[str, ...]
    operation: str
    objects: Objects
    ask: Mapping[str, Json]
    acts: tuple[Act, ...]
    gates: Mapping[str, bool] = field(default_factory=dict)
    turned_on: frozenset[str] = frozenset()
    profiles: frozenset[str] | None = None
    features: frozenset[str] = frozenset()
    order: bool = False
    not_admitted: str = ""
    witness: Mapping[str, Json] | None = None
    given: tuple[str, ...] = ()
    rule: str = ""
    row: tuple[str, ...] = ()
    level: str = MUST

    def level_in(self, profile: str) -> str:
        """Return how binding the case is: in a release everything that the release does is MUST."""
        return self.level if profile == KEP else MUST

    def expected(self, profile: str) -> tuple[Expectation | None, ...]:
        """What a profile demands of each act."""
        return tuple(act.expected(profile)[0] for act in self.acts)

    def departure(self, profile: str) -> str:
        """Why what the profile demands departs from the document; empty where it does not."""
        return "; ".join(dict.fromkeys(reason for act in self.acts if (reason := act.expected(profile)[1])))

    def steps(self, profile: str) -> tuple[tuple[str, ...], ...]:
        """The Then steps that hold in a profile, by act."""
        return tuple(() if one is None else one.steps for one in self.expected(profile))

    @property
    def accepts(self) -> bool:
        """Whether the documents let one of its acts succeed."""
        return any(act.expectation is not None and act.expectation.accepts for act in self.acts)

    @property
    def refuses(self) -> bool:
        """Whether the documents have one of its acts refused."""
        return any(act.expectation is not None and act.expectation.refuses for act in self.acts)
