"""The interface of an operation, used by runner, lint, coverage, reports and adapters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, Protocol

from dra_conform.conformance.case import Act, Case, Expectation, Objects
from dra_conform.conformance.implementation import Answer
from dra_conform.conformance.steps.given import Given
from dra_conform.conformance.steps.step import Step
from dra_conform.conformance.verdict import Judgement
from dra_conform.kube.profile import Profile

Json = Any

Expectations = Sequence[Expectation | None]
"""What is demanded of each act of a case."""


class ExpectationBuilder(Protocol):
    """What the Then steps of one act have said so far; each adds its text to `steps` before it is applied."""

    steps: list[str]

    def build(self) -> Expectation:
        """The expectation; raises StepError where the steps do not make one."""
        ...


@dataclass(frozen=True, slots=True)
class Probe:
    """A question that tests the talk, not the answer; `title` is what it asks for."""

    title: str
    objects: Objects
    ask: Mapping[str, Json]


def _none(_: Mapping[str, Json]) -> frozenset[str]:
    """Most questions turn no gate on."""
    return frozenset()


def _as_posed(ask: Mapping[str, Json], _: Sequence[Act]) -> Mapping[str, Json]:
    """Most questions are asked whatever is said of the answer."""
    return ask


def _whole(expectations: Expectations, _: Set[str]) -> tuple[Expectations, frozenset[str]]:
    """Most answers have no part that can be declined alone."""
    return expectations, frozenset()


@dataclass(frozen=True, slots=True)
class Operation:
    """One kind of question, from its words in a case to the difference in a report.

    `name`: its id in `hello` and in a request.
    `tells_stories`: whether a case may have several When steps.
    `steps`: its When and Then steps. A When step's `apply` gets the `Given` and gives an action, which `pose`
    understands; a Then step's gets the builder that `expect` made.

    From the case to the request:
    `take`: a given API object as a case keeps it; raises ConversionRefused. Most operations keep it raw.
    `pose`: what was given, and the action of each act, as the objects and the question of a request; raises
    StepError and DecodeErrors.
    `features`: the feature ids that objects and question use.
    `asked`: the question as it is asked, given its acts with what is expected of them.
    `turned_on`: the gates that the question itself turns on where the release of the profile runs.
    `expect`: a builder for what an act (by its number) of this question must bring about.

    From the answer to the verdict:
    `read`: the body of a `result` as an answer; raises ValueError that says where it breaks the schema.
    `write`: an answer as the body of a `result`.
    `judge`: the case, the profile with the gates of the case, what is demanded of each act, the answer, and
    whether choices between right answers count.
    `without`: the expectations without what they demand of parts that an implementation declines, and which
    of these parts they demanded.
    `negations`: expectations of which a right answer must fail every one, each with the words of what was
    turned round. Without any, the case cannot fail.

    For `adapter check`:
    `probes`: tiny questions that every implementation of the operation can answer, or decline.

    For people:
    `question`: the question in one line.
    `expected` and `actual`: what is demanded, and an answer, as documents of one shape.
    `align`: both documents, made alike wherever they mean the same.
    """

    name: str
    steps: tuple[Step, ...]
    take: Callable[[Mapping[str, Json]], dict[str, Json]]
    pose: Callable[[Given, Sequence[Json]], tuple[Objects, Mapping[str, Json]]]
    features: Callable[[Objects, Mapping[str, Json]], frozenset[str]]
    expect: Callable[[Mapping[str, Json], int], ExpectationBuilder]
    read: Callable[[Mapping[str, Json]], Answer]
    write: Callable[[Answer], dict[str, Json]]
    judge: Callable[[Case, Profile, Expectations, Answer, bool], Judgement]
    negations: Callable[[Expectations], Iterator[tuple[str, Expectations]]]
    probes: tuple[Probe, ...]
    question: Callable[[Mapping[str, Json]], str]
    expected: Callable[[Expectations], Json]
    actual: Callable[[Answer], Json]
    align: Callable[[Case, str, Json, Json], tuple[Json, Json]]
    tells_stories: bool = False
    without: Callable[[Expectations, Set[str]], tuple[Expectations, frozenset[str]]] = _whole
    turned_on: Callable[[Mapping[str, Json]], frozenset[str]] = _none
    asked: Callable[[Mapping[str, Json], Sequence[Act]], Mapping[str, Json]] = _as_posed
