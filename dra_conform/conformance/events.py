"""The events of a run. Every report is a handler of these events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from dra_conform.conformance.implementation import Identity, Suite
from dra_conform.conformance.levels import ALL
from dra_conform.conformance.requirement import Requirement
from dra_conform.conformance.verdict import CaseResult


@dataclass(frozen=True, slots=True)
class KnownFailures:
    """The ledger of a run: its file, and whether the suite has it for this version of the implementation."""

    file: str
    published: bool


@dataclass(frozen=True, slots=True)
class RunStarted:
    """The start of a run of `total` cases on one implementation. `catalogue` has all requirements.

    `level`: the level of the cases (`levels.LEVELS`).
    """

    implementation: Identity
    profile: str
    suite: Suite
    total: int
    catalogue: tuple[Requirement, ...]
    started: str  # RFC 3339, UTC
    settings: Mapping[str, str] = field(default_factory=dict)
    """Other command-line options that affect verdicts, with their values in words."""
    level: str = ALL
    options: tuple[str, ...] = ()
    """The words of the command line that affect verdicts, such as `--deadline 60`; defaults are left out."""
    selection: tuple[str, ...] = ()
    """The words of the command line that select cases, such as `--level core`."""
    known_failures: KnownFailures | None = None
    """The ledger whose failures do not count, None if all failures count."""


@dataclass(frozen=True, slots=True)
class CaseJudged:
    """A result as soon as it is known. Its `CaseFinished` follows in the order of the suite."""

    result: CaseResult


@dataclass(frozen=True, slots=True)
class CaseFinished:
    """A result in the order of the suite."""

    result: CaseResult


@dataclass(frozen=True, slots=True)
class RunFinished:
    """The end of a run. `aborted` says why the run is incomplete, empty if it is complete.

    `gave_up`: the implementation is the cause.
    """

    seconds: float
    aborted: str = ""
    gave_up: bool = False


Event = RunStarted | CaseJudged | CaseFinished | RunFinished


class Handler(Protocol):
    """A consumer of the events of runs, such as a report."""

    def handle(self, event: Event) -> None:
        """Handle one event. Files are written with each event or at RunFinished."""
        ...

    def close(self) -> None:
        """Finish the files after the last run."""
        ...
