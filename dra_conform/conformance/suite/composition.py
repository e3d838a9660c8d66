"""From the steps of a case to the case: the part that Gherkin and golden files share."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dra_conform.conformance.case import Act, Case, Departure, Expectation, Source
from dra_conform.conformance.operation import Operation
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.conformance.steps import lookup
from dra_conform.conformance.steps.given import Fixture, Given
from dra_conform.conformance.steps.lookup import GIVEN, Place, Said
from dra_conform.conformance.steps.step import Step, StepError, Table
from dra_conform.kube.objects import DecodeErrors
from dra_conform.kube.profile_range import profiles_in

Json = Any


@dataclass(frozen=True, slots=True)
class DepartureSteps:
    """Then steps for other profiles."""

    profiles: frozenset[str]
    reason: str
    then: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class ActSteps:
    """A When step with the Then steps that belong to it, where it stands."""

    place: Place
    when: Said
    then: tuple[Said, ...] = ()
    departures: tuple[DepartureSteps, ...] = ()


@dataclass(frozen=True, slots=True)
class Head:
    """What a case is called and marked with."""

    id: str
    title: str
    source: Source
    kind: str
    requirements: tuple[str, ...]
    profiles: frozenset[str] | None = None
    order: bool = False
    rule: str = ""
    row: tuple[str, ...] = ()
    witness: Mapping[str, Json] | None = None


def known_steps(keyword: str, operation: Operation | None) -> tuple[Step, ...]:
    """The steps that may follow a keyword: given steps are shared, Then steps are those of the operation."""
    if keyword == "given":
        return GIVEN
    if keyword == "then" and operation is not None:
        return operation.steps
    return tuple(step for one in OPERATIONS.values() for step in one.steps)


def operation_of(step: Step) -> Operation:
    """The operation a When step asks."""
    return next(one for one in OPERATIONS.values() if step in one.steps)


def step_by_key(keyword: str, key: str, operation: Operation | None) -> Step:
    """The step of a golden key; raises StepError."""
    return lookup.by_key(known_steps(keyword, operation), keyword, key)


def step_by_words(
    keyword: str, words: str, rows: Table, text: str, operation: Operation | None
) -> tuple[Step, Json]:
    """The step that Gherkin words say, with its golden parameters; raises StepError."""
    return lookup.by_words(known_steps(keyword, operation), keyword, words, rows, text)


def compose(
    head: Head, place: Place, given: Sequence[Said], acts: Sequence[ActSteps], fixture: Fixture
) -> Case:
    """Make a case of its steps; raises InputError at the step that is wrong, or at the case's place."""
    if not acts:
        raise place.error((), 'has no When, expected one step such as: allocation of claim "c" is attempted')
    operation = operation_of(acts[0].when.step)
    world = Given(fixture, operation.take)
    for said in given:
        lookup.apply(said, world)
    actions = []
    for act in acts:
        if act.when.step not in operation.steps:
            raise act.when.place.error(
                (), f"asks something else than {operation.name}, expected one operation"
            )
        actions.append(lookup.apply(act.when, world))
    try:
        objects, ask = operation.pose(world, actions)
    except DecodeErrors as error:
        raise place.error((), f"the given is not a valid object: {error}") from None
    except StepError as error:
        raise place.error((), str(error)) from None
    return Case(
        id=head.id,
        title=head.title,
        source=head.source,
        kind=head.kind,
        requirements=head.requirements,
        operation=operation.name,
        objects=objects,
        ask=ask,
        acts=tuple(_act(operation, ask, act, last=act is acts[-1]) for act in acts),
        gates=dict(world.gates),
        profiles=head.profiles,
        features=operation.features(objects, ask),
        order=head.order,
        witness=head.witness,
        given=tuple(said.words for said in given),
        rule=head.rule,
        row=head.row,
    )


def _act(operation: Operation, ask: Mapping[str, Json], act: ActSteps, *, last: bool) -> Act:
    silent = not act.then and not act.departures and not last
    return Act(
        act.when.words,
        None if silent else _expectation(operation, ask, act.place, act.then),
        tuple(
            Departure(one.profiles, _expectation(operation, ask, act.place, one.then), one.reason)
            for one in act.departures
        ),
    )


def _expectation(
    operation: Operation, ask: Mapping[str, Json], place: Place, then: Sequence[Said]
) -> Expectation:
    builder = operation.expect(ask)
    for said in then:
        builder.steps.append(said.words)
        lookup.apply(said, builder)
    try:
        return builder.build()
    except StepError as error:
        raise place.error((), str(error)) from None


def row_id(cells: Sequence[str]) -> str:
    """The cells of a row as the end of an id: `[3-5]`; what is no letter, digit or `.+_*/` becomes a dash."""
    return f"[{'-'.join(re.sub(r'[^A-Za-z0-9.+_*/]+', '-', cell).strip('-') for cell in cells)}]"


def known_profiles(place: Place, path: tuple[str | int, ...], ranges: Sequence[str]) -> frozenset[str]:
    """The profiles of all these ranges, such as `since 1.36`; raises InputError."""
    try:
        return frozenset[str]().union(*map(profiles_in, ranges))
    except ValueError as error:
        raise place.error(path, str(error)) from None
