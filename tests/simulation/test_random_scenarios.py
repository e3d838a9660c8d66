"""Random scenarios: they reach a steady state with consistent observations."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from dra_conform.kube.json_values import Json
from tests.support.simulation.scenarios import (
    CLASS,
    SETTLE,
    change,
    claim,
    create,
    delete,
    finish,
    gates,
    node,
    observations_of,
    pod,
    shared,
    slice_on,
    template,
)

SETUP = [
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


def actions(rng: random.Random) -> Iterator[Json]:
    """Yield up to twenty actions, with `settle` after some of them and at the end."""
    component = ["scheduler", "controller-manager", "kubelet"]
    for _ in range(rng.randint(4, 20)):
        name = f"p{rng.randrange(5)}"
        claims, templates = (rng.sample(names, rng.randint(0, 2)) for names in (["c", "five"], ["t", "u"]))
        yield rng.choice(
            [
                create(pod(name, *claims, templates=templates)),
                create(pod(name, *claims, templates=templates)),
                delete("Pod", name),
                finish(name),
                delete("ResourceClaim", "c"),
                gates(*rng.sample(component, 2), **{rng.choice(GATES): rng.random() < 0.5}),
                {"do": "set-version", "component": rng.choice(component), "release": "1.36"},
                {"do": "set-version", "component": rng.choice(component)},
                {
                    "do": "fail",
                    "times": rng.randint(1, 3),
                    "verb": rng.choice(["create", "update", "delete"]),
                    "kind": rng.choice(["Pod", "ResourceClaim"]),
                    "subresource": rng.choice(["", "status", "binding"]),
                    "reason": "Conflict",
                },
                change(
                    {"kind": "ResourceSlice", "name": "slice-a"},
                    {"spec.devices[1].taints": rng.choice(TAINTED)},
                ),
            ]
        )
        if rng.random() < 0.5:
            yield SETTLE
    yield SETTLE


@pytest.mark.parametrize("seed", range(60))
def test_no_device_is_allocated_twice_and_running_pods_have_their_claims(seed: int) -> None:
    rng = random.Random(seed)
    profile = rng.choice(["kep", "kubernetes-1.36", "kubernetes-1.37"])
    for observation in observations_of(SETUP, *actions(rng), profile=profile, seed=seed):
        if observation["outcome"] == "settled":
            check(observation["objects"])


def check(objects: Json) -> None:
    pods = {one["metadata"]["uid"]: one for one in objects.get("pods", ())}
    claims = {one["metadata"]["name"]: one.get("status", {}) for one in objects.get("resourceClaims", ())}
    exclusive = [
        (result["pool"], result["device"])
        for status in claims.values()
        for result in status.get("allocation", {}).get("devices", {}).get("results", ())
        if "shareID" not in result
    ]
    assert len(exclusive) == len(set(exclusive))
    for status in claims.values():
        assert {one["uid"] for one in status.get("reservedFor", ())} <= set(pods)
    for uid, one in pods.items():
        status = one.get("status", {})
        if status.get("phase") != "Running":
            continue
        generated = {
            entry["name"]: entry["resourceClaimName"] for entry in status.get("resourceClaimStatuses", ())
        }
        for entry in one["spec"].get("resourceClaims", ()):
            used = claims[entry.get("resourceClaimName") or generated[entry["name"]]]
            assert "allocation" in used
            assert uid in {user["uid"] for user in used["reservedFor"]}
