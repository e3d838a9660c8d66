"""The answer of an implementation to an allocation: an outcome, never a verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

Json = Any


class Outcome(StrEnum):
    """The outcome that an implementation reports."""

    ALLOCATED = "allocated"
    UNALLOCATABLE = "unallocatable"
    """The input is valid, but no allocation is possible."""
    REJECTED = "rejected"
    """The input is rejected before any search."""
    ERRORED = "errored"
    """The implementation reports an error for this input, such as a CEL runtime error."""


NOT_ALLOCATED = frozenset(Outcome) - {Outcome.ALLOCATED}
"""The outcomes without an allocation."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason why nothing is allocated. Only `category` is compared; `message` is for people."""

    category: str
    phase: str = ""
    scope: str = ""
    subject: str = ""
    path: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class AllocationAnswer:
    """The decision of an implementation about an allocation.

    `allocations` maps `namespace/name` of each claim to its `status.allocation`, JSON as in the API;
    empty unless the outcome is `allocated`.
    """

    outcome: Outcome
    allocations: Mapping[str, Json] = field(default_factory=dict)
    reasons: tuple[Reason, ...] = ()
