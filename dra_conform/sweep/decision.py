"""What is expected of a row, and what an implementation answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class RowOutcome(StrEnum):
    """The outcome of a row."""

    ACCEPTED = "accepted"
    """The request is allocated, or the write is accepted."""
    REJECTED = "rejected"
    """The request cannot be allocated, or the write is rejected."""
    ERRORED = "errored"
    """The whole attempt ends in an error."""
    UNSUPPORTED = "unsupported"
    """The implementation declines the question."""
    UNREADABLE = "unreadable"
    """The answer has an unknown name, a value of the wrong type, or no quantity."""
    MISSING = "missing"
    """The answer has no part about the row."""
    FAULT = "fault"
    """There is no answer: a crash, a timeout, or a violation of the protocol."""


@dataclass(frozen=True, slots=True)
class RowDecision:
    """The outcome of a row, with the quantity in nano-units if the outcome has one.

    `detail` is for people: the quantity as written, or what went wrong.
    """

    outcome: RowOutcome
    nano: int | None = None
    detail: str = ""


REJECTED = RowDecision(RowOutcome.REJECTED)
ERRORED = RowDecision(RowOutcome.ERRORED)
