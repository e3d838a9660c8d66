"""The objects of a cluster that quotas and nodes count, by kind and key."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from dra_conform.kube.core import Node, Pod, ResourceQuota
from dra_conform.kube.resource import DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice

T = TypeVar("T")

COUNTED_KINDS: tuple[type, ...] = (
    DeviceClass,
    ResourceQuota,
    ResourceClaim,
    ResourceClaimTemplate,
    ResourceSlice,
    Node,
    Pod,
)
"""The kinds that are kept, which have the names of their structs."""

_CLUSTER_SCOPED = (DeviceClass, ResourceSlice, Node)


_NAME = re.compile(r"[a-z0-9]([-a-z0-9.]*[a-z0-9])?")


def is_name(name: str) -> bool:
    """Whether a name or namespace is a DNS subdomain, as an API server demands of the counted kinds."""
    return len(name) <= 253 and _NAME.fullmatch(name) is not None


def key_of(item: Any) -> str:
    """Return the key of an object: `namespace/name`, or the name of a cluster-scoped object."""
    metadata = item.metadata
    if isinstance(item, _CLUSTER_SCOPED):
        return str(metadata.name)
    return f"{metadata.namespace or 'default'}/{metadata.name}"


@dataclass(frozen=True, slots=True)
class ClusterObjects:
    """Objects by kind and key; of two objects with one key the later one counts."""

    by_kind: dict[str, dict[str, Any]] = field(default_factory=dict)

    @staticmethod
    def of(items: Iterable[Any]) -> ClusterObjects:
        """Return the objects of COUNTED_KINDS among decoded objects."""
        by_kind: dict[str, dict[str, Any]] = {kind.__name__: {} for kind in COUNTED_KINDS}
        for item in items:
            known = by_kind.get(type(item).__name__)
            if known is not None:
                known[key_of(item)] = item
        return ClusterObjects(by_kind)

    def all(self, kind: type[T]) -> tuple[T, ...]:
        """Return all objects of a kind."""
        return tuple(self.by_key(kind).values())

    def by_key(self, kind: type[T]) -> Mapping[str, T]:
        """Return the objects of a kind by `namespace/name`, or by the name if they are cluster-scoped."""
        return cast("dict[str, T]", self.by_kind.get(kind.__name__, {}))

    def without(self, keys: Mapping[type, Collection[str]]) -> ClusterObjects:
        """Return the objects without those of the given kinds and keys."""
        gone = {kind.__name__: known for kind, known in keys.items()}
        kept = {
            kind: {key: item for key, item in known.items() if key not in gone.get(kind, ())}
            for kind, known in self.by_kind.items()
        }
        return ClusterObjects(kept)

    def changed_by(self, changes: Iterable[Any]) -> ClusterObjects:
        """Return the objects after changes: an object with an existing key replaces the existing one."""
        return ClusterObjects.of(
            [*(item for known in self.by_kind.values() for item in known.values()), *changes]
        )
