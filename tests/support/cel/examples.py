"""Devices that the tests of the interpreter share."""

from __future__ import annotations

from dra_conform import cel
from dra_conform.cel.values.semantic_version import parse
from dra_conform.kube.quantity import Quantity

DOMAIN = "dra.example.com"

NIC = cel.DeviceView(
    driver=DOMAIN,
    attributes={
        DOMAIN: {
            "healthy": True,
            "numa": 1,
            "model": "fish",
            "lanes": (1, 2),
            "services": ("web", "db"),
            "firmware": parse("1.2.3"),
        }
    },
    capacity={DOMAIN: {"memory": Quantity.parse("10Gi")}},
    allow_multiple_allocations=True,
)


def short(expression: str) -> str:
    """Replace `A` and `C` by the attributes and capacities of the driver's domain."""
    return expression.replace("A.", f'device.attributes["{DOMAIN}"].').replace(
        "C.", f'device.capacity["{DOMAIN}"].'
    )
