"""The releases in which a field exists; in other releases it is an unknown field."""

from __future__ import annotations

from dataclasses import dataclass

from dra_conform.kube.profile import KEP_FUTURE, Profile


@dataclass(frozen=True, slots=True)
class Known:
    """The first release with a field, and the last one if the field was removed.

    The profile `kep` has all these fields. `documents_only`: no release has the field. `sketched`: the
    specification only considers the field, so that only `kep-future` has it.
    """

    since: str = "1.32"
    until: str = ""
    documents_only: bool = False
    sketched: bool = False

    def by(self, profile: Profile) -> bool:
        """Whether the field exists in the API server of a profile."""
        if self.sketched:
            return profile.name == KEP_FUTURE
        if profile.release is None:
            return True
        if self.documents_only or profile.before(self.since):
            return False
        return not self.until or profile.before(self.until) or profile.release == self.until


FIELDS: dict[str, Known] = {
    "ResourceSliceSpec.perDeviceNodeSelection": Known("1.33"),
    "ResourceSliceSpec.sharedCounters": Known("1.33"),
    "ResourceSliceSpec.partitionTypeAttribute": Known("1.37"),
    "ResourceSliceSpec.skipNodeOperations": Known("1.37"),
    "Device.consumesCounters": Known("1.33"),
    "Device.nodeName": Known("1.33"),
    "Device.nodeSelector": Known("1.33"),
    "Device.allNodes": Known("1.33"),
    "Device.taints": Known("1.33"),
    "Device.bindsToNode": Known("1.34"),
    "Device.bindingConditions": Known("1.34"),
    "Device.bindingFailureConditions": Known("1.34"),
    "Device.allowMultipleAllocations": Known("1.34"),
    "Device.nodeAllocatableResourceMappings": Known("1.36", until="1.36"),
    "Device.nodeAllocatableResources": Known("1.37"),
    "DeviceCapacity.requestPolicy": Known("1.34"),
    "DeviceCounterConsumption.compatibilityGroups": Known("1.37"),
    "DeviceAttribute.ints": Known("1.36"),
    "DeviceAttribute.bools": Known("1.36"),
    "DeviceAttribute.strings": Known("1.36"),
    "DeviceAttribute.versions": Known("1.36"),
    "DeviceRequest.firstAvailable": Known("1.33"),
    "ExactDeviceRequest.tolerations": Known("1.33"),
    "ExactDeviceRequest.capacity": Known("1.34"),
    "ExactDeviceRequest.derivedAttributes": Known("1.37"),
    "DeviceSubRequest.tolerations": Known("1.33"),
    "DeviceSubRequest.capacity": Known("1.34"),
    "DeviceSubRequest.derivedAttributes": Known("1.37"),
    "DeviceConstraint.distinctAttribute": Known("1.34"),
    "AllocationResult.allocationTimestamp": Known("1.34"),
    "DeviceRequestAllocationResult.tolerations": Known("1.33"),
    "DeviceRequestAllocationResult.bindingConditions": Known("1.34"),
    "DeviceRequestAllocationResult.bindingFailureConditions": Known("1.34"),
    "DeviceRequestAllocationResult.shareID": Known("1.34"),
    "DeviceRequestAllocationResult.consumedCapacity": Known("1.34"),
    "DeviceRequestAllocationResult.compatibilityGroups": Known(documents_only=True),
    "DeviceRequestAllocationResult.skipNodeOperations": Known("1.37"),
    "AllocatedDeviceStatus.shareID": Known("1.34"),
    "DeviceClassSpec.extendedResourceName": Known("1.34"),
    "DeviceClassSpec.managesNodeAllocatableResources": Known(sketched=True),
    "DeviceClassSpec.nodeAllocatableResourceAccountingPolicies": Known(sketched=True),
    "NodeAllocatableResourceMapping.accountingPolicy": Known(sketched=True),
    "DeviceTaintSelector.deviceClassName": Known("1.33", until="1.34"),
    "DeviceTaintSelector.selectors": Known("1.33", until="1.34"),
    "DeviceTaintRule.status": Known("1.35"),
    "PodSpec.resources": Known("1.34"),
    "PodStatus.extendedResourceClaimStatus": Known("1.34"),
    "PodStatus.nodeAllocatableResourceClaimStatuses": Known("1.36"),
    "NodeAllocatableResourceClaimStatus.resources": Known("1.36", until="1.36"),
    "NodeAllocatableResourceClaimStatus.mapping": Known("1.37"),
    "NodeAllocatableResourceClaimStatus.overhead": Known("1.37"),
}
"""The fields by `struct.field`; other fields exist in every profile."""
