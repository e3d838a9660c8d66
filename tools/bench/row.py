"""The figure of a benchmark."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A figure of a benchmark in `unit`. `target` is its lower bound, or its upper bound if `at_most`."""

    name: str
    figure: float
    unit: str
    target: float
    at_most: bool = False

    @property
    def met(self) -> bool:
        return self.figure <= self.target if self.at_most else self.figure >= self.target
