//go:build kube36

package main

import (
	"context"
	"reflect"
	"unsafe"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/types"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/names"
)

// recorded returns what the plugin would record in the status of a pod on a node if it allocated the claims now. Claims
// that are already allocated do not count in this release.
func (s *scheduler) recorded(state fwk.CycleState, pod *corev1.Pod, node fwk.NodeInfo) ([]corev1.NodeAllocatableResourceClaimStatus, *fwk.Status) {
	if _, said := s.devices.PreFilter(s.ctx, state, pod, []fwk.NodeInfo{node}); !said.IsSuccess() {
		return nil, said
	}
	if said := s.devices.Filter(s.ctx, state, pod, node); !said.IsSuccess() {
		return nil, said
	}
	data, err := state.Read(names.DynamicResources)
	if err != nil {
		return nil, fwk.AsStatus(err)
	}
	allocations := map[types.UID]*resourcev1.AllocationResult{}
	for _, claim := range s.world.claims {
		allocations[claim.UID] = claim.Status.Allocation
	}
	own := reflect.ValueOf(data).UnsafePointer()
	return calculateAndCheckNodeAllocatableResources(s.devices, s.ctx, own, pod, node, allocations)
}

// The plugin calls this function only when it allocates, and the type of its state is not exported.
//
//go:linkname calculateAndCheckNodeAllocatableResources k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources.(*DynamicResources).calculateAndCheckNodeAllocatableResources
func calculateAndCheckNodeAllocatableResources(plugin *dynamicresources.DynamicResources, ctx context.Context,
	state unsafe.Pointer, pod *corev1.Pod, node fwk.NodeInfo, allocations map[types.UID]*resourcev1.AllocationResult,
) ([]corev1.NodeAllocatableResourceClaimStatus, *fwk.Status)
