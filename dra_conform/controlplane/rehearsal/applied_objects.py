"""What applying manifests does: objects to create or update, nodes and the pods of workloads among them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dra_conform.controlplane.apiserver.kinds import STRATEGIES
from dra_conform.controlplane.workload_pods import PodToPlace, pods
from dra_conform.kube.core import Node, Pod
from dra_conform.kube.field_paths import ABSENT, field_at, with_field
from dra_conform.kube.manifests import Loaded
from dra_conform.kube.objects import encode
from dra_conform.kube.resource import ResourceSlice

Json = Any

_ROOM = {"cpu": "1k", "memory": "1Pi", "ephemeral-storage": "1Pi", "pods": "10k"}
"""What a node has that nobody described: more than pods ask for."""


def applied(loaded: Sequence[Loaded], nodes: Sequence[Node]) -> Iterator[Json]:
    """The v1 objects of manifests in their order, workloads as their pods; others are left out.

    `nodes` are all there are, for DaemonSets. Raises InputError as `pods` does.
    """
    for item in loaded:
        if item.kind in STRATEGIES and not isinstance(item.object, Pod):
            yield _in_namespace(item.raw)
        for wanted in pods([item], nodes):
            yield _in_namespace(_pod(wanted))


def nodes_of_slices(loaded: Sequence[Loaded]) -> list[Json]:
    """A Node for each nodeName of a slice; none if the manifests have Nodes of their own."""
    if any(isinstance(item.object, Node) for item in loaded):
        return []
    slices = [item.object for item in loaded if isinstance(item.object, ResourceSlice)]
    names = dict.fromkeys(one.spec.node_name for one in slices if one.spec.node_name)
    return [
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name}},
            "status": {"capacity": _ROOM, "allocatable": _ROOM},
        }
        for name in names
    ]


def _pod(wanted: PodToPlace) -> Json:
    if isinstance(wanted.origin.object, Pod):
        return wanted.origin.raw
    return {"apiVersion": "v1", "kind": "Pod", **encode(wanted.pod)}


def _in_namespace(raw: Json) -> Json:
    """The object in the namespace that a client gives it where it names none."""
    if not STRATEGIES[raw["kind"]].namespaced or field_at(raw, "metadata.namespace") is not ABSENT:
        return raw
    return with_field(raw, "metadata.namespace", "default")
