"""Allocators that are faulty only sometimes: at a size, a value, an interaction of features, or by chance.

Each answers as the textbook, or under its condition allocates nothing or answers as a faulty allocator.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, count
from typing import Any

from dra_conform.kube.json_values import Json
from tests.faulty.changed_builtin.request_facts import amounts, facts
from tests.faulty.implementations import allocators
from tests.faulty.implementations.conditional_faults import forgetful
from tests.reference.textbook import Textbook


@dataclass(frozen=True, slots=True)
class FaultyWrapper:
    """Textbook allocator, replaced by `other` for the objects and requests that satisfy `when`."""

    name: str
    when: Callable[[Json, Json], bool]
    other: type[Textbook]


class AllocatesNothing(Textbook):
    def allocate(self, objects: Json, ask: Json, profile: Any) -> Json:
        return {"outcome": "unallocatable"}


SIZES = {
    "devices": (1, 2, 3, 4, 6, 8, 11, 16, 32, 64, 99),
    "slices": (1, 2, 3, 4),
    "pools": (1, 2, 3),
    "nodes": (1, 2),
    "claims": (1, 2, 3, 5),
    "requests": (1, 2, 3, 5, 7, 8, 31),
    "subrequests": (1, 2, 3),
    "count": (1, 2, 3, 7, 31),
    "constraints": (1, 2),
    "selectors": (1, 2),
    "tolerations": (1, 2, 3, 15),
    "taints of a device": (1, 2, 3, 15),
    "capacities of a device": (1, 2, 3, 8),
    "amounts of a request": (1, 2),
    "attributes of a device": (1, 2),
    "sets of a device": (1,),
    "counters of a device": (1, 2, 4, 5),
    "counter sets": (1, 2),
    "held claims": (1, 2, 4, 5, 7),
    "held shares": (1, 2, 5),
    "rules": (1,),
    "claim configurations": (1,),
}
VALUES = (
    "0",
    "1",
    "2",
    "3",
    "5",
    "9",
    "1500m",
    "1Gi",
    "10E",
    "18446744073709551616",
    "1n",
    "1073741823999999999n",
)
FEATURES = (
    "admin access",
    "all",
    "lists",
    "shared devices",
    "policies",
    "partitions",
    "grouped devices",
    "tainted devices",
    "rules",
    "matching constraints",
    "distinct constraints",
    "binding devices",
    "list attributes",
    "held shares",
    "claim configurations",
)


def _more_than(name: str, number: int) -> Callable[[Json, Json], bool]:
    return lambda objects, ask: facts(objects, ask)[name] > number


def _asks_for(value: str) -> Callable[[Json, Json], bool]:
    return lambda objects, ask: value in amounts(objects, ask)


def _both(feature: str, other: str) -> Callable[[Json, Json], bool]:
    def interact(objects: Json, ask: Json) -> bool:
        facts_of_request = facts(objects, ask)
        return bool(facts_of_request[feature] and facts_of_request[other])

    return interact


def _by_turns(number: int) -> Callable[[Json, Json], bool]:
    turns = count(1)
    return lambda objects, ask: next(turns) % number == 0


def _by_chance(number: int) -> Callable[[Json, Json], bool]:
    """Return a predicate that is random but equal for equal requests."""
    return lambda objects, ask: random.Random(repr((objects, ask, number))).randrange(number) == 0


TURNS = (2, 3, 7, 40, 100, 300)
MISTAKES = (
    AllocatesNothing,
    allocators.ForgetsDefault,
    allocators.IgnoresTaints,
    allocators.AllocatesFewerThanTheCount,
    allocators.SharesExclusive,
)

FAULTY_ABOVE = {
    allocators.ForgetsDefault: ("policies", 1),
    allocators.ComparesWithTotal: ("held shares", 1),
    allocators.ForgetsHeldCounters: ("partitions", 2),
    allocators.ForgetsCountersOfTheCall: ("claims", 1),
    allocators.MixesCounterSets: ("counter sets", 1),
    allocators.IgnoresDistinct: ("requests", 2),
    allocators.MatchesPairs: ("list attributes", 2),
    allocators.IgnoresGroups: ("grouped devices", 2),
    allocators.ComparesWithTheLatest: ("grouped devices", 2),
    allocators.IgnoresTaints: ("tolerations", 0),
    allocators.OneTolerationForAllTaints: ("taints of a device", 1),
    allocators.AdminAccessConsumes: ("claims", 1),
    allocators.MixesSubrequests: ("subrequests", 1),
    allocators.NeverBacktracksSubrequests: ("requests", 1),
    allocators.UsesObsoleteGenerations: ("slices", 1),
    allocators.UsesIncompletePools: ("slices", 1),
    allocators.IgnoresNodes: ("devices", 1),
    allocators.AllocatesFewerThanTheCount: ("count", 2),
    allocators.OneSelectorSuffices: ("selectors", 2),
    allocators.SharesExclusive: ("held claims", 1),
}


def wrappers() -> Iterator[FaultyWrapper]:
    """Yield all wrappers, by family."""
    for name, numbers in SIZES.items():
        for number in numbers:
            yield FaultyWrapper(
                f"allocates nothing with more than {number} {name}",
                _more_than(name, number),
                AllocatesNothing,
            )
    for value in VALUES:
        yield FaultyWrapper(f"allocates nothing if {value} is requested", _asks_for(value), AllocatesNothing)
    for feature, other in combinations(FEATURES, 2):
        yield FaultyWrapper(
            f"allocates nothing for {feature} together with {other}", _both(feature, other), AllocatesNothing
        )
    for mistake in MISTAKES:
        for number in TURNS if mistake is AllocatesNothing else TURNS[:3]:
            how = "allocates nothing" if mistake is AllocatesNothing else f"is {mistake.__name__}"
            yield FaultyWrapper(f"{how} every {number} requests", _by_turns(number), mistake)
            yield FaultyWrapper(f"{how} at random once in {number}", _by_chance(number), mistake)
    for allocator, (name, number) in FAULTY_ABOVE.items():
        yield FaultyWrapper(
            f"is {allocator.__name__} with more than {number} {name}",
            _more_than(name, number),
            allocator,
        )
    for name, when, forgets in forgetful():
        yield FaultyWrapper(name, when, forgets)


if __name__ == "__main__":
    from tests.faulty.faulty_campaign import main

    sys.exit(main("faulty wrappers"))
