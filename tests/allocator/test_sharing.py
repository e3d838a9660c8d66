"""Shared allocations and capacity requests (KEP-5075)."""

from __future__ import annotations

import re
import uuid

import msgspec
import pytest

from dra_conform.allocator import Allocated, Decision, Failed, Unallocatable
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import Device, ResourceClaim
from tests.support.allocator.worlds import (
    DRIVER,
    KEP,
    Amounts,
    allocated_claim,
    allocated_devices,
    allocator,
    claim,
    device,
    first_of,
    node,
    policy,
    request,
    results,
    slice_of,
    sub,
)

NODE = node()
STEPS = policy("1", "1", step="4")
SHARED = device("d", shared=True, bw="10")
STEPPED = device("d", shared=True, bw="10", policies={"bw": STEPS})
QUALIFIED = msgspec.structs.replace(SHARED, capacity={f"{DRIVER}/bw": SHARED.capacity["bw"]})
ZERO = device("d", shared=True, bw="1", policies={"bw": policy("0", values=["0"])})
TWO_KINDS = device("d", shared=True, memory="16", cores="4", policies={"cores": policy("1", "1")})


@pytest.mark.parametrize(
    ("of", "asked", "consumed"),
    [
        (SHARED, {"bw": "4"}, "bw=4"),
        (SHARED, {"bw": "10"}, "bw=10"),
        (SHARED, {"bw": "10001m"}, None),
        (SHARED, {"bw": "0"}, "bw=0"),
        (SHARED, None, "bw=10"),
        (SHARED, {}, "bw=10"),
        (SHARED, {"other": "0"}, None),
        (SHARED, {f"{DRIVER}/bw": "4"}, "bw=4"),
        (SHARED, {"other.example.com/bw": "4"}, None),
        (QUALIFIED, {"bw": "4"}, f"{DRIVER}/bw=4"),
        (STEPPED, {"bw": "3"}, "bw=5"),
        (STEPPED, {"bw": "9"}, "bw=9"),
        (STEPPED, {"bw": "10"}, None),
        (STEPPED, None, "bw=1"),
        (ZERO, None, "bw=0"),
        (ZERO, {"bw": "1"}, None),
        (TWO_KINDS, {"memory": "4"}, "memory=4 cores=1"),
        (TWO_KINDS, {"memory": "4", "cores": "5"}, None),
        (device("d", shared=True), None, ""),
        (device("d", shared=True), {"bw": "1"}, None),
        (
            device("d", shared=True, bw="1", policies={"bw": policy("200m", "200m", "1", "100m")}),
            {"bw": "250m"},
            "bw=300m",
        ),
    ],
)
def test_what_a_share_consumes(of: Device, asked: Amounts, consumed: str | None) -> None:
    decision = allocator(slice_of(of)).allocate(NODE, [claim("c", request(capacity=asked))])
    if consumed is None:
        assert isinstance(decision, Unallocatable)
    else:
        assert allocated_devices(decision) == [[f"r0 d {consumed}".strip()]]


@pytest.mark.parametrize(
    ("of", "asked", "fits"),
    [
        (device("d", bw="10"), {"bw": "10"}, True),
        (device("d", bw="10"), {"bw": "11"}, False),
        (device("d", bw="10"), None, True),
        (device("d", shared=False, bw="10"), {"bw": "4"}, True),
        (device("d", b="10"), {"a": "0"}, False),
        (device("d", memory="16", cores="4"), {"memory": "16", "cores": "5"}, False),
        (device("d", bw="10", policies={"bw": policy("1", "1", "3")}), {"bw": "4"}, True),
    ],
)
def test_an_exclusive_device_only_needs_enough_capacity(of: Device, asked: Amounts, fits: bool) -> None:
    decision = allocator(slice_of(of)).allocate(NODE, [claim("c", request(capacity=asked))])
    assert isinstance(decision, Allocated) is fits
    if fits:
        assert [(result.share_id, result.consumed_capacity) for result in results(decision)] == [(None, None)]


