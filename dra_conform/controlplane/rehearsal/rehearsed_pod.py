"""What came of one pod in a rehearsal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

Json = Any


class PodState(StrEnum):
    """Where a pod is in the end."""

    RUNNING = "running"
    PENDING = "pending"
    FAILED = "failed"
    GONE = "gone"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class RehearsedPod:
    """A pod with its claims as they are stored in the end, generated and special ones too.

    `message` says why it does not run. `refusals` has for each node on which its claims did not fit what the
    allocator said there.
    """

    key: str
    state: PodState
    node: str = ""
    claims: tuple[Json, ...] = ()
    message: str = ""
    refusals: Mapping[str, tuple[str, ...]] | None = None
