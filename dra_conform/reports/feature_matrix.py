"""The matrix of features and implementations: passed of judged cases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from dra_conform.conformance.case import Case
from dra_conform.conformance.features import FEATURES
from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, CaseResult, Verdict
from dra_conform.reports.figures import percent
from dra_conform.reports.runs import Run


@dataclass(frozen=True, slots=True)
class FeatureCell:
    """What one run shows of a feature: cases judged, and how many of them are right."""

    right: int
    judged: int

    @property
    def grade(self) -> str:
        """`right`, `nearly` from nine in ten, `wrong`, or `none` where nothing was judged."""
        if not self.judged:
            return "none"
        if self.right == self.judged:
            return "right"
        return "nearly" if 10 * self.right >= 9 * self.judged else "wrong"

    @property
    def text(self) -> str:
        return percent(self.right, self.judged) if self.judged else "not taken on"


@dataclass(frozen=True, slots=True)
class FeatureRow:
    name: str
    cells: tuple[FeatureCell, ...]


def feature_rows(runs: Sequence[Run]) -> tuple[FeatureRow, ...]:
    """Plain allocation, each feature, and each other operation, as far as the runs have cases of them."""
    rows: list[FeatureRow] = []
    for name, belongs in _kinds():
        found = [[result for result in run.results if belongs(result.case)] for run in runs]
        if any(found):
            rows.append(FeatureRow(name, tuple(map(_cell, found))))
    return tuple(rows)


def _kinds() -> Iterable[tuple[str, Callable[[Case], bool]]]:
    yield "plain requests", lambda case: case.operation == "allocate" and not case.features
    for feature in FEATURES:
        yield feature, partial(_uses, feature)
    for operation, name in _OPERATIONS.items():
        yield name, partial(_is_of, operation)


def _uses(feature: str, case: Case) -> bool:
    return feature in case.features


def _is_of(operation: str, case: Case) -> bool:
    return case.operation == operation


_OPERATIONS = {
    "admit": "writes to the API server",
    "footprint": "what pods take of nodes",
    "usage": "what quotas count",
    "cluster": "scenarios in a cluster",
}


def _cell(results: Iterable[CaseResult]) -> FeatureCell:
    right = wrong = 0
    for result in results:
        right += result.verdict is Verdict.PASS
        wrong += result.verdict in CONFORMANCE_FAILURES
    return FeatureCell(right, right + wrong)
