"""The events of a run. Every report is a handler of these events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from dra_conform.conformance.implementation import Identity, Suite
from dra_conform.conformance.requirement import Requirement
from dra_conform.conformance.verdict import CaseResult


@dataclass(frozen=True, slots=True)
class RunStarted:
    """One implementation is about to be judged on `total` cases. `catalogue` is every known requirement."""

    implementation: Identity
    profile: str
    suite: Suite
    total: int
    catalogue: tuple[Requirement, ...]
    started: str  # RFC 3339, UTC
    settings: Mapping[str, str] = field(default_factory=dict)
    """What else of the command line bears on verdicts, by option."""


@dataclass(frozen=True, slots=True)
class CaseJudged:
    """A result before its turn: it is there already, its `CaseFinished` comes in the order of the suite."""

    result: CaseResult


@dataclass(frozen=True, slots=True)
class CaseFinished:
    """A result in its turn."""

    result: CaseResult


@dataclass(frozen=True, slots=True)
class RunFinished:
    """The end of one implementation's run. `aborted` says why it is incomplete, empty when it is complete;
    `gave_up` is true where that is the implementation's fault."""

    seconds: float
    aborted: str = ""
    gave_up: bool = False


Event = RunStarted | CaseJudged | CaseFinished | RunFinished


class Handler(Protocol):
    def handle(self, event: Event) -> None:
        """Take one event. Files are written as events come or at RunFinished."""
        ...

    def close(self) -> None:
        """The last run is over: finish the files."""
        ...
