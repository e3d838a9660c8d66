"""Rows of sweeps about counters: the consumption of a counter that several partitions share, and requests of
the operation `allocate` that test them.

Each claim has its own pool and a prioritized list, whose last subrequest is met by a device without counters.
Rows that are expected to be accepted are counters of one partition; rows that are expected to be rejected are
counters of several partitions, one for each subrequest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dra_conform.conformance.allocate.answer import AllocationAnswer, Outcome
from dra_conform.conformance.implementation import Answer
from dra_conform.conformance.steps.given import CLASS, DRIVER, NODE, RESOURCE
from dra_conform.kube.json_values import Json
from dra_conform.sweep.api_objects import CLASS_OBJECT, NODE_OBJECT, claim_object, resource_slice, subrequest
from dra_conform.sweep.decision import REJECTED, RowDecision, RowOutcome, without_allocation
from dra_conform.sweep.quantities import WrittenQuantity
from dra_conform.sweep.question import SweepQuestion

COUNTER_FACTORS = ("partitions", "scale", "consumes")
"""The factors of a row about counters. A sweep combines their value classes."""

_SET = "counters"


@dataclass(frozen=True, slots=True, eq=False)
class CounterRow:
    """A row: the value of a counter, the consumption of allocated partitions, and that of one more
    partition."""

    value: WrittenQuantity
    held: tuple[WrittenQuantity, ...]
    consumes: WrittenQuantity
    policy_class: str
    scale: str
    value_class: str

    @property
    def classes(self) -> tuple[str, str, str]:
        """The value class of each factor of `COUNTER_FACTORS`."""
        return (self.policy_class, self.scale, self.value_class)

    @property
    def family(self) -> str:
        """The name of the only rule: partitions together consume at most the value of the counter."""
        return "counter"

    def complexity(self) -> tuple[int, int]:
        """Return the number of parts and of characters of the row, by which the simplest row is found."""
        texts = [self.value.text, self.consumes.text, *(share.text for share in self.held)]
        return len(texts), sum(map(len, texts))

    def texts(self) -> dict[str, str | None]:
        """Return the quantities as written, by column of the outputs."""
        held = " ".join(share.text for share in self.held)
        return {"value": self.value.text, "held": held or None, "consumed": self.consumes.text}


def counter_slices(
    pool: str, counters: Sequence[str], partitions: Sequence[Json], *, same_slice: bool
) -> list[Json]:
    """Return the ResourceSlices of a pool with one counter set; `counters` are the values of c0, c1, ...

    Partitions are in a ResourceSlice of their own, unless they must be in that of their counters.
    """
    declared = [
        {"name": _SET, "counters": {f"c{place}": {"value": text} for place, text in enumerate(counters)}}
    ]
    if same_slice:
        only = resource_slice(pool, partitions)
        return [{**only, "spec": {**only["spec"], "sharedCounters": declared}}]
    with_devices = resource_slice(pool, partitions)
    place = {"name": pool, "generation": 1, "resourceSliceCount": 2}
    return [
        {**with_devices, "spec": {**with_devices["spec"], "pool": place}},
        {
            "apiVersion": RESOURCE,
            "kind": "ResourceSlice",
            "metadata": {"name": f"{pool}-counters"},
            "spec": {"driver": DRIVER, "pool": place, "nodeName": NODE, "sharedCounters": declared},
        },
    ]


def partition(name: str, row: int, consumed: Sequence[tuple[int, str]]) -> Json:
    """Return a device that consumes counters, given by index; the value of its attribute `row` selects it."""
    counters = {f"c{place}": {"value": text} for place, text in consumed}
    return {
        "name": name,
        "attributes": {"row": {"int": row}},
        "consumesCounters": [{"counterSet": _SET, "counters": counters}],
    }


def allocated_partition(name: str, pool: str, device: str) -> Json:
    """Return a ResourceClaim to which a partition is allocated."""
    exactly = {"deviceClassName": CLASS, "allocationMode": "ExactCount", "count": 1}
    claim = claim_object(name, [{"name": "r0", "exactly": exactly}])
    result = {"request": "r0", "driver": DRIVER, "pool": pool, "device": device}
    return {**claim, "status": {"allocation": {"devices": {"results": [result]}}}}


COUNTERS = 32
"""The number of counters of a counter set, the maximum of the API."""

SUBREQUESTS = 7
"""The number of partitions of a claim. Each has one subrequest, and the eighth subrequest is for the fallback
device."""

POOLS = 16
"""The number of pools in a request. Each pool has a claim."""

_FALLBACK = "none"


@dataclass(frozen=True, slots=True)
class PoolRows:
    """The rows of a pool, each a counter; `together` if one partition consumes all of them."""

    rows: Sequence[int]
    together: bool


class CounterQuestion(SweepQuestion):
    """A request with one claim for each pool, which needs a partition of the pool."""

    def __init__(self, table: Sequence[CounterRow], pools: Sequence[PoolRows], *, same_slice: bool) -> None:
        self._table = table
        self._pools = pools
        self._same_slice = same_slice
        self.rows = [row for pool in pools for row in pool.rows]

    def objects(self) -> Mapping[str, tuple[Json, ...]]:
        slices: list[Json] = []
        claims: list[Json] = []
        for number, pool in enumerate(self._pools):
            held, allocated = self._held(number, pool)
            partitions = [
                partition(f"d{number}-{place}", self._selected(number, place), consumed)
                for place, consumed in enumerate(self._attempts(pool))
            ]
            values = [self._table[row].value.text for row in pool.rows]
            slices += counter_slices(f"p{number}", values, [*partitions, *held], same_slice=self._same_slice)
            claims += [*allocated, self._claim(number, len(partitions))]
        slices.append(resource_slice("fallback", list(self._fallbacks())))
        return {
            "nodes": (NODE_OBJECT,),
            "deviceClasses": (CLASS_OBJECT,),
            "resourceSlices": tuple(slices),
            "resourceClaims": tuple(claims),
        }

    def ask(self) -> Mapping[str, Json]:
        return {"node": NODE, "claims": [f"default/r{number}" for number in range(len(self._pools))]}

    def read(self, answer: Answer) -> Mapping[int, RowDecision]:
        assert isinstance(answer, AllocationAnswer)
        if answer.outcome is not Outcome.ALLOCATED:
            return without_allocation(self.rows, answer)
        found: dict[int, RowDecision] = {}
        for number, pool in enumerate(self._pools):
            found.update(self._read(number, pool, answer.allocations.get(f"default/r{number}")))
        return found

    def alone(self, rows: Sequence[int]) -> Iterator[SweepQuestion]:
        for begin in range(0, len(rows), POOLS):
            pools = [PoolRows([row], together=True) for row in rows[begin : begin + POOLS]]
            yield CounterQuestion(self._table, pools, same_slice=self._same_slice)

    def _attempts(self, pool: PoolRows) -> list[list[tuple[int, str]]]:
        """Return the quantities that each partition of a pool consumes, by index of the counter."""
        consumed = [(place, self._table[row].consumes.text) for place, row in enumerate(pool.rows)]
        return [consumed] if pool.together else [[each] for each in consumed]

    def _held(self, number: int, pool: PoolRows) -> tuple[list[Json], list[Json]]:
        """Return the allocated partitions of a pool, and their claims."""
        partitions: list[Json] = []
        claims: list[Json] = []
        for share in range(max(len(self._table[row].held) for row in pool.rows)):
            consumed = [
                (place, self._table[row].held[share].text)
                for place, row in enumerate(pool.rows)
                if share < len(self._table[row].held)
            ]
            name = f"h{number}-{share}"
            partitions.append(partition(name, -2, consumed))
            claims.append(allocated_partition(name, f"p{number}", name))
        return partitions, claims

    def _claim(self, number: int, partitions: int) -> Json:
        subrequests = [subrequest(f"s{place}", self._selected(number, place)) for place in range(partitions)]
        fallback = subrequest(_FALLBACK, self._selected(number, SUBREQUESTS))
        return claim_object(f"r{number}", [{"name": "r0", "firstAvailable": [*subrequests, fallback]}])

    def _selected(self, number: int, place: int) -> int:
        return number * (SUBREQUESTS + 1) + place

    def _fallbacks(self) -> Iterator[Json]:
        for number in range(len(self._pools)):
            selected = self._selected(number, SUBREQUESTS)
            yield {"name": f"{_FALLBACK}-{number}", "attributes": {"row": {"int": selected}}}

    def _read(self, number: int, pool: PoolRows, allocation: Json) -> Iterator[tuple[int, RowDecision]]:
        """Yield the result of each row of a pool that the allocation of the claim shows."""
        if allocation is None:
            return
        attempts = [pool.rows] if pool.together else [[row] for row in pool.rows]
        places = {(f"r0/s{place}", f"d{number}-{place}"): place for place in range(len(attempts))} | {
            (f"r0/{_FALLBACK}", f"{_FALLBACK}-{number}"): len(attempts)
        }
        results = allocation["devices"].get("results", [])
        result = results[0] if len(results) == 1 else {"request": "", "device": ""}
        chosen = places.get((result["request"], result["device"]))
        if chosen is None:
            if len(pool.rows) == 1:
                detail = "the ResourceClaim has a wrong number of devices, or a wrong device"
                yield pool.rows[0], RowDecision(RowOutcome.UNREADABLE, detail=detail)
            return
        if all(len(rows) == 1 for rows in attempts[:chosen]):
            yield from ((rows[0], REJECTED) for rows in attempts[:chosen])
            for rows in attempts[chosen : chosen + 1]:
                yield from ((row, RowDecision(RowOutcome.ACCEPTED)) for row in rows)


def counter_questions(
    table: Sequence[CounterRow], expected: Sequence[RowOutcome], *, same_slice: bool
) -> Iterator[CounterQuestion]:
    """Yield requests that test all rows. `expected` only determines which rows share a partition."""
    accepted = [number for number, outcome in enumerate(expected) if outcome is RowOutcome.ACCEPTED]
    rejected = [number for number, outcome in enumerate(expected) if outcome is not RowOutcome.ACCEPTED]
    pools = [PoolRows(accepted[i : i + COUNTERS], True) for i in range(0, len(accepted), COUNTERS)]
    pools += [PoolRows(rejected[i : i + SUBREQUESTS], False) for i in range(0, len(rejected), SUBREQUESTS)]
    for begin in range(0, len(pools), POOLS):
        yield CounterQuestion(table, pools[begin : begin + POOLS], same_slice=same_slice)
