"""The areas by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from dra_conform.sweep.area import AnyArea
from dra_conform.sweep.areas.counters import Counters
from dra_conform.sweep.areas.defaults import Defaults
from dra_conform.sweep.areas.filter import Filter
from dra_conform.sweep.areas.footprint import FootprintArea
from dra_conform.sweep.areas.notation import Notation
from dra_conform.sweep.areas.policy import Policy
from dra_conform.sweep.areas.remaining import Remaining
from dra_conform.sweep.areas.rounding import Rounding
from dra_conform.sweep.areas.usage import UsageArea

_ALL: tuple[AnyArea, ...] = (
    Rounding(),
    Defaults(),
    Filter(),
    Remaining(),
    Counters(),
    Notation(),
    FootprintArea(),
    UsageArea(),
    Policy(),
)

AREAS: Mapping[str, AnyArea] = MappingProxyType({area.name: area for area in _ALL})
"""The areas by the value of `--area`."""
