"""`dra-conform schedule`: where pods would run, with which devices, or why not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from dra_conform.cli import exits
from tests.support.cli.calling import Call
from tests.support.cli.inventory import INVENTORY, TEMPLATE

PODS = (
    TEMPLATE
    + """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: train}
spec:
  replicas: REPLICAS
  selector: {matchLabels: {app: train}}
  template:
    metadata: {labels: {app: train}}
    spec:
      containers: [{name: c, image: i, resources: {claims: [{name: gpu}]}}]
      resourceClaims: [{name: gpu, resourceClaimTemplateName: one-gpu}]
"""
)

EXTENDED = """\
apiVersion: v1
kind: Pod
metadata: {name: old-style}
spec:
  containers: [{name: c, image: i, resources: {limits: {example.com/gpu: 1}}}]
"""

RULE = """\
apiVersion: resource.k8s.io/v1
kind: DeviceTaintRule
metadata: {name: sick}
spec: {deviceSelector: {driver: gpu.example.com, pool: p, device: gpu-0}, taint: {key: sick, effect: NoExecute}}
"""


@pytest.fixture(autouse=True)
def manifests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    files = {
        "inventory.yaml": INVENTORY,
        "two.yaml": PODS.replace("REPLICAS", "2"),
        "three.yaml": PODS.replace("REPLICAS", "3"),
        "extended.yaml": EXTENDED,
        "rule.yaml": RULE,
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")


def test_every_pod_runs(call: Call) -> None:
    completed = call("schedule", "-f", "inventory.yaml", "-f", "two.yaml")
    assert completed.code == exits.OK
    cells = [line.split() for line in completed.out.splitlines()]
    assert [(row[0], row[1], row[2], row[5]) for row in cells[1:]] == [
        ("default/train-0", "running", "worker-1", "gpu.example.com/p/gpu-0"),
        ("default/train-1", "running", "worker-1", "gpu.example.com/p/gpu-1"),
    ]
    assert (
        completed.err
        == "note: the manifests have no Node, added from ResourceSlices with ample resources: worker-1\n"
    )


def test_why_a_pod_is_pending(call: Call) -> None:
    completed = call("schedule", "-f", "inventory.yaml", "-f", "three.yaml", "--explain")
    assert completed.code == exits.FAILURES
    assert (
        "\nPod default/train-2: pending\n"
        "  0/1 nodes are available: 1 cannot allocate all claims.\n"
        "  node worker-1: the claims cannot be allocated\n" in completed.out
    )
    assert "      2 devices: DeviceInUse: allocated to another claim (gpu-0, gpu-1)\n" in completed.out


def test_manifests_without_nodes_are_pointed_out(call: Call) -> None:
    completed = call("schedule", "-f", "two.yaml")
    assert completed.code == exits.FAILURES
    assert completed.err == (
        "note: the manifests have no Node and no ResourceSlice with a nodeName; add the output of "
        "kubectl get nodes,deviceclasses,resourceslices -o yaml\n"
    )


def test_extended_resources_get_devices(call: Call) -> None:
    completed = call("schedule", "-f", "inventory.yaml", "-f", "extended.yaml", "-o", "json")
    assert completed.code == exits.OK
    pod, claim = json.loads(completed.out)["items"]
    assert pod["status"]["extendedResourceClaimStatus"]["resourceClaimName"] == claim["metadata"]["name"]
    assert claim["status"]["allocation"]["devices"]["results"][0]["device"] == "gpu-0"


def test_with_the_gate_off_a_pod_waits_for_the_resource(call: Call) -> None:
    arguments = ("schedule", "-f", "inventory.yaml", "-f", "extended.yaml", "--profile", "kubernetes-1.36")
    assert call(*arguments).code == exits.OK
    completed = call(*arguments, "--gates", "DRAExtendedResource=false")
    assert completed.code == exits.FAILURES
    assert "Insufficient example.com/gpu" in completed.out


def test_manifests_applied_later_meet_running_pods(call: Call) -> None:
    completed = call("schedule", "-f", "inventory.yaml", "-f", "two.yaml", "-f", "rule.yaml")
    assert completed.code == exits.FAILURES
    states = [line.split()[:2] for line in completed.out.splitlines()[1:3]]
    assert states == [["default/train-0", "gone"], ["default/train-1", "running"]]
    together = call("schedule", "-f", "rule.yaml", "-f", "inventory.yaml", "-f", "extended.yaml")
    assert "gpu.example.com/p/gpu-1" in together.out


def test_the_same_every_time(call: Call) -> None:
    arguments = ("schedule", "-f", "inventory.yaml", "-f", "two.yaml", "-o", "yaml")
    assert call(*arguments).out == call(*arguments).out
    assert len(list(yaml.safe_load_all(call(*arguments).out))) == 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("-f", "inventory.yaml"),
            "inventory.yaml: has no pod, expected pods or workloads (dra-conform allocate accepts claims without pods)\n",
        ),
        (("-f", "two.yaml", "--gates", "No=true"), "--gates: No: is not a feature gate, expected one of "),
        (("-f", "none.yaml"), "none.yaml: cannot be read: No such file or directory\n"),
    ],
)
def test_bad_usage(arguments: tuple[str, ...], message: str, call: Call) -> None:
    completed = call("schedule", *arguments)
    assert (completed.code, completed.out) == (exits.USAGE, "")
    assert completed.err.startswith(message)


GROUPED = """\
apiVersion: v1
kind: Pod
metadata: {name: %s}
spec:
  schedulingGroup: {podGroupName: g}
  containers: [{name: c, image: registry.k8s.io/pause:3.10}]
  resourceClaims: [{name: gpu, resourceClaimTemplateName: one}]
