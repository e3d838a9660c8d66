"""The pods that workload controllers would create, with stable names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Any

from dra_conform.kube.core import Node, Pod, PodTemplateSpec
from dra_conform.kube.errors import InputError, InputErrors
from dra_conform.kube.json_values import Json
from dra_conform.kube.manifests import LoadedObject, OtherObject
from dra_conform.kube.meta import ObjectMeta
from dra_conform.kube.objects import DecodeErrors, decode_as, encode
from dra_conform.kube.workloads import DaemonSet, Deployment, Job, ReplicaSet, StatefulSet
from dra_conform.previews.daemon_pods import accepts, node_of, only_on
from dra_conform.previews.templates_by_shape import templates_by_shape
from dra_conform.previews.workload_owners import (
    Workload,
    controllers,
    metadata_of,
    pods_by_controller,
    workload_of,
)

MAX_PODS = 10_000
"""The maximum number of pods of one workload."""

_FINISHED = ("Succeeded", "Failed")
_CRON_JOB = "CronJob"
_DAEMON_SET = "DaemonSet"


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
        written = [item.object for item in loaded if isinstance(item.object, Pod)]
        self._pods = {_name(pod): pod for pod in written if pod.metadata.uid}
        self._controlled = pods_by_controller(self._pods, self._workloads)
        self._prefixes: dict[tuple[Workload, str], str] = {}
        others = {_name(pod) for pod in written if not pod.metadata.uid or not _may_be_adopted(pod)}
        others -= {_name(pod) for pods in self._controlled.values() for pod in pods}
        self._taken = {(namespace, name.rpartition("-")[0]) for namespace, name in others}
        self._surplus: dict[Workload, list[Pod]] = {}
        owners = (
            controllers(metadata_of(item), self._workloads, self._pods) for item in self._workloads.values()
        )
        self._with_jobs = {owner for each in owners for owner in each if owner.kind == _CRON_JOB}
        """The CronJobs whose Jobs the manifests have, which stand for the next one."""

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
            active = [pod for pod in self._controlled.get(workload, ()) if not _is_finished(pod)]
            if workload not in self._with_jobs:
                yield from self._of_workload(workload, item, active)
            self._surplus[workload] = active

    def is_controlled(self, item: LoadedObject) -> bool:
        """Whether another workload of the manifests creates this one; the Jobs of a CronJob stay."""
        owners = controllers(metadata_of(item), self._workloads, self._pods)
        return any(owner in self._workloads and owner.kind != _CRON_JOB for owner in owners)

    def forget(self, workload: Workload) -> Iterator[Pod]:
        """Yield the unfinished pods with a UID that a workload controls, and do not count them any more."""
        pods = self._controlled.get(workload, [])
        self._controlled[workload] = [pod for pod in pods if _is_finished(pod)]
        for pod in pods:
            if not _is_finished(pod):
                del self._pods[_name(pod)]
                yield pod

    def take_surplus(self, workload: Workload) -> Iterator[Pod]:
        """Yield the controlled pods that the last manifest does not need, and do not count them any more."""
        for pod in self._surplus.pop(workload, ()) if workload.kind != _DAEMON_SET else ():
            self._controlled[workload].remove(pod)
            del self._pods[_name(pod)]
            yield pod

    def _of_workload(
        self, workload: Workload, item: LoadedObject, active: list[Pod]
    ) -> Iterator[WorkloadPod]:
        match item.object:
            case Deployment() | ReplicaSet() | StatefulSet() as owner:
                replicas = 1 if owner.spec.replicas is None else owner.spec.replicas
                _check(item, "spec.replicas", replicas)
                first = _first_ordinal(owner) if isinstance(owner, StatefulSet) else 0
                yield from self._copies(workload, item, owner.spec.template, replicas, active, first=first)
            case Job() as job:
                number = _parallel_pods(job)
                _check(item, "spec.parallelism", number)
                yield from self._copies(workload, item, job.spec.template, number, active)
            case DaemonSet() as daemon:
                covered = {node_of(pod) for pod in active}
                for node in self._nodes:
                    name = node.metadata.name
                    pod = self._pod(workload, daemon.spec.template, self._prefix(workload), name)
                    if name not in covered and accepts(only_on(pod, name), node, item):
                        yield WorkloadPod(only_on(pod, name), item, name)
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
        first: int = 0,
    ) -> Iterator[WorkloadPod]:
        """Yield the missing ones of a number of equal pods, and remove the pods from `active` that count."""
        prefix = self._prefix(workload, role)
        ordinals = range(first, first + number)
        names = {f"{prefix}-{ordinal}" for ordinal in ordinals}
        here = {name for name in names if (workload.namespace, name) in self._pods}
        others = [pod for pod in active if pod.metadata.name not in here]
        counted = others[: number - len(here)]
        active[:] = others[len(counted) :]
        left = number - len(here) - len(counted)
        for ordinal in ordinals:
            if left and f"{prefix}-{ordinal}" not in here:
                left -= 1
                yield WorkloadPod(self._pod(workload, template, prefix, str(ordinal)), item)

    def _pod(self, workload: Workload, template: PodTemplateSpec, prefix: str, suffix: str) -> Pod:
        labels = template.metadata.labels if template.metadata else {}
        metadata = ObjectMeta(name=f"{prefix}-{suffix}", namespace=workload.namespace, labels=labels)
        return Pod(metadata=metadata, spec=template.spec)

    def _prefix(self, workload: Workload, role: str = "") -> str:
        """Return the start of the names of pods: the name of the workload and the role.

        If another workload or pod has it already, the kind follows, and then a number.
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


def pod_templates(item: LoadedObject) -> list[Json]:
    """Return the pod templates of a workload in JSON form."""
    if isinstance(item.object, OtherObject):
        return [dict(shaped.template) for shaped in templates_by_shape(item.object.raw)]
    return [encode(item.object.spec.template)]


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
            return "its pods may run on no node, or each node has one"
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


def _name(pod: Pod) -> tuple[str, str]:
    return pod.metadata.namespace or "default", pod.metadata.name


def _may_be_adopted(pod: Pod) -> bool:
    """Whether a pod with a UID can be that of the workload that its name tells, as in output of a preview."""
    return not pod.metadata.owner_references and not _is_finished(pod)


def _first_ordinal(owner: StatefulSet) -> int:
    start = owner.spec.ordinals.get("start") if isinstance(owner.spec.ordinals, dict) else 0
    return start if isinstance(start, int) and start >= 0 else 0


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
