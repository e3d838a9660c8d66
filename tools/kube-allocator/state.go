package main

import (
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/dynamic-resource-allocation/structured"
)

// allocatedState returns the state of allocated claims as kube-scheduler computes it.
func allocatedState(claims []*resourceapi.ResourceClaim, shares bool) structured.AllocatedState {
	state := structured.AllocatedState{
		AllocatedDevices:         sets.New[structured.DeviceID](),
		AllocatedSharedDeviceIDs: sets.New[sharedDevice](),
		AggregatedCapacity:       structured.NewConsumedCapacityCollection(),
	}
	for _, claim := range claims {
		hold(state, claim.Status.Allocation, shares)
	}
	return state
}

// hold adds an allocation. adminAccess does not allocate a device, and a shared allocation counts as shared only if
// consumable capacity is on.
func hold(state structured.AllocatedState, allocation *resourceapi.AllocationResult, shares bool) {
	for _, result := range allocation.Devices.Results {
		if result.AdminAccess != nil && *result.AdminAccess {
			continue
		}
		device := structured.MakeDeviceID(result.Driver, result.Pool, result.Device)
		if !shares || result.ShareID == nil {
			state.AllocatedDevices.Insert(device)
			continue
		}
		state.AllocatedSharedDeviceIDs.Insert(makeSharedDevice(device, result.ShareID))
		if result.ConsumedCapacity != nil {
			state.AggregatedCapacity.Insert(structured.NewDeviceConsumedCapacity(device, result.ConsumedCapacity))
		}
	}
}
