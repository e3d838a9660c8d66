"""DeviceClasses and DeviceClaims: requests, selectors, constraints, configuration and tolerations."""

from __future__ import annotations

from typing import Any

from dra_conform.kube.meta import ApiStruct, Int64, ObjectMeta
from dra_conform.kube.quantity import Quantity

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
    """An entry of `spec.config` of a DeviceClass."""

    opaque: OpaqueDeviceConfiguration | None = None


class DeviceClaimConfiguration(ApiStruct, frozen=True, kw_only=True):
    """An entry of `spec.devices.config` of a ResourceClaim; empty `requests` means all requests."""

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
    """The requested capacity of each device, by capacity name (KEP-5075)."""

    requests: dict[str, Quantity] = {}


class DeviceDerivedAttribute(ApiStruct, frozen=True, kw_only=True):
    """An attribute that a CEL expression computes from each device, only for constraints (1.37, alpha)."""

    name: str
    expression: str


class ExactDeviceRequest(ApiStruct, frozen=True, kw_only=True):
    """The `exactly` of a request. `derived_attributes` exists since 1.37."""

    device_class_name: str = ""
    selectors: tuple[DeviceSelector, ...] = ()
    allocation_mode: str = ""
    count: Int64 = 0
    admin_access: bool | None = None
    tolerations: tuple[DeviceToleration, ...] = ()
    capacity: CapacityRequirements | None = None
    derived_attributes: tuple[DeviceDerivedAttribute, ...] = ()


class DeviceSubRequest(ApiStruct, frozen=True, kw_only=True):
    """An entry of the prioritized list `firstAvailable`. `derived_attributes` exists since 1.37."""

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


class DeviceClassSpec(ApiStruct, frozen=True, kw_only=True):
    """The spec of a DeviceClass.

    The fields for node allocatable resources are only sketched in KEP-5517; keys are names of resources.
    """

    selectors: tuple[DeviceSelector, ...] = ()
    config: tuple[DeviceConfiguration, ...] = ()
    extended_resource_name: str | None = None
    manages_node_allocatable_resources: bool | None = None
    node_allocatable_resource_accounting_policies: dict[str, str] = {}


class DeviceClass(ApiStruct, frozen=True, kw_only=True):
    metadata: ObjectMeta
    spec: DeviceClassSpec = DeviceClassSpec()
