"""Fuzzing of multi-step scenarios on dask workers, each with two implementations that it starts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dra_conform.adapters.faults import Limits
from dra_conform.adapters.specs import open_implementation
from dra_conform.fuzz.multi_step.cluster_scenario import ClusterScenario
from dra_conform.fuzz.multi_step.compared_observations import UnsupportedScenario
from dra_conform.fuzz.multi_step.sorts import scenarios_of
from dra_conform.fuzz.multi_step.two_clusters import ComparedClusterScenario, TwoClusters

SCENARIOS = 100
"""The number of scenarios in a part, about a minute of a real control plane."""

OMITTED = ClusterScenario({}, ())
"""Placeholder for a scenario without a difference, which is not sent back from the worker."""


@dataclass(frozen=True, slots=True)
class PartOfScenarios:
    """A part of a campaign: `count` scenarios from number `first` on.

    They are generated from `sort`, `seed` and the first of the two profiles.
    """

    specs: tuple[str, str]
    profiles: tuple[str, str]
    sort: str
    seed: int
    deadline_ms: int
    side_by_side: int
    first: int
    count: int


def clusters_of(part: PartOfScenarios) -> TwoClusters:
    """Return the two implementations that run the scenarios, not started yet; raises BadSpec."""
    first, second = (
        open_implementation(spec, limits=Limits(), side_by_side=part.side_by_side) for spec in part.specs
    )
    return TwoClusters(
        (first, second),
        part.specs,
        part.profiles,
        seed=part.seed,
        deadline_ms=part.deadline_ms,
    )


def compare_scenarios(part: PartOfScenarios, both: TwoClusters) -> Iterator[ComparedClusterScenario]:
    """Run the scenarios of a part on both implementations and compare them; raises CannotStart."""
    numbers = range(part.first, part.first + part.count)
    return both.compare(scenarios_of(part.sort, numbers, part.seed, part.profiles[0]), part.first)


def run_part(part: PartOfScenarios) -> list[ComparedClusterScenario]:
    """Compare two implementations on the scenarios of a part.

    In results without a difference the scenario is OMITTED. Raises CannotStart.
    """
    both = clusters_of(part)
    try:
        compared = compare_scenarios(part, both)
        return [result if _differs(result) else replace(result, scenario=OMITTED) for result in compared]
    finally:
        both.close()


def parts_of_scenarios(whole: PartOfScenarios) -> Iterator[PartOfScenarios]:
    """Split a campaign into parts, in the order of its scenarios."""
    for begin in range(0, whole.count, SCENARIOS):
        yield replace(whole, first=whole.first + begin, count=min(SCENARIOS, whole.count - begin))


def _differs(compared: ComparedClusterScenario) -> bool:
    return not isinstance(compared.comparison, UnsupportedScenario) and bool(compared.comparison)
