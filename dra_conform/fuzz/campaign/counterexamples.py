"""The campaign loop: counts differences, and shrinks the first counterexample of each sort."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from dra_conform.conformance.case import Objects
from dra_conform.fuzz.campaign.two_implementations import ComparedScenario, TwoImplementations
from dra_conform.fuzz.comparison.difference import Difference, DifferenceKind, NoComparison
from dra_conform.fuzz.comparison.known_differences import why_allocations_differ
from dra_conform.fuzz.scenario import Scenario
from dra_conform.fuzz.shrinking.shrink import LIMIT, shrink
from dra_conform.kube.profile import Profile

PER_SORT = 3
"""So many differences of one signature are made small; different causes can look alike."""

FAULTS = 150
"""How often at most a scenario is asked that crashes a process or runs into its deadline."""


Cause = tuple[tuple[str, ...], frozenset[str], frozenset[str], frozenset[tuple[str, bool]]]


@dataclass(frozen=True, slots=True)
class Find:
    """A difference in its smallest scenario; `number` counts, from 0, the scenario in which it was met."""

    number: int
    scenario: Scenario
    difference: Difference

    @property
    def cause(self) -> Cause:
        """What finds of one root cause share: how they differ, and what the smallest scenario is made of."""
        case = self.scenario.case("find")
        kinds = frozenset(_kinds(case.objects))
        gates = frozenset(self.scenario.gates.items())
        return self.difference.signature, case.features, kinds, gates


@dataclass(slots=True)
class CampaignCounts:
    """How many scenarios ended in what so far; `disagreements` by kind, `known` differences by reason."""

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
) -> Iterator[Find | None]:
    """One item for each scenario, a find or None, until `go_on` is false; `counts` is kept up to date.

    `both` are asked again and again to make a find small.
    A choice is a disagreement only if `strict`. Finds whose root cause was found before are only counted.
    Raises CannotStart where an implementation has given up.
    """
    profile = Profile.named(both.profile)
    sorts: Counter[tuple[str, ...]] = Counter()
    known: set[Cause] = set()
    for number, compared in enumerate(compared_scenarios):
        counts.cases += 1
        comparison = compared.comparison
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
            sorts[comparison.signature] += 1
            if sorts[comparison.signature] <= PER_SORT:
                find = _smallest(both, number, compared.scenario, comparison)
                if find.cause not in known:
                    known.add(find.cause)
                    yield find
                    continue
        yield None
        if not go_on():
            return


def _kinds(objects: Objects) -> Iterator[str]:
    """The collections of the objects, and which telling fields their specs have."""
    for collection, members in objects.items():
        yield collection
        for one in members:
            yield from (f"{collection}: {name}" for name in _fields(one.get("spec")))


def _fields(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            if name in _TELLING:
                yield name
            yield from _fields(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _fields(inner)


_TELLING = frozenset(
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
"""Fields that tell causes apart; two scenarios that are alike in them have most likely one."""


def _smallest(both: TwoImplementations, number: int, scenario: Scenario, difference: Difference) -> Find:
    limit = FAULTS if difference.kind is DifferenceKind.FAULT else LIMIT
    small = shrink(scenario, lambda candidate: shows(both, candidate, difference), limit=limit)
    found = both.compare_one(small)
    return Find(number, small, found if isinstance(found, Difference) else difference)


def shows(both: TwoImplementations, scenario: Scenario, difference: Difference) -> bool:
    """Whether the scenario shows the difference, or a part of it; raises CannotStart."""
    found = both.compare_one(scenario)
    return isinstance(found, Difference) and found.shows(difference)
