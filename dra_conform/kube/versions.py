"""Conversion between resource.k8s.io/v1 and older API versions.

v1beta2 has the structure of v1. v1beta1 differs in two places: the fields of a device are under `basic`, and
the fields of a request are next to its name instead of under `exactly`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dra_conform.kube.yaml import Path

GROUP = "resource.k8s.io"
V1 = f"{GROUP}/v1"
SERVED = {
    "DeviceClass": ("v1", "v1beta2", "v1beta1"),
    "ResourceClaim": ("v1", "v1beta2", "v1beta1"),
    "ResourceClaimTemplate": ("v1", "v1beta2", "v1beta1"),
    "ResourceSlice": ("v1", "v1beta2", "v1beta1"),
    "DeviceTaintRule": ("v1", "v1beta2", "v1alpha3"),
}
"""The API versions in which each kind of resource.k8s.io can be read."""

_EXACT_FIELDS = (
    "deviceClassName",
    "selectors",
    "allocationMode",
    "count",
    "adminAccess",
    "tolerations",
    "capacity",
    "derivedAttributes",
)


class UnservedVersion(ValueError):  # noqa: N818 - it reads as what happened
    """The API version or the kind of an object is not served; `path` is that of the wrong field."""

    def __init__(self, path: Path, message: str) -> None:
        super().__init__(message)
        self.path = path
        self.message = message


def to_v1(raw: dict[str, Any]) -> dict[str, Any]:
    """Convert an object to v1; objects of other groups are returned as they are. Raises UnservedVersion."""
    group, _, version = raw["apiVersion"].rpartition("/")
    kind = raw["kind"]
    if group != GROUP:
        return raw
    if kind not in SERVED:
        raise UnservedVersion(
            ("kind",), f"{kind} is not a kind of {GROUP}, expected one of {', '.join(SERVED)}"
        )
    if version not in SERVED[kind]:
        raise UnservedVersion(
            ("apiVersion",), f"{version} of {kind} is not served, expected one of {', '.join(SERVED[kind])}"
        )
    converted = {**raw, "apiVersion": V1}
    return _reshaped(converted, _device, _request) if version == "v1beta1" else converted


def from_v1(v1: dict[str, Any], api_version: str) -> dict[str, Any]:
    """Convert a v1 object of resource.k8s.io to another API version."""
    converted = {**v1, "apiVersion": api_version}
    if api_version == f"{GROUP}/v1beta1":
        return _reshaped(converted, _wrapped_device, _flat_request)
    return converted


Reshape = Callable[[Any], Any]


def _reshaped(raw: dict[str, Any], device: Reshape, request: Reshape) -> dict[str, Any]:
    """Return the object with `device` applied to each device and `request` to each request."""
    spec = raw.get("spec")
    if not isinstance(spec, dict):
        return raw
    match raw["kind"]:
        case "ResourceSlice":
            return {**raw, "spec": _each(spec, "devices", device)}
        case "ResourceClaim":
            return {**raw, "spec": _claim_spec(spec, request)}
        case "ResourceClaimTemplate" if isinstance(spec.get("spec"), dict):
            return {**raw, "spec": {**spec, "spec": _claim_spec(spec["spec"], request)}}
        case _:
            return raw


def _claim_spec(spec: dict[str, Any], request: Reshape) -> dict[str, Any]:
    devices = spec.get("devices")
    return {**spec, "devices": _each(devices, "requests", request)} if isinstance(devices, dict) else spec


def _each(parent: dict[str, Any], name: str, reshape: Reshape) -> dict[str, Any]:
    items = parent.get(name)
    return {**parent, name: [reshape(item) for item in items]} if isinstance(items, list) else parent


def _device(device: Any) -> Any:
    if not isinstance(device, dict) or not isinstance(device.get("basic"), dict):
        return device
    rest = {name: value for name, value in device.items() if name != "basic"}
    return {**rest, **device["basic"]}


def _request(request: Any) -> Any:
    if not isinstance(request, dict):
        return request
    flat = {name: request[name] for name in _EXACT_FIELDS if name in request}
    if not flat:
        return request
    rest = {name: value for name, value in request.items() if name not in flat}
    return {**rest, "exactly": flat}


def _wrapped_device(device: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": device.get("name", ""),
        "basic": {field: device[field] for field in device if field != "name"},
    }


def _flat_request(request: dict[str, Any]) -> dict[str, Any]:
    rest = {name: value for name, value in request.items() if name != "exactly"}
    return {**rest, **request.get("exactly", {})}
