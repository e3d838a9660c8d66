"""Links that are right in the repository, made right on the site."""

from __future__ import annotations

import posixpath
import re

FROM_ROOT = {
    "ARCHITECTURE.md": "explanation/architecture.md",
    "CONTRIBUTING.md": "explanation/contributing.md",
    "tests/README.md": "explanation/tests.md",
}
"""Pages that stand beside the code they are about, and where the site has them."""

FILES = ("tools/adapters/first_fit.py", "tools/adapters/first_fit.mjs")
"""Files outside docs/ that pages link to; the site has them as they are."""

_FOLDERS = {"dra_conform/schemas/protocol/v1": "reference/schemas.md"}
"""Folders that a page stands for."""

_LINK = re.compile(r"(?<=\]\()([^)#\s:]+)(#[^)\s]*)?(?=\))")


def pointed(markdown: str, page: str) -> str:
    """The text of a page, which the site has at `page`, with its links as the site needs them."""
    source = next((file for file, place in FROM_ROOT.items() if place == page), f"docs/{page}")

    def link(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), found[1]))
        place = _place_of(target)
        if place is None:
            return found[0]
        return posixpath.relpath(place, posixpath.dirname(page)) + (found[2] or "")

    return _LINK.sub(link, markdown)


def _place_of(path: str) -> str | None:
    """Where on the site a file of the repository is; None for one that the site has not got."""
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    if path in FILES:
        return f"files/{path}"
    return FROM_ROOT.get(path) or _FOLDERS.get(path.rstrip("/"))
