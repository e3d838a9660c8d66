"""Admin access: devices of others, and nothing used (DRA/admin-access)."""

from __future__ import annotations

import pytest

from dra_conform.allocator import Failed, Unallocatable
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import DeviceRequest
from tests.support.allocator.worlds import (
    DRIVER,
    KEP,
    Amounts,
    allocator,
    claim,
    counted,
    device,
    first_of,
    given,
    held,
    match,
    node,
    release,
    request,
    results,
    slice_of,
    sub,
    tolerating,
)

HERE = node()
GPU = {"gpu": {"mem": "8"}}
IN_1_36 = release("1.36")
BOTH = pytest.mark.parametrize("profile", [KEP, IN_1_36], ids=["kep", "1.36"])


def admin(name: str = "adm", capacity: Amounts = None, **more: object) -> DeviceRequest:
    return request(name, capacity, admin=True, **more)  # type: ignore[arg-type] # more of a request


# Devices of others.


@BOTH
def test_it_reaches_devices_in_use(profile: Profile) -> None:
    world = allocator(slice_of(device("a"), device("b")), profile=profile)
    before = [held("a"), held("b")]
    decision = world.allocate(HERE, [claim("c", admin())], before)
    assert given(decision) == [["adm a"]]
    assert results(decision)[0].admin_access is True
    assert given(world.allocate(HERE, [claim("c", admin(count=2))], before)) == [["adm a", "adm b"]]
    assert given(world.allocate(HERE, [claim("c", admin(mode="All"))], before)) == [["adm a", "adm b"]]
    assert isinstance(world.allocate(HERE, [claim("c", admin(count=3))], before), Unallocatable)
    assert isinstance(world.allocate(HERE, [claim("c", admin(), request("r"))], before), Unallocatable)


@BOTH
def test_without_it_nothing_is_said_of_it(profile: Profile) -> None:
    world = allocator(slice_of(device("a")), profile=profile)
    for asked in (request(), request(admin=False)):
        assert results(world.allocate(HERE, [claim("c", asked)]))[0].admin_access is None
        assert isinstance(world.allocate(HERE, [claim("c", asked)], [held("a")]), Unallocatable)


@BOTH
def test_a_claim_gets_a_device_once(profile: Profile) -> None:
    world = allocator(slice_of(device("a"), device("b")), profile=profile)
    assert given(world.allocate(HERE, [claim("c", admin("x"), admin("y"))])) == [["x a", "y b"]]
    assert given(world.allocate(HERE, [claim("c", request("x"), admin("y"))])) == [["x a", "y b"]]
    three = claim("c", *(admin(name) for name in "xyz"))
    assert isinstance(world.allocate(HERE, [three]), Unallocatable)
    apart = [claim("c", request("x")), claim("d", admin("y")), claim("e", admin("z"))]
    assert given(world.allocate(HERE, apart)) == [["x a"], ["y a"], ["z a"]]


# Nothing is used.


def test_the_device_stays_free_for_others() -> None:
    world = allocator(slice_of(device("a")))
    claims = [claim("c", admin()), claim("d")]
    assert given(world.allocate(HERE, claims)) == [["adm a"], ["r0 a"]]
    assert given(world.allocate(HERE, [claim("d")], [held("a", admin=True)])) == [["r0 a"]]


@pytest.mark.parametrize("minor", ["1.34", "1.36", "1.37"])
def test_in_releases_it_blocks_the_rest_of_the_call(minor: str) -> None:
    world = allocator(slice_of(device("a")), profile=release(minor))
    assert isinstance(world.allocate(HERE, [claim("c", admin()), claim("d")]), Unallocatable)
    assert given(world.allocate(HERE, [claim("c"), claim("d", admin())])) == [["r0 a"], ["adm a"]]
    assert given(world.allocate(HERE, [claim("d")], [held("a", admin=True)])) == [["r0 a"]]


def test_a_device_that_the_claim_has_ordinarily_is_no_second_choice() -> None:
    """An ordinary request after one with admin access takes another device, and must find one."""
    world = allocator(slice_of(device("a"), device("b")))
    assert given(world.allocate(HERE, [claim("c", admin(), request("r"))])) == [["adm a", "r b"]]
    alone = allocator(slice_of(device("a")))
    assert isinstance(alone.allocate(HERE, [claim("c", admin(), request("r"))]), Unallocatable)


@pytest.mark.parametrize(("profile", "fits"), [(KEP, True), (IN_1_36, False)], ids=["kep", "1.36"])
def test_it_needs_no_counters(profile: Profile, fits: bool) -> None:
    world = allocator(*counted(GPU, device("a", draws={"gpu": {"mem": "8"}})), profile=profile)
    for claims, before in (([claim("c", admin())], [held("a")]), ([claim("c"), claim("d", admin())], [])):
        assert isinstance(world.allocate(HERE, claims, before), Unallocatable) is not fits
    parts = [device(name, draws={"gpu": {"mem": "8"}}) for name in "ab"]
    two = allocator(*counted(GPU, *parts), profile=profile)
    ordinary = claim("c", admin(), request("r"))
    assert isinstance(two.allocate(HERE, [ordinary]), Unallocatable) is not fits


