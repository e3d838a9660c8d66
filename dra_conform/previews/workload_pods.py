"""The pods that workload controllers would create, with stable names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from dra_conform.cluster_state.acceptable_nodes import wants
from dra_conform.kube.core import Node, Pod, PodTemplateSpec, Toleration
from dra_conform.kube.errors import InputError, InputErrors
from dra_conform.kube.manifests import LoadedObject, OtherObject
from dra_conform.kube.meta import ObjectMeta
from dra_conform.kube.node_selectors import SelectorError
from dra_conform.kube.objects import DecodeErrors, decode_as
from dra_conform.kube.workloads import DaemonSet, Deployment, Job, ReplicaSet, StatefulSet
from dra_conform.previews.templates_by_shape import templates_by_shape
from dra_conform.simulation.scheduling.node_plugins import BLOCKING, tolerated

MAX_PODS = 10_000
"""The maximum number of pods of one workload."""

_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_DAEMON_TOLERATIONS = {
    "not-ready": "NoExecute",
    "unreachable": "NoExecute",
    "disk-pressure": "NoSchedule",
    "memory-pressure": "NoSchedule",
    "pid-pressure": "NoSchedule",
    "unschedulable": "NoSchedule",
}
"""The taints `node.kubernetes.io/...` that the pods of a DaemonSet tolerate."""


@dataclass(frozen=True, slots=True)
class WorkloadPod:
    """A pod to schedule, with its manifest."""

    pod: Pod
    origin: LoadedObject
    node: str = ""
    """The node of the pod of a DaemonSet."""

    @property
    def templates(self) -> Iterator[str]:
        """Yield the ResourceClaimTemplates that the pod names, as `namespace/name`."""
        for entry in self.pod.spec.resource_claims:
            if entry.resource_claim_template_name:
                yield f"{self.pod.metadata.namespace or 'default'}/{entry.resource_claim_template_name}"


def pods(loaded: Sequence[LoadedObject], nodes: Sequence[Node]) -> Iterator[WorkloadPod]:
    """Yield the pods of all manifests in order, including those of workloads.

    A Deployment, ReplicaSet or StatefulSet has `replicas` pods, a Job the smaller of parallelism and
    completions, a DaemonSet one for each node that it matches and tolerates. An object of an unknown kind has
    the pods of its pod templates. Raises InputError for a negative or too large number of pods or a malformed
    affinity of a DaemonSet, InputErrors for a malformed pod template of an unknown kind.
    """
    for item in loaded:
        match item.object:
            case Pod() as pod:
                yield WorkloadPod(pod, item)
            case Deployment() | ReplicaSet() | StatefulSet() as owner:
                replicas = 1 if owner.spec.replicas is None else owner.spec.replicas
                _check(item, "spec.replicas", replicas)
                yield from _copies(item, owner.metadata, owner.spec.template, replicas)
            case Job() as job:
                count = _parallel_pods(job)
                _check(item, "spec.parallelism", count)
                yield from _copies(item, job.metadata, job.spec.template, count)
            case DaemonSet() as daemon:
                for node in nodes:
                    name = node.metadata.name
                    pod = _only_on(_pod(daemon.metadata, daemon.spec.template, name), name)
                    if _accepts(pod, node, item):
                        yield WorkloadPod(pod, item, name)
            case OtherObject(raw=raw):
                yield from _by_shape(item, raw)


def _by_shape(item: LoadedObject, raw: dict[str, Any]) -> Iterator[WorkloadPod]:
    templates = templates_by_shape(raw)
    for shaped in templates:
        try:
            owner = decode_as(ObjectMeta, raw.get("metadata") or {})
            template = decode_as(PodTemplateSpec, shaped.template)
        except DecodeErrors as errors:
            raise InputErrors(
                [
                    item.manifest.error((*shaped.path[:-1], *problem.path), problem.message)
                    for problem in errors.problems
                ]
            ) from None
        _check(item, f"pods of {'.'.join(map(str, shaped.path))}", shaped.count)
        if len(templates) > 1 and shaped.role:
            owner = msgspec.structs.replace(owner, name=f"{owner.name}-{shaped.role}")
        yield from _copies(item, owner, template, shaped.count)


def _check(item: LoadedObject, path: str, count: int) -> None:
    if not 0 <= count <= MAX_PODS:
        path = f"{item.kind} {item.raw.get('metadata', {}).get('name', '')}: {path}"
        raise InputError(item.file, item.line, path, f"is {count}, expected between 0 and {MAX_PODS}")


def _parallel_pods(job: Job) -> int:
    parallelism = 1 if job.spec.parallelism is None else job.spec.parallelism
    return parallelism if job.spec.completions is None else min(parallelism, job.spec.completions)


def _copies(
    item: LoadedObject, owner: ObjectMeta, template: PodTemplateSpec, count: int
) -> Iterator[WorkloadPod]:
    for ordinal in range(count):
        yield WorkloadPod(_pod(owner, template, str(ordinal)), item)


def _pod(owner: ObjectMeta, template: PodTemplateSpec, suffix: str) -> Pod:
    labels = template.metadata.labels if template.metadata else {}
    metadata = ObjectMeta(name=f"{owner.name}-{suffix}", namespace=owner.namespace, labels=labels)
    return Pod(metadata=metadata, spec=template.spec)


def _only_on(pod: Pod, node: str) -> Pod:
    """Return the pod restricted to one node by affinity, with tolerations, as the DaemonSet controller
    creates it."""
    tolerations = (
        Toleration(key=f"node.kubernetes.io/{taint}", operator="Exists", effect=effect)
        for taint, effect in _DAEMON_TOLERATIONS.items()
    )
    spec = msgspec.structs.replace(
        pod.spec,
        affinity=_with_node(pod.spec.affinity, node),
        tolerations=(*pod.spec.tolerations, *tolerations),
    )
    return msgspec.structs.replace(pod, spec=spec)


def _accepts(pod: Pod, node: Node, item: LoadedObject) -> bool:
    """Whether the pod of a DaemonSet matches and tolerates a node."""
    try:
        accepted = wants(pod, node)
    except (DecodeErrors, SelectorError) as error:
        raise item.manifest.error(("spec", "template", "spec", "affinity"), str(error)) from None
    return accepted and all(tolerated(taint, pod) for taint in node.spec.taints if taint.effect in BLOCKING)


def _with_node(affinity: Any, node: str) -> Any:
    """Return an affinity whose required terms match one node only; a malformed affinity is returned
    unchanged."""
    field = {"key": "metadata.name", "operator": "In", "values": [node]}
    affinity_fields = affinity or {}
    try:
        node_affinity = affinity_fields.get("nodeAffinity") or {}
        terms = (node_affinity.get(_REQUIRED) or {}).get("nodeSelectorTerms", [{}])
        narrowed = {"nodeSelectorTerms": [{**term, "matchFields": [field]} for term in terms]}
    except (AttributeError, TypeError):
        return affinity
    return {**affinity_fields, "nodeAffinity": {**node_affinity, _REQUIRED: narrowed}}
