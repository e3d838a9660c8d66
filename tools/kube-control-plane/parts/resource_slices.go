//go:build !kube36 && !kube37

package main

import (
	resourcev1 "k8s.io/api/resource/v1"
	draapi "k8s.io/dynamic-resource-allocation/api"
)

type resourceSlice = draapi.ResourceSlice

// trackedSlices returns ResourceSlices as the scheduler caches them: in a type of the library since 1.38.
func trackedSlices(published []*resourcev1.ResourceSlice) ([]*resourceSlice, error) {
	slices := make([]*resourceSlice, len(published))
	for i, slice := range published {
		slices[i] = new(resourceSlice)
		if err := draapi.Convert_v1_ResourceSlice_To_api_ResourceSlice(slice, slices[i], nil); err != nil {
			return nil, err
		}
	}
	return slices, nil
}
