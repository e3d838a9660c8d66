"""Sessions: a call in a session decides like a separate call with all earlier allocations."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from dra_conform.allocator import Allocated, Decision, Failed, Unallocatable
from dra_conform.allocator.node_view import NodeView
from dra_conform.kube.core import Node
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import (
    Device,
    DeviceRequest,
    ResourceClaim,
    ResourceClaimStatus,
    ResourceSlice,
)
from tests.support.allocator.worlds import (
    KEP,
    allocated_devices,
    allocator,
    claim,
    device,
    first_of,
    match,
    node,
    policy,
    release,
    request,
    slice_of,
    sub,
    tolerating,
)
from tests.support.rows import mostly_slow

NODES = (node("node-1"), node("node-2"))
ON = {
    "DRAPartitionableDevices": True,
    "DRADeviceTaints": True,
    "DRAConsumableCapacity": True,
    "DRADeviceCompatibilityGroups": True,
    "DRAListTypeAttributes": True,
}
PROFILES = [KEP, *(release(minor, **ON) for minor in ("1.34", "1.35", "1.36", "1.37"))]


def _device(numbers: random.Random, name: str) -> Device:
    shared = numbers.random() < 0.4
    draws, groups = {}, {}
    for counter_set in ("gpu", "nic"):
        if numbers.random() < 0.5:
            draws[counter_set] = {"mem": str(numbers.randrange(0, 4))}
            groups[counter_set] = numbers.choice([[], ["a"], ["b"], ["a", "b"]])
    return device(
        name,
        shared=shared,
        attributes={"kind": numbers.choice([1, 2, [1, 2]])},
        draws=draws,
        groups=groups,
        taints=["broken:NoSchedule"] if numbers.random() < 0.2 else [],
        policies={"bw": policy("1", "1", step="1")} if shared else None,
        **({"bw": str(numbers.randrange(2, 6))} if numbers.random() < 0.8 else {}),
    )


def _world(numbers: random.Random) -> list[ResourceSlice]:
    """Make a pool for each node and a pool for both nodes, with counters in separate slices."""
    sets = {name: {"mem": str(numbers.randrange(4, 10))} for name in ("gpu", "nic")}
    slices = []
    for pool, place in (("p1", "node-1"), ("p2", "node-2"), ("p3", None)):
        devices = [_device(numbers, f"{pool}-d{n}") for n in range(4)]
        slices += [
            slice_of(name=f"{pool}-c", pool=pool, on=place, of=2, counters=sets),
            slice_of(*devices, name=f"{pool}-d", pool=pool, on=place, of=2),
        ]
    return slices


def _request(numbers: random.Random, name: str) -> DeviceRequest:
    tolerations = [tolerating(operator="Exists")] if numbers.random() < 0.3 else []
    capacity = {"bw": "1"} if numbers.random() < 0.4 else None
    kind = numbers.random()
    if kind < 0.2:
        return request(name, admin=True, count=numbers.choice([1, 2]), tolerations=tolerations)
    if kind < 0.35:
        return first_of(name, sub("s0", capacity, count=3), sub("s1", tolerations=tolerations))
    return request(name, capacity, count=numbers.choice([1, 1, 2]), tolerations=tolerations)


def _claims(numbers: random.Random) -> list[ResourceClaim]:
    found = []
    for place in range(14):
        requests = [_request(numbers, f"r{n}") for n in range(numbers.choice([1, 1, 2]))]
        constraints = [match("dra.example.com/kind")] if numbers.random() < 0.3 else []
        found.append(claim(f"c{place}", *requests, constraints=constraints))
    return found


def _comparable(decision: Decision | None) -> object:
    if isinstance(decision, Allocated):
        return decision.allocations
    return (type(decision), decision.category, decision.message) if isinstance(decision, Failed) else None


@pytest.mark.parametrize("seed", mostly_slow(range(12), 3))
@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)
def test_a_session_equals_calls_with_all_earlier_allocations(profile: Profile, seed: int) -> None:
    numbers = random.Random(seed)
    slices, claims = _world(numbers), _claims(numbers)
    session = allocator(*slices, profile=profile).session()
    done: list[ResourceClaim] = []
    met = set()
    for item in claims:
        here, explain = numbers.choice(NODES), numbers.random() < 0.3
        alone = allocator(*slices, profile=profile).allocate(here, [item], done, explain=explain)
        together = session.allocate(here, [item], explain=explain)
        assert _comparable(together) == _comparable(alone), item.metadata.name
        met.add(type(alone))
        if isinstance(alone, Allocated):
            status = ResourceClaimStatus(allocation=alone.allocations[0])
            done.append(msgspec.structs.replace(item, status=status))
    assert Allocated in met


@pytest.mark.parametrize("seed", mostly_slow(range(12), 3))
@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)
def test_cached_failures_stay_valid(profile: Profile, seed: int) -> None:
    numbers = random.Random(seed)
    slices = _world(numbers)
    claims = [item for item in _claims(numbers) for _ in range(numbers.choice([1, 2, 3]))]
    _compare_with_new_sessions(slices, claims, NODES, profile)


@pytest.mark.parametrize("seed", mostly_slow(range(12), 3))
@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)
def test_cached_failures_are_valid_on_equal_nodes(profile: Profile, seed: int) -> None:
    numbers = random.Random(seed)
    nodes = tuple(node(f"node-{number}") for number in range(8))
    kinds = [[_plain_device(numbers, f"d{n}") for n in range(numbers.choice([1, 2, 3]))] for _ in range(2)]
    slices = [
        slice_of(*numbers.choice(kinds), pool=item.metadata.name, on=item.metadata.name) for item in nodes
    ]
    shapes = _claims(numbers)
    claims = [
        msgspec.structs.replace(numbers.choice(shapes), metadata=claim(f"n{number}").metadata)
        for number in range(40)
    ]
    _compare_with_new_sessions(slices, claims, nodes, profile)


def _plain_device(numbers: random.Random, name: str) -> Device:
    """Make a device without counters, which is rarely shared."""
    shared = numbers.random() < 0.1
    return device(
        name,
        shared=shared,
        attributes={"kind": numbers.choice([1, 2])},
        taints=["broken:NoSchedule"] if numbers.random() < 0.2 else [],
        policies={"bw": policy("1", "1", step="1")} if shared else None,
        bw=str(numbers.randrange(1, 3)),
    )


def _devices(decision: Decision) -> object:
    """Return a decision without share IDs, which depend on the number of earlier shares."""
    if not isinstance(decision, Allocated):
        return _comparable(decision)
    return [
        [
            (result.request, result.pool, result.device, result.consumed_capacity)
            for result in allocation.devices.results
        ]
        for allocation in decision.allocations
    ]


def _compare_with_new_sessions(
    slices: Sequence[ResourceSlice],
    claims: Sequence[ResourceClaim],
    nodes: Sequence[Node],
    profile: Profile,
) -> None:
    """Allocate each claim on the first node that fits, and compare the session with new sessions."""
    remembering = allocator(*slices, profile=profile).session()
    done: list[ResourceClaim] = []
    for item in claims:
        for here in nodes:
            found = remembering.allocate(here, [item])
            alone = allocator(*slices, profile=profile).allocate(here, [item], done)
            assert _devices(found) == _devices(alone), item.metadata.name
            if isinstance(found, Allocated):
                status = ResourceClaimStatus(allocation=found.allocations[0])
                done.append(msgspec.structs.replace(item, status=status))
                break


def test_nodes_in_equal_states_are_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    nodes = tuple(node(f"node-{number}") for number in range(50))
    slices = [slice_of(device("a"), pool=item.metadata.name, on=item.metadata.name) for item in nodes]
    session = allocator(*slices).session()
    plain, searched = NodeView.decide, []

    def pool_with_counters(self: NodeView, *arguments: Any) -> Any:
        searched.append(self)
        return plain(self, *arguments)

    monkeypatch.setattr(NodeView, "decide", pool_with_counters)
    for number, here in enumerate(nodes):
        assert isinstance(session.allocate(here, [claim(f"c{number}")]), Allocated)
    for number in range(10):
        late = claim("late", request(f"r{number}"))
        assert all(isinstance(session.allocate(here, [late]), Unallocatable) for here in nodes)
    assert len(searched) == 50 + 10


def test_a_session_starts_with_allocated_claims() -> None:
    world = allocator(slice_of(device("a"), device("b")))
    first = world.allocate(NODES[0], [claim("c")])
    assert isinstance(first, Allocated)
    status = ResourceClaimStatus(allocation=first.allocations[0])
    session = world.session([msgspec.structs.replace(claim("c"), status=status), claim("d")])
    assert allocated_devices(session.allocate(NODES[0], [claim("e")])) == [["r0 b"]]
    assert isinstance(session.allocate(NODES[0], [claim("f")]), Unallocatable)


def test_a_device_allocated_on_one_node_is_in_use_on_the_other() -> None:
    session = allocator(slice_of(device("a"), on=None)).session()
    assert allocated_devices(session.allocate(NODES[0], [claim("c")])) == [["r0 a"]]
    assert isinstance(session.allocate(NODES[1], [claim("d")]), Unallocatable)
    assert isinstance(session.allocate(NODES[0], [claim("d")]), Unallocatable)


def test_sessions_are_independent() -> None:
    world = allocator(slice_of(device("a")))
    for _ in range(2):
        assert allocated_devices(world.session().allocate(NODES[0], [claim("c")])) == [["r0 a"]]


@pytest.mark.parametrize("profile", [KEP, release("1.36")], ids=["kep", "1.36"])
def test_admin_access_in_a_session_allocates_nothing(profile: Profile) -> None:
    session = allocator(slice_of(device("a")), profile=profile).session()
    assert allocated_devices(session.allocate(NODES[0], [claim("c", request(admin=True))])) == [["r0 a"]]
    assert allocated_devices(session.allocate(NODES[0], [claim("d")])) == [["r0 a"]]
    assert allocated_devices(session.allocate(NODES[0], [claim("e", request(admin=True))])) == [["r0 a"]]
