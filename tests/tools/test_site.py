"""All pages of the documentation are in the navigation, their links lead to existing files, and `make site` works."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from dra_conform.reports.submission import slug
from dra_conform.reports.submission_files import read_submission, submitted_files
from tools.docs.site.links import pointed
from tools.docs.site.submission_pages import submission_pages

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = [
    *sorted(DOCS.rglob("*.md")),
    *(
        ROOT / name
        for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "tests/README.md")
    ),
]

_LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
_CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.DOTALL | re.MULTILINE)


def _named(nav: Any) -> Iterator[str]:
    match nav:
        case str():
            yield nav
        case list():
            for entry in nav:
                yield from _named(entry)
        case dict():
            for value in nav.values():
                yield from _named(value)


def test_every_page_is_in_the_navigation() -> None:
    nav = set(_named(yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))["nav"]))
    written = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    assert written <= nav, "name these pages in mkdocs.yml"
    assert {name for name in nav if not name.startswith(("reference/", "explanation/"))} <= written


def test_every_document_has_a_page_of_requirements_in_the_navigation() -> None:
    nav = set(_named(yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))["nav"]))
    documents = {path.stem for path in (ROOT / "requirements").glob("*.yaml")}
    assert {f"reference/requirements/{name}.md" for name in documents} <= nav


@pytest.mark.parametrize(
    ("markdown", "page", "expected"),
    [
        ("[live](docs/live.md#results)", "explanation/security.md", "[live](../live.md#results)"),
        ("[Security](../SECURITY.md)", "live.md", "[Security](explanation/security.md)"),
        ("[cel/](dra_conform/cel)", "explanation/security.md", "cel/"),
        ("[example](../../examples/drivers)", "how-to/plugins.md", "example"),
        ("[API](https://example.com/a)", "live.md", "[API](https://example.com/a)"),
        ("![left](../assets/left.png)", "how-to/reports.md", "![left](../assets/left.png)"),
        ("[result](reports/none.yaml)", "how-to/publish.md", "[result](reports/none.yaml)"),
    ],
)
def test_links_lead_to_pages_of_the_site_or_become_text(markdown: str, page: str, expected: str) -> None:
    assert pointed(markdown, page) == expected


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_of_a_page_lead_to_files(page: Path) -> None:
    links = _LINK.findall(_CODE.sub("", page.read_text("utf-8")))
    within = [
        link for link in links if ":" not in link and not link.startswith(("reference/", "../reference/"))
    ]
    assert [target for target in within if not (page.parent / target).exists()] == []


def test_published_results_are_valid_and_have_pages() -> None:
    files = list(submitted_files(ROOT / "reports"))
    names = {slug(read_submission(file).submission.implementation.name) for file in files}
    assert {name for name, _ in submission_pages(ROOT / "reports")} == {"index", *names}


@pytest.mark.slow
def test_the_site_is_built_and_searched_without_a_server(tmp_path: Path) -> None:
    """Build as `make site` does, with --strict: a dead link or an unnamed page is an error."""
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(tmp_path)]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    for name, _ in submission_pages(ROOT / "reports"):
        assert (tmp_path / "reference" / "results" / f"{name}.html").is_file()
    for path in tmp_path.rglob("*.html"):
        assert '<script src="http' not in path.read_text("utf-8"), path
    # A page opened from a folder can load a script, but not JSON.
    assert "ResourceSlice" in (tmp_path / "search" / "search_index.js").read_text("utf-8")
