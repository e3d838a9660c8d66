"""The cluster that a set of manifests describes, as far as allocation needs it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from dra_conform.controlplane.pod_claims import claims_of_bare_templates
from dra_conform.controlplane.workload_pods import PodToPlace, pods
from dra_conform.kube.core import Node
from dra_conform.kube.errors import InputError
from dra_conform.kube.manifests import Loaded, OtherObject
from dra_conform.kube.resource import (
    DeviceClass,
    DeviceTaintRule,
    ResourceClaim,
    ResourceClaimTemplate,
    ResourceSlice,
)


@dataclass(frozen=True, slots=True)
class Cluster:
    """Objects by kind. Claims and templates go by `namespace/name`."""

    nodes: tuple[Node, ...]
    classes: tuple[DeviceClass, ...]
    slices: tuple[ResourceSlice, ...]
    claims: Mapping[str, ResourceClaim]
    templates: Mapping[str, ResourceClaimTemplate]
    taint_rules: tuple[DeviceTaintRule, ...]
    wanted: tuple[PodToPlace, ...]

    @classmethod
    def of(cls, loaded: Sequence[Loaded], made: Sequence[Node] = ()) -> Cluster:
        """Sort manifests by kind, and add nodes that were `made`; raises InputError for an object that is
        given twice and differs."""
        kept = list(_once(loaded))
        objects = [item.object for item in kept]
        nodes = (*(item for item in objects if isinstance(item, Node)), *made)
        claims = [_in_namespace(item) for item in objects if isinstance(item, ResourceClaim)]
        templates = [item for item in objects if isinstance(item, ResourceClaimTemplate)]
        return cls(
            nodes=nodes,
            classes=tuple(item for item in objects if isinstance(item, DeviceClass)),
            slices=tuple(item for item in objects if isinstance(item, ResourceSlice)),
            claims={claim.key: claim for claim in claims},
            templates={
                f"{item.metadata.namespace or 'default'}/{item.metadata.name}": item for item in templates
            },
            taint_rules=tuple(item for item in objects if isinstance(item, DeviceTaintRule)),
            wanted=tuple(pods(kept, nodes)),
        )

    def with_bare_templates(self, used: Collection[str] = ()) -> tuple[Cluster, tuple[str, ...]]:
        """The cluster with a claim for each template that no pod names and that is not `used` otherwise, and
        the keys of these claims."""
        named = {*used, *(key for wanted in self.wanted for key in wanted.templates)}
        made = tuple(claims_of_bare_templates(self.claims, self.templates, named))
        claims = {**self.claims, **{claim.key: claim for claim in made}}
        return replace(self, claims=claims), tuple(claim.key for claim in made)


def _once(loaded: Sequence[Loaded]) -> Iterator[Loaded]:
    """Every object once: giving the same one again changes nothing, as with kubectl apply."""
    seen: dict[tuple[str, str, str, str], Loaded] = {}
    for position, item in enumerate(loaded):
        metadata = item.raw.get("metadata") or {}
        name = metadata.get("name", "")
        if not name:
            yield item if isinstance(item.object, OtherObject) else _named(item, position)
            continue
        key = item.api_version, item.kind, metadata.get("namespace") or "default", name
        first = seen.setdefault(key, item)
        if first is item:
            yield item
        elif first.object != item.object:
            raise InputError(
                item.file,
                item.line,
                "metadata.name",
                f"{item.kind} {name} is given twice and differs, expected it once; "
                f"the first is at {first.file}:{first.line}",
            )


def _named(item: Loaded, position: int) -> Loaded:
    """An object with generateName, named by its place among the manifests instead of by chance."""
    metadata = item.object.metadata
    named = msgspec.structs.replace(metadata, name=f"{metadata.generate_name}{position}")
    return replace(item, object=msgspec.structs.replace(item.object, metadata=named))


def _in_namespace(claim: ResourceClaim) -> ResourceClaim:
    """The claim in the namespace that a client gives it where it names none."""
    if claim.metadata.namespace:
        return claim
    metadata = msgspec.structs.replace(claim.metadata, namespace="default")
    return msgspec.structs.replace(claim, metadata=metadata)
