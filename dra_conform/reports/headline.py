"""The headline figures of a run: correctness, breadth, requirements, and a badge with the first two, as SVG
or as JSON for shields.io."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dra_conform.conformance.events import RunStarted
from dra_conform.conformance.features import profile_of
from dra_conform.conformance.levels import ALL
from dra_conform.conformance.requirement import MUST
from dra_conform.conformance.verdict import CaseResult, Verdict
from dra_conform.kube.listing import listed
from dra_conform.reports import figures
from dra_conform.reports.figures import RequirementResults, Tally, percent
from dra_conform.reports.runs import Run

NARROWING = ("--select", "--shard")
"""The options of `run` that leave out cases of a level."""


@dataclass(frozen=True, slots=True)
class Share:
    """One headline figure: its name, its value such as `83.8 %`, and its meaning in words."""

    name: str
    figure: str
    meaning: str

    def __str__(self) -> str:
        return f"{self.name.lower()} {self.figure} ({self.meaning})"


@dataclass(frozen=True, slots=True)
class Headline:
    """The counts of cases and requirements from which the headline figures follow.

    `right` of the `judged` cases have a right answer, `must_right` of the `must_judged` cases that test MUST
    requirements. A case that only shows that MAY behavior is not provided is not judged. `declined` cases are
    applicable but unsupported by the implementation. `beyond` cases are not applicable: they need a feature
    gate that the release of the profile does not have. `not_run` cases have no result because the run ended
    early. `narrowed_by` has the options that leave out cases.
    `operations` are the declared operations, of which `offered_to_operations` cases are applicable.
    """

    right: int
    judged: int
    must_right: int
    must_judged: int
    declined: int
    beyond: int
    requirements: Tally
    not_run: int = 0
    narrowed_by: tuple[str, ...] = ()
    operations: tuple[str, ...] = ()
    offered_to_operations: int = 0

    @property
    def offered(self) -> int:
        """Return the number of applicable cases, judged or not."""
        return self.judged + self.declined

    @property
    def correctness(self) -> Share:
        """Return the percentage of right answers among the judged cases of MUST requirements."""
        meaning = f"{self.must_right:,} of {self.must_judged:,} judged cases are right"
        others = self.judged - self.must_judged
        if others:
            right = f"{self.right - self.must_right:,} of {others:,}"
            meaning += f", and {right} that cover only recommendations (SHOULD)"
        return Share("Correctness", percent(self.must_right, self.must_judged), meaning)

    @property
    def breadth(self) -> Share:
        """Return the percentage of judged cases among the applicable cases that were run.

        The meaning has the number of cases that were not run and the percentage of the declared operations,
        and names options that leave out cases.
        """
        that_ran = " that were run" if self.not_run else ""
        meaning = f"{self.judged:,} of {self.offered:,} applicable cases{that_ran} were judged"
        if 0 < self.offered_to_operations < self.offered:
            of_operations = percent(self.judged, self.offered_to_operations)
            meaning += f", {of_operations} of those of its operations ({listed(self.operations)})"
        if self.not_run:
            meaning += f"; {self.not_run:,} {'was' if self.not_run == 1 else 'were'} not run"
        if self.narrowed_by:
            verb = "chooses" if len(self.narrowed_by) == 1 else "choose"
            meaning += f"; {' and '.join(self.narrowed_by)} {verb} a part of the suite"
        return Share("Breadth", percent(self.judged, self.offered), meaning)

    @property
    def shares(self) -> tuple[Share, Share, Share]:
        """Return correctness, breadth and passed requirements."""
        known = self.requirements
        counts = {
            "neither pass nor fail": known.undecided,
            "declined": known.declined,
            "not run": known.not_run,
            "not covered by these cases": known.uncovered,
            "in total": known.total,
        }
        named = ", ".join(
            f"{count:,} {what}" for what, count in counts.items() if count or what == "in total"
        )
        meaning = f"judged requirements pass; {named}"
        met = Share("Requirements", f"{known.passed:,} of {known.taken_on:,}", meaning)
        return self.correctness, self.breadth, met


def headline(run: Run, rows: Iterable[RequirementResults] | None = None) -> Headline:
    """Return the headline of a run; pass `rows` if the requirements are known already."""
    passing = [result for result in run.results if result.verdict is Verdict.PASS]
    failing = figures.failures(run.results)
    must_right = sum(map(_is_must, passing))
    unsupported = [result for result in run.results if result.verdict is Verdict.UNSUPPORTED]
    beyond = sum(map(beyond_release, unsupported))
    operations = run.started.implementation.operations
    return Headline(
        right=len(passing),
        judged=len(passing) + len(failing),
        must_right=must_right,
        must_judged=must_right + sum(map(_is_must, failing)),
        declined=len(unsupported) - beyond,
        beyond=beyond,
        requirements=figures.tally(figures.requirement_results(run) if rows is None else rows),
        not_run=_not_run(run),
        narrowed_by=_narrowed_by(run.started),
        operations=tuple(sorted(operations)),
        offered_to_operations=sum(
            result.case.operation in operations and not beyond_release(result)
            for result in (*passing, *failing, *unsupported)
        ),
    )


def _not_run(run: Run) -> int:
    """Count the cases that were not run; an interrupted run has no results of them."""
    missing = run.started.total - len(run.results) if run.aborted else 0
    return max(missing, 0) + sum(result.verdict is Verdict.NOT_RUN for result in run.results)


def _narrowed_by(started: RunStarted) -> tuple[str, ...]:
    """Return the options that leave out cases: the level with its value, `--select` and `--shard`."""
    level = () if started.level == ALL else (f"--level {started.level}",)
    words = (*started.options, *started.selection)
    return (*level, *(option for option in NARROWING if option in words))


def _is_must(result: CaseResult) -> bool:
    return result.case.level_in(result.profile) == MUST


def beyond_release(result: CaseResult) -> bool:
    """Whether a case needs a feature gate that the release of its profile does not have."""
    return result.verdict is Verdict.UNSUPPORTED and bool(profile_of(result.case, result.profile)[1])


LABEL = "DRA conformance"
GOOD, FAIR, POOR, UNKNOWN = "#1a7a3c", "#855300", "#b3261e", "#57606b"
LEAST_BREADTH = Fraction(1, 10)
"""The breadth below which a badge has a neutral colour."""
_LETTER = 6.6
_SPACE = 10


def badge_endpoint(runs: Sequence[Run]) -> str:
    """Render the JSON that https://img.shields.io/endpoint reads, for the first run."""
    message, colour = _text_and_colour(runs[0])
    body = {"schemaVersion": 1, "label": LABEL, "message": message, "color": colour.removeprefix("#")}
    return json.dumps(body, ensure_ascii=False) + "\n"