"""
GROUP = """\
apiVersion: scheduling.k8s.io/v1alpha2
kind: PodGroup
metadata: {name: g}
spec: {resourceClaims: [{name: %s, resourceClaimTemplateName: one}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: one}
spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}}
---
"""


def test_the_pods_of_a_group_share_its_claim(call: Call, tmp_path: Path) -> None:
    pods = "---\n".join(GROUPED % name for name in ("a", "b"))
    (tmp_path / "group.yaml").write_text(GROUP % "gpu" + pods, "utf-8")
    completed = call("schedule", "-f", "inventory.yaml", "-f", "group.yaml", "-o", "json")
    assert completed.code == exits.OK, completed.out + completed.err
    assert "the pods of a PodGroup share its claims" in completed.err
    [claim] = [item for item in json.loads(completed.out)["items"] if item["kind"] == "ResourceClaim"]
    assert claim["metadata"]["name"] == "g-gpu"
    assert len(claim["status"]["reservedFor"]) == 2


def test_an_entry_that_is_not_that_of_the_group_is_the_pods_own(call: Call, tmp_path: Path) -> None:
    (tmp_path / "group.yaml").write_text(GROUP % "other" + GROUPED % "a", "utf-8")
    completed = call("schedule", "-f", "inventory.yaml", "-f", "group.yaml", "-o", "json")
    users = {
        item["metadata"]["name"]: item.get("status", {}).get("reservedFor")
        for item in json.loads(completed.out)["items"]
        if item["kind"] == "ResourceClaim"
    }
    assert users.pop("g-other", None) is None
    assert [[pod["name"] for pod in several] for several in users.values()] == [["a"]]


@pytest.mark.parametrize(
    ("group", "error"),
    [
        ("metadata: {name: g}\nspec: {resourceClaims: [{}]}", "4: spec.resourceClaims[0].name: is missing"),
        ("metadata: {name: g}\nspec: {resourceClaims: x}", "4: spec.resourceClaims: is a string ('x')"),
        ("metadata: {name: [g]}", "3: metadata.name: is a list, expected a string"),
        ("spec: {}", "1: metadata: is missing, expected a value"),
    ],
)
def test_a_pod_group_of_the_wrong_shape(call: Call, tmp_path: Path, group: str, error: str) -> None:
    text = f"apiVersion: scheduling.k8s.io/v1alpha2\nkind: PodGroup\n{group}\n---\n"
    (tmp_path / "group.yaml").write_text(text + GROUPED % "a", "utf-8")
    completed = call("schedule", "-f", "inventory.yaml", "-f", "group.yaml")
    assert completed.code == exits.USAGE
    assert completed.err.startswith(f"group.yaml:{error}")


def test_a_missing_pod_group_is_an_error(call: Call, tmp_path: Path) -> None:
    (tmp_path / "group.yaml").write_text(GROUPED % "a", "utf-8")
    completed = call("schedule", "-f", "inventory.yaml", "-f", "group.yaml")
    assert completed.code == exits.USAGE
    assert "no manifest has PodGroup default/g, expected a manifest given with -f" in completed.err


@pytest.mark.parametrize(
    ("profile", "resource", "line"),
    [
        (
            "kep",
            "example.com/other",
            "no DeviceClass backs example.com/other: none has spec.extendedResourceName",
        ),
        (
            "kubernetes-1.35",
            "example.com/gpu",
            "no DeviceClass backs example.com/gpu: the feature gate DRAExtendedResource is off by default in kubernetes-1.35",
        ),
        (
            "kep",
            "deviceclass.resource.kubernetes.io/none",
            "no DeviceClass backs deviceclass.resource.kubernetes.io/none: DeviceClass none does not exist",
        ),
    ],
)
def test_why_no_device_class_backs_a_resource(profile: str, resource: str, line: str, call: Call) -> None:
    Path("extended.yaml").write_text(EXTENDED.replace("example.com/gpu", resource), "utf-8")
    files = ("-f", "inventory.yaml", "-f", "extended.yaml", "--profile", profile)
    completed = call("schedule", *files, "--explain")
    assert completed.code == exits.FAILURES
    assert f"1 Insufficient {resource}.\n  {line}" in completed.out
    assert "(--explain prints the reasons)" in call("schedule", *files).out


def test_a_device_plugin_that_provides_the_resource(call: Call) -> None:
    node = """\
