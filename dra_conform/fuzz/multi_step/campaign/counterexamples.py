"""The campaign loop for multi-step scenarios: counts differences, and shrinks the first of each signature."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from dra_conform.fuzz.multi_step.campaign.two_clusters import (
    CampaignCoverage,
    ComparedClusterScenario,
    TwoClusters,
)
from dra_conform.fuzz.multi_step.cluster_scenario import ClusterScenario
from dra_conform.fuzz.multi_step.comparison.compared_observations import UnsupportedScenario
from dra_conform.fuzz.multi_step.comparison.known_cluster_differences import why_known
from dra_conform.fuzz.multi_step.comparison.step_difference import StepDifference, StepDifferenceKind
from dra_conform.fuzz.multi_step.shrinking import shrink_scenario


@dataclass(frozen=True, slots=True)
class ScenarioCounterexample:
    """A difference with its smallest scenario. `number` is the number of the original scenario."""

    number: int
    scenario: ClusterScenario
    difference: StepDifference


@dataclass(slots=True)
class ScenarioCounts:
    """Counts of scenarios by result.

    `choices` are differences in which both chose different but valid devices. `known` and `unsupported` are
    counted by reason, and `disagreements` by kind. `not_reproduced` differences were gone when the scenario
    ran again.
    """

    scenarios: int = 0
    agreed: int = 0
    choices: int = 0
    not_reproduced: int = 0
    known: Counter[str] = field(default_factory=Counter)
    unsupported: Counter[str] = field(default_factory=Counter)
    disagreements: Counter[StepDifferenceKind] = field(default_factory=Counter)
    coverage: CampaignCoverage = field(default_factory=CampaignCoverage)


def find_scenario_differences(
    both: TwoClusters,
    compared_scenarios: Iterable[ComparedClusterScenario],
    counts: ScenarioCounts,
    *,
    first: int = 0,
    shrinks: int,
    go_on: Callable[[], bool],
) -> Iterator[ScenarioCounterexample | None]:
    """Yield a counterexample or None for each scenario until `go_on` is false, and update `counts`.

    The first scenario has the number `first`. A difference with a known signature is only counted. `shrinks`
    is the most runs of `both` to shrink a scenario. Raises CannotStart.
    """
    signatures: set[tuple[str, ...]] = set()
    for number, compared in enumerate(compared_scenarios, first):
        counts.scenarios += 1
        counts.coverage.add(compared.coverage)
        difference = _counted(compared, counts)
        if difference is None or difference.signature in signatures:
            yield None
        else:
            signatures.add(difference.signature)
            yield _smallest(both, number, compared.scenario, difference, shrinks)
        if not go_on():
            return


def _counted(compared: ComparedClusterScenario, counts: ScenarioCounts) -> StepDifference | None:
    """Update the counts, and return the first difference that is neither known nor a choice."""
    if isinstance(compared.comparison, UnsupportedScenario):
        counts.unsupported[compared.comparison.reason] += 1
        return None
    counts.not_reproduced += compared.not_reproduced
    unexplained = compared.difference
    for difference in compared.comparison:
        if difference is unexplained:
            counts.disagreements[difference.kind] += 1
            return difference
        if difference.kind is StepDifferenceKind.CHOICE:
            counts.choices += 1
        else:
            counts.known[why_known(difference)] += 1
    counts.agreed += not compared.comparison
    return None


def _smallest(
    both: TwoClusters, number: int, scenario: ClusterScenario, difference: StepDifference, shrinks: int
) -> ScenarioCounterexample:
    def shown(candidate: ClusterScenario) -> StepDifference | None:
        compared = both.compare_one(candidate).comparison
        if isinstance(compared, UnsupportedScenario):
            return None
        return next((other for other in compared if other.signature == difference.signature), None)

    small = shrink_scenario(
        scenario, difference.step, lambda candidate: shown(candidate) is not None, limit=shrinks
    )
    return ScenarioCounterexample(number, small, shown(small) or difference)
