"""Fuzzing on dask workers: each generates scenarios and compares two implementations."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice

from hypothesis.errors import HypothesisDeprecationWarning

from dra_conform.adapters.faults import Limits
from dra_conform.adapters.specs import open_implementation
from dra_conform.fuzz.campaign.two_implementations import ComparedScenario, TwoImplementations
from dra_conform.fuzz.comparison.difference import Difference
from dra_conform.fuzz.generation.profile_fields import ProfileFields
from dra_conform.fuzz.generation.strategies import BATCH, batch
from dra_conform.fuzz.scenario import Scenario
from dra_conform.kube.profile import Profile

BATCHES = 4
"""The number of batches in a part, a few seconds of work, for any number of workers."""

OMITTED = Scenario({}, "", ())
"""Placeholder for a scenario without a difference, which is not sent back from the worker."""


@dataclass(frozen=True, slots=True)
class PartOfCampaign:
    """A part of a campaign: `count` scenarios from batch `first` on, generated from `seed` and `features`."""

    specs: tuple[str, str]
    profile: str
    seed: int
    deadline_ms: int
    limits: Limits
    features: frozenset[str]
    first: int
    count: int


def compare_part(part: PartOfCampaign) -> list[ComparedScenario]:
    """Compare two implementations on the scenarios of a part.

    In results without a difference the scenario is OMITTED. Raises CannotStart.
    """
    first, second = (open_implementation(spec, limits=part.limits) for spec in part.specs)
    both = TwoImplementations(
        (first, second), part.specs, profile=part.profile, seed=part.seed, deadline_ms=part.deadline_ms
    )
    fields = ProfileFields.of(Profile.named(part.profile))
    batches = (batch(part.seed, part.first + number, part.features, fields) for number in range(BATCHES))
    # Threads of dask use the random module, for which hypothesis would blame a strategy.
    warnings.filterwarnings("ignore", category=HypothesisDeprecationWarning)
    try:
        both.start()
        compared = both.compare(islice(chain.from_iterable(batches), part.count))
        return [
            result if isinstance(result.comparison, Difference) else replace(result, scenario=OMITTED)
            for result in compared
        ]
    finally:
        both.close()


def parts_of_campaign(whole: PartOfCampaign) -> Iterator[PartOfCampaign]:
    """Split a campaign into parts, in the order of its scenarios."""
    size = BATCHES * BATCH
    for begin in range(0, whole.count, size):
        yield replace(whole, first=begin // BATCH, count=min(size, whole.count - begin))
