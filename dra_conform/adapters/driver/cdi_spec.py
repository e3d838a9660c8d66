"""Validation of CDI specs, as by container runtimes: an invalid spec is rejected with all its devices.

The rules are those of tags.cncf.io/container-device-interface: the types of `specs-go/config.go`, the
versions of `specs-go/version.go`, and `Validate` of `pkg/cdi`. A field that only some releases have is valid.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated

import msgspec

from dra_conform.kube.json_values import Json
from dra_conform.kube.scalars import Number

_VERSIONS = ("0.3.0", "0.4.0", "0.5.0", "0.6.0", "0.7.0", "0.8.0", "1.0.0", "1.1.0")
"""The versions of the CDI specification, oldest first."""
_VENDOR_OR_CLASS = re.compile(r"[A-Za-z]([A-Za-z0-9_.-]*[A-Za-z0-9])?")
_DEVICE_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9_.:-]*[A-Za-z0-9])?")
_HOOKS = ("prestart", "createRuntime", "createContainer", "startContainer", "poststart", "poststop")
_DEVICE_TYPES = ("", "b", "c", "u", "p")
_MAX_CLOS_ID = 4095

_Uint32 = Annotated[int, msgspec.Meta(ge=0, lt=2**32)]


class _Text(str):
    """A string. For one, runtimes also take a number or a boolean of YAML."""

    __slots__ = ()


_EMPTY = _Text()


class CDIPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """A part of a CDI spec with its known fields."""


class CDIDeviceNode(CDIPart, frozen=True):
    """A device node in a container."""

    path: _Text = _EMPTY
    host_path: _Text = _EMPTY
    type: _Text = _EMPTY
    major: int = 0
    minor: int = 0
    file_mode: _Uint32 | None = None
    permissions: _Text = _EMPTY
    uid: _Uint32 | None = None
    gid: _Uint32 | None = None


class CDINetDevice(CDIPart, frozen=True):
    """A network device that is moved into a container."""

    host_interface_name: _Text = _EMPTY
    name: _Text = _EMPTY


class CDIHook(CDIPart, frozen=True):
    """A hook of a container."""

    hook_name: _Text = _EMPTY
    path: _Text = _EMPTY
    args: tuple[_Text, ...] = ()
    env: tuple[_Text, ...] = ()
    timeout: int = 0


class CDIMount(CDIPart, frozen=True):
    """A mount in a container."""

    host_path: _Text = _EMPTY
    container_path: _Text = _EMPTY
    options: tuple[_Text, ...] = ()
    type: _Text = _EMPTY


class CDIIntelRdt(
    CDIPart,
    frozen=True,
    rename={
        "clos_id": "closID",
        "l3_cache_schema": "l3CacheSchema",
        "mem_bw_schema": "memBwSchema",
        "enable_monitoring": "enableMonitoring",
        "enable_cmt": "enableCMT",
        "enable_mbm": "enableMBM",
    },
):
    """The parameters of Intel RDT, also those that version 1.1.0 removed."""

    clos_id: _Text = _EMPTY
    l3_cache_schema: _Text = _EMPTY
    mem_bw_schema: _Text = _EMPTY
    schemata: tuple[_Text, ...] = ()
    enable_monitoring: bool = False
    enable_cmt: bool = False
    enable_mbm: bool = False


class CDIContainerEdits(CDIPart, frozen=True):
    """The changes of a container."""

    env: tuple[_Text, ...] = ()
    device_nodes: tuple[CDIDeviceNode, ...] = ()
    net_devices: tuple[CDINetDevice, ...] = ()
    hooks: tuple[CDIHook, ...] = ()
    mounts: tuple[CDIMount, ...] = ()
    intel_rdt: CDIIntelRdt | None = None
    additional_gids: tuple[_Uint32, ...] = ()


class CDISpecDevice(CDIPart, frozen=True):
    """A device of a CDI spec."""

    name: _Text = _EMPTY
    annotations: dict[str, _Text] = {}
    container_edits: CDIContainerEdits = CDIContainerEdits()


class CDISpec(CDIPart, frozen=True):
    """A CDI spec."""

    cdi_version: _Text = _EMPTY
    kind: _Text = _EMPTY
    annotations: dict[str, _Text] = {}
    devices: tuple[CDISpecDevice, ...] = ()
    container_edits: CDIContainerEdits = CDIContainerEdits()


_FIELDS = {name.lower(): name for part in CDIPart.__subclasses__() for name in part.__struct_encode_fields__}
"""The names of all fields by their lower case."""


def read_spec(value: Json) -> CDISpec:
    """Return the CDI spec of a JSON value; raises ValueError with the reason if runtimes reject it."""
    try:
        spec = msgspec.convert(_as_read_by_go(value), CDISpec, dec_hook=_string)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from None
    problem = next(_problems(spec), None)
    if problem:
        raise ValueError(problem)
    return spec


def _as_read_by_go(value: Json) -> Json:
    """Return a value without fields that are null; Go ignores the case of the names of fields."""
    if isinstance(value, dict):
        return {
            _FIELDS.get(name.lower(), name): _as_read_by_go(part)
            for name, part in value.items()
            if part is not None
        }
    return [*map(_as_read_by_go, value)] if isinstance(value, list) else value


def _string(_: type, value: Json) -> _Text:
    if not isinstance(value, str | int | Number):
        raise msgspec.ValidationError(f"Expected `str`, got `{type(value).__name__}`")
    return _Text(str(value).lower() if isinstance(value, bool) else value)


def _problems(spec: CDISpec) -> Iterator[str]:
    """Yield why runtimes reject a spec with valid types."""
    version = spec.cdi_version.removeprefix("v")
    if version not in _VERSIONS:
        yield f"unknown cdiVersion {spec.cdi_version!r}"
        return
    needed, what = max(_needs(spec), default=("", ""))
    if needed > version:
        yield f"cdiVersion is {version}, expected at least {needed} for {what}"
    vendor, _, name_of_class = spec.kind.partition("/")
    for part in (vendor, name_of_class):
        if not _VENDOR_OR_CLASS.fullmatch(part):
            yield f"invalid kind {spec.kind!r}, expected vendor/class"
    yield from _problems_of_edits(spec.container_edits)
    if not spec.devices:
        yield "the spec has no devices"
    names = set[str]()
    for device in spec.devices:
        if not _DEVICE_NAME.fullmatch(device.name):
            yield f"invalid device name {device.name!r}"
        if device.name in names:
            yield f"device {device.name!r} is defined twice"
        names.add(device.name)
        if device.container_edits == CDIContainerEdits():
            yield f"device {device.name!r} has no containerEdits"
        yield from _problems_of_edits(device.container_edits)


def _needs(spec: CDISpec) -> Iterator[tuple[str, str]]:
    """Yield the versions that the features of a spec need, each with the feature."""
    if spec.annotations or any(device.annotations for device in spec.devices):
        yield "0.6.0", "annotations"
    if "." in spec.kind.partition("/")[2]:
        yield "0.6.0", "a class with a dot"
    for device in spec.devices:
        if device.name[:1].isdigit():
            yield "0.5.0", f"the device name {device.name!r}, which begins with a digit"
    for edits in (spec.container_edits, *(device.container_edits for device in spec.devices)):
        if any(mount.type for mount in edits.mounts):
            yield "0.4.0", "the type of a mount"
        if any(node.host_path for node in edits.device_nodes):
            yield "0.5.0", "hostPath of a device node"
        if edits.additional_gids:
            yield "0.7.0", "additionalGids"
        if edits.net_devices:
            yield "1.1.0", "netDevices"
        if edits.intel_rdt is not None:
            newer = edits.intel_rdt.schemata or edits.intel_rdt.enable_monitoring
            yield "1.1.0" if newer else "0.7.0", "intelRdt"


def _problems_of_edits(edits: CDIContainerEdits) -> Iterator[str]:
    yield from _problems_of_env(edits.env)
    for node in edits.device_nodes:
        if not node.path:
            yield "a device node has no path"
        if node.type not in _DEVICE_TYPES:
            yield f"device node {node.path!r} has the invalid type {node.type!r}"
        if node.permissions != "none" and set(node.permissions) - set("rwm"):
            yield f"device node {node.path!r} has the invalid permissions {node.permissions!r}"
    for hook in edits.hooks:
        if hook.hook_name not in _HOOKS:
            yield f"invalid hookName {hook.hook_name!r}"
        if not hook.path:
            yield f"hook {hook.hook_name!r} has no path"
        yield from _problems_of_env(hook.env)
    for mount in edits.mounts:
        if not mount.host_path or not mount.container_path:
            yield "a mount has no hostPath or no containerPath"
    for device in edits.net_devices:
        if not device.host_interface_name or not device.name:
            yield "a network device has no hostInterfaceName or no name"
    for names in (
        [device.host_interface_name for device in edits.net_devices],
        [device.name for device in edits.net_devices],
    ):
        if len(set(names)) < len(names):
            yield "two network devices have one name"
    clos_id = edits.intel_rdt.clos_id if edits.intel_rdt else ""
    no_file_name = clos_id in (".", "..") or {*"/\n"} & {*clos_id} or len(clos_id.encode()) > _MAX_CLOS_ID
    if clos_id != "/" and no_file_name:
        yield "intelRdt has an invalid closID"


def _problems_of_env(env: tuple[_Text, ...]) -> Iterator[str]:
    for variable in env:
        if variable.find("=") <= 0:
            yield f"invalid environment variable {variable!r}, expected name=value"
