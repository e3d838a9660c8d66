"""Decoding of objects into structs, with all problems and their paths, and encoding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dra_conform.kube import core, resource, workloads
from dra_conform.kube.codec import ConversionError, convert, to_builtins
from dra_conform.kube.nulls import without_nulls
from dra_conform.kube.own_fields import OWN_FIELDS, without_own_fields
from dra_conform.kube.problems import problems
from dra_conform.kube.yaml import Path, written

RESOURCE_V1 = "resource.k8s.io/v1"

KINDS: dict[tuple[str, str], type] = {
    (RESOURCE_V1, "DeviceClass"): resource.DeviceClass,
    (RESOURCE_V1, "ResourceClaim"): resource.ResourceClaim,
    (RESOURCE_V1, "ResourceClaimTemplate"): resource.ResourceClaimTemplate,
    (RESOURCE_V1, "ResourceSlice"): resource.ResourceSlice,
    (RESOURCE_V1, "DeviceTaintRule"): resource.DeviceTaintRule,
    ("v1", "Node"): core.Node,
    ("v1", "Pod"): core.Pod,
    ("v1", "Namespace"): core.Namespace,
    ("v1", "ResourceQuota"): core.ResourceQuota,
    ("apps/v1", "Deployment"): workloads.Deployment,
    ("apps/v1", "ReplicaSet"): workloads.ReplicaSet,
    ("apps/v1", "StatefulSet"): workloads.StatefulSet,
    ("apps/v1", "DaemonSet"): workloads.DaemonSet,
    ("batch/v1", "Job"): workloads.Job,
}
"""The struct of each known kind, by API version and kind."""

COLLECTIONS = {
    "Node": "nodes",
    "Namespace": "namespaces",
    "DeviceClass": "deviceClasses",
    "ResourceSlice": "resourceSlices",
    "ResourceClaim": "resourceClaims",
    "ResourceClaimTemplate": "resourceClaimTemplates",
    "DeviceTaintRule": "deviceTaintRules",
    "Pod": "pods",
    "ResourceQuota": "resourceQuotas",
}
"""The field that has the objects of a kind in cases and in the wire protocol."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A field that does not fit the type of its object."""

    path: Path
    message: str

    def __str__(self) -> str:
        return f"{written(self.path)}: {self.message}" if self.path else self.message


class DecodeErrors(ValueError):  # noqa: N818 - several problems at once
    """All problems of one object."""

    def __init__(self, all_problems: tuple[Problem, ...]) -> None:
        self.problems = all_problems
        super().__init__("; ".join(str(problem) for problem in all_problems))


def decode(raw: dict[str, Any]) -> Any:
    """Decode an object with apiVersion and kind into its struct; raises DecodeErrors with every problem."""
    kind = KINDS.get((raw.get("apiVersion", ""), raw.get("kind", "")))
    if kind is None:
        unknown = f"{raw.get('kind')!r} of {raw.get('apiVersion')!r} is unknown"
        raise DecodeErrors((Problem(("kind",), f"{unknown}, expected a kind of DRA or its workloads"),))
    return decode_as(kind, {name: raw[name] for name in raw if name not in ("apiVersion", "kind")})


def decode_as(kind: type, raw: Any) -> Any:
    """Decode a plain value into a struct; null fields are absent. Raises DecodeErrors with every problem."""
    if OWN_FIELDS.by_owner:
        raw = without_own_fields(getattr(kind, "__name__", ""), raw)
    try:
        return convert(raw, kind)
    except ConversionError:
        pass  # A null field may be the reason, so the conversion is repeated without null fields.
    try:
        return convert(without_nulls(raw, kind), kind)
    except ConversionError as error:
        all_problems = tuple(Problem(path, message) for path, message in problems(raw, kind))
        raise DecodeErrors(all_problems or (Problem((), str(error)),)) from None


def encode(value: Any) -> dict[str, Any]:
    """Return the plain JSON value of a struct, without defaults."""
    encoded: dict[str, Any] = to_builtins(value)
    return encoded
