package main

import (
	"context"
	"unique"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/sets"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/controllers/dynamicresources/deviceallocation"
	"sigs.k8s.io/karpenter/pkg/scheduling"
	"sigs.k8s.io/karpenter/pkg/scheduling/dynamicresources"
)

// allocatedDevices returns the devices of allocated claims as Karpenter's own controller does. No pod of a case is
// being deleted, so no device is about to be released.
func allocatedDevices(ctx context.Context, world *world) (dynamicresources.AllocatedDeviceState, error) {
	state := dynamicresources.AllocatedDeviceState{
		ExclusiveDevices: sets.New[cloudprovider.DeviceID](),
		ConsumedCapacity: map[cloudprovider.DeviceID]map[resourceapi.QualifiedName]resource.Quantity{},
	}
	controller := deviceallocation.NewController(world)
	controller.Hydrate(ctx)
	devices, err := controller.AllocatedDevices(ctx)
	if err != nil {
		return state, err
	}
	for device, held := range devices {
		if held.Shared {
			state.ConsumedCapacity[device] = held.ConsumedCapacity
		} else {
			state.ExclusiveDevices.Insert(device)
		}
	}
	return state, nil
}

// instanceType is the instance type of every node. Only nodes that could be launched have several.
var instanceType = unique.Make("existing")

// existingNode is an existing node whose drivers have published all their slices.
type existingNode struct{ *corev1.Node }

func (n existingNode) ID() dynamicresources.NodeClaimID { return unique.Make(n.Name) }

func (n existingNode) NodeName() string { return n.Name }

func (n existingNode) NodePoolID() dynamicresources.NodePoolID { return unique.Make("") }

func (n existingNode) Requirements() scheduling.Requirements {
	return scheduling.NewLabelRequirements(n.Labels)
}

func (n existingNode) InstanceTypes() []dynamicresources.InstanceTypeID {
	return []dynamicresources.InstanceTypeID{instanceType}
}

func (n existingNode) ResourceSlices() map[dynamicresources.InstanceTypeID][]dynamicresources.ResourceSlice {
	return nil
}
