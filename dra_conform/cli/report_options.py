"""The options that name the reports of a run."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from dra_conform.kube.errors import InputError
from dra_conform.reports.files import ensure_folder

REPORTS = {
    "json": "report.json",
    "html": "report.html",
    "summary": "summary.html",
    "junit": "junit.xml",
    "markdown": "report.md",
    "events": "events.ndjson",
    "matrix": "matrix.svg",
    "badge": "badge.svg",
}
"""The file of each report in the folder of `--report-dir`."""

_HELP = {
    "json": "write the results as JSON",
    "html": "write the HTML report as one page of at most 3 MB, or as a folder of pages if F ends in /",
    "summary": "write a summary on one sheet of A4 as HTML",
    "junit": "write JUnit XML",
    "markdown": "write a summary in Markdown of at most 20 kB",
    "events": "write events as NDJSON during the run",
    "matrix": "write the matrix of features by implementations as SVG",
    "badge": "write a badge as SVG, or as JSON for shields.io if F ends in .json",
}


def add_report_options(command: argparse._ActionsContainer) -> None:
    """Describe an option for each report, and the two that name several reports at once."""
    for name, what in _HELP.items():
        command.add_argument(f"--{name}", metavar="F", help=what)
    command.add_argument(
        "--report",
        action="extend",
        type=_names,
        metavar="NAMES",
        default=[],
        help=f"write several reports into --report-dir: some of {','.join(REPORTS)}",
    )
    command.add_argument(
        "--report-dir",
        metavar="DIR",
        help=f"the folder in which --report writes {', '.join(REPORTS.values())} (the current folder)",
    )


def report_paths(arguments: argparse.Namespace) -> Mapping[str, str | None]:
    """Return the path of each report, None for a report that is not requested.

    An option for one report has precedence over `--report`. Raises InputError if there is no such folder, or
    if `--report-dir` has no effect.
    """
    paths: dict[str, str | None] = {name: getattr(arguments, name) for name in REPORTS}
    if arguments.report_dir is not None and not arguments.report:
        message = "needs the names of reports, expected --report, such as --report html,junit"
        raise InputError("--report-dir", None, arguments.report_dir, message)
    if not arguments.report:
        return paths
    folder = Path(arguments.report_dir or ".")
    ensure_folder(str(folder))
    for name in arguments.report:
        paths[name] = paths[name] or str(folder / REPORTS[name])
    return paths


def _names(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(text.split(",")))
    for name in names:
        if name not in REPORTS:
            message = f"{name!r} is not a report, expected some of {','.join(REPORTS)}"
            raise argparse.ArgumentTypeError(message)
    return names
