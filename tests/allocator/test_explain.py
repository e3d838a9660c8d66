"""Explanations: the reason for each device, with its category and quantities."""

from __future__ import annotations

import msgspec
import pytest

from dra_conform.allocator import Failed, FailureReason, Unallocatable
from dra_conform.kube.resource import Device, DeviceRequest, ResourceClaim
from tests.support.allocator.worlds import (
    DRIVER,
    KEP,
    allocated_claim,
    allocated_devices,
    allocator,
    claim,
    device,
    distinct,
    match,
    node,
    policy,
    request,
    slice_of,
)

NODE = node()
SIZE = f'device.attributes["{DRIVER}"].size'
RANGE = policy("1", "1", "4", "2")


def _nic(name: str, *, shared: bool | None = None, bw: str = "10") -> Device:
    return device(name, shared=shared, attributes={"nic": "x"}, bw=bw)


@pytest.mark.parametrize(
    ("of", "asked", "before", "category", "message"),
    [
        (device("d", attributes={"size": 1}), request(where=["true", f"{SIZE} > 5"]), [], "SelectorNotMatched",
         f"request, selector #1 is false: {SIZE} > 5"),
        (device("d"), request(), [allocated_claim("d")], "DeviceInUse", "allocated to another claim"),
        (device("d", bw="9"), request(), [allocated_claim("d", {"bw": "1"}, share="s1")], "DeviceInUse",
         "the device no longer allows multiple allocations, but still has shared allocations"),
        (device("d", bw="9"), request(capacity={"bw": "10"}), [], "InsufficientCapacity",
         "bw: requested 10, the device has 9"),
        (device("d", shared=True, bw="10"), request(capacity={"bw": "4"}), [allocated_claim("d", {"bw": "7"}, share="s1")],
         "InsufficientCapacity", "bw: needs 4, remaining 3 of 10"),
        (device("d", shared=True, bw="10"), request(capacity={"bw": "11"}), [], "InsufficientCapacity",
         "bw: requested 11, the device has 10"),
        (device("d", shared=True, bw="10"), request(capacity={"mem": "1"}), [], "CapacityNotDeclared",
         "the device has no capacity mem"),
        (device("d", shared=True, bw="10", policies={"bw": RANGE}), request(capacity={"bw": "4"}), [],
         "CapacityPolicyViolation", "bw: 4, rounded up to 5, is above max 4"),
    ],
)  # fmt: skip
def test_the_reason_names_why_a_device_is_not_allocated(
    of: Device, asked: DeviceRequest, before: list[ResourceClaim], category: str, message: str
) -> None:
    world = allocator(slice_of(of))
    decision = world.allocate(NODE, [claim("c", asked)], before, explain=True)
    assert isinstance(decision, Unallocatable)
    first, short = decision.reasons
    assert first == FailureReason(category, message, "default/c", "r0", f"{DRIVER}/pool-1/d")
    assert (short.category, short.device) == ("InsufficientDevices", "")
    assert str(first) == (f"claim default/c, request r0, device {DRIVER}/pool-1/d: {category}: {message}")
    silent = world.allocate(NODE, [claim("c", asked)], before)
    assert silent == Unallocatable(steps=1)


def test_constraints_are_explained() -> None:
    world = allocator(slice_of(_nic("a"), device("b"), _nic("c")))
    two = (request("r0"), request("r1"))
    same = world.allocate(NODE, [claim("c", *two, constraints=[distinct(f"{DRIVER}/nic")])], explain=True)
    assert isinstance(same, Unallocatable)
    found = {
        (reason.request, reason.device.rpartition("/")[2], reason.category): reason.message
        for reason in same.reasons
    }
    assert found["r1", "c", "ConstraintUnsatisfied"] == f"distinct {DRIVER}/nic is violated by string x"
    assert found["r1", "b", "AttributeMissing"] == f"the device has no attribute {DRIVER}/nic"
    assert found["r1", "a", "DeviceInUse"] == "chosen for request r0"


def test_only_requests_that_never_had_enough_devices_lack_some() -> None:
    world = allocator(slice_of(device("a"), device("b")))
    claims = [claim("c", request("r0", count=2)), claim("d", request("r1"))]
    decision = world.allocate(NODE, claims, explain=True)
    assert isinstance(decision, Unallocatable)
    assert [(one.request, one.category, one.message) for one in decision.reasons] == [
        ("r1", "DeviceInUse", "chosen for request r0 of claim default/c"),
        ("r1", "DeviceInUse", "chosen for request r0 of claim default/c"),
        ("r1", "InsufficientDevices", "1 requested, 0 found"),
    ]


