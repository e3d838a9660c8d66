"""Counters of partitionable devices (DRA/partitionable)."""

from __future__ import annotations

import pytest

from dra_conform.allocator import Failed, Unallocatable
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import Device, ResourceClaim, ResourceSlice
from tests.support.allocator.worlds import (
    KEP,
    Sets,
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
    slice_of,
    sub,
)

NODE = node()
GPU: Sets = {"gpu": {"mem": "8"}}


def part(name: str, mem: str, *, shared: bool | None = None, **more: str) -> Device:
    """Make a device that consumes the counter `mem` of the counter set `gpu`."""
    return device(name, shared=shared, draws={"gpu": {"mem": mem}}, **more)


def on(minor: str, **gates: bool) -> Profile:
    return release(minor, DRAPartitionableDevices=True, **gates)


def chosen(
    *devices: Device, sets: Sets = GPU, count: int = 1, before: tuple[ResourceClaim, ...] = ()
) -> list[str] | None:
    """Return the devices that a request with a count gets in profile kep, None if it gets none."""
    decision = allocator(*pool_with_counters(sets, *devices)).allocate(
        NODE, [claim("c", request(count=count))], before
    )
    return (
        None
        if isinstance(decision, Unallocatable)
        else [line.split()[1] for line in allocated_devices(decision)[0]]
    )


# Remaining counters.


@pytest.mark.parametrize(
    ("devices", "count", "found"),
    [
        pytest.param([part("a", "8")], 1, ["a"], id="all there is"),
        pytest.param([part("a", "8001m")], 1, None, id="a thousandth more"),
        pytest.param([part("a", "4"), part("b", "4")], 2, ["a", "b"], id="two halves"),
        pytest.param([part("a", "4"), part("b", "4001m")], 2, None, id="a half and a little more"),
        pytest.param([part("a", "1k"), part("b", "8000m")], 1, ["b"], id="by value, not by text"),
        pytest.param([part("a", "0"), part("b", "8"), part("c", "0")], 3, ["a", "b", "c"], id="nothing"),
        pytest.param(
            [part("a", "6"), part("b", "6"), part("c", "2")], 2, ["a", "c"], id="the next that fits"
        ),
        pytest.param([part("a", "8"), part("b", "4"), part("c", "4")], 2, ["b", "c"], id="given back"),
        pytest.param([part("a", "8"), device("plain")], 2, ["a", "plain"], id="a device without counters"),
    ],
)
def test_counters_limit_the_allocation(devices: list[Device], count: int, found: list[str] | None) -> None:
    assert chosen(*devices, count=count) == found


@pytest.mark.parametrize(
    ("before", "found"),
    [
        pytest.param((), ["r0 a"], id="nothing"),
        pytest.param((allocated_claim("b"),), None, id="a half"),
        pytest.param((allocated_claim("b", pool="pool-2"),), ["r0 a"], id="the same name in another pool"),
        pytest.param(
            (allocated_claim("b", driver="other.example.com"),),
            ["r0 a"],
            id="the same name of another driver",
        ),
        pytest.param((allocated_claim("gone"),), ["r0 a"], id="a device that is not published"),
        pytest.param((allocated_claim("b", admin=True),), ["r0 a"], id="admin access"),
        pytest.param((allocated_claim("free"),), ["r0 a"], id="a device without counters"),
    ],
)
def test_allocated_claims_consume_counters(
    before: tuple[ResourceClaim, ...], found: list[str] | None
) -> None:
    """The claim requests the device that needs the whole counter."""
    world = allocator(
        *pool_with_counters(GPU, part("a", "8", bw="1"), part("b", "4"), device("free", mem="8"))
    )
    decision = world.allocate(NODE, [claim("c", request(capacity={"bw": "1"}))], before)
    assert isinstance(decision, Unallocatable) if found is None else allocated_devices(decision) == [found]


def test_the_next_device_is_tried_if_a_counter_is_exhausted() -> None:
    assert chosen(part("a", "8"), part("b", "4"), part("c", "4"), before=(allocated_claim("b"),)) == ["c"]


