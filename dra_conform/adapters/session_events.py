"""Events of a session with an adapter process, and the faults that unexpected events are."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.adapters.faults import Fault, FaultKind
from dra_conform.adapters.wire import Frame, Junk, TooLong


@dataclass(frozen=True, slots=True)
class Ended:
    """The process ended or closed its stdout; `how` is, for example, `exit code 3`."""

    how: str


@dataclass(frozen=True, slots=True)
class StdinClosed:
    """The process closed its stdin."""


Event = Frame | Junk | TooLong | Ended | StdinClosed


def fault_of(event: Event) -> Fault:
    """Return the fault for an unexpected event."""
    match event:
        case Frame(id=number, body=body):
            given = f"id {body['id']!r:.40}" if "id" in body else "no id"
            problem = "without a valid id" if number is None else "with an id that no request has"
            return Fault(
                FaultKind.WRONG_ID,
                f"a message {problem} ({given}, type {body.get('type')!r}), expected the id of the request",
            )
        case Junk(text=text, problem=problem):
            return Fault(FaultKind.JUNK, f"a line on stdout is not a message ({problem}): {text!r}")
        case TooLong(limit=limit):
            return Fault(
                FaultKind.TOO_LONG, f"a line on stdout has more than {limit} bytes, expected at most {limit}"
            )
        case Ended(how=how):
            return Fault(FaultKind.CRASH, how)
        case StdinClosed():
            return Fault(FaultKind.CLOSED_INPUT, "the adapter closed its stdin before all requests were sent")