def test_releases_apply_the_policy_to_exclusive_devices() -> None:
    limited = device("d", bw="10", policies={"bw": policy("1", "1", "3")})
    world = allocator(slice_of(limited), profile=Profile.named("kubernetes-1.36"))
    assert isinstance(world.allocate(NODE, [claim("c", request(capacity={"bw": "4"}))]), Unallocatable)


@pytest.mark.parametrize(
    ("before", "asked", "fits"),
    [
        ([], "10", True),
        ([allocated_claim("d", {"bw": "6"}, share="s1")], "4", True),
        ([allocated_claim("d", {"bw": "6"}, share="s1")], "4001m", False),
        (
            [allocated_claim("d", {"bw": "3"}, share="s1"), allocated_claim("d", {"bw": "4"}, share="s2")],
            "3",
            True,
        ),
        (
            [allocated_claim("d", {"bw": "3"}, share="s1"), allocated_claim("d", {"bw": "4"}, share="s2")],
            "4",
            False,
        ),
        ([allocated_claim("d", {"bw": "10"}, share="s1")], "0", True),
        ([allocated_claim("d", {"gone": "99"}, share="s1")], "10", True),
        ([allocated_claim("d")], "1", False),
        ([allocated_claim("d", {"bw": "9"}, share="s1", pool="pool-2")], "10", True),
    ],
)
def test_shares_of_other_claims_count(before: list[ResourceClaim], asked: str, fits: bool) -> None:
    decision = allocator(slice_of(SHARED)).allocate(
        NODE, [claim("c", request(capacity={"bw": asked}))], before
    )
    assert isinstance(decision, Allocated) is fits


def test_shares_within_a_claim_and_across_claims() -> None:
    world = allocator(slice_of(SHARED))
    both = (request("a", {"bw": "6"}), request("b", {"bw": "4"}))
    decision = world.allocate(NODE, [claim("c", *both)])
    assert allocated_devices(decision) == [["a d bw=6", "b d bw=4"]]
    ids = [result.share_id for result in results(decision)]
    assert len(set(ids)) == 2
    apart = world.allocate(NODE, [claim("c", both[0]), claim("d", both[1])])
    assert allocated_devices(apart) == [["a d bw=6"], ["b d bw=4"]]
    assert isinstance(
        world.allocate(NODE, [claim("c", request("a", {"bw": "6"}), request("b", {"bw": "5"}))]),
        Unallocatable,
    )


def test_one_request_takes_a_device_once() -> None:
    world = allocator(slice_of(SHARED))
    assert isinstance(
        world.allocate(NODE, [claim("c", request(capacity={"bw": "4"}, count=2))]), Unallocatable
    )


def test_an_unrequested_capacity_without_policy_is_consumed_completely() -> None:
    plain = device("d", shared=True, memory="16", cores="4")
    asked = request(capacity={"memory": "4"})
    world = allocator(slice_of(plain))
    assert allocated_devices(world.allocate(NODE, [claim("c", asked)])) == [["r0 d memory=4 cores=4"]]
    assert isinstance(world.allocate(NODE, [claim("c", asked), claim("d", asked)]), Unallocatable)


def test_the_next_device_is_tried_if_capacity_is_exhausted() -> None:
    small, large = device("d1", shared=True, bw="4"), device("d2", shared=True, bw="10")
    world = allocator(slice_of(small, large))
    two = claim("c", request("a", {"bw": "4"}), request("b", {"bw": "8"}))
    assert allocated_devices(world.allocate(NODE, [two])) == [["a d1 bw=4", "b d2 bw=8"]]
    swapped = allocator(slice_of(large, small))
    assert allocated_devices(swapped.allocate(NODE, [two])) == [["a d1 bw=4", "b d2 bw=8"]]
    count = claim("c", request(capacity={"bw": "4"}, count=2))
    assert allocated_devices(world.allocate(NODE, [count])) == [["r0 d1 bw=4", "r0 d2 bw=4"]]


