"""The pods and ResourceClaims that new manifests add to a cluster, and the pods that they replace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from dra_conform.footprint import claims_of
from dra_conform.kube.core import Node, Pod, PodSpec
from dra_conform.kube.errors import InputError
from dra_conform.kube.extended_resources import CLASS_PREFIX
from dra_conform.kube.listing import counted
from dra_conform.kube.manifests import LoadedObject
from dra_conform.kube.meta import ObjectMeta, OwnerReference
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import DeviceClass, ResourceClaim, ResourceClaimTemplate
from dra_conform.previews.cluster_dump.cluster_objects import ClusterObjects, key_of
from dra_conform.previews.dry_run import stored_pod_spec
from dra_conform.previews.workload_owners import pods_by_controller, workload_of
from dra_conform.previews.workload_pods import WorkloadPods


def new_objects(loaded: Sequence[LoadedObject], cluster: ClusterObjects, profile: Profile) -> Iterator[Any]:
    """Yield the objects of new manifests: workloads as their pods, and the claims that pods get by templates.

    `cluster` has the other objects. An object with a generateName gets a number after it. The pods of a
    DaemonSet are on the nodes that they match and tolerate. Raises InputError for an unknown template,
    InputErrors for a pod that the API server rejects.
    """
    known = cluster.changed_by(item.object for item in loaded)
    workloads = WorkloadPods(loaded, known.all(Node))
    templates = known.by_key(ResourceClaimTemplate)
    numbers: dict[str, int] = {}
    for item in loaded:
        own_pods = list(workloads.of(item))
        if not own_pods:
            yield _named(item.object, numbers)
        placed: list[Pod] = [_named(each.pod, numbers) for each in own_pods]
        if not isinstance(item.object, Pod):
            placed = list(_stored(placed, item, profile))
        if item.kind == "DaemonSet":
            placed = [_on(pod, each.node) for pod, each in zip(placed, own_pods, strict=True)]
        for pod in placed:
            yield pod
            yield from _claims(pod, item, templates)


def note_on_extended_resources(new: Sequence[Pod], cluster: ClusterObjects) -> Iterator[str]:
    """Yield a note if new pods request extended resources that DeviceClasses of the cluster back.

    Such a pod gets its extended-resource claim only once it is placed (KEP-5004/quota/pending-pod).
    """
    backed = {each.spec.extended_resource_name for each in cluster.all(DeviceClass)}
    number = sum(
        any(
            name in backed or name.startswith(CLASS_PREFIX)
            for container in (*pod.spec.init_containers, *pod.spec.containers)
            for name in container.resources.requests
        )
        for pod in new
    )
    if number:
        yield (
            f"note: {counted(number, 'new pod')} with extended resources that DeviceClasses back: the "
            "ResourceClaims that the scheduler creates for them are not counted"
        )


def _stored(placed: Sequence[Pod], item: LoadedObject, profile: Profile) -> Iterator[Pod]:
    """Yield the pods of a workload with defaults. Copies share their spec, which is stored once."""
    stored: dict[int, PodSpec] = {}
    for pod in placed:
        if id(pod.spec) not in stored:
            stored[id(pod.spec)] = stored_pod_spec(pod, item, profile)
        yield msgspec.structs.replace(pod, spec=stored[id(pod.spec)])


def _claims(
    pod: Pod, item: LoadedObject, templates: Mapping[str, ResourceClaimTemplate]
) -> Iterator[ResourceClaim]:
    """Yield a claim named `POD-ENTRY` for each entry with a template whose claim does not exist."""
    entries = {entry.name: entry.resource_claim_template_name for entry in pod.spec.resource_claims}
    namespace = pod.metadata.namespace or "default"
    for entry, claim in claims_of(pod):
        if claim or not entries[entry]:
            continue
        template = templates.get(f"{namespace}/{entries[entry]}")
        if template is None:
            where = f"{item.kind} {item.raw['metadata'].get('name', '')}: spec.resourceClaims[{entry}]"
            missing = f"no manifest has ResourceClaimTemplate {namespace}/{entries[entry]}"
            raise InputError(item.file, item.line, where, f"{missing}, expected a manifest given with -f")
        owner = OwnerReference(
            api_version="v1", kind="Pod", name=pod.metadata.name, uid=pod.metadata.uid, controller=True
        )
        metadata = ObjectMeta(
            name=f"{pod.metadata.name}-{entry}",
            namespace=namespace,
            annotations=template.spec.metadata.annotations,
            owner_references=(owner,),
        )
        yield ResourceClaim(metadata=metadata, spec=template.spec.spec)


def _on(pod: Pod, node: str) -> Pod:
    return msgspec.structs.replace(pod, spec=msgspec.structs.replace(pod.spec, node_name=node))


def _named(item: Any, numbers: dict[str, int]) -> Any:
    metadata = getattr(item, "metadata", None)
    if not isinstance(metadata, ObjectMeta) or metadata.name or not metadata.generate_name:
        return item
    number = numbers[metadata.generate_name] = numbers.get(metadata.generate_name, 0) + 1
    named = msgspec.structs.replace(metadata, name=f"{metadata.generate_name}{number}")
    return msgspec.structs.replace(item, metadata=named)


def applied(new: Iterable[LoadedObject], cluster: ClusterObjects) -> tuple[LoadedObject, ...]:
    """Return manifests of existing objects with the UID of the object, and with its status and the node of
    a pod if the manifest has none. Other manifests are returned as they are."""
    return tuple(replace(item, object=_kept(item, cluster)) for item in new)


def _kept(item: LoadedObject, cluster: ClusterObjects) -> Any:
    written = item.object
    if not isinstance(written, Pod | ResourceClaim | Node) or not written.metadata.name:
        return written
    existing = cluster.by_key(type(written)).get(key_of(written))
    if existing is None:
        return written
    metadata = msgspec.structs.replace(written.metadata, uid=existing.metadata.uid)
    status = written.status if item.manifest.written.get("status") else existing.status
    kept = msgspec.structs.replace(written, metadata=metadata, status=status)
    if isinstance(kept, Pod) and isinstance(existing, Pod) and not kept.spec.node_name:
        return _on(kept, existing.spec.node_name)
    return kept


def without_replaced_pods(cluster: ClusterObjects, new: Sequence[LoadedObject]) -> ClusterObjects:
    """Return the cluster without the pods that belong to workloads in `new`, and without the claims that
    these pods own."""
    workloads = {workload: item for item in new if (workload := workload_of(item)) is not None}
    existing = {(pod.metadata.namespace or "default", pod.metadata.name): pod for pod in cluster.all(Pod)}
    controlled = pods_by_controller(existing, workloads)
    pods = [pod for workload in workloads for pod in controlled.get(workload, ())]
    uids = {pod.metadata.uid for pod in pods}
    claims = (
        claim
        for claim in cluster.all(ResourceClaim)
        if any(owner.kind == "Pod" and owner.uid in uids for owner in claim.metadata.owner_references)
    )
    return cluster.without({Pod: _keys(pods), ResourceClaim: _keys(claims)})


def _keys(items: Iterable[Pod | ResourceClaim]) -> frozenset[str]:
    return frozenset(map(key_of, items))
