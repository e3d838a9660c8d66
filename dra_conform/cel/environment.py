"""The names a device selector may use: one variable, the type names and all functions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from dra_conform.cel import types
from dra_conform.cel.functions import OVERLOADS
from dra_conform.cel.overloads import Overload
from dra_conform.cel.standard import STANDARD
from dra_conform.cel.types import Type

VARIABLE = "device"

FIELDS: Mapping[str, Type] = {
    "driver": types.STRING,
    "attributes": types.map_of(types.STRING, types.map_of(types.STRING, types.DYN)),
    "capacity": types.map_of(types.STRING, types.map_of(types.STRING, types.QUANTITY)),
    "allowMultipleAllocations": types.BOOL,
}
"""The fields of `device`, as in the environment for stored expressions of Kubernetes 1.36."""

TYPE_NAMES: Mapping[str, Type] = {
    **{
        t.name: t
        for t in (types.BOOL, types.INT, types.UINT, types.DOUBLE, types.STRING, types.BYTES, types.NULL)
    },
    "list": types.list_of(types.DYN),
    "map": types.map_of(types.DYN, types.DYN),
    "type": types.TYPE,
    "optional_type": types.optional_of(types.DYN),
    types.DURATION.name: types.DURATION,
    types.TIMESTAMP.name: types.TIMESTAMP,
}


@cache
def functions() -> Mapping[str, tuple[Overload, ...]]:
    """All overloads by the name of their function."""
    found: dict[str, list[Overload]] = {}
    for overload in (*STANDARD, *OVERLOADS):
        found.setdefault(overload.name, []).append(overload)
    return {name: tuple(overloads) for name, overloads in found.items()}
