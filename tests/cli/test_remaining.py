"""Remaining capacity after an allocation: the table of `--left` and the page of `--html`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dra_conform.cli import exits
from tests.support.cli.calling import Call

INVENTORY = """\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: any}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: counters}
spec:
  driver: gpu.example.com
  nodeName: worker-1
  pool: {name: p, generation: 2, resourceSliceCount: 2}
  sharedCounters: [{name: gpu-0, counters: {memory: {value: 80Gi}}}]
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: devices}
spec:
  driver: gpu.example.com
  nodeName: worker-1
  pool: {name: p, generation: 2, resourceSliceCount: 2}
  devices:
  - {name: half, consumesCounters: [{counterSet: gpu-0, counters: {memory: {value: 40Gi}}}]}
  - {name: whole, consumesCounters: [{counterSet: gpu-0, counters: {memory: {value: 80Gi}}}]}
  - name: nic
    allowMultipleAllocations: true
    capacity: {bandwidth: {value: 10G, requestPolicy: {default: 1G}}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: old}
spec:
  driver: gpu.example.com
  nodeName: worker-1
  pool: {name: p, generation: 1, resourceSliceCount: 1}
  devices: [{name: gone}]
"""

CLAIMS = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c}
spec:
  devices:
    requests:
    - {name: r0, exactly: {deviceClassName: any, selectors: [{cel: {expression: "!device.allowMultipleAllocations"}}]}}
    - name: r1
      exactly:
        deviceClassName: any
        selectors: [{cel: {expression: device.allowMultipleAllocations}}]
        capacity: {requests: {bandwidth: 3G}}
"""

ADMIN = """\
apiVersion: v1
kind: Namespace
metadata: {name: default, labels: {resource.k8s.io/admin-access: "true"}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: admin}
spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, adminAccess: true, allocationMode: All}}]}}
"""

PODS = """\
apiVersion: v1
kind: Pod
metadata: {name: pod}
spec:
  containers: [{name: c, image: i, resources: {claims: [{name: a}]}}]
  resourceClaims: [{name: a, resourceClaimName: c}]
"""

HALF = ["worker-1", "gpu.example.com/p/half", "nothing", "default/c"]
WHOLE = [
    "worker-1",
    "gpu.example.com/p/whole",
    "not allocatable: memory of gpu-0: needs 80Gi, 40Gi is left",
    "-",
]
NIC = ["worker-1", "gpu.example.com/p/nic", "bandwidth 7G of 10G", "default/c"]
COUNTERS = ["worker-1", "gpu.example.com/p/gpu-0 (counters)", "memory 40Gi of 80Gi", "half"]


@pytest.fixture(autouse=True)
def manifests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {"inventory": INVENTORY, "claims": CLAIMS, "admin": ADMIN, "pods": PODS}.items():
        (tmp_path / f"{name}.yaml").write_text(text, "utf-8")
    return tmp_path


def _table(text: str) -> list[list[str]]:
    """Return the cells of the last table."""
    lines = text.strip().rpartition("\n\n")[2].splitlines()
    return [[cell.strip() for cell in line.split("  ") if cell.strip()] for line in lines]


PER_DEVICE = """\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: any}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: counters}
spec:
  driver: gpu.example.com
  allNodes: true
  pool: {name: p, generation: 1, resourceSliceCount: 2}
  sharedCounters: [{name: gpu-0, counters: {memory: {value: 80Gi}}}]
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: devices}
spec:
  driver: gpu.example.com
  perDeviceNodeSelection: true
  pool: {name: p, generation: 1, resourceSliceCount: 2}
  devices:
  - {name: d0, nodeName: worker-1}
  - {name: d1, nodeName: worker-2}
  - {name: d2, allNodes: true}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c}
spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any}}]}}
---
apiVersion: v1
kind: Node
metadata: {name: worker-1}
"""


def test_each_device_has_its_own_node(call: Call, manifests: Path) -> None:
    (manifests / "devices.yaml").write_text(PER_DEVICE, "utf-8")
    completed = call("allocate", "-f", "devices.yaml", "--left")
    assert _table(completed.out)[1:] == [
        ["worker-1", "gpu.example.com/p/d0", "nothing", "default/c"],
        ["worker-2", "gpu.example.com/p/d1", "everything", "-"],
        ["all nodes", "gpu.example.com/p/d2", "everything", "-"],
        ["several nodes", "gpu.example.com/p/gpu-0 (counters)", "memory 80Gi of 80Gi", "-"],
    ]


