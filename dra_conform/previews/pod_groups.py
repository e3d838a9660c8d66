"""Claims shared by the pods of a PodGroup (API reference of scheduling.k8s.io, PodGroupResourceClaim)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import NAMESPACE_URL, uuid5

import msgspec

from dra_conform.kube.errors import InputError, InputErrors
from dra_conform.kube.field_paths import ABSENT, field_at, with_field
from dra_conform.kube.json_values import Json
from dra_conform.kube.manifests import LoadedObject
from dra_conform.kube.objects import RESOURCE_V1, decode, problems
from dra_conform.kube.profile import Profile
from dra_conform.kube.switches.scheduler import SchedulerSwitches
from dra_conform.simulation.controllers.claim_generation import claim_of

_SPECS = {"Pod": "spec", "Job": "spec.template.spec", "Deployment": "spec.template.spec"}
_SPECS |= dict.fromkeys(("ReplicaSet", "StatefulSet", "DaemonSet"), "spec.template.spec")
"""The path of the pod spec in each kind."""

GROUPS_NOTE = (
    "note: the pods of a PodGroup share its claims as if the gate DRAWorkloadResourceClaims were on; "
    "it is off by default, and gang scheduling is ignored"
)
"""The note for users about PodGroups."""


class _Metadata(msgspec.Struct, frozen=True, rename="camel"):
    name: str
    namespace: str = ""
    uid: str = ""


class _Entry(msgspec.Struct, frozen=True, rename="camel"):
    name: str
    resource_claim_template_name: str = ""


class _Spec(msgspec.Struct, frozen=True, rename="camel"):
    resource_claims: tuple[_Entry, ...] = ()


class _PodGroup(msgspec.Struct, frozen=True, rename="camel"):
    """The fields of a PodGroup that are read."""

    metadata: _Metadata
    spec: _Spec = _Spec()


@dataclass(frozen=True)
class PodGroups:
    """The PodGroups and ResourceClaimTemplates of all manifests by `namespace/name`."""

    groups: Mapping[str, LoadedObject]
    templates: Mapping[str, Json]
    known: bool
    """Whether the release has PodGroups; without them, pods of a group do not share claims."""

    @classmethod
    def of(cls, loaded: Sequence[LoadedObject], profile: Profile) -> PodGroups:
        """Return the PodGroups of manifests; releases before 1.36 have none. Raises InputErrors."""
        known = SchedulerSwitches.of(profile).pod_groups
        read = [item for item in loaded if is_group(item) and known]
        errors = [
            item.manifest.error(path, message)
            for item in read
            for path, message in problems(item.raw, _PodGroup)
        ]
        if errors:
            raise InputErrors(errors)
        templates = {_key(item.raw): item.raw for item in loaded if item.kind == "ResourceClaimTemplate"}
        groups = {_key(item.raw): item for item in read}
        return cls(groups, templates, known)

    def templates_used(self) -> Iterator[str]:
        """Yield the ResourceClaimTemplates that PodGroups name, as `namespace/name`."""
        for group in self.groups.values():
            for entry in _entries(group.raw, "spec"):
                yield f"{_namespace(group.raw)}/{entry.get('resourceClaimTemplateName', '')}"

    def with_claims(self, loaded: Sequence[LoadedObject]) -> list[LoadedObject]:
        """Return the manifests with the claims of PodGroups added.

        Each entry of a PodGroup with a template gets one claim named `GROUP-ENTRY`, where Kubernetes appends
        a random suffix. An equal entry of a pod of the group refers to this claim. Raises InputError for a
        missing ResourceClaimTemplate or PodGroup.
        """
        if not self.known:
            return list(loaded)
        return [
            result
            for item in loaded
            for result in (self._of_group(item) if is_group(item) else (self._of_pods(item),))
        ]

    def _of_group(self, group: LoadedObject) -> Iterator[LoadedObject]:
        yield group
        for index, entry in enumerate(_entries(group.raw, "spec")):
            if "resourceClaimTemplateName" in entry:
                claim = self._claim(group, entry, f"spec.resourceClaims[{index}].resourceClaimTemplateName")
                yield replace(
                    group, object=decode(claim), api_version=RESOURCE_V1, kind="ResourceClaim", raw=claim
                )

    def _claim(self, group: LoadedObject, entry: Json, path: str) -> Json:
        namespace = _namespace(group.raw)
        template = self.templates.get(f"{namespace}/{entry['resourceClaimTemplateName']}")
        if template is None:
            raise _missing(
                group, path, f"ResourceClaimTemplate {namespace}/{entry['resourceClaimTemplateName']}"
            )
        owner = {"apiVersion": group.api_version, "kind": "PodGroup", "name": group.raw["metadata"]["name"]}
        uid = group.raw["metadata"].get("uid") or str(uuid5(NAMESPACE_URL, f"podgroup:{_key(group.raw)}"))
        return claim_of(
            template,
            {
                "name": _claim_name(group.raw, entry),
                "namespace": namespace,
                "ownerReferences": [{**owner, "uid": uid, "controller": True}],
            },
        )

    def _of_pods(self, item: LoadedObject) -> LoadedObject:
        path = _SPECS.get(item.kind, "")
        name = field_at(item.raw, f"{path}.schedulingGroup.podGroupName") if path else ABSENT
        if name is ABSENT or not _entries(item.raw, path):
            return item
        group = self.groups.get(f"{_namespace(item.raw)}/{name}")
        if group is None:
            name_path = f"{path}.schedulingGroup.podGroupName"
            raise _missing(item, name_path, f"PodGroup {_namespace(item.raw)}/{name}")
        shared = [entry for entry in _entries(group.raw, "spec") if "resourceClaimTemplateName" in entry]
        entries = [
            {"name": entry["name"], "resourceClaimName": _claim_name(group.raw, entry)}
            if entry in shared
            else entry
            for entry in _entries(item.raw, path)
        ]
        raw = with_field(item.raw, f"{path}.resourceClaims", entries)
        return replace(item, raw=raw, object=decode(raw))


def is_group(item: LoadedObject) -> bool:
    """Whether the manifest is a PodGroup of scheduling.k8s.io."""
    return item.kind == "PodGroup" and item.api_version.startswith("scheduling.k8s.io/")


def _entries(raw: Json, path: str) -> list[Json]:
    entries = field_at(raw, f"{path}.resourceClaims")
    return [] if entries in (ABSENT, None) else entries


def _claim_name(group: Json, entry: Json) -> str:
    return f"{group['metadata']['name']}-{entry['name']}"


def _namespace(raw: Json) -> str:
    return str(raw["metadata"].get("namespace") or "default")


def _key(raw: Json) -> str:
    return f"{_namespace(raw)}/{raw['metadata'].get('name', '')}"


def _missing(item: LoadedObject, path: str, reference: str) -> InputError:
    name = item.raw["metadata"].get("name", "")
    return InputError(
        item.file,
        item.line,
        f"{item.kind} {name}: {path}",
        f"no manifest has {reference}, expected a manifest given with -f",
    )
