"""The fault that an unexpected event of an adapter process means."""

from __future__ import annotations

from dra_conform.adapters.faults import Fault, FaultKind
from dra_conform.adapters.session import Deaf, Ended, Event
from dra_conform.adapters.wire import Frame, Junk, TooLong


def fault_of(event: Event) -> Fault:
    """The fault that an event stands for."""
    match event:
        case Frame(id=number, body=body):
            shown = "without a usable id" if number is None else f"with id {number}, which was never asked"
            return Fault(FaultKind.WRONG_ID, f"a frame {shown} (type {body.get('type')!r})")
        case Junk(text=text, problem=problem):
            return Fault(FaultKind.JUNK, f"a line on stdout that is not a frame ({problem}): {text!r}")
        case TooLong(limit=limit):
            return Fault(FaultKind.TOO_LONG, f"a frame of more than {limit} bytes")
        case Ended(how=how):
            return Fault(FaultKind.CRASH, how)
        case Deaf():
            return Fault(FaultKind.CLOSED_INPUT, "it closed its stdin while requests were due")
