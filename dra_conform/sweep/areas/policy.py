"""The area `policy`: the validation of request policies by an API server, and the stored quantities."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import polars as pl

from dra_conform.kube.profile import Profile
from dra_conform.sweep.area import Area, CaseSteps
from dra_conform.sweep.decision import REJECTED, RowDecision, RowOutcome
from dra_conform.sweep.known import crashes_in
from dra_conform.sweep.policy_expectation import admitted
from dra_conform.sweep.policy_row import (
    POLICY_FACTORS,
    PolicyRow,
    policy_questions,
    policy_rows,
    policy_slice,
)
from dra_conform.sweep.policy_shapes import random_capacity
from dra_conform.sweep.quantities import MILLI, NANO, written
from dra_conform.sweep.question import SweepQuestion
from dra_conform.sweep.textbook import policy_is_valid, textbook_policy

_FIELDS = ("default", "minimum", "maximum", "step")


class Policy(Area[PolicyRow]):
    """The validation of a requestPolicy, and the quantities that are stored."""

    name = "policy"
    operation = "admit"
    factors = POLICY_FACTORS
    gates = ("DRAConsumableCapacity",)

    def class_rows(self, profile: Profile, *, inadmissible: bool) -> Iterator[PolicyRow]:
        return policy_rows(negative=inadmissible)

    def random_rows(
        self, chance: random.Random, count: int, profile: Profile, *, inadmissible: bool
    ) -> Sequence[PolicyRow]:
        return [_random_row(chance, profile, inadmissible=inadmissible) for _ in range(count)]

    def expected(self, rows: Sequence[PolicyRow], profile: Profile) -> pl.DataFrame:
        return admitted([row.capacity for row in rows], profile)

    def textbook(self, row: PolicyRow, profile: Profile) -> RowDecision | None:
        capacity = row.capacity
        has_range = any(getattr(capacity, field) is not None for field in _FIELDS[1:])
        if has_range and capacity.minimum is None:
            return REJECTED
        if any(not _plain(part.nano, profile) for part in capacity.written()):
            return None
        if capacity.step is not None and capacity.step.nano == 0:
            return None
        if not policy_is_valid(textbook_policy(capacity)):
            return REJECTED
        return RowDecision(RowOutcome.ACCEPTED, sum(part.nano for part in capacity.written()))

    def questions(
        self, rows: Sequence[PolicyRow], expected: Sequence[RowOutcome], profile: Profile
    ) -> Iterator[SweepQuestion]:
        return policy_questions(rows, expected, crashes_in(self.name, profile))

    def case(self, row: PolicyRow, expected: RowDecision, profile: Profile, *, short: bool) -> CaseSteps:
        when = {"create": {"object": policy_slice([row])}}
        if expected.outcome is not RowOutcome.ACCEPTED:
            return CaseSteps("KEP-5075", [], when, [{"rejected": True}])
        value = {"spec.devices[0].capacity[c0].value": row.capacity.value.text}
        return CaseSteps("KEP-5075", [], when, [{"stored": value}])


def _plain(nano: int, profile: Profile) -> bool:
    """Whether all releases and the specification compute with the quantity in the same way."""
    exact = profile.release is None and nano % MILLI == 0
    return (exact or nano % NANO == 0) and 0 <= nano < NANO << 50


def _random_row(chance: random.Random, profile: Profile, *, inadmissible: bool) -> PolicyRow:
    capacity = random_capacity(chance, profile, inadmissible=True)
    field = chance.choice((*_FIELDS, "value", "none"))
    part = getattr(capacity, field, None)
    if part is None:
        return PolicyRow(capacity, "random")
    offset = chance.choice((-NANO, -1, 1, NANO, chance.randrange(1 + capacity.value.nano)))
    nano = part.nano + offset
    if nano < 0 and not inadmissible:
        nano = -nano
    changed = capacity.with_part(field, written(nano, chance.choice(("", "m", "Ki", "M"))))
    return PolicyRow(changed, f"{field} random")
