"""Rows of sweeps about capacity: a capacity with its requestPolicy, shared allocations, and a request."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from dra_conform.kube.json_values import Json
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource import CapacityRequestPolicy, CapacityRequestPolicyRange, DeviceCapacity
from dra_conform.sweep.quantities import WrittenQuantity


@dataclass(frozen=True, slots=True, eq=False)
class Capacity:
    """A capacity with its requestPolicy. `policy_class` and `scale` are its classes in reports.

    Rows share capacities, so a capacity is compared by identity.
    """

    policy_class: str
    scale: str
    value: WrittenQuantity
    default: WrittenQuantity | None = None
    minimum: WrittenQuantity | None = None
    maximum: WrittenQuantity | None = None
    step: WrittenQuantity | None = None
    values: tuple[WrittenQuantity, ...] = ()
    body: Mapping[str, Json] = field(init=False, repr=False)
    """The capacity as in a ResourceSlice, made once because many rows share it."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "body", self._body())

    def _body(self) -> dict[str, Json]:
        bounds = {"min": self.minimum, "max": self.maximum, "step": self.step}
        valid_range = {name: bound.text for name, bound in bounds.items() if bound is not None}
        policy: dict[str, Json] = {}
        if self.default is not None:
            policy["default"] = self.default.text
        if valid_range:
            policy["validRange"] = valid_range
        if self.values:
            policy["validValues"] = [value.text for value in self.values]
        return {"value": self.value.text, **({"requestPolicy": policy} if policy else {})}

    def typed(self) -> DeviceCapacity:
        """Return the capacity as an API object, built from numbers without parsing strings."""
        has_range = any(bound is not None for bound in (self.minimum, self.maximum, self.step))
        policy = None
        if has_range or self.values or self.default is not None:
            policy = CapacityRequestPolicy(
                default=_quantity(self.default),
                valid_values=tuple(Quantity(value.nano) for value in self.values),
                valid_range=CapacityRequestPolicyRange(
                    min=_quantity(self.minimum), max=_quantity(self.maximum), step=_quantity(self.step)
                )
                if has_range
                else None,
            )
        return DeviceCapacity(value=Quantity(self.value.nano), request_policy=policy)

    def with_part(self, name: str, part: WrittenQuantity | None) -> Capacity:
        """Return the capacity with another quantity in one field, such as `minimum`."""
        changes: dict[str, Any] = {name: part}
        return replace(self, **changes)

    def written(self) -> Iterable[WrittenQuantity]:
        """Yield all quantities of the capacity."""
        yield self.value
        yield from (
            part for part in (self.default, self.minimum, self.maximum, self.step) if part is not None
        )
        yield from self.values


class CapacityRow(msgspec.Struct, frozen=True, eq=False):
    """A row: a request for a capacity, of which shared allocations already consume `held`.

    `requested` is None if the request does not name the capacity. `shared` is
    `allowMultipleAllocations` of the device; on an exclusive device nothing is consumed. `value_class` and
    `left_class` are the classes of the request and of the remaining capacity.
    """

    capacity: Capacity
    requested: WrittenQuantity | None
    held: tuple[WrittenQuantity, ...]
    value_class: str
    left_class: str
    shared: bool = True

    @property
    def policy_class(self) -> str:
        """The value class of the requestPolicy."""
        return self.capacity.policy_class

    @property
    def classes(self) -> tuple[str, str, str, str]:
        """The value class of each factor of `CAPACITY_FACTORS`."""
        return (self.capacity.policy_class, self.capacity.scale, self.value_class, self.left_class)

    @property
    def family(self) -> str:
        """The rule of the requestPolicy that determines the consumed quantity."""
        capacity = self.capacity
        if not self.shared:
            return "exclusive"
        if self.requested is None:
            return "default"
        if capacity.values:
            return "validValues"
        if capacity.step is not None:
            return "step"
        return "no range" if capacity.minimum is None else "range"

    def fits_unnamed(self) -> bool:
        """Whether the quantity that a request consumes without naming the capacity still remains."""
        unnamed = self.capacity.default or self.capacity.value
        return unnamed.nano + sum(share.nano for share in self.held) <= self.capacity.value.nano

    def largest(self) -> int:
        """Return the largest quantity of the capacity and the request, in nano-units."""
        quantities = [part.nano for part in self.capacity.written()]
        return max(*quantities, 0 if self.requested is None else self.requested.nano)

    def complexity(self) -> tuple[int, int]:
        """Return the number of parts and of characters of the row, by which the simplest row is found."""
        texts = [part.text for part in (*self.capacity.written(), *self.held)]
        texts += [] if self.requested is None else [self.requested.text]
        return len(texts), sum(map(len, texts))

    def texts(self) -> dict[str, str | None]:
        """Return the quantities as written, by column of the outputs."""
        capacity = self.capacity
        return {
            "value": capacity.value.text,
            "default": _text(capacity.default),
            "min": _text(capacity.minimum),
            "max": _text(capacity.maximum),
            "step": _text(capacity.step),
            "validValues": " ".join(value.text for value in capacity.values) or None,
            "held": " ".join(share.text for share in self.held) or None,
            "requested": _text(self.requested),
        }


CAPACITY_FACTORS = ("requestPolicy", "scale", "request", "remaining capacity")
"""The factors of a row about capacity. A sweep combines their value classes."""


def _quantity(written: WrittenQuantity | None) -> Quantity | None:
    return None if written is None else Quantity(written.nano)


def _text(written: WrittenQuantity | None) -> str | None:
    return None if written is None else written.text
