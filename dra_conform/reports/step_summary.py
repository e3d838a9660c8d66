"""The summary of a GitHub job: the Markdown report, appended to `GITHUB_STEP_SUMMARY`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from dra_conform.conformance.events import Event
from dra_conform.reports import markdown
from dra_conform.reports.runs import RunCollector

VARIABLE = "GITHUB_STEP_SUMMARY"


class StepSummary:
    """A handler that appends the report at the end.

    If the file cannot be written, a message is printed and the run continues.
    """

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        self._collector = RunCollector()

    def handle(self, event: Event) -> None:
        self._collector.add(event)

    def close(self) -> None:
        runs = self._collector.runs()
        if not runs:
            return
        try:
            with self._path.open("a", encoding="utf-8") as stream:
                stream.write(markdown.render(runs, _job()) + "\n")
        except OSError as error:
            sys.stderr.write(f"{VARIABLE}: {self._path}: cannot be written: {error.strerror}\n")


def _job() -> str:
    """Return the address of the workflow run, which has the reports as artifacts; empty if it is unknown."""
    names = ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID")
    server, repository, run = (os.environ.get(name, "") for name in names)
    return f"{server}/{repository}/actions/runs/{run}" if server and repository and run else ""
