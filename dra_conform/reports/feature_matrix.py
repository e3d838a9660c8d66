"""The matrices of features by implementations and by documents: the percentage of right answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from dra_conform.conformance.case import Case
from dra_conform.conformance.features import FEATURES
from dra_conform.conformance.requirement import Requirement
from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, CaseResult, Verdict
from dra_conform.reports import figures
from dra_conform.reports.figures import percent
from dra_conform.reports.runs import Run


@dataclass(frozen=True, slots=True)
class FeatureCell:
    """The result of one run for one feature: the number of judged cases and of right answers."""

    right: int
    judged: int

    @property
    def grade(self) -> str:
        """Return `right` for 100 %, `nearly` from 90 %, otherwise `wrong`; `none` if no case was judged."""
        if not self.judged:
            return "none"
        if self.right == self.judged:
            return "right"
        return "nearly" if 10 * self.right >= 9 * self.judged else "wrong"

    @property
    def text(self) -> str:
        """Return the percentage of right answers, or `not judged`."""
        return percent(self.right, self.judged) if self.judged else "not judged"


@dataclass(frozen=True, slots=True)
class FeatureRow:
    """A feature or operation, with a cell for each run or document."""

    name: str
    cells: tuple[FeatureCell, ...]


def feature_rows(runs: Sequence[Run]) -> tuple[FeatureRow, ...]:
    """Return a row for `allocate` without features, for each feature, and for each other operation."""
    rows: list[FeatureRow] = []
    for name, belongs in _kinds():
        by_run = [[result for result in run.results if belongs(result.case)] for run in runs]
        if any(by_run):
            rows.append(FeatureRow(name, tuple(map(_cell, by_run))))
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class DocumentMatrix:
    """The result of one run for each feature in each document; rows have a cell for each document."""

    documents: tuple[str, ...]
    rows: tuple[FeatureRow, ...]


def document_matrix(run: Run) -> DocumentMatrix:
    """Return the matrix of features by documents.

    A case counts in each document that one of its requirements belongs to. A case without requirements counts
    in the document that its id begins with. Rows and columns without a judged case are omitted.
    """
    catalogue = {requirement.id: requirement for requirement in run.started.catalogue}
    by_document: dict[str, list[CaseResult]] = {item.document: [] for item in catalogue.values()}
    for result in run.results:
        for document in _documents_of(result.case, catalogue):
            by_document.setdefault(document, []).append(result)
    documents = tuple(name for name, results in by_document.items() if _cell(results).judged)
    rows = tuple(
        FeatureRow(
            name,
            tuple(_cell(result for result in by_document[of] if belongs(result.case)) for of in documents),
        )
        for name, belongs in _kinds()
    )
    return DocumentMatrix(documents, tuple(row for row in rows if any(cell.judged for cell in row.cells)))


def _documents_of(case: Case, catalogue: Mapping[str, Requirement]) -> Iterable[str]:
    documents = dict.fromkeys(
        (catalogue.get(name) or figures.unlisted(name)).document for name in case.requirements
    )
    return documents or (figures.place(case, catalogue)[0],)


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
    "footprint": "node resource usage of pods",
    "usage": "quota usage",
    "schedule": "scheduling attempts",
    "cluster": "scenarios on a cluster",
    "driver": "drivers",
    "kubelet": "kubelets",
}


def _cell(results: Iterable[CaseResult]) -> FeatureCell:
    right = wrong = 0
    for result in results:
        right += result.verdict is Verdict.PASS
        wrong += result.verdict in CONFORMANCE_FAILURES
    return FeatureCell(right, right + wrong)
