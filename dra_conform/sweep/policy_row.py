"""Rows of sweeps about the validation of request policies: a policy with one change, and requests of the
operation `admit` that test them: one write with many capacities."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from dra_conform.conformance.implementation import Answer
from dra_conform.conformance.writes.answer import Admission, AdmissionAnswer
from dra_conform.kube.json_values import Json, UncheckedJson
from dra_conform.kube.quantity import QuantityError
from dra_conform.sweep.api_objects import resource_slice
from dra_conform.sweep.capacity_row import Capacity
from dra_conform.sweep.decision import ERRORED, REJECTED, RowDecision, RowOutcome
from dra_conform.sweep.policy_shapes import INADMISSIBLE, SHAPES
from dra_conform.sweep.quantities import LARGEST, NANO, SCALES, WrittenQuantity, exact_nano, written
from dra_conform.sweep.question import SweepQuestion

POLICY_FACTORS = ("requestPolicy", "scale", "change")
"""The factors of a row about validation. A sweep combines their value classes."""

_BOUNDS = {"default": "default", "min": "minimum", "max": "maximum", "step": "step"}
"""The fields of `Capacity` by their name in the API."""


@dataclass(frozen=True, slots=True, eq=False)
class PolicyRow:
    """A row: a capacity that is written in a ResourceSlice. `change` says how its policy differs from its
    policy class."""

    capacity: Capacity
    change: str

    @property
    def policy_class(self) -> str:
        """The value class of the requestPolicy before the change."""
        return self.capacity.policy_class

    @property
    def classes(self) -> tuple[str, str, str]:
        """The value class of each factor of `POLICY_FACTORS`."""
        return (self.capacity.policy_class, self.capacity.scale, self.change)

    @property
    def family(self) -> str:
        """The changed field of the requestPolicy, by which differences are grouped."""
        return self.change.split("=")[0].split("+")[0].split("-")[0].strip()

    def complexity(self) -> tuple[int, int]:
        """Return the number of parts and of characters of the row, by which the simplest row is found."""
        texts = [part.text for part in self.capacity.written()]
        return len(texts), sum(map(len, texts))

    def texts(self) -> dict[str, str | None]:
        """Return the quantities as written, by column of the outputs."""
        capacity = self.capacity
        bounds = {name: getattr(capacity, field) for name, field in _BOUNDS.items()}
        return {
            "value": capacity.value.text,
            **{name: None if bound is None else bound.text for name, bound in bounds.items()},
            "validValues": " ".join(value.text for value in capacity.values) or None,
        }


def policy_rows(*, negative: bool) -> Iterator[PolicyRow]:
    """Yield every policy class in every scale with every change; negative quantities only if `negative`."""
    for scale in SCALES:
        for name, shape in {**SHAPES, **INADMISSIBLE}.items():
            capacity = shape.at(name, scale)
            for change, changed in _changes(capacity, scale.suffix):
                if negative or all(part.nano >= 0 for part in changed.written()):
                    yield PolicyRow(changed, change)


def _changes(capacity: Capacity, suffix: str) -> Iterator[tuple[str, Capacity]]:
    """Yield the unchanged capacity, and the capacity with each change."""
    yield "none", capacity
    for name, field in _BOUNDS.items():
        bound: WrittenQuantity | None = getattr(capacity, field)
        if bound is None:
            continue
        yield f"{name} left out", capacity.with_part(field, None)
        for words, nano in _near(name, bound.nano, capacity.value.nano):
            yield words, capacity.with_part(field, written(nano, suffix))
    for words, nano in _near("capacity", capacity.value.nano, capacity.value.nano):
        yield words, replace(capacity, value=written(nano, suffix))
    yield from _changed_values(capacity, suffix)


def _near(name: str, nano: int, value: int) -> Iterator[tuple[str, int]]:
    for sign, offset in (("-1n", -1), ("+1n", 1), ("-1", -NANO), ("+1", NANO)):
        yield f"{name}{sign}", nano + offset
    for words, other in (("0", 0), ("capacity", value), ("capacity+1n", value + 1), ("-1n", -1)):
        if other != nano:
            yield f"{name} = {words}", other


def _changed_values(capacity: Capacity, suffix: str) -> Iterator[tuple[str, Capacity]]:
    values = capacity.values
    if not values:
        if capacity.minimum is not None and capacity.default is not None:
            yield "validValues = default", replace(capacity, values=(capacity.default,))
        return
    top = written(capacity.value.nano, suffix)
    above = written(capacity.value.nano + 1, suffix)
    yield "validValues left out", replace(capacity, values=())
    yield "validValues = one twice", replace(capacity, values=(*values, values[-1]))
    yield "validValues = descending", replace(capacity, values=(*values, written(0, suffix)))
    yield "validValues = up to capacity", replace(capacity, values=(*values, top))
    yield "validValues = above capacity", replace(capacity, values=(*values, above))
    yield "validValues = with min", replace(capacity, minimum=written(0))


CAPACITIES = 32
"""The number of capacities of a device, the maximum of the API."""

_ROWS = {RowOutcome.ACCEPTED: 32 * CAPACITIES, RowOutcome.REJECTED: CAPACITIES}
"""The number of rows of a write. API servers take time that is quadratic in the number of errors: four
seconds of CPU time for 1024 errors in one write, and 0.2 seconds in 32 writes."""

_PATH = re.compile(r"spec\.devices\[(\d{1,4})\]\.capacity\[c(\d{1,4})\]")


class PolicyQuestion(SweepQuestion):
    """One ResourceSlice, with a capacity for each row."""

    def __init__(self, table: Sequence[PolicyRow], rows: Sequence[int], *, may_crash: bool = False) -> None:
        self.may_crash = may_crash
        self._table = table
        self.rows = rows

    def objects(self) -> Mapping[str, tuple[Json, ...]]:
        return {}

    def ask(self) -> Mapping[str, Json]:
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

    def alone(self, rows: Sequence[int]) -> Iterator[SweepQuestion]:
        return (PolicyQuestion(self._table, [row]) for row in rows)

    def _stored(self, place: int, row: int, stored: Mapping[str, UncheckedJson] | None) -> RowDecision:
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


def policy_slice(rows: Sequence[PolicyRow]) -> Json:
    """Return a ResourceSlice with a capacity for each row, `c0`, `c1` and so on of the devices `d0`, ..."""
    devices: list[Json] = []
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


def _quantities(name: str, value: UncheckedJson) -> Iterator[tuple[str, int]]:
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


def _item(value: UncheckedJson, *path: str | int) -> UncheckedJson:
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
