"""Text escaped for Markdown."""

from __future__ import annotations

import html
import re

from dra_conform.kube.printable import one_line, printable


def code(text: str) -> str:
    """Return text as an HTML code element."""
    return f"<code>{escaped(one_line(text))}</code>"


def escaped(text: str) -> str:
    """Return text as one line in which all Markdown and HTML syntax is escaped."""
    line = " ".join(printable(text).split())
    return re.sub(r"([\\`*_\[\]|~#])", r"\\\1", html.escape(line, quote=False))
