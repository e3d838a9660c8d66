"""The totals of a sweep over its parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dra_conform.sweep.area import SweepRow
from dra_conform.sweep.part import Found, PartResult, SweepSettings

_WORST_CELLS = 5

CauseKey = tuple[str, str, str]
"""The key of a cause: kind, family and known reason."""


@dataclass(frozen=True, slots=True)
class CauseFound:
    """The simplest row of a cause in the whole sweep, and its part with the number of rows of the part.

    `found.count` counts the rows of all parts.
    """

    part: int
    rows: int
    found: Found

    def row(self, settings: SweepSettings) -> SweepRow:
        """Return the row. Random rows depend on the number of rows of their part."""
        return settings.rows(self.part, self.rows)[self.found.row]


@dataclass(slots=True)
class SweepTotals:
    """Counts over all parts.

    `cells` has compared and differing rows by factor, class and policy class, and `causes_of_cells` the cause
    of a simple difference.
    """

    rows: int = 0
    equal: int = 0
    declined: int = 0
    sampled: int = 0
    parts: int = 0
    cells: dict[tuple[str, str, str], tuple[int, int]] = field(default_factory=dict)
    causes_of_cells: dict[tuple[str, str, str], CauseKey] = field(default_factory=dict)
    pairs: set[tuple[str, str, str, str]] = field(default_factory=set)
    causes: dict[CauseKey, CauseFound] = field(default_factory=dict)
    doubts: dict[CauseKey, CauseFound] = field(default_factory=dict)
    repeated: Counter[str] = field(default_factory=Counter)

    def add(self, result: PartResult) -> None:
        """Add the counts of a part."""
        self.parts += 1
        self.rows += result.rows
        self.equal += result.equal
        self.declined += result.declined
        self.sampled += result.sampled
        self.pairs |= result.pairs
        self.repeated.update(result.repeated)
        for *key, rows, differing in result.cells:
            before = self.cells.get((key[0], key[1], key[2]), (0, 0))
            self.cells[key[0], key[1], key[2]] = (before[0] + rows, before[1] + differing)
        for factor, name, policy_class, place in result.causes_of_cells:
            item = result.found[place]
            cause = (item.kind, item.family, item.reason)
            self.causes_of_cells.setdefault((factor, name, policy_class), cause)
        _merge(self.causes, result, result.found)
        _merge(self.doubts, result, result.doubtful)

    @property
    def unexplained(self) -> list[CauseFound]:
        """The causes without a known reason, the most frequent first."""
        return _by_count(cause for key, cause in self.causes.items() if not key[2])

    @property
    def known(self) -> Mapping[str, int]:
        """The number of differing rows for each known reason, the most frequent first."""
        counts: Counter[str] = Counter()
        for (_, _, reason), cause in self.causes.items():
            if reason:
                counts[reason] += cause.found.count
        return dict(counts.most_common())

    @property
    def differing(self) -> int:
        """The number of rows that differ without a known reason."""
        return sum(cause.found.count for cause in self.unexplained)

    def worst_cells(self) -> Sequence[tuple[str, str, str, int, int]]:
        """Return the five cells of the pictures with the highest share of differing rows."""
        wrong = [(*key, *counts) for key, counts in self.cells.items() if counts[1]]
        return sorted(wrong, key=lambda cell: (-cell[4] / cell[3], -cell[4], cell[:3]))[:_WORST_CELLS]


def _merge(causes: dict[CauseKey, CauseFound], result: PartResult, found: Sequence[Found]) -> None:
    for item in found:
        key = (item.kind, item.family, item.reason)
        before = causes.get(key)
        if before is None:
            causes[key] = CauseFound(result.part, result.rows, item)
            continue
        count = before.found.count + item.count
        simpler = (item.complexity, result.part, item.row) < (
            before.found.complexity,
            before.part,
            before.found.row,
        )
        causes[key] = (
            CauseFound(result.part, result.rows, replace(item, count=count))
            if simpler
            else replace(before, found=replace(before.found, count=count))
        )


def _by_count(causes: Iterable[CauseFound]) -> list[CauseFound]:
    return sorted(causes, key=lambda cause: (-cause.found.count, cause.found.kind, cause.found.family))
