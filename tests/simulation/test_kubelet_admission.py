"""Node resource usage of pods, and remaining node resources."""

from __future__ import annotations

import pytest

from dra_conform.footprint import footprint
from dra_conform.kube.json_values import Json
from dra_conform.kube.objects import decode
from tests.support.simulation.scenarios import (
    SETTLE,
    claim,
    create,
    delete,
    node,
    nodes_of,
    observations_of,
    pod,
    settled,
)


def container(cpu: str, **fields: Json) -> Json:
    return {"name": f"c{cpu}", "image": "i", "resources": {"requests": {"cpu": cpu}}, **fields}


@pytest.mark.parametrize(
    ("spec", "cpu"),
    [
        ({"containers": [container("1"), container("500m")]}, "1500m"),
        ({"containers": [container("1")], "initContainers": [container("3"), container("2")]}, "3"),
        ({"containers": [container("1")], "initContainers": [container("2", restartPolicy="Always")]}, "3"),
        (
            {
                "containers": [container("1")],
                "initContainers": [container("2", restartPolicy="Always"), container("3")],
            },
            "5",
        ),
        ({"containers": [container("1")], "resources": {"requests": {"cpu": "4"}}}, "4"),
        ({"containers": [container("1")], "overhead": {"cpu": "100m"}}, "1100m"),
    ],
    ids=["containers", "init containers", "sidecar", "with a sidecar", "pod level", "overhead"],
)
def test_the_demand_of_a_pod(spec: Json, cpu: str) -> None:
    assert str(footprint(decode(pod("p", **spec)), ())["cpu"]) == cpu


def with_cpu(name: str, cpu: str) -> Json:
    return {**node(name), "status": {"allocatable": {"cpu": cpu}}}


def test_a_pod_is_placed_on_a_node_with_sufficient_resources() -> None:
    setup = [with_cpu("a", "2"), with_cpu("b", "4")]
    first, _, second = observations_of(
        setup,
        create(pod("p", containers=[container("3")])),
        create(pod("q", containers=[container("2")])),
        create(pod("r", containers=[container("2")])),
        SETTLE,
        delete("Pod", "p"),
        SETTLE,
    )[3:]
    assert nodes_of(first) == {"p": "b", "q": "a", "r": None}
    assert first["attempts"][-1]["message"] == "0/2 nodes are available: 2 Insufficient cpu."
    assert nodes_of(second) == {"q": "a", "r": "b"}


def test_a_pod_that_does_not_run_on_its_node_uses_resources() -> None:
    stuck = pod("p", "c", nodeName="n", containers=[container("2")])
    observed = settled(
        [with_cpu("n", "3"), claim("c")], create(stuck), create(pod("q", containers=[container("2")]))
    )
    assert nodes_of(observed) == {"p": "n", "q": None}


def test_an_extended_resource_of_a_device_plugin_is_counted() -> None:
    offered = {**node("n"), "status": {"allocatable": {"example.com/gpu": "1"}}}
    gpu = {"name": "c", "image": "i", "resources": {"limits": {"example.com/gpu": "1"}}}
    observed = settled([offered], create(pod("p", containers=[gpu])), create(pod("q", containers=[gpu])))
    assert nodes_of(observed) == {"p": "n", "q": None}
