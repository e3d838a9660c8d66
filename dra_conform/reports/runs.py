"""Events gathered into whole runs, for the reports that need all results at once."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.conformance.events import CaseFinished, Event, RunFinished, RunStarted
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
    """Takes events, gives runs. A run without its end counts as interrupted."""

    def __init__(self) -> None:
        self._done: list[Run] = []
        self._started: RunStarted | None = None
        self._results: list[CaseResult] = []

    def add(self, event: Event) -> Run | None:
        """Take one event; gives the run where it is the end of one."""
        match event:
            case RunStarted():
                self._settle()
                self._started = event
            case CaseFinished(result):
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
        if seconds is None:
            seconds = sum(result.seconds for result in self._results)
        run = Run(self._started, tuple(self._results), seconds, aborted, gave_up)
        self._done.append(run)
        self._started, self._results = None, []
        return run
