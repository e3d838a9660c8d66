"""Collection of events into runs, for reports that need all results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from dra_conform.conformance.events import CaseFinished, CaseJudged, Event, RunFinished, RunStarted
from dra_conform.conformance.verdict import CaseResult
from dra_conform.kube.printable import one_line

INTERRUPTED = "the run was interrupted"


@dataclass(frozen=True, slots=True)
class Run:
    """The run of one implementation. `aborted` says why it is incomplete and is empty for a complete run.

    `known` has the ids of the cases that fail as the ledger of the run says.
    """

    started: RunStarted
    results: tuple[CaseResult, ...]
    seconds: float
    aborted: str = ""
    gave_up: bool = False
    known: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """The implementation with its version in one line, such as `builtin 0.1.0`."""
        identity = self.started.implementation
        return one_line(f"{identity.name} {identity.version}".strip())

    @property
    def known_failures(self) -> str:
        """A sentence that names the ledger of the run, empty if all failures count."""
        ledger = self.started.known_failures
        if ledger is None:
            return ""
        effect = f"Failures that {one_line(ledger.file)} lists are known and do not change the exit code"
        if not ledger.published:
            return f"{effect} (--expect)."
        return f"{effect}: the suite has this ledger for {self.name}. With --expect none all failures count."


KnownFailures = Callable[[Run], frozenset[str]]
"""Returns the ids of the cases of a run that fail as a ledger says."""


class RunCollector:
    """A collector of events that returns runs. A run without an end event counts as interrupted.

    In an interrupted run, results that were judged ahead of their order come last. `known` returns the ids of
    the cases that fail as a ledger says.
    """

    def __init__(self, known: KnownFailures = lambda _: frozenset()) -> None:
        self._known = known
        self._done: list[Run] = []
        self._started: RunStarted | None = None
        self._results: list[CaseResult] = []
        self._early: dict[str, CaseResult] = {}

    def add(self, event: Event) -> Run | None:
        """Add an event; return the run if the event ends one."""
        match event:
            case RunStarted():
                self._finish()
                self._started = event
            case CaseJudged(result):
                self._early[result.case.id] = result
            case CaseFinished(result):
                self._early.pop(result.case.id, None)
                self._results.append(result)
            case RunFinished(seconds, aborted, gave_up):
                return self._finish(seconds, aborted, gave_up=gave_up)
        return None

    def runs(self) -> tuple[Run, ...]:
        """Return all runs so far, including an unfinished one."""
        self._finish()
        return tuple(self._done)

    def _finish(
        self, seconds: float | None = None, aborted: str = INTERRUPTED, *, gave_up: bool = False
    ) -> Run | None:
        if self._started is None:
            return None
        results = (*self._results, *self._early.values())
        if seconds is None:
            seconds = sum(result.seconds for result in results)
        run = Run(self._started, results, seconds, aborted, gave_up)
        run = replace(run, known=self._known(run))
        self._done.append(run)
        self._started, self._results, self._early = None, [], {}
        return run
