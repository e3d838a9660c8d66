"""All known kinds: decoding with all problems and their paths, and encoding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dra_conform.kube import core, resource, workloads
from dra_conform.kube.codec import ConversionError, convert, to_builtins
from dra_conform.kube.nulls import without_nulls
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
"""The struct of each kind by API version and kind."""

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
"""The name under which a case and the wire protocol carry the objects of a kind."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One place where a value does not have the shape of its kind."""

    path: Path
    message: str

    def __str__(self) -> str:
        return f"{written(self.path)}: {self.message}" if self.path else self.message


class DecodeErrors(ValueError):  # noqa: N818 - several problems at once
    """All problems of one object."""

    def __init__(self, found: tuple[Problem, ...]) -> None:
        self.problems = found
        super().__init__("; ".join(str(problem) for problem in found))


def decode(raw: dict[str, Any]) -> Any:
    """The struct of an object with apiVersion and kind; raises DecodeErrors with every problem."""
    kind = KINDS.get((raw.get("apiVersion", ""), raw.get("kind", "")))
    if kind is None:
        what = f"{raw.get('kind')!r} of {raw.get('apiVersion')!r} is unknown"
        raise DecodeErrors((Problem(("kind",), f"{what}, expected a kind of DRA or its workloads"),))
    return decode_as(kind, {name: raw[name] for name in raw if name not in ("apiVersion", "kind")})


def decode_as(kind: type, raw: Any) -> Any:
    """The struct of a plain value, null fields taken as absent; raises DecodeErrors with every problem."""
    try:
        return convert(raw, kind)
    except ConversionError:
        pass  # tried again without what a null may have spoiled
    try:
        return convert(without_nulls(raw, kind), kind)
    except ConversionError as error:
        found = tuple(Problem(path, message) for path, message in problems(raw, kind))
        raise DecodeErrors(found or (Problem((), str(error)),)) from None


def encode(value: Any) -> dict[str, Any]:
    """The plain JSON value of a struct, defaults left out."""
    built: dict[str, Any] = to_builtins(value)
    return built
