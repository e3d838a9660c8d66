"""Golden files: YAML with a common setup, cases, and tables, read as cases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import msgspec

from dra_conform.conformance.case import Case, Source
from dra_conform.conformance.operation import AnyOperation
from dra_conform.conformance.steps.given import Fixture
from dra_conform.conformance.steps.lookup import WrittenStep
from dra_conform.conformance.steps.step import StepError
from dra_conform.conformance.suite.case_ids import NAME, NAME_IN_WORDS, case_id, repeated_column, row_keys
from dra_conform.conformance.suite.composition import (
    CaseHeader,
    DeviationSteps,
    WrittenCaseStep,
    collect_from,
    compose,
    known_profiles,
    operation_of,
    step_by_key,
    undecodable,
)
from dra_conform.conformance.suite.flow_style import compact, step_in_words
from dra_conform.conformance.suite.golden_file import GoldenCase, GoldenFile, GoldenStep, GoldenTable, StepOf
from dra_conform.conformance.suite.setup_of_write import setup_of_write
from dra_conform.kube.errors import InputError
from dra_conform.kube.json_values import UncheckedJson
from dra_conform.kube.objects import DecodeErrors, decode_as
from dra_conform.kube.yaml import Document, Path, parse_yaml


@dataclass(frozen=True, slots=True)
class _GoldenPlace:
    document: Document
    path: Path

    def error(self, path: Path, message: str) -> InputError:
        return self.document.error((*self.path, *path), message)


def golden_cases(text: str, file: str, fixture: Fixture) -> Iterator[Case]:
    """Yield the cases of a golden file, one for each table row; raises InputError and InputErrors.

    `file` is relative to the suite, such as `golden/kep-5075/rounding.yaml`; ids begin with its path.
    """
    documents = parse_yaml(text, file)
    if len(documents) != 1:
        raise InputError(file, 1, "", f"has {len(documents)} YAML documents, expected one golden file")
    document = documents[0]
    try:
        content: GoldenFile = decode_as(GoldenFile, document.value)
    except DecodeErrors as error:
        raise undecodable(document, error) from None
    folder = file.split("/")[1] if file.count("/") > 1 else content.document.lower()
    if content.document.lower() != folder:
        raise document.error(
            ("document",), f"is {content.document!r}, expected the document of its folder, {folder}"
        )
    if not content.cases:
        raise document.error(("cases",), "is empty, expected at least one case")
    shared = _written_steps(document, ("given",), "given", content.given, {})
    yield from collect_from(
        partial(_rows, document, index, case, shared, fixture) for index, case in enumerate(content.cases)
    )


def _rows(
    document: Document, index: int, case: GoldenCase, shared: Sequence[WrittenStep], fixture: Fixture
) -> Iterator[Case]:
    path: Path = ("cases", index)
    if not NAME.fullmatch(case.case):
        raise document.error((*path, "case"), f"is {case.case!r}, expected a name of {NAME_IN_WORDS}")
    if case.table is None:
        yield _case(document, path, case, shared, {}, fixture, document.line_of(path), "")
        return
    if not case.table.rows:
        raise document.error((*path, "table", "rows"), "is empty, expected at least one row")
    repeated = repeated_column(case.table.columns)
    if repeated is not None:
        message = f"repeats the column {case.table.columns[repeated]!r}, expected distinct columns"
        raise document.error((*path, "table", "columns", repeated), message)
    keys = _keys(document, path, case.table)
    for number, row in enumerate(case.table.rows):
        row_path = (*path, "table", "rows", number)
        if len(row) != len(case.table.columns):
            raise document.error(
                row_path, f"has {len(row)} cells, expected {len(case.table.columns)}, one for each column"
            )
        cells = {f"<{name}>": cell for name, cell in zip(case.table.columns, row, strict=True)}
        yield _case(document, path, case, shared, cells, fixture, document.line_of(row_path), keys[number])
    _reject_unused(document, path, case)


def _keys(document: Document, path: Path, table: GoldenTable) -> list[str]:
    shown = [[_cell_text(cell) for cell in row] for row in table.rows]
    width = len(table.columns)
    try:
        return row_keys(
            table.columns, [(*row[:width], *[""] * (width - len(row))) for row in shown], table.key
        )
    except ValueError as error:
        raise document.error((*path, "table", "key"), str(error)) from None


def _reject_unused(document: Document, path: Path, case: GoldenCase) -> None:
    """Reject columns that are named nowhere. The key column may be for ids only."""
    written = msgspec.json.encode(
        [case.title, case.requirements, case.given, case.when, case.then, case.in_, case.steps], enc_hook=str
    ).decode()
    table = case.table
    for name in table.columns if table else ():
        if f"<{name}>" not in written and not (table and name == table.key):
            raise document.error(
                (*path, "table", "columns"),
                f"has the unused column {name!r}, expected <{name}> in the title, the requirements or a step",
            )


def _case(
    document: Document,
    path: Path,
    case: GoldenCase,
    shared: Sequence[WrittenStep],
    cells: Mapping[str, UncheckedJson],
    fixture: Fixture,
    line: int,
    key: str,
) -> Case:
    place = _GoldenPlace(document, path)
    row = tuple(_cell_text(cell) for cell in cells.values())
    head = CaseHeader(
        id=case_id(document.file, case.case, key),
        title=_title(case.title, cells),
        source=Source(document.file, line),
        kind="golden",
        requirements=tuple(str(_filled(name, cells)) for name in case.requirements),
        profiles=None if case.profiles is None else known_profiles(place, ("profiles",), case.profiles),
        order=case.order,
        row=row,
    )
    case_steps = _case_steps(place, case, cells)
    whens = [step.when for step in case_steps]
    if operation_of(place, whens).name == "admit":
        shared = setup_of_write(shared, *whens)
    own = _written_steps(document, (*path, "given"), "given", case.given, cells)
    return compose(head, place, [*shared, *own], case_steps, fixture)


def _golden_steps(document: Document, path: Path, case: GoldenCase) -> Iterator[tuple[Path, GoldenStep]]:
    """Yield the steps of a case with their paths; raises InputError."""
    if case.steps:
        if case.when is not None or case.then or case.in_:
            raise document.error(
                (*path, "steps"),
                "cannot be used together with when, then or in, expected these keys only inside steps",
            )
        yield from (((*path, "steps", number), step) for number, step in enumerate(case.steps))
    elif case.when is not None:
        if not case.then:
            raise document.error((*path, "then"), "is missing, expected at least one Then step")
        yield path, GoldenStep(when=case.when, then=case.then, in_=case.in_)
    else:
        raise document.error((*path, "when"), "is missing, expected a When step, or steps")


def _case_steps(
    place: _GoldenPlace, case: GoldenCase, cells: Mapping[str, UncheckedJson]
) -> list[WrittenCaseStep]:
    document = place.document
    steps = list(_golden_steps(document, place.path, case))
    whens = [
        _written_steps(document, (*step_path, "when"), "when", (step.when,), cells)[0]
        for step_path, step in steps
    ]
    operation = operation_of(place, whens)
    return [
        _case_step(document, step_path, step, when, operation, cells)
        for (step_path, step), when in zip(steps, whens, strict=True)
    ]


def _case_step(
    document: Document,
    path: Path,
    step: GoldenStep,
    when: WrittenStep,
    operation: AnyOperation,
    cells: Mapping[str, UncheckedJson],
) -> WrittenCaseStep:
    place = _GoldenPlace(document, path)
    deviations = (
        DeviationSteps(
            known_profiles(place, ("in", number, "profiles"), deviation.profiles),
            deviation.reason,
            tuple(
                _written_steps(
                    document, (*path, "in", number, "then"), "then", deviation.then, cells, operation
                )
            ),
        )
        for number, deviation in enumerate(step.in_)
    )
    then = _written_steps(document, (*path, "then"), "then", step.then, cells, operation)
    return WrittenCaseStep(place, when, tuple(then), tuple(deviations))


def _written_steps(
    document: Document,
    path: Path,
    keyword: str,
    steps: Sequence[StepOf],
    cells: Mapping[str, UncheckedJson],
    operation: AnyOperation | None = None,
) -> list[WrittenStep]:
    written_steps = []
    for index, step in enumerate(steps):
        step_path = path if keyword == "when" else (*path, index)
        if len(step) != 1:
            raise document.error(step_path, f"has {len(step)} keys, expected one key, the name of the step")
        [(key, params)] = step.items()
        try:
            known_step = step_by_key(keyword, key, operation)
        except StepError as error:
            raise document.error(step_path, str(error)) from None
        filled_params = _filled(params, cells) if cells else params
        written_steps.append(
            WrittenStep(
                known_step,
                filled_params,
                step_in_words(key, filled_params),
                _GoldenPlace(document, (*step_path, key)),
            )
        )
    return written_steps


def _filled(value: UncheckedJson, cells: Mapping[str, UncheckedJson]) -> UncheckedJson:
    """Replace `<column>` by the cell: by its value if it is the whole string, otherwise by its text."""
    if isinstance(value, str):
        if value in cells:
            return cells[value]
        if "<" in value:
            for name, cell in cells.items():
                value = value.replace(name, _cell_text(cell))
        return value
    if isinstance(value, dict):
        return {str(_filled(key, cells)): _filled(item, cells) for key, item in value.items()}
    if isinstance(value, list):
        return [_filled(item, cells) for item in value]
    return value


def _title(text: str, cells: Mapping[str, UncheckedJson]) -> str:
    """Return the title of a row, with `""` for an empty cell."""
    words = {name: cell if cell != "" or f'"{name}"' in text else '""' for name, cell in cells.items()}
    return str(_filled(text, words))


def _cell_text(cell: UncheckedJson) -> str:
    return str(cell).lower() if isinstance(cell, bool) else compact(cell)
