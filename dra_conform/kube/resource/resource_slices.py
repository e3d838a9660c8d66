"""ResourceSlices, with attributes, capacities, counters and taints of devices, and DeviceTaintRules."""

from __future__ import annotations

import msgspec

from dra_conform.kube.meta import ApiStruct, Condition, Int64, NodeSelector, ObjectMeta
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource.device_requests import DeviceSelector


class DeviceAttribute(ApiStruct, frozen=True, kw_only=True):
    """The value of a device attribute: exactly one field is set.

    Lists are list-type attributes (1.36, alpha).
    """

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
    """The `requestPolicy` of a capacity, which gives consumed capacity for requested capacity (KEP-5075)."""

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
    """The counters that a device consumes from one counter set; `compatibility_groups` is from KEP-5963."""

    counter_set: str
    counters: dict[str, Counter] = {}
    compatibility_groups: tuple[str, ...] = ()


class DeviceTaint(ApiStruct, frozen=True, kw_only=True):
    key: str
    effect: str
    value: str = ""
    time_added: str | None = None

    @property
    def text(self) -> str:
        """The taint as `key=value:effect`, as kubectl writes taints of nodes."""
        value = f"={self.value}" if self.value else ""
        return f"{self.key}{value}:{self.effect}"


class NodeAllocatableResourceMapping(ApiStruct, frozen=True, kw_only=True):
    """The mapping of a device to node allocatable resources, with the field names of 1.36 (KEP-5517).

    `accounting_policy` is only sketched in the KEP.
    """

    capacity_key: str | None = None
    allocation_multiplier: Quantity | None = None
    accounting_policy: str | None = None


class NodeAllocatableMapping(ApiStruct, frozen=True, kw_only=True):
    """The quantity of a node allocatable resource, per consumed capacity or per device."""

    capacity_key: str | None = None
    capacity_multiplier: Quantity | None = None
    device_multiplier: Quantity | None = None


class NodeAllocatableOverhead(ApiStruct, frozen=True, kw_only=True):
    """The additional quantity of a node allocatable resource for each pod or container that uses a device."""

    per_pod: Quantity | None = None
    per_container: Quantity | None = None


class NodeAllocatableResource(ApiStruct, frozen=True, kw_only=True):
    """The mapping and overhead of a device for one node allocatable resource, as in 1.37 (KEP-5517)."""

    mapping: NodeAllocatableMapping | None = None
    overhead: NodeAllocatableOverhead | None = None


class Device(ApiStruct, frozen=True, kw_only=True):
    """A device. In 1.37 `node_allocatable_resources` replaced `node_allocatable_resource_mappings`."""

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
    """The spec of a ResourceSlice. `partition_type_attribute` and `skip_node_operations` exist since 1.37."""

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
    """The devices that a DeviceTaintRule taints; every field that is set must match.

    `device_class_name` and `selectors` exist on the DRA page (profile `kep`) and in releases until 1.34.
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
