"""Base of operations whose answer has one observation per action and whose Then steps are checks of them.

A subclass has its steps, its question, its answer and its invariants; the demands, their negations, the judge
and the documents of reports are here.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar

import msgspec

from dra_conform.conformance.case import Case
from dra_conform.conformance.operation import Operation
from dra_conform.conformance.requirement import MUST
from dra_conform.conformance.steps.step import StepError
from dra_conform.conformance.verdict import PASSED, Finding, Judgement, Kind, Verdict
from dra_conform.kube.json_values import Json, UncheckedJson
from dra_conform.kube.profile import Profile

_MET = "met"
"""The text of a check that passes, in documents."""


class CheckedObservation(Protocol):
    """The state of the implementation after an action."""

    @property
    def problem(self) -> str:
        """Why the implementation could not continue, empty if it could."""
        ...


Observed = TypeVar("Observed", bound=CheckedObservation)


class ObservedAnswer(msgspec.Struct, Generic[Observed], frozen=True):
    """The answer to a case: the observation before the first action, and one after each action, in order."""

    start: Observed
    observations: tuple[Observed, ...]


class _Body(msgspec.Struct, Generic[Observed]):
    outcome: Literal["observed"]
    start: Observed
    observations: tuple[Observed, ...]


def write(answer: ObservedAnswer[Observed]) -> dict[str, Json]:
    """Return the body of a `result` without its status."""
    encoded: dict[str, Json] = msgspec.to_builtins(_Body("observed", answer.start, answer.observations))
    return encoded


@dataclass(frozen=True, slots=True)
class ObservedHistory(Generic[Observed]):
    """The observations up to that of step `index`, from 0."""

    answer: ObservedAnswer[Observed]
    index: int

    @property
    def now(self) -> Observed:
        """The observation of this step."""
        return self.answer.observations[self.index]


class ObservationCheck(Protocol):
    """The check of one Then step. `history` has the observations up to that of the step."""

    def problem(self, history: Any) -> str:
        """Return what is wrong, empty if the observations pass the check."""
        ...


@dataclass(frozen=True, slots=True)
class ObservationInvariant:
    """A check that applies after each step of each case, whatever its Then steps are.

    `name`: its name in reports. `requirement`: the requirement that it shows. `level`: that of the
    requirement; a case of a higher level does not fail by the invariant.
    """

    name: str
    requirement: str
    check: ObservationCheck
    level: str = MUST


@dataclass(frozen=True, slots=True)
class ExpectedCheck:
    """A check and the index of its Then step. A negated check passes if the check fails."""

    check: ObservationCheck
    step: int
    negated: bool = False


@dataclass(frozen=True, slots=True)
class CheckedStep:
    """The checks of one step. `rejections` are the types of checks that a rejection passes."""

    checks: tuple[ExpectedCheck, ...]
    steps: tuple[str, ...] = ()
    rejections: tuple[type[ObservationCheck], ...] = ()

    @property
    def accepts(self) -> bool:
        return any(not isinstance(expected.check, self.rejections) for expected in self.checks)

    @property
    def rejects(self) -> bool:
        return any(isinstance(expected.check, self.rejections) for expected in self.checks)


@dataclass
class CheckedStepBuilder:
    """Collects the Then steps of one step."""

    rejections: tuple[type[ObservationCheck], ...] = ()
    steps: list[str] = field(default_factory=list)
    checks: list[ExpectedCheck] = field(default_factory=list)

    def expect(self, check: ObservationCheck) -> None:
        """Add the check of the newest Then step; raises StepError for the same check twice."""
        if any(expected.check == check for expected in self.checks):
            raise StepError("is a duplicate Then step, expected each Then step once")
        self.checks.append(ExpectedCheck(check, len(self.steps) - 1))

    def build(self) -> CheckedStep:
        """Return the expectation."""
        return CheckedStep(tuple(self.checks), tuple(self.steps), self.rejections)


class CheckedObservations(Operation[CheckedStep, ObservedAnswer[Observed]]):
    """An operation whose answer has one observation for each action, and whose Then steps are checks."""

    multi_step = True
    observation: ClassVar[type[CheckedObservation]]
    """The type of the observations."""
    invariants: ClassVar[tuple[ObservationInvariant, ...]] = ()

    @abstractmethod
    def history(self, answer: ObservedAnswer[Observed], index: int) -> ObservedHistory[Observed]:
        """Return the observations up to that of a step, the input of its checks."""

    def read(self, body: Mapping[str, UncheckedJson]) -> ObservedAnswer[Observed]:
        """Decode the body of a `result` with status ok; raises ValueError if it is malformed."""
        answer: _Body[Observed] = msgspec.convert(body, _Body[self.observation])  # type: ignore[name-defined]
        return ObservedAnswer(answer.start, answer.observations)

    def write(self, answer: ObservedAnswer[Observed]) -> dict[str, Json]:
        """Encode an answer as the body of a `result`, without its status."""
        return write(answer)

    def judge(
        self,
        case: Case,
        profile: Profile,
        expectations: Sequence[CheckedStep | None],
        answer: ObservedAnswer[Observed],
        *,
        strict: bool,
    ) -> Judgement:
        """Judge all steps of a case: each check of the Then steps must pass, and then each invariant."""
        observed, wanted = len(answer.observations), len(expectations)
        if observed != wanted:
            problem = f"the answer has {observed} observations, expected {wanted}, one for each action"
            return Judgement(Verdict.FAIL, Kind.WRONG_RESULT, (Finding("expectation", problem),))
        findings = tuple(self._findings(expectations, answer))
        if findings:
            return Judgement(Verdict.FAIL, Kind.WRONG_RESULT, findings)
        level = case.level_in(profile.name)
        violations = tuple(self._violations(expectations, answer, level))
        return Judgement(Verdict.FAIL, Kind.INVALID_STATE, violations) if violations else PASSED

    def negations(self, expectation: CheckedStep) -> Iterator[tuple[str, CheckedStep]]:
        """Yield the expectation with one check negated, for each check."""
        for number, expected in enumerate(expectation.checks):
            checks = list(expectation.checks)
            checks[number] = replace(expected, negated=True)
            yield f"step {expectation.steps[expected.step]!r}", replace(expectation, checks=tuple(checks))

    def expected(self, expectations: Sequence[CheckedStep | None]) -> UncheckedJson:
        """Return the checks of each step, numbered from 1."""
        return {
            f"step {number}": dict.fromkeys(expectation.steps, _MET)
            for number, expectation in enumerate(expectations, 1)
            if expectation is not None and expectation.checks
        }

    def align(
        self, case: Case, profile: str, expected: UncheckedJson, actual: UncheckedJson
    ) -> tuple[UncheckedJson, UncheckedJson]:
        """Return which checks pass, and what is wrong with the others."""
        if not isinstance(expected, dict) or not isinstance(actual, Mapping):
            return expected, actual
        answer = self.read(actual)
        document: dict[str, Json] = {}
        for index, expectation in enumerate(case.expected(profile)[: len(answer.observations)]):
            if isinstance(expectation, CheckedStep) and expectation.checks:
                document[f"step {index + 1}"] = {
                    expectation.steps[check.step]: self._problem(check, answer, index) or _MET
                    for check in expectation.checks
                }
        return expected, document

    def _findings(
        self, expectations: Sequence[CheckedStep | None], answer: ObservedAnswer[Observed]
    ) -> Iterator[Finding]:
        for index, expectation in enumerate(expectations):
            for expected in expectation.checks if expectation is not None else ():
                problem = self._problem(expected, answer, index)
                if problem:
                    yield Finding("expectation", problem, step=expected.step, case_step=index)

    def _violations(
        self, expectations: Sequence[CheckedStep | None], answer: ObservedAnswer[Observed], level: str
    ) -> Iterator[Finding]:
        """Yield the first violation of each invariant that is not a Then step of the case itself."""
        expected = [check.check for step in expectations if step is not None for check in step.checks]
        for invariant in self.invariants:
            if invariant.check in expected or (level == MUST and invariant.level != MUST):
                continue
            for index in range(len(answer.observations)):
                problem = invariant.check.problem(self.history(answer, index))
                if problem:
                    name, requirement = invariant.name, invariant.requirement
                    yield Finding(name, problem, case_step=index, requirement=requirement)
                    break

    def _problem(self, expected: ExpectedCheck, answer: ObservedAnswer[Observed], index: int) -> str:
        problem = answer.observations[index].problem or expected.check.problem(self.history(answer, index))
        if not expected.negated:
            return problem
        return "" if problem else "the Then step holds, expected that it does not"
