"""ResourceClaims with their status, and ResourceClaimTemplates."""

from __future__ import annotations

from typing import Any

import msgspec

from dra_conform.kube.meta import ApiStruct, Condition, NodeSelector, ObjectMeta
from dra_conform.kube.quantity import Quantity
from dra_conform.kube.resource.device_requests import (
    DeviceAllocationConfiguration,
    DeviceClaim,
    DeviceToleration,
)


class ResourceClaimSpec(ApiStruct, frozen=True, kw_only=True):
    devices: DeviceClaim = DeviceClaim()


class DeviceRequestAllocationResult(ApiStruct, frozen=True, kw_only=True):
    """An allocated device, an entry of `status.allocation.devices.results`.

    `compatibility_groups` has the recorded groups of KEP-5963 (profile `kep`). `skip_node_operations` exists
    since 1.37.
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
        """`namespace/name`, the key of the claim in requests and replies."""
        return f"{self.metadata.namespace or 'default'}/{self.metadata.name}"

    @property
    def allocation(self) -> AllocationResult | None:
        """`status.allocation`, None for an unallocated claim."""
        return self.status.allocation if self.status else None


class ResourceClaimTemplateSpec(ApiStruct, frozen=True, kw_only=True):
    metadata: ObjectMeta = ObjectMeta()
    spec: ResourceClaimSpec = ResourceClaimSpec()


class ResourceClaimTemplate(ApiStruct, frozen=True, kw_only=True):
    metadata: ObjectMeta
    spec: ResourceClaimTemplateSpec = ResourceClaimTemplateSpec()
