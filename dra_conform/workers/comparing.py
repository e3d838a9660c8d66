"""Fuzzing on workers: each generates its scenarios and compares two implementations of its own."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice

from hypothesis.errors import HypothesisDeprecationWarning

from dra_conform.adapters import open_implementation
from dra_conform.adapters.faults import Limits
from dra_conform.fuzz.campaign.two_implementations import ComparedScenario, TwoImplementations
from dra_conform.fuzz.comparison.difference import Difference
from dra_conform.fuzz.generation.profile_fields import ProfileFields
from dra_conform.fuzz.generation.strategies import BATCH, batch
from dra_conform.fuzz.scenario import Scenario
from dra_conform.kube.profile import Profile

BATCHES = 4
"""Batches of scenarios of a part: a few seconds, and the same for any number of workers."""

UNTOLD = Scenario({}, "", ())
"""In place of a scenario that nobody looks at again."""


@dataclass(frozen=True, slots=True)
class PartOfCampaign:
    """The first `count` scenarios from batch `first` on of the stream that `seed` and `features` give."""

    specs: tuple[str, str]
    profile: str
    seed: int
    deadline_ms: int
    limits: Limits
    features: frozenset[str]
    first: int
    count: int


def compare_part(part: PartOfCampaign) -> list[ComparedScenario]:
    """What came of the scenarios of a part; those without a difference are left out, they are `UNTOLD`.

    Raises CannotStart.
    """
    first, second = (open_implementation(spec, limits=part.limits) for spec in part.specs)
    both = TwoImplementations(
        (first, second), part.specs, profile=part.profile, seed=part.seed, deadline_ms=part.deadline_ms
    )
    fields = ProfileFields.of(Profile.named(part.profile))
    batches = (batch(part.seed, part.first + number, part.features, fields) for number in range(BATCHES))
    # dask's threads use the random module meanwhile, which hypothesis takes for a strategy that does
    warnings.filterwarnings("ignore", category=HypothesisDeprecationWarning)
    try:
        both.start()
        compared = both.compare(islice(chain.from_iterable(batches), part.count))
        return [
            one if isinstance(one.comparison, Difference) else replace(one, scenario=UNTOLD)
            for one in compared
        ]
    finally:
        both.close()


def parts_of_campaign(whole: PartOfCampaign) -> Iterator[PartOfCampaign]:
    """The scenarios of a campaign in parts, in their order."""
    size = BATCHES * BATCH
    for begin in range(0, whole.count, size):
        yield replace(whole, first=begin // BATCH, count=min(size, whole.count - begin))
