"""Scenarios as a hypothesis strategy, and many of them from a seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from dra_conform.fuzz.generation.chance import T
from dra_conform.fuzz.generation.profile_fields import IN_EVERY_PROFILE, ProfileFields
from dra_conform.fuzz.generation.random_scenario import random_scenario
from dra_conform.fuzz.scenario import Scenario

AGAIN = 25
"""Of so many scenarios one is put a second time, and one more renamed."""
BATCH = 250
"""So many scenarios one hypothesis run gives quickly."""
CHOICES_AT_ONCE = 128
"""Choices drawn at once; nine scenarios in ten need no more."""


@st.composite
def scenarios(
    draw: st.DrawFn, features: frozenset[str], profile_fields: ProfileFields = IN_EVERY_PROFILE
) -> Scenario:
    """Scenarios of these features, for `given`; `shrinking.shrink` makes them smaller than hypothesis can.

    One byte is one choice, and many are drawn at once: to draw a value takes hypothesis longer than to build
    a part of a scenario.
    """
    return random_scenario(_DrawnBytes(draw), features, profile_fields)


class _DrawnBytes:
    """A `Choose` that reads drawn bytes one by one."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw
        self._left = iter(b"")

    def __call__(self, options: Sequence[T], /) -> T:
        byte = next(self._left, None)
        if byte is None:
            self._left = iter(self._draw(_BYTES))
            byte = next(self._left)
        return options[byte * len(options) >> 8]


_BYTES = st.binary(min_size=CHOICES_AT_ONCE, max_size=CHOICES_AT_ONCE)


def stream(
    start: int, features: frozenset[str], profile_fields: ProfileFields = IN_EVERY_PROFILE
) -> Iterator[Scenario]:
    """Scenarios without end; equal seeds (`start`), features and fields give equal scenarios.

    Now and then one comes again, as it is or with devices and claims under other names: what an
    implementation keeps of a question must not show in the next.
    """
    number = 0
    while True:
        yield from batch(start, number, features, profile_fields)
        number += 1


def batch(start: int, number: int, features: frozenset[str], profile_fields: ProfileFields) -> list[Scenario]:
    """`BATCH` scenarios, those of batch `number` of the stream; no database, no shrinking, no deadline."""
    made: list[Scenario] = []
    name, made_of = f"{start}/{number}", scenarios(features, profile_fields)

    def take(one: Scenario) -> None:
        made.append(one)

    run: Callable[[], None] = seed(name)(
        settings(
            database=None,
            deadline=None,
            max_examples=BATCH,
            phases=(Phase.generate,),
            suppress_health_check=tuple(HealthCheck),
        )(given(made_of)(take))
    )
    run()
    for place in range(0, len(made) - 3, AGAIN):
        made[place + 1] = made[place]
        made[place + 3] = made[place + 2].renamed()
    return made
