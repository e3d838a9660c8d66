"""ResourceSlices of others beside those of a driver, which a scenario watches."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dra_conform.adapters.driver.claims import Devices
from dra_conform.adapters.driver.node_slices import NodeSlices
from dra_conform.adapters.driver.world import LightWorld
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
