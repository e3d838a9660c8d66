"""Decoding of JSON into trees, by the types of each kind and API version."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from msgspec import inspect

from dra_conform.apiserver.trees import Opaque, OverflowingQuantity, QuantityWithNotation, Tree
from dra_conform.kube import resource
from dra_conform.kube.codec import without_none
from dra_conform.kube.profile import Profile
from dra_conform.kube.quantity import NANO, Quantity, QuantityError
from dra_conform.kube.scalars import Number
from dra_conform.kube.switches.api_fields import EVERYWHERE, FIELDS

_DECIMAL = re.compile(r"([+-]?)([0-9]+)([kMGTPE]?)")
_EXPONENTS = {"": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_FEW_DIGITS = 18
"""The number of digits up to which apimachinery keeps a number and its exponent in 64 bits."""
_CHECKED = (3, 6, 9)
"""The powers of ten by which apimachinery multiplies in 64 bits and returns the overflowed number."""
_WRAPPED_AT = 2**64


def _overflows_in_thousandths(text: str, quantity: Quantity) -> bool:
    """Whether the milli-units of an integer quantity overflow 64 bits, so that it looks like a fraction."""
    if abs(quantity.nano) <= (2**63 - 1) * NANO // 1000:
        return False
    match = _DECIMAL.fullmatch(text)
    if match is None:
        return False
    sign, digits, suffix = match.groups()
    power = _EXPONENTS[suffix] + 3
    if len(digits) <= _FEW_DIGITS and power not in _CHECKED:
        return False
    thousandths: int = int(sign + digits) * 10**power
    wrapped = (thousandths + _WRAPPED_AT // 2) % _WRAPPED_AT - _WRAPPED_AT // 2
    return wrapped % 1000 != 0


_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)")
_TIMES = frozenset(
    {"allocationTimestamp", "creationTimestamp", "deletionTimestamp", "lastTransitionTime", "timeAdded"}
)
_INT64 = 2**63
_ZERO = Quantity(0)
_PLACES = {"m": 3, "u": 6, "n": 9}


class Undecodable(ValueError):  # noqa: N818 - it reads as what the object is
    """A value whose type does not match its field."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}")


Decoder = Callable[[Any, str, list[str]], Any]
"""Decodes a JSON value at a path, and appends unknown fields to the list."""

Fields = dict[str, tuple[Decoder, Any]]
"""The decoder of each field, and the value that is equal to an absent field."""


def decode(raw: Mapping[str, Any], kind: type, version: str, profile: Profile) -> tuple[Tree, list[str]]:
    """Return the tree of an object in one of its versions, and a warning for each unknown field.

    Raises Undecodable for a value of a wrong type.
    """
    unknown: list[str] = []
    body = {name: value for name, value in raw.items() if name not in ("apiVersion", "kind")}
    tree: Tree = _struct_of(kind, version, profile.name)(body, "", unknown)
    return tree, [f'unknown field "{path}"' for path in unknown]


@lru_cache(maxsize=1024)
def _struct_of(kind: type, version: str, profile: str) -> Decoder:
    known = _fields_of(kind, version, profile)
    if version == "v1beta1" and kind is resource.Device:
        known = {"name": known.pop("name"), "basic": (_struct(known), None)}
    elif version == "v1beta1" and kind is resource.DeviceRequest:
        del known["exactly"]
        known |= _fields_of(resource.ExactDeviceRequest, version, profile)
    elif version == "v1beta1" and kind is resource.ResourceSliceSpec:
        known |= {"nodeName": (_string, ""), "allNodes": (_bool, False)}
    return _struct(known)


def _fields_of(kind: type, version: str, profile: str) -> Fields:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return {
        field.encode_name: _field(field, version, profile)
        for field in info.fields
        if FIELDS.get(f"{kind.__name__}.{field.encode_name}", EVERYWHERE).holds(Profile.named(profile))
    }


def _struct(known: Fields) -> Decoder:
    quantities = [name for name, (_, zero) in known.items() if zero is _ZERO]

    def struct(value: Any, path: str, unknown: list[str]) -> Tree:
        if value is None:
            value = {}
        if not isinstance(value, dict):
            raise Undecodable(path, f"is {_type_name(value)}, expected an object")
        prefix = f"{path}." if path else ""
        decoded: Tree = {}
        for name, item in value.items():
            field = known.get(name)
            if field is None:
                unknown.append(prefix + name)
            elif item is not None:
                decoder, zero = field
                plain = (
                    decoder is _string and type(item) is str and item.isascii()
                )  # Most values; this saves a call.
                inner = item if plain else decoder(item, prefix + name, unknown)
                if inner != zero:
                    decoded[name] = inner
        for name in quantities:
            decoded.setdefault(name, _ZERO)
        return decoded

    return struct


