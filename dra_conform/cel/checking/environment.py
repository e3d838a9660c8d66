"""The names that a device selector may use: the variable `device`, type names and functions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from dra_conform.cel.functions import (
    formats,
    lists,
    networks,
    optionals,
    quantities,
    semver,
    sets,
    strings,
    url,
)
from dra_conform.cel.functions.lists import NEW_LISTS
from dra_conform.cel.functions.overloads import Overload
from dra_conform.cel.functions.standard import STANDARD
from dra_conform.cel.values import types
from dra_conform.cel.values.types import Type
from dra_conform.kube.switches.expressions import ExpressionSwitches

LIBRARY_OVERLOADS: tuple[Overload, ...] = (
    *quantities.OVERLOADS,
    *semver.OVERLOADS,
    *strings.OVERLOADS,
    *lists.OVERLOADS,
    *lists.EXTENSION_OVERLOADS,
    *strings.REGEX_OVERLOADS,
    *sets.OVERLOADS,
    *optionals.OVERLOADS,
    *networks.OVERLOADS,
    *url.OVERLOADS,
    *formats.OVERLOADS,
)
"""The overloads of all libraries, without the standard functions."""


VARIABLE = "device"
"""The only variable of a device selector."""


@dataclass(frozen=True, slots=True)
class Environment:
    """The features of CEL that a release has. By default, all features are on.

    - `lists`: attributes may be lists, so macros over an attribute compile.
    - `includes`: the function `includes` exists.
    - `durations_of_ints`: the function `duration` accepts an int.
    - `sharing`: `device` has the field allowMultipleAllocations.
    - `list_functions`: the list functions of Kubernetes 1.34 exist, such as `slice` and `sort`.
    """

    lists: bool = True
    includes: bool = True
    durations_of_ints: bool = True
    sharing: bool = True
    list_functions: bool = True

    @staticmethod
    @cache
    def stored(switches: ExpressionSwitches) -> Environment:
        """Return the environment for stored expressions, in which the allocator compiles selectors.

        Feature gates have no effect on stored expressions: 1.36 always has `includes`, 1.37 always has lists.
        """
        return Environment(
            lists=switches.stored_lists,
            includes=switches.stored_includes,
            durations_of_ints=switches.stored_durations_of_ints,
        )

    @staticmethod
    @cache
    def new(switches: ExpressionSwitches) -> Environment:
        """Return the environment for new expressions, in which the API server validates selectors.

        New expressions may use only enabled features, and only functions that the previous release has too.
        """
        return Environment(
            lists=switches.new_lists,
            includes=switches.new_includes,
            durations_of_ints=switches.new_durations_of_ints,
            sharing=switches.new_sharing,
            list_functions=switches.new_list_functions,
        )

    @property
    def attribute(self) -> Type:
        """The type of a device attribute. A selector must have this type or bool."""
        return types.DYN if self.lists else types.ANY

    @property
    def fields(self) -> Mapping[str, Type]:
        """The fields of `device`."""
        return _fields(self.attribute, self.sharing)

    @property
    def functions(self) -> Mapping[str, tuple[Overload, ...]]:
        """All overloads by function name."""
        return _functions(self)


FULL = Environment()
"""The environment with all features of all releases."""


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
"""The types that an expression can use as values, by name."""


@cache
def _functions(environment: Environment) -> Mapping[str, tuple[Overload, ...]]:
    by_name: dict[str, list[Overload]] = {}
    for overload in (*STANDARD, *LIBRARY_OVERLOADS):
        if _known(overload, environment):
            by_name.setdefault(overload.name, []).append(overload)
    return {name: tuple(overloads) for name, overloads in by_name.items()}


def _known(overload: Overload, environment: Environment) -> bool:
    if overload.name == "includes":
        return environment.includes
    if overload.name in NEW_LISTS:
        return environment.list_functions
    of_int = overload.name == "duration" and overload.params == (types.INT,)
    return environment.durations_of_ints or not of_int
