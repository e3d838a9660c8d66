"""The coverage of requirements by cases, in each polarity."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from dra_conform.conformance.case import Case
from dra_conform.conformance.requirement import Requirement

Json = Any


def coverage(catalogue: Iterable[Requirement], cases: Sequence[Case]) -> Mapping[str, Json]:
    """Every requirement with its cases and how many of them accept and refuse, and totals.

    What `covered` means is said there. What no implementation could show is counted apart, never as covered.
    """
    by_requirement: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        for name in case.requirements:
            by_requirement[name].append(case)
    rows = [_row(requirement, by_requirement[requirement.id]) for requirement in catalogue]
    return {"requirements": rows, "totals": _totals(rows)}


def covered(requirement: Requirement, cases: Iterable[Case]) -> bool:
    """Whether the cases that name a requirement show it in every polarity it can have.

    A case accepts if what is asked can succeed by the documents, and refuses if it can be refused; a story
    of several acts may do both.
    """
    shown = {polarity for case in cases for polarity in _polarities(case)}
    return not requirement.unshowable and requirement.polarity <= shown


def _polarities(case: Case) -> Iterator[str]:
    if case.accepts:
        yield "accepts"
    if case.refuses:
        yield "refuses"


def _row(requirement: Requirement, cases: Sequence[Case]) -> dict[str, Json]:
    return {
        "id": requirement.id,
        "document": requirement.document,
        "level": requirement.level,
        "operation": requirement.operation,
        "covered": covered(requirement, cases),
        "unshowable": bool(requirement.unshowable),
        "cases": [case.id for case in cases],
        "accepts": sum(case.accepts for case in cases),
        "refuses": sum(case.refuses for case in cases),
    }


def _totals(rows: Sequence[Mapping[str, Json]]) -> dict[str, Json]:
    totals: dict[str, Json] = _counted(rows)
    for group, field in (("documents", "document"), ("levels", "level"), ("operations", "operation")):
        grouped: dict[str, list[Mapping[str, Json]]] = defaultdict(list)
        for row in rows:
            grouped[row[field]].append(row)
        totals[group] = {name: _counted(several) for name, several in grouped.items()}
    return totals


def _counted(rows: Sequence[Mapping[str, Json]]) -> dict[str, Json]:
    marks = {mark: sum(row[mark] for row in rows) for mark in ("covered", "unshowable")}
    return {"total": len(rows), **marks}
