"""The compliance report: one self-contained HTML page without network access and JavaScript."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping, Sequence

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from dra_conform import __version__
from dra_conform.conformance.requirement import Requirement
from dra_conform.kube.printable import printable
from dra_conform.reports.page import Page, page
from dra_conform.reports.page_failures import FailureEntry, in_order_of_need, told
from dra_conform.reports.runs import Run

LIMIT = 2_900_000
"""Bytes of a page. Failures behind it keep their line with the reason and go without the rest."""

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{}'; base-uri 'none'"


def render(runs: Sequence[Run]) -> str:
    """The page. Everything an implementation said is escaped, and only the page's own script may run."""
    environment = Environment(
        loader=PackageLoader("dra_conform.reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    script, style = (_asset(environment, name) for name in ("report.js", "report.css"))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    made = page(runs)
    template = environment.get_template("report.html.jinja")

    def drawn(stories: Mapping[str, str]) -> str:
        return template.render(
            page=made,
            stories=stories,
            script=script,
            style=style,
            policy=_POLICY.format(digest),
            version=__version__,
        )

    room = LIMIT - len(drawn({}).encode())
    return printable(drawn(_stories(made, environment.get_template("story.html.jinja").render, room)))


def _stories(made: Page, draw: Callable[..., str], room: int) -> Mapping[str, str]:
    """The stories of failures by their anchors, as many as there is room for, in bytes."""
    found: dict[str, str] = {}
    queues = [(chapter.run, in_order_of_need(chapter.blocks)) for chapter in made.chapters]
    share = room // len(queues)
    for run, failures in queues:
        catalogue = {one.id: one for one in run.started.catalogue}
        left = share
        for failure in failures:
            drawn = _story(failure, run, catalogue, draw)
            left -= len(drawn.encode()) + len(failure.title) + 2 * len(failure.anchor) + _FRAME
            if left < 0:
                break
            found[failure.anchor] = drawn
    return found


_FRAME = 160
"""Bytes that folding a story takes."""


def _story(
    failure: FailureEntry, run: Run, catalogue: Mapping[str, Requirement], draw: Callable[..., str]
) -> str:
    story, manifests = told(failure, run, catalogue)
    return Markup(draw(story=story, manifests=manifests))


def _asset(environment: Environment, name: str) -> str:
    """A file beside the template, as it is: no templating, so that its hash is that of its text."""
    assert environment.loader is not None
    return environment.loader.get_source(environment, name)[0].strip()
