"""Requests of the operation `allocate` that test rows about capacity.

Each claim has a prioritized list. Its last subrequest is met by a device without capacity, so that a
rejected row does not reject the others. Rows that are expected to be accepted share a device, since one
request can consume many capacities. Rows that are expected to be rejected share a claim: an implementation
comes to the next subrequest only if it rejects the previous one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from dra_conform.conformance.allocate.answer import AllocationAnswer, Outcome
from dra_conform.conformance.implementation import Answer
from dra_conform.conformance.steps.given import NODE
from dra_conform.kube.json_values import Json
from dra_conform.sweep.api_objects import (
    CLASS_OBJECT,
    NODE_OBJECT,
    ROW,
    allocated_claim,
    claim_object,
    resource_slice,
    subrequest,
)
from dra_conform.sweep.capacity_row import CapacityRow
from dra_conform.sweep.decision import REJECTED, RowDecision, RowOutcome, without_allocation
from dra_conform.sweep.quantities import quantity_decision
from dra_conform.sweep.question import SweepQuestion

CAPACITIES = 31
"""The number of capacities of a device, the maximum of the API for a device with one attribute."""

SUBREQUESTS = 7
"""The number of rows of a claim. Each row has one subrequest, and the eighth subrequest is for the fallback
device."""

DEVICES = 32
"""The number of devices in a request."""

DEVICES_TRIED = 8
"""The number of devices in a request in which each subrequest evaluates a selector for each device."""

_FALLBACK = "none"


@dataclass(frozen=True, slots=True)
class DeviceRows:
    """A device with one capacity for each of these row numbers, named `c0`, `c1` and so on.

    All rows have equally many shared allocations.
    """

    rows: Sequence[int]


@dataclass(frozen=True, slots=True)
class Attempt:
    """A subrequest: it selects the device at an index and names the capacities of these rows."""

    device: int
    rows: Sequence[int]


Claim = Sequence[Attempt]


class CapacityQuestion(SweepQuestion):
    """Claims whose subrequests are `claims`, on `devices`. `table` has all rows of the part."""

    def __init__(
        self,
        table: Sequence[CapacityRow],
        devices: Sequence[DeviceRows],
        claims: Sequence[Claim],
        *,
        may_crash: bool = False,
    ) -> None:
        self.may_crash = may_crash
        self._table = table
        self._devices = devices
        self._claims = claims
        self.rows = [row for claim in claims for attempt in claim for row in attempt.rows]

    @cached_property
    def _names(self) -> Mapping[int, str]:
        return {row: f"c{place}" for device in self._devices for place, row in enumerate(device.rows)}

    def objects(self) -> Mapping[str, tuple[Json, ...]]:
        slices = [self._slice(index) for index in range(len(self._devices))]
        fallback = {"name": _FALLBACK, "attributes": {ROW: {"int": -1}}, "allowMultipleAllocations": True}
        slices.append(resource_slice(_FALLBACK, [fallback]))
        held = [claim for index in range(len(self._devices)) for claim in self._held(index)]
        return {
            "nodes": (NODE_OBJECT,),
            "deviceClasses": (CLASS_OBJECT,),
            "resourceSlices": tuple(slices),
            "resourceClaims": (*held, *(self._claim(number) for number in range(len(self._claims)))),
        }

    def ask(self) -> Mapping[str, Json]:
        return {"node": NODE, "claims": [f"default/r{number}" for number in range(len(self._claims))]}

    def read(self, answer: Answer) -> Mapping[int, RowDecision]:
        assert isinstance(answer, AllocationAnswer)
        if answer.outcome is not Outcome.ALLOCATED:
            return without_allocation(self.rows, answer)
        found: dict[int, RowDecision] = {}
        for number, claim in enumerate(self._claims):
            found.update(self._read_claim(claim, answer.allocations.get(f"default/r{number}")))
        return found

    def alone(self, rows: Sequence[int]) -> Iterator[SweepQuestion]:
        for begin in range(0, len(rows), DEVICES):
            part = rows[begin : begin + DEVICES]
            devices = [DeviceRows([row]) for row in part]
            yield CapacityQuestion(
                self._table, devices, [[Attempt(index, [row])] for index, row in enumerate(part)]
            )

    def _slice(self, index: int) -> Json:
        rows = self._devices[index].rows
        device: dict[str, Json] = {
            "name": f"d{index}",
            "attributes": {ROW: {"int": index}},
            "capacity": {self._names[row]: self._table[row].capacity.body for row in rows},
        }
        if self._table[rows[0]].shared:
            device["allowMultipleAllocations"] = True
        return resource_slice(f"p{index}", [device])

    def _held(self, index: int) -> Iterator[Json]:
        """Yield the claims of the shared allocations of a device."""
        rows = self._devices[index].rows
        for share in range(len(self._table[rows[0]].held)):
            consumed = {self._names[row]: self._table[row].held[share].text for row in rows}
            yield allocated_claim(f"h{index}-{share}", f"p{index}", f"d{index}", consumed)

    def _claim(self, number: int) -> Json:
        subrequests = []
        for place, attempt in enumerate(self._claims[number]):
            texts = {}
            for row in attempt.rows:
                requested = self._table[row].requested
                if requested is not None:
                    texts[self._names[row]] = requested.text
            capacity = {"capacity": {"requests": texts}} if texts else {}
            subrequests.append({**subrequest(f"s{place}", attempt.device), **capacity})
        subrequests.append(subrequest(_FALLBACK, -1))
        return claim_object(f"r{number}", [{"name": "r0", "firstAvailable": subrequests}])

    def _read_claim(self, claim: Claim, allocation: Json) -> Iterator[tuple[int, RowDecision]]:
        """Yield the result of each row that the allocation of a claim shows."""
        if allocation is None:
            return
        results = allocation["devices"].get("results", [])
        chosen = len(claim) if len(results) != 1 else self._chosen(claim, results[0])
        if chosen is None or len(results) != 1:
            alone = [row for attempt in claim for row in attempt.rows]
            if len(alone) == 1:
                detail = "the ResourceClaim has a wrong number of devices, or a wrong device"
                yield alone[0], RowDecision(RowOutcome.UNREADABLE, detail=detail)
            return
        rejected, decided = claim[:chosen], claim[chosen : chosen + 1]
        if any(len(attempt.rows) > 1 for attempt in rejected):
            return
        yield from ((attempt.rows[0], REJECTED) for attempt in rejected)
        for attempt in decided:
            yield from self._consumed(attempt, results[0].get("consumedCapacity") or {})

    def _chosen(self, claim: Claim, result: Json) -> int | None:
        """Return the index of the subrequest that an allocation result satisfies, None if the result cannot
        be correct."""
        places = {
            **{f"r0/s{place}": (place, f"d{attempt.device}") for place, attempt in enumerate(claim)},
            f"r0/{_FALLBACK}": (len(claim), _FALLBACK),
        }
        place, device = places.get(result["request"], (None, ""))
        return place if result["device"] == device else None

    def _consumed(self, attempt: Attempt, consumed: Mapping[str, str]) -> Iterator[tuple[int, RowDecision]]:
        if not self._table[attempt.rows[0]].shared:
            detail = "an exclusive device has consumed capacity" if consumed else ""
            outcome = RowOutcome.UNREADABLE if consumed else RowOutcome.ACCEPTED
            yield from ((row, RowDecision(outcome, detail=detail)) for row in attempt.rows)
            return
        known = {self._names[row] for row in self._devices[attempt.device].rows}
        unknown = sorted(consumed.keys() - known)
        if unknown:
            if len(attempt.rows) == 1:
                detail = f"unknown capacity {unknown[0][:60]!r}"
                yield attempt.rows[0], RowDecision(RowOutcome.UNREADABLE, detail=detail)
            return
        for row in attempt.rows:
            yield row, quantity_decision(consumed.get(self._names[row]))


def capacity_questions(
    table: Sequence[CapacityRow], expected: Sequence[RowOutcome], crashes: Callable[[CapacityRow], bool]
) -> Iterator[CapacityQuestion]:
    """Yield requests that test all rows. `expected` and `crashes` only determine which rows share a device, a
    claim or a request.

    Rows on one device have equally many shared allocations, so that every allocation is one of each row.
    """
    together: defaultdict[tuple[bool, bool, int], list[int]] = defaultdict(list)
    on_one_device: defaultdict[tuple[bool, bool, int], list[int]] = defaultdict(list)
    separate: defaultdict[bool, list[int]] = defaultdict(list)
    for number, (row, outcome) in enumerate(zip(table, expected, strict=True)):
        if outcome is RowOutcome.ACCEPTED:
            together[crashes(row), row.shared, len(row.held)].append(number)
        elif outcome is not RowOutcome.REJECTED:
            yield CapacityQuestion(table, [DeviceRows([number])], [[Attempt(0, [number])]])
        elif row.requested is None or not row.fits_unnamed():
            separate[crashes(row)].append(number)
        else:
            on_one_device[crashes(row), row.shared, len(row.held)].append(number)
    for (may_crash, *_), rows in together.items():
        claims = [[part] for part in _parts(rows, CAPACITIES)]
        yield from _questions(table, claims, one_attempt=True, may_crash=may_crash)
    for (may_crash, *_), rows in on_one_device.items():
        claims = [[part] for part in _parts(rows, SUBREQUESTS)]
        yield from _questions(table, claims, one_attempt=False, may_crash=may_crash)
    for may_crash, rows in separate.items():
        in_claims = [[[row] for row in part] for part in _parts(rows, SUBREQUESTS)]
        yield from _questions(table, in_claims, one_attempt=False, may_crash=may_crash)


def _questions(
    table: Sequence[CapacityRow],
    claims: Sequence[Sequence[Sequence[int]]],
    *,
    one_attempt: bool,
    may_crash: bool,
) -> Iterator[CapacityQuestion]:
    """Yield requests for claims. A claim is a list of devices, and a device is a list of rows.

    With `one_attempt`, the rows of a device are requested together.
    """
    devices: list[DeviceRows] = []
    asked: list[Claim] = []
    for claim in claims:
        if devices and len(devices) + len(claim) > (DEVICES if one_attempt else DEVICES_TRIED):
            yield CapacityQuestion(table, devices, asked, may_crash=may_crash)
            devices, asked = [], []
        attempts = []
        for rows in claim:
            index = len(devices)
            devices.append(DeviceRows(rows))
            attempts += [Attempt(index, rows)] if one_attempt else [Attempt(index, [row]) for row in rows]
        asked.append(attempts)
    if devices:
        yield CapacityQuestion(table, devices, asked, may_crash=may_crash)


def _parts(rows: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    return (rows[begin : begin + size] for begin in range(0, len(rows), size))
