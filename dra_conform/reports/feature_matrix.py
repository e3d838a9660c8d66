"""The matrices of features by implementations and by documents, with the percentage of right answers, as
values and as an SVG picture."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from dra_conform.conformance.case import Case
from dra_conform.conformance.features import FEATURES
from dra_conform.conformance.requirement import Requirement
from dra_conform.conformance.verdict import CONFORMANCE_FAILURES, CaseResult, Verdict
from dra_conform.kube.printable import one_line
from dra_conform.reports import figures
from dra_conform.reports.figures import percent
from dra_conform.reports.headline import headline
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
    """A feature, an operation, or an area of one, with a cell for each run or document."""

    name: str
    cells: tuple[FeatureCell, ...]


def feature_rows(runs: Sequence[Run]) -> tuple[FeatureRow, ...]:
    """Return a row for `allocate` without features, for each feature, and for each other operation.

    Drivers and kubelets have a row for each area of requirements, such as `prepare`.
    """
    rows: list[FeatureRow] = []
    for name, belongs in _kinds(result.case for run in runs for result in run.results):
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
        for name, belongs in _kinds(result.case for result in run.results)
    )
    return DocumentMatrix(documents, tuple(row for row in rows if any(cell.judged for cell in row.cells)))


def _documents_of(case: Case, catalogue: Mapping[str, Requirement]) -> Iterable[str]:
    documents = dict.fromkeys(
        (catalogue.get(name) or figures.unlisted(name)).document for name in case.requirements
    )
    return documents or (figures.place(case, catalogue)[0],)


def _kinds(cases: Iterable[Case]) -> Iterable[tuple[str, Callable[[Case], bool]]]:
    areas = {(case.operation, _area(case)) for case in cases if case.operation in _BY_AREA}
    yield "plain requests", lambda case: case.operation == "allocate" and not case.features
    for feature in FEATURES:
        yield feature, partial(_uses, feature)
    for operation, name in _OPERATIONS.items():
        yield name, partial(_is_of, operation)
    for operation, area in sorted(areas):
        yield f"{_BY_AREA[operation]}: {area}", partial(_is_of, operation, area=area)


def _uses(feature: str, case: Case) -> bool:
    return feature in case.features


def _is_of(operation: str, case: Case, *, area: str = "") -> bool:
    return case.operation == operation and area in ("", _area(case))


def _area(case: Case) -> str:
    """Return the area of the first requirement of a case, such as `prepare`."""
    document, _, name = next(iter(case.requirements), case.id).partition("/")
    return name.partition("/")[0] or document


_OPERATIONS = {
    "admit": "writes to the API server",
    "footprint": "node resource usage of pods",
    "usage": "quota usage",
    "schedule": "scheduling attempts",
    "cluster": "scenarios on a cluster",
}
_BY_AREA = {"driver": "drivers", "kubelet": "kubelets"}


def _cell(results: Iterable[CaseResult]) -> FeatureCell:
    right = wrong = 0
    for result in results:
        right += result.verdict is Verdict.PASS
        wrong += result.verdict in CONFORMANCE_FAILURES
    return FeatureCell(right, right + wrong)


LABEL, COLUMN, ROW, HEAD, MARGIN = 190, 160, 26, 72, 14
"""Sizes in pixels."""

_STYLE = """
text { font: 13px system-ui, "Segoe UI", "Noto Sans", "Liberation Sans", sans-serif; fill: #16191d; }
.ground { fill: #ffffff; } .soft { fill: #57606b; } .strong { font-weight: 600; } .line { stroke: #dfe3e8; }
.right { fill: #1a7a3c; } .nearly { fill: #855300; } .wrong { fill: #b3261e; } .none { fill: #57606b; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6e9ed; } .ground { fill: #101317; } .soft { fill: #9da7b3; } .line { stroke: #2c333c; }
  .right { fill: #56c288; } .nearly { fill: #e2b25c; } .wrong { fill: #ff8f85; } .none { fill: #9da7b3; }
}
"""
_MARKS = {"right": "✓", "nearly": "~", "wrong": "✗", "none": "-"}
_LONGEST = 18


def render(runs: Sequence[Run]) -> str:
    """Render a row for each feature and a column for each run, with the headline figures below."""
    rows = feature_rows(runs)
    figures = [headline(run).shares for run in runs]
    width = 2 * MARGIN + LABEL + COLUMN * len(runs)
    height = 2 * MARGIN + HEAD + ROW * (len(rows) + 3) + 10
    root = ET.Element(
        "svg",
        xmlns="http://www.w3.org/2000/svg",
        width=str(width),
        height=str(height),
        viewBox=f"0 0 {width} {height}",
        role="img",
    )
    ET.SubElement(root, "title").text = "DRA conformance by feature: " + ", ".join(map(_name, runs))
    ET.SubElement(root, "style").text = _STYLE
    ET.SubElement(root, "rect", width=str(width), height=str(height), rx="6").set("class", "ground")
    for column, run in enumerate(runs):
        identity = run.started.implementation
        _text(root, _right(column), MARGIN + 16, _shortened(identity.name), "strong", _name(run))
        _text(root, _right(column), MARGIN + 34, _shortened(identity.version), "soft")
        _text(root, _right(column), MARGIN + 52, _shortened(run.started.profile), "soft")
    for index, row in enumerate(rows):
        at = MARGIN + HEAD + ROW * index
        _line(root, at, width)
        _text(root, MARGIN, at + 17, row.name)
        for column, cell in enumerate(row.cells):
            _draw_cell(root, column, at + 17, cell)
    for index in range(3):
        at = MARGIN + HEAD + ROW * (len(rows) + index) + 10
        _line(root, at, width)
        _text(root, MARGIN, at + 17, figures[0][index].name, "strong")
        for column, shares in enumerate(figures):
            _text(root, _right(column), at + 17, shares[index].figure, "strong", shares[index].meaning)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode") + "\n"


def _name(run: Run) -> str:
    return one_line(run.name)


def _right(column: int) -> int:
    """Return the x coordinate at which the text of a column ends."""
    return MARGIN + LABEL + COLUMN * (column + 1)


def _draw_cell(root: ET.Element, column: int, at: int, cell: FeatureCell) -> None:
    meaning = f"{cell.right} of {cell.judged} judged cases are right" if cell.judged else "no case was judged"
    _text(root, _right(column), at, f"{_MARKS[cell.grade]} {cell.text}", cell.grade, meaning)


def _text(root: ET.Element, x: int, y: int, text: str, kind: str = "", title: str = "") -> None:
    """Add a text that starts at `x` if that is the left margin, and otherwise ends at `x`.

    `title` is its tooltip.
    """
    element = ET.SubElement(root, "text", x=str(x), y=str(y))
    if kind:
        element.set("class", kind)
    if x != MARGIN:
        element.set("text-anchor", "end")
    element.text = one_line(text)
    if title:
        named = ET.SubElement(element, "title")
        named.text, named.tail, element.text = title, element.text, None


def _line(root: ET.Element, y: int, width: int) -> None:
    line = ET.SubElement(root, "line", x1=str(MARGIN), x2=str(width - MARGIN), y1=str(y), y2=str(y))
    line.set("class", "line")


def _shortened(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