def test_counters_are_consumed_within_a_claim_and_across_claims() -> None:
    world = allocator(*pool_with_counters(GPU, part("a", "4"), part("b", "4"), part("c", "4")))
    assert allocated_devices(world.allocate(NODE, [claim("c"), claim("d")])) == [["r0 a"], ["r0 b"]]
    assert isinstance(world.allocate(NODE, [claim("c"), claim("d"), claim("e")]), Unallocatable)
    assert isinstance(world.allocate(NODE, [claim("c", request("x", count=2), request("y"))]), Unallocatable)


def test_backtracking_releases_counters() -> None:
    """The first two devices leave no counter for the request that only the third device matches."""
    world = allocator(*pool_with_counters(GPU, part("a", "4"), part("b", "3"), part("c", "5", bw="1")))
    wants = claim("c", request("x"), request("y", {"bw": "1"}))
    assert allocated_devices(world.allocate(NODE, [wants])) == [["x b", "y c"]]
    listed = claim("c", first_of("x", sub("two", count=2), sub("one")), request("y", {"bw": "1"}))
    assert allocated_devices(world.allocate(NODE, [listed])) == [["x/one b", "y c"]]


def test_a_violated_constraint_releases_counters() -> None:
    kinds = (("a", "1", 1), ("b", "7", 2), ("c", "7", 1))
    parts = [
        device(name, draws={"gpu": {"mem": mem}}, attributes={"kind": kind}) for name, mem, kind in kinds
    ]
    alike = claim("c", request(count=2), constraints=[match("dra.example.com/kind")])
    decision = allocator(*pool_with_counters(GPU, *parts)).allocate(NODE, [alike])
    assert allocated_devices(decision) == [["r0 a", "r0 c"]]


@pytest.mark.parametrize(
    ("amounts", "fits"),
    [
        ({"gpu": {"mem": "8", "cores": "4"}}, True),
        ({"gpu": {"mem": "8", "cores": "5"}}, False),
        ({"gpu": {"mem": "9", "cores": "4"}}, False),
        ({"gpu": {"mem": "8"}, "nic": {"mem": "2"}}, True),
        ({"gpu": {"mem": "8"}, "nic": {"mem": "3"}}, False),
        ({"nic": {"mem": "8"}}, False),
    ],
)
def test_every_counter_of_every_set_must_suffice(amounts: Sets, fits: bool) -> None:
    sets = {"gpu": {"mem": "8", "cores": "4"}, "nic": {"mem": "2"}}
    assert (chosen(device("a", draws=amounts), sets=sets) == ["a"]) is fits


def test_a_device_that_fails_on_one_counter_set_consumes_nothing() -> None:
    """The first device fails on its second counter set, and then consumes nothing of the first set either."""
    sets = {"gpu": {"mem": "8"}, "nic": {"lanes": "1"}}
    greedy = device("a", draws={"gpu": {"mem": "8"}, "nic": {"lanes": "2"}})
    assert chosen(greedy, part("b", "8"), sets=sets) == ["b"]


def test_counter_sets_of_two_pools_and_two_drivers_are_independent() -> None:
    for pool, driver in (("pool-2", "dra.example.com"), ("pool-1", "net.example.com")):
        world = allocator(
            *pool_with_counters(GPU, part("a", "8")),
            *pool_with_counters(GPU, part("b", "8"), pool=pool, driver=driver),
        )
        decision = world.allocate(NODE, [claim("c", request(count=2))])
        assert sorted(allocated_devices(decision)[0]) == ["r0 a", "r0 b"]


def test_drivers_with_pools_of_one_name_in_1_35() -> None:
    slices = (
        *pool_with_counters(GPU, part("a", "8")),
        *pool_with_counters(GPU, part("b", "8"), driver="net.example.com"),
    )
    two = [claim("c", request(count=2))]
    assert isinstance(allocator(*slices, profile=on("1.35")).allocate(NODE, two), Unallocatable)
    assert len(allocated_devices(allocator(*slices, profile=on("1.36")).allocate(NODE, two))[0]) == 2


