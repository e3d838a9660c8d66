"""Workloads of apps/v1 and batch/v1 that create pods; only the pod template is fully typed."""

from __future__ import annotations

from typing import Any

from dra_conform.kube.core import PodTemplateSpec
from dra_conform.kube.meta import ApiStruct, ObjectMeta


class DeploymentSpec(ApiStruct, frozen=True, kw_only=True):
    template: PodTemplateSpec
    replicas: int | None = None
    selector: Any = None
    strategy: Any = None
    min_ready_seconds: int = 0
    revision_history_limit: int | None = None
    paused: bool = False
    progress_deadline_seconds: int | None = None


class Deployment(ApiStruct, frozen=True, kw_only=True):
    metadata: ObjectMeta
    spec: DeploymentSpec
    status: Any = None


class ReplicaSetSpec(ApiStruct, frozen=True, kw_only=True):
    template: PodTemplateSpec = PodTemplateSpec()
    replicas: int | None = None
    selector: Any = None
    min_ready_seconds: int = 0


class ReplicaSet(ApiStruct, frozen=True, kw_only=True):
    metadata: ObjectMeta
    spec: ReplicaSetSpec
    status: Any = None


class StatefulSetSpec(ApiStruct, frozen=True, kw_only=True):
    template: PodTemplateSpec
    replicas: int | None = None
    selector: Any = None
    volume_claim_templates: tuple[Any, ...] = ()
    service_name: str = ""
    pod_management_policy: str = ""
    update_strategy: Any = None
    revision_history_limit: int | None = None
    min_ready_seconds: int = 0
    persistent_volume_claim_retention_policy: Any = None
    ordinals: Any = None


class StatefulSet(ApiStruct, frozen=True, kw_only=True):
    metadata: ObjectMeta
    spec: StatefulSetSpec
    status: Any = None


class DaemonSetSpec(ApiStruct, frozen=True, kw_only=True):
    template: PodTemplateSpec
    selector: Any = None
    update_strategy: Any = None
    min_ready_seconds: int = 0
    revision_history_limit: int | None = None


class DaemonSet(ApiStruct, frozen=True, kw_only=True):
    metadata: ObjectMeta
    spec: DaemonSetSpec
    status: Any = None


class JobSpec(ApiStruct, frozen=True, kw_only=True):
    template: PodTemplateSpec
    parallelism: int | None = None
    completions: int | None = None
    active_deadline_seconds: int | None = None
    pod_failure_policy: Any = None
    success_policy: Any = None
    backoff_limit: int | None = None
    backoff_limit_per_index: int | None = None
    max_failed_indexes: int | None = None
    selector: Any = None
    manual_selector: bool | None = None
    ttl_seconds_after_finished: int | None = None
    completion_mode: str | None = None
    suspend: bool | None = None
    pod_replacement_policy: str | None = None
    managed_by: str | None = None
    scheduling: Any = None


class Job(ApiStruct, frozen=True, kw_only=True):
    metadata: ObjectMeta
    spec: JobSpec
    status: Any = None
