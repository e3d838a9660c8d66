"""The demo workloads of dra-example-driver get the devices that their comments describe."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from dra_conform.cli import main
from tests.support.previews.clusters import readable_name

MANIFESTS = Path(__file__).parents[3] / "shared" / "manifests"
WORKLOADS = MANIFESTS / "dra-example-driver"

pytestmark = pytest.mark.skipif(
    not MANIFESTS.is_dir(), reason="the manifests of dra-example-driver are not beside the checkout"
)

Promise = Mapping[str, list[tuple[str, str, Mapping[str, str]]]]
"""The request, device and consumed capacity of each allocation result by claim."""

_GPUS = [f"gpu-{number}" for number in range(8)]
_VFS = {"vfs": "1"}
_SHARE = {"memory": "16Gi", "compute": "20"}
_PART = {"memory": "8Gi", "compute": "10"}
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
    "gpu-allow-multiple-allocations-partitionable": (
        "gpu-partitionable-shared",
        {
            name: [("gpu", "gpu-0-partition-0", _PART)]
            for name in ("shared-partition-pod0", "shared-partition-pod1")
        },
    ),
    "partitionable-devices": (
        "gpu-partitionable",
        {"pod0-gpu-partitions": [("gpu-partition", f"gpu-0-partition-{number}", {}) for number in range(2)]},
    ),
    "admin-access": ("gpu", {"pod0-admin-gpus": [("admin-gpu", gpu, {}) for gpu in _GPUS]}),
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


def name_of(claim: Any) -> str:
    """Return the name of a claim, `POD-ENTRY` for a generated claim."""
    return readable_name(claim).partition("/")[2]


def allocate(inventory: str, *files: Path, more: tuple[str, ...] = ()) -> int:
    paths = [MANIFESTS / "driver-inventory" / f"{inventory}.yaml", *files]
    return main(["allocate", *(part for path in paths for part in ("-f", str(path))), *more])


@pytest.mark.parametrize("name", GIVEN)
def test_claims_get_the_devices_that_the_comments_describe(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    inventory, promised = GIVEN[name]
    more = ("-o", "json", "--profile", "kubernetes-1.37")  # kep has another label for admin access
    assert allocate(inventory, WORKLOADS / f"{name}--{name}.yaml", more=more) == 0
    items = json.loads(capsys.readouterr().out)["items"]
    results = {name_of(item): item["status"]["allocation"]["devices"]["results"] for item in items}
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


def test_extended_resources_get_devices(capsys: pytest.CaptureFixture[str]) -> None:
    name = "extended-resource-request"
    assert allocate("gpu", WORKLOADS / f"{name}--{name}.yaml") == 0
    said = capsys.readouterr().out
    assert "pod0-extended-resources" in said
    assert "pod1-extended-resources" in said


def test_the_pods_of_a_group_share_a_claim(capsys: pytest.CaptureFixture[str]) -> None:
    name = "podgroup-resourceclaimtemplate"
    assert allocate("gpu", WORKLOADS / f"{name}--{name}.yaml", more=("-o", "json")) == 0
    items = json.loads(capsys.readouterr().out)["items"]
    assert [one["metadata"]["name"] for one in items] == ["group-1-gpu", "group-2-gpu"]


@pytest.mark.parametrize("profile", ["kubernetes-1.36", "kubernetes-1.37"])
def test_the_api_server_admits_all_manifests(profile: str, capsys: pytest.CaptureFixture[str]) -> None:
    whole = [path for path in sorted(WORKLOADS.iterdir()) if "4-pod-not-scheduled" not in path.name]
    paths = [part for path in (MANIFESTS / "driver-inventory", *whole) for part in ("-f", str(path))]
    assert main(["admit", *paths, "--profile", profile]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[-2:] == ["105 admitted, 0 rejected", "not checked: scheduling.k8s.io/v1alpha2 PodGroup (2)"]


# Admin access.


def test_admin_access_gets_allocated_devices(capsys: pytest.CaptureFixture[str]) -> None:
    files = [WORKLOADS / f"{name}--{name}.yaml" for name in ("basic-multiple-requests", "admin-access")]
    for order in (files, files[::-1]):
        assert allocate("gpu", *order, more=("-o", "json", "--profile", "kubernetes-1.37")) == 0
        items = json.loads(capsys.readouterr().out)["items"]
        found = {name_of(item): item["status"]["allocation"]["devices"]["results"] for item in items}
        assert [one["device"] for one in found["pod0-gpus"]] == ["gpu-0", "gpu-1"]
        assert [one["device"] for one in found["pod0-admin-gpus"]] == _GPUS
        assert {one.get("adminAccess") for one in found["pod0-admin-gpus"]} == {True}
        assert {one.get("adminAccess") for one in found["pod0-gpus"]} == {None}


# Partitions.


def test_partitions_of_a_gpu_and_the_gpu_exclude_each_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each GPU has four partitions, so two GPUs cannot provide nine."""
    text = (WORKLOADS / "partitionable-devices--partitionable-devices.yaml").read_text("utf-8")
    for count, code in ((8, 0), (9, 1)):
        wanted = tmp_path / f"{count}.yaml"
        wanted.write_text(text.replace("count: 2", f"count: {count}"), "utf-8")
        assert allocate("gpu-partitionable", wanted, more=("--explain",)) == code
    said = capsys.readouterr().out
    refused = "0/1 nodes are available: 1 cannot allocate all claims."
    assert f"Pod partitionable-devices/pod0: not allocated\n  {refused}\n" in said
    for number in range(2):
        short = (
            f"counter memory of gpu-{number}-counters: needs 80Gi, remaining 0 of 80Gi (gpu-{number}-full)"
        )
        assert f"\n      1 device: CounterExhausted: {short}\n" in said


