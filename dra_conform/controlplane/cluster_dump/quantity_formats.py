"""The notation of computed quantities."""

from __future__ import annotations

from dra_conform.kube.quantity import Format, Quantity

_BYTES = ("memory", "ephemeral-storage", "hugepages-")
"""The parts of names of resources whose quantities are written with binary suffixes."""


def quantity_of(nano: int, name: str, limit: Quantity | None) -> Quantity:
    """Return a quantity of nano-units in the notation of its limit, or else as usual for the resource."""
    binary = any(part in name for part in _BYTES)
    form = limit.format if limit else Format.BINARY_SI if binary else Format.DECIMAL_SI
    return Quantity(nano, form)
