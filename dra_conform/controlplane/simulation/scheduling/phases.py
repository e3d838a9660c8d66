"""The phases of a scheduling attempt, and their possible results."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Phase(StrEnum):
    """The extension points of the scheduling framework that this scheduler has, in order."""

    PRE_ENQUEUE = "PreEnqueue"
    PRE_FILTER = "PreFilter"
    FILTER = "Filter"
    POST_FILTER = "PostFilter"
    SCORE = "Score"
    RESERVE = "Reserve"
    PRE_BIND = "PreBind"
    BIND = "Bind"
    UNRESERVE = "Unreserve"


class Code(StrEnum):
    """How a phase ends. Another victim of preemption can help against `UNSCHEDULABLE` only."""

    SUCCESS = "Success"
    UNSCHEDULABLE = "Unschedulable"
    UNRESOLVABLE = "UnschedulableAndUnresolvable"
    ERROR = "Error"


@dataclass(frozen=True, slots=True)
class PhaseResult:
    """How one phase ended, on the nodes that it is about; `score` is that of a node."""

    phase: Phase
    code: Code
    reason: str = ""
    nodes: tuple[str, ...] = ()
    score: int | None = None


class PhaseRefused(Exception):  # noqa: N818 - it reads as what happened
    """A phase ends without success. `again`: the next attempt may end otherwise though nothing changes."""

    def __init__(self, code: Code, reason: str, *, again: bool = False) -> None:
        super().__init__(reason)
        self.code = code
        self.again = again
