"""The tables of `test_releases.py` on the real allocators, to verify the expectations of releases."""

from __future__ import annotations

import pytest

from dra_conform.adapters.specs import open_implementation
from dra_conform.conformance.implementation import Request, Suite
from dra_conform.kube.gates import CHECKED_WITH
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import encode
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import DeviceClass, DeviceTaintRule, ResourceClaim, ResourceSlice
from tests.allocator.test_releases import FEWER, NODE, PROFILES, STABLE_WORLDS, WORLDS, World
from tests.support.allocator.worlds import class_of
from tests.support.kube_allocator.builds import build

pytestmark = pytest.mark.slow

BUILDS = {minor: CHECKED_WITH[minor] for minor in PROFILES if minor != "kep"}
BY_CHANCE = {("1.34", "pools of one name"), ("1.34", "an invalid pool before another")}
"""1.34 takes pools in any order."""
_COLLECTIONS = {
    DeviceClass: ("deviceClasses", "DeviceClass"),
    ResourceSlice: ("resourceSlices", "ResourceSlice"),
    ResourceClaim: ("resourceClaims", "ResourceClaim"),
    DeviceTaintRule: ("deviceTaintRules", "DeviceTaintRule"),
}


def objects(world: World) -> dict[str, tuple[Json, ...]]:
    """Return the cluster in the form of the wire protocol, with the defaults of the API server."""
    node = {"apiVersion": "v1", "kind": "Node", **encode(NODE)}
    found: dict[str, tuple[Json, ...]] = {"nodes": (node,)}
    for item in (class_of("any"), *world.content, *world.claims, *world.before):
        collection, kind = _COLLECTIONS[type(item)]
        body = {"apiVersion": "resource.k8s.io/v1", "kind": kind, **encode(item)}
        if isinstance(item, ResourceClaim):
            _default(body)
        found[collection] = (*found.get(collection, ()), body)
    return found


def _default(claim: Json) -> None:
    for request in claim.setdefault("spec", {}).get("devices", {}).get("requests", ()):
        for asked in request.get("firstAvailable") or [request["exactly"]]:
            if asked.setdefault("allocationMode", "ExactCount") == "ExactCount":
                asked.setdefault("count", 1)


def summary(allocations: Json) -> str:
    """Return allocations in the form of `test_releases.summary`."""
    words = []
    for allocation in allocations.values():
        for result in allocation["devices"]["results"]:
            place = "" if result["request"] == "r0" else f"{result['request']}:"
            consumed = result.get("consumedCapacity") or {}
            words.append(
                place + result["device"] + "".join(f",{name}={amount}" for name, amount in consumed.items())
            )
    return " ".join(words)


@pytest.mark.parametrize("minor", BUILDS)
@pytest.mark.parametrize(
    ("worlds", "profiles"), [(WORLDS, PROFILES), (STABLE_WORLDS, FEWER)], ids=["all gates", "few gates"]
)
def test_the_real_allocator_agrees(
    minor: str, worlds: dict[str, tuple[World, dict[str, str]]], profiles: dict[str, Profile]
) -> None:
    names = [name for name, (_, expected) in worlds.items() if minor in expected]
    requests = [
        Request(
            place,
            name,
            "allocate",
            profiles[minor],
            objects(worlds[name][0]),
            {"node": NODE.metadata.name, "claims": [claim.key for claim in worlds[name][0].claims]},
            0,
            5000,
        )
        for place, name in enumerate(names)
    ]
    implementation = open_implementation(f"exec:{build(BUILDS[minor])}")
    implementation.start(Suite("tests", "1", "sha256:0"))
    found = {}
    for reply in implementation.run(requests):
        answer = reply.answer
        assert answer is not None, (names[reply.id], reply.detail)
        found[names[reply.id]] = summary(answer.allocations) or (
            "-" if answer.outcome.value == "unallocatable" else answer.reasons[0].category
        )
    implementation.close()
    expected = {name: worlds[name][1][minor] for name in names if (minor, name) not in BY_CHANCE}
    assert {name: found[name] for name in expected} == expected
