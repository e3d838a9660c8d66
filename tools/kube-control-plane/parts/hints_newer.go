//go:build !kube36

package main

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// concerns returns whether the plugin handles an event for a pod.
func concerns(pod *corev1.Pod, registered fwk.ClusterEventWithHint, happened changed) bool {
	if registered.PreQueueingHintFn == nil {
		return true
	}
	found, err := registered.PreQueueingHintFn(klog.Background(), happened.before, happened.after)
	return err != nil || found.AllPods ||
		slices.Contains(found.Pods, types.NamespacedName{Namespace: pod.Namespace, Name: pod.Name})
}

func podEvents(pod, before, after *corev1.Pod) []fwk.ClusterEvent {
	return framework.PodSchedulingPropertiesChange(after, before, after.UID == pod.UID)
}
