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
    """The status of a phase. Preemption can only help if it is `UNSCHEDULABLE`."""

    SUCCESS = "Success"
    UNSCHEDULABLE = "Unschedulable"
    UNRESOLVABLE = "UnschedulableAndUnresolvable"
    ERROR = "Error"


@dataclass(frozen=True, slots=True)
class PhaseResult:
    """The result of one phase on some nodes; `score` is set by Score only."""

    phase: Phase
    code: Code
    reasons: tuple[str, ...] = ()
    nodes: tuple[str, ...] = ()
    score: int | None = None

    @property
    def reason(self) -> str:
        """The reasons as one text, empty without reasons."""
        return ", ".join(self.reasons)


class PhaseFailed(Exception):  # noqa: N818 - it reads as what happened
    """A phase failed. `retryable`: another attempt may succeed without any change of the cluster.

    Each of `reasons` counts for itself. `plugins` are the names of the plugins that failed, as
    SchedulingCycle sets them.
    """

    def __init__(
        self, code: Code, *reasons: str, retryable: bool = False, plugins: frozenset[str] = frozenset()
    ) -> None:
        super().__init__(", ".join(reasons))
        self.code = code
        self.reasons = reasons
        self.retryable = retryable
        self.plugins = plugins
