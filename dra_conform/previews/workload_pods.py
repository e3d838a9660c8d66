"""The pods that workload controllers would create, with stable names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count
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
from dra_conform.previews.workload_owners import (
    Workload,
    controllers,
    metadata_of,
    pods_by_controller,
    workload_of,
)
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
_FINISHED = ("Succeeded", "Failed")


@dataclass(frozen=True, slots=True)
class WorkloadPod:
    """A pod to schedule, with its manifest."""

    pod: Pod
    origin: LoadedObject
    node: str = ""
    """The node of the pod of a DaemonSet."""


def pods(loaded: Sequence[LoadedObject], nodes: Sequence[Node]) -> Iterator[WorkloadPod]:
    """Yield the pods of all manifests in order, as `WorkloadPods.of` does."""
    workloads = WorkloadPods(loaded, nodes)
    return chain.from_iterable(map(workloads.of, loaded))


class WorkloadPods:
    """The pods that the workloads of manifests would create. No two workloads have pods of one name.

    `nodes` are all nodes, for DaemonSets.
    """

    def __init__(self, loaded: Sequence[LoadedObject], nodes: Sequence[Node]) -> None:
        self._nodes = nodes
        self._workloads = {workload: item for item in loaded if (workload := workload_of(item)) is not None}
        written = (item.object for item in loaded if isinstance(item.object, Pod))
        existing = [pod for pod in written if pod.metadata.uid]
        self._controlled = pods_by_controller(existing, self._workloads)
        self._existing = {(pod.metadata.namespace or "default", pod.metadata.name) for pod in existing}
        self._prefixes: dict[tuple[Workload, str], str] = {}
        self._taken: set[tuple[str, str]] = set()

    def of(self, item: LoadedObject) -> Iterator[WorkloadPod]:
        """Yield the pods of a manifest, including those of a workload.

        A Deployment, ReplicaSet or StatefulSet has `replicas` pods, a Job the smaller of parallelism and the
        remaining completions, a DaemonSet one for each node that it matches and tolerates. An object of an
        unknown kind has the pods of its pod templates. A suspended workload has no pod, nor has a workload
        that another one of the manifests controls. Pods with a UID that a workload controls count among
        its pods. Raises InputError for a negative or too large number of pods or a malformed affinity of a
        DaemonSet, InputErrors for a malformed pod template of an unknown kind.
        """
        if isinstance(item.object, Pod):
            yield WorkloadPod(item.object, item)
        elif (workload := workload_of(item)) is not None and not self.is_controlled(item):
            yield from self._of_workload(workload, item)

    def is_controlled(self, item: LoadedObject) -> bool:
        """Whether another workload of the manifests controls this one."""
        owners = controllers(metadata_of(item), self._workloads)
        return any(owner in self._workloads for owner in owners)

    def _of_workload(self, workload: Workload, item: LoadedObject) -> Iterator[WorkloadPod]:
        active = [pod for pod in self._controlled.get(workload, ()) if not _is_finished(pod)]
        match item.object:
            case Deployment() | ReplicaSet() | StatefulSet() as owner:
                replicas = 1 if owner.spec.replicas is None else owner.spec.replicas
                _check(item, "spec.replicas", replicas)
                yield from self._copies(workload, item, owner.spec.template, replicas, active)
            case Job() as job:
                number = _parallel_pods(job)
                _check(item, "spec.parallelism", number)
                yield from self._copies(workload, item, job.spec.template, number, active)
            case DaemonSet() as daemon:
                covered = {pod.spec.node_name for pod in active}
                for node in self._nodes:
                    name = node.metadata.name
                    pod = self._pod(workload, daemon.spec.template, self._prefix(workload), name)
                    if name not in covered and _accepts(_only_on(pod, name), node, item):
                        yield WorkloadPod(_only_on(pod, name), item, name)
            case OtherObject(raw=raw):
                yield from self._by_shape(workload, item, raw, active)

    def _by_shape(
        self, workload: Workload, item: LoadedObject, raw: dict[str, Any], active: list[Pod]
    ) -> Iterator[WorkloadPod]:
        templates = templates_by_shape(raw)
        for shaped in templates:
            try:
                decode_as(ObjectMeta, raw.get("metadata") or {})
                template = decode_as(PodTemplateSpec, shaped.template)
            except DecodeErrors as errors:
                raise InputErrors(
                    [
                        item.manifest.error((*shaped.path[:-1], *problem.path), problem.message)
                        for problem in errors.problems
                    ]
                ) from None
            _check(item, f"pods of {'.'.join(map(str, shaped.path))}", shaped.count)
            role = shaped.role if len(templates) > 1 else ""
            yield from self._copies(workload, item, template, shaped.count, active, role)

    def _copies(
        self,
        workload: Workload,
        item: LoadedObject,
        template: PodTemplateSpec,
        number: int,
        active: list[Pod],
        role: str = "",
    ) -> Iterator[WorkloadPod]:
        """Yield the missing ones of a number of equal pods, and remove the pods from `active` that count."""
        prefix = self._prefix(workload, role)
        names = {f"{prefix}-{ordinal}" for ordinal in range(number)}
        here = {name for name in names if (workload.namespace, name) in self._existing}
        others = [pod for pod in active if pod.metadata.name not in here]
        counted = others[: number - len(here)]
        active[:] = others[len(counted) :]
        left = number - len(here) - len(counted)
        for ordinal in range(number):
            if left and f"{prefix}-{ordinal}" not in here:
                left -= 1
                yield WorkloadPod(self._pod(workload, template, prefix, str(ordinal)), item)

    def _pod(self, workload: Workload, template: PodTemplateSpec, prefix: str, suffix: str) -> Pod:
        labels = template.metadata.labels if template.metadata else {}
        metadata = ObjectMeta(name=f"{prefix}-{suffix}", namespace=workload.namespace, labels=labels)
        return Pod(metadata=metadata, spec=template.spec)

    def _prefix(self, workload: Workload, role: str = "") -> str:
        """Return the start of the names of pods: the name of the workload and the role.

        If another workload has it already, the kind follows, and then a number.
        """
        if (workload, role) not in self._prefixes:
            name = workload.name.rstrip("-.") or workload.kind.lower()
            name = f"{name}-{role}" if role else name
            kind = f"{name}-{workload.kind.lower()}"
            candidates = chain((name, kind), (f"{kind}-{number}" for number in count(2)))
            prefix = next(one for one in candidates if (workload.namespace, one) not in self._taken)
            self._taken.add((workload.namespace, prefix))
            self._prefixes[workload, role] = prefix
        return self._prefixes[workload, role]


def template_names(item: LoadedObject) -> Iterator[str]:
    """Yield the ResourceClaimTemplates that a pod or the pods of a workload name, as `namespace/name`."""
    match item.object:
        case Pod() as pod:
            specs = [pod.spec]
        case Deployment() | ReplicaSet() | StatefulSet() | DaemonSet() | Job() as owner:
            specs = [owner.spec.template.spec]
        case OtherObject(raw=raw):
            try:
                specs = [
                    decode_as(PodTemplateSpec, shaped.template).spec for shaped in templates_by_shape(raw)
                ]
            except DecodeErrors:
                return
        case _:
            return
    namespace = metadata_of(item).namespace or "default"
    for spec in specs:
        for entry in spec.resource_claims:
            if entry.resource_claim_template_name:
                yield f"{namespace}/{entry.resource_claim_template_name}"


def why_no_pods(item: LoadedObject) -> str:
    """Return why a workload has no pods that are not in the manifests."""
    match item.object:
        case DaemonSet():
            return "no node matches and tolerates its pods, or all nodes have one"
        case Job(spec=spec) if spec.suspend:
            return "it is suspended"
        case OtherObject(raw=raw) if any(each.suspended for each in templates_by_shape(raw)):
            return "it is suspended"
        case Job() as job if _is_complete(job):
            return "it is finished"
        case Deployment() | ReplicaSet() | StatefulSet() as owner if owner.spec.replicas == 0:
            return "it has 0 replicas"
        case _:
            return ""


def _is_finished(pod: Pod) -> bool:
    return pod.status is not None and pod.status.phase in _FINISHED


def _check(item: LoadedObject, path: str, number: int) -> None:
    if not 0 <= number <= MAX_PODS:
        path = f"{item.kind} {metadata_of(item).name}: {path}"
        raise InputError(item.file, item.line, path, f"is {number}, expected between 0 and {MAX_PODS}")


def _parallel_pods(job: Job) -> int:
    """Return the number of pods that run at the same time."""
    parallelism = 1 if job.spec.parallelism is None else job.spec.parallelism
    if job.spec.suspend or _is_complete(job):
        return 0
    if job.spec.completions is None:
        return parallelism
    succeeded = _status(job).get("succeeded")
    done = succeeded if isinstance(succeeded, int) and 0 < succeeded <= job.spec.completions else 0
    return min(parallelism, job.spec.completions - done)


def _is_complete(job: Job) -> bool:
    conditions = _status(job).get("conditions")
    return isinstance(conditions, list | tuple) and any(
        isinstance(condition, dict)
        and condition.get("type") in ("Complete", "Failed")
        and condition.get("status") == "True"
        for condition in conditions
    )


def _status(job: Job) -> dict[str, Any]:
    return job.status if isinstance(job.status, dict) else {}


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
