"""Explanations: every refusal with its device, its category and the numbers."""

from __future__ import annotations

import msgspec
import pytest

from dra_conform.allocator import Failed, Refusal, Unallocatable
from dra_conform.kube.resource import Device, DeviceRequest, ResourceClaim
from tests.support.allocator.worlds import (
    DRIVER,
    KEP,
    allocator,
    claim,
    device,
    distinct,
    given,
    held,
    match,
    node,
    policy,
    request,
    slice_of,
)

HERE = node()
SIZE = f'device.attributes["{DRIVER}"].size'
RANGE = policy("1", "1", "4", "2")


def _nic(name: str, *, shared: bool | None = None, bw: str = "10") -> Device:
    return device(name, shared=shared, attributes={"nic": "x"}, bw=bw)


@pytest.mark.parametrize(
    ("of", "asked", "before", "category", "message"),
    [
        (device("d", attributes={"size": 1}), request(where=["true", f"{SIZE} > 5"]), [], "SelectorNotMatched",
         f"request, selector #1 is false: {SIZE} > 5"),
        (device("d"), request(), [held("d")], "DeviceInUse", "allocated to another claim"),
        (device("d", bw="9"), request(), [held("d", {"bw": "1"}, share="s1")], "DeviceInUse",
         "the device no longer allows multiple allocations, but still has shares"),
        (device("d", bw="9"), request(capacity={"bw": "10"}), [], "InsufficientCapacity",
         "bw: requested 10, the device has 9"),
        (device("d", shared=True, bw="10"), request(capacity={"bw": "4"}), [held("d", {"bw": "7"}, share="s1")],
         "InsufficientCapacity", "bw: needed 4, left 3 of 10"),
        (device("d", shared=True, bw="10"), request(capacity={"bw": "11"}), [], "InsufficientCapacity",
         "bw: needed 11, the device has 10"),
        (device("d", shared=True, bw="10"), request(capacity={"mem": "1"}), [], "CapacityNotDeclared",
         "the device has no capacity mem"),
        (device("d", shared=True, bw="10", policies={"bw": RANGE}), request(capacity={"bw": "4"}), [],
         "CapacityPolicyViolation", "bw: 4, rounded up to 5, is above max 4"),
    ],
)  # fmt: skip
def test_why_a_device_is_refused(
    of: Device, asked: DeviceRequest, before: list[ResourceClaim], category: str, message: str
) -> None:
    world = allocator(slice_of(of))
    decision = world.allocate(HERE, [claim("c", asked)], before, explain=True)
    assert isinstance(decision, Unallocatable)
    first, short = decision.reasons
    assert first == Refusal(category, message, "default/c", "r0", f"{DRIVER}/pool-1/d")
    assert (short.category, short.device) == ("InsufficientDevices", "")
    assert str(first) == (f"claim default/c, request r0, device {DRIVER}/pool-1/d: {category}: {message}")
    silent = world.allocate(HERE, [claim("c", asked)], before)
    assert silent == Unallocatable(steps=1)


def test_constraints_are_explained() -> None:
    world = allocator(slice_of(_nic("a"), device("b"), _nic("c")))
    two = (request("r0"), request("r1"))
    same = world.allocate(HERE, [claim("c", *two, constraints=[distinct(f"{DRIVER}/nic")])], explain=True)
    assert isinstance(same, Unallocatable)
    found = {(one.request, one.device.rpartition("/")[2], one.category): one.message for one in same.reasons}
    assert found["r1", "c", "ConstraintUnsatisfied"] == f"distinct {DRIVER}/nic is violated by string x"
    assert found["r1", "b", "AttributeMissing"] == f"the device has no attribute {DRIVER}/nic"
    assert found["r1", "a", "DeviceInUse"] == "chosen for another request"


def test_a_refusal_is_told_once_however_often_the_search_meets_it() -> None:
    world = allocator(slice_of(*(device(f"d{n}") for n in range(4))))
    decision = world.allocate(
        HERE, [claim("c", request(count=3), request("r1", of="any", count=2))], explain=True
    )
    assert isinstance(decision, Unallocatable)
    keys = [(one.claim, one.request, one.device, one.category) for one in decision.reasons]
    assert len(keys) == len(set(keys))


def test_pools_and_slices_that_are_out_of_reach() -> None:
    world = allocator(
        slice_of(device("a"), pool="p1", of=2), slice_of(device("b"), pool="p2", name="s2", on="node-2")
    )
    decision = world.allocate(HERE, [claim("c")], explain=True)
    assert isinstance(decision, Unallocatable)
    found = {one.category: one.message for one in decision.reasons}
    assert found["PoolIncomplete"] == f"pool {DRIVER}/p1 lacks ResourceSlices"
    assert found["NodeMismatch"] == "ResourceSlice s2 is not for node node-1"


