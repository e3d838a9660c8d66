"""Call a library function by the types of its arguments, as the interpreter does."""

from __future__ import annotations

from dra_conform.cel.checking.environment import LIBRARY_OVERLOADS
from dra_conform.cel.values.types import Type, is_dynamic
from dra_conform.cel.values.value import Value, type_of


def call(name: str, *arguments: Value, member: bool = True) -> Value:
    types = [type_of(a) for a in arguments]
    for o in LIBRARY_OVERLOADS:
        if (o.name, o.member, len(o.params)) == (name, member, len(types)) and all(
            map(_takes, o.params, types, arguments)
        ):
            return o.call(*arguments)
    raise LookupError(f"{name}({', '.join(map(str, types))})")


def function(name: str, *arguments: Value) -> Value:
    return call(name, *arguments, member=False)


def _takes(parameter: Type, given: Type, value: Value) -> bool:
    if parameter.variable or is_dynamic(parameter):
        return True
    if parameter.name == "list" and isinstance(value, tuple) and value:
        return _takes(parameter.params[0], type_of(value[0]), value[0])
    return parameter.name == given.name