def _field(field: inspect.Field, version: str, profile: str) -> tuple[Decoder, Any]:
    if field.encode_name in _TIMES:
        return _time, None
    if field.encode_name == "affinity":
        return _affinity, None
    decoder = _decoder(field.type, version, profile)
    match field.type:
        case inspect.StrType():
            return decoder, ""
        case inspect.IntType():
            return decoder, 0
        case inspect.BoolType():
            return decoder, False
        case inspect.StructType():
            return _part(decoder), {}
        case inspect.DictType():
            return decoder, {}
        case inspect.UnionType(types=types) if any(isinstance(each, inspect.DictType) for each in types):
            return decoder, {}
        case inspect.CustomType():
            return decoder, _ZERO
        case _:
            return decoder, None


def _part(decoder: Decoder) -> Decoder:
    """Return the decoder of a struct that is not a pointer: it is equal to an absent one if all lists are
    empty."""

    def part(value: Any, path: str, unknown: list[str]) -> Tree:
        decoded: Tree = decoder(value, path, unknown)
        for item in decoded.values():
            if item != []:
                return decoded
        return {}

    return part


def _decoder(info: inspect.Type, version: str, profile: str) -> Decoder:
    match info:
        case inspect.UnionType():
            return _decoder(without_none(info), version, profile)
        case inspect.StructType(cls=cls):
            return _struct_of(cls, version, profile)
        case inspect.DictType(value_type=value_type):
            return _map(_decoder(value_type, version, profile))
        case inspect.VarTupleType(item_type=item_type):
            return _list(_decoder(item_type, version, profile))
        case inspect.CustomType(cls=cls) if cls is Quantity:
            return _quantity
        case inspect.StrType():
            return _string
        case inspect.BoolType():
            return _bool
        case inspect.IntType():
            return _int
        case _:
            return _opaque


def _map(inner: Decoder) -> Decoder:
    def entries(value: Any, path: str, unknown: list[str]) -> Tree:
        if not isinstance(value, dict):
            raise Undecodable(path, f"is {_type_name(value)}, expected a map")
        return {key: inner(item, f"{path}.{key}", unknown) for key, item in value.items()}

    return entries


def _list(inner: Decoder) -> Decoder:
    def items(value: Any, path: str, unknown: list[str]) -> list[Any]:
        if not isinstance(value, list | tuple):
            raise Undecodable(path, f"is {_type_name(value)}, expected a list")
        return [inner(item, f"{path}[{index}]", unknown) for index, item in enumerate(value)]

    return items


def _string(value: Any, path: str, unknown: list[str]) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise Undecodable(path, f"is {_type_name(value)}, expected a string")
    return value if value.isascii() else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _bool(value: Any, path: str, unknown: list[str]) -> bool:
    if value is None:
        return False
    if not isinstance(value, bool):
        raise Undecodable(path, f"is {_type_name(value)}, expected true or false")
    return value


def _int(value: Any, path: str, unknown: list[str]) -> int:
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, int) or not -_INT64 <= value < _INT64:
        raise Undecodable(path, f"is {_type_name(value)}, expected a 64-bit integer")
    return value


def _quantity(value: Any, path: str, unknown: list[str]) -> Quantity:
    if value is None:
        return _ZERO
    if isinstance(value, bool) or not isinstance(value, str | int | float | Number):
        raise Undecodable(path, f"is {_type_name(value)}, expected a quantity")
    text = str(value).strip()
    try:
        quantity = Quantity.parse(text)
    except QuantityError as error:
        raise Undecodable(path, str(error)) from None
    places = _PLACES.get(text[-1:], 0)
    if places:
        return QuantityWithNotation(quantity, places)
    return OverflowingQuantity(quantity) if _overflows_in_thousandths(text, quantity) else quantity


def _time(value: Any, path: str, unknown: list[str]) -> str:
    text = _string(value, path, unknown)
    if not _TIME.fullmatch(text):
        raise Undecodable(path, f"is {text!r}, expected a time in RFC 3339 format")
    return text


def _opaque(value: Any, path: str, unknown: list[str]) -> Opaque:
    return Opaque(value)


_TERM = _struct({"namespaces": (_list(_string), None), "namespaceSelector": (_struct({}), None)})
_WEIGHTED = _struct({"podAffinityTerm": (_TERM, None)})
_TERMS = _struct(
    {
        "requiredDuringSchedulingIgnoredDuringExecution": (_list(_TERM), None),
        "preferredDuringSchedulingIgnoredDuringExecution": (_list(_WEIGHTED), None),
    }
)
_AFFINITY = _struct(
    {"nodeAffinity": (_struct({}), None), "podAffinity": (_TERMS, None), "podAntiAffinity": (_TERMS, None)}
)
"""The fields of affinities that quotas and the scheduler read."""


def _affinity(value: Any, path: str, unknown: list[str]) -> Opaque:
    _AFFINITY(value, path, [])
    return Opaque(value)


def _type_name(value: Any) -> str:
    """Describe the JSON type of a value."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case str():
            return "a string"
        case dict():
            return "an object"
        case list() | tuple():
            return "a list"
        case _:
            return f"the number {value}"
