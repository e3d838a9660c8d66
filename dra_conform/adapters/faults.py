"""Faults of adapter processes, with the status of the case and whether the adapter is restarted."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from dra_conform.adapters import wire
from dra_conform.conformance.implementation import Status


class FaultKind(StrEnum):
    """The kind of a fault of an adapter process."""

    CRASH = "crash"
    """The process ended or closed its stdout before it answered."""
    CLOSED_INPUT = "closed-input"
    """The process closed its stdin, so the request could not be sent."""
    HANG = "hang"
    """There was no answer within the deadline."""
    JUNK = "junk"
    """A line on stdout is not a message."""
    FLOOD = "flood"
    """More than `Limits.junk_lines` lines on stdout are not the answer."""
    WRONG_ID = "wrong-id"
    """A message has an id that no request has."""
    DOUBLED_ID = "doubled-id"
    """A request was answered twice."""
    INVALID = "invalid"
    """An answer violates the schema."""
    TOO_LONG = "too-long"
    """A line is larger than `Limits.max_frame`."""


@dataclass(frozen=True, slots=True)
class Handling:
    """The status of the case, and whether the adapter is restarted, after a fault.

    With `restarts` the process is ended and started again for the next case.
    """

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
    """A fault of an adapter; `detail` describes it for people."""

    kind: FaultKind
    detail: str

    @property
    def status(self) -> Status:
        """The status of the case."""
        return HANDLING[self.kind].status

    @property
    def restarts(self) -> bool:
        """Whether the adapter is restarted."""
        return HANDLING[self.kind].restarts


class SessionFailed(Exception):  # noqa: N818 - it reads as what happened
    """A fault outside of a case, such as no answer to hello or configure; `log` is the tail of stderr."""

    def __init__(self, fault: Fault, log: str = "") -> None:
        super().__init__(fault.detail)
        self.fault = fault
        self.log = log


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits for adapter processes; times in seconds, sizes in bytes."""

    start: float = 30.0
    configure: float = 10.0
    bye: float = 2.0
    """Time for an adapter to exit after bye."""
    terminate: float = 0.5
    """Time between SIGTERM and SIGKILL."""
    settle: float = 0.01
    """Time to wait for unexpected output after the last answer."""
    max_frame: int = wire.MAX_FRAME
    log: int = 64 * 1024
    """The largest part of stderr that is kept."""
    junk_lines: int = 1000
    """The maximum number of lines within one case that are not messages, or answer an earlier request."""
    restarts: int = 10
    crashes_in_a_row: int = 3
    memory: int = 0
    """The most data of each process of an adapter, 0 for no limit."""
    window: int = 128
    """The most requests that an adapter gets at a time, even if it declares a larger window."""
