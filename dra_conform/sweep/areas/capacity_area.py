"""The base class of the areas about capacity, which differ only in their rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from dra_conform.conformance.steps.given import CLASS, NODE, POOL, collected
from dra_conform.fuzz.campaign.steps_of_claims import amount
from dra_conform.fuzz.campaign.steps_of_scenarios import given_steps, when_step
from dra_conform.fuzz.scenario import Scenario
from dra_conform.kube.json_values import Json
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.switches.allocation import AllocationSwitches
from dra_conform.kube.switches.values import Arithmetic
from dra_conform.sweep.api_objects import (
    CLASS_OBJECT,
    NODE_OBJECT,
    allocated_claim,
    claim_object,
    resource_slice,
)
from dra_conform.sweep.area import Area, CaseSteps
from dra_conform.sweep.capacity_expectation import CapacityExpectation, capacity_columns
from dra_conform.sweep.capacity_questions import capacity_questions
from dra_conform.sweep.capacity_row import CAPACITY_FACTORS, CapacityRow
from dra_conform.sweep.decision import REJECTED, RowDecision, RowOutcome
from dra_conform.sweep.known import crashes_in
from dra_conform.sweep.quantities import MILLI, NANO
from dra_conform.sweep.question import SweepQuestion
from dra_conform.sweep.textbook import consumed, remaining, textbook_policy, units

_DEVICE, _CAPACITY, _CLAIM = "nic", "bw", "c"


class CapacityArea(Area[CapacityRow]):
    """An area that tests the consumed quantity of a capacity."""

    operation = "allocate"
    factors = CAPACITY_FACTORS
    gates = ("DRAConsumableCapacity", "DRAPrioritizedList")

    def expected(self, rows: Sequence[CapacityRow], profile: Profile) -> pl.DataFrame:
        capacities, columns = capacity_columns(rows)
        return CapacityExpectation(capacities, profile).of(columns)

    def textbook(self, row: CapacityRow, profile: Profile) -> RowDecision | None:
        arithmetic: Arithmetic = AllocationSwitches.of(profile).capacity.arithmetic
        if not _in_textbook(row, arithmetic):
            return None
        value = units(row.capacity.value)
        requested = None if row.requested is None else units(row.requested)
        if not row.shared:
            enough = requested is None or requested <= value
            return RowDecision(RowOutcome.ACCEPTED) if enough else REJECTED
        needed = consumed(textbook_policy(row.capacity), requested, arithmetic is Arithmetic.WHOLE)
        if needed is None or needed > remaining(value, [units(share) for share in row.held]):
            return REJECTED
        return RowDecision(RowOutcome.ACCEPTED, int(needed * NANO))

    def questions(
        self, rows: Sequence[CapacityRow], expected: Sequence[RowOutcome], profile: Profile
    ) -> Iterator[SweepQuestion]:
        return capacity_questions(rows, expected, crashes_in(self.name, profile))

    def case(self, row: CapacityRow, expected: RowDecision, profile: Profile, *, short: bool) -> CaseSteps:
        scenario = _scenario(row)
        then: dict[str, Json]
        if expected.outcome is RowOutcome.ERRORED:
            then = {"allocationError": True}
        elif expected.outcome is not RowOutcome.ACCEPTED:
            then = {"nothingAllocated": True}
        elif expected.nano is None:
            then = {"allocated": _CLAIM}
        else:
            capacity = {_CAPACITY: amount(str(Quantity(expected.nano)))}
            then = {"consumes": {"resourceClaim": _CLAIM, "capacity": capacity}}
        return CaseSteps("KEP-5075", given_steps(scenario, short=short), when_step(scenario), [then])


def _scenario(row: CapacityRow) -> Scenario:
    device: dict[str, Json] = {"name": _DEVICE, "capacity": {_CAPACITY: row.capacity.body}}
    if row.shared:
        device["allowMultipleAllocations"] = True
    requests = {} if row.requested is None else {"capacity": {"requests": {_CAPACITY: row.requested.text}}}
    exactly = {"deviceClassName": CLASS, "allocationMode": "ExactCount", "count": 1, **requests}
    held = [
        allocated_claim(f"other-{number}", POOL, _DEVICE, {_CAPACITY: share.text})
        for number, share in enumerate(row.held)
    ]
    objects = [
        NODE_OBJECT,
        CLASS_OBJECT,
        resource_slice(POOL, [device]),
        *held,
        claim_object(_CLAIM, [{"name": "r0", "exactly": exactly}]),
    ]
    return Scenario(collected(objects), NODE, (f"default/{_CLAIM}",))


def _in_textbook(row: CapacityRow, arithmetic: Arithmetic) -> bool:
    """Whether the textbook has a rule for the row. It has no rules for negative quantities, for overflows of
    64 bits, for what policies without a default consume if the capacity is not requested, and for releases
    that accept a default which violates its policy."""
    requested = 0 if row.requested is None else row.requested.nano
    if requested < 0 or any(part.nano < 0 for part in row.capacity.written()):
        return False
    policy = row.capacity
    if policy.step is not None and (policy.step.nano == 0 or policy.minimum is None):
        return False
    if policy.values and policy.minimum is not None:
        return False
    if row.requested is None and policy.default is None and (policy.values or policy.minimum is not None):
        return False
    rule = textbook_policy(policy)
    if arithmetic is not Arithmetic.EXACT and rule.default is not None:
        whole_steps = arithmetic is Arithmetic.WHOLE
        if consumed(rule, rule.default, whole_steps) != rule.default:
            return False
    if arithmetic.has_errors and policy.step is not None:
        quantities = (requested, *(part.nano for part in policy.written()))
        unit = MILLI if arithmetic is Arithmetic.MILLI else NANO
        return all(nano % unit == 0 and nano < NANO << 50 for nano in quantities)
    return True
