"""Injected failures of components' writes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Json = Any

ANSWER_LOST = "Timeout"
"""The reason for a write that takes effect although its answer is lost."""


@dataclass(slots=True)
class _Failure:
    times: int
    verb: str
    kind: str
    subresource: str
    reason: str


class WriteFailures:
    """Failures that a scenario injects; each applies to a number of matching writes, the oldest first."""

    def __init__(self) -> None:
        self._due: list[_Failure] = []
        self.happened = 0
        """The number of writes that have failed."""

    def add(self, action: Json) -> None:
        """Add the failure of a scenario's action `fail`."""
        subresource = action.get("subresource", "")
        self._due.append(
            _Failure(action["times"], action["verb"], action["kind"], subresource, action["reason"])
        )

    def next(self, verb: str, kind: str, subresource: str = "") -> str:
        """Return the reason why this write fails, empty if it does not, and count the failure."""
        for failure in self._due:
            if failure.times and (failure.verb, failure.kind, failure.subresource) == (
                verb,
                kind,
                subresource,
            ):
                failure.times -= 1
                self.happened += 1
                return failure.reason
        return ""
