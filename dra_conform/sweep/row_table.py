"""The rows of a sweep by number: first all combinations of value classes, beginning with all pairs, then
random rows."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, TypeVar

from dra_conform.kube.profile import Profile
from dra_conform.sweep.area import SweepRow
from dra_conform.sweep.areas.table import AREAS

if TYPE_CHECKING:
    from _typeshed import SupportsLenAndGetItem

T = TypeVar("T")

PART = 20_000
"""The number of rows in a part, which takes some seconds. It does not depend on the number of workers."""


Pair = tuple[str, str, str, str]
"""Two factors with a value class each."""


class QuickRandom(random.Random):
    """A random number generator with a quick `choice`, since a random row needs several choices.

    The probabilities of the items differ by at most 2^-53.
    """

    def choice(self, seq: SupportsLenAndGetItem[T]) -> T:
        """Return a random item of a sequence that is not empty."""
        return seq[int(self.random() * len(seq))]


def rows_of_part(
    area: str, profile: Profile, seed: int, part: int, count: int, *, inadmissible: bool
) -> Sequence[Any]:
    """Return the first `count` rows of a part of an area."""
    combined = combinations_of_classes(area, profile, seed, inadmissible=inadmissible)
    begin = part * PART
    rows = list(combined[begin : begin + count])
    if len(rows) < count:
        chance = QuickRandom(f"{area} {seed} {part}")
        rows += AREAS[area].random_rows(chance, count - len(rows), profile, inadmissible=inadmissible)
    return rows


@lru_cache(maxsize=1)
def combinations_of_classes(
    area: str, profile: Profile, seed: int, *, inadmissible: bool
) -> Sequence[SweepRow]:
    """Return a row for each combination of value classes; the first rows cover every pair of value
    classes."""
    rows = list(AREAS[area].class_rows(profile, inadmissible=inadmissible))
    random.Random(f"{area} {seed}").shuffle(rows)
    seen: set[tuple[int, str, int, str]] = set()
    first: list[SweepRow] = []
    rest: list[SweepRow] = []
    for row in rows:
        new = pairs_of(row) - seen
        seen |= new
        (first if new else rest).append(row)
    return first + rest


def pairs_of(row: SweepRow) -> set[tuple[int, str, int, str]]:
    """Return the pairs of value classes of a row, with the indexes of their factors."""
    named = enumerate(row.classes)
    return {(i, one, j, other) for (i, one), (j, other) in combinations(named, 2)}


def existing_pairs(area: str, profile: Profile, seed: int, *, inadmissible: bool) -> set[Pair]:
    """Return all possible pairs of value classes, each with the names of its factors."""
    factors = AREAS[area].factors
    found: set[tuple[int, str, int, str]] = set()
    for row in combinations_of_classes(area, profile, seed, inadmissible=inadmissible):
        found |= pairs_of(row)
    return {(factors[i], one, factors[j], other) for i, one, j, other in found}
