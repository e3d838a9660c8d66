"""The templates of HTML reports, with the style and the script of all their pages."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from dra_conform import __version__

NO_SCRIPTS = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'"
"""The content security policy of pages without scripts."""
_ONE_SCRIPT = "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{}'; base-uri 'none'"


@cache
def template_environment() -> Environment:
    """Return the environment of the templates of this package. Values are escaped."""
    return _environment()


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("dra_conform.reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["code"] = with_code
    return environment


def with_code(text: str) -> Markup:
    """Return a text, escaped, with what is between backticks as code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


class PageTemplates:
    """The templates with the style and the script of all pages. Only the script of the page may run."""

    def __init__(self) -> None:
        self.environment = _environment()
        script, style = (self._asset(name) for name in ("report.js", "report.css"))
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        self.environment.globals.update(
            script=script, style=style, policy=_ONE_SCRIPT.format(digest), version=__version__
        )

    def rendered(self, template: str, **values: object) -> str:
        return self.environment.get_template(template).render(**values)

    def _asset(self, name: str) -> str:
        """Return the text of a style or script file as it is, so that its hash allows it in the page."""
        assert self.environment.loader is not None
        return self.environment.loader.get_source(self.environment, name)[0].strip()


@cache
def page_templates() -> PageTemplates:
    """Return the templates of all pages, which are compiled once."""
    return PageTemplates()
