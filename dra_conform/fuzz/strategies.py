"""Scenarios as a hypothesis strategy, and many of them from a seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from dra_conform.fuzz.generate import scenario
from dra_conform.fuzz.scenario import Scenario, T

BATCH = 250
LENGTH = 256
"""Choices of a scenario; more of them are the first option each."""


def scenarios(features: frozenset[str]) -> st.SearchStrategy[Scenario]:
    """Scenarios of these features, for `given`; `shrink.shrink` makes them smaller than hypothesis can.

    One byte is one choice: to draw a value takes hypothesis longer than to build a part of a scenario.
    """
    return st.binary(min_size=LENGTH, max_size=LENGTH).map(lambda drawn: scenario(_choices(drawn), features))


class _choices:  # noqa: N801 - used as the function it stands for
    """A `Choose` that reads the bytes one by one."""

    def __init__(self, drawn: bytes) -> None:
        self._left = iter(drawn)

    def __call__(self, options: Sequence[T], /) -> T:
        return options[next(self._left, 0) * len(options) >> 8]


def stream(start: int, features: frozenset[str]) -> Iterator[Scenario]:
    """Scenarios without end: equal seeds, equal scenarios."""
    number = 0
    while True:
        yield from _batch(f"{start}/{number}", features)
        number += 1


def _batch(name: str, features: frozenset[str]) -> list[Scenario]:
    """As many scenarios as one hypothesis run gives quickly; no database, no shrinking, no deadline."""
    made: list[Scenario] = []

    def take(one: Scenario) -> None:
        made.append(one)

    run: Callable[[], None] = seed(name)(
        settings(
            database=None,
            deadline=None,
            max_examples=BATCH,
            phases=(Phase.generate,),
            suppress_health_check=tuple(HealthCheck),
        )(given(scenarios(features))(take))
    )
    run()
    return made