def test_an_error_carries_what_was_refused_before_it() -> None:
    world = allocator(slice_of(device("a", attributes={"size": 1}), device("b")))
    decision = world.allocate(HERE, [claim("c", request(where=[f"{SIZE} > 5"]))], explain=True)
    assert isinstance(decision, Failed)
    assert decision.category == "SelectorRuntimeError"
    assert [(one.category, one.device) for one in decision.trace] == [
        ("SelectorNotMatched", f"{DRIVER}/pool-1/a")
    ]


def test_what_all_leaves_out() -> None:
    world = allocator(slice_of(device("a", bw="1"), device("b"), device("c", bw="9"), device("d", bw="5")))
    asked = request(mode="All", capacity={"bw": "4"}, where=["device.capacity.size() != 5"])
    decision = world.allocate(HERE, [claim("c", asked)], [held("d")], explain=True)
    assert isinstance(decision, Unallocatable)
    found = {one.device.rpartition("/")[2]: (one.category, one.message) for one in decision.reasons}
    assert found["a"] == ("InsufficientCapacity", "skipped: it has less capacity than requested")
    assert found["b"] == ("CapacityNotDeclared", "skipped: it lacks a requested capacity")
    assert found["d"] == ("DeviceInUse", "allocated to another claim")
    assert "c" not in found


@pytest.mark.parametrize("mode", ["ExactCount", "All"])
def test_devices_that_a_feature_or_their_node_takes_away(mode: str) -> None:
    """A device with binding conditions while they are off, and one that chooses another node itself."""
    off = KEP.with_gates({"DRADeviceBindingConditions": False})
    waiting = msgspec.structs.replace(device("a"), binding_conditions=("Ready",))
    first = allocator(slice_of(waiting), profile=off).allocate(
        HERE, [claim("c", request(mode=mode))], explain=True
    )
    assert isinstance(first, Unallocatable)
    found = {one.device: (one.category, one.message) for one in first.reasons}
    category, message = found[f"{DRIVER}/pool-1/a"]
    assert category == "FeatureDisabled"
    assert "binding conditions" in message
    both = [
        msgspec.structs.replace(device(name), node_name=place)
        for name, place in (("b", "node-2"), ("c", "node-1"))
    ]
    chosen = slice_of(*both, on=None)
    spec = msgspec.structs.replace(chosen.spec, all_nodes=None, per_device_node_selection=True)
    world = allocator(msgspec.structs.replace(chosen, spec=spec))
    decision = world.allocate(HERE, [claim("c", request(mode=mode))], [held("c")], explain=True)
    assert isinstance(decision, Unallocatable)
    named = {one.device.rpartition("/")[2]: one.category for one in decision.reasons}
    assert named["b"] == "NodeMismatch"
    assert named["c"] == "DeviceInUse"


@pytest.mark.parametrize(
    ("first", "second", "category"),
    [
        (
            device("a", draws={"gpu": {"mem": "6"}}),
            device("b", draws={"gpu": {"mem": "6"}}),
            "CounterExhausted",
        ),
        (
            device("a", draws={"gpu": {"mem": "1"}}, groups={"gpu": ["x"]}),
            device("b", draws={"gpu": {"mem": "1"}}, groups={"gpu": ["y"]}),
            "IncompatibleGroup",
        ),
        (device("a"), device("b", taints=["bad:NoSchedule"]), "TaintNotTolerated"),
    ],
)
def test_why_all_devices_are_not_to_be_had(first: Device, second: Device, category: str) -> None:
    world = allocator(slice_of(first, second, counters={"gpu": {"mem": "8"}}))
    decision = world.allocate(HERE, [claim("c", request(mode="All"))], explain=True)
    assert isinstance(decision, Unallocatable)
    refused = [(one.device.rpartition("/")[2], one.category) for one in decision.reasons if one.device]
    assert refused == [("b", category)]


def test_explaining_changes_no_decision() -> None:
    nics = [_nic("a", shared=True), _nic("b", shared=True, bw="2"), device("e", bw="3")]
    world = allocator(slice_of(*nics))
    asked = claim(
        "c", request("r0", {"bw": "2"}), request("r1", {"bw": "9"}), constraints=[match(f"{DRIVER}/nic")]
    )
    plain, told = world.allocate(HERE, [asked]), world.allocate(HERE, [asked], explain=True)
    assert given(plain) == given(told) == [["r0 b bw=2", "r1 a bw=9"]]
    assert msgspec.to_builtins(plain.allocations[0].node_selector) == msgspec.to_builtins(  # type: ignore[union-attr] # checked by given
        told.allocations[0].node_selector  # type: ignore[union-attr] # likewise
    )
