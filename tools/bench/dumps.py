"""Write the dump of a large cluster, as `kubectl get -o json` prints it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from dra_conform.kube.json_values import Json

NAMESPACES = 500
NODES = 5_000


def write_dump(file: Path, pods: int) -> None:
    """Write pods with a claim each in NAMESPACES namespaces on NODES nodes, each namespace with a quota."""
    with file.open("w", encoding="utf-8") as stream:
        stream.write('{\n    "apiVersion": "v1",\n    "kind": "List",\n    "items": [\n')
        for number, item in enumerate(_items(pods)):
            stream.write(",\n" if number else "")
            stream.write(json.dumps(item, indent=4))
        stream.write("\n    ]\n}\n")


def _items(pods: int) -> Iterator[Json]:
    yield _object(
        "resource.k8s.io/v1", "DeviceClass", "gpu", spec={"extendedResourceName": "example.com/gpu"}
    )
    for number in range(NAMESPACES):
        hard = {
            "count/resourceclaims.resource.k8s.io": "1k",
            "gpu.deviceclass.resource.k8s.io/devices": "150",
            "requests.example.com/gpu": "1k",
            "requests.cpu": "1k",
        }
        yield _object("v1", "ResourceQuota", "team", f"team-{number}", spec={"hard": hard})
    for number in range(NODES):
        allocatable = {"cpu": "64", "memory": "256Gi", "pods": "110"}
        yield _object("v1", "Node", f"node-{number}", status={"allocatable": allocatable})
    for number in range(pods):
        yield _pod(number)
        yield _claim(number)


def _pod(number: int) -> Json:
    resources = {"requests": {"cpu": "500m", "memory": "1Gi"}, "limits": {"memory": "2Gi"}}
    container = {
        "name": "main",
        "image": "registry.example.com/work:1",
        "resources": {**resources, "claims": [{"name": "gpu"}]},
        "terminationMessagePath": "/dev/termination-log",
        "imagePullPolicy": "IfNotPresent",
    }
    spec = {
        "nodeName": f"node-{number % NODES}",
        "containers": [container],
        "resourceClaims": [{"name": "gpu", "resourceClaimTemplateName": "gpu"}],
        "restartPolicy": "Always",
        "schedulerName": "default-scheduler",
    }
    status = {
        "phase": "Running",
        "resourceClaimStatuses": [{"name": "gpu", "resourceClaimName": f"claim-{number}"}],
        "containerStatuses": [
            {
                "name": "main",
                "ready": True,
                "allocatedResources": resources["requests"],
                "resources": resources,
            }
        ],
        "nodeAllocatableResourceClaimStatuses": [
            {
                "resourceClaimName": f"claim-{number}",
                "containers": ["main"],
                "mapping": [{"name": "cpu", "quantity": "2"}, {"name": "memory", "quantity": "4Gi"}],
                "overhead": [{"name": "memory", "perPod": "100Mi"}],
            }
        ],
    }
    return _object("v1", "Pod", f"pod-{number}", f"team-{number % NAMESPACES}", spec=spec, status=status)


def _claim(number: int) -> Json:
    request = {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 1}
    result = {"request": "gpu", "driver": "gpu.example.com", "pool": f"node-{number % NODES}"}
    return _object(
        "resource.k8s.io/v1",
        "ResourceClaim",
        f"claim-{number}",
        f"team-{number % NAMESPACES}",
        spec={"devices": {"requests": [{"name": "gpu", "exactly": request}]}},
        status={
            "allocation": {"devices": {"results": [{**result, "device": f"gpu-{number // NODES}"}]}},
            "reservedFor": [{"resource": "pods", "name": f"pod-{number}", "uid": f"Pod-pod-{number}"}],
        },
    )


def _object(api_version: str, kind: str, name: str, namespace: str = "", **parts: Json) -> Json:
    metadata = {"name": name, "uid": f"{kind}-{name}", "creationTimestamp": "2026-01-01T00:00:00Z"}
    if namespace:
        metadata["namespace"] = namespace
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **parts}
