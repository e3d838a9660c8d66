"""The hooks of mkdocs: add generated pages, and translate links to repository files into links to pages."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files
from mkdocs.utils import get_relative_url

sys.path.insert(0, str(Path(__file__).parent))

from commands_page import commands_page
from links import FILES, FROM_ROOT, pointed
from requirement_pages import requirement_pages
from schemas_page import schemas_page
from submission_pages import submission_pages

ROOT = Path(__file__).resolve().parents[3]
_WORKER = "https://unpkg.com/iframe-worker/shim"


def on_files(files: Files, config: Any, **_: Any) -> Files:
    """Add the generated pages and the files outside docs/."""
    for path, text in _made():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Return the Markdown of a page with its links translated for the site."""
    return pointed(markdown, page.file.src_uri)


def on_post_page(output: str, page: Any, **_: Any) -> str:
    """Return a page whose search has its own worker; the theme would load one from the network."""
    return output.replace(_WORKER, get_relative_url("assets/iframe-worker.js", page.url))


def on_post_template(output: str, **_: Any) -> str:
    """Return the page for unknown addresses, which a server shows, without a script from the network."""
    return output.replace(f'<script src="{_WORKER}"></script>', "")


def _made() -> Iterator[tuple[str, str]]:
    yield "reference/commands.md", commands_page()
    yield "reference/schemas.md", schemas_page(ROOT / "dra_conform" / "schemas")
    for name, text in requirement_pages():
        yield f"reference/requirements/{name}.md", text
    for name, text in submission_pages(ROOT / "reports"):
        yield f"reference/results/{name}.md", text
    for source, place in FROM_ROOT.items():
        yield place, (ROOT / source).read_text("utf-8")
    for source in FILES:
        yield f"files/{source}", (ROOT / source).read_text("utf-8")
