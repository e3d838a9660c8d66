"""Request bodies in `application/vnd.kubernetes.protobuf`, which client-go uses for built-in kinds.

Only what DRA drivers write is decoded: ResourceSlices, ResourceClaims, and the options of a deletion. Answers
are JSON, which client-go accepts. Needs the extra `drivers`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import DecodeError, Message

from dra_conform.adapters.light_api.protobuf_fields import COMMON, VERSIONS
from dra_conform.kube.json_values import Json

Proto = descriptor_pb2.FieldDescriptorProto

MAGIC = b"k8s\x00"
"""The first bytes of each Kubernetes protobuf body."""

_SCALARS = {
    "string": Proto.TYPE_STRING,
    "bytes": Proto.TYPE_BYTES,
    "int": Proto.TYPE_INT64,
    "bool": Proto.TYPE_BOOL,
}


class BodyError(ValueError):
    """A body that cannot be decoded."""


def decode(body: bytes) -> dict[str, Json]:
    """Return the object or the options in a body that begins with `MAGIC`; raises BodyError."""
    try:
        envelope = _message_class("v1", "Unknown").FromString(body[len(MAGIC) :])
        kind, api_version = envelope.typeMeta.kind, envelope.typeMeta.apiVersion
        version = "v1" if kind in COMMON else api_version.rpartition("/")[2]
        message = _message_class(version, kind).FromString(envelope.raw)
        return {"apiVersion": api_version, "kind": kind, **_object(message)}
    except (DecodeError, UnicodeDecodeError, json.JSONDecodeError, OverflowError) as error:
        raise BodyError(f"the body is not valid protobuf: {error}") from None
    except KeyError as error:
        raise BodyError(f"the body has an unknown kind or version: {error.args[0]}") from None


@cache
def _message_class(version: str, kind: str) -> Any:
    pool = _pool(version)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{version}.{kind}"))


@cache
def _pool(version: str) -> descriptor_pool.DescriptorPool:
    file = descriptor_pb2.FileDescriptorProto(name=f"{version}.proto", package=version, syntax="proto2")
    for kind, fields in VERSIONS[version].items():
        message = file.message_type.add(name=kind)
        for text in fields.split():
            _add_field(version, message, text)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return pool


def _add_field(version: str, message: descriptor_pb2.DescriptorProto, text: str) -> None:
    name, _, rest = text.partition("=")
    digits = rest[: len(rest) - len(rest.lstrip("0123456789"))]
    container, of = rest[len(digits) : len(digits) + 1], rest[len(digits) + 1 :] or "string"
    field = message.field.add(name=name, number=int(digits), label=Proto.LABEL_OPTIONAL)
    if container == "":
        field.type = Proto.TYPE_STRING
        return
    if container in "[{":
        field.label = Proto.LABEL_REPEATED
    if container == "{":
        entry = message.nested_type.add(name=f"{name[0].upper()}{name[1:]}Entry")
        entry.options.map_entry = True
        entry.field.add(name="key", number=1, label=Proto.LABEL_OPTIONAL, type=Proto.TYPE_STRING)
        _set_type(version, entry.field.add(name="value", number=2, label=Proto.LABEL_OPTIONAL), of)
        field.type, field.type_name = Proto.TYPE_MESSAGE, f".{version}.{message.name}.{entry.name}"
    else:
        _set_type(version, field, of)


def _set_type(version: str, field: Proto, of: str) -> None:
    if of in _SCALARS:
        field.type = _SCALARS[of]
    else:
        field.type, field.type_name = Proto.TYPE_MESSAGE, f".{version}.{of}"


def _object(message: Message) -> dict[str, Json]:
    """Return a message as the JSON object that Go's `omitempty` would write."""
    values: dict[str, Json] = {}
    for field, value in message.ListFields():
        entry = (
            field.message_type if field.message_type and field.message_type.GetOptions().map_entry else None
        )
        if entry is not None:
            scalar = entry.fields_by_name["value"].message_type is None
            values[field.name] = {key: value[key] if scalar else _value(value[key]) for key in value}
        elif field.is_repeated:
            values[field.name] = [_value(item) if isinstance(item, Message) else item for item in value]
        elif isinstance(value, Message):
            values[field.name] = _value(value)
        else:
            values[field.name] = value
    if message.DESCRIPTOR.name == "DeviceConfiguration":
        return values
    embedded = values.pop("deviceConfiguration", {})
    is_union = message.DESCRIPTOR.name == "DeviceAttribute"
    return {**_without_empty(values, keep_strings=is_union), **embedded}


def _without_empty(values: Mapping[str, Json], *, keep_strings: bool) -> dict[str, Json]:
    """Drop the zero values that Go encodes for unset strings, times and numbers in metadata."""
    return {
        name: value
        for name, value in values.items()
        if value is not None
        and (value != "" or keep_strings)
        and not (value == 0 and name in ("generation", "observedGeneration") and value is not False)
    }


_PLAIN: Mapping[str, Any] = {
    "Quantity": lambda message: message.string or "0",
    "Time": lambda message: _time(message) if message.ListFields() else None,
    "RawExtension": lambda message: json.loads(message.raw) if message.raw else None,
    "FieldsV1": lambda message: json.loads(message.Raw or b"{}"),
}
"""The JSON values of protobuf messages that are not objects in JSON."""


def _value(message: Message) -> Json:
    plain = _PLAIN.get(message.DESCRIPTOR.name)
    return plain(message) if plain else _object(message)


def _time(message: Any) -> str | None:
    if not message.seconds:
        return None
    return datetime.fromtimestamp(message.seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
