"""adminAccess: devices of other claims can be allocated, and nothing is consumed (DRA/admin-access)."""

from __future__ import annotations

import pytest

from dra_conform.allocator import Failed, Unallocatable
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import DeviceRequest
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
    match,
    node,
    pool_with_counters,
    release,
    request,
    results,
    slice_of,
    sub,
    tolerating,
)

NODE = node()
GPU = {"gpu": {"mem": "8"}}
IN_1_36 = release("1.36")
BOTH = pytest.mark.parametrize("profile", [KEP, IN_1_36], ids=["kep", "1.36"])


def admin(name: str = "adm", capacity: Amounts = None, **more: object) -> DeviceRequest:
    return request(name, capacity, admin=True, **more)  # type: ignore[arg-type] # more of a request


# Devices of other claims.


@BOTH
def test_admin_access_gets_devices_in_use(profile: Profile) -> None:
    world = allocator(slice_of(device("a"), device("b")), profile=profile)
    before = [allocated_claim("a"), allocated_claim("b")]
    decision = world.allocate(NODE, [claim("c", admin())], before)
    assert allocated_devices(decision) == [["adm a"]]
    assert results(decision)[0].admin_access is True
    assert allocated_devices(world.allocate(NODE, [claim("c", admin(count=2))], before)) == [
        ["adm a", "adm b"]
    ]
    assert allocated_devices(world.allocate(NODE, [claim("c", admin(mode="All"))], before)) == [
        ["adm a", "adm b"]
    ]
    assert isinstance(world.allocate(NODE, [claim("c", admin(count=3))], before), Unallocatable)
    assert isinstance(world.allocate(NODE, [claim("c", admin(), request("r"))], before), Unallocatable)


@BOTH
def test_a_request_without_admin_access_does_not_get_a_device_in_use(profile: Profile) -> None:
    world = allocator(slice_of(device("a")), profile=profile)
    for asked in (request(), request(admin=False)):
        assert results(world.allocate(NODE, [claim("c", asked)]))[0].admin_access is None
        assert isinstance(world.allocate(NODE, [claim("c", asked)], [allocated_claim("a")]), Unallocatable)


@BOTH
def test_a_claim_gets_a_device_once(profile: Profile) -> None:
    world = allocator(slice_of(device("a"), device("b")), profile=profile)
    assert allocated_devices(world.allocate(NODE, [claim("c", admin("x"), admin("y"))])) == [["x a", "y b"]]
    assert allocated_devices(world.allocate(NODE, [claim("c", request("x"), admin("y"))])) == [["x a", "y b"]]
    three = claim("c", *(admin(name) for name in "xyz"))
    assert isinstance(world.allocate(NODE, [three]), Unallocatable)
    apart = [claim("c", request("x")), claim("d", admin("y")), claim("e", admin("z"))]
    assert allocated_devices(world.allocate(NODE, apart)) == [["x a"], ["y a"], ["z a"]]


# adminAccess consumes nothing.


def test_the_device_stays_available_to_other_claims() -> None:
    world = allocator(slice_of(device("a")))
    claims = [claim("c", admin()), claim("d")]
    assert allocated_devices(world.allocate(NODE, claims)) == [["adm a"], ["r0 a"]]
    assert allocated_devices(world.allocate(NODE, [claim("d")], [allocated_claim("a", admin=True)])) == [
        ["r0 a"]
    ]


@pytest.mark.parametrize("minor", ["1.34", "1.36", "1.37"])
def test_releases_block_the_device_for_the_rest_of_the_call(minor: str) -> None:
    world = allocator(slice_of(device("a")), profile=release(minor))
    assert isinstance(world.allocate(NODE, [claim("c", admin()), claim("d")]), Unallocatable)
    assert allocated_devices(world.allocate(NODE, [claim("c"), claim("d", admin())])) == [["r0 a"], ["adm a"]]
    assert allocated_devices(world.allocate(NODE, [claim("d")], [allocated_claim("a", admin=True)])) == [
        ["r0 a"]
    ]


