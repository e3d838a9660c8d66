"""Failures grouped by their probable cause."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from dra_conform.conformance.verdict import CaseResult, Kind, Verdict
from dra_conform.reports import diff, failure_explanation
from dra_conform.reports.recorded_results import verdict_text

_NAMED = re.compile(
    r"""
    "[^"]*" | '[^']*'                           # what is quoted
    | (?<![\w-]) (?: claim | device | request | node | pod | pool | slice | set ) \s \S*[\w\]]
    | [\w.-]*/[\w./\[\]-]+                      # default/c, dra.example.com/pool-1/d1
    | [\w.-]*\d[\w.:-]*                         # r0, 10Gi, 2026-11-20T21:00:00Z
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Cause:
    """Failures alike in their verdict, their requirement, and the shapes of the finding and of the diff.

    `said` is the sentence that says what is wrong: itself where all share it, else its shape, with `…` for
    names and amounts. `results` begin with the shortest failure_explanation, which serves as the example.
    """

    verdict: str
    said: str
    results: tuple[CaseResult, ...]

    @property
    def example(self) -> CaseResult:
        return self.results[0]

    @property
    def requirements(self) -> tuple[tuple[str, int], ...]:
        """The requirements that these failures show, with how many of them do, the most frequent first."""
        shown = Counter(name for result in self.results for name in dict.fromkeys(result.case.requirements))
        return tuple(sorted(shown.items(), key=lambda entry: -entry[1]))


def causes(failures: Sequence[CaseResult]) -> tuple[Cause, ...]:
    """The failures by cause; every failure is in exactly one.

    The area with most failures comes first, and in each area the cause of most of them.
    """
    found: dict[tuple[object, ...], list[CaseResult]] = {}
    areas = Counter(_area(result) for result in failures)
    for result in failures:
        found.setdefault(_alike(result), []).append(result)
    made = [_cause(results) for results in found.values()]
    return tuple(
        sorted(made, key=lambda one: (-areas[_area(one.example)], _area(one.example), -len(one.results)))
    )


def shape(message: str) -> str:
    """A message with `…` for each name, amount and list of them."""
    return re.sub(r"…(?:[\s,;:]+(?:and\s)?…)+", "…", _NAMED.sub("…", message))


def first_requirement(result: CaseResult) -> str:
    """The requirement that a failure is told under; the id of its case where that names none."""
    return next(iter(result.case.requirements), result.case.id)


def _area(result: CaseResult) -> str:
    return first_requirement(result).rpartition("/")[0]


def _alike(result: CaseResult) -> tuple[object, ...]:
    shown = first_requirement(result) if result.case.requirements else ""
    return (
        result.verdict,
        result.kind,
        shown,
        shape(failure_explanation.headline(result)),
        _changed_keys(result),
    )


def _changed_keys(result: CaseResult) -> frozenset[str]:
    """The keys of the lines that differ. Where the outcome itself does, everything below it differs too."""
    if result.verdict is not Verdict.FAIL or result.kind is Kind.WRONG_OUTCOME:
        return frozenset()
    lines = diff.of(result, with_paths=False).lines
    changed = (line for line in lines if line.mark != " ")
    return frozenset(line.mark + line.text.strip("- ").partition(":")[0] for line in changed)


def _cause(results: Sequence[CaseResult]) -> Cause:
    said = [failure_explanation.headline(result) for result in results]
    sentence = said[0] if len(set(said)) == 1 else shape(said[0])
    first = min(results, key=lambda result: sum(map(len, result.case.given)))
    ordered = (first, *(result for result in results if result is not first))
    return Cause(verdict_text(first), sentence, ordered)
