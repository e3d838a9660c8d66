"""Stories drawn by chance: they settle, and what is observed makes sense whatever happened."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.controlplane.simulation.stories import (
    CLASS,
    SETTLE,
    change,
    claim,
    create,
    delete,
    finish,
    gates,
    node,
    pod,
    shared,
    slice_on,
    template,
    told,
)

Json = Any
GIVEN = [
    *(node(name) for name in "ab"),
    CLASS,
    slice_on("a", shared("d"), {"name": "e"}),
    slice_on("b", {"name": "f", "bindingConditions": ["x"], "bindingFailureConditions": ["y"]}),
    template("t", "3G"),
    template("u"),
    claim("c"),
    claim("five", "5G"),
]
GATES = ("DRAConsumableCapacity", "DRADeviceBindingConditions", "DRADeviceTaints", "DRAPartitionableDevices")
TAINTED = [None, [{"key": "k", "effect": "NoExecute"}]]


def actions(chance: random.Random) -> Iterator[Json]:
    """Up to twenty actions; the cluster settles after some of them and at the end."""
    component = ["scheduler", "controller-manager", "kubelet"]
    for _ in range(chance.randint(4, 20)):
        name = f"p{chance.randrange(5)}"
        claims, templates = (
            chance.sample(names, chance.randint(0, 2)) for names in (["c", "five"], ["t", "u"])
        )
        yield chance.choice(
            [
                create(pod(name, *claims, templates=templates)),
                create(pod(name, *claims, templates=templates)),
                delete("Pod", name),
                finish(name),
                delete("ResourceClaim", "c"),
                gates(*chance.sample(component, 2), **{chance.choice(GATES): chance.random() < 0.5}),
                {"do": "set-version", "component": chance.choice(component), "release": "1.36"},
                {"do": "set-version", "component": chance.choice(component)},
                {
                    "do": "fail",
                    "times": chance.randint(1, 3),
                    "verb": chance.choice(["create", "update", "delete"]),
                    "kind": chance.choice(["Pod", "ResourceClaim"]),
                    "subresource": chance.choice(["", "status", "binding"]),
                    "reason": "Conflict",
                },
                change(
                    {"kind": "ResourceSlice", "name": "slice-a"},
                    {"spec.devices[1].taints": chance.choice(TAINTED)},
                ),
            ]
        )
        if chance.random() < 0.5:
            yield SETTLE
    yield SETTLE


@pytest.mark.parametrize("seed", range(60))
def test_no_device_is_sold_twice_and_running_pods_have_their_claims(seed: int) -> None:
    chance = random.Random(seed)
    profile = chance.choice(["kep", "kubernetes-1.36", "kubernetes-1.37"])
    for observation in told(GIVEN, *actions(chance), profile=profile, seed=seed):
        if observation["outcome"] == "settled":
            check(observation["objects"])


def check(objects: Json) -> None:
    pods = {one["metadata"]["uid"]: one for one in objects.get("pods", ())}
    claims = {one["metadata"]["name"]: one.get("status", {}) for one in objects.get("resourceClaims", ())}
    dedicated = [
        (result["pool"], result["device"])
        for status in claims.values()
        for result in status.get("allocation", {}).get("devices", {}).get("results", ())
        if "shareID" not in result
    ]
    assert len(dedicated) == len(set(dedicated))
    for status in claims.values():
        assert {one["uid"] for one in status.get("reservedFor", ())} <= set(pods)
    for uid, one in pods.items():
        status = one.get("status", {})
        if status.get("phase") != "Running":
            continue
        made = {
            entry["name"]: entry["resourceClaimName"] for entry in status.get("resourceClaimStatuses", ())
        }
        for entry in one["spec"].get("resourceClaims", ()):
            used = claims[entry.get("resourceClaimName") or made[entry["name"]]]
            assert "allocation" in used
            assert uid in {user["uid"] for user in used["reservedFor"]}