def test_a_claim_does_not_get_a_device_with_and_without_admin_access() -> None:
    """A claim cannot get the same device with adminAccess and by an ordinary request."""
    world = allocator(slice_of(device("a"), device("b")))
    assert allocated_devices(world.allocate(NODE, [claim("c", admin(), request("r"))])) == [["adm a", "r b"]]
    alone = allocator(slice_of(device("a")))
    assert isinstance(alone.allocate(NODE, [claim("c", admin(), request("r"))]), Unallocatable)


@pytest.mark.parametrize(("profile", "fits"), [(KEP, True), (IN_1_36, False)], ids=["kep", "1.36"])
def test_admin_access_consumes_no_counters(profile: Profile, fits: bool) -> None:
    world = allocator(*pool_with_counters(GPU, device("a", draws={"gpu": {"mem": "8"}})), profile=profile)
    for claims, before in (
        ([claim("c", admin())], [allocated_claim("a")]),
        ([claim("c"), claim("d", admin())], []),
    ):
        assert isinstance(world.allocate(NODE, claims, before), Unallocatable) is not fits
    parts = [device(name, draws={"gpu": {"mem": "8"}}) for name in "ab"]
    two = allocator(*pool_with_counters(GPU, *parts), profile=profile)
    ordinary = claim("c", admin(), request("r"))
    assert isinstance(two.allocate(NODE, [ordinary]), Unallocatable) is not fits


def test_admin_access_ignores_compatibility_groups() -> None:
    parts = [device(name, draws={"gpu": {"mem": "1"}}, groups={"gpu": [name]}) for name in "ab"]
    world = allocator(*pool_with_counters(GPU, *parts))
    for requests in ((admin("x"), request("y")), (request("x"), admin("y"))):
        assert allocated_devices(world.allocate(NODE, [claim("c", *requests)])) == [["x a", "y b"]]
    before = [allocated_claim("a", groups={"gpu": ["a"]})]
    assert allocated_devices(world.allocate(NODE, [claim("c", admin(count=2))], before)) == [
        ["adm a", "adm b"]
    ]
    later = [
        allocated_claim("a", groups={"gpu": ["a"]}, admin=True),
        allocated_claim("b", groups={"gpu": ["b"]}),
    ]
    assert allocated_devices(world.allocate(NODE, [claim("c", admin(count=2))], later)) == [
        ["adm a", "adm b"]
    ]


@pytest.mark.parametrize(("profile", "fits"), [(KEP, True), (IN_1_36, False)], ids=["kep", "1.36"])
def test_admin_access_consumes_no_capacity(profile: Profile, fits: bool) -> None:
    world = allocator(slice_of(device("a", shared=True, bw="10")), profile=profile)
    before = [allocated_claim("a", {"bw": "8"}, share="s1")]
    decision = world.allocate(NODE, [claim("c", admin("adm", {"bw": "4"}))], before)
    assert isinstance(decision, Unallocatable) is not fits
    if fits:
        [result] = results(decision)
        assert result.share_id is not None
    after = world.allocate(
        NODE, [claim("c", admin("adm", {"bw": "4"})), claim("d", request("r", {"bw": "8"}))]
    )
    assert isinstance(after, Unallocatable) is not fits
    once = world.allocate(
        NODE,
        [claim("c", request("r", {"bw": "10"}))],
        [allocated_claim("a", {"bw": "8"}, share="s1", admin=True)],
    )
    assert allocated_devices(once) == [["r a bw=10"]]


def test_a_device_with_too_little_capacity_is_skipped() -> None:
    world = allocator(slice_of(device("a", bw="4"), device("b", bw="9")))
    assert allocated_devices(
        world.allocate(NODE, [claim("c", admin("adm", {"bw": "5"}))], [allocated_claim("b")])
    ) == [["adm b"]]


# Checks that also apply to adminAccess.