def test_backtracking_releases_capacity() -> None:
    world = allocator(slice_of(device("d1", shared=True, bw="10"), device("d2", shared=True, bw="5")))
    asked = first_of("r", sub("two", {"bw": "6"}, count=2), sub("one", {"bw": "10"}))
    assert allocated_devices(world.allocate(NODE, [claim("c", asked)])) == [["r/one d1 bw=10"]]


def test_many_shares_of_a_device_without_capacity() -> None:
    world = allocator(slice_of(device("d", shared=True)))
    decision = world.allocate(NODE, [claim(f"c{n}") for n in range(1000)])
    found = results(decision)
    assert {item.consumed_capacity for item in found} == {None}
    assert len({item.share_id for item in found}) == 1000


# Share IDs.


def test_share_ids_are_uuids_and_follow_from_the_seed() -> None:
    def ids(seed: int) -> list[str | None]:
        decision = allocator(slice_of(SHARED), seed=seed).allocate(
            NODE, [claim("c", request("a", {"bw": "1"}), request("b", {"bw": "1"}))]
        )
        return [result.share_id for result in results(decision)]

    assert ids(1) == ids(1)
    assert not set(ids(1)) & set(ids(2))
    for share_id in ids(1):
        assert share_id is not None
        assert re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", share_id)
        assert (uuid.UUID(share_id).version, uuid.UUID(share_id).variant) == (4, uuid.RFC_4122)


def test_a_share_id_in_use_is_not_used_again() -> None:
    world = allocator(slice_of(device("d", shared=True)))
    first = results(world.allocate(NODE, [claim("c")]))[0].share_id
    again = results(world.allocate(NODE, [claim("c")], [allocated_claim("d", share=first)]))[0].share_id
    assert first
    assert again
    assert first != again


# Devices whose allowMultipleAllocations changes.


@pytest.mark.parametrize(
    ("profile", "fits"), [("kep", False), ("kubernetes-1.36", True), ("kubernetes-1.37", True)]
)
def test_a_device_that_became_exclusive_while_shared(profile: str, fits: bool) -> None:
    world = allocator(slice_of(device("d", bw="10")), profile=Profile.named(profile))
    holding = [allocated_claim("d", {"bw": "2"}, share="s1")]
    asked = claim("c", request(capacity={"bw": "5"}))
    assert isinstance(world.allocate(NODE, [asked], holding), Allocated) is fits
    assert isinstance(world.allocate(NODE, [claim("c")], holding), Unallocatable)


def test_releases_compare_capacity_names_literally() -> None:
    world = allocator(slice_of(SHARED), profile=Profile.named("kubernetes-1.36"))
    asked = claim("c", request(capacity={f"{DRIVER}/bw": "4"}))
    assert isinstance(world.allocate(NODE, [asked]), Unallocatable)


# The gate DRAConsumableCapacity.


@pytest.mark.parametrize(
    ("profile", "gates", "fails"),
    [
        ("kep", {}, True),
        ("kubernetes-1.36", {}, True),
        ("kubernetes-1.36", {"DRADeviceBindingConditions": False}, False),
        ("kubernetes-1.36", {"DRADeviceBindingConditions": False, "DRAListTypeAttributes": True}, True),
        ("kubernetes-1.35", {}, False),
        ("kubernetes-1.34", {}, True),
        ("kubernetes-1.33", {}, False),
    ],
)
def test_a_capacity_request_with_the_gate_off(profile: str, gates: dict[str, bool], fails: bool) -> None:
    off = Profile.named(profile).with_gates({**gates, "DRAConsumableCapacity": False})
    world = allocator(slice_of(SHARED), profile=off)
    decision = world.allocate(NODE, [claim("c", request(capacity={"bw": "99"}))])
    if not fails:
        assert allocated_devices(decision) == [["r0 d"]]
        return
    assert isinstance(decision, Failed)
    assert (decision.category, decision.message) == (
        "FeatureDisabled",
        "claim default/c, request r0: has capacity requests, "
        "but the DRAConsumableCapacity feature is disabled",
    )
    if Profile.named(profile).has("DRAPrioritizedList"):
        listed = world.allocate(NODE, [claim("c", first_of("r", sub("s", {})))])
        assert isinstance(listed, Failed)
        assert listed.message.startswith("claim default/c, subrequest s: has capacity requests")


