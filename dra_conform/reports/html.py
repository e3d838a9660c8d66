"""The HTML report: one self-contained page without network access, readable without JavaScript."""

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
from dra_conform.reports.page_failures import FailureEntry, examples_first, shortened_explanation
from dra_conform.reports.runs import Run

LIMIT = 2_900_000
"""The largest size of a page in bytes. Failures beyond it are shown in one line, without details."""

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{}'; base-uri 'none'"


def render(runs: Sequence[Run]) -> str:
    """Render the page. All text of implementations is escaped, and only the script of the page may run."""
    environment = Environment(
        loader=PackageLoader("dra_conform.reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    script, style = (_asset(environment, name) for name in ("report.js", "report.css"))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    content = page(runs)
    template = environment.get_template("report.html.jinja")

    def rendered(explanations: Mapping[str, str]) -> str:
        return template.render(
            page=content,
            explanations=explanations,
            script=script,
            style=style,
            policy=_POLICY.format(digest),
            version=__version__,
        )

    budget = LIMIT - len(rendered({}).encode())
    render_failure = environment.get_template("failure.html.jinja").render
    return printable(rendered(_explanations(content, render_failure, budget)))


def _explanations(content: Page, render_failure: Callable[..., str], budget: int) -> Mapping[str, str]:
    """Render explanations of failures by anchor, as many as fit into the `budget` in bytes."""
    rendered: dict[str, str] = {}
    queues = [(chapter.run, examples_first(chapter.blocks)) for chapter in content.chapters]
    budget_of_run = budget // len(queues)
    for run, failures in queues:
        catalogue = {requirement.id: requirement for requirement in run.started.catalogue}
        left = budget_of_run
        for failure in failures:
            html = _explanation(failure, run, catalogue, render_failure)
            left -= len(html.encode()) + len(failure.title) + 2 * len(failure.anchor) + _FRAME
            if left < 0:
                break
            rendered[failure.anchor] = html
    return rendered


_FRAME = 160
"""The number of bytes of the markup around one explanation."""


def _explanation(
    failure: FailureEntry, run: Run, catalogue: Mapping[str, Requirement], render_failure: Callable[..., str]
) -> str:
    explanation, manifests = shortened_explanation(failure, run, catalogue)
    return Markup(render_failure(explanation=explanation, manifests=manifests))


def _asset(environment: Environment, name: str) -> str:
    """Return the text of a style or script file as it is, so that its hash allows it in the page."""
    assert environment.loader is not None
    return environment.loader.get_source(environment, name)[0].strip()
