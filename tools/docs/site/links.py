"""Translate links between files of the repository to links between pages of the site."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[3]

FROM_ROOT = {
    "ARCHITECTURE.md": "explanation/architecture.md",
    "CONTRIBUTING.md": "explanation/contributing.md",
    "SECURITY.md": "explanation/security.md",
    "tests/README.md": "explanation/tests.md",
}
"""Pages outside docs/, and their paths on the site."""

FILES = ("tools/adapters/first_fit.py", "tools/adapters/first_fit.mjs")
"""Files outside docs/ that pages link to. The site serves copies of them."""

_FOLDERS = {"dra_conform/schemas/protocol/v1": "reference/schemas.md"}
"""Folders whose links lead to a page of the site."""

_LINK = re.compile(r"\[([^\[\]]*)\]\(([^)#\s:]+)(#[^)\s]*)?\)")


def pointed(markdown: str, page: str) -> str:
    """Return the Markdown of the page at path `page` of the site, with links that work on the site.

    A link to a file of the repository that is not on the site becomes its text.
    """
    source = next((file for file, place in FROM_ROOT.items() if place == page), f"docs/{page}")

    def link(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), match[2]))
        place = _place_of(target)
        if place is None:
            return match[1] if (_ROOT / target).exists() else match[0]
        return f"[{match[1]}]({posixpath.relpath(place, posixpath.dirname(page))}{match[3] or ''})"

    return _LINK.sub(link, markdown)


def _place_of(path: str) -> str | None:
    """Return the path on the site of a file of the repository, None if the site does not have it."""
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    if path in FILES:
        return f"files/{path}"
    return FROM_ROOT.get(path) or _FOLDERS.get(path.rstrip("/"))
