"""Which requirements have cases, and whether in every polarity they can have."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dra_conform.conformance.case import Case
from dra_conform.conformance.requirement import Requirement

Json = Any


def coverage(catalogue: Iterable[Requirement], cases: Sequence[Case]) -> Mapping[str, Json]:
    """Every requirement with its cases and how many of them accept and refuse, and totals.

    A case accepts if it expects an allocation, and refuses otherwise; a requirement is covered when it has
    cases of every polarity it can have.
    """
    by_requirement: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        for name in case.requirements:
            by_requirement[name].append(case)
    rows = [_row(requirement, by_requirement[requirement.id]) for requirement in catalogue]
    return {"requirements": rows, "totals": _totals(rows)}


def _row(requirement: Requirement, cases: Sequence[Case]) -> dict[str, Json]:
    accepts = sum(case.expectation.allocates for case in cases)
    refuses = len(cases) - accepts
    shown = {"accepts": accepts, "refuses": refuses}
    return {
        "id": requirement.id,
        "document": requirement.document,
        "level": requirement.level,
        "operation": requirement.operation,
        "covered": all(shown[polarity] for polarity in requirement.polarity),
        "cases": [case.id for case in cases],
        "accepts": accepts,
        "refuses": refuses,
    }


def _totals(rows: Sequence[Mapping[str, Json]]) -> dict[str, Json]:
    totals: dict[str, Json] = {"total": len(rows), "covered": sum(row["covered"] for row in rows)}
    for group, field in (("documents", "document"), ("levels", "level"), ("operations", "operation")):
        total = Counter(row[field] for row in rows)
        covered = Counter(row[field] for row in rows if row["covered"])
        totals[group] = {name: {"total": total[name], "covered": covered[name]} for name in total}
    return totals
