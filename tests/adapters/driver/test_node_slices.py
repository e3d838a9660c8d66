"""ResourceSlices of a driver, published in part or as a whole, and those of others, which a scenario watches."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from dra_conform.adapters.driver import node_slices
from dra_conform.adapters.driver.claims import Devices
from dra_conform.adapters.driver.node_slices import (
    QUIET_SECONDS,
    NodeSlices,
    all_complete,
    count_of_driver,
    edited_devices,
    incomplete_pools,
)
from dra_conform.adapters.driver.world import LightWorld
from dra_conform.conformance.driver.actions import SliceChange
from dra_conform.kube.profile import Profile

DRIVER, NODE = "gpu.example.com", "node-1"


@pytest.fixture
def world() -> Iterator[LightWorld]:
    opened = LightWorld(Profile.named("kep"))
    yield opened
    opened.close()


@pytest.fixture
def slices(world: LightWorld) -> NodeSlices:
    of_node = NodeSlices(world, DRIVER, NODE)
    of_node.create_others()
    return of_node


def test_slices_of_others_are_not_those_of_the_driver(world: LightWorld, slices: NodeSlices) -> None:
    others = world.objects("ResourceSlice")
    assert {(raw["spec"]["driver"], raw["spec"]["nodeName"]) for raw in others} == {
        ("other.example.com", NODE),
        (DRIVER, f"other-{NODE}"),
    }
    assert slices.all() == []
    assert slices.observe(Devices({})) == ((), 0, {})


def test_deleted_replaced_and_changed_slices_of_others_are_damaged(
    world: LightWorld, slices: NodeSlices
) -> None:
    of_driver, of_node = world.objects("ResourceSlice")
    if of_driver["spec"]["driver"] == DRIVER:
        of_driver, of_node = of_node, of_driver
    world.delete("ResourceSlice", of_node["metadata"]["name"])
    world.update({**of_driver, "spec": {**of_driver["spec"], "devices": []}})
    damaged = {"another driver": "changed", "another node": "deleted"}
    assert slices.observe(Devices({}))[2] == damaged
    new = {name: of_node[name] for name in ("apiVersion", "kind", "spec")}
    world.create({**new, "metadata": {"name": of_node["metadata"]["name"]}})
    assert slices.observe(Devices({}))[2] == damaged


def published(pool: str, generation: int, count: int) -> dict[str, Any]:
    return {"spec": {"pool": {"name": pool, "generation": generation, "resourceSliceCount": count}}}


def test_a_pool_is_complete_with_all_its_slices() -> None:
    assert not all_complete([])
    assert all_complete([published("a", 1, 2), published("a", 1, 2), published("b", 4, 1)])


def test_a_pool_without_some_of_its_slices_is_named() -> None:
    slices = [published("a", 1, 2), published("b", 4, 1)]
    assert not all_complete(slices)
    assert list(incomplete_pools(slices)) == [
        "pool a has 1 ResourceSlice of generation 1, resourceSliceCount is 2"
    ]


def test_two_generations_are_incomplete() -> None:
    slices = [published("a", 1, 2), published("a", 2, 2)]
    assert not all_complete(slices)
    assert list(incomplete_pools(slices)) == [
        "pool a has 2 ResourceSlices of generation 1 and 2, resourceSliceCount is 2"
    ]


@pytest.mark.parametrize("change", ["attribute-added", "capacity-added"])
def test_a_device_with_an_attribute_or_capacity_of_another_client_is_edited(
    world: LightWorld, slices: NodeSlices, change: SliceChange
) -> None:
    spec = {
        "driver": DRIVER,
        "nodeName": NODE,
        "pool": {"name": NODE, "generation": 1, "resourceSliceCount": 1},
        "devices": [{"name": "gpu-0", "attributes": {"model": {"string": "x"}}}, {"name": "gpu-1"}],
    }
    metadata = {"name": "published"}
    world.create(
        {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceSlice",
            "metadata": metadata,
            "spec": spec,
        }
    )
    devices = Devices.of(slices.all())
    assert [pool.edited for pool in slices.observe(devices)[0]] == [()]
    slices.change(change)
    assert [pool.edited for pool in slices.observe(devices)[0]] == [(1,)]
    assert [device["name"] for device in edited_devices(slices.all())] == ["gpu-0"]


def test_another_client_deletes_the_last_slice_and_raises_the_count(
    world: LightWorld, slices: NodeSlices
) -> None:
    for name, device in (("one", "gpu-0"), ("two", "gpu-1")):
        spec = {
            "driver": DRIVER,
            "nodeName": NODE,
            "pool": {"name": NODE, "generation": 1, "resourceSliceCount": 2},
            "devices": [{"name": device}],
        }
        world.create(
            {
                "apiVersion": "resource.k8s.io/v1",
                "kind": "ResourceSlice",
                "metadata": {"name": name},
                "spec": spec,
            }
        )
    assert all_complete(slices.all())
    devices = Devices.of(slices.all())
    slices.change("device-added")
    assert [pool.foreign for pool in slices.observe(devices)[0]] == [("foreign",)]
    slices.change("count-raised")
    assert not all_complete(slices.all())
    slices.change("last-deleted")
    assert [raw["metadata"]["name"] for raw in slices.all()] == ["one"]
    assert slices.specs()[0]["pool"]["resourceSliceCount"] == 3


def create_pool(world: LightWorld, pool: str) -> None:
    spec = {
        "driver": DRIVER,
        "nodeName": NODE,
        "pool": {"name": pool, "generation": 1, "resourceSliceCount": 1},
        "devices": [{"name": "gpu"}],
    }
    metadata = {"name": f"slice-of-{pool}"}
    world.create(
        {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": metadata, "spec": spec}
    )


def test_all_pools_are_awaited_that_a_driver_publishes_one_after_the_other(
    world: LightWorld, slices: NodeSlices
) -> None:
    create_pool(world, "a")
    later = threading.Timer(QUIET_SECONDS / 4, create_pool, (world, "b"))
    later.start()
    slices.await_all_pools(30.0, 0)
    later.join()
    assert [raw["spec"]["pool"]["name"] for raw in slices.all()] == ["a", "b"]


def test_a_known_number_of_devices_is_awaited_however_long_no_device_appears(
    world: LightWorld, slices: NodeSlices, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node_slices, "QUIET_SECONDS", 0.1)
    create_pool(world, "a")
    later = threading.Timer(0.5, create_pool, (world, "b"))
    later.start()
    slices.await_all_pools(30.0, 2)
    later.join()
    assert [raw["spec"]["pool"]["name"] for raw in slices.all()] == ["a", "b"]


def test_the_wait_for_pools_ends_at_the_known_number_of_devices(
    world: LightWorld, slices: NodeSlices, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node_slices, "QUIET_SECONDS", 3600.0)
    create_pool(world, "a")
    slices.await_all_pools(30.0, 1)
    assert [raw["spec"]["pool"]["name"] for raw in slices.all()] == ["a"]


@pytest.mark.parametrize("count", [0, 1000])
def test_pools_are_awaited_for_a_limited_time(
    count: int, slices: NodeSlices, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = iter(range(100))
    monkeypatch.setattr(
        Devices, "of", lambda _: Devices({("pool", str(number)): {} for number in range(next(numbers))})
    )
    slices.await_all_pools(0.5, count)
    assert 0 < next(numbers) < 30


def test_devices_of_another_client_are_not_those_of_the_driver(world: LightWorld, slices: NodeSlices) -> None:
    create_pool(world, "a")
    devices = Devices.of(slices.all())
    create_pool(world, "b")
    slices.change("device-added")
    assert count_of_driver(slices.observe(devices)[0]) == 2
