"""The HTML report: one self-contained page, or a folder of pages, and the summary page, one A4 page for
each run. Neither needs a network. Details of failures are compressed within the page, and its script unpacks
them when opened."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from markupsafe import Markup

from dra_conform.conformance.requirement import MUST
from dra_conform.kube.printable import printable
from dra_conform.reports import figures
from dra_conform.reports.failure_explanation import run_command
from dra_conform.reports.feature_matrix import feature_rows
from dra_conform.reports.page import MAIN_CAUSES, Chapter, Page, page
from dra_conform.reports.page_failures import CauseBlock, FailureEntry, shortened_explanation
from dra_conform.reports.page_templates import PageTemplates, page_templates
from dra_conform.reports.runs import Run

FEATURES_SHOWN = 18
"""The most rows of the table of features."""


def render_summary(runs: Sequence[Run]) -> str:
    """Render a sheet for each run. Printed on A4, a run takes one page."""
    chapters = page(runs).chapters
    text = page_templates().rendered(
        "summary.html.jinja",
        chapters=chapters,
        verdicts=[_verdict(chapter) for chapter in chapters],
        documents=[
            figures.state_tallies(figures.by_document(figures.requirement_results(run))) for run in runs
        ],
        features=[feature_rows([run])[:FEATURES_SHOWN] for run in runs],
        commands=[run_command(run.started) for run in runs],
    )
    return printable(text)


def _verdict(chapter: Chapter) -> str:
    """Return the result in one sentence."""
    known = chapter.headline
    if not known.judged:
        return "No case was judged."
    if not chapter.failures:
        return f"All {known.judged} judged cases are right."
    broken = sum(level.failed for level in chapter.levels if level.name == MUST)
    requirements = "1 MUST requirement fails" if broken == 1 else f"{broken} MUST requirements fail"
    return f"{chapter.failures} of {known.judged} judged cases fail, and {requirements}."


PART = 60
"""The number of failures of one part, which is unpacked as a whole."""


@dataclass(frozen=True, slots=True)
class PackedDetails:
    """Parts of the page in Base64, and the place of each failure by anchor, such as `3.17`.

    A part is a JSON array of HTML fragments, compressed as RFC 1950 (`deflate` of the Compression Streams).
    """

    parts: tuple[str, ...] = ()
    places: Mapping[str, str] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Return the size of all parts in bytes."""
        return sum(map(len, self.parts))


def pack(fragments_by_cause: Sequence[Mapping[str, str]], budget: int) -> PackedDetails:
    """Pack HTML fragments by anchor, those of one cause next to each other, which compresses best.

    If they do not fit into the `budget` in bytes, each cause keeps only its first failures.
    """
    longest = max(map(len, fragments_by_cause), default=0)
    while longest:
        kept = [list(of_cause.items())[:longest] for of_cause in fragments_by_cause]
        packed = _packed([entry for of_cause in kept for entry in of_cause])
        if packed.size <= budget:
            return packed
        longest //= 2
    return PackedDetails()


def _packed(fragments: Sequence[tuple[str, str]]) -> PackedDetails:
    parts: list[str] = []
    places: dict[str, str] = {}
    for start in range(0, len(fragments), PART):
        of_part = fragments[start : start + PART]
        places |= {anchor: f"{len(parts)}.{at}" for at, (anchor, _) in enumerate(of_part)}
        text = json.dumps([fragment for _, fragment in of_part], ensure_ascii=False)
        parts.append(base64.b64encode(zlib.compress(text.encode(), 9)).decode())
    return PackedDetails(tuple(parts), places)


LIMIT = 2_900_000
"""The largest size of a single page in bytes. Failures beyond it are shown in one line, without details."""
FAILURES_PER_PAGE = 200
"""The most failures on one page of a folder."""