def test_it_needs_no_groups() -> None:
    parts = [device(name, draws={"gpu": {"mem": "1"}}, groups={"gpu": [name]}) for name in "ab"]
    world = allocator(*counted(GPU, *parts))
    for requests in ((admin("x"), request("y")), (request("x"), admin("y"))):
        assert given(world.allocate(HERE, [claim("c", *requests)])) == [["x a", "y b"]]
    before = [held("a", groups={"gpu": ["a"]})]
    assert given(world.allocate(HERE, [claim("c", admin(count=2))], before)) == [["adm a", "adm b"]]
    later = [held("a", groups={"gpu": ["a"]}, admin=True), held("b", groups={"gpu": ["b"]})]
    assert given(world.allocate(HERE, [claim("c", admin(count=2))], later)) == [["adm a", "adm b"]]


@pytest.mark.parametrize(("profile", "fits"), [(KEP, True), (IN_1_36, False)], ids=["kep", "1.36"])
def test_it_needs_no_capacity(profile: Profile, fits: bool) -> None:
    world = allocator(slice_of(device("a", shared=True, bw="10")), profile=profile)
    before = [held("a", {"bw": "8"}, share="s1")]
    decision = world.allocate(HERE, [claim("c", admin("adm", {"bw": "4"}))], before)
    assert isinstance(decision, Unallocatable) is not fits
    if fits:
        [result] = results(decision)
        assert result.share_id is not None
    after = world.allocate(
        HERE, [claim("c", admin("adm", {"bw": "4"})), claim("d", request("r", {"bw": "8"}))]
    )
    assert isinstance(after, Unallocatable) is not fits
    once = world.allocate(
        HERE, [claim("c", request("r", {"bw": "10"}))], [held("a", {"bw": "8"}, share="s1", admin=True)]
    )
    assert given(once) == [["r a bw=10"]]


def test_capacity_still_filters() -> None:
    world = allocator(slice_of(device("a", bw="4"), device("b", bw="9")))
    assert given(world.allocate(HERE, [claim("c", admin("adm", {"bw": "5"}))], [held("b")])) == [["adm b"]]


# What it does not free from.


@BOTH
def test_taints_must_be_tolerated(profile: Profile) -> None:
    world = allocator(slice_of(device("a", taints=["broken:NoSchedule"])), profile=profile)
    assert isinstance(world.allocate(HERE, [claim("c", admin())]), Unallocatable)
    tolerant = admin(tolerations=[tolerating("broken", "Exists")])
    assert given(world.allocate(HERE, [claim("c", tolerant)])) == [["adm a"]]


@BOTH
def test_selectors_and_constraints_hold(profile: Profile) -> None:
    kinds = [device(name, attributes={"kind": kind}) for name, kind in (("a", 1), ("b", 2), ("c", 2))]
    world = allocator(slice_of(*kinds), profile=profile)
    before = [held(name) for name in "abc"]
    two = claim("c", admin(where=[f'device.attributes["{DRIVER}"].kind == 2']))
    assert given(world.allocate(HERE, [two], before)) == [["adm b"]]
    alike = claim("c", admin(count=2), constraints=[match(f"{DRIVER}/kind")])
    assert given(world.allocate(HERE, [alike], before)) == [["adm b", "adm c"]]


# Choices that are taken back.


def test_what_is_taken_back_is_as_it_was() -> None:
    """`a` is held by another claim: taken with admin access and given back it is still in use."""
    world = allocator(slice_of(device("a"), device("b")))
    either = claim("c", admin("x"), first_of("y", sub("two", count=2), sub("one")))
    assert given(world.allocate(HERE, [either], [held("a")])) == [["x a", "y/one b"]]
    both = claim("c", first_of("y", sub("two", count=2), sub("one")), admin("x"))
    assert given(world.allocate(HERE, [both], [held("a")])) == [["y/one b", "x a"]]


@BOTH
def test_a_device_in_use_taken_back_is_still_in_use(profile: Profile) -> None:
    world = allocator(
        slice_of(device("a", attributes={"kind": 1}), device("b", attributes={"kind": 1})), profile=profile
    )
    nothing = first_of("z", sub("no", where=["false"]), sub("one"))
    decision = world.allocate(HERE, [claim("c", admin("x"), nothing)], [held("a")])
    assert given(decision) == [["x a", "z/one b"]]
    again = world.allocate(HERE, [claim("c", admin("x"), request("y", count=2))], [held("a")])
    assert isinstance(again, Unallocatable)


# The gate DRAAdminAccess.


@pytest.mark.parametrize("profile", [KEP, release("1.35")], ids=["kep", "1.35"])
@pytest.mark.parametrize("flag", [True, False])
def test_with_the_gate_off(profile: Profile, flag: bool) -> None:
    off = profile.with_gates({"DRAAdminAccess": False})
    decision = allocator(slice_of(device("a")), profile=off).allocate(HERE, [claim("c", request(admin=flag))])
    assert isinstance(decision, Failed)
    assert decision.category == "FeatureDisabled"
    assert decision.message == (
        "claim default/c, request r0: admin access is requested, but the feature is disabled"
    )
    assert given(allocator(slice_of(device("a")), profile=off).allocate(HERE, [claim("c")])) == [["r0 a"]]


# Explanations.


@pytest.mark.parametrize("profile", [KEP, IN_1_36], ids=["kep", "1.36"])
@pytest.mark.parametrize("second", [admin("y"), request("y")], ids=["admin", "ordinary"])
def test_why_a_device_is_refused(profile: Profile, second: DeviceRequest) -> None:
    world = allocator(slice_of(device("a")), profile=profile)
    decision = world.allocate(HERE, [claim("c", admin("x"), second)], explain=True)
    assert isinstance(decision, Unallocatable)
    [refused] = [one for one in decision.reasons if one.device]
    assert (refused.request, refused.category, refused.message) == (
        "y",
        "DeviceInUse",
        "chosen for another request",
    )
