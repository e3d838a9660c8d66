"""The report handlers for the options of a command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import TextIO

from dra_conform.conformance.events import Event, Handler
from dra_conform.kube.errors import InputError
from dra_conform.kube.printable import unfiltered
from dra_conform.reports import feature_matrix, json_report
from dra_conform.reports import html as html_page
from dra_conform.reports import junit as junit_xml
from dra_conform.reports import markdown as markdown_page
from dra_conform.reports.files import STDOUT, ensure_folder, ensure_writable, is_stdout, write_text
from dra_conform.reports.headline import badge_endpoint, badge_svg
from dra_conform.reports.ndjson import Ndjson
from dra_conform.reports.runs import KnownFailures, Run, RunCollector
from dra_conform.reports.terminal import Terminal

Render = Callable[[Sequence[Run]], str]


class FileReport:
    """A report that is written after the last run. Without a run no file is written."""

    def __init__(self, path: Path, render: Render, known: KnownFailures) -> None:
        self._path = path
        self._render = render
        self._collector = RunCollector(known)

    def handle(self, event: Event) -> None:
        self._collector.add(event)

    def close(self) -> None:
        runs = self._collector.runs()
        if runs:
            write_text(self._path, self._render(runs))


class FolderReport(FileReport):
    """The HTML report as a folder of pages, for a path that ends with a slash."""

    def close(self) -> None:
        runs = self._collector.runs()
        if not runs:
            return
        files = html_page.render_folder(runs)
        for name, text in files.items():
            write_text(self._path / name, text)
        for number in count(1):  # Other files of the folder, such as failures-2026.html, belong to the user.
            stale = self._path / html_page.failures_page(number)
            if stale.name in files:
                continue
            if not stale.is_file():
                break
            stale.unlink(missing_ok=True)


def handlers_for(
    *,
    json: str | None = None,
    html: str | None = None,
    summary: str | None = None,
    junit: str | None = None,
    markdown: str | None = None,
    matrix: str | None = None,
    badge: str | None = None,
    events: str | None = None,
    stream: TextIO | None = None,
    verbose: bool = False,
    known: KnownFailures = lambda _: frozenset(),
    inputs: Collection[Path] = (),
) -> list[Handler]:
    """Return a handler for each requested output.

    The terminal (`stream`) is last, so that files are complete first. If a report goes to standard output,
    the terminal report goes to standard error. Raises InputError if a path cannot be written, is one of the
    `inputs`, or is named twice, and for a badge that is neither .svg nor .json. Nothing is written before the
    run. `known` returns the failures of a run that reports list as known.
    """
    wanted: list[tuple[str, str | None, Render]] = [
        ("--json", json, json_report.render),
        ("--html", html, html_page.render),
        ("--summary", summary, html_page.render_summary),
        ("--junit", junit, junit_xml.render),
        ("--markdown", markdown, _markdown(markdown, html)),
        ("--matrix", matrix, feature_matrix.render),
        ("--badge", badge, _badge(badge or "-")),
    ]
    taken: dict[Path, str] = {}
    handlers: list[Handler] = []
    pages: Path | None = None
    if events is not None:
        taken[ensure_writable(events, inputs)] = "--events"
    for option, path, render in wanted:
        if path is None:
            continue
        folder = option == "--html" and path.endswith("/")
        target = (ensure_folder if folder else ensure_writable)(path, inputs)
        if target in taken:
            message = (
                f"is the output of both {taken[target]} and {option}, expected a different file for each"
            )
            raise InputError(path, None, "", message)
        taken[target] = option
        if folder:
            pages = target
        handlers.append((FolderReport if folder else FileReport)(target, render, known))
    for target, option in taken.items():
        if target.parent == pages and html_page.is_page(target.name):
            message = f"is a page of --html and the output of {option}, expected a different file for each"
            raise InputError(str(target), None, "", message)
    if events is not None:
        handlers.insert(0, Ndjson(events))
    if stream is sys.stdout and STDOUT in taken:
        stream = sys.stderr
    if stream is not None:
        handlers.append(Terminal(unfiltered(stream), verbose=verbose, known=known))
    return handlers


def _badge(path: str) -> Render:
    """Return the badge as JSON or as SVG, by the ending of the path; pipes and standard output get SVG."""
    if path and not path.endswith((".svg", ".json")) and not path.startswith(("-", "/dev/", "/proc/")):
        raise InputError(path, None, "", "is not a badge, expected a file that ends in .svg or .json")
    return badge_endpoint if path.endswith(".json") else badge_svg


def _markdown(path: str | None, html: str | None) -> Render:
    """Return the Markdown report with a link to the HTML report, relative to the Markdown file."""
    if path is None or html is None or is_stdout(html):
        return markdown_page.render
    start = os.curdir if is_stdout(path) else os.path.dirname(path) or os.curdir  # noqa: PTH120 - lexical
    page = os.path.join(html, "index.html") if html.endswith("/") else html  # noqa: PTH118 - lexical
    return partial(markdown_page.render, link=Path(os.path.relpath(page, start)).as_posix())
