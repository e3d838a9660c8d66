"""The gRPC API between a kubelet and its DRA drivers: messages, services and their encoding.

The messages are those of `k8s.io/kubelet`: `pluginregistration`, `dra/v1`, `dra/v1beta1`, `dra-health/v1`
and `dra-health/v1alpha1`. A message is a frozen struct whose fields stand in the order of their numbers,
from 1. Needs the extra `drivers`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from types import NoneType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory
from google.protobuf.message import DecodeError, Message

from dra_conform.kube import codec
from dra_conform.kube.plugin_types import DRA_PLUGIN

Proto = descriptor_pb2.FieldDescriptorProto
T = TypeVar("T", bound="Struct")


class Struct(msgspec.Struct, frozen=True):
    """The base of all messages. Fields are in the order of their numbers, which begin with 1."""


class Empty(Struct, frozen=True):
    """A message without fields, such as `InfoRequest`."""


class PluginInfo(Struct, frozen=True):
    """The answer to `GetInfo`. An empty `endpoint` means the registration socket itself."""

    type: str = ""
    name: str = ""
    endpoint: str = ""
    supported_versions: tuple[str, ...] = ()


class RegistrationStatus(Struct, frozen=True):
    """The registration result that the kubelet sends to a driver after `GetInfo`."""

    plugin_registered: bool = False
    error: str = ""


class Claim(Struct, frozen=True):
    """A reference to a ResourceClaim in a call: namespace, UID and name."""

    namespace: str = ""
    uid: str = ""
    name: str = ""


class Claims(Struct, frozen=True):
    """The request of `NodePrepareResources` and of `NodeUnprepareResources`."""

    claims: tuple[Claim, ...] = ()


class PluginDevice(Struct, frozen=True):
    """A prepared device. Without `request_names` it belongs to all requests; `v1beta1` has no `share_id`."""

    request_names: tuple[str, ...] = ()
    pool_name: str = ""
    device_name: str = ""
    cdi_device_ids: tuple[str, ...] = ()
    share_id: str | None = None


class PreparedClaim(Struct, frozen=True):
    """The prepared devices of a claim, or why it could not be prepared."""

    devices: tuple[PluginDevice, ...] = ()
    error: str = ""


class PrepareResponse(Struct, frozen=True):
    """The answer of `NodePrepareResources` by claim UID."""

    claims: dict[str, PreparedClaim] = {}


class UnpreparedClaim(Struct, frozen=True):
    """Why a claim could not be unprepared, empty if it was."""

    error: str = ""


class UnprepareResponse(Struct, frozen=True):
    """The answer of `NodeUnprepareResources` by claim UID."""

    claims: dict[str, UnpreparedClaim] = {}


class Health(IntEnum):
    """The health of a device."""

    UNKNOWN = 0
    HEALTHY = 1
    UNHEALTHY = 2


class DeviceIdentifier(Struct, frozen=True):
    """The pool and name of a device."""

    pool_name: str = ""
    device_name: str = ""


class DeviceHealth(Struct, frozen=True):
    """The health of a device, valid for `health_check_timeout_seconds`, 0 for the kubelet's default.

    `health` is a value of `Health`, `last_updated_time` in seconds since 1970.
    """

    device: DeviceIdentifier = DeviceIdentifier()
    health: int = 0
    last_updated_time: int = 0
    health_check_timeout_seconds: int = 0
    message: str = ""


class HealthReport(Struct, frozen=True):
    """One message of the health stream."""

    devices: tuple[DeviceHealth, ...] = ()


@dataclass(frozen=True, slots=True)
class Method:
    """A method of a service: the path of its calls and its messages. `stream`: it yields many responses."""

    path: str
    request: type[Struct]
    response: type[Struct]
    stream: bool = False


def _plugin(package: str) -> dict[str, Method]:
    path = f"/{package}.{DRA_PLUGIN}/"
    return {
        "prepare": Method(f"{path}NodePrepareResources", Claims, PrepareResponse),
        "unprepare": Method(f"{path}NodeUnprepareResources", Claims, UnprepareResponse),
    }


def _health(package: str) -> dict[str, Method]:
    path = f"/{package}.DRAResourceHealth/NodeWatchResources"
    return {"watch": Method(path, Empty, HealthReport, stream=True)}


GET_INFO = Method("/pluginregistration.Registration/GetInfo", Empty, PluginInfo)
NOTIFY = Method("/pluginregistration.Registration/NotifyRegistrationStatus", RegistrationStatus, Empty)
PLUGIN_SERVICES: Mapping[str, Mapping[str, Method]] = {
    f"v1.{DRA_PLUGIN}": _plugin("k8s.io.kubelet.pkg.apis.dra.v1"),
    f"v1beta1.{DRA_PLUGIN}": _plugin("k8s.io.kubelet.pkg.apis.dra.v1beta1"),
}
"""The services that prepare claims, by their name in `supported_versions`, newest first."""
HEALTH_SERVICES: Mapping[str, Mapping[str, Method]] = {
    "v1.DRAResourceHealth": _health("v1"),
    "v1alpha1.DRAResourceHealth": _health("v1alpha1"),
}
"""The services that report health, by their name in `supported_versions`, newest first."""


class MessageError(ValueError):
    """The bytes are not a message of the expected type."""


def encode(message: Struct) -> bytes:
    """Return a message in the protobuf encoding."""
    values = {name: value for name, value in msgspec.to_builtins(message).items() if value is not None}
    encoded = json_format.ParseDict(values, _message_class(type(message))())
    return encoded.SerializeToString(deterministic=True)


def decode(kind: type[T], data: bytes) -> T:
    """Return a message from its protobuf encoding; unknown fields are ignored. Raises MessageError."""
    try:
        message = _message_class(kind).FromString(data)
        values = json_format.MessageToDict(message, preserving_proto_field_name=True)
        codec.prepare(kind)
        return msgspec.convert(values, kind, strict=False)
    except (DecodeError, UnicodeDecodeError, json_format.Error, msgspec.ValidationError) as error:
        raise MessageError(f"not a {kind.__name__}: {error}") from None


@cache
def _message_class(kind: type[Struct]) -> type[Message]:
    pool = descriptor_pool.DescriptorPool()
    file = descriptor_pb2.FileDescriptorProto(name="plugin_api.proto", package="plugin_api", syntax="proto3")
    _describe(file, kind)
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(f"plugin_api.{kind.__name__}"))


def _describe(file: descriptor_pb2.FileDescriptorProto, kind: type[Struct]) -> None:
    """Add the descriptor of a struct, and of the structs in it, to the file."""
    if any(message.name == kind.__name__ for message in file.message_type):
        return
    message = file.message_type.add(name=kind.__name__)
    hints = get_type_hints(kind)
    for number, name in enumerate(kind.__struct_fields__, 1):
        field = message.field.add(name=name, number=number, json_name=name, label=Proto.LABEL_OPTIONAL)
        annotation: Any = hints[name]
        origin, arguments = get_origin(annotation), get_args(annotation)
        if origin is tuple:
            field.label = Proto.LABEL_REPEATED
            _set_type(file, field, arguments[0])
        elif origin is dict:
            field.label = Proto.LABEL_REPEATED
            entry = message.nested_type.add(name="".join(part.title() for part in name.split("_")) + "Entry")
            entry.options.map_entry = True
            for entry_number, (part, of) in enumerate(zip(("key", "value"), arguments, strict=True), 1):
                entry_field = entry.field.add(
                    name=part, number=entry_number, json_name=part, label=Proto.LABEL_OPTIONAL
                )
                _set_type(file, entry_field, of)
            field.type = Proto.TYPE_MESSAGE
            field.type_name = f".plugin_api.{kind.__name__}.{entry.name}"
        elif NoneType in arguments:
            field.proto3_optional = True
            field.oneof_index = len(message.oneof_decl)
            message.oneof_decl.add(name=f"_{name}")
            _set_type(file, field, next(of for of in arguments if of is not NoneType))
        else:
            _set_type(file, field, annotation)


_SCALARS = {str: Proto.TYPE_STRING, bool: Proto.TYPE_BOOL, int: Proto.TYPE_INT64}


def _set_type(file: descriptor_pb2.FileDescriptorProto, field: Proto, of: type[Any]) -> None:
    scalar = _SCALARS.get(of)
    if scalar is not None:
        field.type = scalar
        return
    _describe(file, of)
    field.type = Proto.TYPE_MESSAGE
    field.type_name = f".plugin_api.{of.__name__}"