# Shared devices consume their counters once.


def test_shares_consume_counters_once() -> None:
    many = part("a", "8", shared=True, bw="10")
    ask = request("r0", {"bw": "1"})
    world = allocator(*pool_with_counters(GPU, many, part("b", "1")))
    assert allocated_devices(world.allocate(NODE, [claim("c", ask), claim("d", ask)])) == [["r0 a bw=1"]] * 2
    again = world.allocate(NODE, [claim("d", ask)], [allocated_claim("a", {"bw": "1"}, share="s1")])
    assert allocated_devices(again) == [["r0 a bw=1"]]
    other = claim("d", request(where=["!device.allowMultipleAllocations"]))
    assert isinstance(
        world.allocate(NODE, [other], [allocated_claim("a", {"bw": "1"}, share="s1")]), Unallocatable
    )


def test_counters_are_released_with_the_last_share() -> None:
    """Two shares of one device are backtracked before the second subrequest is tried."""
    many = part("a", "8", shared=True, bw="10")
    world = allocator(*pool_with_counters(GPU, many, part("b", "8")))
    share = {"bw": "1"}
    wants = claim(
        "c",
        request("x", where=["device.allowMultipleAllocations"], capacity=share),
        first_of(
            "y",
            sub("two", share, count=2, where=["device.allowMultipleAllocations"]),
            sub("one", share, where=["device.allowMultipleAllocations"]),
        ),
    )
    assert allocated_devices(world.allocate(NODE, [wants])) == [["x a bw=1", "y/one a bw=1"]]
    either = first_of("x", sub("both", count=2), sub("dedicated", where=["!device.allowMultipleAllocations"]))
    assert allocated_devices(world.allocate(NODE, [claim("c", either)])) == [["x/dedicated b"]]


@pytest.mark.parametrize(("minor", "fits"), [("kep", True), ("1.35", True), ("1.36", False), ("1.37", True)])
def test_a_share_without_consumed_capacity(minor: str, fits: bool) -> None:
    """Up to 1.36 only shares with consumedCapacity mark a device as shared."""
    profile = KEP if minor == "kep" else on(minor, DRAConsumableCapacity=True)
    world = allocator(*pool_with_counters(GPU, part("a", "8", shared=True)), profile=profile)
    decision = world.allocate(NODE, [claim("c")], [allocated_claim("a", share="s1")])
    assert isinstance(decision, Unallocatable) is not fits


def test_each_share_consumes_counters_in_1_34() -> None:
    both = slice_of(part("a", "4", shared=True, bw="10"), counters=GPU)
    world = allocator(both, profile=on("1.34", DRAConsumableCapacity=True))
    ask = request("r0", {"bw": "1"})
    assert len(allocated_devices(world.allocate(NODE, [claim("c", ask), claim("d", ask)]))) == 2
    assert isinstance(world.allocate(NODE, [claim(name, ask) for name in "cde"]), Unallocatable)


@pytest.mark.parametrize(("minor", "fits"), [("1.35", True), ("1.36", False)])
def test_shares_of_earlier_claims_do_not_consume_counters_in_1_35(minor: str, fits: bool) -> None:
    profile = on(minor, DRAConsumableCapacity=True)
    world = allocator(
        *pool_with_counters(GPU, part("a", "8", shared=True, bw="10"), part("b", "8")), profile=profile
    )
    dedicated = claim("c", request(where=["!device.allowMultipleAllocations"]))
    decision = world.allocate(NODE, [dedicated], [allocated_claim("a", {"bw": "1"}, share="s1")])
    assert isinstance(decision, Unallocatable) is not fits


# Counters with a negative rest.


SHORT = {"gpu": {"mem": "8"}, "nic": {"lanes": "4"}}
OVERDRAWN = (part("a", "20"), part("b", "1"), device("c", draws={"nic": {"lanes": "1"}}), part("d", "0"))


