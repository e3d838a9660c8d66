"""Rows of sweeps about the validation of request policies: a policy with one change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dra_conform.sweep.capacity_row import Capacity
from dra_conform.sweep.policy_shapes import INADMISSIBLE, SHAPES
from dra_conform.sweep.quantities import NANO, SCALES, WrittenQuantity, written

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
