"""The matrix of features by implementations as SVG, in light and dark."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence

from dra_conform.kube.printable import one_line
from dra_conform.reports.feature_matrix import FeatureCell, feature_rows
from dra_conform.reports.headline import headline
from dra_conform.reports.runs import Run

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
            _cell(root, column, at + 17, cell)
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


def _cell(root: ET.Element, column: int, at: int, cell: FeatureCell) -> None:
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
