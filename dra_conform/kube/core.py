"""The kinds of core/v1 that DRA uses. Fields that dra-conform does not read are kept as plain JSON."""

from __future__ import annotations

from typing import Any

import msgspec

from dra_conform.kube.meta import ApiStruct, ObjectMeta
from dra_conform.kube.quantity import Quantity


class Taint(ApiStruct, frozen=True, kw_only=True):
    key: str
    effect: str
    value: str = ""
    time_added: str | None = None


class Toleration(ApiStruct, frozen=True, kw_only=True):
    key: str = ""
    operator: str = ""
    value: str = ""
    effect: str = ""
    toleration_seconds: int | None = None


class NodeSpec(ApiStruct, frozen=True, kw_only=True):
    """The spec of a node. `pod_preemption_policy` exists since 1.37."""

    pod_cidr: str = msgspec.field(default="", name="podCIDR")
    pod_cidrs: tuple[str, ...] = msgspec.field(default=(), name="podCIDRs")
    provider_id: str = msgspec.field(default="", name="providerID")
    unschedulable: bool = False
    taints: tuple[Taint, ...] = ()
    config_source: Any = None
    external_id: str = msgspec.field(default="", name="externalID")
    pod_preemption_policy: Any = None


class NodeStatus(ApiStruct, frozen=True, kw_only=True):
    capacity: dict[str, Quantity] = {}
    allocatable: dict[str, Quantity] = {}
    phase: str = ""
    conditions: tuple[Any, ...] = ()
    addresses: tuple[Any, ...] = ()
    daemon_endpoints: Any = None
    node_info: Any = None
    images: tuple[Any, ...] = ()
    volumes_in_use: tuple[str, ...] = ()
    volumes_attached: tuple[Any, ...] = ()
    config: Any = None
    runtime_handlers: tuple[Any, ...] = ()
    features: Any = None
    declared_features: tuple[str, ...] = ()


class Node(ApiStruct, frozen=True, kw_only=True):
    metadata: ObjectMeta
    spec: NodeSpec = NodeSpec()
    status: NodeStatus | None = None


class ResourceClaimReference(ApiStruct, frozen=True, kw_only=True):
    """An entry of a container's `resources.claims`."""

    name: str
    request: str = ""


class ResourceRequirements(ApiStruct, frozen=True, kw_only=True):
    limits: dict[str, Quantity] = {}
    requests: dict[str, Quantity] = {}
    claims: tuple[ResourceClaimReference, ...] = ()


class Container(ApiStruct, frozen=True, kw_only=True):
    name: str
    image: str = ""
    command: tuple[str, ...] = ()
    args: tuple[str, ...] = ()
    working_dir: str = ""
    ports: tuple[Any, ...] = ()
    env_from: tuple[Any, ...] = ()
    env: tuple[Any, ...] = ()
    resources: ResourceRequirements = ResourceRequirements()
    resize_policy: tuple[Any, ...] = ()
    restart_policy: str | None = None
    restart_policy_rules: tuple[Any, ...] = ()
    volume_mounts: tuple[Any, ...] = ()
    volume_devices: tuple[Any, ...] = ()
    liveness_probe: Any = None
    readiness_probe: Any = None
    startup_probe: Any = None
    lifecycle: Any = None
    termination_message_path: str = ""
    termination_message_policy: str = ""
    image_pull_policy: str = ""
    security_context: Any = None
    stdin: bool = False
    stdin_once: bool = False
    tty: bool = False


class PodResourceClaim(ApiStruct, frozen=True, kw_only=True):
    """An entry of `spec.resourceClaims` of a pod: the name of a ResourceClaim or a ResourceClaimTemplate."""

    name: str
    resource_claim_name: str | None = None
    resource_claim_template_name: str | None = None


class PodSchedulingGate(ApiStruct, frozen=True, kw_only=True):
    name: str


class PodSpec(ApiStruct, frozen=True, kw_only=True):
    """The spec of a pod.

    `workload_ref` exists only in 1.35 and was replaced by `scheduling_group`; `eviction_responders` exists
    since 1.37.
    """

    containers: tuple[Container, ...] = ()
    init_containers: tuple[Container, ...] = ()
    ephemeral_containers: tuple[Any, ...] = ()
    resource_claims: tuple[PodResourceClaim, ...] = ()
    node_name: str = ""
    node_selector: dict[str, str] = {}
    affinity: Any = None
    tolerations: tuple[Toleration, ...] = ()
    overhead: dict[str, Quantity] = {}
    resources: ResourceRequirements | None = None
    scheduling_gates: tuple[PodSchedulingGate, ...] = ()
    scheduling_group: Any = None
    workload_ref: Any = None
    scheduler_name: str = ""
    priority_class_name: str = ""
    priority: int | None = None
    preemption_policy: str | None = None
    topology_spread_constraints: tuple[Any, ...] = ()
    volumes: tuple[Any, ...] = ()
    restart_policy: str = ""
    termination_grace_period_seconds: int | None = None
    active_deadline_seconds: int | None = None
    dns_policy: str = ""
    dns_config: Any = None
    service_account_name: str = ""
    service_account: str = ""
    automount_service_account_token: bool | None = None
    host_network: bool = False
    host_pid: bool = msgspec.field(default=False, name="hostPID")
    host_ipc: bool = msgspec.field(default=False, name="hostIPC")
    host_users: bool | None = None
    share_process_namespace: bool | None = None
    security_context: Any = None
    image_pull_secrets: tuple[Any, ...] = ()
    hostname: str = ""
    hostname_override: str | None = None
    subdomain: str = ""
    set_hostname_as_fqdn: bool | None = msgspec.field(default=None, name="setHostnameAsFQDN")
    host_aliases: tuple[Any, ...] = ()
    readiness_gates: tuple[Any, ...] = ()
    runtime_class_name: str | None = None
    enable_service_links: bool | None = None
    os: Any = None
    eviction_responders: tuple[Any, ...] = ()


