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
    "[^"]*" | '[^']*'                           # quoted text
    | (?<![\w-]) (?: ResourceClaim | claim | device | request | node | pod | pool | slice | set ) \s \S*[\w\]]
    | [\w.-]*/[\w./\[\]-]+                      # default/c, dra.example.com/pool-1/d1
    | [\w.-]*\d[\w.:-]*                         # r0, 10Gi, 2026-11-20T21:00:00Z
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Cause:
    """Failures with equal verdict, requirement, message pattern and changed keys.

    `message` says what is wrong. If the messages of the failures differ, it is their pattern, with `…` for
    names and quantities. `results` begins with the example: the failure with the shortest setup.
    """

    verdict: str
    message: str
    results: tuple[CaseResult, ...]

    @property
    def example(self) -> CaseResult:
        """Return the failure with the shortest setup."""
        return self.results[0]

    @property
    def requirements(self) -> tuple[tuple[str, int], ...]:
        """The requirements of these failures with the number of failures, the most frequent first."""
        counts = Counter(name for result in self.results for name in dict.fromkeys(result.case.requirements))
        return tuple(sorted(counts.items(), key=lambda entry: -entry[1]))


def causes(failures: Sequence[CaseResult]) -> tuple[Cause, ...]:
    """Group failures by cause. Each failure belongs to exactly one cause.

    The area with the most failures comes first, and in each area the cause with the most failures.
    """
    by_cause: dict[tuple[object, ...], list[CaseResult]] = {}
    areas = Counter(_area(result) for result in failures)
    for result in failures:
        by_cause.setdefault(_cause_key(result), []).append(result)
    grouped = [_cause(results) for results in by_cause.values()]
    return tuple(
        sorted(
            grouped,
            key=lambda cause: (-areas[_area(cause.example)], _area(cause.example), -len(cause.results)),
        )
    )


def message_pattern(message: str) -> str:
    """Return the pattern of a message: `…` replaces each name, each quantity, and each list of them."""
    return re.sub(r"…(?:[\s,;:]+(?:and\s)?…)+", "…", _NAMED.sub("…", message))


def first_requirement(result: CaseResult) -> str:
    """Return the first requirement of a failing case, or the id of a case without requirements."""
    return next(iter(result.case.requirements), result.case.id)


def _area(result: CaseResult) -> str:
    return first_requirement(result).rpartition("/")[0]


def _cause_key(result: CaseResult) -> tuple[object, ...]:
    requirement = first_requirement(result) if result.case.requirements else ""
    return (
        result.verdict,
        result.kind,
        requirement,
        message_pattern(failure_explanation.headline(result)),
        _changed_keys(result),
    )


def _changed_keys(result: CaseResult) -> frozenset[str]:
    """Return the keys of the lines that differ, none if the outcome differs.

    A different outcome changes all lines, so their keys say nothing about the cause.
    """
    if result.verdict is not Verdict.FAIL or result.kind is Kind.WRONG_OUTCOME:
        return frozenset()
    lines = diff.of(result, with_paths=False).lines
    changed = (line for line in lines if line.mark != " ")
    return frozenset(line.mark + line.text.strip("- ").partition(":")[0] for line in changed)


def _cause(results: Sequence[CaseResult]) -> Cause:
    messages = [failure_explanation.headline(result) for result in results]
    message = messages[0] if len(set(messages)) == 1 else message_pattern(messages[0])
    first = min(results, key=lambda result: sum(map(len, result.case.given)))
    ordered = (first, *(result for result in results if result is not first))
    return Cause(verdict_text(first), message, ordered)
