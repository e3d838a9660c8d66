"""The pods that workload controllers would create, with stable names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from dra_conform.controlplane.templates_by_shape import templates_by_shape
from dra_conform.kube.core import Node, Pod, PodTemplateSpec
from dra_conform.kube.errors import InputError, InputErrors
from dra_conform.kube.manifests import Loaded, OtherObject
from dra_conform.kube.meta import ObjectMeta
from dra_conform.kube.objects import DecodeErrors, decode_as
from dra_conform.kube.workloads import DaemonSet, Deployment, Job, ReplicaSet, StatefulSet

MAX_PODS = 10_000
"""Pods of one workload."""

_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_OF_NODES = {
    "not-ready": "NoExecute",
    "unreachable": "NoExecute",
    "disk-pressure": "NoSchedule",
    "memory-pressure": "NoSchedule",
    "pid-pressure": "NoSchedule",
    "unschedulable": "NoSchedule",
}
"""The taints `node.kubernetes.io/...` that the pods of a DaemonSet tolerate."""


@dataclass(frozen=True, slots=True)
class PodToPlace:
    """A pod that somebody wants to run, and the manifest it comes from."""

    pod: Pod
    origin: Loaded

    @property
    def templates(self) -> Iterator[str]:
        """The ResourceClaimTemplates that it names, as `namespace/name`."""
        for entry in self.pod.spec.resource_claims:
            if entry.resource_claim_template_name:
                yield f"{self.pod.metadata.namespace or 'default'}/{entry.resource_claim_template_name}"


def pods(loaded: Sequence[Loaded], nodes: Sequence[Node]) -> Iterator[PodToPlace]:
    """The pods of all manifests in their order: pods themselves, and those that workloads own.

    A Deployment, ReplicaSet or StatefulSet gives `replicas` pods, a Job as many as it runs at once (the
    smaller of parallelism and completions), a DaemonSet one for each node, an object of a kind that is not
    known those of the pod templates in it. Raises InputError for a number of pods that is negative or too
    large, InputErrors for a template that has the shape of one but cannot be read.
    """
    for item in loaded:
        match item.object:
            case Pod() as pod:
                yield PodToPlace(pod, item)
            case Deployment() | ReplicaSet() | StatefulSet() as owner:
                replicas = 1 if owner.spec.replicas is None else owner.spec.replicas
                _check(item, "spec.replicas", replicas)
                yield from _copies(item, owner.metadata, owner.spec.template, replicas)
            case Job() as job:
                at_once = _at_once(job)
                _check(item, "spec.parallelism", at_once)
                yield from _copies(item, job.metadata, job.spec.template, at_once)
            case DaemonSet() as daemon:
                for node in nodes:
                    pod = _pod(daemon.metadata, daemon.spec.template, node.metadata.name)
                    yield PodToPlace(_only_on(pod, node.metadata.name), item)
            case OtherObject(raw=raw):
                yield from _by_shape(item, raw)


def _by_shape(item: Loaded, raw: dict[str, Any]) -> Iterator[PodToPlace]:
    found = templates_by_shape(raw)
    for one in found:
        try:
            owner = decode_as(ObjectMeta, raw.get("metadata") or {})
            template = decode_as(PodTemplateSpec, one.template)
        except DecodeErrors as errors:
            raise InputErrors(
                [
                    item.manifest.error((*one.path[:-1], *problem.path), problem.message)
                    for problem in errors.problems
                ]
            ) from None
        _check(item, f"pods of {'.'.join(map(str, one.path))}", one.count)
        if len(found) > 1 and one.role:
            owner = msgspec.structs.replace(owner, name=f"{owner.name}-{one.role}")
        yield from _copies(item, owner, template, one.count)


def _check(item: Loaded, path: str, count: int) -> None:
    if not 0 <= count <= MAX_PODS:
        path = f"{item.kind} {item.raw.get('metadata', {}).get('name', '')}: {path}"
        raise InputError(item.file, item.line, path, f"is {count}, expected between 0 and {MAX_PODS}")


def _at_once(job: Job) -> int:
    parallelism = 1 if job.spec.parallelism is None else job.spec.parallelism
    return parallelism if job.spec.completions is None else min(parallelism, job.spec.completions)


def _copies(item: Loaded, owner: ObjectMeta, template: PodTemplateSpec, count: int) -> Iterator[PodToPlace]:
    for ordinal in range(count):
        yield PodToPlace(_pod(owner, template, str(ordinal)), item)


def _pod(owner: ObjectMeta, template: PodTemplateSpec, suffix: str) -> Pod:
    labels = template.metadata.labels if template.metadata else {}
    metadata = ObjectMeta(name=f"{owner.name}-{suffix}", namespace=owner.namespace, labels=labels)
    return Pod(metadata=metadata, spec=template.spec)


def _only_on(pod: Pod, node: str) -> Pod:
    """The pod for one node, as the DaemonSet controller makes it: the scheduler places it by its affinity."""
    tolerations = (
        {"key": f"node.kubernetes.io/{taint}", "operator": "Exists", "effect": effect}
        for taint, effect in _OF_NODES.items()
    )
    spec = msgspec.structs.replace(
        pod.spec,
        affinity=_with_node(pod.spec.affinity, node),
        tolerations=(*pod.spec.tolerations, *tolerations),
    )
    return msgspec.structs.replace(pod, spec=spec)


def _with_node(affinity: Any, node: str) -> Any:
    """An affinity whose required terms hold on one node only; one that cannot be read stays as it is."""
    field = {"key": "metadata.name", "operator": "In", "values": [node]}
    found = affinity or {}
    try:
        of_nodes = found.get("nodeAffinity") or {}
        terms = (of_nodes.get(_REQUIRED) or {}).get("nodeSelectorTerms", [{}])
        narrowed = {"nodeSelectorTerms": [{**term, "matchFields": [field]} for term in terms]}
    except (AttributeError, TypeError):
        return affinity
    return {**found, "nodeAffinity": {**of_nodes, _REQUIRED: narrowed}}