@pytest.mark.parametrize(
    ("profile", "found"), [(KEP, ["c"]), (on("1.36"), None), (on("1.37"), None)], ids=["kep", "1.36", "1.37"]
)
def test_an_over_committed_counter(profile: Profile, found: list[str] | None) -> None:
    """kep rejects only devices that consume the counter; releases reject all devices of the counter scope."""
    world = allocator(*pool_with_counters(SHORT, *OVERDRAWN), profile=profile)
    decision = world.allocate(NODE, [claim("c")], [allocated_claim("a")])
    if found is None:
        assert isinstance(decision, Unallocatable)
    else:
        assert allocated_devices(decision) == [["r0 c"]]


# Slices.


def test_counters_and_devices_in_one_slice() -> None:
    both = slice_of(part("a", "6"), part("b", "6"), counters=GPU)
    assert allocated_devices(allocator(both).allocate(NODE, [claim("c")])) == [["r0 a"]]
    assert isinstance(allocator(both).allocate(NODE, [claim("c", request(count=2))]), Unallocatable)
    assert isinstance(allocator(both).allocate(NODE, [claim("c")], [allocated_claim("b")]), Unallocatable)
    assert allocated_devices(allocator(both, profile=on("1.34")).allocate(NODE, [claim("c")])) == [["r0 a"]]
    assert isinstance(allocator(both, profile=on("1.36")).allocate(NODE, [claim("c")]), Unallocatable)


@pytest.mark.parametrize(
    ("before", "found"),
    [((), ["r0 a"]), ((allocated_claim("b"),), None)],
    ids=["nothing", "on the other node"],
)
def test_nodes_share_the_counters_of_a_pool(
    before: tuple[ResourceClaim, ...], found: list[str] | None
) -> None:
    world = allocator(
        slice_of(name="counters", on=None, of=3, counters=GPU),
        slice_of(part("a", "8"), name="left", of=3),
        slice_of(part("b", "1"), name="right", on="node-2", of=3),
    )
    decision = world.allocate(NODE, [claim("c")], before)
    assert isinstance(decision, Unallocatable) if found is None else allocated_devices(decision) == [found]


@pytest.mark.parametrize("place", ["node-1", "node-2"])
def test_counters_count_on_whatever_node_their_slice_is(place: str) -> None:
    slices = (
        slice_of(name="counters", on=place, of=2, counters=GPU),
        slice_of(part("a", "9"), name="x", of=2),
    )
    assert isinstance(allocator(*slices).allocate(NODE, [claim("c")]), Unallocatable)
    fits = (slices[0], slice_of(part("a", "8"), name="x", of=2))
    assert allocated_devices(allocator(*fits).allocate(NODE, [claim("c")])) == [["r0 a"]]


def test_counters_of_an_older_generation_do_not_count() -> None:
    old = slice_of(part("a", "9"), name="old", counters={"gpu": {"mem": "99"}})
    new = slice_of(part("a", "9"), name="new", generation=2, counters=GPU)
    assert isinstance(allocator(old, new).allocate(NODE, [claim("c")]), Unallocatable)
    newest = slice_of(part("a", "9"), name="newest", generation=3, counters={"gpu": {"mem": "9"}})
    assert allocated_devices(allocator(newest, new).allocate(NODE, [claim("c")])) == [["r0 a"]]


@pytest.mark.parametrize(
    ("slices", "fault"),
    [
        pytest.param(
            pool_with_counters(GPU, device("a", draws={"none": {"mem": "1"}})),
            "counter set none not found",
            id="unknown set",
        ),
        pytest.param(
            pool_with_counters(GPU, device("a", draws={"gpu": {"cores": "1"}})),
            "counter cores not found in counter set gpu",
            id="unknown counter",
        ),
        pytest.param(
            [
                slice_of(name="s1", of=3, counters=GPU),
                slice_of(name="s2", of=3, counters=GPU),
                slice_of(part("a", "1"), name="s3", of=3),
            ],
            "duplicate counter set name gpu",
            id="a set twice",
        ),
        pytest.param(
            [
                slice_of(name="s1", of=3, counters=GPU),
                slice_of(part("a", "1"), name="s2", of=3),
                slice_of(device("b", draws={"none": {"x": "1"}}), name="s3", on="node-2", of=3),
            ],
            "counter set none not found",
            id="a device on another node",
        ),
    ],
)
def test_counters_that_do_not_exist_make_the_pool_invalid(slices: list[ResourceSlice], fault: str) -> None:
    decision = allocator(*slices).allocate(NODE, [claim("c")], explain=True)
    assert isinstance(decision, Failed)
    assert decision.category == "PoolInvalid"
    assert f"pool dra.example.com/pool-1: {fault}" in [reason.message for reason in decision.trace]
    plain = slice_of(device("z"), pool="pool-2")
    assert allocated_devices(allocator(*slices, plain).allocate(NODE, [claim("c")])) == [["r0 z"]]


