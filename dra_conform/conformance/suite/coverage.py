"""The coverage of requirements by cases, in each polarity."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from dra_conform.conformance.case import Case
from dra_conform.conformance.requirement import Requirement
from dra_conform.kube.json_values import Json


def coverage(catalogue: Iterable[Requirement], cases: Sequence[Case]) -> Mapping[str, Json]:
    """Return each requirement with its cases, their numbers by polarity, and totals.

    Requirements that are `untestable` are counted separately, and never as covered.
    """
    by_requirement: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        for name in case.requirements:
            by_requirement[name].append(case)
    rows = [_row(requirement, by_requirement[requirement.id]) for requirement in catalogue]
    return {"requirements": rows, "totals": _totals(rows)}


def covered(requirement: Requirement, cases: Iterable[Case]) -> bool:
    """Whether the cases of a requirement cover each of its polarities.

    A case has the polarity `accepts` if a step can succeed according to the specification, and `rejects` if a
    step is rejected or not allocated. A multi-step scenario may have both.
    """
    shown = {polarity for case in cases for polarity in _polarities(case)}
    return not requirement.untestable and requirement.polarity <= shown


def _polarities(case: Case) -> Iterator[str]:
    if case.accepts:
        yield "accepts"
    if case.rejects:
        yield "rejects"


def _row(requirement: Requirement, cases: Sequence[Case]) -> dict[str, Json]:
    return {
        "id": requirement.id,
        "document": requirement.document,
        "level": requirement.level,
        "operation": requirement.operation,
        "covered": covered(requirement, cases),
        "untestable": bool(requirement.untestable),
        "cases": [case.id for case in cases],
        "accepts": sum(case.accepts for case in cases),
        "rejects": sum(case.rejects for case in cases),
    }


def _totals(rows: Sequence[Mapping[str, Json]]) -> dict[str, Json]:
    totals: dict[str, Json] = _count(rows)
    for group, field in (("documents", "document"), ("levels", "level"), ("operations", "operation")):
        grouped: dict[str, list[Mapping[str, Json]]] = defaultdict(list)
        for row in rows:
            grouped[row[field]].append(row)
        totals[group] = {name: _count(rows_of_group) for name, rows_of_group in grouped.items()}
    return totals


def _count(rows: Sequence[Mapping[str, Json]]) -> dict[str, Json]:
    marks = {mark: sum(row[mark] for row in rows) for mark in ("covered", "untestable")}
    return {"total": len(rows), **marks}
