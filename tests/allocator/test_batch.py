"""Batches of claims, large clusters, and inputs that must not change."""

from __future__ import annotations

import copy
import random

import msgspec
import pytest

from dra_conform.allocator import (
    Allocated,
    Decision,
    Failed,
    Unallocatable,
    capacity_needs,
    eligibility,
)
from dra_conform.kube.column_use import ColumnUse
from dra_conform.kube.resource import (
    Device,
    DeviceRequest,
    ResourceClaim,
    ResourceClaimStatus,
    ResourceSlice,
)
from tests.support.allocator.worlds import (
    DRIVER,
    allocated_devices,
    allocator,
    claim,
    class_of,
    device,
    distinct,
    first_of,
    match,
    node,
    policy,
    request,
    slice_of,
    sub,
)

NODE = node()
KIND = f'device.attributes["{DRIVER}"].kind'


def _device(numbers: random.Random, place: int) -> Device:
    shared = numbers.random() < 0.7
    rules = {
        "bw": numbers.choice([policy("2", "2", step="2"), policy("1", values=["1", "3", "8"]), policy("1")])
    }
    attributes: dict[str, int | str | bool] = {"nic": numbers.choice("xyz")}
    if numbers.random() < 0.95:
        attributes["kind"] = numbers.randrange(4)
    return device(
        f"d{place}",
        shared=shared,
        attributes=attributes,
        policies=rules if shared and numbers.random() < 0.8 else None,
        bw=str(numbers.randrange(4, 12)),
        **({"mem": "1Gi"} if numbers.random() < 0.05 else {}),
    )


def _request(numbers: random.Random, name: str, *, alone: bool) -> DeviceRequest:
    kind = f"'kind' in device.attributes['{DRIVER}'] && {KIND} == {numbers.randrange(4)}"
    where = [kind] if numbers.random() < 0.7 else []
    if numbers.random() < 0.02:
        where = [f"{KIND} == 9"]
    amounts = None if numbers.random() < 0.2 else {"bw": str(numbers.randrange(0, 7))}
    if not alone:
        return request(name, {"bw": str(numbers.randrange(0, 4))}, where=where)
    if numbers.random() < 0.2:
        return first_of(name, sub("s0", {"bw": "11"}, count=2, where=where), sub("s1", amounts, where=where))
    return request(
        name, amounts, count=numbers.choice([1, 1, 2]), where=where, of=numbers.choice(["any", "x"])
    )


def _claims(numbers: random.Random, count: int) -> list[ResourceClaim]:
    found = []
    for place in range(count):
        # Claims of two requests stay simple, because a failing search must try all pairs of devices.
        size = numbers.choice([1, 1, 1, 2])
        requests = [_request(numbers, f"r{n}", alone=size == 1) for n in range(size)]
        kind = numbers.choice([match, distinct, None])
        constraints = [kind(f"{DRIVER}/nic")] if kind is not None and size > 1 else []
        found.append(claim(f"c{place}", *requests, constraints=constraints))
    return found


def _world(numbers: random.Random, devices: int) -> list[ResourceSlice]:
    found = [_device(numbers, place) for place in range(devices)]
    return [
        slice_of(*found[at : at + 50], pool=f"p{at:04}", name=f"s{at}", driver=DRIVER)
        for at in range(0, devices, 50)
    ]


def _one_by_one(slices: list[ResourceSlice], claims: list[ResourceClaim]) -> list[Decision]:
    """Allocate each claim by a new call that gets all earlier allocations."""
    world = allocator(*slices, class_of("x", "true"))
    done: list[ResourceClaim] = []
    decisions: list[Decision] = []
    for item in claims:
        decision = world.allocate(NODE, [item], done)
        if isinstance(decision, Allocated):
            status = ResourceClaimStatus(allocation=decision.allocations[0])
            done.append(msgspec.structs.replace(item, status=status))
        decisions.append(decision)
    return decisions


