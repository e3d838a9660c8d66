"""The fields and field numbers of the messages in protobuf bodies of the Kubernetes API.

A message is a text of fields: `name=1` is a string, `count=4:int` has another type, `devices=6[Device` is a
list, `labels=11{string` a map by string. Names are those of JSON.
"""

from __future__ import annotations

from collections.abc import Mapping

COMMON: Mapping[str, str] = {
    "Unknown": "typeMeta=1:TypeMeta raw=2:bytes contentEncoding=3 contentType=4",
    "TypeMeta": "apiVersion=1 kind=2",
    "Time": "seconds=1:int nanos=2:int",
    "Quantity": "string=1",
    "RawExtension": "raw=1:bytes",
    "FieldsV1": "Raw=1:bytes",
    "ObjectMeta": (
        "name=1 generateName=2 namespace=3 uid=5 resourceVersion=6 generation=7:int "
        "creationTimestamp=8:Time deletionTimestamp=9:Time deletionGracePeriodSeconds=10:int "
        "labels=11{string annotations=12{string ownerReferences=13[OwnerReference "
        "finalizers=14[string managedFields=17[ManagedFieldsEntry"
    ),
    "OwnerReference": "kind=1 name=3 uid=4 apiVersion=5 controller=6:bool blockOwnerDeletion=7:bool",
    "ManagedFieldsEntry": (
        "manager=1 operation=2 apiVersion=3 time=4:Time fieldsType=6 fieldsV1=7:FieldsV1 subresource=8"
    ),
    "DeleteOptions": (
        "gracePeriodSeconds=1:int preconditions=2:Preconditions orphanDependents=3:bool "
        "propagationPolicy=4 dryRun=5[string"
    ),
    "Preconditions": "uid=1 resourceVersion=2",
    "Condition": "type=1 status=2 observedGeneration=3:int lastTransitionTime=4:Time reason=5 message=6",
    "NodeSelector": "nodeSelectorTerms=1[NodeSelectorTerm",
    "NodeSelectorTerm": "matchExpressions=1[NodeSelectorRequirement matchFields=2[NodeSelectorRequirement",
    "NodeSelectorRequirement": "key=1 operator=2 values=3[string",
}
"""Protobuf messages of the API machinery, such as ObjectMeta."""

_RESOURCE: Mapping[str, str] = {
    "ResourceSlice": "metadata=1:ObjectMeta spec=2:ResourceSliceSpec",
    "ResourceSliceSpec": (
        "driver=1 pool=2:ResourcePool nodeName=3 nodeSelector=4:NodeSelector allNodes=5:bool "
        "devices=6[Device perDeviceNodeSelection=7:bool sharedCounters=8[CounterSet "
        "partitionTypeAttribute=9 skipNodeOperations=10[string"
    ),
    "ResourcePool": "name=1 generation=2:int resourceSliceCount=3:int",
    "CounterSet": "name=1 counters=2{Counter",
    "Counter": "value=1:Quantity",
    "DeviceAttribute": (
        "int=2:int bool=3:bool string=4 version=5 ints=6[int bools=7[bool strings=8[string versions=9[string"
    ),
    "DeviceCapacity": "value=1:Quantity requestPolicy=2:CapacityRequestPolicy",
    "CapacityRequestPolicy": (
        "default=1:Quantity validValues=3[Quantity validRange=4:CapacityRequestPolicyRange"
    ),
    "CapacityRequestPolicyRange": "min=1:Quantity max=2:Quantity step=3:Quantity",
    "DeviceCounterConsumption": "counterSet=1 counters=2{Counter compatibilityGroups=3[string",
    "DeviceTaint": "key=1 value=2 effect=3 timeAdded=4:Time",
    "NodeAllocatableResource": "mapping=3:NodeAllocatableMapping overhead=4:NodeAllocatableOverhead",
    "NodeAllocatableMapping": "capacityKey=1 capacityMultiplier=2:Quantity deviceMultiplier=3:Quantity",
    "NodeAllocatableOverhead": "perPod=1:Quantity perContainer=2:Quantity",
    "ResourceClaim": "metadata=1:ObjectMeta spec=2:ResourceClaimSpec status=3:ResourceClaimStatus",
    "ResourceClaimSpec": "devices=1:DeviceClaim",
    "DeviceClaim": (
        "requests=1[DeviceRequest constraints=2[DeviceConstraint config=3[DeviceClaimConfiguration"
    ),
    "DeviceConstraint": "requests=1[string matchAttribute=2 distinctAttribute=3",
    "DeviceClaimConfiguration": "requests=1[string deviceConfiguration=2:DeviceConfiguration",
    "DeviceConfiguration": "opaque=1:OpaqueDeviceConfiguration",
    "OpaqueDeviceConfiguration": "driver=1 parameters=2:RawExtension",
    "DeviceSelector": "cel=1:CELDeviceSelector",
    "CELDeviceSelector": "expression=1",
    "DeviceToleration": "key=1 operator=2 value=3 effect=4 tolerationSeconds=5:int",
    "CapacityRequirements": "requests=1{Quantity",
    "DeviceDerivedAttribute": "name=1 expression=2",
    "ResourceClaimStatus": (
        "allocation=1:AllocationResult reservedFor=2[ResourceClaimConsumerReference "
        "devices=4[AllocatedDeviceStatus"
    ),
    "AllocationResult": (
        "devices=1:DeviceAllocationResult nodeSelector=3:NodeSelector allocationTimestamp=5:Time"
    ),
    "DeviceAllocationResult": (
        "results=1[DeviceRequestAllocationResult config=2[DeviceAllocationConfiguration"
    ),
    "DeviceRequestAllocationResult": (
        "request=1 driver=2 pool=3 device=4 adminAccess=5:bool tolerations=6[DeviceToleration "
        "bindingConditions=7[string bindingFailureConditions=8[string shareID=9 "
        "consumedCapacity=10{Quantity skipNodeOperations=11[string"
    ),
    "DeviceAllocationConfiguration": "source=1 requests=2[string deviceConfiguration=3:DeviceConfiguration",
    "ResourceClaimConsumerReference": "apiGroup=1 resource=3 name=4 uid=5",
    "AllocatedDeviceStatus": (
        "driver=1 pool=2 device=3 conditions=4[Condition data=5:RawExtension "
        "networkData=6:NetworkDeviceData shareID=7"
    ),
    "NetworkDeviceData": "interfaceName=1 ips=2[string hardwareAddress=3",
}
"""Messages of resource.k8s.io that are the same in v1, v1beta2 and v1beta1."""