# The gate DRAPartitionableDevices.


def test_with_the_gate_off() -> None:
    off = KEP.with_gates({"DRAPartitionableDevices": False})
    mixed = allocator(slice_of(part("a", "1"), device("b")), profile=off)
    assert allocated_devices(mixed.allocate(NODE, [claim("c")])) == [["r0 b"]]
    assert isinstance(mixed.allocate(NODE, [claim("c", request(mode="All"))]), Unallocatable)
    unallocated = allocator(slice_of(part("a", "1")), profile=off).allocate(NODE, [claim("c")], explain=True)
    assert isinstance(unallocated, Unallocatable)
    assert unallocated.reasons[0].category == "FeatureDisabled"
    assert "DRAPartitionableDevices" in unallocated.reasons[0].message
    # A slice with counters is then ignored, but still counts for the completeness of its pool.
    for profile in (off, release("1.36", DRAPartitionableDevices=False)):
        apart = allocator(*pool_with_counters(GPU, part("a", "1"), device("b")), profile=profile)
        assert allocated_devices(apart.allocate(NODE, [claim("c")])) == [["r0 b"]]


# Mode All.


def test_all_needs_counters_for_every_device() -> None:
    every = [claim("c", request(mode="All"))]
    assert allocated_devices(
        allocator(*pool_with_counters(GPU, part("a", "4"), part("b", "4"))).allocate(NODE, every)
    ) == [["r0 a", "r0 b"]]
    assert isinstance(
        allocator(*pool_with_counters(GPU, part("a", "4"), part("b", "5"))).allocate(NODE, every),
        Unallocatable,
    )


# Counters that leak in some releases.


@pytest.mark.parametrize(
    ("profile", "fits"),
    [(KEP, True), (on("1.35", DRADeviceTaints=True), False), (on("1.36"), True)],
    ids=["kep", "1.35", "1.36"],
)
def test_a_tainted_device_keeps_its_counters_up_to_1_35(profile: Profile, fits: bool) -> None:
    bad = device("a", draws={"gpu": {"mem": "6"}}, taints=["broken:NoSchedule"])
    world = allocator(*pool_with_counters(GPU, bad, part("b", "4")), profile=profile)
    decision = world.allocate(NODE, [claim("c")])
    assert allocated_devices(decision) == [["r0 b"]] if fits else isinstance(decision, Unallocatable)


# Explanations.


def test_the_reason_names_the_exhausted_counter() -> None:
    world = allocator(*pool_with_counters(GPU, part("a", "6"), part("b", "6500m")))
    decision = world.allocate(NODE, [claim("c", request(count=2))], explain=True)
    assert isinstance(decision, Unallocatable)
    found = {
        reason.device.rpartition("/")[2]: (reason.category, reason.message) for reason in decision.reasons
    }
    assert found["b"] == ("CounterExhausted", "counter mem of gpu: needs 6500m, remaining 2 of 8")
    short = allocator(*pool_with_counters(GPU, part("a", "20"), part("b", "0")), profile=on("1.36"))
    explained = short.allocate(NODE, [claim("c")], [allocated_claim("a")], explain=True)
    assert isinstance(explained, Unallocatable)
    assert ("CounterExhausted", "counter mem of gpu: the remaining value is negative, -12") in [
        (reason.category, reason.message) for reason in explained.reasons
    ]