def _without_steps(decisions: list[Decision]) -> list[object]:
    return [
        decision.allocations
        if isinstance(decision, Allocated)
        else (decision.category, decision.message)
        if isinstance(decision, Failed)
        else type(decision)
        for decision in decisions
    ]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("devices", [20, 300])
def test_a_batch_equals_one_call_for_each_claim(seed: int, devices: int) -> None:
    numbers = random.Random(seed)
    slices, claims = _world(numbers, devices), _claims(numbers, 120)
    world = allocator(*slices, class_of("x", "true"))
    batch = list(world.allocate_each(NODE, claims))
    assert _without_steps(batch) == _without_steps(_one_by_one(slices, claims))
    assert {type(decision) for decision in batch} >= {Allocated}
    if devices == 20:
        assert {type(decision) for decision in batch} >= {Allocated, Unallocatable}


def test_columns_and_the_interpreter_give_equal_decisions() -> None:
    met: set[type] = set()
    for seed in range(2):
        numbers = random.Random(seed)
        slices, claims = _world(numbers, 300), _claims(numbers, 700)
        by_columns, one_by_one = (
            list(allocator(*slices, class_of("x", "true"), columns=use).allocate_each(NODE, claims))
            for use in (ColumnUse.ALWAYS, ColumnUse.NEVER)
        )
        assert by_columns == one_by_one
        met |= {type(decision) for decision in by_columns}
    assert met == {Allocated, Failed, Unallocatable}


def test_an_error_allocates_nothing() -> None:
    world = allocator(slice_of(device("a", attributes={"kind": 1}), device("b")))
    broken = claim("c", request("r0"), request("r1", where=[f"{KIND} == 2"]))
    decisions = list(world.allocate_each(NODE, [broken, claim("d")]))
    assert isinstance(decisions[0], Failed)
    assert allocated_devices(decisions[1]) == [["r0 a"]]


def test_a_failed_claim_allocates_nothing() -> None:
    world = allocator(slice_of(device("a", shared=True, bw="10"), device("b", shared=True, bw="1")))
    greedy = claim("c", request("r0", {"bw": "9"}), request("r1", {"bw": "9"}))
    decisions = list(world.allocate_each(NODE, [greedy, claim("d", request("r0", {"bw": "10"}))]))
    assert isinstance(decisions[0], Unallocatable)
    assert allocated_devices(decisions[1]) == [["r0 a bw=10"]]


def test_the_input_is_not_changed() -> None:
    numbers = random.Random(7)
    slices, claims = _world(numbers, 300), _claims(numbers, 40)
    before = copy.deepcopy((slices, claims))
    world = allocator(*slices, class_of("x", "true"))
    first = list(world.allocate_each(NODE, claims))
    for item in claims:
        world.allocate(NODE, [item], explain=True)
    assert (slices, claims) == before
    assert list(world.allocate_each(NODE, claims)) == first


def test_each_node_has_its_own_devices() -> None:
    world = allocator(slice_of(device("a")), slice_of(device("b"), pool="pool-2", on="node-2"))
    assert allocated_devices(world.allocate(node("node-1"), [claim("c")])) == [["r0 a"]]
    assert allocated_devices(world.allocate(node("node-2"), [claim("c")])) == [["r0 b"]]
    assert isinstance(world.allocate(node("node-3"), [claim("c")]), Unallocatable)


def test_quantities_keep_the_format_of_each_claim_in_a_batch() -> None:
    world = allocator(slice_of(device("a", shared=True, mem="8Gi")))
    claims = [claim(text, request("r0", {"mem": text})) for text in ("1Gi", "1073741824", "1024Mi")]
    assert [allocated_devices(decision) for decision in world.allocate_each(NODE, claims)] == [
        [["r0 a mem=1Gi"]],
        [["r0 a mem=1073741824"]],
        [["r0 a mem=1Gi"]],
    ]


def test_the_thresholds_are_between_the_tested_sizes() -> None:
    assert (eligibility.LARGE, capacity_needs.LARGE) == (256, 256)
