"""The behaviour of each release where releases differ, with a small cluster for each difference.

All gates that a release has are on. What is expected of releases was seen in their real builds or read in
their sources; `kep` is the documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import pytest

from dra_conform.allocator import Allocated, Decision, Failed
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import (
    Device,
    DeviceClass,
    DeviceTaintRule,
    ResourceClaim,
    ResourceSlice,
)
from tests.support.allocator.worlds import (
    DRIVER,
    allocated_claim,
    allocator,
    claim,
    class_of,
    device,
    distinct,
    first_of,
    match,
    node,
    on_labels,
    policy,
    pool_with_counters,
    request,
    rule,
    slice_of,
    sub,
    tolerating,
)

OTHER = "net.example.com"
NODE = node(zone="a")
SHARING = "device.allowMultipleAllocations"
NUMBER = f'device.attributes["{DRIVER}"].n'
GPU = {"gpu": {"mem": "8"}}


def on(name: str) -> Profile:
    """Return a profile with all its gates on."""
    base = Profile.named(name)
    return base.with_gates(dict.fromkeys(base.gates, True))


PROFILES = {
    "kep": on("kep"),
    **{f"1.{minor}": on(f"kubernetes-1.{minor}") for minor in (34, 35, 36, 37)},
}


@dataclass(frozen=True)
class World:
    """The published objects, the claims to allocate, and the allocated claims."""

    content: Sequence[ResourceSlice | DeviceClass | DeviceTaintRule]
    claims: Sequence[ResourceClaim]
    before: Sequence[ResourceClaim] = ()

    def decide(self, profile: Profile) -> Decision:
        return allocator(*self.content, profile=profile).allocate(NODE, self.claims, self.before)


def single_claim(*requests: object, **more: object) -> list[ResourceClaim]:
    return [claim("c", *requests, **more)]  # type: ignore[arg-type] # requests and more of a claim


def summary(decision: Decision) -> str:
    """Return the devices with request (if not r0) and consumed capacity, `-` for none, or the error category."""
    if isinstance(decision, Failed):
        return decision.category
    if not isinstance(decision, Allocated):
        return "-"
    words = []
    for allocation in decision.allocations:
        for result in allocation.devices.results:
            place = "" if result.request == "r0" else f"{result.request}:"
            consumed = "".join(
                f",{name}={amount}" for name, amount in (result.consumed_capacity or {}).items()
            )
            words.append(f"{place}{result.device}{consumed}")
    return " ".join(words)


def part(name: str, mem: str, **more: object) -> Device:
    return device(name, draws={"gpu": {"mem": mem}}, **more)  # type: ignore[arg-type] # more of a device


def numbered(name: str, number: object, **more: object) -> Device:
    return device(name, attributes={"n": number}, **more)  # type: ignore[arg-type,dict-item] # a value, more of a device


def bound(name: str) -> Device:
    return msgspec.structs.replace(device(name), binding_conditions=("Ready",))


def skipping(resource_slice: ResourceSlice) -> ResourceSlice:
    """Return a copy of a slice with a field that only 1.37 has."""
    spec = msgspec.structs.replace(resource_slice.spec, skip_node_operations=("Prepare",))
    return msgspec.structs.replace(resource_slice, spec=spec)


LIMITED = {"bw": policy("1", "1", "3")}
ONE = {"bw": policy("1", "1")}
STEPS = {"bw": policy("500m", "500m", step="500m")}
TWO_SLICES = [slice_of(device("x"), name="s2", of=2), slice_of(device("y"), name="s1", of=2)]

WORLDS: dict[str, tuple[World, dict[str, str]]] = {
    # Capacity.
    "a step of half": (
        World([slice_of(device("a", shared=True, policies=STEPS, bw="4"))], single_claim(request(capacity={"bw": "1100m"}))),
        {"kep": "a,bw=1500m", "1.34": "a,bw=2", "1.35": "a,bw=2", "1.36": "a,bw=2", "1.37": "a,bw=1500m"},
    ),
    "a request with less than a milli-unit more": (
        World([slice_of(device("a", shared=True, policies=STEPS, bw="4"))], single_claim(request(capacity={"bw": "1000001u"}))),
        {"kep": "a,bw=1500m", "1.34": "a,bw=2", "1.35": "a,bw=2", "1.36": "a,bw=2", "1.37": "FieldInvalid"},
    ),
    "a policy on an exclusive device": (
        World([slice_of(device("a", policies=LIMITED, bw="9"))], single_claim(request(capacity={"bw": "4"}))),
        {"kep": "a", "1.34": "-", "1.35": "-", "1.36": "-", "1.37": "-"},
    ),
    "a device that became exclusive while shared": (
        World(
            [slice_of(device("a", bw="9"))],
            single_claim(request(capacity={"bw": "4"})),
            [allocated_claim("a", {"bw": "4"}, share="s1")],
        ),
        {"kep": "-", "1.34": "a", "1.35": "a", "1.36": "a", "1.37": "a"},
    ),
    "a capacity by its full name": (
        World([slice_of(device("a", bw="9"))], single_claim(request(capacity={f"{DRIVER}/bw": "4"}))),
        {"kep": "a", "1.34": "-", "1.35": "-", "1.36": "-", "1.37": "-"},
    ),
    "two shares for a count of two": (
        World([slice_of(device("a", shared=True), device("b"))], single_claim(request(count=2, where=[SHARING]))),
        {"kep": "-", "1.34": "a a", "1.35": "a a", "1.36": "-", "1.37": "-"},
    ),
    "the capacity of another device": (
        World([slice_of(device("small", bw="1"), device("large", bw="9"))], single_claim(request(capacity={"bw": "5"}))),
        {"kep": "large", "1.34": "-", "1.35": "large", "1.36": "large", "1.37": "large"},
    ),
    "mode All with exhausted capacity": (
        World(
            [slice_of(device("a", shared=True, bw="9"), device("b", shared=True, bw="9"))],
            single_claim(request(mode="All", capacity={"bw": "4"})),
            [allocated_claim("b", {"bw": "8"}, share="s1")],
        ),
        {"kep": "-", "1.34": "a,bw=4", "1.35": "a,bw=4", "1.36": "a,bw=4", "1.37": "-"},
    ),
    "mode All with a policy violation": (
        World(
            [slice_of(device("a", shared=True, bw="9"), device("b", shared=True, policies=LIMITED, bw="9"))],
            single_claim(request(mode="All", capacity={"bw": "4"})),
        ),
        {"kep": "-", "1.34": "a,bw=4", "1.35": "a,bw=4", "1.36": "a,bw=4", "1.37": "a,bw=4"},
    ),
    # Alternatives.
    "mode All as second subrequest": (
        World(
            [slice_of(numbered("a", 1), numbered("b", 1))],
            single_claim(first_of("r", sub("x", where=[f"{NUMBER} == 2"]), sub("y", mode="All"))),
        ),
        {"kep": "r/y:a r/y:b", "1.34": "r/y:a", "1.35": "r/y:a", "1.36": "r/y:a r/y:b", "1.37": "r/y:a r/y:b"},
    ),
    "mode All in both subrequests": (
        World(
            [slice_of(numbered("a", 1))],
            single_claim(first_of("r", sub("x", mode="All", where=["false"]), sub("y", mode="All"))),
        ),
        {"kep": "r/y:a", "1.34": "-", "1.35": "-", "1.36": "r/y:a", "1.37": "r/y:a"},
    ),
    # Pools.
    "an incomplete pool": (
        World([slice_of(device("a"), of=2)], single_claim()),
        {"kep": "-", "1.34": "a", "1.35": "-", "1.36": "-", "1.37": "-"},
    ),
    "a newer generation elsewhere": (
        World([slice_of(device("a"), name="s1"), slice_of(device("b"), name="s2", on="node-2", generation=2)], single_claim()),
        {"kep": "-", "1.34": "a", "1.35": "a", "1.36": "a", "1.37": "a"},
    ),
    "a newer generation elsewhere, the old one incomplete": (
        World(
            [slice_of(device("a"), name="s1", of=2), slice_of(device("b"), name="s2", on="node-2", generation=2)],
            single_claim(),
        ),
        {"kep": "-", "1.34": "a", "1.35": "-", "1.36": "-", "1.37": "-"},
    ),
    "mode All with a pool over two nodes": (
        World(
            [slice_of(device("a"), name="s1", of=2), slice_of(device("b"), name="s2", on="node-2", of=2)],
            single_claim(request(mode="All")),
        ),
        {"kep": "a", "1.34": "PoolIncomplete", "1.35": "a", "1.36": "a", "1.37": "a"},
    ),
    "a device of that name on another node": (
        World([slice_of(device("a"), name="s1", of=2), slice_of(device("a"), name="s2", on="node-2", of=2)], single_claim()),
        {"kep": "PoolInvalid", "1.34": "a", "1.35": "a", "1.36": "a", "1.37": "a"},
    ),
    "an invalid pool before another": (
        World([slice_of(device("a"), device("a"), pool="a"), slice_of(device("z"), pool="z")], single_claim()),
        {"kep": "z", "1.34": "PoolInvalid", "1.35": "z", "1.36": "z", "1.37": "z"},
    ),
    "slices out of order": (
        World(TWO_SLICES, single_claim()),
        {"kep": "y", "1.34": "x", "1.35": "x", "1.36": "y", "1.37": "y"},
    ),
    "slices that declare different counts": (
        World([slice_of(device("x"), name="s1", of=1, on=on_labels(zone="a")), slice_of(device("y"), name="s2", of=2)], single_claim()),
        {"1.34": "x", "1.35": "-", "1.36": "x", "1.37": "x"},
    ),
    "a slice with binding conditions": (
        World([slice_of(bound("x"), name="s1", of=2), slice_of(device("y"), name="s2", of=2)], single_claim()),
        {"kep": "x", "1.34": "y", "1.35": "y", "1.36": "x", "1.37": "x"},
    ),
    "a device with binding conditions": (
        World([slice_of(bound("x"))], single_claim()),
        dict.fromkeys(PROFILES, "x"),
    ),
    "an incomplete pool of counters elsewhere": (
        World(
            [slice_of(device("z")), slice_of(pool="pool-2", name="far", on="node-2", of=2, counters=GPU)],
            single_claim(request(mode="All")),
        ),
        {"kep": "z", "1.34": "z", "1.35": "PoolIncomplete", "1.36": "PoolIncomplete", "1.37": "z"},
    ),
    # Counters.
    "counters beside devices": (
        World([slice_of(part("a", "8"), part("b", "1"), counters=GPU)], single_claim()),
        {"kep": "a", "1.34": "a", "1.35": "-", "1.36": "-", "1.37": "-"},
    ),
    "counters in another slice": (
        World(pool_with_counters(GPU, part("a", "9"), device("b")), single_claim()),
        {"kep": "b", "1.34": "a", "1.35": "b", "1.36": "b", "1.37": "b"},
    ),
    "an unknown counter set": (
        World(pool_with_counters(GPU, device("a", draws={"none": {"x": "1"}})), single_claim()),
        {"kep": "PoolInvalid", "1.34": "a", "1.35": "PoolInvalid", "1.36": "PoolInvalid", "1.37": "PoolInvalid"},
    ),
    "pools of one name": (
        World([*pool_with_counters(GPU, part("a", "8")), *pool_with_counters(GPU, part("b", "8"), driver=OTHER)], single_claim(request("x"), request("y"))),
        {"kep": "x:a y:b", "1.34": "x:a y:b", "1.35": "-", "1.36": "x:a y:b", "1.37": "x:a y:b"},
    ),
    "an over-committed counter": (
        World(
            [
                slice_of(
                    part("a", "9"), device("b", draws={"nic": {"x": "1"}}), counters={**GPU, "nic": {"x": "1"}}, of=1
                )
            ],
            single_claim(),
            [allocated_claim("a")],
        ),
        {"kep": "b", "1.34": "-", "1.35": "-", "1.36": "-", "1.37": "-"},
    ),
    "an over-committed counter, counters in another slice": (
        World(
            pool_with_counters({**GPU, "nic": {"x": "1"}}, part("a", "9"), device("b", draws={"nic": {"x": "1"}})),
            single_claim(),
            [allocated_claim("a")],
        ),
        {"kep": "b", "1.34": "b", "1.35": "-", "1.36": "-", "1.37": "-"},
    ),
    "a device and a shared device": (
        World(
            pool_with_counters(GPU, part("a", "8", shared=True, policies=ONE, bw="9"), part("b", "8")),
            single_claim(request(where=[f"!{SHARING}"])),
            [allocated_claim("a", {"bw": "1"}, share="s1")],
        ),
        {"kep": "-", "1.34": "b", "1.35": "b", "1.36": "-", "1.37": "-"},
    ),
    "a device and a shared device, counters in the same slice": (
        World(
            [slice_of(part("a", "8", shared=True, policies=ONE, bw="9"), part("b", "8"), counters=GPU)],
            single_claim(request(where=[f"!{SHARING}"])),
            [allocated_claim("a", {"bw": "1"}, share="s1")],
        ),
        {"kep": "-", "1.34": "b", "1.35": "-", "1.36": "-", "1.37": "-"},
    ),
    "two shares of one device": (
        World(
            [slice_of(part("a", "8", shared=True, bw="9"), counters=GPU)],
            single_claim(request("x", {"bw": "1"}), request("y", {"bw": "1"})),
        ),
        {"kep": "x:a,bw=1 y:a,bw=1", "1.34": "-", "1.35": "-", "1.36": "-", "1.37": "-"},
    ),
    "two shares of one device, counters in another slice": (
        World(
            pool_with_counters(GPU, part("a", "8", shared=True, bw="9")),
            single_claim(request("x", {"bw": "1"}), request("y", {"bw": "1"})),
        ),
        dict.fromkeys(PROFILES, "x:a,bw=1 y:a,bw=1"),
    ),
    "a second share without consumedCapacity": (
        World(pool_with_counters(GPU, part("a", "8", shared=True)), single_claim(), [allocated_claim("a", share="s1")]),
        {"kep": "a", "1.34": "a", "1.35": "a", "1.36": "-", "1.37": "a"},
    ),
    "counters of a tainted device": (
        World(
            [slice_of(part("a", "6", taints=["bad:NoSchedule"]), part("b", "4"), counters=GPU, name="s1")],
            single_claim(),
        ),
        {"kep": "b", "1.34": "-", "1.35": "-", "1.36": "-", "1.37": "-"},
    ),
    "counters of a tainted device, counters in another slice": (
        World(pool_with_counters(GPU, part("a", "6", taints=["bad:NoSchedule"]), part("b", "4")), single_claim()),
        {"kep": "b", "1.34": "b", "1.35": "-", "1.36": "b", "1.37": "b"},
    ),
    # Groups.
    "devices of two groups": (
        World(
            pool_with_counters(GPU, part("a", "1", groups={"gpu": ["x"]}), part("b", "1", groups={"gpu": ["y"]})),
            single_claim(request(count=2)),
        ),
        {"kep": "-", "1.34": "a b", "1.35": "a b", "1.36": "a b", "1.37": "-"},
    ),
    "recorded groups that differ from the slice": (
        World(
            pool_with_counters(GPU, part("a", "1", groups={"gpu": ["x"]}), part("b", "1", groups={"gpu": ["y"]})),
            single_claim(),
            [allocated_claim("a", groups={"gpu": ["y"]})],
        ),
        {"kep": "b", "1.34": "b", "1.35": "b", "1.36": "b", "1.37": "-"},
    ),
    # Admin access.
    "an ordinary request after admin access": (
        World([slice_of(device("a"))], [claim("c", request(admin=True)), claim("d")]),
        {"kep": "a a", "1.34": "-", "1.35": "-", "1.36": "-", "1.37": "-"},
    ),
    "admin access with exhausted counters": (
        World(pool_with_counters(GPU, part("a", "8")), single_claim(request(admin=True)), [allocated_claim("a")]),
        {"kep": "a", "1.34": "a", "1.35": "-", "1.36": "-", "1.37": "-"},
    ),
    "admin access with exhausted shared capacity": (
        World(
            [slice_of(device("a", shared=True, bw="9"))],
            single_claim(request(capacity={"bw": "4"}, admin=True)),
            [allocated_claim("a", {"bw": "8"}, share="s1")],
        ),
        {"kep": "a,bw=4", "1.34": "-", "1.35": "-", "1.36": "-", "1.37": "-"},
    ),
    # Taints.
    "the taint effect None": (
        World([slice_of(device("a", taints=["bad:None"]))], single_claim()),
        {"kep": "a", "1.34": "-", "1.35": "a", "1.36": "a", "1.37": "a"},
    ),
    "an empty toleration": (
        World([slice_of(device("a", taints=["bad=x:NoSchedule"]))], single_claim(request(tolerations=[tolerating()]))),
        {"kep": "a", "1.34": "-", "1.35": "-", "1.36": "-", "1.37": "-"},
    ),
    "a rule without a selector": (
        World([slice_of(device("a")), rule("bad:NoSchedule")], single_claim()),
        {"kep": "a", "1.34": "-", "1.35": "-", "1.36": "-", "1.37": "a"},
    ),
    "a rule for a class": (
        World([slice_of(device("a")), class_of("x", "false"), rule("bad:NoSchedule", device_class_name="x")], single_claim()),
        {"kep": "a", "1.34": "a", "1.35": "-", "1.36": "-", "1.37": "-"},
    ),
    "a rule that selects shared devices": (
        World([slice_of(device("a", shared=True)), rule("bad:NoSchedule", where=[SHARING])], single_claim()),
        {"kep": "-", "1.34": "a", "1.35": "-", "1.36": "-", "1.37": "-"},
    ),
    # Constraints.
    "mode All with a violated matchAttribute": (
        World([slice_of(numbered("a", 1), numbered("b", 2))], single_claim(request(mode="All"), constraints=[match(f"{DRIVER}/n")])),
        {"kep": "-", **dict.fromkeys(("1.34", "1.35", "1.36", "1.37"), "ConstraintUnsatisfied")},
    ),
    "three devices with two distinct values": (
        World(
            [slice_of(numbered("a", 1), numbered("b", 2), numbered("c", 1))],
            single_claim(request(count=3), constraints=[distinct(f"{DRIVER}/n")]),
        ),
        {"kep": "-", "1.34": "a b c", "1.35": "a b c", "1.36": "a b c", "1.37": "-"},
    ),
    "two requests, one value": (
        World(
            [slice_of(numbered("a", 1), numbered("b", 1))],
            single_claim(request("x"), request("y"), constraints=[distinct(f"{DRIVER}/n")]),
        ),
        {"kep": "-", "1.34": "x:a y:b", "1.35": "-", "1.36": "-", "1.37": "-"},
    ),
    "lists with one value in common": (
        World(
            [slice_of(numbered("a", [1, 2]), numbered("b", [2, 3]))],
            single_claim(request(count=2), constraints=[match(f"{DRIVER}/n")]),
        ),
        {"kep": "a b", "1.34": "-", "1.35": "-", "1.36": "a b", "1.37": "a b"},
    ),
    "lists narrowed by a backtracked device": (
        World(
            [slice_of(numbered("a", [1, 2]), numbered("b", [1]), numbered("c", [2]), numbered("d", [2]))],
            single_claim(request(count=3), constraints=[match(f"{DRIVER}/n")]),
        ),
        {"kep": "a c d", "1.34": "-", "1.35": "-", "1.36": "-", "1.37": "a c d"},
    ),
    # Selectors.
    "a selector where an attribute is a list": (
        World([slice_of(numbered("a", [1]))], single_claim(request(where=["true"]))),
        {"kep": "a", "1.34": "SelectorRuntimeError", "1.35": "SelectorRuntimeError", "1.36": "a", "1.37": "a"},
    ),
    "the function includes": (
        World([slice_of(numbered("a", 1))], single_claim(request(where=[f"{NUMBER}.includes(1)"]))),
        {"kep": "a", "1.34": "SelectorCompileError", "1.35": "SelectorCompileError", "1.36": "a", "1.37": "a"},
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "profile"), [(name, profile) for name in WORLDS for profile in WORLDS[name][1]]
)
def test_where_releases_differ(name: str, profile: str) -> None:
    world, expected = WORLDS[name]
    assert summary(world.decide(PROFILES[profile])) == expected[profile]


# Only the gates that the stable allocator of a release has.


STABLE = ("DRAAdminAccess", "DRAPrioritizedList", "DRAPartitionableDevices", "DRADeviceTaints")


def only(name: str) -> Profile:
    """Return a profile with only the gates of the stable allocator on."""
    base = Profile.named(name)
    return base.with_gates({gate: gate in STABLE for gate in base.gates})


FEWER = {"kep": only("kep"), **{f"1.{minor}": only(f"kubernetes-1.{minor}") for minor in (34, 35, 36, 37)}}
BINDS = msgspec.structs.replace(device("a"), binds_to_node=True)

STABLE_WORLDS: dict[str, tuple[World, dict[str, str]]] = {
    "a capacity request": (
        World([slice_of(device("a", bw="1"))], single_claim(request(capacity={"bw": "4"}))),
        {"kep": "FeatureDisabled", "1.34": "a", "1.35": "a", "1.36": "a", "1.37": "a"},
    ),
    "distinctAttribute": (
        World([slice_of(numbered("a", 1))], single_claim(constraints=[distinct(f"{DRIVER}/n")])),
        {"kep": "a", **dict.fromkeys(("1.34", "1.35", "1.36", "1.37"), "ConstraintInvalid")},
    ),
    "a selector of shared devices": (
        World([slice_of(device("a", shared=True))], single_claim(request(where=[SHARING]))),
        dict.fromkeys(PROFILES, "-"),
    ),
    "slices out of order": (
        World(TWO_SLICES, single_claim()),
        {"kep": "y", "1.34": "x", "1.35": "x", "1.36": "x", "1.37": "x"},
    ),
    "a slice for labels before one for the node": (
        World([slice_of(device("x"), name="s1", of=2, on=on_labels(zone="a")), slice_of(device("y"), name="s2", of=2)], single_claim()),
        dict.fromkeys(PROFILES, "x"),
    ),
    "an incomplete pool of counters elsewhere": (
        World(
            [slice_of(device("z")), slice_of(pool="pool-2", name="far", on="node-2", of=2, counters=GPU)],
            single_claim(request(mode="All")),
        ),
        {"kep": "z", "1.34": "z", **dict.fromkeys(("1.35", "1.36", "1.37"), "PoolIncomplete")},
    ),
    "a device with binding conditions": (
        World([slice_of(bound("x"))], single_claim()),
        dict.fromkeys(PROFILES, "-"),
    ),
    "a slice with skipNodeOperations": (
        World([skipping(slice_of(device("a")))], single_claim()),
        {"kep": "-", "1.34": "a", "1.35": "a", "1.36": "a", "1.37": "a"},
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "profile"), [(name, profile) for name in STABLE_WORLDS for profile in FEWER]
)
def test_where_stable_allocators_differ(name: str, profile: str) -> None:
    world, expected = STABLE_WORLDS[name]
    assert summary(world.decide(FEWER[profile])) == expected[profile]


@pytest.mark.parametrize(
    ("profiles", "bound_in"),
    [(PROFILES, {"kep", "1.34", "1.35", "1.36", "1.37"}), (FEWER, set())],
    ids=["all gates", "few gates"],
)
def test_a_device_that_binds_to_its_node(profiles: dict[str, Profile], bound_in: set[str]) -> None:
    """Releases do not check the gate, but their stable allocator does not know the field."""
    found = set()
    for name, profile in profiles.items():
        decision = World([slice_of(BINDS, on=None)], single_claim()).decide(profile)
        assert isinstance(decision, Allocated)
        if decision.allocations[0].node_selector is not None:
            found.add(name)
    assert found == bound_in


@pytest.mark.parametrize(("name", "recorded"), [(name, name != "1.34") for name in PROFILES])
def test_tolerations_in_results(name: str, recorded: bool) -> None:
    decision = World(
        [slice_of(device("a"))], single_claim(request(tolerations=[tolerating("k", "Exists")]))
    ).decide(PROFILES[name])
    assert isinstance(decision, Allocated)
    assert bool(decision.allocations[0].devices.results[0].tolerations) is recorded
