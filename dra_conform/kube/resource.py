"""The kinds of resource.k8s.io/v1 as frozen values.

Field for field the API of Kubernetes 1.36, with the JSON names in camelCase. A list whose absence means
something else than its emptiness is `None` when absent; all others are empty. Maps are plain dicts that
nobody writes to. Fields that only one seed has are named in the docstring of their struct.
"""

from __future__ import annotations

from typing import Any

import msgspec

from dra_conform.kube.meta import ApiStruct, Condition, Int64, NodeSelector, ObjectMeta
from dra_conform.kube.quantity import Quantity

GROUP = "resource.k8s.io"

EXACT_COUNT = "ExactCount"
ALL = "All"


class CELDeviceSelector(ApiStruct, frozen=True, kw_only=True):
    expression: str


class DeviceSelector(ApiStruct, frozen=True, kw_only=True):
    cel: CELDeviceSelector | None = None


class OpaqueDeviceConfiguration(ApiStruct, frozen=True, kw_only=True):
    driver: str
    parameters: Any = None


class DeviceConfiguration(ApiStruct, frozen=True, kw_only=True):
    """An entry of a class's `config`."""

    opaque: OpaqueDeviceConfiguration | None = None


class DeviceClaimConfiguration(ApiStruct, frozen=True, kw_only=True):
    """An entry of a claim's `config`; no requests means all requests."""

    requests: tuple[str, ...] = ()
    opaque: OpaqueDeviceConfiguration | None = None


class DeviceAllocationConfiguration(ApiStruct, frozen=True, kw_only=True):
    """An entry of `status.allocation.devices.config`."""

    source: str
    requests: tuple[str, ...] = ()
    opaque: OpaqueDeviceConfiguration | None = None


class DeviceToleration(ApiStruct, frozen=True, kw_only=True):
    key: str = ""
    operator: str = ""
    value: str = ""
    effect: str = ""
    toleration_seconds: int | None = None


class CapacityRequirements(ApiStruct, frozen=True, kw_only=True):
    """KEP-5075: the amounts a request asks of one device, by capacity name."""

    requests: dict[str, Quantity] = {}


class DeviceDerivedAttribute(ApiStruct, frozen=True, kw_only=True):
    """1.37, alpha: an attribute for constraints only, computed from each device by a CEL expression."""

    name: str
    expression: str


class ExactDeviceRequest(ApiStruct, frozen=True, kw_only=True):
    """`derived_attributes` is of 1.37."""

    device_class_name: str = ""
    selectors: tuple[DeviceSelector, ...] = ()
    allocation_mode: str = ""
    count: Int64 = 0
    admin_access: bool | None = None
    tolerations: tuple[DeviceToleration, ...] = ()
    capacity: CapacityRequirements | None = None
    derived_attributes: tuple[DeviceDerivedAttribute, ...] = ()


class DeviceSubRequest(ApiStruct, frozen=True, kw_only=True):
    """`derived_attributes` is of 1.37."""

    name: str
    device_class_name: str = ""
    selectors: tuple[DeviceSelector, ...] = ()
    allocation_mode: str = ""
    count: Int64 = 0
    tolerations: tuple[DeviceToleration, ...] = ()
    capacity: CapacityRequirements | None = None
    derived_attributes: tuple[DeviceDerivedAttribute, ...] = ()


class DeviceRequest(ApiStruct, frozen=True, kw_only=True):
    name: str
    exactly: ExactDeviceRequest | None = None
    first_available: tuple[DeviceSubRequest, ...] = ()


class DeviceConstraint(ApiStruct, frozen=True, kw_only=True):
    requests: tuple[str, ...] = ()
    match_attribute: str | None = None
    distinct_attribute: str | None = None


class DeviceClaim(ApiStruct, frozen=True, kw_only=True):
    requests: tuple[DeviceRequest, ...] = ()
    constraints: tuple[DeviceConstraint, ...] = ()
    config: tuple[DeviceClaimConfiguration, ...] = ()


class ResourceClaimSpec(ApiStruct, frozen=True, kw_only=True):
    devices: DeviceClaim = DeviceClaim()


