"""The types of CEL, and assignability."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Type:
    """A CEL type: its runtime name and parameters, such as `map` with `(STRING, DYN)`.

    `variable` marks a type parameter of a declaration (`param("T")`), or its instance for one call.
    """

    name: str
    params: tuple[Type, ...] = ()
    variable: bool = False

    def __str__(self) -> str:
        name = _DISPLAY_NAMES.get(self.name, self.name)
        return f"{name}({', '.join(map(str, self.params))})" if self.params else name


_DISPLAY_NAMES = {
    "google.protobuf.Any": "any",
    "google.protobuf.Duration": "duration",
    "google.protobuf.Timestamp": "timestamp",
    "null_type": "null",
    "*error*": "!error!",
}

BOOL = Type("bool")
INT = Type("int")
UINT = Type("uint")
DOUBLE = Type("double")
STRING = Type("string")
BYTES = Type("bytes")
NULL = Type("null_type")
DYN = Type("dyn")
ANY = Type("google.protobuf.Any")
DURATION = Type("google.protobuf.Duration")
TIMESTAMP = Type("google.protobuf.Timestamp")
TYPE = Type("type")
ERROR = Type("*error*")
DEVICE = Type("kubernetes.DRADevice")


def list_of(element: Type) -> Type:
    """Return the type `list(element)`."""
    return Type("list", (element,))


def map_of(key: Type, value: Type) -> Type:
    """Return the type `map(key, value)`."""
    return Type("map", (key, value))


def optional_of(value: Type) -> Type:
    """Return the type `optional_type(value)`."""
    return Type("optional_type", (value,))


def type_of_type(value: Type) -> Type:
    """Return the type of a type used as a value: `int` has the type `type(int)`."""
    return Type("type", (value,))


def opaque(name: str) -> Type:
    """Return an opaque type, such as `kubernetes.Quantity`."""
    return Type(name)


def param(name: str) -> Type:
    """Return a type parameter of an overload; equal names are the same type within one call."""
    return Type(name, (), True)


QUANTITY = opaque("kubernetes.Quantity")


_DYNAMIC = frozenset({DYN.name, ANY.name, ERROR.name})


def is_dynamic(t: Type) -> bool:
    """Whether the type is dyn, any or the error type, so that every use of a value is accepted."""
    return t.name in _DYNAMIC and not t.variable
