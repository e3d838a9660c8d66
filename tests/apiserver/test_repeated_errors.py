"""The number of identical field errors, which no case can ask for."""

from __future__ import annotations

from typing import Any

import pytest

from dra_conform.kube.profile import Profile
from dra_conform.simulation.parts import admit

SLICE: dict[str, Any] = {"driver": "dra.example.com", "nodeName": "n", "devices": [{"name": "d"}]}
CLAIM: dict[str, Any] = {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "c"}}]}}
RESULT = {"request": "r", "driver": "dra.example.com", "device": "d"}


def of_slice(pool: str, key: str = "k") -> dict[str, Any]:
    taint = {"key": key, "effect": "NoSchedule"}
    spec = {
        **SLICE,
        "pool": {"name": pool, "resourceSliceCount": 1},
        "devices": [{"name": "d", "taints": [taint]}],
    }
    written = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": "s"},
        "spec": spec,
    }
    return {"verb": "create", "object": written}


def of_result(pool: str) -> dict[str, Any]:
    metadata = {"name": "c", "namespace": "default"}
    old = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": metadata,
        "spec": CLAIM,
    }
    allocation = {"devices": {"results": [{**RESULT, "pool": pool}]}}
    return {
        "verb": "update",
        "subresource": "status",
        "old": old,
        "object": {**old, "status": {"allocation": allocation}},
    }


@pytest.mark.parametrize(
    ("release", "write", "expected"),
    [
        ("1.36", of_slice("!a/!a"), 2),
        ("1.37", of_slice("!a/!a"), 1),
        ("1.37", of_slice("!a/!b"), 2),
        ("1.36", of_result("!a/!a"), 2),
        ("1.37", of_result("!a/!a"), 2),
        ("1.36", of_slice("p", key=""), 2),
        ("1.37", of_slice("p", key=""), 2),
        ("1.37", of_slice("p", key="a/"), 2),
        ("1.37", of_slice("p", key="A!/"), 3),
        ("1.37", of_slice("p", key="!"), 1),
    ],
)
def test_number_of_errors(release: str, write: dict[str, Any], expected: int) -> None:
    gates = {"DRADeviceTaints": True}
    answer = admit({}, write, Profile.named(f"kubernetes-{release}").with_gates(gates))
    assert len(answer["errors"]) == expected