def render(runs: Sequence[Run]) -> str:
    """Render one page of at most `LIMIT` bytes.

    All text of implementations is escaped, and only the script of the page may run. The examples of the main
    causes are readable without scripts; details of other failures are compressed.
    """
    pages, content = page_templates(), page(runs)

    def rendered(examples: Mapping[str, str], packed: PackedDetails) -> str:
        return pages.rendered(
            "report.html.jinja", page=content, examples=examples, packed=packed, pages={}, folder=False
        )

    examples, others = _main_examples(content, pages), _other_fragments(content, pages)
    budget = LIMIT - len(rendered(examples, PackedDetails()).encode())
    budget -= sum(_FRAME + 2 * len(anchor) for anchor in chain.from_iterable(others))
    return printable(rendered(examples, pack(others, budget)))


_FRAME = 90
"""The bytes of the markup around one failure with details."""


def failures_page(number: int) -> str:
    """Return the file name of a page of failures; the first has the number 1."""
    return f"failures-{number}.html"


def is_page(name: str) -> bool:
    """Whether a file of the folder report can have this name."""
    return re.fullmatch(r"(index|summary|requirements|failures-[0-9]+)\.html", name) is not None


def render_folder(runs: Sequence[Run]) -> Mapping[str, str]:
    """Render the pages of a folder by file name: failures in full, requirements, and the page to begin with.

    `index.html` is last. Links from it to failures need no script.
    """
    pages, content = page_templates(), page(runs)
    files: dict[str, str] = {}
    addresses: dict[str, str] = {}
    for chapter in content.chapters:
        for failures in _sheets(chapter):
            name = failures_page(len(files) + 1)
            addresses |= {failure.anchor: f"{name}#{failure.anchor}" for _, failure in failures}
            details = {
                failure.anchor: _details(failure, chapter, pages, in_full=True) for _, failure in failures
            }
            text = pages.rendered("failures.html.jinja", chapter=chapter, failures=failures, details=details)
            files[name] = printable(text)
    files["summary.html"] = render_summary(runs)
    files["requirements.html"] = printable(pages.rendered("requirements.html.jinja", page=content))
    examples = _main_examples(content, pages)
    text = pages.rendered(
        "report.html.jinja",
        page=content,
        examples=examples,
        packed=PackedDetails(),
        pages=addresses,
        folder=True,
    )
    files["index.html"] = printable(text)
    return files


def _sheets(chapter: Chapter) -> Iterator[Sequence[tuple[CauseBlock, FailureEntry]]]:
    """Yield the failures of a run with their causes, as many as one page of the folder shows."""
    listed = [(block, failure) for block in chapter.blocks for failure in block.failures]
    for start in range(0, len(listed), FAILURES_PER_PAGE):
        yield listed[start : start + FAILURES_PER_PAGE]


def _main_examples(content: Page, pages: PageTemplates) -> Mapping[str, str]:
    """Render the examples of the main causes by anchor."""
    return {
        block.failures[0].anchor: _details(block.failures[0], chapter, pages, in_full=True)
        for chapter in content.chapters
        for block in chapter.main_blocks
    }


def _other_fragments(content: Page, pages: PageTemplates) -> Sequence[Mapping[str, str]]:
    """Render all failures but the examples of the main causes, by cause and anchor."""
    return [
        {
            failure.anchor: _details(failure, chapter, pages, in_full=False)
            for failure in block.failures[1 if at < MAIN_CAUSES else 0 :]
        }
        for chapter in content.chapters
        for at, block in enumerate(chapter.blocks)
    ]


def _details(failure: FailureEntry, chapter: Chapter, pages: PageTemplates, *, in_full: bool) -> str:
    catalogue = {requirement.id: requirement for requirement in chapter.run.started.catalogue}
    explanation, manifests = shortened_explanation(failure, chapter.run, catalogue, in_full=in_full)
    return Markup(
        pages.rendered(
            "failure.html.jinja", explanation=explanation, manifests=manifests, anchor=failure.anchor
        )
    )