class DeviceRequestAllocationResult(ApiStruct, frozen=True, kw_only=True):
    """One device of an allocation.

    `compatibility_groups` is the snapshot of KEP-5963 (profile `kep`); `skip_node_operations` is of 1.37.
    """

    request: str
    driver: str
    pool: str
    device: str
    admin_access: bool | None = None
    tolerations: tuple[DeviceToleration, ...] = ()
    binding_conditions: tuple[str, ...] | None = None
    binding_failure_conditions: tuple[str, ...] | None = None
    share_id: str | None = msgspec.field(default=None, name="shareID")
    consumed_capacity: dict[str, Quantity] | None = None
    compatibility_groups: dict[str, tuple[str, ...]] | None = None
    skip_node_operations: tuple[str, ...] = ()


class DeviceAllocationResult(ApiStruct, frozen=True, kw_only=True):
    results: tuple[DeviceRequestAllocationResult, ...] = ()
    config: tuple[DeviceAllocationConfiguration, ...] = ()


class AllocationResult(ApiStruct, frozen=True, kw_only=True):
    """`status.allocation` of a claim."""

    devices: DeviceAllocationResult = DeviceAllocationResult()
    node_selector: NodeSelector | None = None
    allocation_timestamp: str | None = None


class ResourceClaimConsumerReference(ApiStruct, frozen=True, kw_only=True):
    api_group: str = ""
    resource: str = ""
    name: str = ""
    uid: str = ""


class NetworkDeviceData(ApiStruct, frozen=True, kw_only=True):
    interface_name: str = ""
    ips: tuple[str, ...] = ()
    hardware_address: str = ""


class AllocatedDeviceStatus(ApiStruct, frozen=True, kw_only=True):
    driver: str
    pool: str
    device: str
    share_id: str | None = msgspec.field(default=None, name="shareID")
    conditions: tuple[Condition, ...] = ()
    data: Any = None
    network_data: NetworkDeviceData | None = None


class ResourceClaimStatus(ApiStruct, frozen=True, kw_only=True):
    allocation: AllocationResult | None = None
    reserved_for: tuple[ResourceClaimConsumerReference, ...] = ()
    devices: tuple[AllocatedDeviceStatus, ...] = ()


class ResourceClaim(ApiStruct, frozen=True, kw_only=True):
    metadata: ObjectMeta
    spec: ResourceClaimSpec = ResourceClaimSpec()
    status: ResourceClaimStatus | None = None

    @property
    def key(self) -> str:
        """`namespace/name`, the name claims go by in asks and answers."""
        return f"{self.metadata.namespace or 'default'}/{self.metadata.name}"

    @property
    def allocation(self) -> AllocationResult | None:
        return self.status.allocation if self.status else None


class ResourceClaimTemplateSpec(ApiStruct, frozen=True, kw_only=True):
    metadata: ObjectMeta | None = None
    spec: ResourceClaimSpec = ResourceClaimSpec()


class ResourceClaimTemplate(ApiStruct, frozen=True, kw_only=True):
    metadata: ObjectMeta
    spec: ResourceClaimTemplateSpec = ResourceClaimTemplateSpec()


class DeviceClassSpec(ApiStruct, frozen=True, kw_only=True):
    selectors: tuple[DeviceSelector, ...] = ()
    config: tuple[DeviceConfiguration, ...] = ()
    extended_resource_name: str | None = None


class DeviceClass(ApiStruct, frozen=True, kw_only=True):
    metadata: ObjectMeta
    spec: DeviceClassSpec = DeviceClassSpec()


class DeviceAttribute(ApiStruct, frozen=True, kw_only=True):
    """Exactly one of the members is set; the plural ones are list-type attributes (1.36, alpha)."""

    int_: Int64 | None = msgspec.field(default=None, name="int")
    bool_: bool | None = msgspec.field(default=None, name="bool")
    string: str | None = None
    version: str | None = None
    ints: tuple[Int64, ...] | None = None
    bools: tuple[bool, ...] | None = None
    strings: tuple[str, ...] | None = None
    versions: tuple[str, ...] | None = None


class CapacityRequestPolicyRange(ApiStruct, frozen=True, kw_only=True):
    min: Quantity | None = None
    max: Quantity | None = None
    step: Quantity | None = None


class CapacityRequestPolicy(ApiStruct, frozen=True, kw_only=True):
    """KEP-5075: how a requested amount becomes a consumed one."""

    default: Quantity | None = None
    valid_values: tuple[Quantity, ...] = ()
    valid_range: CapacityRequestPolicyRange | None = None


class DeviceCapacity(ApiStruct, frozen=True, kw_only=True):
    value: Quantity
    request_policy: CapacityRequestPolicy | None = None


