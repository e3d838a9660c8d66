"""The demo workloads of dra-example-driver run in a simulated cluster as their comments describe."""

from __future__ import annotations

from pathlib import Path

import pytest

from dra_conform.cli import main
from tests.previews.test_real_manifests import MANIFESTS, WORKLOADS

pytestmark = pytest.mark.skipif(
    not MANIFESTS.is_dir(), reason="the manifests of dra-example-driver are not beside the checkout"
)

RUNNING = {
    "admin-access": ("gpu", {"pod0": [f"gpu-{number}" for number in range(8)]}),
    "basic-multiple-requests": ("gpu", {"pod0": ["gpu-0", "gpu-1"]}),
    "basic-resourceclaim-opaque-config": ("gpu", {"pod0": ["gpu-0", "gpu-1"]}),
    "basic-resourceclaimtemplate": ("gpu", {"pod0": ["gpu-0"], "pod1": ["gpu-1"]}),
    "basic-shared-claim-across-containers": ("gpu", {"pod0": ["gpu-0"]}),
    "basic-shared-claim-across-pods": ("gpu", {"pod0": ["gpu-0"], "pod1": ["gpu-0"]}),
    "binding-conditions": ("gpu", {"pod0": ["gpu-0"]}),
    "cel-selector": ("gpu", {"pod0": ["gpu-0"]}),
    "extended-resource-request": ("gpu", {"pod0": ["gpu-0"], "pod1": ["gpu-1"]}),
    "gpu-allow-multiple-allocations": ("gpu-shared", {"pod0": ["gpu-0"], "pod1": ["gpu-0"]}),
    "gpu-allow-multiple-allocations-partitionable": (
        "gpu-partitionable-shared",
        {"pod0": ["gpu-0-partition-0"], "pod1": ["gpu-0-partition-0"]},
    ),
    "initcontainer-shared-gpu": ("gpu", {"pod0": ["gpu-0"]}),
    "native-resource-request": ("cpu", {"pod0": ["numa-0", "numa-0"]}),
    "net-consumable-capacity": ("net", {"pod0": ["nic-0"], "pod1": ["nic-0"]}),
    "partitionable-devices": ("gpu-partitionable", {"pod0": ["gpu-0-partition-0", "gpu-0-partition-1"]}),
    "podgroup-resourceclaimtemplate": (
        "gpu",
        {
            "group-1-0": ["gpu-0"],
            "group-1-1": ["gpu-0"],
            "group-2-0": ["gpu-1"],
            "group-2-1": ["gpu-1"],
        },
    ),
    "prioritized-alternatives": ("gpu", {"pod0": ["gpu-0"], "pod1": ["gpu-1"]}),
}

TAINTED = {
    "configurable-pod-eviction-time": (
        {
            "pod-no-toleration": "gone",
            "pod-with-toleration": "running",
            "pod-with-300s-toleration": "running",
        },
        {"pod-no-toleration": "gone", "pod-with-toleration": "running", "pod-with-300s-toleration": "gone"},
    ),
    "pod-noexecute": (
        {"pod-to-be-evicted": "gone", "pod-no-execute": "pending"},
        {"pod-to-be-evicted": "gone", "pod-no-execute": "pending"},
    ),
    "pod-toleration": (
        {"pod-without-toleration": "pending", "pod-with-toleration": "running"},
        {"pod-without-toleration": "pending", "pod-with-toleration": "running"},
    ),
}
"""The pods of a demo after its files are applied in order, and after 301 seconds.

Of pod-no-execute its comment says that it is scheduled and killed; NoExecute keeps new pods away as well, and
so it is pending.
"""


def scheduled(inventory: str, *files: Path, wait: int = 0) -> int:
    paths = (MANIFESTS / "driver-inventory" / f"{inventory}.yaml", *files)
    arguments = [word for path in paths for word in ("-f", str(path))]
    return main(["schedule", "--profile", "kubernetes-1.37", "--wait", str(wait), *arguments])


def pods_in(table: str) -> dict[str, tuple[str, list[str]]]:
    """Return state and devices by pod name."""
    found: dict[str, tuple[str, list[str]]] = {}
    for line in table.partition("\n\n")[0].splitlines()[1:]:
        cells = line.split()
        if not line.startswith(" "):
            found[cells[0].partition("/")[2]] = cells[1], []
        devices = [cell.rpartition("/")[2] for cell in cells if cell.count("/") == 2]
        found[list(found)[-1]][1].extend(devices)
    return found


@pytest.mark.parametrize("name", RUNNING)
def test_the_pods_of_a_demo_run(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    inventory, devices = RUNNING[name]
    assert scheduled(inventory, WORKLOADS / f"{name}--{name}.yaml") == 0
    assert pods_in(capsys.readouterr().out) == {pod: ("running", taken) for pod, taken in devices.items()}


@pytest.mark.parametrize("name", TAINTED)
def test_taints_evict_pods_or_keep_them_pending(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    files = sorted(WORKLOADS.glob(f"device-taints-tolerations--device-taint-{name}--*.yaml"))
    for wait, states in zip((0, 301), TAINTED[name], strict=True):
        assert scheduled("gpu", *files, wait=wait) == 1
        found = pods_in(capsys.readouterr().out)
        assert {pod: state for pod, (state, _) in found.items()} == states


def test_a_no_schedule_rule_does_not_affect_running_pods(capsys: pytest.CaptureFixture[str]) -> None:
    demo = "device-taints-tolerations--device-taint-pod-noschedule--[123]*.yaml"
    assert scheduled("gpu", *sorted(WORKLOADS.glob(demo))) == 0
    assert pods_in(capsys.readouterr().out) == {"pod-keeps-running": ("running", ["gpu-0"])}
