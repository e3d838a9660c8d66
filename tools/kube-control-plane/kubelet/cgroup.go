//go:build !kube34 && !kube35

package main

import (
	corev1 "k8s.io/api/core/v1"
	kubeletconfig "k8s.io/kubernetes/pkg/kubelet/apis/config"
	"k8s.io/kubernetes/pkg/kubelet/cm"
)

const cpuPeriod = 100000 // microseconds, the default of the kubelet

// cgroup returns the CPU and memory settings of a pod's cgroup; those that the kubelet does not set are left out.
func cgroup(pod *corev1.Pod) (any, error) {
	settings := cm.ResourceConfigForPod(pod, true, cpuPeriod, false, kubeletconfig.NoneMemoryReservationPolicy)
	return struct {
		CPUShares *uint64 `json:"cpuShares,omitempty"`
		CPUQuota  *int64  `json:"cpuQuota,omitempty"` // microseconds in each period
		Memory    *int64  `json:"memory,omitempty"`   // bytes
	}{settings.CPUShares, settings.CPUQuota, settings.Memory}, nil
}
