"""The existing pods of workloads that new manifests replace, and the ResourceClaims of these pods."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dra_conform.controlplane.cluster_dump.cluster_objects import ClusterObjects, key_of
from dra_conform.kube.core import Pod
from dra_conform.kube.manifests import LoadedObject, OtherObject
from dra_conform.kube.resource import ResourceClaim

Owner = tuple[str, str, str]
"""Namespace, kind and name of the owner of a pod."""

_HASH = "pod-template-hash"
"""The label that the pods of a Deployment have; the name of their ReplicaSet ends with its value."""


def without_replaced_pods(cluster: ClusterObjects, new: Sequence[LoadedObject]) -> ClusterObjects:
    """Return the cluster without the pods that belong to workloads in `new`, and without the claims that
    these pods own."""
    workloads = set(_workloads(new))
    pods = [pod for pod in cluster.all(Pod) if workloads.intersection(_owners(pod))]
    uids = {pod.metadata.uid for pod in pods}
    claims = (
        claim
        for claim in cluster.all(ResourceClaim)
        if any(owner.kind == "Pod" and owner.uid in uids for owner in claim.metadata.owner_references)
    )
    return cluster.without({Pod: _keys(pods), ResourceClaim: _keys(claims)})


def _workloads(new: Iterable[LoadedObject]) -> Iterator[Owner]:
    for item in new:
        if not isinstance(item.object, OtherObject):
            yield item.object.metadata.namespace or "default", item.kind, item.object.metadata.name


def _owners(pod: Pod) -> Iterator[Owner]:
    """Yield the controller of a pod; for a ReplicaSet of a Deployment also the Deployment."""
    namespace = pod.metadata.namespace or "default"
    for owner in pod.metadata.owner_references:
        if not owner.controller:
            continue
        yield namespace, owner.kind, owner.name
        suffix = f"-{pod.metadata.labels.get(_HASH, '')}"
        if owner.kind == "ReplicaSet" and len(suffix) > 1 and owner.name.endswith(suffix):
            yield namespace, "Deployment", owner.name.removesuffix(suffix)


def _keys(items: Iterable[Pod | ResourceClaim]) -> frozenset[str]:
    return frozenset(map(key_of, items))
