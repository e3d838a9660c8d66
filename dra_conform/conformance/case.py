"""A case: a setup, and steps of one When with its Thens. Scenarios and golden entries become cases."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from dra_conform.conformance.requirement import MUST
from dra_conform.kube.errors import InputError
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import KEP, KEP_FUTURE

Objects = Mapping[str, tuple[Json, ...]]
"""API objects by the name of their collection (`nodes`, `resourceSlices`, ...)."""


class Expectation(Protocol):
    """The correct observations of one step, in the terms of its operation. Values are frozen."""

    @property
    def steps(self) -> tuple[str, ...]:
        """The Then steps as written, so that a failure can name its line."""
        ...

    @property
    def accepts(self) -> bool:
        """Whether a correct answer can be a success."""
        ...

    @property
    def rejects(self) -> bool:
        """Whether a correct answer can be a rejection or a failed allocation."""
        ...


@dataclass(frozen=True, slots=True)
class Source:
    """The place of a case; `file` is relative to the suite: `features/kep-5075/rounding.feature`."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Deviation:
    """A different expectation for some profiles, and why these releases deviate from the specification."""

    profiles: frozenset[str]
    expectation: Expectation
    reason: str


@dataclass(frozen=True, slots=True)
class CaseStep:
    """One step of a case: a When with its Thens. Without an expectation, each observation is correct.

    `words` is the When as written.
    """

    words: str
    expectation: Expectation | None
    deviations: tuple[Deviation, ...] = ()

    def expected(self, profile: str) -> tuple[Expectation | None, str]:
        """Return the expectation in a profile, and the reason of a deviation, empty if there is none."""
        for deviation in self.deviations:
            if profile in deviation.profiles:
                return deviation.expectation, deviation.reason
        return self.expectation, ""


@dataclass(frozen=True, slots=True)
class Case:
    """One case: a setup, a question, and its steps with their expectations.

    `operation`: a name in `operations.OPERATIONS`. `objects` and `ask`: the question, which is all that an
    implementation sees. `gates`: overrides of the feature gates of the profile. `gates_turned_on`: gates that
    a release must have, because the case turns them on. `profiles`: the profiles in which the case applies,
    None for all. `features`: the feature ids that the case uses. `order`: the case selects one of several
    valid answers, which is compared only with `--strict-choice`. `not_admitted`: why the setup has objects
    that an API server would reject, empty if it has none. `given`: the setup as written, for reports.
    `rule`: the Rule of the scenario, for reports. `row`: the cells of the table row or example of the case.
    `level`: the highest level of its requirements.
    """

    id: str
    title: str
    source: Source
    kind: str  # "scenario" or "golden"
    requirements: tuple[str, ...]
    operation: str
    objects: Objects
    ask: Mapping[str, Json]
    case_steps: tuple[CaseStep, ...]
    gates: Mapping[str, bool] = field(default_factory=dict)
    gates_turned_on: frozenset[str] = frozenset()
    profiles: frozenset[str] | None = None
    features: frozenset[str] = frozenset()
    order: bool = False
    not_admitted: str = ""
    given: tuple[str, ...] = ()
    rule: str = ""
    row: tuple[str, ...] = ()
    level: str = MUST

    def error(self, message: str) -> InputError:
        """Return an error at the place of the case."""
        return InputError(self.source.file, self.source.line, self.id, message)

    def level_in(self, profile: str) -> str:
        """Return the level of the case: in profile `kep` that of its requirements, otherwise MUST."""
        return self.level if profile == KEP else MUST

    def expected(self, profile: str) -> tuple[Expectation | None, ...]:
        """Return the expectation of each step in a profile."""
        return tuple(step.expected(profile)[0] for step in self.case_steps)

    def deviation(self, profile: str) -> str:
        """Return why the profile deviates from the specification, empty if it does not."""
        return "; ".join(
            dict.fromkeys(reason for step in self.case_steps if (reason := step.expected(profile)[1]))
        )

    def steps(self, profile: str) -> tuple[tuple[str, ...], ...]:
        """Return the Then steps that a profile uses, as written, for each step of the case."""
        return tuple(
            () if expectation is None else expectation.steps for expectation in self.expected(profile)
        )

    @property
    def accepts(self) -> bool:
        """Whether a step of the case can succeed according to the specification."""
        return any(step.expectation is not None and step.expectation.accepts for step in self.case_steps)

    @property
    def rejects(self) -> bool:
        """Whether a step of the case can be rejected or fail to allocate according to the specification."""
        return any(step.expectation is not None and step.expectation.rejects for step in self.case_steps)


class Selectable(Protocol):
    """What selections and lists need to know of a case: a `Case`, or its row in the index."""

    @property
    def id(self) -> str:
        """The id of the case."""
        ...

    @property
    def title(self) -> str:
        """The title of the case."""
        ...

    @property
    def kind(self) -> str:
        """`scenario` or `golden`."""
        ...

    @property
    def requirements(self) -> tuple[str, ...]:
        """The ids of its requirements."""
        ...

    @property
    def operation(self) -> str:
        """The name of its operation."""
        ...

    @property
    def features(self) -> frozenset[str]:
        """The feature ids that it uses."""
        ...

    @property
    def profiles(self) -> frozenset[str] | None:
        """The profiles in which it applies, None for all."""
        ...


S = TypeVar("S", bound=Selectable)


def applicable(cases: Iterable[S], profile: str) -> list[S]:
    """Return the cases of a profile; `kep-future` has only cases that name it."""
    return [
        case
        for case in cases
        if (profile in case.profiles if case.profiles is not None else profile != KEP_FUTURE)
    ]
