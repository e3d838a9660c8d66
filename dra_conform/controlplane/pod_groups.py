"""Claims that the pods of a PodGroup share (API reference of scheduling.k8s.io, PodGroupResourceClaim)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from dra_conform.controlplane.template_claims import claim_of
from dra_conform.kube.errors import InputError
from dra_conform.kube.field_paths import ABSENT, field_at, with_field
from dra_conform.kube.manifests import Loaded
from dra_conform.kube.objects import RESOURCE_V1, decode
from dra_conform.kube.profile import Profile

Json = Any

_SPECS = {"Pod": "spec", "Job": "spec.template.spec", "Deployment": "spec.template.spec"}
_SPECS |= dict.fromkeys(("ReplicaSet", "StatefulSet", "DaemonSet"), "spec.template.spec")
"""Where the spec of pods stands in each kind."""

GROUPS_NOTE = (
    "note: the pods of a PodGroup share its claims, as with DRAWorkloadResourceClaims on, which releases "
    "have off; how many of them have to run at once is not heeded"
)
"""What a user has to know of groups."""


@dataclass(frozen=True)
class PodGroups:
    """The groups of all manifests, and the templates of their claims, by `namespace/name`."""

    groups: Mapping[str, Loaded]
    templates: Mapping[str, Json]
    known: bool
    """Whether the release has them: pods of others have claims of their own."""

    @classmethod
    def of(cls, loaded: Sequence[Loaded], profile: Profile) -> PodGroups:
        """Those of manifests, for a profile: releases before 1.36 have none."""
        known = not profile.before("1.36")
        templates = {_key(one.raw): one.raw for one in loaded if one.kind == "ResourceClaimTemplate"}
        groups = {_key(one.raw): one for one in loaded if is_group(one) and known}
        return cls(groups, templates, known)

    def templates_used(self) -> Iterator[str]:
        """The templates that groups name, as `namespace/name`."""
        for group in self.groups.values():
            for entry in _entries(group.raw, "spec"):
                yield f"{_namespace(group.raw)}/{entry.get('resourceClaimTemplateName', '')}"

    def with_claims(self, loaded: Sequence[Loaded]) -> list[Loaded]:
        """The manifests with one claim for each template that a group names, and pods that name this claim
        where an entry of theirs is the same as one of their group.

        A claim is called `GROUP-ENTRY`; Kubernetes appends something random. Raises InputError for a group
        that names a template that is not there, and for pods of a group that is not there.
        """
        if not self.known:
            return list(loaded)
        return [
            one
            for item in loaded
            for one in (self._of_group(item) if is_group(item) else (self._of_pods(item),))
        ]

    def _of_group(self, group: Loaded) -> Iterator[Loaded]:
        yield group
        for index, entry in enumerate(_entries(group.raw, "spec")):
            if "resourceClaimTemplateName" in entry:
                claim = self._claim(group, entry, f"spec.resourceClaims[{index}].resourceClaimTemplateName")
                yield replace(
                    group, object=decode(claim), api_version=RESOURCE_V1, kind="ResourceClaim", raw=claim
                )

    def _claim(self, group: Loaded, entry: Json, path: str) -> Json:
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

    def _of_pods(self, item: Loaded) -> Loaded:
        path = _SPECS.get(item.kind, "")
        name = field_at(item.raw, f"{path}.schedulingGroup.podGroupName") if path else ABSENT
        if name is ABSENT or not _entries(item.raw, path):
            return item
        group = self.groups.get(f"{_namespace(item.raw)}/{name}")
        if group is None:
            where = f"{path}.schedulingGroup.podGroupName"
            raise _missing(item, where, f"PodGroup {_namespace(item.raw)}/{name}")
        shared = [one for one in _entries(group.raw, "spec") if "resourceClaimTemplateName" in one]
        entries = [
            {"name": one["name"], "resourceClaimName": _claim_name(group.raw, one)} if one in shared else one
            for one in _entries(item.raw, path)
        ]
        raw = with_field(item.raw, f"{path}.resourceClaims", entries)
        return replace(item, raw=raw, object=decode(raw))


def is_group(item: Loaded) -> bool:
    """Whether it is a PodGroup of Kubernetes itself."""
    return item.kind == "PodGroup" and item.api_version.startswith("scheduling.k8s.io/")


def _entries(raw: Json, path: str) -> list[Json]:
    found = field_at(raw, f"{path}.resourceClaims")
    return [] if found in (ABSENT, None) else found


def _claim_name(group: Json, entry: Json) -> str:
    return f"{group['metadata']['name']}-{entry['name']}"


def _namespace(raw: Json) -> str:
    return str(raw["metadata"].get("namespace") or "default")


def _key(raw: Json) -> str:
    return f"{_namespace(raw)}/{raw['metadata'].get('name', '')}"


def _missing(item: Loaded, path: str, what: str) -> InputError:
    name = item.raw["metadata"].get("name", "")
    return InputError(
        item.file,
        item.line,
        f"{item.kind} {name}: {path}",
        f"there is no {what} in the manifests given, expected one with -f",
    )
