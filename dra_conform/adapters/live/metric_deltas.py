"""The differences of component metrics between two points in time."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

Json = Any
_Series = tuple[str, tuple[tuple[str, str], ...]]
"""A name with its labels."""

_LINE = re.compile(r"([a-zA-Z_:]+)(?:\{(.*)\})? ([0-9.e+]+)")
_LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
_TOLD = ("scheduler_resourceclaim_", "resourceclaim_controller_", "dynamic_resource_allocation_")
"""What the names of metrics about claims begin with; others are not told."""
_STARTED = "process_start_time_seconds"
_MADE = ("resourceclaim_controller_creates_total", "dynamic_resource_allocation_resourceclaim_creates_total")
"""In these the claim of a canary counts."""


class MetricsGrowth:
    """Each look is compared with the one before, component by component.

    `read` gives what each component tells, as Prometheus reads it; `canaries`, how many canaries were sent: a
    claim was made for each, which is none of the story's.
    """

    def __init__(self, read: Callable[[], Mapping[str, str]], canaries: Callable[[], int]) -> None:
        self._read = read
        self._canaries = canaries
        self._before = self._now()
        self._sent = canaries()

    def look(self) -> list[dict[str, Json]]:
        """The growth of each series that has grown or shrunk, all components together."""
        before, self._before = self._before, self._now()
        sent, self._sent = self._sent, self._canaries()
        grown: Counter[_Series] = Counter()
        for component, now in self._before.items():
            for one, growth in _growth(before.get(component, {}), now).items():
                grown[one] += growth
        return [
            {"name": name, "labels": dict(labels), "growth": rest}
            for (name, labels), growth in sorted(grown.items())
            if (rest := growth - (self._sent - sent if _counts_canaries(name, labels) else 0))
        ]

    def _now(self) -> dict[str, Mapping[_Series, int]]:
        return {component: series_in(text) for component, text in self._read().items()}


def series_in(text: str) -> Mapping[_Series, int]:
    """The series about claims in what a component tells, and when it was started."""
    found: dict[_Series, int] = {}
    for line in text.splitlines():
        match = _LINE.fullmatch(line)
        if match and match[1].startswith((*_TOLD, _STARTED)):
            labels = tuple(sorted(_LABEL.findall(match[2] or "")))
            if not _of_a_canary(labels):
                found[match[1], labels] = int(float(match[3]))
    return found


def _growth(before: Mapping[_Series, int], now: Mapping[_Series, int]) -> dict[_Series, int]:
    """A component that was restarted begins to count at 0; what there is it tells as before."""
    restarted = before.get((_STARTED, ())) != now.get((_STARTED, ()))
    return {
        one: now.get(one, 0) - (0 if restarted and one[0].endswith("_total") else before.get(one, 0))
        for one in {**before, **now}
        if one[0] != _STARTED
    }


def _of_a_canary(labels: tuple[tuple[str, str], ...]) -> bool:
    """Whether these claims may be those of canaries: made from a template and never allocated."""
    return {("source", "resource_claim_template"), ("allocated", "false")} <= set(labels)


def _counts_canaries(name: str, labels: tuple[tuple[str, str], ...]) -> bool:
    return name in _MADE and {("status", "success"), ("admin_access", "false")} <= set(labels)
