"""Workloads, and the workloads that control pods and other workloads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dra_conform.kube.core import Pod
from dra_conform.kube.manifests import LoadedObject, OtherObject
from dra_conform.kube.meta import ObjectMeta, OwnerReference
from dra_conform.kube.objects import DecodeErrors, decode_as
from dra_conform.kube.workloads import DaemonSet, Deployment, Job, ReplicaSet, StatefulSet
from dra_conform.previews.templates_by_shape import templates_by_shape

_HASH = "pod-template-hash"
"""The label that the pods of a Deployment have; the name of their ReplicaSet ends with its value."""


@dataclass(frozen=True, slots=True)
class Workload:
    """The identity of a workload. `manifest` is 0, but differs for each manifest without a name."""

    group: str
    namespace: str
    kind: str
    name: str
    manifest: int = 0

    def __str__(self) -> str:
        return f"{self.kind} {self.namespace}/{self.name}"


def workload_of(item: LoadedObject) -> Workload | None:
    """Return the workload of a manifest, None for an object without pod templates."""
    match item.object:
        case Deployment() | ReplicaSet() | StatefulSet() | DaemonSet() | Job():
            pass
        case OtherObject(raw=raw) if templates_by_shape(raw):
            pass
        case _:
            return None
    metadata = metadata_of(item)
    name = metadata.name or metadata.generate_name
    manifest = 0 if metadata.name else id(item.object)
    return Workload(_group(item.api_version), metadata.namespace or "default", item.kind, name, manifest)


def _group(api_version: str) -> str:
    return api_version.rpartition("/")[0]


def metadata_of(item: LoadedObject) -> ObjectMeta:
    """Return the metadata of an object; they are empty if those of an unknown kind are malformed."""
    if isinstance(item.object, OtherObject):
        try:
            decoded: ObjectMeta = decode_as(ObjectMeta, item.raw.get("metadata") or {})
        except DecodeErrors:
            return ObjectMeta()
        return decoded
    metadata: ObjectMeta = item.object.metadata
    return metadata


def controller_of(metadata: ObjectMeta) -> OwnerReference | None:
    """Return the owner that controls an object."""
    return next((owner for owner in metadata.owner_references if owner.controller), None)


def controllers(
    metadata: ObjectMeta, workloads: Mapping[Workload, LoadedObject], pods: Mapping[tuple[str, str], Pod]
) -> Iterator[Workload]:
    """Yield the controller of an object, then that of the controller, and so on.

    A ReplicaSet that is not in `workloads` belongs to the Deployment that its name and the label
    `pod-template-hash` tell. `pods`, by namespace and name, can be controllers too, such as the leaders of a
    LeaderWorkerSet.
    """
    seen: set[Workload] = set()
    while (owner := controller_of(metadata)) is not None:
        namespace = metadata.namespace or "default"
        controller = Workload(_group(owner.api_version), namespace, owner.kind, owner.name)
        if controller in seen:
            return
        seen.add(controller)
        yield controller
        leader = pods.get((namespace, owner.name)) if owner.kind == "Pod" else None
        if leader is not None:
            metadata = leader.metadata
            continue
        if controller not in workloads:
            suffix = f"-{metadata.labels.get(_HASH, '')}"
            if owner.kind == "ReplicaSet" and len(suffix) > 1 and owner.name.endswith(suffix):
                yield Workload(controller.group, namespace, "Deployment", owner.name.removesuffix(suffix))
            return
        metadata = metadata_of(workloads[controller])


def pods_by_controller(
    pods: Mapping[tuple[str, str], Pod], workloads: Mapping[Workload, LoadedObject]
) -> dict[Workload, list[Pod]]:
    """Return the pods, by namespace and name, that each workload controls, also through other workloads."""
    controlled: dict[Workload, list[Pod]] = {}
    for pod in pods.values():
        for controller in controllers(pod.metadata, workloads, pods):
            controlled.setdefault(controller, []).append(pod)
    return controlled
