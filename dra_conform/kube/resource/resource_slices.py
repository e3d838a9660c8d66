"""ResourceSlices: devices with attributes, capacities, counters and taints, and their pool."""

from __future__ import annotations

import msgspec

from dra_conform.kube.meta import ApiStruct, Int64, NodeSelector, ObjectMeta
from dra_conform.kube.quantity import Quantity


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
    """KEP-5517, with the field names of 1.36. `accounting_policy` is a sketch there."""

    capacity_key: str | None = None
    allocation_multiplier: Quantity | None = None
    accounting_policy: str | None = None


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
