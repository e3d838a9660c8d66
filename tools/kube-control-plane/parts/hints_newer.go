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

// concerns is whether a pod is among those that the plugin wants to hear of an event for.
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
