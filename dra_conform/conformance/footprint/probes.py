"""The questions of `adapter check`: a pod with requests, and one without."""

from __future__ import annotations

from dra_conform.conformance.operation import Probe


def _probe(title: str, requests: dict[str, str]) -> Probe:
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p", "namespace": "default"},
        "spec": {"containers": [{"name": "main", "image": "i", "resources": {"requests": requests}}]},
    }
    return Probe(title, {"pods": (pod,)}, {"pod": "default/p", "from": "claims"})


PROBES = (
    _probe("the node resource usage of a pod that requests 1 cpu", {"cpu": "1"}),
    _probe("the node resource usage of a pod without requests", {}),
)
