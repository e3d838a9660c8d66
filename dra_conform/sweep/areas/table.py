"""The areas by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from dra_conform.sweep.area import AnyArea
from dra_conform.sweep.areas.defaults import Defaults
from dra_conform.sweep.areas.filter import Filter
from dra_conform.sweep.areas.remaining import Remaining
from dra_conform.sweep.areas.rounding import Rounding

AREAS: Mapping[str, AnyArea] = MappingProxyType(
    {area.name: area for area in (Rounding(), Defaults(), Filter(), Remaining())}
)
"""The areas by the value of `--area`."""
