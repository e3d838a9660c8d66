"""The older versions of resource.k8s.io, read and turned into v1.

v1beta2 has the shape of v1. v1beta1 differs in two places: a device's content lies under `basic`, and a
request's content lies beside its name instead of under `exactly`.
"""

from __future__ import annotations

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
"""The versions read of each kind of resource.k8s.io."""

_EXACT_FIELDS = (
    "deviceClassName",
    "selectors",
    "allocationMode",
    "count",
    "adminAccess",
    "tolerations",
    "capacity",
)


class ConversionRefused(ValueError):  # noqa: N818 - it reads as what happened
    """An object of a version or kind that is not served."""

    def __init__(self, path: Path, message: str) -> None:
        super().__init__(message)
        self.path = path
        self.message = message


def to_v1(raw: dict[str, Any]) -> dict[str, Any]:
    """The v1 form of an object; other groups pass unchanged. Raises ConversionRefused."""
    group, _, version = raw["apiVersion"].rpartition("/")
    kind = raw["kind"]
    if group != GROUP:
        return raw
    if kind not in SERVED:
        raise ConversionRefused(
            ("kind",), f"{kind} is no kind of {GROUP}, expected one of {', '.join(SERVED)}"
        )
    if version not in SERVED[kind]:
        raise ConversionRefused(
            ("apiVersion",), f"{version} of {kind} is not served, expected one of {', '.join(SERVED[kind])}"
        )
    converted = {**raw, "apiVersion": V1}
    if version == "v1beta1" and isinstance(raw.get("spec"), dict):
        if kind == "ResourceSlice":
            converted["spec"] = _slice_spec(raw["spec"])
        elif kind == "ResourceClaim":
            converted["spec"] = _claim_spec(raw["spec"])
        elif kind == "ResourceClaimTemplate" and isinstance(raw["spec"].get("spec"), dict):
            converted["spec"] = {**raw["spec"], "spec": _claim_spec(raw["spec"]["spec"])}
    return converted


def _slice_spec(spec: dict[str, Any]) -> dict[str, Any]:
    devices = spec.get("devices")
    if not isinstance(devices, list):
        return spec
    return {**spec, "devices": [_device(device) for device in devices]}


def _device(device: Any) -> Any:
    if not isinstance(device, dict) or not isinstance(device.get("basic"), dict):
        return device
    rest = {name: value for name, value in device.items() if name != "basic"}
    return {**rest, **device["basic"]}


def _claim_spec(spec: dict[str, Any]) -> dict[str, Any]:
    devices = spec.get("devices")
    if not isinstance(devices, dict) or not isinstance(devices.get("requests"), list):
        return spec
    return {**spec, "devices": {**devices, "requests": [_request(one) for one in devices["requests"]]}}


def _request(request: Any) -> Any:
    if not isinstance(request, dict):
        return request
    flat = {name: request[name] for name in _EXACT_FIELDS if name in request}
    if not flat:
        return request
    rest = {name: value for name, value in request.items() if name not in flat}
    return {**rest, "exactly": flat}