def test_with_the_gate_off_every_device_is_exclusive() -> None:
    off = KEP.with_gates({"DRAConsumableCapacity": False})
    world = allocator(slice_of(STEPPED), profile=off)
    found = results(world.allocate(NODE, [claim("c")]))
    assert [(item.share_id, item.consumed_capacity) for item in found] == [(None, None)]
    assert isinstance(world.allocate(NODE, [claim("c"), claim("d")]), Unallocatable)
    assert isinstance(
        world.allocate(NODE, [claim("c")], [allocated_claim("d", {"bw": "1"}, share="s1")]), Unallocatable
    )
    release = Profile.named("kubernetes-1.36").with_gates({"DRAConsumableCapacity": False})
    later = allocator(slice_of(STEPPED), profile=release)
    assert isinstance(
        later.allocate(NODE, [claim("c")], [allocated_claim("d", {"bw": "1"}, share="s1")]), Unallocatable
    )
    shared_only = request(where=["device.allowMultipleAllocations"])
    assert isinstance(world.allocate(NODE, [claim("c", shared_only)]), Unallocatable)


# Mode All.


ALL_OF_4 = claim("c", request(capacity={"bw": "4"}, mode="All"))
LIMITED = device("d1", shared=True, bw="10", policies={"bw": policy("1", "1", "3")})
PLAIN = device("d2", shared=True, bw="10")


@pytest.mark.parametrize(
    ("devices", "before", "by_profile"),
    [
        pytest.param(
            (device("d1", shared=True, bw="10", policies={"bw": policy("5", "5", step="5")}), PLAIN),
            [],
            {"kep": ["r0 d1 bw=5", "r0 d2 bw=4"], "kubernetes-1.36": ["r0 d1 bw=5", "r0 d2 bw=4"]},
            id="each its own share",
        ),
        pytest.param(
            (device("d1", shared=True, bw="3"), device("d3", shared=True), PLAIN),
            [],
            {"kep": ["r0 d2 bw=4"], "kubernetes-1.36": ["r0 d2 bw=4"], "kubernetes-1.37": ["r0 d2 bw=4"]},
            id="too small and lacking",
        ),
        pytest.param(
            (device("d1", shared=True, bw="10"), PLAIN),
            [allocated_claim("d1", {"bw": "8"}, share="s1")],
            {"kep": None, "kubernetes-1.36": ["r0 d2 bw=4"], "kubernetes-1.37": None},
            id="exhausted by another claim",
        ),
        pytest.param(
            (LIMITED, PLAIN),
            [],
            {"kep": None, "kubernetes-1.36": ["r0 d2 bw=4"], "kubernetes-1.37": ["r0 d2 bw=4"]},
            id="policy violation",
        ),
        pytest.param(
            (device("d1", bw="10"), PLAIN),
            [allocated_claim("d1")],
            {"kep": None, "kubernetes-1.36": None},
            id="dedicated and taken",
        ),
    ],
)
def test_all_with_capacity(
    devices: tuple[Device, ...], before: list[ResourceClaim], by_profile: dict[str, list[str] | None]
) -> None:
    for profile, expected in by_profile.items():
        decision = allocator(slice_of(*devices), profile=Profile.named(profile)).allocate(
            NODE, [ALL_OF_4], before
        )
        if expected is None:
            assert isinstance(decision, Unallocatable), profile
        else:
            assert allocated_devices(decision) == [expected], profile


def test_all_after_another_request_of_the_claim() -> None:
    def asked(value: str) -> Decision:
        world = allocator(slice_of(device("d1", shared=True, bw=value), device("d2", shared=True, bw="1")))
        small = request("r1", {"bw": "1"})
        return world.allocate(NODE, [claim("c", small, request("r2", {"bw": "1"}, mode="All"))])

    assert allocated_devices(asked("2")) == [["r1 d1 bw=1", "r2 d1 bw=1", "r2 d2 bw=1"]]
    assert isinstance(asked("1"), Unallocatable)
