"""From the steps of a case to the case: the part that Gherkin and golden files share."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dra_conform.conformance.case import Case, Departure, Expectation, Source
from dra_conform.conformance.features import features_of
from dra_conform.conformance.steps import lookup as registry
from dra_conform.conformance.steps.given import CaseBuilder, ExpectationBuilder, StepError
from dra_conform.conformance.steps.lookup import Place, Said
from dra_conform.kube.objects import DecodeErrors
from dra_conform.kube.profile_range import profiles_in

Json = Any
Fixture = Callable[[str], Sequence[Mapping[str, Json]]]


@dataclass(frozen=True, slots=True)
class DepartureSteps:
    """Then steps for other profiles."""

    profiles: frozenset[str]
    reason: str
    then: tuple[Said, ...]


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
    row: tuple[str, ...] = ()
    witness: Mapping[str, Json] | None = None


def compose(
    head: Head,
    place: Place,
    given: Sequence[Said],
    when: Said | None,
    then: Sequence[Said],
    departures: Sequence[DepartureSteps],
    fixture: Fixture,
) -> Case:
    """Make a case of its steps; raises InputError at the step that is wrong, or at the case's place."""
    builder = CaseBuilder(fixture)
    for said in given:
        registry.apply(said, builder)
    if when is None:
        raise place.error((), 'has no When, expected one step such as: allocation of claim "c" is attempted')
    registry.apply(when, builder)
    try:
        objects = builder.build()
    except DecodeErrors as error:
        raise place.error((), f"the given is no valid object: {error}") from None
    assert builder.action is not None
    expectation = _expectation(place, then)
    others = [_expectation(place, one.then) for one in departures]
    for check in (check for one in (expectation, *others) for check in one.checks):
        if check.claim not in builder.action.ask["claims"]:
            asked = ", ".join(builder.action.ask["claims"])
            raise place.error((), f"says what claim {check.claim} gets, expected one that is asked: {asked}")
    return Case(
        id=head.id,
        title=head.title,
        source=head.source,
        kind=head.kind,
        requirements=head.requirements,
        objects=objects,
        action=builder.action,
        expectation=expectation,
        departures=tuple(
            Departure(one.profiles, other, one.reason) for one, other in zip(departures, others, strict=True)
        ),
        gates=dict(builder.gates),
        profiles=head.profiles,
        features=features_of(objects),
        order=head.order,
        witness=head.witness,
        given=tuple(said.words for said in given),
        row=head.row,
    )


def _expectation(place: Place, then: Sequence[Said]) -> Expectation:
    builder = ExpectationBuilder()
    for said in then:
        builder.steps.append(said.words)
        registry.apply(said, builder)
    try:
        return builder.build()
    except StepError as error:
        raise place.error((), f"has {error}") from None


def row_id(cells: Sequence[str]) -> str:
    """The cells of a row as the end of an id: `[3-5]`; what is no letter, digit or `.+_*/` becomes a dash."""
    return f"[{'-'.join(re.sub(r'[^A-Za-z0-9.+_*/]+', '-', cell).strip('-') for cell in cells)}]"


def known_profiles(place: Place, path: tuple[str | int, ...], ranges: Sequence[str]) -> frozenset[str]:
    """The profiles of all these ranges, such as `since 1.36`; raises InputError."""
    try:
        return frozenset[str]().union(*map(profiles_in, ranges))
    except ValueError as error:
        raise place.error(path, str(error)) from None
