"""The area `counters`: the consumption of shared counters by partitions."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction

import polars as pl

from dra_conform.conformance.steps.given import CLASS, NODE, POOL, collected
from dra_conform.fuzz.campaign.steps_of_scenarios import given_steps, when_step
from dra_conform.fuzz.scenario import Scenario
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.allocation import AllocationSwitches
from dra_conform.kube.switches.values import CounterScope
from dra_conform.sweep.api_objects import CLASS_OBJECT, NODE_OBJECT, claim_object, selectors
from dra_conform.sweep.area import Area, CaseSteps
from dra_conform.sweep.capacity_expectation import OUTCOMES, WIDTH
from dra_conform.sweep.counter_row import (
    COUNTER_FACTORS,
    CounterRow,
    allocated_partition,
    counter_questions,
    counter_slices,
    partition,
)
from dra_conform.sweep.decision import REJECTED, RowDecision, RowOutcome
from dra_conform.sweep.policy_shapes import WHOLE
from dra_conform.sweep.quantities import (
    NANO,
    NOTATIONS,
    REQUESTED,
    SCALES,
    WrittenQuantity,
    notation,
    written,
)
from dra_conform.sweep.question import SweepQuestion

_SPLITS = {"no partition": (), "1 partition": (3,), "3 partitions": (1, 1, 1)}
"""The quantities that allocated partitions consume, in units of the scale."""

_PARTITION, _CLAIM = "partition", "c"


class Counters(Area[CounterRow]):
    """A partition can be allocated if the consumption of all allocated partitions does not exceed the
    counter."""

    name = "counters"
    operation = "allocate"
    factors = COUNTER_FACTORS
    gates = ("DRAPartitionableDevices", "DRAPrioritizedList")

    def class_rows(self, profile: Profile, *, inadmissible: bool) -> Iterator[CounterRow]:
        for scale in SCALES:
            value = written(WHOLE * scale.nano, scale.suffix)
            for name, parts in _SPLITS.items():
                held = tuple(written(part * scale.nano, scale.suffix) for part in parts)
                left = value.nano - sum(share.nano for share in held)
                near = [
                    (f"what is left{sign}", left + offset)
                    for sign, offset in (("", 0), ("-1n", -1), ("+1n", 1), ("-1", -NANO), ("+1", NANO))
                ]
                near += [("the counter", value.nano), ("twice the counter", 2 * value.nano)]
                for value_class, nano in (*near, *((each.name, each.nano) for each in REQUESTED)):
                    if nano >= 0:
                        consumes = written(nano, scale.suffix)
                        yield CounterRow(value, held, consumes, name, scale.name, value_class)

    def random_rows(
        self, chance: random.Random, count: int, profile: Profile, *, inadmissible: bool
    ) -> Sequence[CounterRow]:
        return [_random_row(chance) for _ in range(count)]

    def expected(self, rows: Sequence[CounterRow], profile: Profile) -> pl.DataFrame:
        columns = pl.DataFrame(
            {
                "value": pl.Series([row.value.nano for row in rows], dtype=WIDTH),
                "held": pl.Series([sum(share.nano for share in row.held) for row in rows], dtype=WIDTH),
                "consumes": pl.Series([row.consumes.nano for row in rows], dtype=WIDTH),
            }
        )
        outcome = (
            pl.when(pl.col("held") + pl.col("consumes") <= pl.col("value"))
            .then(pl.lit(RowOutcome.ACCEPTED.value))
            .otherwise(pl.lit(RowOutcome.REJECTED.value))
        )
        return columns.select(
            outcome.cast(OUTCOMES).alias("expected"), pl.lit(None, dtype=WIDTH).alias("expected_nano")
        )

    def textbook(self, row: CounterRow, profile: Profile) -> RowDecision | None:
        left = Fraction(row.value.nano, NANO)
        for share in row.held:
            left -= Fraction(share.nano, NANO)
        return RowDecision(RowOutcome.ACCEPTED) if Fraction(row.consumes.nano, NANO) <= left else REJECTED

    def questions(
        self, rows: Sequence[CounterRow], expected: Sequence[RowOutcome], profile: Profile
    ) -> Iterator[SweepQuestion]:
        return counter_questions(rows, expected, same_slice=_same_slice(profile))

    def case(self, row: CounterRow, expected: RowDecision, profile: Profile, *, short: bool) -> CaseSteps:
        held = [f"other-{number}" for number in range(len(row.held))]
        partitions = [
            partition(name, -1, [(0, share.text)]) for name, share in zip(held, row.held, strict=True)
        ]
        asked = partition(_PARTITION, 0, [(0, row.consumes.text)])
        exactly = {
            "deviceClassName": CLASS,
            "allocationMode": "ExactCount",
            "count": 1,
            "selectors": selectors(0),
        }
        slices = counter_slices(POOL, [row.value.text], [asked, *partitions], same_slice=_same_slice(profile))
        objects = [
            NODE_OBJECT,
            CLASS_OBJECT,
            *slices,
            *(allocated_partition(f"claim-of-{name}", POOL, name) for name in held),
            claim_object(_CLAIM, [{"name": "r0", "exactly": exactly}]),
        ]
        scenario = Scenario(collected(objects), NODE, (f"default/{_CLAIM}",))
        accepted = expected.outcome is RowOutcome.ACCEPTED
        then = {"allocated": _CLAIM} if accepted else {"nothingAllocated": True}
        return CaseSteps("DRA", given_steps(scenario, short=short), when_step(scenario), [then])


def _same_slice(profile: Profile) -> bool:
    """Whether the release limits partitions to counters of their own ResourceSlice."""
    return AllocationSwitches.of(profile).counters.scope is CounterScope.SLICE


def _random_row(chance: random.Random) -> CounterRow:
    scale = chance.choice(SCALES)
    value = chance.randrange(1, 1000) * scale.nano
    spent = chance.randrange(value + 1)
    cuts = sorted(chance.randrange(spent + 1) for _ in range(chance.randrange(4)))
    held: tuple[WrittenQuantity, ...] = tuple(
        notation(end - begin, chance.randrange(NOTATIONS))
        for begin, end in zip((0, *cuts), (*cuts, spent), strict=True)
    )
    near = value - spent + chance.choice((-NANO, -1, 0, 0, 1, NANO))
    consumes = max(0, near) if chance.random() < 0.6 else chance.randrange(value + 1)
    return CounterRow(
        written(value, scale.suffix),
        held,
        notation(consumes, chance.randrange(NOTATIONS)),
        f"{len(held)} random partitions",
        scale.name,
        "random",
    )
