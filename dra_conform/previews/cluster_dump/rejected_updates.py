"""Changes of existing objects that the API server rejects, such as another spec of a ResourceClaim."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from dra_conform.apiserver.kinds import versions_served
from dra_conform.kube.codec import plain
from dra_conform.kube.core import Container, Pod, ResourceRequirements
from dra_conform.kube.json_values import Json
from dra_conform.kube.manifests import LoadedObject
from dra_conform.kube.objects import encode
from dra_conform.kube.profile import Profile
from dra_conform.kube.resource import DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice
from dra_conform.kube.switches.api_server import ApiServerSwitches
from dra_conform.kube.versions import from_v1
from dra_conform.previews.cluster_dump.cluster_objects import ClusterObjects, key_of
from dra_conform.previews.dry_run import Proposal, ProposedWrite, dry_run
from dra_conform.previews.dry_run.proposed_writes import namespace

_VALIDATED = (DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice)
"""The kinds whose struct has all fields, so that the API server can compare both objects."""


def notes_on_rejected_updates(
    new: Iterable[LoadedObject], cluster: ClusterObjects, profile: Profile
) -> Iterator[str]:
    """Yield a note for each manifest of an existing object that the API server would reject as an update."""
    for item in new:
        written = item.object
        if not isinstance(written, (Pod, *_VALIDATED)) or not written.metadata.name:
            continue
        existing = cluster.by_key(type(written)).get(key_of(written))
        if existing is None:
            continue
        if isinstance(written, Pod) and isinstance(existing, Pod):
            problems = [*_changes_of_pod(written, existing)]
        else:
            problems = [*_rejections(item, existing, profile)]
        if problems:
            yield (
                f"note: {item.file}:{item.line}: {item.kind} {key_of(written)}: an update would be rejected: "
                f"{'; '.join(problems)}; the object counts as deleted and created again"
            )


def _rejections(item: LoadedObject, existing: Json, profile: Profile) -> Iterator[str]:
    served = versions_served(item.kind, profile)
    if not served:
        return
    old, new = {**encode(existing), **_type(item)}, plain(item.raw)
    write = ProposedWrite(item.manifest, from_v1(new, served[0]), from_v1(old, served[0]))
    labels = {str(ApiServerSwitches.of(profile).admin_label): "true"}
    namespaces = (namespace(write.namespace, labels),) if write.namespace else ()
    [result] = dry_run(Proposal((write,), namespaces, {}), profile)
    for problem in result.problems():
        yield ": ".join(part for part in (problem.path, problem.message) if part)


def _type(item: LoadedObject) -> dict[str, Json]:
    return {name: item.raw[name] for name in ("apiVersion", "kind")}


def _changes_of_pod(written: Pod, existing: Pod) -> Iterator[str]:
    """Yield the changed fields of a pod that quotas and nodes count.

    Fields that the manifest does not have do not count, since `kubectl apply` keeps those of others.
    """
    for field in ("containers", "init_containers"):
        containers: Mapping[str, Container] = {each.name: each for each in getattr(existing.spec, field)}
        for container in getattr(written.spec, field):
            old = containers.get(container.name)
            if old is None:
                yield f"spec: pod updates may not add container {container.name}"
            elif _changed(container.resources, old.resources):
                yield f"spec: resources of container {container.name} change only by the subresource resize"
    if written.spec.resources and _changed(
        written.spec.resources, existing.spec.resources or ResourceRequirements()
    ):
        yield "spec: pod-level resources change only by the subresource resize"
    entries = {entry.name: entry for entry in existing.spec.resource_claims}
    if any(entries.get(entry.name) != entry for entry in written.spec.resource_claims):
        yield "spec: pod updates may not change resourceClaims"


def _changed(new: ResourceRequirements, old: ResourceRequirements) -> bool:
    return any(
        before.get(name) != quantity
        for after, before in ((new.requests, old.requests), (new.limits, old.limits))
        for name, quantity in after.items()
    )
