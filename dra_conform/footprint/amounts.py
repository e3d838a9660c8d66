"""Quantities of node resources by name."""

from __future__ import annotations

from collections.abc import Mapping

from dra_conform.kube.quantity import NANO, Quantity

Amounts = Mapping[str, Quantity]

NOTHING = Quantity(0)


def added(*several: Amounts) -> dict[str, Quantity]:
    """The sum of each resource; one that only some have is there too."""
    total: dict[str, Quantity] = {}
    for amounts in several:
        for name, amount in amounts.items():
            total[name] = total[name] + amount if name in total else amount
    return total


def greatest(one: Amounts, other: Amounts) -> dict[str, Quantity]:
    """The larger amount of each resource."""
    names = {**one, **other}
    return {name: max(one.get(name, NOTHING), other.get(name, NOTHING)) for name in names}


def multiplied(amount: Quantity, times: Quantity) -> Quantity:
    """The exact product, in the notation of the amount; finer than nano rounds up."""
    return Quantity(-(-amount.nano * times.nano // NANO), amount.format)
