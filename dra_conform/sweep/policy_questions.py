"""Requests of the operation `admit` that test request policies: one write with many capacities."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from dra_conform.conformance.implementation import Answer
from dra_conform.conformance.writes.answer import Admission, AdmissionAnswer
from dra_conform.kube.json_values import CheckedJson, Json
from dra_conform.kube.quantity import QuantityError
from dra_conform.sweep.api_objects import resource_slice
from dra_conform.sweep.decision import ERRORED, REJECTED, RowDecision, RowOutcome
from dra_conform.sweep.policy_row import PolicyRow
from dra_conform.sweep.quantities import LARGEST, exact_nano
from dra_conform.sweep.question import Question

CAPACITIES = 32
"""The number of capacities of a device, the maximum of the API."""

_ROWS = {RowOutcome.ACCEPTED: 32 * CAPACITIES, RowOutcome.REJECTED: CAPACITIES}
"""The number of rows of a write. API servers take time that is quadratic in the number of errors: four
seconds of CPU time for 1024 errors in one write, and 0.2 seconds in 32 writes."""

_PATH = re.compile(r"spec\.devices\[(\d{1,4})\]\.capacity\[c(\d{1,4})\]")


class PolicyQuestion(Question):
    """One ResourceSlice, with a capacity for each row."""

    def __init__(self, table: Sequence[PolicyRow], rows: Sequence[int], *, may_crash: bool = False) -> None:
        self.may_crash = may_crash
        self._table = table
        self.rows = rows

    def objects(self) -> Mapping[str, tuple[CheckedJson, ...]]:
        return {}

    def ask(self) -> Mapping[str, CheckedJson]:
        return {"verb": "create", "object": policy_slice([self._table[row] for row in self.rows])}

    def read(self, answer: Answer) -> Mapping[int, RowDecision]:
        assert isinstance(answer, AdmissionAnswer)
        if answer.outcome is Admission.ADMITTED:
            return {row: self._stored(place, row, answer.object) for place, row in enumerate(self.rows)}
        if answer.reason != "Invalid":
            return {self.rows[0]: ERRORED} if len(self.rows) == 1 else {}
        if len(self.rows) == 1:
            return {self.rows[0]: REJECTED}
        matches = (_PATH.match(error.path) for error in answer.errors)
        places = {int(match[1]) * CAPACITIES + int(match[2]) for match in matches if match}
        return {row: REJECTED for place, row in enumerate(self.rows) if place in places}

    def alone(self, rows: Sequence[int]) -> Iterator[Question]:
        return (PolicyQuestion(self._table, [row]) for row in rows)

    def _stored(self, place: int, row: int, stored: Mapping[str, Json] | None) -> RowDecision:
        """Return the result of an admitted capacity, with the sum of its stored quantities."""
        number, capacity = divmod(place, CAPACITIES)
        sent = self._table[row].capacity.body
        found = _item(stored, "spec", "devices", number, "capacity", f"c{capacity}")
        if not isinstance(found, Mapping):
            return RowDecision(RowOutcome.MISSING, detail="the stored device has no such capacity")
        try:
            expected, actual = dict(_quantities("", sent)), dict(_quantities("", found))
        except (QuantityError, ValueError) as error:
            return RowDecision(RowOutcome.UNREADABLE, detail=str(error)[:80])
        wrong = sorted(name for name in expected | actual if expected.get(name) != actual.get(name))
        if wrong and sum(expected.values()) == sum(actual.values()):
            return RowDecision(RowOutcome.UNREADABLE, detail=f"another stored {wrong[0][:60]}")
        total = sum(actual.values())
        if abs(total) >= LARGEST:
            return RowDecision(RowOutcome.UNREADABLE, detail="a stored quantity is out of range")
        return RowDecision(RowOutcome.ACCEPTED, total, f"stored as {found}"[:200] if wrong else "")


def policy_slice(rows: Sequence[PolicyRow]) -> CheckedJson:
    """Return a ResourceSlice with a capacity for each row, `c0`, `c1` and so on of the devices `d0`, ..."""
    devices: list[CheckedJson] = []
    for begin in range(0, len(rows), CAPACITIES):
        part = rows[begin : begin + CAPACITIES]
        devices.append(
            {
                "name": f"d{len(devices)}",
                "allowMultipleAllocations": True,
                "capacity": {f"c{place}": row.capacity.body for place, row in enumerate(part)},
            }
        )
    return resource_slice("policies", devices)


def _quantities(name: str, value: Json) -> Iterator[tuple[str, int]]:
    """Yield the quantities of a capacity by field, in nano-units; raises QuantityError and ValueError."""
    if isinstance(value, str):
        yield name, exact_nano(value)
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield from _quantities(f"{name}.{key}", part)
    elif isinstance(value, (list, tuple)):
        for place, part in enumerate(value):
            yield from _quantities(f"{name}[{place}]", part)
    else:
        raise ValueError(f"stored {name or 'capacity'} is {value!r}, expected a quantity")


def _item(value: Json, *path: str | int) -> Json:
    """Return a part of a JSON value, None if there is none."""
    for step in path:
        if isinstance(step, int) and isinstance(value, list) and step < len(value):
            value = value[step]
        elif isinstance(step, str) and isinstance(value, Mapping):
            value = value.get(step)
        else:
            return None
    return value


def policy_questions(
    table: Sequence[PolicyRow], expected: Sequence[RowOutcome], crashes: Callable[[PolicyRow], bool]
) -> Iterator[PolicyQuestion]:
    """Yield writes that test all rows. `expected` and `crashes` only determine which rows share a write."""
    together: defaultdict[tuple[RowOutcome, bool], list[int]] = defaultdict(list)
    for number, (row, outcome) in enumerate(zip(table, expected, strict=True)):
        together[outcome, crashes(row)].append(number)
    for (outcome, may_crash), rows in together.items():
        size = _ROWS.get(outcome, 1)
        for begin in range(0, len(rows), size):
            yield PolicyQuestion(table, rows[begin : begin + size], may_crash=may_crash)
