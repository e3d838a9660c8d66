"""Capacities of each policy class and scale, and the requests near their bounds."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from dra_conform.apiserver.device_capacity import capacity as capacity_rule
from dra_conform.apiserver.response import Crash, FieldErrors
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.api_server import ApiServerSwitches
from dra_conform.sweep.capacity_row import Capacity
from dra_conform.sweep.quantities import NANO, SCALES, ValueClass, WrittenQuantity, written

WHOLE = 7
"""The capacity value of all shapes, in units of the scale."""


@dataclass(frozen=True, slots=True)
class PolicyShape:
    """A requestPolicy with quantities in units of a scale."""

    default: int | None = None
    minimum: int | None = None
    maximum: int | None = None
    step: int | None = None
    values: tuple[int, ...] = ()

    def at(self, name: str, scale: ValueClass) -> Capacity:
        """Return the capacity of this shape in a scale."""

        def quantity(units: int) -> WrittenQuantity:
            return written(units * scale.nano, scale.suffix)

        def optional(units: int | None) -> WrittenQuantity | None:
            return None if units is None else quantity(units)

        return Capacity(
            name,
            scale.name,
            quantity(WHOLE),
            optional(self.default),
            optional(self.minimum),
            optional(self.maximum),
            optional(self.step),
            tuple(map(quantity, self.values)),
        )


SHAPES: Mapping[str, PolicyShape] = MappingProxyType(
    {
        "no policy": PolicyShape(),
        "default": PolicyShape(default=4),
        "min": PolicyShape(default=4, minimum=2),
        "min, max": PolicyShape(default=4, minimum=2, maximum=6),
        "min, step": PolicyShape(default=4, minimum=2, step=2),
        "min, step, max": PolicyShape(default=4, minimum=2, step=2, maximum=6),
        "min, step 3, max": PolicyShape(default=1, minimum=1, step=3, maximum=7),
        "min 0, step": PolicyShape(default=0, minimum=0, step=2),
        "one value": PolicyShape(default=4, values=(4,)),
        "three values": PolicyShape(default=4, values=(2, 4, 6)),
        "value 0": PolicyShape(default=0, values=(0,)),
    }
)
"""The policy classes whose policies an API server admits."""

INADMISSIBLE: Mapping[str, PolicyShape] = MappingProxyType(
    {
        "no default": PolicyShape(minimum=2, maximum=6),
        "default off step": PolicyShape(default=3, minimum=2, step=2),
        "default above max": PolicyShape(default=7, minimum=2, maximum=6),
        "step 0": PolicyShape(default=2, minimum=2, step=0),
        "min above max": PolicyShape(default=4, minimum=6, maximum=2),
        "max above capacity": PolicyShape(default=4, minimum=2, maximum=9),
    }
)
"""Policy classes whose policies no API server admits."""


def capacities(profile: Profile, *, inadmissible: bool) -> Iterator[Capacity]:
    """Yield the capacities of all policy classes and scales."""
    for scale in SCALES:
        for name, shape in SHAPES.items():
            capacity = shape.at(name, scale)
            if inadmissible or admissible(capacity, profile):
                yield capacity
        if inadmissible:
            yield from (shape.at(name, scale) for name, shape in INADMISSIBLE.items())


def admissible(capacity: Capacity, profile: Profile) -> bool:
    """Whether the API server admits the capacity in a shared device."""
    typed = capacity.typed()
    policy = typed.request_policy
    tree: dict[str, object] = {"value": typed.value}
    if policy is not None:
        valid = policy.valid_range
        bounds = {} if valid is None else {"min": valid.min, "max": valid.max, "step": valid.step}
        parts: dict[str, object] = {
            "default": policy.default,
            "validValues": list(policy.valid_values) or None,
            "validRange": {name: bound for name, bound in bounds.items() if bound is not None} or None,
        }
        tree["requestPolicy"] = {name: part for name, part in parts.items() if part is not None}
    errors = FieldErrors()
    try:
        capacity_rule(ApiServerSwitches.of(profile), multiple_allocations=True)(tree, None, "", errors)
    except Crash:
        return False
    return not errors


def bounds_of(capacity: Capacity) -> Iterator[tuple[str, int]]:
    """Yield the bounds of a capacity in nano-units, with their names in reports."""
    if capacity.minimum is not None:
        yield "min", capacity.minimum.nano
        if capacity.step is not None and capacity.step.nano > 0:
            yield "one step", capacity.minimum.nano + capacity.step.nano
            yield "between steps", capacity.minimum.nano + capacity.step.nano * 3 // 2
    if capacity.maximum is not None:
        yield "max", capacity.maximum.nano
    yield from ((f"value {place}", value.nano) for place, value in enumerate(capacity.values, start=1))
    if capacity.default is not None:
        yield "default", capacity.default.nano
    yield "capacity", capacity.value.nano


def near_bounds(capacity: Capacity) -> Iterator[tuple[str, WrittenQuantity]]:
    """Yield requests at each bound, and one nano-unit and one whole unit above and below it."""
    suffix = next((scale.suffix for scale in SCALES if scale.name == capacity.scale), "")
    for name, nano in bounds_of(capacity):
        for sign, offset in (("", 0), ("-1n", -1), ("+1n", 1), ("-1", -NANO), ("+1", NANO)):
            if nano + offset >= 0:
                yield f"{name}{sign}", written(nano + offset, suffix)


def random_capacity(chance: random.Random, profile: Profile, *, inadmissible: bool) -> Capacity:
    """Return a random capacity with a valid requestPolicy or, with `inadmissible`, with any requestPolicy."""
    while True:
        scale = chance.choice(SCALES)
        top = chance.choice((12, 100, 1000))
        name, shape = chance.choice(list(SHAPES.items()))
        low = chance.randrange(top // 2)
        step = chance.randrange(1, top // 2)
        steps = (top - low) // step
        values = tuple(sorted({chance.randrange(top) for _ in shape.values}))
        random_shape = PolicyShape(
            default=None if shape.default is None else chance.choice(values or (low, low + step)),
            minimum=None if shape.minimum is None else low,
            maximum=None if shape.maximum is None else low + step * chance.randint(1, max(steps, 1)),
            step=None if shape.step is None else step,
            values=values,
        )
        shaped = random_shape.at(name, scale)
        value = max((part.nano for part in shaped.written()), default=0)
        off = chance.choice((0, 0, 0, 1, NANO // 2)) if inadmissible or scale.nano >= NANO else 0
        capacity = Capacity(
            name,
            scale.name,
            written(max(value, top * scale.nano) + off, scale.suffix),
            shaped.default,
            shaped.minimum,
            shaped.maximum,
            shaped.step,
            shaped.values,
        )
        if inadmissible or admissible(capacity, profile):
            return capacity