class Counter(ApiStruct, frozen=True, kw_only=True):
    value: Quantity


class CounterSet(ApiStruct, frozen=True, kw_only=True):
    name: str
    counters: dict[str, Counter] = {}


class DeviceCounterConsumption(ApiStruct, frozen=True, kw_only=True):
    """What a device takes from a counter set. `compatibility_groups` is KEP-5963."""

    counter_set: str
    counters: dict[str, Counter] = {}
    compatibility_groups: tuple[str, ...] = ()


class DeviceTaint(ApiStruct, frozen=True, kw_only=True):
    key: str
    effect: str
    value: str = ""
    time_added: str | None = None


class NodeAllocatableResourceMapping(ApiStruct, frozen=True, kw_only=True):
    """KEP-5517, with the field names of 1.36."""

    capacity_key: str | None = None
    allocation_multiplier: Quantity | None = None


class NodeAllocatableMapping(ApiStruct, frozen=True, kw_only=True):
    """The amount of a node's resource that a device is, by the capacity consumed or for each device."""

    capacity_key: str | None = None
    capacity_multiplier: Quantity | None = None
    device_multiplier: Quantity | None = None


class NodeAllocatableOverhead(ApiStruct, frozen=True, kw_only=True):
    """The amount of a node's resource that the users of a device need besides."""

    per_pod: Quantity | None = None
    per_container: Quantity | None = None


class NodeAllocatableResource(ApiStruct, frozen=True, kw_only=True):
    """KEP-5517 as in 1.37: what a device means for one of the node's own resources."""

    mapping: NodeAllocatableMapping | None = None
    overhead: NodeAllocatableOverhead | None = None


class Device(ApiStruct, frozen=True, kw_only=True):
    """`node_allocatable_resources` took the place of `node_allocatable_resource_mappings` in 1.37."""

    name: str
    attributes: dict[str, DeviceAttribute] = {}
    capacity: dict[str, DeviceCapacity] = {}
    consumes_counters: tuple[DeviceCounterConsumption, ...] = ()
    node_name: str | None = None
    node_selector: NodeSelector | None = None
    all_nodes: bool | None = None
    taints: tuple[DeviceTaint, ...] = ()
    binds_to_node: bool | None = None
    binding_conditions: tuple[str, ...] | None = None
    binding_failure_conditions: tuple[str, ...] | None = None
    allow_multiple_allocations: bool | None = None
    node_allocatable_resource_mappings: dict[str, NodeAllocatableResourceMapping] = {}
    node_allocatable_resources: dict[str, NodeAllocatableResource] = {}


class ResourcePool(ApiStruct, frozen=True, kw_only=True):
    name: str
    generation: Int64 = 0
    resource_slice_count: Int64 = 0


class ResourceSliceSpec(ApiStruct, frozen=True, kw_only=True):
    """`partition_type_attribute` and `skip_node_operations` are of 1.37."""

    driver: str
    pool: ResourcePool
    node_name: str | None = None
    node_selector: NodeSelector | None = None
    all_nodes: bool | None = None
    per_device_node_selection: bool | None = None
    devices: tuple[Device, ...] = ()
    shared_counters: tuple[CounterSet, ...] = ()
    partition_type_attribute: str | None = None
    skip_node_operations: tuple[str, ...] = ()


class ResourceSlice(ApiStruct, frozen=True, kw_only=True):
    metadata: ObjectMeta
    spec: ResourceSliceSpec


class DeviceTaintSelector(ApiStruct, frozen=True, kw_only=True):
    """Which devices a rule taints; all that is given must match.

    `device_class_name` and `selectors` are of the page on DRA (profile `kep`) and of releases up to 1.34.
    """

    device_class_name: str | None = None
    driver: str | None = None
    pool: str | None = None
    device: str | None = None
    selectors: tuple[DeviceSelector, ...] = ()


class DeviceTaintRuleSpec(ApiStruct, frozen=True, kw_only=True):
    taint: DeviceTaint
    device_selector: DeviceTaintSelector | None = None


class DeviceTaintRuleStatus(ApiStruct, frozen=True, kw_only=True):
    conditions: tuple[Condition, ...] = ()


class DeviceTaintRule(ApiStruct, frozen=True, kw_only=True):
    metadata: ObjectMeta
    spec: DeviceTaintRuleSpec
    status: DeviceTaintRuleStatus | None = None
