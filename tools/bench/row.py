"""One figure of a benchmark."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """`figure` in `unit`; `target` is what the design promises, `at_most` says it is an upper bound."""

    name: str
    figure: float
    unit: str
    target: float
    at_most: bool = False

    @property
    def met(self) -> bool:
        return self.figure <= self.target if self.at_most else self.figure >= self.target
