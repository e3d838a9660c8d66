"""The questions of `adapter check`: a pod without ResourceClaims, and one whose ResourceClaim is missing."""

from __future__ import annotations

from typing import Any

from dra_conform.conformance.operation import Probe

Json = Any

_NODE = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-1"}}


def _probe(title: str, claims: list[Json]) -> Probe:
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p", "namespace": "default", "uid": "6a1f2b34-5c1d-4d5e-8f90-0a1b2c3d4e5f"},
        "spec": {
            "containers": [{"name": "main", "image": "registry.k8s.io/pause:3.10"}],
            **({"resourceClaims": claims} if claims else {}),
        },
    }
    return Probe(title, {"nodes": (_NODE,), "pods": (pod,)}, {"actions": [{"do": "try", "pod": "default/p"}]})


PROBES = (
    _probe("a pod without ResourceClaims", []),
    _probe("a pod whose ResourceClaim is missing", [{"name": "gpu", "resourceClaimName": "missing"}]),
)
