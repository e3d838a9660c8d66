"""Random quantities near the limits of rules: units, request policies, and capacities."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from dra_conform.kube.json_values import Json
from dra_conform.kube.quantity import NANO, Format, Quantity


@dataclass(frozen=True, slots=True)
class Scale:
    """The unit of all quantities of a scenario and their smallest difference, both in nano-units.

    `format` is the suffix format of the quantities.
    """

    unit: int
    tiny: int
    format: Format = Format.DECIMAL_SI

    def text(self, nano: int) -> str:
        """Return the canonical string of a quantity in nano-units."""
        return str(Quantity(nano, self.format))

    def units(self, count: int) -> str:
        """Return the canonical string of a number of units."""
        return self.text(count * self.unit)


ONES = Scale(NANO, 1)
SCALES = (ONES, ONES, Scale(NANO << 30, NANO, Format.BINARY_SI), Scale(NANO // 10, 1), Scale(1, 1))

EXTREMES = (
    "9223372036854775807",
    "9223372036854775806",
    "9223372036854775808",
    "9223372036854775807m",
    "9223372036854775808m",
    "18446744073709551617",
    "1000E",
    "1000000000000000000000000000000",
    "8Ei",
    "1n",
    "1000000001n",
    "-1",
    "-5",
    "-1n",
)
"""Capacity requests near and beyond the limit of 64 bits, and tiny and negative requests."""

VALUES = (4, 10, 8, 1)
"""Possible capacities of devices, in units."""


@dataclass(frozen=True, slots=True)
class PolicyInUnits:
    """A request policy of a capacity (KEP-5075), with all quantities in units.

    It has `values`, or a range from `low` to `high` in steps of `step`, or neither.
    """

    default: int | None = None
    values: tuple[int, ...] = ()
    low: int | None = None
    high: int | None = None
    step: int | None = None

    def json(self, scale: Scale) -> Json:
        """Return the `requestPolicy` in the form of the API."""
        policy: dict[str, Json] = {}
        if self.default is not None:
            policy["default"] = scale.units(self.default)
        if self.values:
            policy["validValues"] = [scale.units(value) for value in self.values]
        bounds = {"min": self.low, "max": self.high, "step": self.step}
        valid_range = {name: scale.units(bound) for name, bound in bounds.items() if bound is not None}
        if valid_range:
            policy["validRange"] = valid_range
        return policy


@cache
def request_policies(value: int) -> tuple[PolicyInUnits | None, ...]:
    """Return possible policies of a capacity of `value` units, first None; most have ranges."""
    plain = [
        None,
        None,
        None,
        PolicyInUnits(),
        *(PolicyInUnits(default) for default in sorted({0, 1, value})),
    ]
    lists = [
        PolicyInUnits(values[-1] if len(values) == 1 else values[len(values) // 2], values)
        for values in ((1, 2, 4), (2, 8), (0,), (0, 3), (value,), (1, 3, 7))
        if values[-1] <= value
    ]
    return (*plain, *lists, *_ranges(value))


def _ranges(value: int) -> Iterator[PolicyInUnits]:
    for low, step, high, default in (
        (1, None, None, 1),
        (2, None, 4, 3),
        (0, None, 4, 0),
        (2, 2, None, 2),
        (2, 2, 8, 4),
        (2, 3, 8, 5),
        (1, 3, None, 4),
        (1, 4, 9, 1),
        (3, 4, None, 3),
        (0, 3, None, 0),
        (1, 1, 4, 2),
        (4, None, None, 4),
    ):
        biggest = max(low + (step or 0), high or 0, default)
        if biggest <= value:
            yield PolicyInUnits(default, (), low, high, step)


def boundaries(
    scale: Scale, capacities: Sequence[Mapping[str, Json]], consumed: Sequence[int]
) -> tuple[int, ...]:
    """Return the quantities in nano-units at which an answer can change, for capacities of one name.

    These are the values, the quantities of policies, the remaining capacity, and slightly larger and smaller
    quantities. `consumed` has the consumed capacity of each shared allocation in nano-units. Quantities that
    fit are repeated, so that they are chosen more often. Raises QuantityError.
    """
    exact: set[int] = {0, scale.unit}
    for capacity in capacities:
        value = _nano(capacity["value"])
        policy = capacity.get("requestPolicy") or {}
        allowed = policy.get("validRange") or {}
        named = [policy.get("default"), *(policy.get("validValues") or ()), *allowed.values()]
        exact |= {value, value // 2, value - sum(consumed), *(value - amount for amount in consumed)}
        exact |= {_nano(text) for text in named if text is not None}
        if "step" in allowed:
            exact.add(_nano(allowed["min"]) + _nano(allowed["step"]))
    around = {amount + change for amount in exact for change in (-scale.tiny, scale.tiny, scale.unit)}
    biggest = max((_nano(capacity["value"]) for capacity in capacities), default=0)
    fitting = [amount for amount in sorted(exact) if 0 <= amount <= biggest // 2] * 3
    ordered = (*fitting, *sorted(exact), *sorted(around - exact))
    return tuple(amount for amount in ordered if amount >= 0)[:90]


def _nano(text: str) -> int:
    return Quantity.parse(text).nano
