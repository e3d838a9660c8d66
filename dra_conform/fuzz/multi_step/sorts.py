"""The types of random multi-step scenarios: writes, pods and evictions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from dra_conform.fuzz.multi_step.cluster_scenario import ClusterScenario
from dra_conform.fuzz.multi_step.eviction_scenarios import eviction_scenario
from dra_conform.fuzz.multi_step.pod_scenarios import pod_scenario
from dra_conform.fuzz.multi_step.write_scenarios import write_scenario
from dra_conform.kube.profile import Profile

_MADE: Mapping[str, Callable[[int, int, Profile], ClusterScenario]] = {
    "writes": write_scenario,
    "pods": pod_scenario,
    "evictions": eviction_scenario,
}

SORTS = tuple(_MADE)


def scenarios_of(sort: str, numbers: Iterable[int], seed: int, profile: str) -> Iterator[ClusterScenario]:
    """Generate the scenarios with these numbers; each depends only on sort, number, seed and profile."""
    generate = _MADE[sort]
    return (generate(number, seed, Profile.named(profile)) for number in numbers)
