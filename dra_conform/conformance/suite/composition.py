"""The construction of a case from its steps, common to Gherkin and golden files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TypeVar

from dra_conform.conformance.case import Case, CaseStep, Deviation, Expectation, Source
from dra_conform.conformance.operation import AnyOperation, ExpectationBuilder
from dra_conform.conformance.operations import OPERATIONS
from dra_conform.conformance.steps import lookup
from dra_conform.conformance.steps.given import Fixture, Given
from dra_conform.conformance.steps.lookup import Place, WrittenStep, given_steps
from dra_conform.conformance.steps.step import Step, StepError, Table
from dra_conform.kube.errors import InputError, InputErrors
from dra_conform.kube.json_values import UncheckedJson
from dra_conform.kube.objects import DecodeErrors
from dra_conform.kube.profile import profiles_in
from dra_conform.kube.yaml import Document

T = TypeVar("T")

MAX_PROBLEMS = 100
"""The limit of problems of a file. Authors fix these before they read the file again."""


def collect_from(parts: Iterable[Callable[[], Iterable[T]]]) -> Iterator[T]:
    """Yield the items of all parts; then raise InputError or InputErrors with each problem once.

    Reading stops at a hundred problems; a final problem says so if parts are left.
    """
    errors: dict[str, InputError] = {}
    rest = iter(parts)
    for part in rest:
        try:
            yield from part()
        except InputError as error:
            errors[str(error)] = error
        except InputErrors as error_group:
            errors |= {str(error): error for error in error_group.errors}
        if len(errors) >= MAX_PROBLEMS:
            if next(rest, None) is not None:
                last = next(reversed(errors.values()))
                message = f"has {len(errors)} problems up to this line; the rest of the file was not read"
                errors[message] = InputError(last.file, last.line, "", message)
            break
    if errors:
        raise _joined(list(errors.values()))


def undecodable(document: Document, error: DecodeErrors) -> InputError | InputErrors:
    """Return the problems of a document that cannot be decoded, each with its line."""
    return _joined([document.error(problem.path, problem.message) for problem in error.problems])


def _joined(errors: list[InputError]) -> InputError | InputErrors:
    return errors[0] if len(errors) == 1 else InputErrors(errors)


@dataclass(frozen=True, slots=True)
class DeviationSteps:
    """The Then steps of a deviation."""

    profiles: frozenset[str]
    reason: str
    then: tuple[WrittenStep, ...]


@dataclass(frozen=True, slots=True)
class WrittenCaseStep:
    """A When step with its Then steps, and its place."""

    place: Place
    when: WrittenStep
    then: tuple[WrittenStep, ...] = ()
    deviations: tuple[DeviationSteps, ...] = ()


@dataclass(frozen=True, slots=True)
class CaseHeader:
    """The id, title and tags of a case."""

    id: str
    title: str
    source: Source
    kind: str
    requirements: tuple[str, ...]
    profiles: frozenset[str] | None = None
    order: bool = False
    rule: str = ""
    row: tuple[str, ...] = ()


def known_steps(keyword: str, operation: AnyOperation | None) -> tuple[Step, ...]:
    """Return the steps that may follow a keyword.

    Given steps are common to all operations. Then steps are those of the operation, if it is known.
    """
    if keyword == "given":
        return given_steps()
    if keyword == "then" and operation is not None:
        return operation.steps
    return tuple(chain.from_iterable(known.steps for known in OPERATIONS.values()))


def operation_of(place: Place, whens: Sequence[WrittenStep]) -> AnyOperation:
    """Return the operation of a case: the first operation that has all When steps and allows their number.

    So a single write is `admit`, and a write among other steps is `cluster`. Raises InputError.
    """
    if not whens:
        raise place.error(
            (), 'has no When step, expected a When step such as: allocation of ResourceClaim "c" is attempted'
        )
    candidates = [operation for operation in OPERATIONS.values() if _has_step(operation, whens[0])]
    for when in whens[1:]:
        remaining = [operation for operation in candidates if _has_step(operation, when)]
        if not remaining:
            earlier = " or ".join(operation.name for operation in candidates)
            message = f"belongs to another operation, expected a When step of operation {earlier}"
            raise when.place.error((), message)
        candidates = remaining
    suitable = [operation for operation in candidates if operation.multi_step or len(whens) == 1]
    if not suitable:
        names = " or ".join(operation.name for operation in candidates)
        raise whens[1].place.error((), f"is a second When step, expected only one for operation {names}")
    return suitable[0]


def _has_step(operation: AnyOperation, written: WrittenStep) -> bool:
    return written.step in operation.steps


def step_by_key(keyword: str, key: str, operation: AnyOperation | None) -> Step:
    """Return the step of a golden key; raises StepError."""
    return lookup.by_key(known_steps(keyword, operation), keyword, key)


def step_by_words(
    keyword: str, words: str, rows: Table, text: str, operation: AnyOperation | None
) -> tuple[Step, UncheckedJson]:
    """Return the step of a Gherkin sentence with its parameters; raises StepError."""
    return lookup.by_words(known_steps(keyword, operation), keyword, words, rows, text)


def compose(
    head: CaseHeader,
    place: Place,
    given: Sequence[WrittenStep],
    case_steps: Sequence[WrittenCaseStep],
    fixture: Fixture,
) -> Case:
    """Build a case from its steps; raises InputError at the place of the invalid step, or of the case."""
    operation = operation_of(place, [step.when for step in case_steps])
    setup = Given(fixture, operation.convert)
    for written in given:
        lookup.apply(written, setup)
    words = tuple(written.words for written in given)
    return compose_on(head, place, operation, setup, words, case_steps)


def compose_on(
    head: CaseHeader,
    place: Place,
    operation: AnyOperation,
    setup: Given,
    given: tuple[str, ...],
    case_steps: Sequence[WrittenCaseStep],
) -> Case:
    """Build a case on a setup to which its Given steps are applied; `given` has these steps in words."""
    if setup.components and not operation.multi_step:
        raise place.error(
            (),
            f"configures components, expected no such step in a case of operation {operation.name}",
        )
    actions = [lookup.apply(step.when, setup) for step in case_steps]
    try:
        objects, ask = operation.build_question(setup, actions)
    except DecodeErrors as error:
        raise place.error((), f"the setup has an invalid object: {error}") from None
    except StepError as error:
        raise place.error((), str(error)) from None
    composed = tuple(
        _case_step(operation, ask, number, step, last=step is case_steps[-1])
        for number, step in enumerate(case_steps)
    )
    return Case(
        id=head.id,
        title=head.title,
        source=head.source,
        kind=head.kind,
        requirements=head.requirements,
        operation=operation.name,
        objects=objects,
        ask=operation.complete_question(objects, ask, composed),
        case_steps=composed,
        gates=dict(setup.gates),
        gates_turned_on=frozenset(gate for gate, on in setup.gates.items() if on)
        | operation.gates_turned_on(ask),
        profiles=head.profiles,
        features=operation.features(objects, ask),
        order=head.order,
        not_admitted=setup.not_admitted,
        given=given,
        rule=head.rule,
        row=head.row,
    )


def _case_step(
    operation: AnyOperation,
    ask: Mapping[str, UncheckedJson],
    number: int,
    case_step: WrittenCaseStep,
    *,
    last: bool,
) -> CaseStep:
    unchecked = not case_step.then and not last
    builder = partial(operation.expect, ask, number)
    return CaseStep(
        case_step.when.words,
        None if unchecked else _expectation(builder, case_step.place, case_step.then),
        tuple(
            Deviation(
                deviation.profiles, _expectation(builder, case_step.place, deviation.then), deviation.reason
            )
            for deviation in case_step.deviations
        ),
    )


def _expectation(
    new_builder: Callable[[], ExpectationBuilder], place: Place, then: Sequence[WrittenStep]
) -> Expectation:
    builder = new_builder()
    for written in then:
        builder.steps.append(written.words)
        lookup.apply(written, builder)
    try:
        return builder.build()
    except StepError as error:
        raise place.error((), str(error)) from None


def known_profiles(place: Place, path: tuple[str | int, ...], ranges: Sequence[str]) -> frozenset[str]:
    """Return the profiles of ranges such as `since 1.36`; raises InputError."""
    try:
        return frozenset[str]().union(*map(profiles_in, ranges))
    except ValueError as error:
        raise place.error(path, str(error)) from None
