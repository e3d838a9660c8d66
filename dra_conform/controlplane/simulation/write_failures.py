"""Writes of components that a scenario makes fail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Json = Any

ANSWER_LOST = "Timeout"
"""The reason of a write that is made, and of which its writer does not hear."""


@dataclass(slots=True)
class _Failure:
    times: int
    verb: str
    kind: str
    subresource: str
    reason: str


class WriteFailures:
    """Each failure holds for the next so many writes that it describes, the oldest failure first."""

    def __init__(self) -> None:
        self._due: list[_Failure] = []
        self.happened = 0
        """How many writes have failed so."""

    def add(self, action: Json) -> None:
        """From the action `fail` of a story."""
        subresource = action.get("subresource", "")
        self._due.append(
            _Failure(action["times"], action["verb"], action["kind"], subresource, action["reason"])
        )

    def next(self, verb: str, kind: str, subresource: str = "") -> str:
        """The reason why this write fails, empty if it does not."""
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
