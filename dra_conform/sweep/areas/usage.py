"""The area `usage`: the quota usage of ResourceClaims, by DeviceClass and by extended resource."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from dra_conform.conformance.implementation import Answer
from dra_conform.conformance.usage.operation import UsageAnswer
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.switches.quota import QuotaSwitches
from dra_conform.quota.usage_columns import COUNT, ClaimColumns, no_charges, usage_by_namespace
from dra_conform.sweep.area import Area, CaseSteps
from dra_conform.sweep.capacity_expectation import OUTCOMES, WIDTH
from dra_conform.sweep.decision import RowDecision, RowOutcome
from dra_conform.sweep.quantities import NANO, quantity_decision
from dra_conform.sweep.question import SweepQuestion
from dra_conform.sweep.usage_row import (
    ALL,
    COUNTS,
    DEVICES,
    IMPLICIT,
    REQUESTED,
    SHAPES,
    USAGE_FACTORS,
    UsageRow,
    device_class,
    extended_resource,
)

ROWS = 20
"""The number of rows in a request. All rows of a request are in one namespace.

The time of the quota evaluators of Kubernetes grows faster than the square of this number.
"""

_NAMESPACE = "default"
_MOST = 32
"""The number of devices as which `allocationMode: All` counts in quotas (KEP-5004/quota)."""


class UsageQuestion(SweepQuestion):
    """A namespace with the claims of all rows, each for a DeviceClass of its own."""

    def __init__(self, table: Sequence[UsageRow], rows: Sequence[int]) -> None:
        self._table = table
        self.rows = rows

    def objects(self) -> Mapping[str, tuple[Json, ...]]:
        parts = [self._table[row].objects(row) for row in self.rows]
        return {
            "deviceClasses": tuple(backing for backing, _ in parts),
            "resourceClaims": tuple(claim for _, claims in parts for claim in claims),
        }

    def ask(self) -> Mapping[str, Json]:
        return {"namespace": _NAMESPACE}

    def read(self, answer: Answer) -> Mapping[int, RowDecision]:
        assert isinstance(answer, UsageAnswer)
        names = ((row, self._table[row].quota_name(row)) for row in self.rows)
        return {row: quantity_decision(answer.used.get(name, "0")) for row, name in names}

    def alone(self, rows: Sequence[int]) -> Iterator[SweepQuestion]:
        return iter([UsageQuestion(self._table, rows)])


class UsageArea(Area[UsageRow]):
    """The usage of three quotas: of a DeviceClass, of its implicit name, and of its extended resource
    name."""

    name = "usage"
    operation = "usage"
    factors = USAGE_FACTORS
    gates = ("DRAPrioritizedList", "DRAExtendedResource")

    def class_rows(self, profile: Profile, *, inadmissible: bool) -> Iterator[UsageRow]:
        for shape, claims in SHAPES.items():
            for name, count in COUNTS.items():
                for quota in (DEVICES, IMPLICIT, REQUESTED):
                    yield UsageRow(claims(count), quota, shape, name)

    def random_rows(
        self, chance: random.Random, count: int, profile: Profile, *, inadmissible: bool
    ) -> Sequence[UsageRow]:
        return [_random_row(chance) for _ in range(count)]

    def expected(self, rows: Sequence[UsageRow], profile: Profile) -> pl.DataFrame:
        columns, resources = _columns(rows), {}
        for number in range(len(rows)):
            resources[device_class(number)] = extended_resource(number)
        adjusted = QuotaSwitches.of(profile).adjusted
        usage = usage_by_namespace(columns, resources, no_charges(), adjusted=adjusted)
        names = pl.DataFrame({"name": [row.quota_name(number) for number, row in enumerate(rows)]})
        counted = names.join(usage, on="name", how="left", maintain_order="left")
        nano = pl.col("amount").fill_null(0).cast(WIDTH) * NANO
        return counted.select(
            pl.lit(RowOutcome.ACCEPTED.value).cast(OUTCOMES).alias("expected"), nano.alias("expected_nano")
        )

    def textbook(self, row: UsageRow, profile: Profile) -> RowDecision | None:
        if row.quota != DEVICES and not QuotaSwitches.of(profile).adjusted:
            return RowDecision(RowOutcome.ACCEPTED, 0)
        devices = 0
        for claim in row.claims:
            for request in claim:
                devices += max(_MOST if count == ALL else count for count in request)
        return RowDecision(RowOutcome.ACCEPTED, devices * NANO)

    def questions(
        self, rows: Sequence[UsageRow], expected: Sequence[RowOutcome], profile: Profile
    ) -> Iterator[SweepQuestion]:
        numbers = range(len(rows))
        return (UsageQuestion(rows, numbers[begin : begin + ROWS]) for begin in range(0, len(rows), ROWS))

    def case(self, row: UsageRow, expected: RowDecision, profile: Profile, *, short: bool) -> CaseSteps:
        backing, claims = row.objects(0)
        amount = str(Quantity(expected.nano or 0))
        return CaseSteps(
            "KEP-5004",
            [{"objects": [backing, *claims]}],
            {"quotaUsage": _NAMESPACE},
            [{"namespaceUses": {row.quota_name(0): amount}}],
        )


def _columns(rows: Sequence[UsageRow]) -> ClaimColumns:
    """Return the claims of all rows as columns, without objects."""
    requests: list[tuple[int, int, str, str, int]] = []
    claim = 0
    for number, row in enumerate(rows):
        for asked in row.claims:
            for index, counts in enumerate(asked):
                for count in counts:
                    mode = "All" if count == ALL else "ExactCount"
                    requests.append((claim, index, device_class(number), mode, max(count, 0)))
            claim += 1
    schema = {"claim": pl.Int64, "request": pl.Int64, "class": pl.String, "mode": pl.String, "count": COUNT}
    namespaces = pl.DataFrame({"namespace": [_NAMESPACE] * claim}, schema={"namespace": pl.String})
    return ClaimColumns(
        namespaces.with_columns(claim=pl.int_range(pl.len(), dtype=pl.Int64)),
        pl.DataFrame(requests, schema=schema, orient="row"),
    )


def _random_row(chance: random.Random) -> UsageRow:
    def count() -> int:
        if chance.random() < 0.1:
            return ALL
        top = chance.choice((4, 100, 2**31, 2**32, 2**53, 2**63))
        return chance.randrange(1, top)

    claims = tuple(
        tuple(
            tuple(count() for _ in range(chance.choice((1, 1, 2, 8)))) for _ in range(chance.randrange(1, 5))
        )
        for _ in range(chance.choice((1, 1, 2, 3)))
    )
    quota = chance.choice((DEVICES, IMPLICIT, REQUESTED))
    return UsageRow(claims, quota, f"{len(claims)} random claims", "random")
