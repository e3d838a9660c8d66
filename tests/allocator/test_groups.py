"""Compatibility groups of devices that draw on one counter set (KEP-5963)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest

from dra_conform.allocator import Unallocatable
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import Device, DeviceConstraint, ResourceClaim
from tests.support.allocator.worlds import (
    KEP,
    allocator,
    claim,
    counted,
    device,
    distinct,
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
)

HERE = node()
SETS = {"gpu": {"mem": "100"}, "nic": {"lanes": "100"}}
OFF = KEP.with_gates({"DRADeviceCompatibilityGroups": False})
ON_1_37 = release("1.37", DRADeviceCompatibilityGroups=True)
OFF_1_37 = release("1.37", DRAListTypeAttributes=True)


def part(name: str, *groups: str, mem: str = "1", **more: object) -> Device:
    """A device on the gpu, with these groups there."""
    return device(name, draws={"gpu": {"mem": mem}}, groups={"gpu": groups}, **more)  # type: ignore[arg-type] # more of a device


def both(name: str, gpu: Sequence[str] = (), nic: Sequence[str] = (), **more: object) -> Device:
    """A device on the gpu and the nic."""
    draws = {"gpu": {"mem": "1"}, "nic": {"lanes": "1"}}
    return device(name, draws=draws, groups={"gpu": gpu, "nic": nic}, **more)  # type: ignore[arg-type] # more of a device


def on_nic(name: str, *groups: str) -> Device:
    return device(name, draws={"nic": {"lanes": "1"}}, groups={"nic": groups})


def together(*devices: Device, before: Sequence[ResourceClaim] = (), profile: Profile = KEP) -> bool:
    """Whether all of the devices go together, each for a request of its own."""
    world = allocator(*counted(SETS, *devices), profile=profile)
    decision = world.allocate(HERE, [claim("c", request(mode="All"))], before)
    return not isinstance(decision, Unallocatable)


def chosen(
    *devices: Device, count: int = 2, before: Sequence[ResourceClaim] = (), profile: Profile = KEP
) -> list[str] | None:
    """The devices that a request for so many gets, None where nothing fits."""
    world = allocator(*counted(SETS, *devices), profile=profile)
    decision = world.allocate(HERE, [claim("c", request(count=count))], before)
    return None if isinstance(decision, Unallocatable) else [one.split()[1] for one in given(decision)[0]]


# What goes together.


@pytest.mark.parametrize("profile", [KEP, ON_1_37], ids=["kep", "1.37"])
@pytest.mark.parametrize(
    ("lists", "fits"),
    [
        ([()], True),
        ([("mig",)], True),
        ([(), ()], True),
        ([("mig",), ("mig",)], True),
        ([("mig",), ("vgpu",)], False),
        ([("mig",), ()], False),
        ([(), ("mig",)], False),
        ([("a", "b"), ("b", "c")], True),
        ([("a", "b"), ("c", "b"), ("b",)], True),
        ([("a", "b"), ("b", "c"), ("a", "c")], False),
        ([("a", "b"), ("b", "c"), ("a",)], False),
        ([("mig",), ("MIG",)], False),
        ([("mig",), ("mig", "mig")], True),
        ([("mig-1",), ("mig",)], False),
        ([(), (), ("a",)], False),
    ],
    ids=str,
)
def test_what_goes_together(profile: Profile, lists: Sequence[Sequence[str]], fits: bool) -> None:
    assert together(*(part(f"d{n}", *groups) for n, groups in enumerate(lists)), profile=profile) is fits


def test_the_next_device_is_tried() -> None:
    assert chosen(part("a", "mig"), part("b", "vgpu"), part("c", "mig")) == ["a", "c"]
    assert chosen(part("a", "mig"), part("b"), part("c", "vgpu"), part("d", "vgpu")) == ["c", "d"]


def test_counter_sets_are_apart() -> None:
    assert together(part("a", "mig"), on_nic("b", "vgpu"), on_nic("c", "vgpu"))
    assert together(both("a", gpu=["x"], nic=["y"]), part("b", "x"), on_nic("c", "y"))
    assert not together(both("a", gpu=["x"], nic=["y"]), part("b", "x"), on_nic("c", "x"))
    assert not together(both("a", gpu=["x"]), part("b", "x"), on_nic("c", "x"))
    assert together(both("a", gpu=["x"]), part("b", "x"), on_nic("c"))


def test_pools_and_drivers_are_apart() -> None:
    for pool, driver in (("pool-2", "dra.example.com"), ("pool-1", "net.example.com")):
        far = counted(SETS, part("b", "vgpu"), pool=pool, driver=driver)
        decision = allocator(*counted(SETS, part("a", "mig")), *far).allocate(
            HERE, [claim("c", request(count=2))]
        )
        assert len(given(decision)[0]) == 2


def test_claims_of_a_call_see_each_other() -> None:
    world = allocator(*counted(SETS, part("a", "mig"), part("b", "vgpu"), part("c", "mig")))
    assert given(world.allocate(HERE, [claim("c"), claim("d")])) == [["r0 a"], ["r0 c"]]
    assert isinstance(world.allocate(HERE, [claim("c"), claim("d"), claim("e")]), Unallocatable)


# Undone on the way back.


def test_what_is_taken_back_narrows_nothing() -> None:
    """`a` narrows nothing, `b` narrows to x, which no other device has; without `b` the rest agrees on y."""
    assert chosen(part("a", "x", "y"), part("b", "x"), part("c", "y"), part("d", "y"), count=3) == [
        "a",
        "c",
        "d",
    ]


def test_a_set_is_open_again_when_its_first_device_leaves() -> None:
    assert chosen(part("a", "x"), part("b"), part("c")) == ["b", "c"]
    assert chosen(part("a"), part("b", "x"), part("c", "x")) == ["b", "c"]


def test_a_refusal_on_the_second_set_leaves_the_first_alone() -> None:
    """`b` agrees on the gpu, where it would narrow to x, and is refused on the nic."""
    devices = (both("a", ["x", "y"], ["n"]), both("b", ["x"], ["m"]), both("c", ["y"], ["n"]))
    assert chosen(*devices) == ["a", "c"]


def test_a_refusal_by_counters_leaves_the_groups_alone() -> None:
    devices = (part("a", "x", "y"), part("b", "x", mem="100"), part("c", "y"))
    assert chosen(*devices) == ["a", "c"]


@pytest.mark.parametrize("kind", [match, distinct])
def test_a_refusal_by_a_constraint_leaves_the_groups_alone(kind: Callable[[str], DeviceConstraint]) -> None:
    first, other = {"kind": 1}, {"kind": 1} if kind is distinct else {"kind": 2}
    last = {"kind": 2} if kind is distinct else {"kind": 1}
    devices = (
        part("a", "x", "y", attributes=first),
        part("b", "x", attributes=other),
        part("c", "y", attributes=last),
    )
    asked = claim("c", request(count=2), constraints=[kind("dra.example.com/kind")])
    assert given(allocator(*counted(SETS, *devices)).allocate(HERE, [asked])) == [["r0 a", "r0 c"]]


def test_a_refusal_by_a_taint_leaves_the_groups_alone() -> None:
    devices = (part("a", "x", "y"), part("b", "x", taints=["bad:NoSchedule"]), part("c", "y"))
    assert chosen(*devices) == ["a", "c"]


def test_an_abandoned_alternative_leaves_nothing() -> None:
    world = allocator(*counted(SETS, part("a", "x"), part("b", "x"), part("c", "y", bw="1")))
    listed = claim("c", first_of("r", sub("two", count=2), sub("one")), request("s", {"bw": "1"}))
    decision = world.allocate(HERE, [listed])
    assert isinstance(decision, Unallocatable)
    other = claim("c", first_of("r", sub("three", count=3), sub("one", {"bw": "1"})))
    assert given(world.allocate(HERE, [other])) == [["r/one c"]]


def test_shares_of_a_device_join_once() -> None:
    shared = part("a", "mig", shared=True, bw="9")
    world = allocator(*counted(SETS, shared, part("b", "mig"), part("c", "vgpu")))
    share = request("r0", {"bw": "1"})
    decision = world.allocate(HERE, [claim("c", share), claim("d", share), claim("e", request(count=1))])
    assert given(decision) == [["r0 a bw=1"], ["r0 a bw=1"], ["r0 b"]]
    again = world.allocate(
        HERE, [claim("c", share)], [held("a", {"bw": "1"}, share="s1", groups={"gpu": ["mig"]})]
    )
    assert given(again) == [["r0 a bw=1"]]


# Devices that claims hold already.

Recorded = Mapping[str, Sequence[str]] | None


@pytest.mark.parametrize(
    ("recorded", "groups", "fits"),
    [
        ({"gpu": ["mig"]}, ["mig"], True),
        ({"gpu": ["mig"]}, ["vgpu"], False),
        ({"gpu": ["mig"]}, [], False),
        ({"gpu": ["mig", "vgpu"]}, ["vgpu"], True),
        (None, [], True),
        (None, ["mig"], False),
        ({"gpu": []}, [], True),
        ({"gpu": []}, ["mig"], False),
        ({"nic": ["mig"]}, [], True),
        ({"nic": ["mig"]}, ["mig"], False),
    ],
)
def test_what_results_recorded_counts(recorded: Recorded, groups: Sequence[str], fits: bool) -> None:
    """`h` is held; what its slice says of its groups now has no influence."""
    for now in ((), ("mig",), ("vgpu",)):
        before = [held("h", groups=recorded)]
        found = chosen(part("h", *now), part("a", *groups), count=1, before=before)
        assert found == (["a"] if fits else None), now


def test_releases_read_the_slice_instead() -> None:
    before = [held("h", groups={"gpu": ["mig"]})]
    assert chosen(part("h", "vgpu"), part("a", "vgpu"), count=1, before=before, profile=ON_1_37) == ["a"]
    assert chosen(part("h", "vgpu"), part("a", "mig"), count=1, before=before, profile=ON_1_37) is None
    assert chosen(part("a", "vgpu"), count=1, before=before, profile=ON_1_37) == ["a"]


@pytest.mark.parametrize(
    ("before", "groups", "fits"),
    [
        pytest.param([held("gone", groups={"gpu": ["mig"]})], ["vgpu"], False, id="no longer published"),
        pytest.param([held("gone", groups={"gpu": ["mig"]})], ["mig"], True, id="no longer published, same"),
        pytest.param([held("gone")], ["mig"], True, id="no longer published, nothing recorded"),
        pytest.param([held("h", groups={"gpu": ["mig"]}, pool="pool-2")], ["vgpu"], True, id="another pool"),
        pytest.param(
            [held("h", groups={"gpu": ["mig"]}, driver="net.example.com")],
            ["vgpu"],
            True,
            id="another driver",
        ),
        pytest.param([held("h", groups={"gpu": ["mig"]}, admin=True)], ["vgpu"], True, id="admin access"),
        pytest.param(
            [held("h", groups={"gpu": ["a", "b"]}), held("i", groups={"gpu": ["b", "c"]})],
            ["a", "c"],
            False,
            id="two hold, one name in common",
        ),
        pytest.param(
            [held("h", groups={"gpu": ["a"]}), held("i", groups={"gpu": ["b"]})],
            ["a", "b"],
            False,
            id="conflict",
        ),
        pytest.param(
            [held("h", groups={"gpu": ["a"]}), held("i", groups={"gpu": ["b"]})],
            [],
            False,
            id="conflict, none",
        ),
        pytest.param([held("h", groups={"gpu": ["a"]}), held("i")], ["a"], False, id="one recorded nothing"),
        pytest.param([held("h"), held("i", groups={"gpu": ["a"]})], [], False, id="one recorded something"),
    ],
)
def test_which_holders_count(before: list[ResourceClaim], groups: list[str], fits: bool) -> None:
    """The claim wants device `a`; `h` and `i` are published with groups that nobody else has."""
    world = allocator(*counted(SETS, part("h", "z"), part("i", "z"), part("a", *groups, bw="1")))
    decision = world.allocate(HERE, [claim("c", request(capacity={"bw": "1"}))], before)
    assert given(decision) == [["r0 a"]] if fits else isinstance(decision, Unallocatable)


@pytest.mark.parametrize(
    ("one", "recorded"),
    [
        (part("a", "m", "n"), {"gpu": ("m", "n")}),
        (both("a", ["m"]), {"gpu": ("m",)}),
        (both("a", ["m"], ["k"]), {"gpu": ("m",), "nic": ("k",)}),
        (on_nic("a"), None),
        (device("a"), None),
    ],
)
def test_what_is_recorded(one: Device, recorded: object) -> None:
    [kep] = results(allocator(*counted(SETS, one)).allocate(HERE, [claim("c")]))
    assert kep.compatibility_groups == recorded
    [live] = results(allocator(*counted(SETS, one), profile=ON_1_37).allocate(HERE, [claim("c")]))
    assert live.compatibility_groups is None


# The gate DRADeviceCompatibilityGroups, and releases that do not know it.


def test_with_the_gate_off() -> None:
    assert chosen(part("a", "mig"), part("b"), count=1, profile=OFF) == ["b"]
    assert chosen(both("a", nic=["mig"]), part("b"), count=1, profile=OFF) == ["b"]
    assert not together(part("a", "mig"), part("b"), profile=OFF)
    recorded = [held("h", groups={"gpu": ["mig"]})]
    assert chosen(part("h"), part("b"), count=1, before=recorded, profile=OFF) is None
    assert chosen(part("h"), on_nic("b"), count=1, before=recorded, profile=OFF) == ["b"]
    assert chosen(part("h"), device("b"), count=1, before=recorded, profile=OFF) == ["b"]
    assert chosen(part("b"), count=1, before=recorded, profile=OFF) is None
    empty = [held("h", groups={"gpu": []})]
    assert chosen(part("h"), part("b"), count=1, before=empty, profile=OFF) == ["b"]


def test_with_the_gate_off_in_1_37_slices_with_groups_do_not_exist() -> None:
    apart = [
        slice_of(name="counters", of=3, counters=SETS),
        slice_of(part("a", "mig"), part("b"), name="s1", of=3),
        slice_of(part("c"), name="s2", of=3),
    ]
    decision = allocator(*apart, profile=OFF_1_37).allocate(HERE, [claim("c")], explain=True)
    assert isinstance(decision, Unallocatable)
    assert "PoolIncomplete" in {one.category for one in decision.reasons}
    other = slice_of(device("z"), pool="pool-2")
    assert given(allocator(*apart, other, profile=OFF_1_37).allocate(HERE, [claim("c")])) == [["r0 z"]]


def test_before_1_37_groups_are_unknown() -> None:
    assert together(part("a", "mig"), part("b", "vgpu"), part("c"), profile=release("1.36"))


# Explanations.


def _reasons(
    *devices: Device, before: Sequence[ResourceClaim] = (), profile: Profile = KEP
) -> Mapping[str, str]:
    world = allocator(*counted(SETS, *devices), profile=profile)
    decision = world.allocate(HERE, [claim("c", request(count=2))], before, explain=True)
    assert isinstance(decision, Unallocatable)
    of_devices = [reason for reason in decision.reasons if reason.device.count("/") == 2]
    return {reason.device.rpartition("/")[2]: f"{reason.category}: {reason.message}" for reason in of_devices}


def test_the_message_names_the_groups_of_both_sides() -> None:
    messages = [
        _reasons(part("a", "mig", "vgpu"), part("b", "x", "w"))["b"],
        _reasons(part("a"), part("b", "mig"))["b"],
        _reasons(part("a", "mig"), part("b"))["b"],
    ]
    expected = [
        ("with the common groups mig, vgpu", "w, x"),
        ("without groups", "mig"),
        ("with the common groups mig", "no group"),
    ]
    for message, (allocated, own) in zip(messages, expected, strict=True):
        assert message == (
            f"IncompatibleGroup: counter set gpu is used by devices {allocated}, this device has {own}"
        )
    closed = _reasons(part("h"), part("a"), before=[held("h", groups={"gpu": ["mig"]})], profile=OFF)["a"]
    assert closed.startswith("IncompatibleGroup: counter set gpu ")
    hidden = _reasons(part("a", "mig"), profile=OFF)["a"]
    assert hidden.startswith("FeatureDisabled: ")
    assert "groups" in hidden
