"""The compliance report: one self-contained HTML page that asks nothing of the network or of JavaScript."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence

from jinja2 import Environment, PackageLoader, StrictUndefined

from dra_conform import __version__
from dra_conform.kube.printable import printable
from dra_conform.reports import page
from dra_conform.reports.runs import Run

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
    page_text = environment.get_template("report.html.jinja").render(
        chapters=page.chapters(runs),
        matrix=page.matrix(runs) if len(runs) > 1 else None,
        script=script,
        style=style,
        policy=_POLICY.format(digest),
        version=__version__,
    )
    return printable(page_text)


def _asset(environment: Environment, name: str) -> str:
    """A file beside the template, as it is: no templating, so that its hash is that of its text."""
    assert environment.loader is not None
    return environment.loader.get_source(environment, name)[0].strip()
