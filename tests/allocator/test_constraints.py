"""matchAttribute and distinctAttribute (KEP-5075/constraint)."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from dra_conform.allocator import Failed, Unallocatable
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import Device, DeviceAttribute, DeviceConstraint
from tests.support.allocator.worlds import (
    DRIVER,
    KEP,
    Value,
    allocated_devices,
    allocator,
    claim,
    device,
    distinct,
    first_of,
    match,
    node,
    policy,
    release,
    request,
    slice_of,
    sub,
)

NODE = node()
NIC = f"{DRIVER}/nic"
TWO = (request("a"), request("b"))
LISTS_OFF = KEP.with_gates({"DRAListTypeAttributes": False})


def having(name: str, *, shared: bool | None = None, **attributes: Value) -> Device:
    return device(name, shared=shared, attributes=attributes)


def versioned(name: str, version: str) -> Device:
    return msgspec.structs.replace(device(name), attributes={"nic": DeviceAttribute(version=version)})


@pytest.mark.parametrize(
    ("first", "second", "equal"),
    [
        (having("a", nic="x"), having("b", nic="x"), True),
        (having("a", nic="x"), having("b", nic="y"), False),
        (having("a", nic=1), having("b", nic=1), True),
        (having("a", nic=0), having("b", nic=1), False),
        (having("a", nic=True), having("b", nic=True), True),
        (having("a", nic=True), having("b", nic=False), False),
        (having("a", nic=1), having("b", nic=True), False),
        (having("a", nic="1"), having("b", nic=1), False),
        (versioned("a", "1.0.0"), versioned("b", "1.0.0"), True),
        (versioned("a", "1.0.0"), versioned("b", "1.0.1"), False),
        (versioned("a", "1.0.0"), having("b", nic="1.0.0"), False),
        (having("a", nic="x"), device("b", attributes={NIC: "x"}), True),
    ],
)
def test_match_and_distinct_are_inverse(first: Device, second: Device, equal: bool) -> None:
    world = allocator(slice_of(first, second))
    matched = world.allocate(NODE, [claim("c", *TWO, constraints=[match(NIC)])])
    different = world.allocate(NODE, [claim("c", *TWO, constraints=[distinct(NIC)])])
    fits, unallocated = (matched, different) if equal else (different, matched)
    assert allocated_devices(fits) == [["a a", "b b"]]
    assert isinstance(unallocated, Unallocatable)


@pytest.mark.parametrize("kind", [match, distinct])
def test_a_device_without_the_attribute_is_not_allocated(kind: Callable[[str], DeviceConstraint]) -> None:
    world = allocator(
        slice_of(device("none"), having("some", nic="x"), device("far", attributes={"o.example/nic": 1}))
    )
    assert allocated_devices(world.allocate(NODE, [claim("c", constraints=[kind(NIC)])])) == [["r0 some"]]
    assert isinstance(world.allocate(NODE, [claim("c", *TWO, constraints=[kind(NIC)])]), Unallocatable)


@pytest.mark.parametrize("profile", [KEP, LISTS_OFF], ids=["with lists", "without"])
def test_an_attribute_without_a_value_matches_nothing_else(profile: Profile) -> None:
    """Without list attributes the value of the first device is not checked."""
    empty = [msgspec.structs.replace(device(name), attributes={"nic": DeviceAttribute()}) for name in "ab"]
    world = allocator(slice_of(*empty), profile=profile)
    alone = world.allocate(NODE, [claim("c", constraints=[match(NIC)])])
    assert isinstance(alone, Unallocatable) if profile is KEP else allocated_devices(alone) == [["r0 a"]]
    assert isinstance(world.allocate(NODE, [claim("c", *TWO, constraints=[match(NIC)])]), Unallocatable)


def test_distinct_spreads_over_devices_that_could_be_shared() -> None:
    world = allocator(slice_of(having("d1", shared=True, nic="x"), having("d2", shared=True, nic="y")))
    free = world.allocate(NODE, [claim("c", *TWO)])
    assert allocated_devices(free) == [["a d1", "b d1"]]
    spread = world.allocate(NODE, [claim("c", *TWO, constraints=[distinct(NIC)])])
    assert allocated_devices(spread) == [["a d1", "b d2"]]
    same = world.allocate(NODE, [claim("c", *TWO, constraints=[match(NIC)])])
    assert allocated_devices(same) == [["a d1", "b d1"]]


def test_only_listed_requests_are_covered() -> None:
    world = allocator(slice_of(having("d1", shared=True, nic=True), having("d2", shared=True, nic=False)))
    three = (request("a"), request("b"), request("c"))
    listed = world.allocate(NODE, [claim("c", *three, constraints=[distinct(NIC, "a", "c")])])
    assert allocated_devices(listed) == [["a d1", "b d1", "c d2"]]
    everyone = world.allocate(NODE, [claim("c", *three, constraints=[distinct(NIC)])])
    assert isinstance(everyone, Unallocatable)


def test_a_constraint_on_a_request_covers_its_subrequests() -> None:
    world = allocator(slice_of(having("d1", shared=True, nic=1), having("d2", shared=True, nic=2)))
    is_first_nic = f"device.attributes['{DRIVER}'].nic == 1"
    wants = [first_of(name, sub("x", where=[is_first_nic]), sub("y")) for name in ("a", "b")]
    by_parent = world.allocate(NODE, [claim("c", *wants, constraints=[distinct(NIC, "a", "b")])])
    assert allocated_devices(by_parent) == [["a/x d1", "b/y d2"]]
    by_alternative = world.allocate(NODE, [claim("c", *wants, constraints=[distinct(NIC, "a/x", "b/y")])])
    assert allocated_devices(by_alternative) == [["a/x d1", "b/x d1"]]


def test_match_needs_backtracking() -> None:
    world = allocator(slice_of(having("d1", nic=1), having("d2", nic=2), having("d3", nic=2)))
    decision = world.allocate(NODE, [claim("c", request(count=2), constraints=[match(NIC)])])
    assert allocated_devices(decision) == [["r0 d2", "r0 d3"]]


def test_both_kinds_together() -> None:
    devices = (having("d1", numa=0, nic="a"), having("d2", numa=1, nic="b"), having("d3", numa=0, nic="c"))
    both = [match(f"{DRIVER}/numa"), distinct(NIC)]
    decision = allocator(slice_of(*devices)).allocate(NODE, [claim("c", *TWO, constraints=both)])
    assert allocated_devices(decision) == [["a d1", "b d3"]]
    contrary = [match(NIC), distinct(NIC)]
    assert isinstance(
        allocator(slice_of(*devices)).allocate(NODE, [claim("c", *TWO, constraints=contrary)]), Unallocatable
    )


def test_constraints_apply_within_one_claim() -> None:
    world = allocator(slice_of(having("d1", shared=True, nic="x"), having("d2", shared=True, nic="y")))
    claims = [claim(name, *TWO, constraints=[distinct(NIC)]) for name in ("c", "d")]
    assert allocated_devices(world.allocate(NODE, claims)) == [["a d1", "b d2"]] * 2


@pytest.mark.parametrize(
    ("profile", "fits"), [("kep", False), ("kubernetes-1.36", True), ("kubernetes-1.37", False)]
)
def test_releases_remember_only_the_latest_value_of_a_request(profile: str, fits: bool) -> None:
    world = allocator(
        slice_of(having("d1", nic="x"), having("d2", nic="y"), having("d3", nic="x")),
        profile=Profile.named(profile),
    )
    decision = world.allocate(NODE, [claim("c", request(count=3), constraints=[distinct(NIC)])])
    assert isinstance(decision, Unallocatable) is not fits
    if fits:
        assert allocated_devices(decision) == [["r0 d1", "r0 d2", "r0 d3"]]


@pytest.mark.parametrize("profile", ["kep", "kubernetes-1.36"])
def test_all_with_a_constraint_that_fails(profile: str) -> None:
    world = allocator(slice_of(having("d1", nic="x"), having("d2", nic="x")), profile=Profile.named(profile))
    asked = claim("c", request(mode="All"), constraints=[distinct(NIC)])
    decision = world.allocate(NODE, [asked])
    if profile == "kep":
        assert isinstance(decision, Unallocatable)
        return
    # Releases that remember only the latest value by request accept both devices, so the test uses match.
    unequal = allocator(
        slice_of(having("d1", nic="x"), having("d2", nic="y")), profile=Profile.named(profile)
    )
    unallocated = unequal.allocate(NODE, [claim("c", request(mode="All"), constraints=[match(NIC)])])
    assert isinstance(unallocated, Failed)
    assert unallocated.message == (
        f"claim default/c, request r0: cannot add device {DRIVER}/pool-1/d2 "
        "because a claim constraint would not be satisfied"
    )


def test_an_error_of_a_later_request_comes_before_too_few_distinct_values() -> None:
    policies = {"bw": policy("0", low="0", step="1")}
    devices = [
        device("d1", shared=True, attributes={"numa": 0, "nic": "x"}, policies=policies, bw="1"),
        having("d2", numa=1, nic="x"),
        having("d3", numa=0, nic="y"),
    ]
    profile = Profile.named("kubernetes-1.37").with_gates({"DRAFractionalCapacityRange": True})
    requests = (request("a", count=2), request("b", capacity={"bw": "10000000001n"}))
    asked = claim("c", *requests, constraints=[distinct(f"{DRIVER}/numa"), distinct(NIC)])
    decision = allocator(slice_of(*devices), profile=profile).allocate(NODE, [asked])
    assert isinstance(decision, Failed)
    assert "cannot be represented" in decision.message


def test_distinct_in_a_release_without_distinct_attribute() -> None:
    off = Profile.named("kubernetes-1.36").with_gates(
        {"DRAConsumableCapacity": False, "DRADeviceBindingConditions": False}
    )
    world = allocator(slice_of(having("d1", nic="x")), profile=off)
    decision = world.allocate(NODE, [claim("c", constraints=[distinct(NIC)])])
    assert isinstance(decision, Failed)
    assert decision.category == "ConstraintInvalid"
    kep_off = KEP.with_gates({"DRAConsumableCapacity": False})
    other = allocator(slice_of(having("d1", nic="x")), profile=kep_off)
    assert allocated_devices(other.allocate(NODE, [claim("c", constraints=[distinct(NIC)])])) == [["r0 d1"]]


# Lists.


LISTED = [
    ([1, 2], [2, 3], True),
    ([1, 2], [3, 4], False),
    ([1, 2], 2, True),
    (1, [2, 3], False),
    (["a"], ["a", "b"], True),
    (["a"], "b", False),
    ([True, False], True, True),
    ([1], ["1"], False),
    ([1], [True], False),
]


@pytest.mark.parametrize(("first", "second", "common"), LISTED)
def test_lists_are_sets(first: Value, second: Value, common: bool) -> None:
    """matchAttribute needs a value that all devices have, distinctAttribute no value that two devices have."""
    for first_value, two in ((first, second), (second, first)):
        world = allocator(slice_of(having("a", nic=first_value), having("b", nic=two)))
        matched = world.allocate(NODE, [claim("c", *TWO, constraints=[match(NIC)])])
        different = world.allocate(NODE, [claim("c", *TWO, constraints=[distinct(NIC)])])
        fits, unallocated = (matched, different) if common else (different, matched)
        assert allocated_devices(fits) == [["a a", "b b"]]
        assert isinstance(unallocated, Unallocatable)


def test_lists_of_versions() -> None:
    def versions(name: str, *found: str) -> Device:
        return msgspec.structs.replace(device(name), attributes={"nic": DeviceAttribute(versions=found)})

    world = allocator(
        slice_of(versions("a", "1.0.0", "2.0.0"), versions("b", "3.0.0"), versions("c", "2.0.0"))
    )
    decision = world.allocate(NODE, [claim("c", *TWO, constraints=[match(NIC)])])
    assert allocated_devices(decision) == [["a a", "b c"]]
    mixed = allocator(slice_of(versions("a", "1.0.0"), having("b", nic="1.0.0"), versioned("c", "1.0.0")))
    assert allocated_devices(mixed.allocate(NODE, [claim("c", *TWO, constraints=[match(NIC)])])) == [
        ["a a", "b c"]
    ]


def test_match_needs_a_value_common_to_all_devices() -> None:
    pairs = [
        having("a", nic=[1, 2]),
        having("b", nic=[2, 3]),
        having("c", nic=[1, 3]),
        having("d", nic=[3, 2]),
    ]
    three = claim("c", request(count=3), constraints=[match(NIC)])
    assert isinstance(allocator(slice_of(*pairs[:3])).allocate(NODE, [three]), Unallocatable)
    assert allocated_devices(allocator(slice_of(*pairs)).allocate(NODE, [three])) == [
        ["r0 a", "r0 b", "r0 d"]
    ]
    different = claim("c", request(count=2), constraints=[distinct(NIC)])
    assert isinstance(allocator(slice_of(*pairs[:3])).allocate(NODE, [different]), Unallocatable)


@pytest.mark.parametrize(
    ("profile", "found"),
    [
        (KEP, [["r0 a", "r0 c", "r0 d"]]),
        (release("1.36", DRAListTypeAttributes=True), None),
        (release("1.37", DRAListTypeAttributes=True), [["r0 a", "r0 c", "r0 d"]]),
    ],
    ids=["kep", "1.36", "1.37"],
)
def test_backtracking_restores_the_intersection_of_lists(
    profile: Profile, found: list[list[str]] | None
) -> None:
    devices = (having("a", nic=[1, 2]), having("b", nic=[1]), having("c", nic=[2]), having("d", nic=[2]))
    world = allocator(slice_of(*devices), profile=profile)
    decision = world.allocate(NODE, [claim("c", request(count=3), constraints=[match(NIC)])])
    assert isinstance(decision, Unallocatable) if found is None else allocated_devices(decision) == found


def test_backtracking_restores_distinct_lists() -> None:
    devices = (having("a", nic=[1, 2]), having("b", nic=[2]), having("c", nic=[1]))
    decision = allocator(slice_of(*devices)).allocate(
        NODE, [claim("c", request(count=2), constraints=[distinct(NIC)])]
    )
    assert allocated_devices(decision) == [["r0 b", "r0 c"]]


def test_an_empty_list_never_complies() -> None:
    for constraint in (match(NIC), distinct(NIC)):
        world = allocator(slice_of(having("a", nic=[]), having("b", nic=[1])))
        assert allocated_devices(world.allocate(NODE, [claim("c", constraints=[constraint])])) == [["r0 b"]]


@pytest.mark.parametrize(
    "profile", [LISTS_OFF, release("1.36"), release("1.37")], ids=["kep", "1.36", "1.37"]
)
def test_lists_with_the_gate_off(profile: Profile) -> None:
    """A list counts as an unknown value: the first device complies, a second device never does."""
    world = allocator(slice_of(having("a", nic=[1]), having("b", nic=[1])), profile=profile)
    assert allocated_devices(world.allocate(NODE, [claim("c", constraints=[match(NIC)])])) == [["r0 a"]]
    assert isinstance(world.allocate(NODE, [claim("c", *TWO, constraints=[match(NIC)])]), Unallocatable)
    picky = world.allocate(NODE, [claim("c", request(where=["true"]))])
    if profile.name != "kubernetes-1.36":
        assert allocated_devices(picky) == [["r0 a"]]
    else:
        assert isinstance(picky, Failed)
        assert "unsupported attribute value" in picky.message


def test_distinct_in_1_34_never_treats_two_devices_as_equal() -> None:
    for minor, fits in (("1.34", True), ("1.35", False)):
        profile = release(minor, DRAConsumableCapacity=True)
        world = allocator(slice_of(having("a", nic=1), having("b", nic=1)), profile=profile)
        decision = world.allocate(NODE, [claim("c", *TWO, constraints=[distinct(NIC)])])
        assert isinstance(decision, Unallocatable) is not fits


def test_the_reason_shows_list_values() -> None:
    world = allocator(slice_of(having("a", nic=[1]), having("b", nic=[True, False])))
    decision = world.allocate(NODE, [claim("c", *TWO, constraints=[match(NIC)])], explain=True)
    assert isinstance(decision, Unallocatable)
    assert f"match {NIC} is violated by bools false, true" in [reason.message for reason in decision.reasons]
