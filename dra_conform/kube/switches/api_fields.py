"""The profiles in which a field or an API version exists.

`kep` has every field, and `kep-future` also those that the specification only considers. A field that is not
listed exists in every profile.
"""

from __future__ import annotations

from collections.abc import Mapping

from dra_conform.kube.switches.declarations import ProfileCondition, when

EVERYWHERE = when("kep", "since 1.33")

FIELDS: Mapping[str, ProfileCondition] = {
    "ResourceSliceSpec.partitionTypeAttribute": when("kep", "since 1.37"),
    "ResourceSliceSpec.skipNodeOperations": when("kep", "since 1.37"),
    "Device.bindsToNode": when("kep", "since 1.34"),
    "Device.bindingConditions": when("kep", "since 1.34"),
    "Device.bindingFailureConditions": when("kep", "since 1.34"),
    "Device.allowMultipleAllocations": when("kep", "since 1.34"),
    "Device.nodeAllocatableResourceMappings": when("kep", "in 1.36"),
    "Device.nodeAllocatableResources": when("kep", "since 1.37"),
    "DeviceCapacity.requestPolicy": when("kep", "since 1.34"),
    "DeviceCounterConsumption.compatibilityGroups": when("kep", "since 1.37"),
    "DeviceAttribute.ints": when("kep", "since 1.36"),
    "DeviceAttribute.bools": when("kep", "since 1.36"),
    "DeviceAttribute.strings": when("kep", "since 1.36"),
    "DeviceAttribute.versions": when("kep", "since 1.36"),
    "ExactDeviceRequest.capacity": when("kep", "since 1.34"),
    "ExactDeviceRequest.derivedAttributes": when("kep", "since 1.37"),
    "DeviceSubRequest.capacity": when("kep", "since 1.34"),
    "DeviceSubRequest.derivedAttributes": when("kep", "since 1.37"),
    "DeviceConstraint.distinctAttribute": when("kep", "since 1.34"),
    "AllocationResult.allocationTimestamp": when("kep", "since 1.34"),
    "DeviceRequestAllocationResult.bindingConditions": when("kep", "since 1.34"),
    "DeviceRequestAllocationResult.bindingFailureConditions": when("kep", "since 1.34"),
    "DeviceRequestAllocationResult.shareID": when("kep", "since 1.34"),
    "DeviceRequestAllocationResult.consumedCapacity": when("kep", "since 1.34"),
    "DeviceRequestAllocationResult.compatibilityGroups": when("kep"),
    "DeviceRequestAllocationResult.skipNodeOperations": when("kep", "since 1.37"),
    "AllocatedDeviceStatus.shareID": when("kep", "since 1.34"),
    "DeviceClassSpec.extendedResourceName": when("kep", "since 1.34"),
    "DeviceClassSpec.managesNodeAllocatableResources": when("kep-future"),
    "DeviceClassSpec.nodeAllocatableResourceAccountingPolicies": when("kep-future"),
    "NodeAllocatableResourceMapping.accountingPolicy": when("kep-future"),
    "DeviceTaintSelector.deviceClassName": when("kep", "until 1.34"),
    "DeviceTaintSelector.selectors": when("kep", "until 1.34"),
    "DeviceTaintRule.status": when("kep", "since 1.35"),
    "PodSpec.resources": when("kep", "since 1.34"),
    "PodStatus.extendedResourceClaimStatus": when("kep", "since 1.34"),
    "PodStatus.nodeAllocatableResourceClaimStatuses": when("kep", "since 1.36"),
    "NodeAllocatableResourceClaimStatus.resources": when("kep", "in 1.36"),
    "NodeAllocatableResourceClaimStatus.mapping": when("kep", "since 1.37"),
    "NodeAllocatableResourceClaimStatus.overhead": when("kep", "since 1.37"),
}
"""The fields by `struct.field`."""

_VERSIONS_OF_DRA = {
    "resource.k8s.io/v1": when("kep", "since 1.34"),
    "resource.k8s.io/v1beta2": EVERYWHERE,
    "resource.k8s.io/v1beta1": when("kep", "until 1.37"),
}
_VERSIONS_OF_CORE = {"v1": EVERYWHERE}

VERSIONS: Mapping[str, Mapping[str, ProfileCondition]] = {
    "DeviceClass": _VERSIONS_OF_DRA,
    "ResourceClaim": _VERSIONS_OF_DRA,
    "ResourceClaimTemplate": _VERSIONS_OF_DRA,
    "ResourceSlice": _VERSIONS_OF_DRA,
    "DeviceTaintRule": {
        "resource.k8s.io/v1": when("kep", "since 1.37"),
        "resource.k8s.io/v1beta2": when("kep", "since 1.36"),
        "resource.k8s.io/v1alpha3": EVERYWHERE,
    },
    "Namespace": _VERSIONS_OF_CORE,
    "Node": _VERSIONS_OF_CORE,
    "Pod": _VERSIONS_OF_CORE,
    "ResourceQuota": _VERSIONS_OF_CORE,
}
"""The API versions of each kind, the newest first; alpha and beta versions count as enabled."""
