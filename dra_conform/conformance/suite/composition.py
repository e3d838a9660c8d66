"""The construction of a case from its steps, common to Gherkin and golden files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from dra_conform.conformance.case import Act, Case, Deviation, Expectation, Source
from dra_conform.conformance.operation import ExpectationBuilder, Operation
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


def operation_of(place: Place, whens: Sequence[Said]) -> Operation:
    """What a case asks: the first operation that knows all its When steps and takes so many.

    So a write alone is `admit`, and the same write among others is an act of a story. Raises InputError.
    """
    if not whens:
        raise place.error(
            (), 'has no When, expected one step such as: allocation of ResourceClaim "c" is attempted'
        )
    knowing = [one for one in OPERATIONS.values() if _knows(one, whens[0])]
    for said in whens[1:]:
        still = [one for one in knowing if _knows(one, said)]
        if not still:
            asked = " or ".join(one.name for one in knowing)
            raise said.place.error((), f"asks something else than {asked}, expected one operation")
        knowing = still
    fitting = [one for one in knowing if one.tells_stories or len(whens) == 1]
    if not fitting:
        raise whens[1].place.error((), "is a second When step, expected one")
    return fitting[0]


def _knows(operation: Operation, said: Said) -> bool:
    return any(step is said.step for step in operation.steps)


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
    operation = operation_of(place, [act.when for act in acts])
    world = Given(fixture, operation.take)
    for said in given:
        lookup.apply(said, world)
    if world.components and not operation.tells_stories:
        raise place.error(
            (), f"has components, expected them in a multi-step scenario only, not in {operation.name}"
        )
    actions = [lookup.apply(act.when, world) for act in acts]
    try:
        objects, ask = operation.pose(world, actions)
    except DecodeErrors as error:
        raise place.error((), f"the given is not a valid object: {error}") from None
    except StepError as error:
        raise place.error((), str(error)) from None
    told = tuple(_act(operation, ask, number, act, last=act is acts[-1]) for number, act in enumerate(acts))
    return Case(
        id=head.id,
        title=head.title,
        source=head.source,
        kind=head.kind,
        requirements=head.requirements,
        operation=operation.name,
        objects=objects,
        ask=operation.asked(ask, told),
        acts=told,
        gates=dict(world.gates),
        turned_on=frozenset(gate for gate, on in world.gates.items() if on) | operation.turned_on(ask),
        profiles=head.profiles,
        features=operation.features(objects, ask),
        order=head.order,
        not_admitted=world.not_admitted,
        witness=head.witness,
        given=tuple(said.words for said in given),
        rule=head.rule,
        row=head.row,
    )


def _act(operation: Operation, ask: Mapping[str, Json], number: int, act: ActSteps, *, last: bool) -> Act:
    silent = not act.then and not last
    builder = partial(operation.expect, ask, number)
    return Act(
        act.when.words,
        None if silent else _expectation(builder, act.place, act.then),
        tuple(
            Deviation(one.profiles, _expectation(builder, act.place, one.then), one.reason)
            for one in act.departures
        ),
    )


def _expectation(begin: Callable[[], ExpectationBuilder], place: Place, then: Sequence[Said]) -> Expectation:
    builder = begin()
    for said in then:
        builder.steps.append(said.words)
        lookup.apply(said, builder)
    try:
        return builder.build()
    except StepError as error:
        raise place.error((), str(error)) from None


def known_profiles(place: Place, path: tuple[str | int, ...], ranges: Sequence[str]) -> frozenset[str]:
    """The profiles of all these ranges, such as `since 1.36`; raises InputError."""
    try:
        return frozenset[str]().union(*map(profiles_in, ranges))
    except ValueError as error:
        raise place.error(path, str(error)) from None