apiVersion: v1
kind: Node
metadata: {name: worker-1}
status: {allocatable: {cpu: 4, memory: 8Gi, pods: 10, example.com/gpu: 1}}
"""
    Path("node.yaml").write_text(node, "utf-8")
    Path("extended.yaml").write_text(EXTENDED.replace("gpu: 1", "gpu: 2"), "utf-8")
    completed = call(
        "schedule", "-f", "node.yaml", "-f", "inventory.yaml", "-f", "extended.yaml", "--explain"
    )
    assert (
        "worker-1: status.allocatable has example.com/gpu of a device plugin, so DeviceClass gpu does not back "
        "it there\n" in completed.out
    )


def test_why_an_extended_resource_claim_is_not_allocated(call: Call) -> None:
    Path("extended.yaml").write_text(EXTENDED.replace("gpu: 1", "gpu: 3"), "utf-8")
    completed = call("schedule", "-f", "inventory.yaml", "-f", "extended.yaml", "--explain")
    reasons = (
        "  node worker-1: the claims cannot be allocated\n"
        "    claim default/<extended-resources>, request container-0-request-0 (example.com/gpu of container c)\n"
        "      InsufficientDevices: 3 requested, 2 found\n"
    )
    assert reasons in completed.out
    assert reasons in call("allocate", "-f", "inventory.yaml", "-f", "extended.yaml", "--explain").out


@pytest.mark.parametrize(
    ("release", "version", "gates"),
    [
        ("1.34", "v1alpha3", "DRADeviceTaints=true"),
        ("1.35", "v1alpha3", "DRADeviceTaints=true,DRADeviceTaintRules=true"),
        ("1.36", "v1beta2", "DRADeviceTaintRules=true"),
    ],
)
def test_device_taint_rules_of_releases_before_v1(release: str, version: str, gates: str, call: Call) -> None:
    Path("rule.yaml").write_text(RULE.replace("io/v1", f"io/{version}"), "utf-8")
    arguments = ("--profile", f"kubernetes-{release}", "--gates", gates)
    completed = call("schedule", "-f", "inventory.yaml", "-f", "two.yaml", "-f", "rule.yaml", *arguments)
    assert "rejected" not in completed.err
    assert completed.out.splitlines()[1].split()[:2] == ["default/train-0", "gone"]


def test_a_pod_that_a_quota_forbids_is_rejected(call: Call) -> None:
    quota = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {pods: '1'}}\n---\n"
    Path("quota.yaml").write_text(quota + PODS.replace("REPLICAS", "2"), "utf-8")
    completed = call("schedule", "-f", "inventory.yaml", "-f", "quota.yaml")
    assert completed.code == exits.FAILURES
    assert "default/train-1  rejected  -" in completed.out
    assert "\nPod default/train-1: rejected\n" in completed.out


NODES = """\
apiVersion: v1
kind: Node
metadata: {name: %s}
spec: {taints: %s}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}
---
"""
DAEMON = """\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec: {containers: [{name: c, image: i}]}
"""


def test_a_daemonset_has_pods_on_the_nodes_that_it_tolerates(call: Call, tmp_path: Path) -> None:
    nodes = NODES % ("open", "[]") + NODES % ("closed", "[{key: gpu, effect: NoSchedule}]")
    nodes += NODES % ("full", "[{key: node.kubernetes.io/memory-pressure, effect: NoSchedule}]")
    (tmp_path / "daemon.yaml").write_text(nodes + DAEMON, "utf-8")
    completed = call("schedule", "-f", "daemon.yaml")
    pods = [line.split()[:3] for line in completed.out.splitlines()[1:]]
    assert (completed.code, sorted(pods)) == (
        exits.OK,
        [["default/agent-full", "running", "full"], ["default/agent-open", "running", "open"]],
    )


POD = """\
apiVersion: v1
kind: Pod
metadata: {name: p, uid: "1"}
spec: {containers: [{name: c, image: i}], %s}
status: %s
---
"""


@pytest.mark.parametrize(
    ("spec", "status", "state", "line"),
    [
        ("nodeName: node-1", "{phase: Succeeded}", "completed", ""),
        ("nodeName: node-1", "{phase: Failed, reason: Evicted}", "failed", "Evicted"),
        ("schedulingGates: [{name: a}, {name: b}]", "{phase: Pending}", "pending",
         "the scheduler waits until these scheduling gates are removed: a, b"),
        ("schedulerName: volcano", "{phase: Pending}", "pending", "the pod is for another scheduler, volcano"),
    ],
)  # fmt: skip
def test_pods_that_are_not_scheduled(
    spec: str, status: str, state: str, line: str, call: Call, tmp_path: Path
) -> None:
    pod = POD % (spec, status)
    (tmp_path / "pod.yaml").write_text(NODES % ("node-1", "[]") + pod, "utf-8")
    completed = call("schedule", "-f", "pod.yaml")
    assert completed.out.splitlines()[1].split()[1] == state
    assert completed.code == (exits.OK if state == "completed" else exits.FAILURES)
    assert line in completed.err + completed.out


def test_fields_that_are_not_simulated_have_a_note(call: Call, tmp_path: Path) -> None:
    required = "requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname}]"
    spec = (
        f"affinity: {{podAntiAffinity: {{{required}}}}}, volumes: [{{name: v, persistentVolumeClaim: {{}}}}]"
    )
    (tmp_path / "pod.yaml").write_text(NODES % ("node-1", "[]") + POD % (spec, "{}"), "utf-8")
    completed = call("schedule", "-f", "pod.yaml")
    assert (
        "note: not simulated, so a cluster can decide otherwise about these pods: podAntiAffinity (1 pod), "
        "volumes of PersistentVolumeClaims (1 pod)\n"
    ) in completed.err


def test_a_namespace_that_no_manifest_has_exists_without_labels(call: Call, tmp_path: Path) -> None:
    claim = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c, namespace: %s}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu, adminAccess: true}}]}}
---
"""
    (tmp_path / "claim.yaml").write_text(claim % "default" + claim % "team", "utf-8")
    completed = call("allocate", "-f", "inventory.yaml", "-f", "claim.yaml")
    assert completed.err.count("admin access to devices requires the `") == 2
    assert "not found" not in completed.err