@BOTH
def test_taints_must_be_tolerated(profile: Profile) -> None:
    world = allocator(slice_of(device("a", taints=["broken:NoSchedule"])), profile=profile)
    assert isinstance(world.allocate(NODE, [claim("c", admin())]), Unallocatable)
    tolerant = admin(tolerations=[tolerating("broken", "Exists")])
    assert allocated_devices(world.allocate(NODE, [claim("c", tolerant)])) == [["adm a"]]


@BOTH
def test_selectors_and_constraints_apply(profile: Profile) -> None:
    kinds = [device(name, attributes={"kind": kind}) for name, kind in (("a", 1), ("b", 2), ("c", 2))]
    world = allocator(slice_of(*kinds), profile=profile)
    before = [allocated_claim(name) for name in "abc"]
    two = claim("c", admin(where=[f'device.attributes["{DRIVER}"].kind == 2']))
    assert allocated_devices(world.allocate(NODE, [two], before)) == [["adm b"]]
    alike = claim("c", admin(count=2), constraints=[match(f"{DRIVER}/kind")])
    assert allocated_devices(world.allocate(NODE, [alike], before)) == [["adm b", "adm c"]]


# Backtracking.


def test_backtracking_restores_a_device_in_use() -> None:
    """`a` is allocated to another claim. After backtracking over adminAccess to it, it is still in use."""
    world = allocator(slice_of(device("a"), device("b")))
    either = claim("c", admin("x"), first_of("y", sub("two", count=2), sub("one")))
    assert allocated_devices(world.allocate(NODE, [either], [allocated_claim("a")])) == [["x a", "y/one b"]]
    both = claim("c", first_of("y", sub("two", count=2), sub("one")), admin("x"))
    assert allocated_devices(world.allocate(NODE, [both], [allocated_claim("a")])) == [["y/one b", "x a"]]


@BOTH
def test_a_backtracked_device_in_use_stays_in_use(profile: Profile) -> None:
    world = allocator(
        slice_of(device("a", attributes={"kind": 1}), device("b", attributes={"kind": 1})), profile=profile
    )
    nothing = first_of("z", sub("no", where=["false"]), sub("one"))
    decision = world.allocate(NODE, [claim("c", admin("x"), nothing)], [allocated_claim("a")])
    assert allocated_devices(decision) == [["x a", "z/one b"]]
    again = world.allocate(NODE, [claim("c", admin("x"), request("y", count=2))], [allocated_claim("a")])
    assert isinstance(again, Unallocatable)


# The gate DRAAdminAccess.


@pytest.mark.parametrize("profile", [KEP, release("1.35")], ids=["kep", "1.35"])
@pytest.mark.parametrize("flag", [True, False])
def test_with_the_gate_off(profile: Profile, flag: bool) -> None:
    off = profile.with_gates({"DRAAdminAccess": False})
    decision = allocator(slice_of(device("a")), profile=off).allocate(NODE, [claim("c", request(admin=flag))])
    assert isinstance(decision, Failed)
    assert decision.category == "FeatureDisabled"
    assert decision.message == (
        "claim default/c, request r0: admin access is requested, but the feature is disabled"
    )
    assert allocated_devices(allocator(slice_of(device("a")), profile=off).allocate(NODE, [claim("c")])) == [
        ["r0 a"]
    ]


# Explanations.


@pytest.mark.parametrize("profile", [KEP, IN_1_36], ids=["kep", "1.36"])
@pytest.mark.parametrize("second", [admin("y"), request("y")], ids=["admin", "ordinary"])
def test_the_reason_names_why_a_device_is_not_allocated(profile: Profile, second: DeviceRequest) -> None:
    world = allocator(slice_of(device("a")), profile=profile)
    decision = world.allocate(NODE, [claim("c", admin("x"), second)], explain=True)
    assert isinstance(decision, Unallocatable)
    [unallocated] = [reason for reason in decision.reasons if reason.device]
    assert (unallocated.request, unallocated.category, unallocated.message) == (
        "y",
        "DeviceInUse",
        "chosen for request x",
    )