class PodResourceClaimStatus(ApiStruct, frozen=True, kw_only=True):
    name: str
    resource_claim_name: str | None = None


class ContainerExtendedResourceRequest(ApiStruct, frozen=True, kw_only=True):
    container_name: str
    resource_name: str
    request_name: str


class PodExtendedResourceClaimStatus(ApiStruct, frozen=True, kw_only=True):
    """The extended-resource claim of a pod, and the request for each container and resource (KEP-5004)."""

    request_mappings: tuple[ContainerExtendedResourceRequest, ...] = ()
    resource_claim_name: str = ""


class NodeAllocatableMappedResources(ApiStruct, frozen=True, kw_only=True):
    """The quantity of a node allocatable resource to which the devices of a ResourceClaim map (1.37)."""

    name: str = ""
    quantity: Quantity | None = None


class NodeAllocatableOverheadResources(ApiStruct, frozen=True, kw_only=True):
    """The additional quantity of a node allocatable resource for users of a ResourceClaim (1.37)."""

    name: str = ""
    per_pod: Quantity | None = None
    per_container: Quantity | None = None


class NodeAllocatableResourceClaimStatus(ApiStruct, frozen=True, kw_only=True):
    """The node allocatable resources of a pod's claim (KEP-5517); `mapping` and `overhead` as in 1.37."""

    resource_claim_name: str = ""
    containers: tuple[str, ...] = ()
    resources: dict[str, Quantity] = {}
    mapping: tuple[NodeAllocatableMappedResources, ...] = ()
    overhead: tuple[NodeAllocatableOverheadResources, ...] = ()


class PodStatus(ApiStruct, frozen=True, kw_only=True):
    """The status of a pod. `volume_health` exists since 1.37."""

    phase: str = ""
    resource_claim_statuses: tuple[PodResourceClaimStatus, ...] = ()
    extended_resource_claim_status: PodExtendedResourceClaimStatus | None = None
    node_allocatable_resource_claim_statuses: tuple[NodeAllocatableResourceClaimStatus, ...] = ()
    nominated_node_name: str = ""
    observed_generation: int = 0
    conditions: tuple[Any, ...] = ()
    message: str = ""
    reason: str = ""
    host_ip: str = msgspec.field(default="", name="hostIP")
    host_ips: tuple[Any, ...] = msgspec.field(default=(), name="hostIPs")
    pod_ip: str = msgspec.field(default="", name="podIP")
    pod_ips: tuple[Any, ...] = msgspec.field(default=(), name="podIPs")
    start_time: str | None = None
    init_container_statuses: tuple[Any, ...] = ()
    container_statuses: tuple[Any, ...] = ()
    ephemeral_container_statuses: tuple[Any, ...] = ()
    qos_class: str = ""
    resize: str = ""
    allocated_resources: dict[str, Quantity] = {}
    resources: Any = None
    volume_health: tuple[Any, ...] = ()


class Pod(ApiStruct, frozen=True, kw_only=True):
    metadata: ObjectMeta
    spec: PodSpec = PodSpec()
    status: PodStatus | None = None


class PodTemplateSpec(ApiStruct, frozen=True, kw_only=True):
    """The pod template of a workload."""

    metadata: ObjectMeta = ObjectMeta()
    spec: PodSpec = PodSpec()


class NamespaceSpec(ApiStruct, frozen=True, kw_only=True):
    finalizers: tuple[str, ...] = ()


class Namespace(ApiStruct, frozen=True, kw_only=True):
    metadata: ObjectMeta
    spec: NamespaceSpec = NamespaceSpec()
    status: Any = None


class ScopedResourceSelectorRequirement(ApiStruct, frozen=True, kw_only=True):
    """A requirement of a scope selector; its operator is In, NotIn, Exists or DoesNotExist."""

    scope_name: str
    operator: str
    values: tuple[str, ...] = ()


class ScopeSelector(ApiStruct, frozen=True, kw_only=True):
    match_expressions: tuple[ScopedResourceSelectorRequirement, ...] = ()


class ResourceQuotaSpec(ApiStruct, frozen=True, kw_only=True):
    hard: dict[str, Quantity] = {}
    scope_selector: ScopeSelector | None = None
    scopes: tuple[str, ...] = ()


class ResourceQuotaStatus(ApiStruct, frozen=True, kw_only=True):
    hard: dict[str, Quantity] = {}
    used: dict[str, Quantity] = {}


class ResourceQuota(ApiStruct, frozen=True, kw_only=True):
    metadata: ObjectMeta
    spec: ResourceQuotaSpec = ResourceQuotaSpec()
    status: ResourceQuotaStatus | None = None
