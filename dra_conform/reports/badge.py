"""A badge with correctness and breadth of one implementation, as SVG or as JSON for shields.io."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Sequence

from dra_conform.conformance.levels import ALL
from dra_conform.reports.headline import headline
from dra_conform.reports.runs import Run

LABEL = "DRA conformance"
GOOD, FAIR, POOR, UNKNOWN = "#1a7a3c", "#855300", "#b3261e", "#57606b"
_LETTER = 6.6
_SPACE = 10


def endpoint(runs: Sequence[Run]) -> str:
    """Render the JSON that https://img.shields.io/endpoint reads, for the first run."""
    message, colour = _text_and_colour(runs[0])
    body = {"schemaVersion": 1, "label": LABEL, "message": message, "color": colour.removeprefix("#")}
    return json.dumps(body, ensure_ascii=False) + "\n"


def svg(runs: Sequence[Run]) -> str:
    """Render the badge of the first run as SVG."""
    message, colour = _text_and_colour(runs[0])
    left, right = (round(len(text) * _LETTER) + 2 * _SPACE for text in (LABEL, message))
    root = ET.Element("svg", xmlns="http://www.w3.org/2000/svg", role="img")
    root.attrib.update({"width": str(left + right), "height": "20", "aria-label": f"{LABEL}: {message}"})
    ET.SubElement(root, "title").text = f"{LABEL}: {message}"
    clip = ET.SubElement(root, "clipPath", id="rounded")
    ET.SubElement(clip, "rect", rx="3", width=str(left + right), height="20")
    boxes = ET.SubElement(root, "g")
    boxes.set("clip-path", "url(#rounded)")
    ET.SubElement(boxes, "rect", width=str(left), height="20", fill="#3d444d")
    ET.SubElement(boxes, "rect", x=str(left), width=str(right), height="20", fill=colour)
    font = "Verdana,DejaVu Sans,Geneva,sans-serif"
    texts = ET.SubElement(root, "g", fill="#ffffff")
    texts.attrib.update({"text-anchor": "middle", "font-family": font, "font-size": "11"})
    for middle, width, text in ((left / 2, left, LABEL), (left + right / 2, right, message)):
        placed = ET.SubElement(texts, "text", x=f"{middle:g}", y="14", textLength=str(width - 2 * _SPACE))
        placed.text = text
    ET.indent(root)
    return ET.tostring(root, encoding="unicode") + "\n"


def _text_and_colour(run: Run) -> tuple[str, str]:
    """Return text and colour of the badge, without figures if the run is incomplete or judged no case."""
    figures = headline(run)
    if run.aborted or not figures.judged:
        return "incomplete" if run.aborted else "no case judged", UNKNOWN
    level = "" if run.started.level == ALL else f"{run.started.level}: "
    words = f"{level}{figures.correctness.figure} correct, {figures.breadth.figure} breadth"
    if figures.must_right == figures.must_judged:
        return words, GOOD
    return words, FAIR if 10 * figures.must_right >= 9 * figures.must_judged else POOR
