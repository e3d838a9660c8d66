"""The questions of `adapter check`: an idle cluster, and a pod without ResourceClaims."""

from __future__ import annotations

from dra_conform.conformance.operation import Probe

_NODE = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-1"}}
_POD = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "p", "namespace": "default"},
    "spec": {"containers": [{"name": "main", "image": "registry.k8s.io/pause:3.10"}]},
}

PROBES = (
    Probe("an idle cluster", {"nodes": (_NODE,)}, {"actions": [{"do": "settle"}]}),
    Probe(
        "a pod without ResourceClaims",
        {"nodes": (_NODE,)},
        {"actions": [{"do": "create", "object": _POD}, {"do": "settle"}]},
    ),
)
