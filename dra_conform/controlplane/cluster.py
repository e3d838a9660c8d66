"""The cluster that a set of manifests describes, as far as allocation needs it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from dra_conform.controlplane.workload_pods import PodToPlace, pods
from dra_conform.kube.core import Node
from dra_conform.kube.errors import InputError
from dra_conform.kube.manifests import Loaded
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
    def of(cls, loaded: Sequence[Loaded]) -> Cluster:
        """Sort manifests by kind; raises InputError for an object that is given twice and differs."""
        kept = list(_once(loaded))
        objects = [item.object for item in kept]
        nodes = tuple(item for item in objects if isinstance(item, Node))
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


def _once(loaded: Sequence[Loaded]) -> Iterator[Loaded]:
    """Every object once: giving the same one again changes nothing, as with kubectl apply."""
    seen: dict[tuple[str, str, str], Loaded] = {}
    for position, item in enumerate(loaded):
        metadata = getattr(item.object, "metadata", None)
        if metadata is None:
            continue
        if not metadata.name:
            yield _named(item, position)
            continue
        first = seen.setdefault((item.kind, metadata.namespace or "default", metadata.name), item)
        if first is item:
            yield item
        elif first.object != item.object:
            raise InputError(
                item.file,
                item.line,
                "metadata.name",
                f"{item.kind} {metadata.name} is given twice and differs, expected it once; "
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
