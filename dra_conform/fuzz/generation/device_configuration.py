"""Random opaque driver configuration in DeviceClasses and claims."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dra_conform.conformance.steps.given import DRIVER
from dra_conform.fuzz.generation.chance import Choose

Json = Any

PARAMETERS: tuple[Json, ...] = ({"mode": "a"}, {"mode": "b", "depth": 2}, {"list": [1, "x", None]})
"""Opaque parameters for drivers: strings, numbers, lists."""


def class_configuration(choose: Choose) -> list[Json]:
    """Generate up to two configuration entries of a DeviceClass."""
    return [_opaque(choose) for _ in range(choose((1, 0, 2)))]


def claim_configuration(choose: Choose, scopes: Sequence[tuple[str, ...]]) -> list[Json]:
    """Generate up to two configuration entries of a claim, each for one scope (names of requests)."""
    return [
        {**({"requests": list(scope)} if (scope := choose(scopes)) else {}), **_opaque(choose)}
        for _ in range(choose((1, 0, 2)))
    ]


def _opaque(choose: Choose) -> dict[str, Json]:
    return {
        "opaque": {"driver": choose((DRIVER, DRIVER, "net.example.com")), "parameters": choose(PARAMETERS)}
    }
