"""The levels of a run: the cases that an implementation begins with, more of them, or all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dra_conform.conformance.case import Case
from dra_conform.conformance.features import GATES
from dra_conform.conformance.requirement import MUST

CORE, EXTENDED, ALL = LEVELS = ("core", "extended", "all")
"""`core`: what every implementation must do, each scenario with the first row of its table. `extended`: all
MUST requirements, with all features. `all`: also SHOULD and MAY, and objects that no API server stores."""


def at_level(cases: Sequence[Case], level: str) -> list[Case]:
    """Return the cases of a level, in their order."""
    if level == ALL:
        return list(cases)
    required = (case for case in cases if case.level == MUST and not case.not_admitted)
    return list(required if level == EXTENDED else _first_rows(required))


def _first_rows(cases: Iterator[Case]) -> Iterator[Case]:
    """Yield the cases without features that need a gate and without changed gates, one of each scenario."""
    seen: set[str] = set()
    for case in cases:
        scenario = case.id.partition("[")[0]
        if scenario not in seen and not case.gates and not case.features & GATES.keys():
            seen.add(scenario)
            yield case
