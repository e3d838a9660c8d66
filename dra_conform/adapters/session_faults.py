"""Conversion of unexpected events of an adapter process into faults."""

from __future__ import annotations

from dra_conform.adapters.faults import Fault, FaultKind
from dra_conform.adapters.session import Ended, Event, StdinClosed
from dra_conform.adapters.wire import Frame, Junk, TooLong


def fault_of(event: Event) -> Fault:
    """Return the fault for an unexpected event."""
    match event:
        case Frame(id=number, body=body):
            problem = "without a valid id" if number is None else f"with id {number}, which no request has"
            return Fault(FaultKind.WRONG_ID, f"a frame {problem} (type {body.get('type')!r})")
        case Junk(text=text, problem=problem):
            return Fault(FaultKind.JUNK, f"a line on stdout is not a frame ({problem}): {text!r}")
        case TooLong(limit=limit):
            return Fault(FaultKind.TOO_LONG, f"a frame of more than {limit} bytes")
        case Ended(how=how):
            return Fault(FaultKind.CRASH, how)
        case StdinClosed():
            return Fault(FaultKind.CLOSED_INPUT, "it closed its stdin before all requests were sent")
