"""The sorts of random scenarios."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from dra_conform.fuzz.multi_step.cluster_scenario import RandomStory
from dra_conform.fuzz.multi_step.generation.eviction_scenarios import eviction_story
from dra_conform.fuzz.multi_step.generation.pod_scenarios import pod_story
from dra_conform.fuzz.multi_step.generation.write_scenarios import written_story
from dra_conform.kube.profile import Profile

_MADE: Mapping[str, Callable[[int, int, Profile], RandomStory]] = {
    "writes": written_story,
    "pods": pod_story,
    "evictions": eviction_story,
}

SORTS = tuple(_MADE)


def stories_of(sort: str, numbers: Iterable[int], seed: int, profile: str) -> Iterator[RandomStory]:
    """The stories with these numbers; each depends on sort, number, seed and profile alone."""
    made = _MADE[sort]
    return (made(number, seed, Profile.named(profile)) for number in numbers)
