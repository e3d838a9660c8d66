"""The names a device selector may use: one variable, the type names and all functions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from dra_conform.cel.functions.libraries import OVERLOADS
from dra_conform.cel.functions.list_extension import NEW_LISTS
from dra_conform.cel.functions.overloads import Overload
from dra_conform.cel.functions.standard import STANDARD
from dra_conform.cel.values import types
from dra_conform.cel.values.types import Type
from dra_conform.kube.profile import Profile

VARIABLE = "device"
"""The one variable of a device selector."""


@dataclass(frozen=True, slots=True)
class Environment:
    """What selectors may use; it differs from release to release, and the default is all of it.

    `lists`: attributes may be lists, so the compiler lets macros go over them. `includes`: the function of
    that name exists. `durations_of_ints`: `duration` of an int does. `sharing`: a device has the field
    allowMultipleAllocations. `list_functions`: those of Kubernetes 1.34, such as `slice` and `sort`, exist.
    """

    lists: bool = True
    includes: bool = True
    durations_of_ints: bool = True
    sharing: bool = True
    list_functions: bool = True

    @staticmethod
    def of(profile: Profile) -> Environment:
        """That of a release, or of the KEPs, for stored expressions, which allocators use.

        The gates of an API server do not count there: 1.36 has `includes` whatever its gates, 1.37 lists too.
        """
        on = profile.enabled("DRAListTypeAttributes")
        if profile.release is None:
            return Environment(lists=on, includes=on)
        minor = int(profile.release.partition(".")[2])
        return Environment(lists=minor >= 37 or on, includes=minor >= 36, durations_of_ints=minor < 37)

    @staticmethod
    def of_new(profile: Profile) -> Environment:
        """That for expressions which an API server has not stored yet.

        They may use what its gates turn on, and only functions that the release before had too.
        """
        on = profile.enabled("DRAListTypeAttributes")
        return Environment(
            lists=on,
            includes=on,
            durations_of_ints=profile.before("1.37"),
            sharing=profile.enabled("DRAConsumableCapacity"),
            list_functions=not profile.before("1.35"),
        )

    @property
    def attribute(self) -> Type:
        """The type of a device's attribute, and besides bool the only one a selector may have."""
        return types.DYN if self.lists else types.ANY

    @property
    def fields(self) -> Mapping[str, Type]:
        """The fields of `device`."""
        return _fields(self.attribute, self.sharing)

    @property
    def functions(self) -> Mapping[str, tuple[Overload, ...]]:
        """All overloads by the name of their function."""
        return _functions(self)


FULL = Environment()
"""All there is in any release."""


@cache
def _fields(attribute: Type, sharing: bool) -> Mapping[str, Type]:
    fields = {
        "driver": types.STRING,
        "attributes": types.map_of(types.STRING, types.map_of(types.STRING, attribute)),
        "capacity": types.map_of(types.STRING, types.map_of(types.STRING, types.QUANTITY)),
    }
    return {**fields, "allowMultipleAllocations": types.BOOL} if sharing else fields


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
"""The types that an expression may name as values."""


@cache
def _functions(environment: Environment) -> Mapping[str, tuple[Overload, ...]]:
    found: dict[str, list[Overload]] = {}
    for overload in (*STANDARD, *OVERLOADS):
        if _known(overload, environment):
            found.setdefault(overload.name, []).append(overload)
    return {name: tuple(overloads) for name, overloads in found.items()}


def _known(overload: Overload, environment: Environment) -> bool:
    if overload.name == "includes":
        return environment.includes
    if overload.name in NEW_LISTS:
        return environment.list_functions
    of_int = overload.name == "duration" and overload.params == (types.INT,)
    return environment.durations_of_ints or not of_int
