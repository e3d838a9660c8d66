"""Conversion of older versions of resource.k8s.io to v1."""

from __future__ import annotations

import pytest

from dra_conform.kube.manifests import loads
from dra_conform.kube.versions import UnservedVersion, to_v1

SPEC_V1 = """\
    requests:
    - name: one
      exactly: {deviceClassName: x, count: 2, capacity: {requests: {m: 1Gi}}, adminAccess: false}
    - name: any
      firstAvailable: [{name: a, deviceClassName: x}, {name: b, deviceClassName: z, count: 2}]
    constraints: [{matchAttribute: d/a, requests: [one]}]
"""
SPEC_V1BETA1 = """\
    requests:
    - {name: one, deviceClassName: x, count: 2, capacity: {requests: {m: 1Gi}}, adminAccess: false}
    - name: any
      firstAvailable: [{name: a, deviceClassName: x}, {name: b, deviceClassName: z, count: 2}]
    constraints: [{matchAttribute: d/a, requests: [one]}]
"""
DEVICE = "attributes: {a: {int: 1}}, capacity: {m: {value: 1Gi}}, allowMultipleAllocations: true"


def _claim(version: str, spec: str) -> str:
    return (
        f"apiVersion: resource.k8s.io/{version}\nkind: ResourceClaim\nmetadata: {{name: c}}\n"
        f"spec:\n  devices:\n{spec}"
    )


def _template(version: str, spec: str) -> str:
    indented = "".join(f"  {line}\n" for line in spec.splitlines())
    return (
        f"apiVersion: resource.k8s.io/{version}\nkind: ResourceClaimTemplate\nmetadata: {{name: c}}\n"
        f"spec:\n  spec:\n    devices:\n{indented}"
    )


def _slice(version: str, device: str) -> str:
    return (
        f"apiVersion: resource.k8s.io/{version}\nkind: ResourceSlice\nmetadata: {{name: s}}\n"
        "spec: {driver: d, nodeName: worker, pool: {name: p, generation: 1, resourceSliceCount: 1}, "
        f"devices: [{device}]}}\n"
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (_claim("v1beta1", SPEC_V1BETA1), _claim("v1", SPEC_V1)),
        (_claim("v1beta2", SPEC_V1), _claim("v1", SPEC_V1)),
        (_template("v1beta1", SPEC_V1BETA1), _template("v1", SPEC_V1)),
        (_template("v1beta2", SPEC_V1), _template("v1", SPEC_V1)),
        (_slice("v1beta1", f"{{name: a, basic: {{{DEVICE}}}}}"), _slice("v1", f"{{name: a, {DEVICE}}}")),
        (_slice("v1beta2", f"{{name: a, {DEVICE}}}"), _slice("v1", f"{{name: a, {DEVICE}}}")),
    ],
)
def test_read_as_v1(old: str, new: str) -> None:
    [from_old] = loads(old)
    [from_new] = loads(new)
    assert from_old.object == from_new.object
    assert from_old.raw == from_new.raw
    assert from_old.api_version == "resource.k8s.io/v1"


@pytest.mark.parametrize(
    ("kind", "version", "message"),
    [
        ("ResourceSlice", "v2", "v2 of ResourceSlice is not served, expected one of v1, v1beta2, v1beta1"),
        ("DeviceTaintRule", "v1beta1", "v1beta1 of DeviceTaintRule is not served, expected one of v1, v1beta2, v1alpha3"),
        ("PodSchedulingContext", "v1", "PodSchedulingContext is not a kind of resource.k8s.io"),
    ],
)  # fmt: skip
def test_not_served(kind: str, version: str, message: str) -> None:
    with pytest.raises(UnservedVersion) as caught:
        to_v1({"apiVersion": f"resource.k8s.io/{version}", "kind": kind})
    assert caught.value.message.startswith(message)


def test_the_input_is_not_modified() -> None:
    spec = {"devices": [{"name": "a", "basic": {"attributes": {}}}]}
    raw = {"apiVersion": "resource.k8s.io/v1beta1", "kind": "ResourceSlice", "spec": spec}
    assert to_v1(raw)["spec"] == {"devices": [{"name": "a", "attributes": {}}]}
    assert raw["spec"] == {"devices": [{"name": "a", "basic": {"attributes": {}}}]}
    assert raw["apiVersion"] == "resource.k8s.io/v1beta1"
