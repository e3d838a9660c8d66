"""Events as NDJSON: one line for each event, written and flushed immediately.

Results are in order of arrival, which can differ from the order of the suite. If the last line
`{"event": "end", ...}` is missing, the run was cut off.
"""

from __future__ import annotations

import json
from collections import Counter
from contextlib import ExitStack, suppress
from typing import TextIO

from dra_conform.conformance.events import CaseFinished, CaseJudged, Event, RunFinished, RunStarted
from dra_conform.conformance.verdict import CaseResult
from dra_conform.kube.errors import InputError
from dra_conform.kube.json_values import Json
from dra_conform.reports import json_report
from dra_conform.reports.files import ensure_writable, open_unbuffered
from dra_conform.reports.recorded_results import record_of
from dra_conform.reports.runs import INTERRUPTED, Run


class Ndjson:
    """A writer of events. The first event opens the file and truncates an existing file."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._target = ensure_writable(path)
        self._stream: TextIO | None = None
        self._opened = ExitStack()
        self._broken = False
        self._open = False
        self._run = 0
        self._about: Json = {}
        self._counts: Counter[str] = Counter()
        self._early: set[str] = set()
        self._all = 0

    def handle(self, event: Event) -> None:
        match event:
            case RunStarted():
                self._start(event)
            case CaseJudged(result):
                self._early.add(result.case.id)
                self._take(result)
            case CaseFinished(result) if result.case.id not in self._early:
                self._take(result)
            case RunFinished(seconds, aborted, gave_up):
                self._finish(seconds, aborted, gave_up=gave_up)

    def _take(self, result: CaseResult) -> None:
        self._counts[result.verdict.value] += 1
        self._all += 1
        self._write("case-finished", {**self._about, **record_of(result)})

    def close(self) -> None:
        if self._open and not self._broken:
            self._finish(0.0, INTERRUPTED)
        if not self._broken:
            self._write("end", {"runs": self._run, "results": self._all})
        self._release()

    def _finish(self, seconds: float, aborted: str, *, gave_up: bool = False) -> None:
        self._open = False
        summary = {**self._counts, "total": sum(self._counts.values())}
        end = {"seconds": round(seconds, 6), "aborted": aborted, "gaveUp": gave_up, "summary": summary}
        self._write("run-finished", {**self._about, **end})

    def _start(self, event: RunStarted) -> None:
        self._run += 1
        self._open = True
        self._counts.clear()
        self._early.clear()
        run = Run(event, (), 0.0)
        identity = json_report.implementation(run)
        suite = json_report.suite(run)
        self._about = {
            "run": self._run,
            "implementation": {"name": identity["name"], "version": identity["version"]},
            "profile": event.profile,
            "suite": suite["fingerprint"],
        }
        more = {
            "format": json_report.FORMAT,
            "implementation": identity,
            "suite": suite,
            "started": event.started,
            "settings": dict(event.settings),
            "level": event.level,
            "total": event.total,
            "requirements": len(event.catalogue),
        }
        self._write("run-started", {**self._about, **more})

    def _write(self, name: str, body: Json) -> None:
        # The line is made before the file is opened, so that the file is empty only for a moment.
        line = json.dumps({"event": name, **body}) + "\n"
        try:
            if self._stream is None:
                self._stream = self._opened.enter_context(open_unbuffered(self._target))
            self._stream.write(line)
            self._stream.flush()
        except OSError as error:
            self._broken = True
            self._release()
            message = f"cannot be written: {error.strerror or error}"
            raise InputError(self._path, None, "", message) from None

    def _release(self) -> None:
        with suppress(OSError):
            self._opened.close()
        self._stream = None
