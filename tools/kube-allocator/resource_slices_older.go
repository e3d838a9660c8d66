//go:build kube34 || kube35 || kube36 || kube37

package main

import (
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
)

type (
	resourceSlice = resourceapi.ResourceSlice
	sharedDevice  = structured.SharedDeviceID
)

// trackedSlices returns ResourceSlices as the scheduler caches them.
func trackedSlices(published []*resourceapi.ResourceSlice) ([]*resourceSlice, error) {
	return published, nil
}

func makeSharedDevice(device structured.DeviceID, share *types.UID) sharedDevice {
	return structured.MakeSharedDeviceID(device, share)
}

func celDevice(device evaluationDevice) (cel.Device, error) {
	return cel.Device{
		Driver:                   device.Driver,
		AllowMultipleAllocations: device.AllowMultipleAllocations,
		Attributes:               device.Attributes,
		Capacity:                 device.Capacity,
	}, nil
}
