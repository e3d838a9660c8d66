"""Protobuf bodies, from bytes that are written by hand after the .proto files of Kubernetes."""

from __future__ import annotations

from typing import Any

import pytest

from dra_conform.adapters.light_api.protobuf_bodies import BodyError, decode


def varint(number: int) -> bytes:
    encoded = b""
    while number > 0x7F:
        encoded += bytes([number & 0x7F | 0x80])
        number >>= 7
    return encoded + bytes([number])


def text(field: int, value: str | bytes) -> bytes:
    """Return a field with a string, bytes or a message."""
    data = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(data)) + data


def number(field: int, value: int) -> bytes:
    return varint(field << 3) + varint(value)


def body(api_version: str, kind: str, raw: bytes) -> bytes:
    return b"k8s\x00" + text(1, text(1, api_version) + text(2, kind)) + text(2, raw)


def entry(key: str, value: bytes) -> bytes:
    return text(1, key) + text(2, value)


def test_a_resource_slice() -> None:
    owner = text(1, "Node") + text(3, "node-1") + text(4, "some-uid") + text(5, "v1") + number(6, 1)
    metadata = text(2, "node-1-gpu-") + text(1, "") + number(7, 0) + text(13, owner) + text(8, b"")
    attributes = text(2, entry("model", text(4, ""))) + text(2, entry("index", number(2, 0)))
    attributes += text(2, entry("healthy", number(3, 0)))
    capacity = text(3, entry("memory", text(1, text(1, "40Gi"))))
    device = text(1, "gpu-0") + attributes + capacity + number(12, 1)
    pool = text(1, "node-1") + number(2, 3) + number(3, 1)
    spec = text(1, "gpu.example.com") + text(2, pool) + text(3, "node-1") + text(6, device)
    decoded = decode(body("resource.k8s.io/v1", "ResourceSlice", text(1, metadata) + text(2, spec)))
    assert decoded == {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {
            "generateName": "node-1-gpu-",
            "ownerReferences": [
                {"kind": "Node", "name": "node-1", "uid": "some-uid", "apiVersion": "v1", "controller": True}
            ],
        },
        "spec": {
            "driver": "gpu.example.com",
            "pool": {"name": "node-1", "generation": 3, "resourceSliceCount": 1},
            "nodeName": "node-1",
            "devices": [
                {
                    "name": "gpu-0",
                    "attributes": {"model": {"string": ""}, "index": {"int": 0}, "healthy": {"bool": False}},
                    "capacity": {"memory": {"value": "40Gi"}},
                    "allowMultipleAllocations": True,
                }
            ],
        },
    }  # fmt: skip


def test_a_device_in_v1beta1_is_under_basic() -> None:
    device = text(1, "gpu-0") + text(2, text(1, entry("model", text(4, "x"))))
    decoded = decode(body("resource.k8s.io/v1beta1", "ResourceSlice", text(2, text(6, device))))
    assert decoded["spec"]["devices"] == [
        {"name": "gpu-0", "basic": {"attributes": {"model": {"string": "x"}}}}
    ]


def test_opaque_parameters_and_data_are_json() -> None:
    opaque = text(1, "gpu.example.com") + text(2, text(1, '{"a": [1]}'))
    configuration = text(1, "FromClaim") + text(3, text(1, opaque))
    allocation = text(1, text(2, configuration))
    status = text(1, allocation) + text(4, text(1, "gpu.example.com") + text(5, text(1, '{"kept": true}')))
    decoded = decode(body("resource.k8s.io/v1", "ResourceClaim", text(3, status)))
    [config] = decoded["status"]["allocation"]["devices"]["config"]
    assert config == {
        "source": "FromClaim",
        "opaque": {"driver": "gpu.example.com", "parameters": {"a": [1]}},
    }
    assert decoded["status"]["devices"] == [{"driver": "gpu.example.com", "data": {"kept": True}}]


def test_preconditions_of_a_deletion() -> None:
    options = number(1, 0) + text(2, text(1, "some-uid") + text(2, "7")) + text(4, "Background")
    decoded = decode(body("v1", "DeleteOptions", options))
    assert decoded["preconditions"] == {"uid": "some-uid", "resourceVersion": "7"}
    assert decoded["propagationPolicy"] == "Background"


def test_unknown_fields_are_ignored() -> None:
    decoded = decode(body("resource.k8s.io/v1", "ResourceSlice", text(2, text(1, "d") + text(99, "new"))))
    assert decoded["spec"] == {"driver": "d"}


BROKEN: dict[str, Any] = {
    "nothing": b"k8s\x00",
    "half a field": b"k8s\x00\x12\x7f",
    "an unknown kind": body("v1", "Pod", b""),
    "an unknown version": body("resource.k8s.io/v9", "ResourceSlice", b""),
    "parameters that are no JSON": body(
        "resource.k8s.io/v1", "ResourceClaim",
        text(3, text(4, text(5, text(1, "{")))),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_body_is_an_error(case: str) -> None:
    with pytest.raises(BodyError):
        decode(BROKEN[case])
