//go:build !kube36

package main

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources"
)

// recorded returns what the plugin records in the status of a pod on a node for allocated claims.
func (s *scheduler) recorded(state fwk.CycleState, pod *corev1.Pod, node fwk.NodeInfo) ([]corev1.NodeAllocatableResourceClaimStatus, *fwk.Status) {
	if _, said := s.devices.PreFilter(s.ctx, state, pod, []fwk.NodeInfo{node}); !said.IsSuccess() {
		return nil, said
	}
	if said := s.devices.Filter(s.ctx, state, pod, node); !said.IsSuccess() {
		return nil, said
	}
	return dynamicresources.ExtractPodNodeAllocatableResourceClaimStatus(klog.Background(), state, node.Node().Name), nil
}
