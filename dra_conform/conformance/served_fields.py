"""Served objects without the fields that have no value, so that an empty list equals an absent one.

The Go types of the API cannot tell empty from absent for lists and maps, or for strings and numbers that are
no pointers. Pointers are kept: `nodeSelector: {}` is not an absent selector.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from msgspec import inspect

from dra_conform.kube.codec import type_info, without_none
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import KINDS, RESOURCE_V1
from dra_conform.kube.resource import Device, DeviceRequest, ExactDeviceRequest

_GROUP = RESOURCE_V1.partition("/")[0]

_ALWAYS_SERVED = frozenset({"generation", "resource_slice_count"})
"""The numbers of which 0 is a value of its own."""


def without_empty_fields(served: Json) -> Json:
    """Return a served object, of any version of its API, without null and empty fields."""
    if not isinstance(served, Mapping):
        return served
    version, kind = str(served.get("apiVersion")), str(served.get("kind"))
    if version.startswith(f"{_GROUP}/"):
        version = RESOURCE_V1
    struct = KINDS.get((version, kind))
    return served if struct is None else _pruned(served, type_info(struct))


def collections_without_empty_fields(
    objects: Mapping[str, Sequence[Json]],
) -> dict[str, tuple[Json, ...]]:
    """Return the objects of each collection without null and empty fields."""
    return {name: tuple(map(without_empty_fields, served)) for name, served in objects.items()}


@cache
def _fields(struct: type) -> Mapping[str, inspect.Field]:
    """Return the fields of a struct by name, with those that v1beta1 has in another place."""
    info = type_info(struct)
    assert isinstance(info, inspect.StructType)
    own = {field.encode_name: field for field in info.fields}
    if struct is Device:
        return {**own, "basic": inspect.Field("basic", "basic", info)}
    return {**_fields(ExactDeviceRequest), **own} if struct is DeviceRequest else own


def _pruned(value: Json, info: inspect.Type) -> Json:
    if value is None or isinstance(value, (str, int)):  # Most values; the check of a Mapping is slow.
        return value
    match without_none(info):
        case inspect.StructType(cls=cls) if isinstance(value, Mapping):
            fields = _fields(cls)
            pruned = {
                name: _pruned(member, fields[name].type) if name in fields else member
                for name, member in value.items()
            }
            return {
                name: member
                for name, member in pruned.items()
                if member or name not in fields or not _has_no_value(member, fields[name])
            }
        case inspect.DictType(value_type=inner) if isinstance(value, Mapping):
            return {name: _pruned(member, inner) for name, member in value.items()}
        case inspect.VarTupleType(item_type=inner) if isinstance(value, (list, tuple)):
            return [_pruned(item, inner) for item in value]
    return value


def _has_no_value(member: Json, field: inspect.Field) -> bool:
    if member is None:
        return True
    match without_none(field.type):
        case inspect.VarTupleType() | inspect.DictType():
            return isinstance(member, (list, tuple, Mapping)) and not member
    match field.type:
        case inspect.StructType():
            return isinstance(member, Mapping) and not member and not field.required
        case inspect.StrType():
            return member == "" and not field.required
        case inspect.IntType():
            return type(member) is int and member == 0 and field.name not in _ALWAYS_SERVED
    return False
