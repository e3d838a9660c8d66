"""Text escaped for Markdown."""

from __future__ import annotations

import html
import re

from dra_conform.kube.printable import one_line, printable


def code(text: str) -> str:
    """Text as code, which cannot end it."""
    return f"<code>{escaped(one_line(text))}</code>"


def escaped(text: str) -> str:
    """One line of text in which Markdown and HTML find nothing to do."""
    line = " ".join(printable(text).split())
    return re.sub(r"([\\`*_\[\]|~#])", r"\\\1", html.escape(line, quote=False))
