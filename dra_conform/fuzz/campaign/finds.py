"""The hunt: scenarios to both, differences counted, the first of each sort made small."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from dra_conform.fuzz.campaign.two_implementations import Pair
from dra_conform.fuzz.comparison.replies import UNSUPPORTED, Difference, Kind
from dra_conform.fuzz.scenario import Scenario
from dra_conform.fuzz.shrinking.shrink import LIMIT, shrink

PER_SORT = 3
"""So many differences of one sort are made small; different causes can look alike."""

FAULTS = 150
"""How often at most a scenario is asked that crashes a process or runs into its deadline."""


@dataclass(frozen=True, slots=True)
class Find:
    """A difference in its smallest scenario; `number` is the scenario in which it was met."""

    number: int
    scenario: Scenario
    difference: Difference


@dataclass(slots=True)
class Tally:
    """What has been counted so far; `disagreements` by kind."""

    cases: int = 0
    agreed: int = 0
    choices: int = 0
    unsupported: int = 0
    disagreements: Counter[Kind] = field(default_factory=Counter)


def hunt(
    pair: Pair, scenarios: Iterable[Scenario], tally: Tally, *, strict: bool, go_on: Callable[[], bool]
) -> Iterator[Find | None]:
    """One item for each scenario: a find, or None. A choice is a disagreement only if `strict`.

    Finds whose smallest scenario was found before are only counted. Raises CannotStart where an
    implementation has given up.
    """
    sorts: Counter[tuple[str, ...]] = Counter()
    known: list[Scenario] = []
    for number, compared in enumerate(pair.compare(scenarios)):
        tally.cases += 1
        difference = compared.difference
        if difference is None:
            tally.agreed += 1
        elif difference is UNSUPPORTED or not isinstance(difference, Difference):
            tally.unsupported += 1
        elif difference.kind is Kind.CHOICE and not strict:
            tally.choices += 1
        else:
            tally.disagreements[difference.kind] += 1
            sorts[difference.signature] += 1
            if sorts[difference.signature] <= PER_SORT:
                find = _smallest(pair, number, compared.scenario, difference)
                if find.scenario not in known:
                    known.append(find.scenario)
                    yield find
                    continue
        yield None
        if not go_on():
            return


def _smallest(pair: Pair, number: int, scenario: Scenario, difference: Difference) -> Find:
    limit = FAULTS if difference.kind is Kind.FAULT else LIMIT
    small = shrink(scenario, lambda candidate: shows(pair, candidate, difference), limit=limit)
    found = pair.compare_one(small)
    return Find(number, small, found if isinstance(found, Difference) else difference)


def shows(pair: Pair, scenario: Scenario, difference: Difference) -> bool:
    """Whether the scenario shows the difference, or a part of it."""
    found = pair.compare_one(scenario)
    return isinstance(found, Difference) and found.shows(difference)
