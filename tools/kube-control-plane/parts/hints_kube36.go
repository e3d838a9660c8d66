//go:build kube36

package main

import (
	corev1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

func concerns(*corev1.Pod, fwk.ClusterEventWithHint, changed) bool { return true }

func podEvents(_, before, after *corev1.Pod) []fwk.ClusterEvent {
	return framework.PodSchedulingPropertiesChange(after, before)
}