@pytest.mark.parametrize(
    ("terms", "node"),
    [
        ("[{matchFields: [{key: metadata.name, operator: In, values: [node-1]}]}]", "node-1"),
        ("[{matchFields: [{key: metadata.name, operator: NotIn, values: [node-1]}]}]", "several"),
        ("[{matchFields: [{key: metadata.name, operator: In, values: [node-1]}]}, {}]", "several"),
        ("[{matchFields: [{key: metadata.name, operator: Exists}]}]", "several"),
        ("[]", "several"),
    ],
)
def test_the_node_of_an_allocated_claim(terms: str, node: str, call: Call, tmp_path: Path) -> None:
    claim = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c, uid: "1"}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}
status:
  allocation:
    devices: {results: [{request: r, driver: d, pool: p, device: x}]}
    nodeSelector: {nodeSelectorTerms: %s}
"""
    (tmp_path / "claim.yaml").write_text(NODES % ("node-1", "[]") + claim % terms, "utf-8")
    completed = call("allocate", "-f", "claim.yaml")
    assert completed.out.splitlines()[1].split()[:2] == ["default/c", node]


FULL = """\
apiVersion: v1
kind: Node
metadata: {name: %s}
status: {allocatable: {cpu: "%s", memory: 16Gi, pods: "%s"}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: %s}
spec:
  driver: cpu.example.com
  nodeName: %s
  pool: {name: %s, generation: 1, resourceSliceCount: 1}
  devices: [{name: socket-0, nodeAllocatableResourceMappings: {cpu: {allocationMultiplier: "4"}}}]
