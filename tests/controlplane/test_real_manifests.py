"""The demo workloads of dra-example-driver on what it publishes: what their comments promise, they get."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from dra_conform.cli import main

MANIFESTS = Path(__file__).parents[3] / "shared" / "manifests"
WORKLOADS = MANIFESTS / "dra-example-driver"

pytestmark = pytest.mark.skipif(
    not MANIFESTS.is_dir(), reason="the manifests of dra-example-driver are not beside the checkout"
)

Promise = Mapping[str, list[tuple[str, str, Mapping[str, str]]]]
"""What each claim gets: request, device and consumed capacity."""

_VFS = {"vfs": "1"}
_SHARE = {"memory": "16Gi", "compute": "20"}
GIVEN: Mapping[str, tuple[str, Promise]] = {
    "net-consumable-capacity": (
        "net",
        {
            "pod0-nic": [("nic", "nic-0", {**_VFS, "ingressBandwidth": "10G", "egressBandwidth": "5G"})],
            "pod1-nic": [("nic", "nic-0", {**_VFS, "ingressBandwidth": "5G", "egressBandwidth": "5G"})],
        },
    ),
    "gpu-allow-multiple-allocations": (
        "gpu-shared",
        {name: [("gpu", "gpu-0", _SHARE)] for name in ("shared-gpu-pod0", "shared-gpu-pod1")},
    ),
    "basic-multiple-requests": ("gpu", {"pod0-gpus": [("gpu-1", "gpu-0", {}), ("gpu-2", "gpu-1", {})]}),
    "basic-resourceclaim-opaque-config": (
        "gpu",
        {"pod0-shared-gpus": [("ts-gpu", "gpu-0", {}), ("sp-gpu", "gpu-1", {})]},
    ),
    "basic-resourceclaimtemplate": (
        "gpu",
        {"pod0-gpu": [("gpu", "gpu-0", {})], "pod1-gpu": [("gpu", "gpu-1", {})]},
    ),
    "basic-shared-claim-across-containers": ("gpu", {"pod0-shared-gpu": [("gpu", "gpu-0", {})]}),
    "basic-shared-claim-across-pods": ("gpu", {"single-gpu": [("gpu", "gpu-0", {})]}),
    "binding-conditions": ("gpu", {"pod0-gpu": [("gpu", "gpu-0", {})]}),
    "initcontainer-shared-gpu": ("gpu", {"pod0-shared-gpu": [("gpu", "gpu-0", {})]}),
    "cel-selector": ("gpu", {"pod0-gpu": [("gpu", "gpu-0", {})]}),
    "prioritized-alternatives": (
        "gpu",
        {"pod0-gpu": [("gpu/older-gpu", "gpu-0", {})], "pod1-gpu": [("gpu/latest-gpu", "gpu-1", {})]},
    ),
    "native-resource-request": (
        "cpu",
        {"pod0-cpus": [(name, "numa-0", {"cpu.example.com/cpu": "1"}) for name in ("cpu0", "cpu1")]},
    ),
}


def allocate(inventory: str, *files: Path, more: tuple[str, ...] = ()) -> int:
    paths = [MANIFESTS / "driver-inventory" / f"{inventory}.yaml", *files]
    return main(["allocate", *(part for path in paths for part in ("-f", str(path))), *more])


@pytest.mark.parametrize("name", GIVEN)
def test_what_the_comments_promise(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    inventory, promised = GIVEN[name]
    assert allocate(inventory, WORKLOADS / f"{name}--{name}.yaml", more=("-o", "json")) == 0
    items = json.loads(capsys.readouterr().out)["items"]
    results = {item["metadata"]["name"]: item["status"]["allocation"]["devices"]["results"] for item in items}
    assert {item["metadata"]["namespace"] for item in items} == {name}
    assert {
        claim: [(one["request"], one["device"], one.get("consumedCapacity", {})) for one in found]
        for claim, found in results.items()
    } == promised
    shares = [one.get("shareID") for found in results.values() for one in found if "consumedCapacity" in one]
    assert None not in shares
    assert len(set(shares)) == len(shares)


def test_opaque_configuration_reaches_the_allocation(capsys: pytest.CaptureFixture[str]) -> None:
    name = "basic-resourceclaim-opaque-config"
    allocate("gpu", WORKLOADS / f"{name}--{name}.yaml", more=("-o", "json"))
    [item] = json.loads(capsys.readouterr().out)["items"]
    config = item["status"]["allocation"]["devices"]["config"]
    assert [(one["source"], one["requests"]) for one in config] == [
        ("FromClaim", ["ts-gpu"]),
        ("FromClaim", ["sp-gpu"]),
    ]
    strategies = [one["opaque"]["parameters"]["sharing"]["strategy"] for one in config]
    assert strategies == ["TimeSlicing", "SpacePartitioning"]


def test_the_node_resources_of_devices_are_not_counted(capsys: pytest.CaptureFixture[str]) -> None:
    allocate("cpu", WORKLOADS / "native-resource-request--native-resource-request.yaml")
    assert "what the node itself has left is not counted yet" in capsys.readouterr().err


_PARTITIONS = (
    "needs partitionable-devices, not supported yet: device gpu.example.com/worker-1/gpu-0-partition-0"
)
LATER: Mapping[str, tuple[str, str]] = {
    "extended-resource-request": (
        "gpu",
        "an extended resource served by a device class (KEP-5004): not supported",
    ),
    "admin-access": ("gpu", "needs admin-access, not supported yet: claim admin-access/pod0-admin-gpus"),
    "podgroup-resourceclaimtemplate": (
        "gpu",
        "is in a pod group, whose pods may share the group's claims: not",
    ),
    "partitionable-devices": ("gpu-partitionable", _PARTITIONS),
    "gpu-allow-multiple-allocations-partitionable": ("gpu-partitionable-shared", _PARTITIONS),
}


@pytest.mark.parametrize("name", LATER)
def test_what_needs_a_later_feature_says_so(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    inventory, message = LATER[name]
    assert allocate(inventory, WORKLOADS / f"{name}--{name}.yaml") == 2
    assert message in capsys.readouterr().out


@pytest.mark.parametrize(
    "name", ["configurable-pod-eviction-time", "pod-noexecute", "pod-toleration"], ids=lambda name: name
)
def test_taint_rules_say_so(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    files = sorted(WORKLOADS.glob(f"device-taints-tolerations--device-taint-{name}--*.yaml"))
    assert allocate("gpu", *files) == 2
    assert "DeviceTaintRule example: device taints are not supported yet" in capsys.readouterr().out


def test_a_manifest_of_theirs_that_kubectl_refuses_too(capsys: pytest.CaptureFixture[str]) -> None:
    """One of the files names no apiVersion."""
    files = sorted(WORKLOADS.glob("device-taints-tolerations--device-taint-pod-noschedule--*.yaml"))
    assert allocate("gpu", *files) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.endswith("4-pod-not-scheduled.yaml:2: has no apiVersion, expected a Kubernetes object\n")


def test_inventories_together(capsys: pytest.CaptureFixture[str]) -> None:
    """The node is in each of them, and the same."""
    net = MANIFESTS / "driver-inventory" / "net.yaml"
    names = ("cel-selector", "net-consumable-capacity")
    assert allocate("gpu", net, *(WORKLOADS / f"{name}--{name}.yaml" for name in names)) == 0
    assert len(capsys.readouterr().out.splitlines()) == 4
