"""Campaigns of allocation scenarios: counts of results, and the smallest scenario of each difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from dra_conform.conformance.case import Objects
from dra_conform.fuzz.campaign.campaign_loop import find_counterexamples
from dra_conform.fuzz.campaign.two_implementations import ComparedScenario, TwoImplementations
from dra_conform.fuzz.comparison.difference import Difference, DifferenceKind, NoComparison
from dra_conform.fuzz.comparison.known_differences import why_allocations_differ
from dra_conform.fuzz.scenario import Scenario
from dra_conform.fuzz.shrinking.shrink import LIMIT, shrink
from dra_conform.kube.profile import Profile

SHRUNK_PER_SIGNATURE = 3
"""The most differences of one signature that are shrunk, because different causes can have one signature."""

FAULT_LIMIT = 150
"""The most runs to shrink a scenario that crashes a process or exceeds its deadline."""


Cause = tuple[tuple[str, ...], frozenset[str], frozenset[str], frozenset[tuple[str, bool]]]


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A difference with its smallest scenario. `number` is the number, from 0, of the original scenario."""

    number: int
    scenario: Scenario
    difference: Difference

    @property
    def cause(self) -> Cause:
        """Return signature, features, fields and gates, which are equal if the root cause is the same."""
        case = self.scenario.case("counterexample")
        kinds = frozenset(_kinds(case.objects))
        gates = frozenset(self.scenario.gates.items())
        return self.difference.signature, case.features, kinds, gates


@dataclass(slots=True)
class CampaignCounts:
    """Counts of scenarios by result. `disagreements` are counted by kind, `known` differences by reason."""

    cases: int = 0
    agreed: int = 0
    choices: int = 0
    unsupported: int = 0
    disagreements: Counter[DifferenceKind] = field(default_factory=Counter)
    known: Counter[str] = field(default_factory=Counter)


def find_differences(
    both: TwoImplementations,
    compared_scenarios: Iterable[ComparedScenario],
    counts: CampaignCounts,
    *,
    strict: bool,
    go_on: Callable[[], bool],
) -> Iterator[Counterexample | None]:
    """Yield a counterexample or None for each scenario until `go_on` is false, and update `counts`.

    Both implementations run many times to shrink a counterexample. A choice is a disagreement only if
    `strict`. A counterexample with a known root cause is only counted. Raises CannotStart if an
    implementation gave up.
    """
    profile = Profile.named(both.profile)

    def counted(compared: ComparedScenario) -> Difference | None:
        comparison = compared.comparison
        counts.cases += 1
        if comparison is None:
            counts.agreed += 1
        elif isinstance(comparison, NoComparison):
            counts.unsupported += 1
        elif comparison.kind is DifferenceKind.CHOICE and not strict:
            counts.choices += 1
        elif why := why_allocations_differ(compared.scenario, profile, comparison):
            counts.known[why] += 1
        else:
            counts.disagreements[comparison.kind] += 1
            return comparison
        return None

    return find_counterexamples(
        compared_scenarios,
        counted,
        lambda number, compared, difference: _smallest(both, number, compared.scenario, difference),
        per_signature=SHRUNK_PER_SIGNATURE,
        go_on=go_on,
    )


def _kinds(objects: Objects) -> Iterator[str]:
    """Yield the collection names of the objects, and the fields of their specs that distinguish causes."""
    for collection, members in objects.items():
        yield collection
        for member in members:
            yield from (f"{collection}: {name}" for name in _fields(member.get("spec")))


def _fields(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            if name in _DISTINGUISHING:
                yield name
            yield from _fields(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _fields(inner)


_DISTINGUISHING = frozenset(
    {
        "adminAccess",
        "firstAvailable",
        "selectors",
        "capacity",
        "constraints",
        "tolerations",
        "config",
        "requestPolicy",
        "validRange",
        "validValues",
        "step",
        "perDeviceNodeSelection",
        "nodeSelector",
    }
)
"""Fields that distinguish causes. Scenarios with equal such fields have most likely one cause."""


def _smallest(
    both: TwoImplementations, number: int, scenario: Scenario, difference: Difference
) -> Counterexample:
    limit = FAULT_LIMIT if difference.kind is DifferenceKind.FAULT else LIMIT
    small = shrink(scenario, lambda candidate: shows(both, candidate, difference), limit=limit)
    comparison = both.compare_one(small)
    return Counterexample(number, small, comparison if isinstance(comparison, Difference) else difference)


def shows(both: TwoImplementations, scenario: Scenario, difference: Difference) -> bool:
    """Whether the answers to a scenario have the difference, in full or in part. Raises CannotStart."""
    comparison = both.compare_one(scenario)
    return isinstance(comparison, Difference) and comparison.shows(difference)
