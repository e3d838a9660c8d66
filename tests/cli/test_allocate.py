"""`dra-conform allocate`: which devices the claims of manifests get, or why not."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from dra_conform.cli import exits
from tests.support.cli.calling import Call

WORLD = """\
apiVersion: v1
kind: Node
metadata: {name: left}
---
apiVersion: v1
kind: Node
metadata: {name: right}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: nic}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: net.example.com
  allNodes: true
  pool: {name: p, generation: 1, resourceSliceCount: 1}
  devices:
  - name: eth0
    allowMultipleAllocations: true
    capacity: {bandwidth: {value: 10G, requestPolicy: {default: 1G, validRange: {min: 1G, step: 2G}}}}
"""

CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: %s}
spec:
  devices:
    requests:
    - name: r0
      exactly: {deviceClassName: nic, capacity: {requests: {bandwidth: %s}}}
"""

ADMINS = """\
apiVersion: v1
kind: Namespace
metadata: {name: default, labels: {resource.k8s.io/admin-access: "true"}}
"""


@pytest.fixture
def manifests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder with a cluster, and the claims `small`, which fits, and `large`, which then does not."""
    monkeypatch.chdir(tmp_path)
    files = {
        "world.yaml": WORLD,
        "small.yaml": CLAIM % ("small", "4G"),
        "large.yaml": CLAIM % ("large", "6G"),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


ALLOCATE = ("allocate", "-f", "world.yaml")


def test_with_the_gate_off_a_device_is_not_shared(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "two.yaml"
    file.write_text("\n---\n".join((WORLD, CLAIM % ("a", "1G"), CLAIM % ("b", "1G"))), encoding="utf-8")
    assert call("allocate", "-f", str(file), "--profile", "kubernetes-1.36").code == exits.OK
    gate = ("--gates", "DRAConsumableCapacity=false")
    completed = call("allocate", "-f", str(file), "--profile", "kubernetes-1.36", *gate)
    assert completed.code == exits.FAILURES
    assert "ResourceClaim default/b: not allocated" in completed.out


def test_a_table(call: Call, manifests: Path) -> None:
    completed = call(*ALLOCATE, "-f", "small.yaml")
    assert (completed.code, completed.err) == (exits.OK, "")
    head, row = (line.split() for line in completed.out.splitlines())
    assert head == ["CLAIM", "NODE", "REQUEST", "DEVICE", "CONSUMED", "SHARE", "ID"]
    assert row[:-1] == ["default/small", "left", "r0", "net.example.com/p/eth0", "bandwidth", "5G"]
    assert len(row[-1]) == 36
    assert call(*ALLOCATE, "-f", "small.yaml").out == completed.out
    assert call(*ALLOCATE, "-f", "small.yaml", "--seed", "1").out != completed.out


def test_a_node(call: Call, manifests: Path) -> None:
    completed = call(*ALLOCATE, "-f", "small.yaml", "--node", "right")
    assert completed.out.splitlines()[1].split()[1] == "right"
    completed = call(*ALLOCATE, "-f", "small.yaml", "--node", "middle")
    assert (completed.code, completed.out) == (exits.USAGE, "")
    assert completed.err == "--node: middle: is not in the manifests, expected one of left, right\n"


def test_unallocated_claims(call: Call, manifests: Path) -> None:
    completed = call(*ALLOCATE, "-f", "small.yaml", "-f", "large.yaml")
    assert completed.code == exits.FAILURES
    assert completed.out.splitlines()[2:] == [
        "",
        "ResourceClaim default/large: not allocated",
        "  0/2 nodes are available: 2 cannot allocate all claims.",
        "  (--explain prints the reasons)",
    ]


def test_explain_shows_quantities(call: Call, manifests: Path) -> None:
    completed = call(*ALLOCATE, "-f", "small.yaml", "-f", "large.yaml", "--explain", "--node", "left")
    assert completed.code == exits.FAILURES
    assert completed.out.splitlines()[4:] == [
        "  0/1 nodes are available: 1 cannot allocate all claims.",
        "  node left: the claims cannot be allocated",
        "    claim default/large, request r0",
        "      1 device: InsufficientCapacity: bandwidth: needs 7G, remaining 5G of 10G (eth0)",
        "      InsufficientDevices: 1 requested, 0 found",
    ]
    assert "(--explain" not in completed.out


def test_yaml_and_json(call: Call, manifests: Path) -> None:
    claims = ("-f", "small.yaml", "-f", "large.yaml")
    completed = call(*ALLOCATE, *claims, "-o", "yaml")
    small, large = yaml.safe_load_all(completed.out)
    assert completed.code == exits.FAILURES
    assert "ResourceClaim default/large: not allocated" in completed.err
    assert small["status"]["allocation"]["devices"]["results"][0]["consumedCapacity"] == {"bandwidth": "5G"}
    assert (large["metadata"]["name"], "status" in large) == ("large", False)
    found = json.loads(call(*ALLOCATE, *claims, "-o", "json").out)
    assert (found["apiVersion"], found["kind"]) == ("v1", "List")
    assert found["items"] == [small, large]


def test_printed_objects_are_valid_input(call: Call, manifests: Path) -> None:
    """The printed objects of one call are valid input for the next call."""
    for form in ("yaml", "json"):
        printed = call(*ALLOCATE, "-f", "small.yaml", "-o", form).out
        (manifests / "state").write_text(printed, encoding="utf-8")
        completed = call(*ALLOCATE, "-f", "state")
        assert (completed.code, completed.out.splitlines()[1].split()[1]) == (exits.OK, "all")
        completed = call(*ALLOCATE, "-f", "state", "-f", "large.yaml")
        assert (completed.code, "default/large: not allocated" in completed.out) == (exits.FAILURES, True)


def test_standard_input(call: Call, manifests: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(text: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))

    read((CLAIM % ("piped", "1G")).encode())
    completed = call(*ALLOCATE, "-f", "-")
    assert (completed.code, "default/piped" in completed.out) == (exits.OK, True)
    read(b"kind: [1")
    completed = call(*ALLOCATE, "-f", "-")
    assert completed.code == exits.USAGE
    assert completed.err.startswith("<stdin>:2: not YAML: ")


def test_a_folder(call: Call, manifests: Path) -> None:
    """Files are applied in the order of their names, so `large` is first."""
    completed = call("allocate", "-f", ".")
    assert completed.code == exits.FAILURES
    assert completed.out.splitlines()[1].split()[0] == "default/large"
    assert "default/small: not allocated" in completed.out


def test_a_profile(call: Call, manifests: Path) -> None:
    """With the gate off a device cannot be shared, and the requested capacity has no effect."""
    completed = call(*ALLOCATE, "-f", "small.yaml", "-f", "large.yaml", "--profile", "kubernetes-1.34")
    assert completed.code == exits.FAILURES
    assert "bandwidth" not in completed.out
    assert completed.err.startswith(
        "note: fields are dropped because DRAConsumableCapacity is off by default in kubernetes-1.34"
    )


BAD: Mapping[str, tuple[str, str]] = {
    "not there": ("", "bad.yaml: cannot be read: No such file or directory"),
    "not YAML": ("a: [", "bad.yaml:2: not YAML: "),
    "no object": ("- 1\n", "bad.yaml:1: is not an object, expected a map with apiVersion and kind"),
    "no kind": ("apiVersion: v1\n", "bad.yaml:1: has no kind, expected a Kubernetes object"),
    "an unknown field": (
        (CLAIM % ("c", "1")).replace("exactly:", "exacty:"),
        "bad.yaml:8: spec.devices.requests[0].exacty: is an unknown field, expected exactly",
    ),
    "a bad quantity": (CLAIM % ("c", "1Q"), "bad.yaml:8: spec.devices.requests[0].exactly.capacity.requests"),
    "neither exactly nor firstAvailable": (
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c}\n"
        "spec: {devices: {requests: [{name: r0}]}}\n",
        "bad.yaml:4: spec.devices.requests[0]: Required: exactly one of `exactly` or `firstAvailable` is required",
    ),
    "an old release's API": (
        "apiVersion: resource.k8s.io/v1alpha3\nkind: ResourceClaim\nmetadata: {name: c}\n",
        "bad.yaml:1: apiVersion: v1alpha3 of ResourceClaim is not served, expected one of v1, v1beta2, v1beta1",
    ),
    "no claim at all": (
        "apiVersion: v1\nkind: Namespace\nmetadata: {name: ns}\n",
        "has no claim, expected",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input(call: Call, manifests: Path, name: str) -> None:
    text, message = BAD[name]
    if text:
        (manifests / "bad.yaml").write_text(text, encoding="utf-8")
    completed = call(*ALLOCATE, "-f", "bad.yaml")
    assert (completed.code, completed.out) == (exits.USAGE, "")
    assert message in completed.err


POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: x}], %s}\n"
UNSCHEDULED: Mapping[str, tuple[str, str]] = {
    "a node selector that cannot be read": (
        POD % "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: 3}}, "
        "resourceClaims: [{name: a, resourceClaimTemplateName: t}]"
        + "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {name: t}\n"
        "spec: {spec: {devices: {requests: []}}}\n",
        "Pod default/p: not allocated\n  is a number ('3'), expected a map\n",
    ),
    "a pod without its claim": (
        POD % "resourceClaims: [{name: gpu, resourceClaimName: none}]",
        'Pod default/p: not allocated\n  resourceclaim "none" not found\n',
    ),
    "an error of the allocator": (
        (CLAIM % ("c", "1G")).replace(
            "nic,", "nic, selectors: [{cel: {expression: device.attributes.a.b}}],"
        ),
        "ResourceClaim default/c: not allocated\n  claim default/c: selector #0: CEL runtime error on device ",
    ),
}


@pytest.mark.parametrize("name", UNSCHEDULED)
def test_messages_of_the_scheduler(name: str, call: Call, manifests: Path) -> None:
    text, message = UNSCHEDULED[name]
    (manifests / "bad.yaml").write_text(text, encoding="utf-8")
    completed = call(*ALLOCATE, "-f", "bad.yaml")
    assert completed.code == exits.FAILURES
    assert message in completed.out


def test_an_object_that_the_api_server_rejects(call: Call, manifests: Path) -> None:
    """The spec of a claim is immutable."""
    (manifests / "twice.yaml").write_text(f"{CLAIM % ('c', '1')}---\n{CLAIM % ('c', '3G')}", "utf-8")
    completed = call(*ALLOCATE, "-f", "twice.yaml")
    assert completed.code == exits.FAILURES
    assert "default/c" in completed.out
    line = (manifests / "twice.yaml").read_text("utf-8").partition("---")[0].count("\n") + 2
    assert completed.err.startswith(
        f'twice.yaml:{line}: ResourceClaim default/c: rejected: ResourceClaim "c" is invalid: spec: '
    )


def test_no_node(call: Call, manifests: Path) -> None:
    completed = call("allocate", "-f", "small.yaml")
    assert (completed.code, completed.err) == (
        exits.USAGE,
        "small.yaml: has no Node and no ResourceSlice with a nodeName, expected at least one, such as in the "
        "output of kubectl get nodes,deviceclasses,resourceslices -o yaml\n",
    )


def test_names_of_any_character(call: Call, manifests: Path) -> None:
    (manifests / "odd.json").write_text(
        '{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p\\ud800"},'
        '"spec": {"resourceClaims": [{"name": "g", "resourceClaimName": "\\u001b[31m"}]}}',
        encoding="utf-8",
    )
    assert call(*ALLOCATE, "-f", "odd.json").code == exits.USAGE


def test_admin_access_is_shown(call: Call, manifests: Path) -> None:
    text = (CLAIM % ("c", "1G")).replace("nic,", "nic, adminAccess: true,")
    (manifests / "admin.yaml").write_text(text, encoding="utf-8")
    completed = call(*ALLOCATE, "-f", "admin.yaml")
    assert completed.code == exits.FAILURES
    assert "admin.yaml:1: ResourceClaim default/c: rejected: " in completed.err
    (manifests / "namespace.yaml").write_text(ADMINS, encoding="utf-8")
    completed = call(*ALLOCATE, "-f", "namespace.yaml", "-f", "admin.yaml")
    assert completed.code == exits.OK
    assert " (admin access)" in completed.out


def test_extended_resources_get_a_claim(call: Call, manifests: Path) -> None:
    limits = "limits: {deviceclass.resource.kubernetes.io/nic: 1}"
    text = f"{{apiVersion: v1, kind: Pod, metadata: {{name: p}}, spec: {{containers: [{{name: c, image: x, resources: {{{limits}}}}}]}}}}"
    (manifests / "extended.yaml").write_text(text, encoding="utf-8")
    completed = call(*ALLOCATE, "-f", "extended.yaml")
    assert completed.code == exits.OK
    assert "default/p-extended-resources" in completed.out


def test_an_invalid_pool_is_named(call: Call, folder: Path) -> None:
    twin = WORLD.rpartition("---\n")[2].replace("{name: s}", "{name: twin}")
    twice = f"{WORLD}---\n{twin}".replace("resourceSliceCount: 1", "resourceSliceCount: 2")
    Path("world.yaml").write_text(twice, "utf-8")
    Path("claim.yaml").write_text(CLAIM % ("c", "3G"), "utf-8")
    words = ("allocate", "-f", "world.yaml", "-f", "claim.yaml", "--node", "left")
    short = call(*words)
    assert short.code == exits.FAILURES
    assert short.out.startswith("no ResourceClaim is allocated\n")
    assert "  (--explain prints the reasons)" in short.out
    assert "    PoolInvalid: pool net.example.com/p: " in call(*words, "--explain").out


def test_a_rejection_by_the_specification_names_the_profile_of_a_release(call: Call, folder: Path) -> None:
    Path("world.yaml").write_text(WORLD, "utf-8")
    claim = CLAIM % ("c", "3G")
    Path("claim.yaml").write_text(
        claim.replace("{deviceClassName", "{adminAccess: true, deviceClassName"), "utf-8"
    )
    note = "note: rejected by the specification (kep); --profile kubernetes-1.37 shows what that release does"
    assert note in call("admit", "-f", "claim.yaml").out
    assert note not in call("admit", "-f", "claim.yaml", "--profile", "kep").out
    allocated = call("allocate", "-f", "world.yaml", "-f", "claim.yaml")
    assert note in allocated.out + allocated.err


def test_the_nodes_of_a_claim_of_several_pods(call: Call, tmp_path: Path) -> None:
    node = "apiVersion: v1\nkind: Node\nmetadata: {name: %s}\nstatus: {allocatable: {cpu: 1, pods: 9}}\n---\n"
    pod = (
        "apiVersion: v1\nkind: Pod\nmetadata: {name: %s}\nspec: {resourceClaims: [{name: g, resourceClaimName: c}], "
        "containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]}\n---\n"
    )
    devices = """\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: net}
spec: {}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  {driver: d.example.com, allNodes: true, pool: {name: p, generation: 1, resourceSliceCount: 1}, devices: [{name: a}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: half}
spec:
  {driver: d.example.com, allNodes: true, pool: {name: half, generation: 1, resourceSliceCount: 2}, devices: [{name: a}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: net}}]}}
---
"""
    text = node % "a" + node % "b" + devices + pod % "p" + pod % "q"
    (tmp_path / "two.yaml").write_text(text, "utf-8")
    completed = call("allocate", "-f", str(tmp_path / "two.yaml"), "--left", "--profile", "kubernetes-1.37")
    assert completed.out.splitlines()[1].split("  ")[:2] == ["default/c", "a, b"]
    assert "not allocatable: its pool has 1 of 2 ResourceSlices" in completed.out
    completed = call("allocate", "-f", str(tmp_path / "two.yaml"), "--left", "--profile", "kubernetes-1.34")
    assert "not allocatable" not in completed.out
