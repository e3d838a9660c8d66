"""One part of a sweep: its rows are run on the implementation, compared and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import polars as pl

from dra_conform.conformance.implementation import Implementation
from dra_conform.kube.garbage_collection import without_garbage_collection
from dra_conform.kube.profile import Profile
from dra_conform.sweep.area import AnyArea, SweepRow
from dra_conform.sweep.areas.table import AREAS
from dra_conform.sweep.comparison import cells, compared, kind_of, pairs
from dra_conform.sweep.decision import OUTCOMES, RowDecision, RowOutcome
from dra_conform.sweep.known import why_rows_differ
from dra_conform.sweep.question import Asker
from dra_conform.sweep.row_table import PART, rows_of_part

SAMPLE = 500
"""The number of rows of a part that are compared with the textbook."""


Difference = tuple[int, RowDecision, RowDecision]
"""The number of a row, with its expected and its actual result."""


@dataclass(frozen=True, slots=True)
class SweepSettings:
    """The settings that determine rows and expected results. Only a sweep with equal settings can be
    resumed."""

    area: str
    profile: str
    seed: int
    inadmissible: bool
    deadline_ms: int

    def release(self) -> Profile:
        """Return the profile, with the gates on that the area needs."""
        useful = (*AREAS[self.area].gates, "DRAFractionalCapacityRange")
        return Profile.named(self.profile).with_gates(dict.fromkeys(useful, True))

    def rows(self, part: int, count: int) -> Sequence[SweepRow]:
        """Return the first `count` rows of a part."""
        return rows_of_part(self.area, self.release(), self.seed, part, count, inadmissible=self.inadmissible)


@dataclass(frozen=True, slots=True)
class Found:
    """The simplest row of a difference, and how many rows of the part differ in the same way.

    `kind` and `family` name the cause. `reason` is that of a known fault. `row` is the number within
    the part; quantities are in nano-units, as strings, since JSON has no numbers of this size.
    """

    kind: str
    family: str
    reason: str
    count: int
    row: int
    complexity: tuple[int, ...]
    classes: tuple[str, ...]
    expected: tuple[str, str]
    actual: tuple[str, str]
    detail: str


@dataclass(frozen=True, slots=True)
class PartResult:
    """The counts of a part, and its differences by cause.

    `cells` has compared and differing rows by factor, class and policy class, and `causes_of_cells` the place
    in `found` of the simplest difference by the same keys. `doubtful` are rows for which
    the textbook contradicts the expectation. `repeated` counts the rows that were sent again, by reason.
    """

    part: int
    rows: int
    declined: int
    equal: int
    found: tuple[Found, ...]
    cells: tuple[tuple[str, str, str, int, int], ...]
    causes_of_cells: tuple[tuple[str, str, str, int], ...]
    pairs: frozenset[tuple[str, str, str, str]]
    sampled: int
    doubtful: tuple[Found, ...]
    repeated: dict[str, int] = field(default_factory=dict)


def sweep_part(
    implementation: Implementation, settings: SweepSettings, part: int, count: int, *, keep: bool
) -> tuple[PartResult, pl.DataFrame | None]:
    """Run the first `count` rows of a part on the implementation, and compare the results.

    Return its result and, with `keep`, the rows as columns, numbered from the first row of the sweep. Raises
    CannotStart.
    """
    with without_garbage_collection():
        return _swept(implementation, settings, part, count, keep=keep)


def _swept(
    implementation: Implementation, settings: SweepSettings, part: int, count: int, *, keep: bool
) -> tuple[PartResult, pl.DataFrame | None]:
    area: AnyArea = AREAS[settings.area]
    profile = settings.release()
    rows = settings.rows(part, count)
    expected = area.expected(rows, profile)
    outcomes = [OUTCOMES[text] for text in expected["expected"]]
    asker = Asker(
        implementation, area.operation, profile, seed=settings.seed, deadline_ms=settings.deadline_ms
    )
    actual = asker.decisions(area.questions(rows, outcomes, profile))
    table = compared(rows, area.factors, expected, actual)
    differing = table.filter(pl.col("differs")).select("row")["row"].to_list()
    decisions = list(map(RowDecision, outcomes, expected["expected_nano"].to_list()))
    missing = RowDecision(RowOutcome.MISSING)
    differences = [(number, decisions[number], actual.get(number, missing)) for number in differing]
    sample = sorted({*range(0, len(rows), max(1, len(rows) // SAMPLE)), *differing[:SAMPLE]})
    doubts = []
    for number in sample:
        textbook = area.textbook(rows[number], profile)
        if textbook is not None and _plain(textbook) != _plain(decisions[number]):
            doubts.append((number, textbook, decisions[number]))
    declined = table["differs"].null_count()
    found = _by_cause(settings, profile, rows, differences)
    result = PartResult(
        part=part,
        rows=len(rows),
        declined=declined,
        equal=len(rows) - declined - len(differing),
        found=found,
        cells=tuple((*key, *counts) for key, counts in sorted(cells(table, area.factors).items())),
        causes_of_cells=_causes_of_cells(settings, profile, rows, differences, found),
        pairs=frozenset(pairs(table, area.factors)),
        sampled=len(sample),
        doubtful=_by_cause(settings, profile, rows, doubts),
        repeated=dict(asker.repeated),
    )
    return result, _numbered(table, rows, part) if keep else None


def _by_cause(
    settings: SweepSettings,
    profile: Profile,
    rows: Sequence[SweepRow],
    differences: Sequence[Difference],
) -> tuple[Found, ...]:
    simplest: dict[tuple[str, str, str], tuple[tuple[int, ...], int, RowDecision, RowDecision]] = {}
    counts: Counter[tuple[str, str, str]] = Counter()
    for number, expected, actual in differences:
        row = rows[number]
        cause = _cause(settings, profile, row, expected, actual)
        counts[cause] += 1
        candidate = (row.complexity(), number, expected, actual)
        if cause not in simplest or candidate[:2] < simplest[cause][:2]:
            simplest[cause] = candidate
    return tuple(
        Found(
            *cause,
            count=counts[cause],
            row=number,
            complexity=complexity,
            classes=rows[number].classes,
            expected=_plain(expected),
            actual=_plain(actual),
            detail=actual.detail,
        )
        for cause, (complexity, number, expected, actual) in sorted(simplest.items())
    )


def _causes_of_cells(
    settings: SweepSettings,
    profile: Profile,
    rows: Sequence[SweepRow],
    differences: Sequence[Difference],
    found: Sequence[Found],
) -> tuple[tuple[str, str, str, int], ...]:
    places = {(item.kind, item.family, item.reason): place for place, item in enumerate(found)}
    causes: dict[tuple[str, str, str], int] = {}
    _, *others = AREAS[settings.area].factors
    for number, expected, actual in sorted(differences, key=lambda item: rows[item[0]].complexity()):
        row = rows[number]
        place = places[_cause(settings, profile, row, expected, actual)]
        for factor, name in zip(others, row.classes[1:], strict=True):
            causes.setdefault((factor, name, row.policy_class), place)
    return tuple((*key, place) for key, place in sorted(causes.items()))


def _cause(
    settings: SweepSettings, profile: Profile, row: SweepRow, expected: RowDecision, actual: RowDecision
) -> tuple[str, str, str]:
    reason = why_rows_differ(settings.area, profile, row, expected, actual)
    return kind_of(expected, actual), row.family, reason


def _plain(decision: RowDecision) -> tuple[str, str]:
    return decision.outcome.value, "" if decision.nano is None else str(decision.nano)


def _numbered(table: pl.DataFrame, rows: Sequence[SweepRow], part: int) -> pl.DataFrame:
    """Return the rows with their inputs; the column `row` becomes the number in the sweep."""
    texts = pl.DataFrame([row.texts() for row in rows], infer_schema_length=None)
    texts = texts.with_columns(pl.all().cast(pl.String))
    number = (pl.col("row").cast(pl.UInt64) + part * PART).alias("row")
    return table.with_columns(number).hstack(texts)
