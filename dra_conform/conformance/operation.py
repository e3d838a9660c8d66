"""The interface of an operation, used by runner, lint, coverage, reports and adapters.

A new operation is a subclass of `Operation` in a folder of its own, and one line in `operations.py`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar

from dra_conform.conformance.case import Case, CaseStep, Expectation, Objects
from dra_conform.conformance.features import features_of
from dra_conform.conformance.steps.given import Given
from dra_conform.conformance.steps.step import Step
from dra_conform.conformance.verdict import Judgement
from dra_conform.kube.json_values import Json, UncheckedJson
from dra_conform.kube.profile import Profile

E = TypeVar("E", bound=Expectation)
A = TypeVar("A")


class ExpectationBuilder(Protocol):
    """Collects the Then steps of one step of a case.

    Each Then step is appended to `steps` before it is applied.
    """

    steps: list[str]

    def build(self) -> Expectation:
        """Return the expectation; raises StepError if the Then steps are incomplete."""
        ...


@dataclass(frozen=True, slots=True)
class Probe:
    """A question of `adapter check`, which tests the protocol, not the answer."""

    title: str
    objects: Objects
    ask: Mapping[str, Json]


class Operation(ABC, Generic[E, A]):
    """One kind of question, with expectations `E` and answers `A`, both frozen values.

    Expectations come as a sequence with one item for each step of the case, None for a step without Then
    steps. A case of an operation that is not `multi_step` has one step, which always has an expectation.
    Methods without a default must be implemented.
    """

    name: ClassVar[str]
    """The id of the operation in `hello` and in a request."""

    steps: ClassVar[tuple[Step, ...]]
    """The When and Then steps.

    `apply` of a When step gets the `Given` and returns an action for `build_question`. `apply` of a Then step
    gets the builder that `expect` returns.
    """

    multi_step: ClassVar[bool] = False
    """Whether a case may have several When steps."""

    subject: ClassVar[str] = "control plane"
    """The component that the operation tests. An implementation gets only the cases of its subject."""

    # From the case to the request.

    def convert(self, raw: Mapping[str, Json]) -> dict[str, Json]:
        """Return an API object of the setup in the form of this operation; raises UnservedVersion.

        By default, the object is unchanged.
        """
        return dict(raw)

    def build_question(self, given: Given, actions: Sequence[Json]) -> tuple[Objects, Mapping[str, Json]]:
        """Return the objects and the question of a request; raises StepError and DecodeErrors.

        `actions` has one item for each step. By default, the question is the action of the only step, and the
        objects are those of the setup.
        """
        [ask] = actions
        return given.objects_by_collection(), ask

    def features(self, objects: Objects, ask: Mapping[str, Json]) -> frozenset[str]:
        """Return the feature ids that a request uses, by default those of its objects."""
        return features_of(objects)

    def gates_turned_on(self, ask: Mapping[str, Json]) -> frozenset[str]:
        """Return the gates that a question turns on in the release of the profile, by default none."""
        return frozenset()

    @abstractmethod
    def expect(self, ask: Mapping[str, Json], step_index: int) -> ExpectationBuilder:
        """Return a builder for the expectation of a step."""

    def complete_question(
        self, objects: Objects, ask: Mapping[str, Json], case_steps: Sequence[CaseStep]
    ) -> Mapping[str, Json]:
        """Return the final question, which may depend on what the steps expect.

        By default, the question is unchanged.
        """
        return ask

    # From the answer to the verdict.

    @abstractmethod
    def read(self, body: Mapping[str, UncheckedJson]) -> A:
        """Decode the body of a `result` with status ok; raises ValueError that says what is malformed."""

    @abstractmethod
    def write(self, answer: A) -> dict[str, Json]:
        """Encode an answer as the body of a `result`, without its status."""

    def without_declined(self, expectation: E, declined: Set[str]) -> tuple[E, frozenset[str]]:
        """Remove the parts that an implementation declines from the expectation of a step.

        Return the remaining expectation, and the removed parts that it had demanded. By default, no part can
        be declined.
        """
        return expectation, frozenset()

    @abstractmethod
    def judge(
        self, case: Case, profile: Profile, expectations: Sequence[E | None], answer: A, *, strict: bool
    ) -> Judgement:
        """Judge an answer. `profile` has the gates of the case.

        `strict`: also compare a choice between valid answers.
        """

    @abstractmethod
    def negations(self, expectation: E) -> Iterator[tuple[str, E]]:
        """Yield expectations of a step that a correct answer must fail, each with the negated part in words.

        A case without negations cannot fail, which `dra-conform lint` reports.
        """

    # For `adapter check`.

    probes: ClassVar[tuple[Probe, ...]]
    """Small questions that each implementation of the operation can answer or decline."""

    # For people.

    @abstractmethod
    def expected(self, expectations: Sequence[E | None]) -> UncheckedJson:
        """Return expectations as a document, in the shape of `actual`."""

    def actual(self, answer: A) -> UncheckedJson:
        """Return an answer as a document, by default the body of its `result`."""
        return self.write(answer)

    def align(
        self, case: Case, profile: str, expected: UncheckedJson, actual: UncheckedJson
    ) -> tuple[UncheckedJson, UncheckedJson]:
        """Remove differences without meaning from two documents; by default, there are none."""
        return expected, actual


AnyOperation: TypeAlias = Operation[Any, Any]
"""An operation whose types of expectations and answers are not known here."""


def negations_of(
    operation: Operation[E, A], expectations: Sequence[E | None]
) -> Iterator[tuple[str, Sequence[E | None]]]:
    """Yield the expectations of all steps with one of them negated."""
    for index, expectation in enumerate(expectations):
        if expectation is not None:
            for words, negated in operation.negations(expectation):
                yield words, (*expectations[:index], negated, *expectations[index + 1 :])


def only(expectations: Sequence[E | None]) -> E:
    """Return the expectation of a case with one step."""
    [expectation] = expectations
    assert expectation is not None
    return expectation