# Taints.


def taint_demo(name: str, *parts: str) -> list[Path]:
    """Return the files of a demo by number."""
    prefix = f"device-taints-tolerations--device-taint-{name}--"
    return [path for part in parts for path in sorted(WORKLOADS.glob(f"{prefix}{part}-*.yaml"))]


UNTOLERATED = "TaintNotTolerated: the taint gpu.example.com/unhealthy=true:NoExecute is not tolerated"
EVICTED = "  DeviceTaintManagerEviction: Marking for deletion"
TAINTED: Mapping[str, tuple[list[Path], list[str], list[str]]] = {
    "eviction time, without the rule": (
        taint_demo("configurable-pod-eviction-time", "1"),
        ["pod-no-toleration-gpu", "pod-with-toleration-gpu", "pod-with-300s-toleration-gpu"],
        [],
    ),
    "eviction time": (
        taint_demo("configurable-pod-eviction-time", "1", "2"),
        ["pod-with-toleration-gpu", "pod-with-300s-toleration-gpu"],
        ["pod-no-toleration"],
    ),
    "before the rule": (taint_demo("pod-noexecute", "1", "2"), ["pod-to-be-evicted-gpu"], []),
    "NoExecute, which implies NoSchedule": (
        taint_demo("pod-noexecute", "1", "3", "4"),
        [],
        ["pod-no-execute"],
    ),
    "toleration": (
        taint_demo("pod-toleration", "1", "2"),
        ["pod-with-toleration-gpu"],
        ["pod-without-toleration"],
    ),
}


@pytest.mark.parametrize("name", TAINTED)
def test_taint_rules(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    files, given, refused = TAINTED[name]
    assert files
    assert allocate("gpu", *files, more=("--explain",)) == (1 if refused else 0)
    said = capsys.readouterr().out
    lines = said.splitlines()
    names = [line.split()[0].partition("/")[2] for line in lines if " worker-1  gpu " in line]
    assert [name.rpartition("-")[0] for name in names] == given
    assert [line.split()[1] for line in lines if line.endswith(": not allocated")] == [
        f"basic-resourceclaimtemplate/{pod}:" for pod in refused
    ]
    for pod in refused:
        start = lines.index(f"Pod basic-resourceclaimtemplate/{pod}: not allocated")
        assert lines[start + 1] == EVICTED or UNTOLERATED in "".join(lines[start : start + 6])


def test_a_no_schedule_rule_does_not_affect_allocated_claims(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the demo of NoSchedule, a running pod keeps running."""
    running = taint_demo("pod-noschedule", "1", "2")
    assert allocate("gpu", *running, more=("-o", "yaml")) == 0
    kept = tmp_path / "claims.yaml"
    kept.write_text(capsys.readouterr().out, "utf-8")
    assert allocate("gpu", kept, *running, *taint_demo("pod-noschedule", "3")) == 0
    assert "gpu.example.com/worker-1/gpu-0" in capsys.readouterr().out
    rule = taint_demo("pod-noschedule", "3")
    assert allocate("gpu", *running, *rule) == 0
    assert allocate("gpu", *rule, *running) == 1


def test_a_manifest_without_api_version_is_rejected(capsys: pytest.CaptureFixture[str]) -> None:
    """One of the demo files has no apiVersion, so kubectl rejects it too."""
    files = sorted(WORKLOADS.glob("device-taints-tolerations--device-taint-pod-noschedule--*.yaml"))
    assert allocate("gpu", *files) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.endswith("4-pod-not-scheduled.yaml:2: has no apiVersion, expected a Kubernetes object\n")


def test_inventories_together(capsys: pytest.CaptureFixture[str]) -> None:
    """Each inventory has the same Node."""
    net = MANIFESTS / "driver-inventory" / "net.yaml"
    names = ("cel-selector", "net-consumable-capacity")
    assert allocate("gpu", net, *(WORKLOADS / f"{name}--{name}.yaml" for name in names)) == 0
    assert len(capsys.readouterr().out.splitlines()) == 4
