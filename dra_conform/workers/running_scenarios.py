"""Fuzzing of multi-step scenarios on workers, each with two implementations of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dra_conform.adapters import open_implementation
from dra_conform.adapters.faults import Limits
from dra_conform.fuzz.multi_step.campaign.two_clusters import ComparedClusterScenario, TwoClusters
from dra_conform.fuzz.multi_step.cluster_scenario import ClusterScenario
from dra_conform.fuzz.multi_step.comparison.compared_observations import UnsupportedScenario
from dra_conform.fuzz.multi_step.generation.sorts import scenarios_of

STORIES = 100
"""Stories of a part, the same for any number of workers: a minute or so of a real control plane."""

UNSENT = ClusterScenario({}, ())
"""In place of a story that nobody looks at again."""


@dataclass(frozen=True, slots=True)
class PartOfStories:
    """The `count` stories from number `first` on of those that `sort`, `seed` and the first profile give."""

    specs: tuple[str, str]
    profiles: tuple[str, str]
    sort: str
    seed: int
    deadline_ms: int
    side_by_side: int
    first: int
    count: int


def tellers(part: PartOfStories) -> TwoClusters:
    """The two that are told the stories, not started yet; raises BadSpec."""
    first, second = (
        open_implementation(spec, limits=Limits(), side_by_side=part.side_by_side) for spec in part.specs
    )
    return TwoClusters(
        (first, second),
        part.specs,
        part.profiles,
        seed=part.seed,
        deadline_ms=part.deadline_ms,
        side_by_side=part.side_by_side,
    )


def tell(part: PartOfStories, both: TwoClusters) -> Iterator[ComparedClusterScenario]:
    """Tell both the stories of a part; raises CannotStart."""
    numbers = range(part.first, part.first + part.count)
    return both.compare(scenarios_of(part.sort, numbers, part.seed, part.profiles[0]))


def tell_part(part: PartOfStories) -> list[ComparedClusterScenario]:
    """What came of the stories of a part; those without a difference are left out, they are `UNSENT`.

    Raises CannotStart.
    """
    both = tellers(part)
    try:
        return [one if _differs(one) else replace(one, scenario=UNSENT) for one in tell(part, both)]
    finally:
        both.close()


def parts_of_stories(whole: PartOfStories) -> Iterator[PartOfStories]:
    """The stories of a campaign in parts, in their order."""
    for begin in range(0, whole.count, STORIES):
        yield replace(whole, first=whole.first + begin, count=min(STORIES, whole.count - begin))


def _differs(compared: ComparedClusterScenario) -> bool:
    return not isinstance(compared.comparison, UnsupportedScenario) and bool(compared.comparison)
