"""`dra-conform allocate` and `schedule` with manifests as authors of drivers have them."""

from __future__ import annotations

from pathlib import Path

import pytest

from dra_conform.cli import exits
from tests.support.cli.calling import Call

PUBLISHED = """\
apiVersion: v1
items:
- apiVersion: resource.k8s.io/v1
  kind: ResourceSlice
  metadata:
    creationTimestamp: "2026-03-01T10:00:00Z"
    generateName: worker-1-gpu.example.com-
    generation: 3
    managedFields:
    - {apiVersion: resource.k8s.io/v1, fieldsType: FieldsV1, fieldsV1: {"f:metadata": {"f:generateName": {}}},
       manager: driver, operation: Update, time: "2026-03-01T10:00:00Z"}
    name: worker-1-gpu.example.com-x7k2p
    ownerReferences:
    - {apiVersion: v1, controller: true, kind: Node, name: worker-1, uid: 2f7d7b1e-3d1e-4b8e-9a70-a90a3a1b6a01}
    resourceVersion: "8921"
    uid: 0f7d7b1e-3d1e-4b8e-9a70-a90a3a1b6a01
  spec:
    devices:
    - {name: gpu-0, attributes: {model: {string: A}}, capacity: {memory: {value: 80Gi}}}
    - {name: gpu-1, attributes: {model: {string: B}}, capacity: {memory: {value: 40Gi}}}
    driver: gpu.example.com
    nodeName: worker-1
    pool: {generation: 1, name: worker-1, resourceSliceCount: 1}
- apiVersion: resource.k8s.io/v1
  kind: DeviceClass
  metadata: {name: gpu, creationTimestamp: "2026-03-01T10:00:00Z", resourceVersion: "4", generation: 1,
             uid: ae5b8f2e-3d1e-4b8e-9a70-a90a3a1b6a01}
  spec: {selectors: [{cel: {expression: device.driver == "gpu.example.com"}}]}
kind: List
metadata: {resourceVersion: ""}
"""
"""The output of `kubectl get resourceslices,deviceclasses -o yaml`."""

TEMPLATE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: one-gpu}
spec: {spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: gpu}}]}}}
"""

MPI_JOB = """\
apiVersion: kubeflow.org/v2beta1
kind: MPIJob
metadata: {name: bert}
spec:
  mpiReplicaSpecs:
    Launcher: {replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}
    Worker:
      replicas: 3
      template:
        spec:
          containers: [{name: c, image: i, resources: {claims: [{name: gpu}]}}]
          resourceClaims: [{name: gpu, resourceClaimTemplateName: one-gpu}]
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}}
"""

POD = """\
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  containers: [{name: c, image: i, resources: {claims: [{name: gpu}]}}]
  resourceClaims: [{name: gpu, resourceClaimTemplateName: one-gpu}]