---
"""

CPUS = """\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: cpus}
spec: {selectors: [{cel: {expression: 'device.driver == "cpu.example.com"'}}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: cpus}}]}}
---
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  resourceClaims: [{name: cpus, resourceClaimName: c}]
  containers: [{name: c, image: i, resources: {requests: {cpu: 2}, claims: [{name: cpus}]}}]
---
apiVersion: v1
kind: Pod
metadata: {name: large}
spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 9, memory: 20Gi}}}]}
"""


@pytest.mark.parametrize("profile", ["kep", "kubernetes-1.36"])
def test_the_resources_that_nodes_lack(profile: str, call: Call, tmp_path: Path) -> None:
    nodes = "".join(FULL % (name, cpu, pods, *[name] * 3) for name, cpu, pods in (("a", 5, 9), ("b", 3, 9)))
    (tmp_path / "full.yaml").write_text(nodes + FULL % ("c", 8, 0, *["c"] * 3) + CPUS, "utf-8")
    gates = ("--gates", "DRANodeAllocatableResources=true", "--profile", profile)
    completed = call("schedule", "-f", "full.yaml", *gates)
    assert completed.out.count("  (--explain prints the reasons)\n") == 2
    completed = call("schedule", "-f", "full.yaml", *gates, "--explain")
    assert "\n".join(completed.out.splitlines()[4:]) == (
        "Pod default/p: pending\n"
        "  0/3 nodes are available: 1 Too many pods, 2 Insufficient cpu.\n"
        "  2 nodes (a, b): too little is left\n"
        "    cpu: the pod needs 6 (4 for its ResourceClaims), at most 5 left\n"
        "  node c: too little is left\n"
        "    pods: the pod needs 1, 0 left\n"
        "\n"
        "Pod default/large: pending\n"
        "  0/3 nodes are available: 1 Too many pods, 3 Insufficient cpu, 3 Insufficient memory.\n"
        "  2 nodes (a, b): too little is left\n"
        "    cpu: the pod needs 9, at most 5 left\n"
        "    memory: the pod needs 20Gi, 16Gi left\n"
        "  node c: too little is left\n"
        "    pods: the pod needs 1, 0 left\n"
        "    cpu: the pod needs 9, 8 left\n"
        "    memory: the pod needs 20Gi, 16Gi left"
    )


def test_fields_that_the_release_does_not_have(call: Call, tmp_path: Path) -> None:
    (tmp_path / "full.yaml").write_text(FULL % ("a", 5, 9, "a", "a", "a") + CPUS, "utf-8")
    completed = call("schedule", "-f", "full.yaml", "--profile", "kubernetes-1.37")
    field = "ResourceSlice spec.devices.nodeAllocatableResourceMappings"
    assert (
        completed.err == f"note: kubernetes-1.37 does not have these fields, so they are dropped: {field}\n"
    )


TOLERATING = """\
apiVersion: v1
kind: Node
metadata: {name: a}
spec: {taints: [{key: k, effect: NoSchedule}]}
---
apiVersion: v1
kind: Pod
metadata: {name: p}
spec: {containers: [{name: c, image: i}], tolerations: %s}
"""


@pytest.mark.parametrize(
    ("tolerations", "state"),
    [
        ("[{key: k, operator: Equal, value: , effect: NoSchedule}]", "running"),
        ("[{key: k, value: '', effect: , operator: }]", "running"),
        ("[{key: k, operator: Lt, value: '', effect: NoSchedule}]", "pending"),
        ("[{key: k, value: v}]", "pending"),
    ],
)
def test_tolerations(tolerations: str, state: str, call: Call, tmp_path: Path) -> None:
    (tmp_path / "pod.yaml").write_text(TOLERATING % tolerations, "utf-8")
    assert call("schedule", "-f", "pod.yaml").out.splitlines()[1].split()[1] == state


@pytest.mark.parametrize(
    ("tolerations", "error"),
    [("[null]", "[0]: is nothing, expected a map"), ("[x]", "[0]: is a string ('x'), expected a map")],
)
def test_malformed_tolerations(tolerations: str, error: str, call: Call, tmp_path: Path) -> None:
    (tmp_path / "pod.yaml").write_text(TOLERATING % tolerations, "utf-8")
    completed = call("schedule", "-f", "pod.yaml")
    assert (completed.code, completed.err) == (exits.USAGE, f"pod.yaml:9: spec.tolerations{error}\n")


@pytest.mark.parametrize("affinity", ["[]", "{nodeAffinity: x}", "{podAffinity: 1}"])
def test_a_malformed_pod_template_of_an_unknown_kind_is_rejected(
    affinity: str, call: Call, tmp_path: Path
) -> None:
    job = (
        "apiVersion: example.com/v1\nkind: Training\nmetadata: {name: t}\nspec: {template: "
        "{spec: {affinity: %s, containers: [{name: c, image: i}]}}}\n"
        "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n---\napiVersion: v1\nkind: Node\nmetadata: {name: a}\n"
    )
    (tmp_path / "job.yaml").write_text(job % affinity, "utf-8")
    completed = call("schedule", "-f", "job.yaml")
    assert (completed.code, completed.out.splitlines()[1].split()[1]) == (exits.FAILURES, "rejected")
    assert 'Pod in version "v1" cannot be handled as a Pod: spec.affinity' in completed.out


EVICTING = """\
apiVersion: v1
kind: Node
metadata: {name: a, creationTimestamp: "%s"}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s, uid: s}
spec:
  {driver: d.example.com, nodeName: a, pool: {name: a, generation: 1, resourceSliceCount: 1}, devices: [{name: g0}]}
