"""The faults of an adapter, the status of each, and whether the adapter is restarted."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from dra_conform.adapters import wire
from dra_conform.conformance.implementation import Status


class FaultKind(StrEnum):
    CRASH = "crash"
    """The process ended, or closed its stdout, while it owed an answer."""
    CLOSED_INPUT = "closed-input"
    """It closed its stdin, so that the request could not be delivered."""
    HANG = "hang"
    """No answer within the deadline."""
    JUNK = "junk"
    """A line on stdout that is not a frame."""
    FLOOD = "flood"
    """So many such lines that waiting for the answer makes no sense."""
    WRONG_ID = "wrong-id"
    """An answer to something that was not asked."""
    DOUBLED_ID = "doubled-id"
    """A second answer to the same request."""
    INVALID = "invalid"
    """An answer that breaks the schema."""
    TOO_LONG = "too-long"
    """A frame over the limit."""


@dataclass(frozen=True, slots=True)
class Handling:
    """`restarts`: the process is ended and started again, since the stream can no longer be trusted."""

    status: Status
    restarts: bool


HANDLING = {
    FaultKind.CRASH: Handling(Status.CRASH, restarts=True),
    FaultKind.CLOSED_INPUT: Handling(Status.CRASH, restarts=True),
    FaultKind.HANG: Handling(Status.TIMEOUT, restarts=True),
    FaultKind.JUNK: Handling(Status.PROTOCOL, restarts=False),
    FaultKind.FLOOD: Handling(Status.PROTOCOL, restarts=True),
    FaultKind.WRONG_ID: Handling(Status.PROTOCOL, restarts=False),
    FaultKind.DOUBLED_ID: Handling(Status.PROTOCOL, restarts=False),
    FaultKind.INVALID: Handling(Status.PROTOCOL, restarts=False),
    FaultKind.TOO_LONG: Handling(Status.PROTOCOL, restarts=True),
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault; `detail` says for people what happened."""

    kind: FaultKind
    detail: str

    @property
    def status(self) -> Status:
        return HANDLING[self.kind].status

    @property
    def restarts(self) -> bool:
        return HANDLING[self.kind].restarts


class Broken(Exception):  # noqa: N818 - it reads as what happened
    """The conversation outside of a case went wrong: no hello, no answer to configure."""

    def __init__(self, fault: Fault, log: str = "") -> None:
        super().__init__(fault.detail)
        self.fault = fault
        self.log = log


@dataclass(frozen=True, slots=True)
class Limits:
    """Every number of the fault handling; times in seconds, sizes in bytes."""

    start: float = 30.0
    configure: float = 10.0
    bye: float = 2.0
    """How long an adapter may take to end after bye."""
    terminate: float = 0.5
    """Between SIGTERM and SIGKILL."""
    settle: float = 0.01
    """How long to look for stray output after the last answer."""
    max_frame: int = wire.MAX_FRAME
    log: int = 64 * 1024
    """How much of stderr is kept."""
    junk_lines: int = 1000
    """Junk lines within one case before it counts as a flood."""
    restarts: int = 10
    crashes_in_a_row: int = 3
    memory: int = 0
    """How much data each process of an adapter may have, 0 for no limit."""
    window: int = 128
    """No adapter is given more requests at a time, whatever it declares."""
