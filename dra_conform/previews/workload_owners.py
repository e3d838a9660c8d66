"""Workloads, and the workloads that control pods and other workloads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
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
    return Workload(metadata.namespace or "default", item.kind, name, 0 if metadata.name else id(item.object))


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


def controllers(metadata: ObjectMeta, workloads: Mapping[Workload, LoadedObject]) -> Iterator[Workload]:
    """Yield the controller of an object, then that of the controller, and so on.

    A ReplicaSet that is not in `workloads` belongs to the Deployment that its name and the label
    `pod-template-hash` tell.
    """
    seen: set[Workload] = set()
    while (owner := controller_of(metadata)) is not None:
        controller = Workload(metadata.namespace or "default", owner.kind, owner.name)
        if controller in seen:
            return
        seen.add(controller)
        yield controller
        if controller not in workloads:
            suffix = f"-{metadata.labels.get(_HASH, '')}"
            if owner.kind == "ReplicaSet" and len(suffix) > 1 and owner.name.endswith(suffix):
                yield Workload(controller.namespace, "Deployment", owner.name.removesuffix(suffix))
            return
        metadata = metadata_of(workloads[controller])


def pods_by_controller(
    pods: Iterable[Pod], workloads: Mapping[Workload, LoadedObject]
) -> dict[Workload, list[Pod]]:
    """Return the pods that each workload controls, also through other workloads."""
    controlled: dict[Workload, list[Pod]] = {}
    for pod in pods:
        for controller in controllers(pod.metadata, workloads):
            controlled.setdefault(controller, []).append(pod)
    return controlled
