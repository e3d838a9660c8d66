package main

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// helps returns whether the plugin for claims queues a pod again because of a change.
func (c *scheduling) helps(pod *corev1.Pod, happened changed) bool {
	registered, err := c.devices.EventsToRegister(c.ctx)
	must(err)
	for _, event := range eventsOf(pod, happened) {
		for _, one := range registered {
			if framework.MatchClusterEvents(one.Event, event) && c.queues(pod, one, happened) {
				return true
			}
		}
	}
	return false
}

func (c *scheduling) queues(pod *corev1.Pod, registered fwk.ClusterEventWithHint, happened changed) bool {
	if !concerns(pod, registered, happened) {
		return false
	}
	if registered.QueueingHintFn == nil {
		return true
	}
	hint, err := registered.QueueingHintFn(klog.Background(), pod, happened.before, happened.after)
	return err != nil || hint == fwk.Queue
}

// eventsOf returns the scheduler's events for a change.
func eventsOf(pod *corev1.Pod, happened changed) []fwk.ClusterEvent {
	if happened.before != nil && happened.after != nil {
		switch after := happened.after.(type) {
		case *corev1.Node:
			return framework.NodeSchedulingPropertiesChange(after, happened.before.(*corev1.Node))
		case *corev1.Pod:
			return podEvents(pod, happened.before.(*corev1.Pod), after)
		}
	}
	if happened.kind == "Pod" {
		return nil
	}
	return []fwk.ClusterEvent{{Resource: happened.kind, ActionType: happened.action()}}
}
