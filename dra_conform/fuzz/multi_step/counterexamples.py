"""Campaigns of multi-step scenarios: counts of results, and the smallest scenario of each difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

import msgspec

from dra_conform.fuzz.campaign.campaign_loop import find_counterexamples
from dra_conform.fuzz.multi_step.cluster_scenario import ClusterScenario
from dra_conform.fuzz.multi_step.compared_observations import UnsupportedScenario
from dra_conform.fuzz.multi_step.known_cluster_differences import why_known
from dra_conform.fuzz.multi_step.step_difference import StepDifference, StepDifferenceKind
from dra_conform.fuzz.multi_step.two_clusters import (
    CampaignCoverage,
    ComparedClusterScenario,
    TwoClusters,
)
from dra_conform.fuzz.shrinking.removals import FieldPath, value_at
from dra_conform.fuzz.shrinking.shrink import smallest
from dra_conform.kube.json_values import Json

LIMIT = 120
"""The most runs of both implementations to shrink one scenario."""

_KEPT = frozenset(
    {"apiVersion", "kind", "name", "namespace", "metadata", "do", "of", "object", "spec", "groups"}
)
"""Fields that are not removed: an action needs them, or they identify the object."""


def shrink_scenario(
    scenario: ClusterScenario, step: int, shows: Callable[[ClusterScenario], bool], *, limit: int = LIMIT
) -> ClusterScenario:
    """Simplify a scenario as long as `shows` stays true, until nothing is left to simplify or after `limit`
    runs.

    Actions after the index `step` are removed first.
    """
    if limit and step + 1 < len(scenario.actions):
        cut = replace(scenario, actions=scenario.actions[: step + 1])
        limit -= 1
        scenario = cut if shows(cut) else scenario
    return smallest(scenario, _simpler, shows, limit=limit)


def _simpler(scenario: ClusterScenario) -> Iterator[ClusterScenario]:
    """Yield scenarios without one part: all gates, an action, an object, a gate, a field or a list item."""
    if len(scenario.gates) > 1:
        yield replace(scenario, gates={})
    for place in reversed(range(len(scenario.actions) - 1)):
        yield replace(scenario, actions=(*scenario.actions[:place], *scenario.actions[place + 1 :]))
    for name, several in scenario.objects.items():
        for place in range(len(several)):
            left = (*several[:place], *several[place + 1 :])
            objects = {**scenario.objects, name: left}
            yield replace(scenario, objects={kind: some for kind, some in objects.items() if some})
    for gate in scenario.gates:
        yield replace(scenario, gates={name: on for name, on in scenario.gates.items() if name != gate})
    yield from _without_fields(scenario)


def _without_fields(scenario: ClusterScenario) -> Iterator[ClusterScenario]:
    whole = {"objects": scenario.objects, "actions": list(scenario.actions)}
    text = msgspec.json.encode(whole)
    for path in list(_removable(msgspec.json.decode(text), ())):
        copy = msgspec.json.decode(text)
        del value_at(copy, path[:-1])[path[-1]]
        objects = {name: tuple(several) for name, several in copy["objects"].items()}
        yield replace(scenario, objects=objects, actions=tuple(copy["actions"]))


def _removable(value: Json, path: FieldPath) -> Iterator[FieldPath]:
    """Yield the paths of removable fields and list items, outer before inner."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if len(path) > 2 and name not in _KEPT:
                yield (*path, name)
            if name != "of":
                yield from _removable(inner, (*path, name))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            if len(path) > 2 and len(value) <= 40:
                yield (*path, place)
            yield from _removable(inner, (*path, place))


@dataclass(frozen=True, slots=True)
class ScenarioCounterexample:
    """A difference with its smallest scenario. `number` is the number of the original scenario."""

    number: int
    scenario: ClusterScenario
    difference: StepDifference

    @property
    def cause(self) -> tuple[str, ...]:
        """The signature, since only one difference of each signature is shrunk."""
        return self.difference.signature


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
    shrinks: int,
    go_on: Callable[[], bool],
) -> Iterator[ScenarioCounterexample | None]:
    """Yield a counterexample or None for each scenario until `go_on` is false, and update `counts`.

    A difference with a known signature is only counted. `shrinks` is the most runs of `both` to shrink a
    scenario. Raises CannotStart.
    """
    return find_counterexamples(
        compared_scenarios,
        lambda compared: _counted(compared, counts),
        lambda _, compared, difference: _smallest(both, compared, difference, shrinks),
        per_signature=1,
        go_on=go_on,
    )


def _counted(compared: ComparedClusterScenario, counts: ScenarioCounts) -> StepDifference | None:
    """Update the counts, and return the first difference that is neither known nor a choice."""
    counts.scenarios += 1
    counts.coverage.add(compared.coverage)
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
    both: TwoClusters, compared: ComparedClusterScenario, difference: StepDifference, shrinks: int
) -> ScenarioCounterexample:
    def shown(candidate: ClusterScenario) -> StepDifference | None:
        comparison = both.compare_one(candidate).comparison
        if isinstance(comparison, UnsupportedScenario):
            return None
        return next((other for other in comparison if other.signature == difference.signature), None)

    small = shrink_scenario(
        compared.scenario, difference.step, lambda candidate: shown(candidate) is not None, limit=shrinks
    )
    return ScenarioCounterexample(compared.number, small, shown(small) or difference)