_V1: Mapping[str, str] = {
    "Device": (
        "name=1 attributes=2{DeviceAttribute capacity=3{DeviceCapacity "
        "consumesCounters=4[DeviceCounterConsumption nodeName=5 nodeSelector=6:NodeSelector "
        "allNodes=7:bool taints=8[DeviceTaint bindsToNode=9:bool bindingConditions=10[string "
        "bindingFailureConditions=11[string allowMultipleAllocations=12:bool "
        "nodeAllocatableResources=14{NodeAllocatableResource"
    ),
    "DeviceRequest": "name=1 exactly=2:ExactDeviceRequest firstAvailable=3[DeviceSubRequest",
    "ExactDeviceRequest": (
        "deviceClassName=1 selectors=2[DeviceSelector allocationMode=3 count=4:int adminAccess=5:bool "
        "tolerations=6[DeviceToleration capacity=7:CapacityRequirements "
        "derivedAttributes=8[DeviceDerivedAttribute"
    ),
    "DeviceSubRequest": (
        "name=1 deviceClassName=2 selectors=3[DeviceSelector allocationMode=4 count=5:int "
        "tolerations=6[DeviceToleration capacity=7:CapacityRequirements "
        "derivedAttributes=8[DeviceDerivedAttribute"
    ),
}

_V1BETA1: Mapping[str, str] = {
    "Device": "name=1 basic=2:BasicDevice",
    "BasicDevice": (
        "attributes=1{DeviceAttribute capacity=2{DeviceCapacity "
        "consumesCounters=3[DeviceCounterConsumption nodeName=4 nodeSelector=5:NodeSelector "
        "allNodes=6:bool taints=7[DeviceTaint bindsToNode=8:bool bindingConditions=9[string "
        "bindingFailureConditions=10[string allowMultipleAllocations=11:bool "
        "nodeAllocatableResources=14{NodeAllocatableResource"
    ),
    "DeviceRequest": (
        "name=1 deviceClassName=2 selectors=3[DeviceSelector allocationMode=4 count=5:int "
        "adminAccess=6:bool firstAvailable=7[DeviceSubRequest tolerations=8[DeviceToleration "
        "capacity=9:CapacityRequirements derivedAttributes=10[DeviceDerivedAttribute"
    ),
    "DeviceSubRequest": (
        "name=1 deviceClassName=2 selectors=3[DeviceSelector allocationMode=4 count=5:int "
        "tolerations=7[DeviceToleration capacity=8:CapacityRequirements "
        "derivedAttributes=9[DeviceDerivedAttribute"
    ),
}

VERSIONS: Mapping[str, Mapping[str, str]] = {
    "v1": {**COMMON, **_RESOURCE, **_V1},
    "v1beta2": {**COMMON, **_RESOURCE, **_V1},
    "v1beta1": {**COMMON, **_RESOURCE, **_V1BETA1},
}
"""All protobuf messages by API version."""
