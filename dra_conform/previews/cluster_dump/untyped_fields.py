"""Checks of pod fields without a type that quotas and nodes count: container statuses, affinity, times."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import msgspec

from dra_conform.kube.codec import ConversionError, convert
from dra_conform.kube.core import Pod
from dra_conform.kube.listing import quoted
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.yaml import Path


class _Read(msgspec.Struct, frozen=True, rename="camel"):
    """The base of fields that are read; further fields are allowed."""


class _Resources(_Read, frozen=True):
    requests: dict[str, Quantity] | None = None
    limits: dict[str, Quantity] | None = None


class _ContainerStatus(_Read, frozen=True):
    name: str = ""
    resources: _Resources | None = None
    allocated_resources: dict[str, Quantity] | None = None


class _Condition(_Read, frozen=True):
    type: str = ""
    reason: str = ""


class _Term(_Read, frozen=True):
    namespaces: tuple[str, ...] | None = None
    namespace_selector: Any = None


class _Preferred(_Read, frozen=True):
    pod_affinity_term: _Term | None = None


class _PodAffinity(_Read, frozen=True):
    required: tuple[_Term, ...] | None = msgspec.field(
        default=None, name="requiredDuringSchedulingIgnoredDuringExecution"
    )
    preferred: tuple[_Preferred, ...] | None = msgspec.field(
        default=None, name="preferredDuringSchedulingIgnoredDuringExecution"
    )


class _Affinity(_Read, frozen=True):
    pod_affinity: _PodAffinity | None = None
    pod_anti_affinity: _PodAffinity | None = None


def problems_of(pod: Pod) -> Iterator[tuple[Path, str]]:
    """Yield the path and the message of each field that has another form than in the API."""
    status = pod.status
    if status is not None:
        statuses = tuple[_ContainerStatus, ...]
        yield from _problems(("status", "containerStatuses"), status.container_statuses, statuses)
        yield from _problems(("status", "initContainerStatuses"), status.init_container_statuses, statuses)
        yield from _problems(("status", "conditions"), status.conditions, tuple[_Condition, ...])
    if pod.spec.affinity is not None:
        yield from _problems(("spec", "affinity"), pod.spec.affinity, _Affinity)
    deleted = pod.metadata.deletion_timestamp
    if deleted is not None and not _is_time(deleted):
        expected = "expected a time such as 2026-01-01T00:00:00Z"
        yield ("metadata", "deletionTimestamp"), f"is {quoted(deleted)}, {expected}"


def _problems(path: Path, value: Any, kind: Any) -> Iterator[tuple[Path, str]]:
    if not value:
        return
    try:
        convert(value, kind)
    except ConversionError as error:
        yield path, f"is not as in the API: {error}, expected what kubectl get prints"


def _is_time(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False
