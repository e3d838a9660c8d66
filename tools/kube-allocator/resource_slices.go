//go:build !kube34 && !kube35 && !kube36 && !kube37

package main

import (
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/types"
	draapi "k8s.io/dynamic-resource-allocation/api"
	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
)

type (
	resourceSlice = draapi.ResourceSlice
	sharedDevice  = structured.DeviceID
)

// trackedSlices returns ResourceSlices as the scheduler caches them: in a type of the library since 1.38.
func trackedSlices(published []*resourceapi.ResourceSlice) ([]*resourceSlice, error) {
	slices := make([]*resourceSlice, len(published))
	for i, slice := range published {
		slices[i] = new(resourceSlice)
		if err := draapi.Convert_v1_ResourceSlice_To_api_ResourceSlice(slice, slices[i], nil); err != nil {
			return nil, err
		}
	}
	return slices, nil
}

func makeSharedDevice(device structured.DeviceID, _ *types.UID) sharedDevice {
	return device
}

func celDevice(device evaluationDevice) (cel.Device, error) {
	published := &resourceapi.ResourceSlice{Spec: resourceapi.ResourceSliceSpec{
		Driver:  device.Driver,
		Devices: []resourceapi.Device{device.Device},
	}}
	slices, err := trackedSlices([]*resourceapi.ResourceSlice{published})
	if err != nil {
		return cel.Device{}, err
	}
	converted := slices[0].Spec.Devices[0]
	return cel.Device{
		Driver:                   device.Driver,
		AllowMultipleAllocations: converted.AllowMultipleAllocations,
		Attributes:               converted.Attributes,
		Capacity:                 converted.Capacity,
		LookupUniqueString:       slices[0].LookupUniqueString,
	}, nil
}