"""

NODE_NOTE = "note: the manifests have no Node, added from ResourceSlices with ample resources: worker-1"
MPI_NOTE = (
    "note: MPIJob default/bert: unknown kind, its pods are those of its pod templates: "
    "1 of spec.mpiReplicaSpecs.Launcher.template.spec, 3 of spec.mpiReplicaSpecs.Worker.template.spec"
)
UNREAD_NOTE = "note: ignored kinds, which have no known effect on allocation: 1 ConfigMap (v1)"


@pytest.fixture(autouse=True)
def manifests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    files = {"published": PUBLISHED, "template": TEMPLATE, "mpi": MPI_JOB, "pod": POD}
    for name, text in files.items():
        (tmp_path / f"{name}.yaml").write_text(text, "utf-8")
    return tmp_path


def test_a_bare_template_gets_a_claim(call: Call) -> None:
    completed = call("allocate", "-f", "published.yaml", "-f", "template.yaml")
    assert completed.code == exits.OK
    assert completed.out.splitlines()[1].split()[:4] == [
        "default/one-gpu",
        "worker-1",
        "r0",
        "gpu.example.com/worker-1/gpu-0",
    ]
    assert completed.err.splitlines() == [
        NODE_NOTE,
        "note: no pod names ResourceClaimTemplate default/one-gpu, so one ResourceClaim is made from it",
    ]


def test_published_slices_stay_though_their_node_is_not_given(call: Call) -> None:
    """The owner of the slices is a Node that is not in the manifests; garbage collection must keep them."""
    completed = call("schedule", "-f", "published.yaml", "-f", "template.yaml", "-f", "pod.yaml")
    assert completed.code == exits.OK
    assert "gpu.example.com/worker-1/gpu-0" in completed.out


def test_pods_of_an_unknown_kind_are_found_by_shape(call: Call) -> None:
    files = ("-f", "published.yaml", "-f", "template.yaml", "-f", "mpi.yaml", "--explain")
    completed = call("allocate", *files)
    assert completed.code == exits.FAILURES
    assert [line.split()[0].rpartition("-")[0] for line in completed.out.splitlines()[1:3]] == [
        "default/bert-worker-0-gpu",
        "default/bert-worker-1-gpu",
    ]
    assert "2 devices: DeviceInUse: allocated to another claim (gpu-0, gpu-1)" in completed.out
    assert completed.err.splitlines() == [MPI_NOTE, UNREAD_NOTE, NODE_NOTE]
    completed = call("schedule", *files)
    states = [line.split()[:2] for line in completed.out.splitlines()[1:5]]
    assert states == [
        ["default/bert-launcher-0", "running"],
        ["default/bert-worker-0", "running"],
        ["default/bert-worker-1", "running"],
        ["default/bert-worker-2", "pending"],
    ]
    assert completed.err.splitlines() == [MPI_NOTE, UNREAD_NOTE, NODE_NOTE]


def test_a_template_by_shape_that_cannot_be_read(call: Call, manifests: Path) -> None:
    (manifests / "mpi.yaml").write_text(MPI_JOB.replace("resourceClaims: [", "resourceClaims: [3, "), "utf-8")
    completed = call("allocate", "-f", "published.yaml", "-f", "mpi.yaml")
    assert completed.code == exits.USAGE
    assert completed.err.startswith(
        "mpi.yaml:12: spec.mpiReplicaSpecs.Worker.template.spec.resourceClaims[0]: is a number"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Release.Name }}\n",
            "t.yaml:4: is a Helm template (name: {{ .Release.Name }})",
        ),
        (
            'apiVersion: v1\nkind: Pod\nmetadata:\n  name: "{{ .Release.Name }}"\n',
            "t.yaml:4: metadata.name: is a Helm expression",
        ),
        ("{{- if .Values.gpu }}\napiVersion: v1\n{{- end }}\n", "t.yaml:1: is a Helm template ({{- if"),
    ],
)
def test_a_helm_template_is_called_one(text: str, message: str, call: Call, manifests: Path) -> None:
    (manifests / "t.yaml").write_text(text, "utf-8")
    completed = call("allocate", "-f", "t.yaml")
    assert completed.code == exits.USAGE
    assert completed.err.startswith(message)
    assert completed.err.endswith("expected manifests, such as the output of helm template CHART\n")


def test_existing_allocations_are_kept(call: Call, manifests: Path) -> None:
    """With objects of a cluster and their UIDs, a running pod keeps its device."""
    running = POD.replace("{name: p}", "{name: old, uid: u-old, resourceVersion: '7'}").replace(
        "spec:\n", "spec:\n  nodeName: worker-1\n", 1
    )
    running += (
        "status: {phase: Running, resourceClaimStatuses: [{name: gpu, resourceClaimName: old-gpu-x}]}\n"
    )
    claim = """\
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: old-gpu-x
  uid: u-claim
  annotations: {resource.kubernetes.io/pod-claim-name: gpu}
  ownerReferences: [{apiVersion: v1, kind: Pod, name: old, uid: u-old, controller: true}]
spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: gpu, allocationMode: ExactCount, count: 1}}]}}
status:
  allocation: {devices: {results: [{request: r0, driver: gpu.example.com, pool: worker-1, device: gpu-0}]}}
  reservedFor: [{resource: pods, name: old, uid: u-old}]
"""
    (manifests / "running.yaml").write_text(running + claim, "utf-8")
    files = ("-f", "published.yaml", "-f", "template.yaml", "-f", "running.yaml", "-f", "pod.yaml")
    completed = call("schedule", *files)
    assert [line.split() for line in completed.out.splitlines()[1:]] == [
        ["default/old", "running", "worker-1", "old-gpu-x", "r0", "gpu.example.com/worker-1/gpu-0", "-"],
        [
            "default/p",
            "running",
            "worker-1",
            completed.out.split()[-4],
            "r0",
            "gpu.example.com/worker-1/gpu-1",
            "-",
        ],
    ]
    completed = call("allocate", *files)
    assert [line.split()[3] for line in completed.out.splitlines()[1:]] == [
        "gpu.example.com/worker-1/gpu-0",
        "gpu.example.com/worker-1/gpu-1",
    ]


def test_a_claim_that_cannot_be_generated_is_named_as_the_reason(call: Call, manifests: Path) -> None:
    admin = TEMPLATE.replace("deviceClassName: gpu", "deviceClassName: gpu, adminAccess: true")
    (manifests / "template.yaml").write_text(admin, "utf-8")
    completed = call("schedule", "-f", "published.yaml", "-f", "template.yaml", "-f", "pod.yaml")
    assert completed.code == exits.FAILURES
    assert "template.yaml:1: ResourceClaimTemplate default/one-gpu: rejected: " in completed.err
    assert (
        'waiting for the ResourceClaim of "gpu" to be created (FailedResourceClaimCreation: NotFound: '
        'resourceclaimtemplate "one-gpu" not found)'
    ) in completed.out


def test_slices_for_all_nodes_get_one(call: Call, manifests: Path) -> None:
    (manifests / "published.yaml").write_text(
        PUBLISHED.replace("nodeName: worker-1", "allNodes: true"), "utf-8"
    )
    completed = call("allocate", "-f", "published.yaml", "-f", "template.yaml")
    assert completed.code == exits.OK
    assert completed.err.startswith(
        "note: the manifests have no Node, added from ResourceSlices with ample resources: any-node\n"
    )