---
apiVersion: resource.k8s.io/v1beta2
kind: DeviceTaintRule
metadata: {name: r, uid: r}
spec: {deviceSelector: {driver: d.example.com}, taint: {key: k, effect: NoExecute, timeAdded: "2026-10-02T00:00:00Z"}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c, uid: c}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}
status:
  allocation:
    devices:
      results:
        - {request: r, driver: d.example.com, pool: a, device: g0, tolerations: [{operator: Exists, effect: NoExecute, tolerationSeconds: 300}]}
  reservedFor: [{resource: pods, name: p, uid: p}]
---
apiVersion: v1
kind: Pod
metadata: {name: p, uid: p}
spec: {nodeName: a, resourceClaims: [{name: g, resourceClaimName: c}], containers: [{name: c, image: i}]}
status: {phase: Running}
"""


@pytest.mark.parametrize(
    ("latest", "wait", "state"),
    [
        ("2026-09-01T00:00:00Z", "0", "running"),
        ("2026-09-01T00:00:00Z", "300", "gone"),
        ("2026-10-02T00:04:59Z", "0", "running"),
        ("2026-10-02T00:05:00Z", "0", "gone"),
    ],
)
def test_the_present_time_is_the_latest_one_of_the_objects(
    latest: str, wait: str, state: str, call: Call, tmp_path: Path
) -> None:
    (tmp_path / "dump.yaml").write_text(EVICTING % latest, "utf-8")
    completed = call("schedule", "-f", "dump.yaml", "--profile", "kubernetes-1.37", "--wait", wait)
    assert completed.out.splitlines()[1].split()[1] == state


def test_versions_that_the_release_does_not_serve(call: Call) -> None:
    gates = ("--gates", "DynamicResourceAllocation=true")
    completed = call(
        "schedule", "-f", "inventory.yaml", "-f", "two.yaml", "--profile", "kubernetes-1.33", *gates
    )
    kinds = "DeviceClass, ResourceClaimTemplate, ResourceSlice"
    served = "resource.k8s.io/v1, so these kinds are read as resource.k8s.io/v1beta2"
    assert f"note: kubernetes-1.33 does not serve {served}: {kinds}\n" in completed.err


def test_an_added_node_has_the_label_of_linux(call: Call, tmp_path: Path) -> None:
    pod = """\
apiVersion: v1
kind: Pod
metadata: {name: p}
spec: {nodeSelector: {kubernetes.io/os: linux}, containers: [{name: c, image: i}]}
"""
    (tmp_path / "pod.yaml").write_text(pod, "utf-8")
    assert "default/p  running  worker-1" in call("schedule", "-f", "inventory.yaml", "-f", "pod.yaml").out


def test_a_pod_that_names_its_node_is_not_tried(call: Call, tmp_path: Path) -> None:
    pod = """\
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  nodeName: worker-1
  resourceClaims: [{name: g, resourceClaimTemplateName: one-gpu}]
  containers: [{name: c, image: i, resources: {claims: [{name: g}]}}]
"""
    (tmp_path / "pod.yaml").write_text(TEMPLATE + pod, "utf-8")
    completed = call("schedule", "-f", "inventory.yaml", "-f", "pod.yaml")
    assert "Pod default/p: pending\n  FailedPrepareDynamicResources" in completed.out
