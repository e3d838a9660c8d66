"""The area `footprint`: the node resource usage of a pod. Each resource of the pod is a row."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import polars as pl

from dra_conform.conformance.footprint.answer import FootprintAnswer
from dra_conform.conformance.implementation import Answer
from dra_conform.footprint.footprint_columns import PodColumns, footprints
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.switches.node_resources import NodeResourceSwitches
from dra_conform.sweep.area import Area, CaseSteps
from dra_conform.sweep.capacity_expectation import OUTCOMES, WIDTH
from dra_conform.sweep.decision import ERRORED, RowDecision, RowOutcome
from dra_conform.sweep.footprint_row import (
    CLAIM_CONTAINERS,
    CLAIM_PARTS,
    FIRST,
    FOOTPRINT_FACTORS,
    INIT,
    LATER_INIT,
    MAPPED,
    OVERHEAD,
    PARTS,
    PER_CONTAINER,
    PER_POD,
    POD_LEVEL,
    SECOND,
    SIDECAR,
    FootprintRow,
    footprint_rows,
    is_stored,
    pod_of,
    resource,
)
from dra_conform.sweep.quantities import MILLI, NANO, NOTATIONS, SCALES, notation, quantity_decision
from dra_conform.sweep.question import SweepQuestion

ROWS = 1000
"""The number of rows in a request. Each row is a resource of the same pod."""

_POD = "default/p"
_OF_1_37 = {PER_POD, PER_CONTAINER}


class FootprintQuestion(SweepQuestion):
    """A pod, whose status has the usage of its claim, with a resource for each row."""

    def __init__(self, table: Sequence[FootprintRow], rows: Sequence[int], *, of_1_37: bool) -> None:
        self._table = table
        self._of_1_37 = of_1_37
        self.rows = rows

    def objects(self) -> Mapping[str, tuple[Json, ...]]:
        return {"pods": (pod_of([(row, self._table[row]) for row in self.rows], of_1_37=self._of_1_37),)}

    def ask(self) -> Mapping[str, Json]:
        return {"pod": _POD, "from": "status"}

    def read(self, answer: Answer) -> Mapping[int, RowDecision]:
        assert isinstance(answer, FootprintAnswer)
        if answer.resources is None:
            return {self.rows[0]: ERRORED} if len(self.rows) == 1 else {}
        return {row: quantity_decision(answer.resources.get(resource(row), "0")) for row in self.rows}

    def alone(self, rows: Sequence[int]) -> Iterator[SweepQuestion]:
        return iter([FootprintQuestion(self._table, rows, of_1_37=self._of_1_37)])


class FootprintArea(Area[FootprintRow]):
    """The usage of one resource by containers, claims, pod-level requests and pod overhead."""

    name = "footprint"
    operation = "footprint"
    factors = FOOTPRINT_FACTORS
    gates = ("DRANodeAllocatableResources",)

    def class_rows(self, profile: Profile, *, inadmissible: bool) -> Iterator[FootprintRow]:
        since_1_37 = _of_1_37(profile)
        for row in footprint_rows(of_1_37=since_1_37):
            if inadmissible or is_stored(row, of_1_37=since_1_37):
                yield row

    def random_rows(
        self, chance: random.Random, count: int, profile: Profile, *, inadmissible: bool
    ) -> Sequence[FootprintRow]:
        since_1_37 = _of_1_37(profile)
        parts = [part for part in PARTS if since_1_37 or part not in _OF_1_37]
        rows: list[FootprintRow] = []
        while len(rows) < count:
            row = _random_row(chance, parts, exact=inadmissible)
            if inadmissible or is_stored(row, of_1_37=since_1_37):
                rows.append(row)
        return rows

    def expected(self, rows: Sequence[FootprintRow], profile: Profile) -> pl.DataFrame:
        # Rows are pods of their own here, so that a resource name needs not be unique.
        usage = footprints(_columns(rows)).select("pod", amount=pl.col("amount"))
        numbers = pl.DataFrame({"pod": pl.Series(range(len(rows)), dtype=pl.Int64)})
        counted = numbers.join(usage, on="pod", how="left", maintain_order="left")
        return counted.select(
            pl.lit(RowOutcome.ACCEPTED.value).cast(OUTCOMES).alias("expected"),
            pl.col("amount").fill_null(0).cast(WIDTH).alias("expected_nano"),
        )

    def textbook(self, row: FootprintRow, profile: Profile) -> RowDecision | None:
        def of(part: str) -> Fraction:
            quantity = row.parts.get(part)
            return Fraction(0 if quantity is None else quantity.nano, NANO)

        running = of(SIDECAR) + of(FIRST) + of(SECOND)
        peak = max(running, of(INIT), of(SIDECAR) + of(LATER_INIT))
        claim = of(MAPPED) + of(PER_POD) + len(CLAIM_CONTAINERS) * of(PER_CONTAINER)
        total = of(POD_LEVEL) if POD_LEVEL in row.parts else peak + claim
        return RowDecision(RowOutcome.ACCEPTED, int((total + of(OVERHEAD)) * NANO))

    def questions(
        self, rows: Sequence[FootprintRow], expected: Sequence[RowOutcome], profile: Profile
    ) -> Iterator[SweepQuestion]:
        numbers = range(len(rows))
        for begin in range(0, len(rows), ROWS):
            yield FootprintQuestion(rows, numbers[begin : begin + ROWS], of_1_37=_of_1_37(profile))

    def case(self, row: FootprintRow, expected: RowDecision, profile: Profile, *, short: bool) -> CaseSteps:
        return CaseSteps(
            "KEP-5517",
            [{"objects": [pod_of([(0, row)], of_1_37=_of_1_37(profile))]}],
            {"nodeResourceUsage": {"pod": "p", "source": "status"}},
            [{"podUses": {resource(0): str(Quantity(expected.nano or 0))}}],
        )


def _of_1_37(profile: Profile) -> bool:
    """Whether pod statuses record the mapping and the overhead of claims, as since 1.37."""
    return NodeResourceSwitches.of(profile).overhead


def _columns(rows: Sequence[FootprintRow]) -> PodColumns:
    """Return the rows as columns, each as a pod with one resource."""
    containers: list[tuple[int, str, int, bool, bool]] = []
    claims: list[tuple[int, str, int, int]] = []
    whole: list[tuple[int, str, int]] = []
    overhead: list[tuple[int, str, int]] = []
    times = {MAPPED: 1, PER_POD: 1, PER_CONTAINER: len(CLAIM_CONTAINERS)}
    for number, row in enumerate(rows):
        for part in PARTS:
            if part not in row.parts:
                continue
            nano = row.parts[part].nano
            if part in (INIT, SIDECAR, LATER_INIT, FIRST, SECOND):
                before = part not in (FIRST, SECOND)
                containers.append((number, "", nano, before, part == SIDECAR))
            elif part in times:
                claims.append((number, "", nano, times[part]))
            else:
                (whole if part == POD_LEVEL else overhead).append((number, "", nano))
    return PodColumns.of_rows(containers, claims, whole, overhead)


def _random_row(chance: random.Random, parts: Sequence[str], *, exact: bool) -> FootprintRow:
    """Return a random row, with quantities that are often whole milli-units unless `exact`."""
    scale = chance.choice(SCALES)
    chosen = {}
    for part in parts:
        if chance.random() < (0.15 if part == POD_LEVEL else 0.4):
            nano = chance.randrange(1000) * scale.nano // chance.choice((1, 7))
            if not exact and part not in CLAIM_PARTS:
                nano -= nano % MILLI
            chosen[part] = notation(nano, chance.randrange(NOTATIONS))
    return FootprintRow(chosen, f"{len(chosen)} random parts", scale.name, "random")
