"""The pages of the documentation: all in the navigation, and no link to a file that is not there.

`make site` looks closer, at anchors too; it needs the extra `docs`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = [
    *sorted(DOCS.rglob("*.md")),
    *(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "tests/README.md")),
]

_LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
_CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.DOTALL | re.MULTILINE)


def _named(nav: Any) -> Iterator[str]:
    match nav:
        case str():
            yield nav
        case list():
            for one in nav:
                yield from _named(one)
        case dict():
            for value in nav.values():
                yield from _named(value)


def test_every_page_is_in_the_navigation() -> None:
    nav = set(_named(yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))["nav"]))
    written = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    assert written <= nav, "name these pages in mkdocs.yml"
    assert {name for name in nav if not name.startswith(("reference/", "explanation/"))} <= written


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_its_links_lead_somewhere(page: Path) -> None:
    links = _LINK.findall(_CODE.sub("", page.read_text("utf-8")))
    within = [
        link for link in links if ":" not in link and not link.startswith(("reference/", "../reference/"))
    ]
    assert [one for one in within if not (page.parent / one).exists()] == []