def badge_svg(runs: Sequence[Run]) -> str:
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
    """Return text and colour of the badge, without figures if the run is incomplete or judged no case.

    The text names another suite and a part of the suite. Both have a neutral colour and no percentage, since
    anyone can select or write cases that pass. The colour is also neutral for a breadth below LEAST_BREADTH,
    and if no case of a MUST requirement was judged.
    """
    figures = headline(run)
    if run.aborted or not figures.judged:
        return "incomplete" if run.aborted else "no case judged", UNKNOWN
    started = run.started
    level = "" if started.level == ALL else started.level
    selected = "selected cases" if set(NARROWING).intersection(figures.narrowed_by) else ""
    own = "own suite" if started.suite.folder else ""
    if selected or own:
        part = ", ".join(filter(None, (level, own, selected)))
        return f"{part}: {figures.must_right} of {figures.must_judged} correct", UNKNOWN
    part = f"{level}: " if level else ""
    words = f"{part}{figures.correctness.figure} correct, {figures.breadth.figure} breadth"
    if not figures.must_judged or figures.judged < LEAST_BREADTH * figures.offered:
        return words, UNKNOWN
    if figures.must_right == figures.must_judged:
        return words, GOOD
    return words, FAIR if 10 * figures.must_right >= 9 * figures.must_judged else POOR
