"""The nodes of a story have room for pods, whatever the story says that they have."""

from __future__ import annotations

from dra_conform.adapters.live.played_nodes import ample


def test_a_node_that_gives_a_resource_up_keeps_the_others() -> None:
    node = {"kind": "Node", "status": {"allocatable": {"example.com/gpu": "0", "cpu": "4"}}}
    allocatable = ample(node)["status"]["allocatable"]
    assert allocatable == {
        "example.com/gpu": "0",
        "cpu": "4",
        "memory": "256Gi",
        "pods": "110",
        "ephemeral-storage": "1Ti",
    }


def test_what_says_nothing_of_it_is_let_be() -> None:
    for written in ({"kind": "Node", "spec": {}}, {"kind": "Pod", "status": {"allocatable": {"cpu": "1"}}}):
        assert ample(written) == written
