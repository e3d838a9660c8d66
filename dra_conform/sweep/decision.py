"""The result of a row: the expected one, or the one of the implementation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType

import msgspec

from dra_conform.conformance.allocate.answer import AllocationAnswer, Outcome


class RowOutcome(StrEnum):
    """The outcome of a row: allocated or stored, rejected, an error, or no result."""

    ACCEPTED = "accepted"
    """The request is allocated, or the write is accepted."""
    REJECTED = "rejected"
    """The request cannot be allocated, or the write is rejected."""
    ERRORED = "errored"
    """The whole allocation or write fails with an error."""
    UNSUPPORTED = "unsupported"
    """The implementation does not support the request."""
    UNREADABLE = "unreadable"
    """The answer for the row has an unknown name, a value of the wrong type, or no quantity."""
    MISSING = "missing"
    """The answer has no result for the row."""
    FAULT = "fault"
    """There is no answer: a crash, a timeout, or a violation of the protocol."""


class RowDecision(msgspec.Struct, frozen=True, gc=False):
    """The result of a row: its outcome and, if it has one, the quantity in nano-units.

    `detail` is for people: the quantity as written, or what went wrong.
    """

    outcome: RowOutcome
    nano: int | None = None
    detail: str = ""


OUTCOMES: Mapping[str, RowOutcome] = MappingProxyType({outcome.value: outcome for outcome in RowOutcome})
"""The outcomes by their value, for millions of rows."""

REJECTED = RowDecision(RowOutcome.REJECTED)
ERRORED = RowDecision(RowOutcome.ERRORED)


def without_allocation(rows: Sequence[int], answer: AllocationAnswer) -> Mapping[int, RowDecision]:
    """Return the result of the only row of a request that was not allocated, empty for several rows."""
    if len(rows) > 1:
        return {}
    outcome = RowOutcome.ERRORED if answer.outcome is Outcome.ERRORED else RowOutcome.FAULT
    reason = answer.reasons[0].message if answer.reasons else ""
    return {rows[0]: RowDecision(outcome, detail=f"{answer.outcome.value}: {reason}"[:200])}
