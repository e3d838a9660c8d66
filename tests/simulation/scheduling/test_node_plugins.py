"""Nodes are ordered by remaining resources, and the order is updated as pods change."""

from __future__ import annotations

import random

import pytest

from dra_conform.kube.core import Node, NodeStatus
from dra_conform.kube.meta import ObjectMeta
from dra_conform.kube.quantity import Quantity
from dra_conform.simulation.scheduling.node_plugins import NodeOrder, remaining_percent
from tests.support.simulation.scenarios import create, node, nodes_of, pod, settled


def named(name: str, **allocatable: str) -> Node:
    offered = {resource: Quantity.parse(text) for resource, text in allocatable.items()}
    return Node(metadata=ObjectMeta(name=name), status=NodeStatus(allocatable=offered))


@pytest.mark.parametrize(
    ("offered", "expected", "taken", "score"),
    [
        ({"cpu": "10"}, {"cpu": "1"}, {"cpu": "6"}, 30),
        ({"cpu": "3"}, {"cpu": "1"}, {}, 66),
        ({"cpu": "10", "memory": "10Gi"}, {"cpu": "5"}, {}, 75),
        ({"cpu": "10", "memory": "0"}, {"cpu": "5"}, {}, 50),
        ({"cpu": "1"}, {"cpu": "2"}, {}, 0),
        ({"example.com/gpu": "8"}, {"cpu": "2"}, {}, 0),
    ],
)
def test_the_score_is_the_mean_remaining_percentage_of_cpu_and_memory(
    offered: dict[str, str], expected: dict[str, str], taken: dict[str, str], score: int
) -> None:
    requested, used = (
        {name: Quantity.parse(text) for name, text in one.items()} for one in (expected, taken)
    )
    assert remaining_percent(named("n", **offered), requested, used) == score


def test_an_updated_order_equals_a_new_order() -> None:
    rng = random.Random(7)
    nodes = [named(f"n{number:02}") for number in range(20)]
    scores = {node.metadata.name: rng.randrange(5) for node in nodes}
    preserved = NodeOrder(nodes)
    for _ in range(100):
        assert list(preserved.current(lambda one: scores[one.metadata.name])) == sorted(
            nodes, key=lambda one: (-scores[one.metadata.name], one.metadata.name)
        )
        changed = rng.sample(sorted(scores), rng.randrange(4))
        scores.update((name, rng.randrange(5)) for name in changed)
        preserved.mark_changed(changed)


def test_pods_with_equal_requests_are_spread() -> None:
    nodes = [{**node(name), "status": {"allocatable": {"cpu": "8"}}} for name in "ab"]
    container = {"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}}
    pods = [create(pod(f"p{number}", containers=[container])) for number in range(4)]
    assert nodes_of(settled(nodes, *pods)) == {"p0": "a", "p1": "b", "p2": "a", "p3": "b"}
