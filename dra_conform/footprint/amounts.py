"""Quantities of node resources by name."""

from __future__ import annotations

from collections.abc import Mapping

from dra_conform.kube.quantity import NANO, Quantity

Amounts = Mapping[str, Quantity]

ZERO = Quantity(0)


def added(*quantities: Amounts) -> dict[str, Quantity]:
    """Return the sum of the maps of quantities by resource; a missing resource counts as zero."""
    total: dict[str, Quantity] = {}
    for each in quantities:
        for name, quantity in each.items():
            total[name] = total[name] + quantity if name in total else quantity
    return total


def greatest(first: Amounts, second: Amounts) -> dict[str, Quantity]:
    """Return the larger quantity of two maps by resource, or the only one, also a negative one."""
    return {**first, **second, **{name: max(first[name], second[name]) for name in first.keys() & second}}


def multiplied(amount: Quantity, times: Quantity) -> Quantity:
    """Return the product in the format of `amount`, rounded up to a whole nano-unit."""
    return Quantity(-(-amount.nano * times.nano // NANO), amount.format)