def test_allocate_prints_remaining_capacity(call: Call) -> None:
    completed = call("allocate", "-f", "inventory.yaml", "-f", "claims.yaml", "-f", "admin.yaml", "--left")
    assert completed.code == exits.OK
    admin = ", default/admin (admin access)"
    assert _table(completed.out) == [
        ["NODE", "DEVICE OR COUNTER SET", "REMAINING", "ALLOCATED TO"],
        [*HALF[:3], f"default/c{admin}"],
        [*WHOLE[:3], "default/admin (admin access)"],
        [*NIC[:3], f"default/c{admin}"],
        COUNTERS,
    ]


def test_schedule_prints_remaining_capacity(call: Call) -> None:
    completed = call("schedule", "-f", "inventory.yaml", "-f", "claims.yaml", "-f", "pods.yaml", "--left")
    assert completed.code == exits.OK
    assert _table(completed.out)[1:] == [HALF, WHOLE, NIC, COUNTERS]


TAINTS = """\
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: tainted}
spec:
  driver: gpu.example.com
  nodeName: worker-1
  pool: {name: q, generation: 1, resourceSliceCount: 1}
  devices:
  - {name: broken, taints: [{key: example.com/broken, effect: NoExecute}, {key: example.com/new, effect: None}]}
  - {name: kept}
---
apiVersion: resource.k8s.io/v1
kind: DeviceTaintRule
metadata: {name: kept}
spec:
  deviceSelector: {driver: gpu.example.com, pool: q, device: kept}
  taint: {key: example.com/kept, value: team-a, effect: NoSchedule}
"""


def test_taints_that_prevent_allocation_are_named(call: Call, manifests: Path) -> None:
    (manifests / "taints.yaml").write_text(TAINTS, "utf-8")
    files = "-f", "inventory.yaml", "-f", "claims.yaml", "-f", "taints.yaml"
    completed = call("allocate", *files, "--left", "--html", "left.html")
    broken = "taint example.com/broken:NoExecute"
    kept = "taint example.com/kept=team-a:NoSchedule"
    assert _table(completed.out)[-2:] == [
        ["worker-1", "gpu.example.com/q/broken", f"everything; {broken}", "-"],
        ["worker-1", "gpu.example.com/q/kept", f"everything; {kept}", "-"],
    ]
    page = (manifests / "left.html").read_text("utf-8")
    assert page.count("free, tainted") == 2
    assert broken in page
    assert kept in page


def test_taints_count_only_if_their_gate_is_on(call: Call, manifests: Path) -> None:
    (manifests / "taints.yaml").write_text(TAINTS.partition("---")[0], "utf-8")
    files = "-f", "inventory.yaml", "-f", "claims.yaml", "-f", "taints.yaml"
    profile = "--profile", "kubernetes-1.36", "--gates", "DRADeviceTaints=false"
    completed = call("allocate", *files, "--left", *profile)
    assert _table(completed.out)[-2][1:] == ["gpu.example.com/q/broken", "everything", "-"]


def test_the_table_leaves_objects_alone(call: Call) -> None:
    completed = call("allocate", "-f", "inventory.yaml", "-f", "claims.yaml", "--left", "-o", "json")
    assert json.loads(completed.out)["kind"] == "List"
    assert _table(completed.err)[-1] == COUNTERS


def test_the_page_has_bars_and_the_same_words(call: Call, manifests: Path) -> None:
    completed = call("allocate", "-f", "inventory.yaml", "-f", "claims.yaml", "--html", "left.html")
    assert completed.code == exits.OK
    page = (manifests / "left.html").read_text("utf-8")
    assert 'aria-label="bandwidth: 7G of 10G remaining, 3G allocated to default/c"' in page
    assert 'style="width:30.00%"' in page
    assert "memory of gpu-0: needs 80Gi, 40Gi is left" in page
    assert "gone" not in page
    assert "<script" not in page


@pytest.mark.parametrize("command", ["allocate", "schedule"])
@pytest.mark.parametrize("path", ["claims.yaml", "link", "./inventory.yaml"])
def test_a_manifest_is_not_overwritten(call: Call, manifests: Path, command: str, path: str) -> None:
    (manifests / "link").symlink_to("claims.yaml")
    before = (manifests / path).read_text("utf-8")
    for inputs in (("-f", "inventory.yaml", "-f", "claims.yaml"), ("-f", ".")):
        completed = call(command, *inputs, "--html", path)
        assert (completed.code, completed.out) == (exits.USAGE, "")
        assert f"{path}: is read by this command" in completed.err
    assert (manifests / path).read_text("utf-8") == before


def test_the_page_can_be_in_the_folder_of_the_manifests(call: Call, manifests: Path) -> None:
    assert call("allocate", "-f", ".", "--html", "left.html").code == exits.OK
    assert (manifests / "left.html").is_file()


def test_a_page_that_cannot_be_written_is_bad_usage(call: Call) -> None:
    completed = call("allocate", "-f", "inventory.yaml", "-f", "claims.yaml", "--html", "no/left.html")
    assert (completed.code, completed.out) == (exits.USAGE, "")
