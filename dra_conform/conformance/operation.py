"""The interface of an operation, used by runner, lint, coverage, reports and adapters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, Protocol

from dra_conform.conformance.case import Case, CaseStep, Expectation, Objects
from dra_conform.conformance.implementation import Answer
from dra_conform.conformance.steps.given import Given
from dra_conform.conformance.steps.step import Step
from dra_conform.conformance.verdict import Judgement
from dra_conform.kube.profile import Profile

Json = Any

Expectations = Sequence[Expectation | None]
"""The expectation of each step of a case."""


class ExpectationBuilder(Protocol):
    """Collects the Then steps of one step of a case. Each is appended to `steps` before it is applied."""

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


def _no_gates(_: Mapping[str, Json]) -> frozenset[str]:
    """The default of `gates_turned_on`: no gates."""
    return frozenset()


def _unchanged_question(ask: Mapping[str, Json], _: Sequence[CaseStep]) -> Mapping[str, Json]:
    """The default of `complete_question`: the question unchanged."""
    return ask


def _nothing_declined(expectations: Expectations, _: Set[str]) -> tuple[Expectations, frozenset[str]]:
    """The default of `without_declined`: no parts that can be declined."""
    return expectations, frozenset()


@dataclass(frozen=True, slots=True)
class Operation:
    """One kind of question: its steps, its judge and its documents in reports.

    `name`: its id in `hello` and in a request.
    `multi_step`: whether a case may have several When steps.
    `steps`: its When and Then steps. `apply` of a When step gets the `Given` and returns an action for
    `build_question`; `apply` of a Then step gets the builder of `expect`.

    From the case to the request:
    `convert`: converts an API object of the setup; raises UnservedVersion. Most operations keep it
    unchanged.
    `build_question`: returns the objects and the question of a request, from the setup and the action of
    each step; raises StepError and DecodeErrors.
    `features`: returns the feature ids that objects and question use.
    `complete_question`: returns the final question, from the question and the expectations of its steps.
    `gates_turned_on`: returns the gates that the question turns on in the release of the profile.
    `expect`: returns a builder for the expectation of a step, by question and step index.

    From the answer to the verdict:
    `read`: decodes the body of a `result`; raises ValueError that says where it violates the schema.
    `write`: encodes an answer as the body of a `result`.
    `judge`: judges an answer, by case, profile with the gates of the case, expectations, answer, and whether
    choices between valid answers are compared.
    `without_declined`: removes the parts that an implementation declines from expectations; returns the
    expectations, and the removed parts that they had demanded.
    `negations`: yields expectations that a correct answer must fail, each with the negated part in words. If
    there are none, the case cannot fail.

    For `adapter check`:
    `probes`: small questions that each implementation of the operation can answer or decline.

    For people:
    `question`: returns the question in one line.
    `expected` and `actual`: return expectations and an answer as documents of one shape.
    `align`: removes differences without meaning from both documents.
    """

    name: str
    steps: tuple[Step, ...]
    convert: Callable[[Mapping[str, Json]], dict[str, Json]]
    build_question: Callable[[Given, Sequence[Json]], tuple[Objects, Mapping[str, Json]]]
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
    multi_step: bool = False
    without_declined: Callable[[Expectations, Set[str]], tuple[Expectations, frozenset[str]]] = (
        _nothing_declined
    )
    gates_turned_on: Callable[[Mapping[str, Json]], frozenset[str]] = _no_gates
    complete_question: Callable[[Mapping[str, Json], Sequence[CaseStep]], Mapping[str, Json]] = (
        _unchanged_question
    )
