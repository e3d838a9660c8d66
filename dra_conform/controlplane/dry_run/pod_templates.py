"""The pods of workloads' pod templates, as written in the manifests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dra_conform.kube.field_paths import ABSENT, field_at
from dra_conform.kube.manifest_files import Manifest
from dra_conform.kube.yaml import Path

Json = Any

_TEMPLATE = ("spec", "template")
_TEMPLATES: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("apps/v1", "Deployment"): _TEMPLATE,
    ("apps/v1", "ReplicaSet"): _TEMPLATE,
    ("apps/v1", "StatefulSet"): _TEMPLATE,
    ("apps/v1", "DaemonSet"): _TEMPLATE,
    ("batch/v1", "Job"): _TEMPLATE,
    ("batch/v1", "CronJob"): ("spec", "jobTemplate", *_TEMPLATE),
    ("v1", "ReplicationController"): _TEMPLATE,
    ("v1", "PodTemplate"): ("template",),
}

_COPIED = ("labels", "annotations", "finalizers")
"""The metadata that a controller copies from a template."""


@dataclass(frozen=True, slots=True)
class PodOfTemplate:
    """A pod with the name of its workload, and its path in the manifest."""

    object: Mapping[str, Json]
    within: Path


def pod_in(manifest: Manifest) -> PodOfTemplate | None:
    """Return the pod of a workload, None for other kinds and for a workload without a template."""
    within = _TEMPLATES.get((manifest.api_version, manifest.kind))
    template = ABSENT if within is None else field_at(manifest.written, ".".join(within))
    if within is None or not isinstance(template, Mapping):
        return None
    owner = field_at(manifest.written, "metadata")
    identity = _only(owner, "name", "generateName", "namespace")
    metadata = {**_only(template.get("metadata"), *_COPIED), **identity}
    return PodOfTemplate({**template, "apiVersion": "v1", "kind": "Pod", "metadata": metadata}, within)


def _only(metadata: Json, *names: str) -> dict[str, Json]:
    if not isinstance(metadata, Mapping):
        return {}
    return {name: metadata[name] for name in names if name in metadata}
