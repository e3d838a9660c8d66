"""Compatibility groups of devices that consume one counter set (KEP-5963)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest

from dra_conform.allocator import Unallocatable
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import Device, DeviceConstraint, ResourceClaim
from tests.support.allocator.worlds import (
    KEP,
    allocated_claim,
    allocated_devices,
    allocator,
    claim,
    device,
    distinct,
    first_of,
    match,
    node,
    pool_with_counters,
    release,
    request,
    results,
    slice_of,
    sub,
)

NODE = node()
SETS = {"gpu": {"mem": "100"}, "nic": {"lanes": "100"}}
OFF = KEP.with_gates({"DRADeviceCompatibilityGroups": False})
ON_1_37 = release("1.37", DRADeviceCompatibilityGroups=True)
OFF_1_37 = release("1.37", DRAListTypeAttributes=True)


def part(name: str, *groups: str, mem: str = "1", **more: object) -> Device:
    """Make a device that consumes the counter set `gpu`, with these groups."""
    return device(name, draws={"gpu": {"mem": mem}}, groups={"gpu": groups}, **more)  # type: ignore[arg-type] # more of a device


def both(name: str, gpu: Sequence[str] = (), nic: Sequence[str] = (), **more: object) -> Device:
    """Make a device that consumes the counter sets `gpu` and `nic`."""
    draws = {"gpu": {"mem": "1"}, "nic": {"lanes": "1"}}
    return device(name, draws=draws, groups={"gpu": gpu, "nic": nic}, **more)  # type: ignore[arg-type] # more of a device


def on_nic(name: str, *groups: str) -> Device:
    return device(name, draws={"nic": {"lanes": "1"}}, groups={"nic": groups})


def together(*devices: Device, before: Sequence[ResourceClaim] = (), profile: Profile = KEP) -> bool:
    """Whether all devices can be allocated together, each to its own request."""
    world = allocator(*pool_with_counters(SETS, *devices), profile=profile)
    decision = world.allocate(NODE, [claim("c", request(mode="All"))], before)
    return not isinstance(decision, Unallocatable)


def chosen(
    *devices: Device, count: int = 2, before: Sequence[ResourceClaim] = (), profile: Profile = KEP
) -> list[str] | None:
    """Return the devices that a request with a count gets, None if it gets none."""
    world = allocator(*pool_with_counters(SETS, *devices), profile=profile)
    decision = world.allocate(NODE, [claim("c", request(count=count))], before)
    return (
        None
        if isinstance(decision, Unallocatable)
        else [line.split()[1] for line in allocated_devices(decision)[0]]
    )


# Devices that are compatible.


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
def test_devices_with_a_common_group_are_compatible(
    profile: Profile, lists: Sequence[Sequence[str]], fits: bool
) -> None:
    assert together(*(part(f"d{n}", *groups) for n, groups in enumerate(lists)), profile=profile) is fits


def test_the_next_device_is_tried() -> None:
    assert chosen(part("a", "mig"), part("b", "vgpu"), part("c", "mig")) == ["a", "c"]
    assert chosen(part("a", "mig"), part("b"), part("c", "vgpu"), part("d", "vgpu")) == ["c", "d"]


def test_counter_sets_are_independent() -> None:
    assert together(part("a", "mig"), on_nic("b", "vgpu"), on_nic("c", "vgpu"))
    assert together(both("a", gpu=["x"], nic=["y"]), part("b", "x"), on_nic("c", "y"))
    assert not together(both("a", gpu=["x"], nic=["y"]), part("b", "x"), on_nic("c", "x"))
    assert not together(both("a", gpu=["x"]), part("b", "x"), on_nic("c", "x"))
    assert together(both("a", gpu=["x"]), part("b", "x"), on_nic("c"))


def test_pools_and_drivers_are_independent() -> None:
    for pool, driver in (("pool-2", "dra.example.com"), ("pool-1", "net.example.com")):
        far = pool_with_counters(SETS, part("b", "vgpu"), pool=pool, driver=driver)
        decision = allocator(*pool_with_counters(SETS, part("a", "mig")), *far).allocate(
            NODE, [claim("c", request(count=2))]
        )
        assert len(allocated_devices(decision)[0]) == 2


def test_groups_apply_across_claims_of_a_call() -> None:
    world = allocator(*pool_with_counters(SETS, part("a", "mig"), part("b", "vgpu"), part("c", "mig")))
    assert allocated_devices(world.allocate(NODE, [claim("c"), claim("d")])) == [["r0 a"], ["r0 c"]]
    assert isinstance(world.allocate(NODE, [claim("c"), claim("d"), claim("e")]), Unallocatable)


# Backtracking.


def test_a_backtracked_device_narrows_no_groups() -> None:
    """`b` narrows the common groups to x, which no other device has. Without `b` the others have y in common."""
    assert chosen(part("a", "x", "y"), part("b", "x"), part("c", "y"), part("d", "y"), count=3) == [
        "a",
        "c",
        "d",
    ]


def test_a_counter_set_without_devices_accepts_every_device() -> None:
    assert chosen(part("a", "x"), part("b"), part("c")) == ["b", "c"]
    assert chosen(part("a"), part("b", "x"), part("c", "x")) == ["b", "c"]


def test_a_failure_on_the_second_counter_set_restores_the_first() -> None:
    """`b` is compatible on the gpu, which it would narrow to x, but not on the nic."""
    devices = (both("a", ["x", "y"], ["n"]), both("b", ["x"], ["m"]), both("c", ["y"], ["n"]))
    assert chosen(*devices) == ["a", "c"]


def test_an_exhausted_counter_restores_the_groups() -> None:
    devices = (part("a", "x", "y"), part("b", "x", mem="100"), part("c", "y"))
    assert chosen(*devices) == ["a", "c"]


@pytest.mark.parametrize("kind", [match, distinct])
def test_a_violated_constraint_restores_the_groups(kind: Callable[[str], DeviceConstraint]) -> None:
    first, other = {"kind": 1}, {"kind": 1} if kind is distinct else {"kind": 2}
    last = {"kind": 2} if kind is distinct else {"kind": 1}
    devices = (
        part("a", "x", "y", attributes=first),
        part("b", "x", attributes=other),
        part("c", "y", attributes=last),
    )
    asked = claim("c", request(count=2), constraints=[kind("dra.example.com/kind")])
    assert allocated_devices(allocator(*pool_with_counters(SETS, *devices)).allocate(NODE, [asked])) == [
        ["r0 a", "r0 c"]
    ]


def test_a_taint_restores_the_groups() -> None:
    devices = (part("a", "x", "y"), part("b", "x", taints=["bad:NoSchedule"]), part("c", "y"))
    assert chosen(*devices) == ["a", "c"]


def test_a_backtracked_subrequest_restores_the_groups() -> None:
    world = allocator(*pool_with_counters(SETS, part("a", "x"), part("b", "x"), part("c", "y", bw="1")))
    listed = claim("c", first_of("r", sub("two", count=2), sub("one")), request("s", {"bw": "1"}))
    decision = world.allocate(NODE, [listed])
    assert isinstance(decision, Unallocatable)
    other = claim("c", first_of("r", sub("three", count=3), sub("one", {"bw": "1"})))
    assert allocated_devices(world.allocate(NODE, [other])) == [["r/one c"]]


def test_shares_of_a_device_join_once() -> None:
    shared = part("a", "mig", shared=True, bw="9")
    world = allocator(*pool_with_counters(SETS, shared, part("b", "mig"), part("c", "vgpu")))
    share = request("r0", {"bw": "1"})
    decision = world.allocate(NODE, [claim("c", share), claim("d", share), claim("e", request(count=1))])
    assert allocated_devices(decision) == [["r0 a bw=1"], ["r0 a bw=1"], ["r0 b"]]
    again = world.allocate(
        NODE, [claim("c", share)], [allocated_claim("a", {"bw": "1"}, share="s1", groups={"gpu": ["mig"]})]
    )
    assert allocated_devices(again) == [["r0 a bw=1"]]


# Devices that are allocated already.

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
def test_recorded_groups_count(recorded: Recorded, groups: Sequence[str], fits: bool) -> None:
    """`h` is allocated. The groups that its slice publishes now have no effect."""
    for now in ((), ("mig",), ("vgpu",)):
        before = [allocated_claim("h", groups=recorded)]
        found = chosen(part("h", *now), part("a", *groups), count=1, before=before)
        assert found == (["a"] if fits else None), now


def test_releases_read_the_slice_instead() -> None:
    before = [allocated_claim("h", groups={"gpu": ["mig"]})]
    assert chosen(part("h", "vgpu"), part("a", "vgpu"), count=1, before=before, profile=ON_1_37) == ["a"]
    assert chosen(part("h", "vgpu"), part("a", "mig"), count=1, before=before, profile=ON_1_37) is None
    assert chosen(part("a", "vgpu"), count=1, before=before, profile=ON_1_37) == ["a"]


@pytest.mark.parametrize(
    ("before", "groups", "fits"),
    [
        pytest.param(
            [allocated_claim("gone", groups={"gpu": ["mig"]})], ["vgpu"], False, id="no longer published"
        ),
        pytest.param(
            [allocated_claim("gone", groups={"gpu": ["mig"]})], ["mig"], True, id="no longer published, same"
        ),
        pytest.param([allocated_claim("gone")], ["mig"], True, id="no longer published, nothing recorded"),
        pytest.param(
            [allocated_claim("h", groups={"gpu": ["mig"]}, pool="pool-2")], ["vgpu"], True, id="another pool"
        ),
        pytest.param(
            [allocated_claim("h", groups={"gpu": ["mig"]}, driver="net.example.com")],
            ["vgpu"],
            True,
            id="another driver",
        ),
        pytest.param(
            [allocated_claim("h", groups={"gpu": ["mig"]}, admin=True)], ["vgpu"], True, id="admin access"
        ),
        pytest.param(
            [
                allocated_claim("h", groups={"gpu": ["a", "b"]}),
                allocated_claim("i", groups={"gpu": ["b", "c"]}),
            ],
            ["a", "c"],
            False,
            id="two hold, one name in common",
        ),
        pytest.param(
            [allocated_claim("h", groups={"gpu": ["a"]}), allocated_claim("i", groups={"gpu": ["b"]})],
            ["a", "b"],
            False,
            id="conflict",
        ),
        pytest.param(
            [allocated_claim("h", groups={"gpu": ["a"]}), allocated_claim("i", groups={"gpu": ["b"]})],
            [],
            False,
            id="conflict, none",
        ),
        pytest.param(
            [allocated_claim("h", groups={"gpu": ["a"]}), allocated_claim("i")],
            ["a"],
            False,
            id="one recorded nothing",
        ),
        pytest.param(
            [allocated_claim("h"), allocated_claim("i", groups={"gpu": ["a"]})],
            [],
            False,
            id="one recorded something",
        ),
    ],
)
def test_groups_of_allocated_devices(before: list[ResourceClaim], groups: list[str], fits: bool) -> None:
    """The claim requests device `a`. `h` and `i` are published with groups that no other device has."""
    world = allocator(*pool_with_counters(SETS, part("h", "z"), part("i", "z"), part("a", *groups, bw="1")))
    decision = world.allocate(NODE, [claim("c", request(capacity={"bw": "1"}))], before)
    assert allocated_devices(decision) == [["r0 a"]] if fits else isinstance(decision, Unallocatable)


@pytest.mark.parametrize(
    ("published", "recorded"),
    [
        (part("a", "m", "n"), {"gpu": ("m", "n")}),
        (both("a", ["m"]), {"gpu": ("m",)}),
        (both("a", ["m"], ["k"]), {"gpu": ("m",), "nic": ("k",)}),
        (on_nic("a"), None),
        (device("a"), None),
    ],
)
def test_results_record_groups(published: Device, recorded: object) -> None:
    [kep] = results(allocator(*pool_with_counters(SETS, published)).allocate(NODE, [claim("c")]))
    assert kep.compatibility_groups == recorded
    [live] = results(
        allocator(*pool_with_counters(SETS, published), profile=ON_1_37).allocate(NODE, [claim("c")])
    )
    assert live.compatibility_groups is None


# The gate DRADeviceCompatibilityGroups, and releases that do not know it.


def test_with_the_gate_off() -> None:
    assert chosen(part("a", "mig"), part("b"), count=1, profile=OFF) == ["b"]
    assert chosen(both("a", nic=["mig"]), part("b"), count=1, profile=OFF) == ["b"]
    assert not together(part("a", "mig"), part("b"), profile=OFF)
    recorded = [allocated_claim("h", groups={"gpu": ["mig"]})]
    assert chosen(part("h"), part("b"), count=1, before=recorded, profile=OFF) is None
    assert chosen(part("h"), on_nic("b"), count=1, before=recorded, profile=OFF) == ["b"]
    assert chosen(part("h"), device("b"), count=1, before=recorded, profile=OFF) == ["b"]
    assert chosen(part("b"), count=1, before=recorded, profile=OFF) is None
    empty = [allocated_claim("h", groups={"gpu": []})]
    assert chosen(part("h"), part("b"), count=1, before=empty, profile=OFF) == ["b"]


def test_with_the_gate_off_in_1_37_slices_with_groups_do_not_exist() -> None:
    apart = [
        slice_of(name="counters", of=3, counters=SETS),
        slice_of(part("a", "mig"), part("b"), name="s1", of=3),
        slice_of(part("c"), name="s2", of=3),
    ]
    decision = allocator(*apart, profile=OFF_1_37).allocate(NODE, [claim("c")], explain=True)
    assert isinstance(decision, Unallocatable)
    assert "PoolIncomplete" in {reason.category for reason in decision.reasons}
    other = slice_of(device("z"), pool="pool-2")
    assert allocated_devices(allocator(*apart, other, profile=OFF_1_37).allocate(NODE, [claim("c")])) == [
        ["r0 z"]
    ]


def test_before_1_37_groups_are_unknown() -> None:
    assert together(part("a", "mig"), part("b", "vgpu"), part("c"), profile=release("1.36"))


# Explanations.


def _reasons(
    *devices: Device, before: Sequence[ResourceClaim] = (), profile: Profile = KEP
) -> Mapping[str, str]:
    world = allocator(*pool_with_counters(SETS, *devices), profile=profile)
    decision = world.allocate(NODE, [claim("c", request(count=2))], before, explain=True)
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
    before = [allocated_claim("h", groups={"gpu": ["mig"]}), allocated_claim("i")]
    conflicting = _reasons(part("h"), part("i"), part("a", "mig"), before=before)["a"]
    assert conflicting.endswith(" is used by devices without a common group, this device has mig")
    closed = _reasons(
        part("h"), part("a"), before=[allocated_claim("h", groups={"gpu": ["mig"]})], profile=OFF
    )["a"]
    assert closed.startswith("IncompatibleGroup: counter set gpu ")
    hidden = _reasons(part("a", "mig"), profile=OFF)["a"]
    assert hidden.startswith("FeatureDisabled: ")
    assert "groups" in hidden
