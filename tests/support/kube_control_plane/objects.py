"""Objects to write, in an API version that the release serves."""

from __future__ import annotations

from typing import Any

from tests.support.kube_control_plane.builds import Json

DRIVER = "d.example.com"
RULE_VERSIONS = {"1.33": "v1alpha3", "1.34": "v1alpha3", "1.35": "v1alpha3", "1.36": "v1beta2"}
NOTHING_PARSES = [{"cel": {"expression": "device.driver =="}}]


def version(minor: str, kind: str) -> str:
    """Return the `apiVersion` of a kind in a release."""
    if kind in ("Pod", "Node", "Namespace", "ResourceQuota"):
        return "v1"
    if kind == "DeviceTaintRule":
        return f"resource.k8s.io/{RULE_VERSIONS.get(minor, 'v1')}"
    return f"resource.k8s.io/{'v1beta2' if minor == '1.33' else 'v1'}"


def named(minor: str, kind: str, spec: Any, name: str = "x") -> Json:
    return {"apiVersion": version(minor, kind), "kind": kind, "metadata": {"name": name}, "spec": spec}


def good(minor: str, kind: str) -> Json:
    return named(minor, kind, _GOOD[kind])


def bad(minor: str, kind: str) -> Json:
    return named(minor, kind, _BAD[kind], "Upper" if kind == "Namespace" else "x")


def device_slice(minor: str, **device: Any) -> Json:
    """Return a ResourceSlice with one device."""
    return named(minor, "ResourceSlice", {**_GOOD["ResourceSlice"], "devices": [{"name": "dev", **device}]})


def claim(minor: str, **exactly: Any) -> Json:
    """Return a ResourceClaim with one request."""
    request = {"name": "r", "exactly": {"deviceClassName": "gpu", **exactly}}
    return named(minor, "ResourceClaim", {"devices": {"requests": [request]}}, "c")


def _pod(claims: Any, used: str) -> Json:
    container = {"name": "c", "image": "i", "resources": {"claims": [{"name": used}]}}
    return {"containers": [container], "resourceClaims": claims}


def _requests(**request: Any) -> Json:
    return {"devices": {"requests": [request]}}


_GOOD: dict[str, Any] = {
    "ResourceSlice": {
        "driver": DRIVER,
        "nodeName": "n",
        "pool": {"name": "n", "generation": 1, "resourceSliceCount": 1},
        "devices": [{"name": "dev"}],
    },
    "ResourceClaim": _requests(name="r", exactly={"deviceClassName": "gpu"}),
    "ResourceClaimTemplate": {"spec": _requests(name="r", exactly={"deviceClassName": "gpu"})},
    "DeviceClass": {},
    "DeviceTaintRule": {"deviceSelector": {"driver": DRIVER}, "taint": {"key": "k", "effect": "NoExecute"}},
    "Pod": _pod([{"name": "x", "resourceClaimName": "c"}], "x"),
    "Node": {},
    "Namespace": {},
    "ResourceQuota": {"hard": {"gpu.deviceclass.resource.k8s.io/devices": "2"}},
}

_BAD_REQUEST = {"name": "R_", "exactly": {"deviceClassName": "", "count": -1, "selectors": NOTHING_PARSES}}
_BAD: dict[str, Any] = {
    "ResourceSlice": {
        "driver": "_",
        "pool": {"name": "p", "generation": 1, "resourceSliceCount": 0},
        "devices": [{"name": "R_"}],
    },
    "ResourceClaim": _requests(**_BAD_REQUEST),
    "ResourceClaimTemplate": {"spec": _requests(**_BAD_REQUEST)},
    "DeviceClass": {"selectors": NOTHING_PARSES},
    "DeviceTaintRule": {"deviceSelector": {"driver": "_"}, "taint": {"key": "", "effect": "Never"}},
    "Pod": _pod([{"name": "x"}, {"name": "x", "resourceClaimName": "c"}], "y"),
    "Node": {"taints": [{"key": "", "effect": "Never"}]},
    "Namespace": {},
    "ResourceQuota": {"hard": {"cpu": "-1"}},
}

_REQUEST_ERRORS = {
    ("devices.requests[0].name", "Invalid"),
    ("devices.requests[0].exactly.deviceClassName", "Required"),
    ("devices.requests[0].exactly.selectors[0].cel.expression", "Invalid"),
    ("devices.requests[0].exactly.count", "Invalid"),
}
ERRORS = {
    "ResourceSlice": {
        ("spec", "Required"),
        ("spec.driver", "Invalid"),
        ("spec.pool.resourceSliceCount", "Invalid"),
        ("spec.devices[0].name", "Invalid"),
    },
    "ResourceClaim": {(f"spec.{path}", kind) for path, kind in _REQUEST_ERRORS},
    "ResourceClaimTemplate": {(f"spec.spec.{path}", kind) for path, kind in _REQUEST_ERRORS},
    "DeviceClass": {("spec.selectors[0].cel.expression", "Invalid")},
    "DeviceTaintRule": {
        ("spec.deviceSelector.driver", "Invalid"),
        ("spec.taint.key", "Invalid"),
        ("spec.taint.effect", "NotSupported"),
    },
    "Pod": {
        ("spec.resourceClaims[0]", "Invalid"),
        ("spec.resourceClaims[1].name", "Duplicate"),
        ("spec.containers[0].resources.claims[0]", "NotFound"),
    },
    "Node": {("metadata.taints[0].key", "Invalid"), ("metadata.taints[0].effect", "NotSupported")},
    "Namespace": {("metadata.name", "Invalid")},
    "ResourceQuota": {("spec.hard[cpu]", "Invalid")},
}
"""All errors of the bad object of each kind, equal in every release."""

KINDS = tuple(ERRORS)
