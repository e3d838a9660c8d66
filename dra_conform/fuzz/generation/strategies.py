"""Scenarios as a hypothesis strategy, and a stream of scenarios from a seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from dra_conform.fuzz.generation.chance import T
from dra_conform.fuzz.generation.profile_fields import IN_EVERY_PROFILE, ProfileFields
from dra_conform.fuzz.generation.random_scenario import random_scenario
from dra_conform.fuzz.scenario import Scenario

REPEAT_EVERY = 25
"""Of this many scenarios, one is repeated unchanged and one is repeated with other names."""
BATCH = 250
"""The number of scenarios of one hypothesis run."""
CHOICES_AT_ONCE = 128
"""The number of choices drawn at once, enough for nine of ten scenarios."""


@st.composite
def scenarios(
    draw: st.DrawFn, features: frozenset[str], profile_fields: ProfileFields = IN_EVERY_PROFILE
) -> Scenario:
    """Draw a scenario with these features. `shrinking.shrink` shrinks better than hypothesis.

    One byte is one choice. Many bytes are drawn at once, because hypothesis needs more time to draw a value
    than this module needs to use it.
    """
    return random_scenario(_DrawnBytes(draw), features, profile_fields)


class _DrawnBytes:
    """A `Choose` function that uses one drawn byte for each choice."""

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
    """Yield an endless stream of scenarios; equal seeds (`start`), features and fields give equal scenarios.

    Some scenarios are repeated, unchanged or with other names of devices and claims. This finds
    implementations that keep state between requests.
    """
    number = 0
    while True:
        yield from batch(start, number, features, profile_fields)
        number += 1


def batch(start: int, number: int, features: frozenset[str], profile_fields: ProfileFields) -> list[Scenario]:
    """Return the `BATCH` scenarios of batch `number` of the stream."""
    generated: list[Scenario] = []
    name, made_of = f"{start}/{number}", scenarios(features, profile_fields)

    def take(scenario: Scenario) -> None:
        generated.append(scenario)

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
    for place in range(0, len(generated) - 3, REPEAT_EVERY):
        generated[place + 1] = generated[place]
        generated[place + 3] = generated[place + 2].renamed()
    return generated
