"""The scenarios that a cluster can run with its feature gates."""

from __future__ import annotations

from typing import Any

import pytest

from dra_conform.adapters.live.enabled_gates import gate_conflict
from dra_conform.kube.profile import Profile

Json = Any
P = Profile.named("kubernetes-1.37")
SHARED = {
    "resourceSlices": [
        {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceSlice",
            "spec": {"devices": [{"allowMultipleAllocations": True}]},
        }
    ]
}
ASK: Json = {"actions": []}


@pytest.mark.parametrize(
    ("objects", "profile", "on", "message"),
    [
        ({}, P, {}, ""),
        (SHARED, P, {"DRAConsumableCapacity": True}, ""),
        (
            SHARED,
            P,
            {"DRAConsumableCapacity": False},
            "DRAConsumableCapacity is off in this cluster, the scenario needs it on",
        ),
        (SHARED, P, {}, "DRAConsumableCapacity is off in this cluster"),
        (
            SHARED,
            P.with_gates({"DRAConsumableCapacity": False}),
            {"DRAConsumableCapacity": True},
            "is on in this cluster, the scenario needs it off",
        ),
        ({}, P, {"DRAConsumableCapacity": False, "DRAListTypeAttributes": True}, ""),
        (
            {},
            P.with_gates({"DRAListTypeAttributes": True}),
            {},
            "DRAListTypeAttributes is off in this cluster",
        ),
        (SHARED, Profile.named("kep"), {"DRAConsumableCapacity": True}, ""),
    ],
)
def test_gate_conflicts(objects: Json, profile: Profile, on: dict[str, bool], message: str) -> None:
    found = gate_conflict(objects, ASK, profile, on)
    assert message in found
    assert bool(message) == bool(found)