def test_a_reason_is_listed_once() -> None:
    world = allocator(slice_of(*(device(f"d{n}") for n in range(4))))
    decision = world.allocate(
        NODE, [claim("c", request(count=3), request("r1", of="any", count=2))], explain=True
    )
    assert isinstance(decision, Unallocatable)
    keys = [(reason.claim, reason.request, reason.device, reason.category) for reason in decision.reasons]
    assert len(keys) == len(set(keys))


def test_reasons_for_incomplete_pools_and_slices_of_other_nodes() -> None:
    world = allocator(
        slice_of(device("a"), pool="p1", of=2), slice_of(device("b"), pool="p2", name="s2", on="node-2")
    )
    decision = world.allocate(NODE, [claim("c")], explain=True)
    assert isinstance(decision, Unallocatable)
    found = {reason.category: reason.message for reason in decision.reasons}
    assert (
        found["PoolIncomplete"]
        == f"pool {DRIVER}/p1 is incomplete: resourceSliceCount is not the number of slices"
    )
    assert found["NodeMismatch"] == "ResourceSlice s2 is not for node node-1"


def test_an_error_has_the_reasons_found_before_it() -> None:
    world = allocator(slice_of(device("a", attributes={"size": 1}), device("b")))
    decision = world.allocate(NODE, [claim("c", request(where=[f"{SIZE} > 5"]))], explain=True)
    assert isinstance(decision, Failed)
    assert decision.category == "SelectorRuntimeError"
    assert [(reason.category, reason.device) for reason in decision.trace] == [
        ("SelectorNotMatched", f"{DRIVER}/pool-1/a")
    ]


def test_reasons_for_devices_that_mode_all_skips() -> None:
    world = allocator(slice_of(device("a", bw="1"), device("b"), device("c", bw="9"), device("d", bw="5")))
    asked = request(mode="All", capacity={"bw": "4"}, where=["device.capacity.size() != 5"])
    decision = world.allocate(NODE, [claim("c", asked)], [allocated_claim("d")], explain=True)
    assert isinstance(decision, Unallocatable)
    found = {
        reason.device.rpartition("/")[2]: (reason.category, reason.message) for reason in decision.reasons
    }
    assert found["a"] == ("InsufficientCapacity", "skipped: it has less capacity than requested")
    assert found["b"] == ("CapacityNotDeclared", "skipped: it lacks a requested capacity")
    assert found["d"] == ("DeviceInUse", "allocated to another claim")
    assert "c" not in found


@pytest.mark.parametrize("mode", ["ExactCount", "All"])
def test_reasons_for_disabled_features_and_other_nodes(mode: str) -> None:
    """One device has binding conditions, which are disabled; another selects another node itself."""
    off = KEP.with_gates({"DRADeviceBindingConditions": False})
    waiting = msgspec.structs.replace(device("a"), binding_conditions=("Ready",))
    first = allocator(slice_of(waiting), profile=off).allocate(
        NODE, [claim("c", request(mode=mode))], explain=True
    )
    assert isinstance(first, Unallocatable)
    found = {reason.device: (reason.category, reason.message) for reason in first.reasons}
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
    decision = world.allocate(NODE, [claim("c", request(mode=mode))], [allocated_claim("c")], explain=True)
    assert isinstance(decision, Unallocatable)
    named = {reason.device.rpartition("/")[2]: reason.category for reason in decision.reasons}
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
def test_the_reason_names_the_device_that_mode_all_cannot_get(
    first: Device, second: Device, category: str
) -> None:
    world = allocator(slice_of(first, second, counters={"gpu": {"mem": "8"}}))
    decision = world.allocate(NODE, [claim("c", request(mode="All"))], explain=True)
    assert isinstance(decision, Unallocatable)
    unallocated = [
        (reason.device.rpartition("/")[2], reason.category) for reason in decision.reasons if reason.device
    ]
    assert unallocated == [("b", category)]


def test_explaining_changes_no_decision() -> None:
    nics = [_nic("a", shared=True), _nic("b", shared=True, bw="2"), device("e", bw="3")]
    world = allocator(slice_of(*nics))
    asked = claim(
        "c", request("r0", {"bw": "2"}), request("r1", {"bw": "9"}), constraints=[match(f"{DRIVER}/nic")]
    )
    plain, explained = world.allocate(NODE, [asked]), world.allocate(NODE, [asked], explain=True)
    assert allocated_devices(plain) == allocated_devices(explained) == [["r0 b bw=2", "r1 a bw=9"]]
    assert msgspec.to_builtins(plain.allocations[0].node_selector) == msgspec.to_builtins(  # type: ignore[union-attr] # checked by given
        explained.allocations[0].node_selector  # type: ignore[union-attr] # likewise
    )
