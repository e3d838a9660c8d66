"""Collection of events into complete runs, for reports that need all results."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.conformance.events import CaseFinished, CaseJudged, Event, RunFinished, RunStarted
from dra_conform.conformance.verdict import CaseResult

INTERRUPTED = "the run was interrupted"


@dataclass(frozen=True, slots=True)
class Run:
    """One implementation's run. `aborted` says why it is incomplete, empty where it is complete."""

    started: RunStarted
    results: tuple[CaseResult, ...]
    seconds: float
    aborted: str = ""
    gave_up: bool = False

    @property
    def name(self) -> str:
        """The implementation with its version, such as `builtin 0.1.0`."""
        identity = self.started.implementation
        return f"{identity.name} {identity.version}".strip()


class Gathering:
    """Takes events, gives runs. A run without its end counts as interrupted.

    What an interrupted run was told before its turn stands behind the others.
    """

    def __init__(self) -> None:
        self._done: list[Run] = []
        self._started: RunStarted | None = None
        self._results: list[CaseResult] = []
        self._early: dict[str, CaseResult] = {}

    def add(self, event: Event) -> Run | None:
        """Take one event; gives the run where it is the end of one."""
        match event:
            case RunStarted():
                self._settle()
                self._started = event
            case CaseJudged(result):
                self._early[result.case.id] = result
            case CaseFinished(result):
                self._early.pop(result.case.id, None)
                self._results.append(result)
            case RunFinished(seconds, aborted, gave_up):
                return self._settle(seconds, aborted, gave_up=gave_up)
        return None

    def runs(self) -> tuple[Run, ...]:
        """Every run so far, an unfinished one included."""
        self._settle()
        return tuple(self._done)

    def _settle(
        self, seconds: float | None = None, aborted: str = INTERRUPTED, *, gave_up: bool = False
    ) -> Run | None:
        if self._started is None:
            return None
        results = (*self._results, *self._early.values())
        if seconds is None:
            seconds = sum(result.seconds for result in results)
        run = Run(self._started, results, seconds, aborted, gave_up)
        self._done.append(run)
        self._started, self._results, self._early = None, [], {}
        return run
