"""The cluster that a set of manifests describes, as far as allocation needs it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dra_conform.controlplane.workload import Wanted, pods
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
    wanted: tuple[Wanted, ...]

    @classmethod
    def of(cls, loaded: Sequence[Loaded]) -> Cluster:
        """Sort manifests by kind; raises InputError for an object that is given twice."""
        seen: dict[tuple[str, str, str], Loaded] = {}
        for item in loaded:
            metadata = getattr(item.object, "metadata", None)
            if metadata is None or not metadata.name:
                continue
            identity = (item.kind, metadata.namespace or "default", metadata.name)
            first = seen.setdefault(identity, item)
            if first is not item:
                raise InputError(
                    item.file,
                    item.line,
                    "metadata.name",
                    f"{item.kind} {metadata.name} is given twice, expected once; "
                    f"the first is at {first.file}:{first.line}",
                )
        objects = [item.object for item in loaded]
        nodes = tuple(item for item in objects if isinstance(item, Node))
        claims = [item for item in objects if isinstance(item, ResourceClaim)]
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
            wanted=tuple(pods(loaded, nodes)),
        )
