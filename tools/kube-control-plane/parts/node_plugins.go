package main

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodeaffinity"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodeunschedulable"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/tainttoleration"
)

// nodePlugins are the filters that matter for a pod with claims, in the order of the default configuration. The plugin
// for claims is the last.
func (s *scheduler) nodePlugins() ([]fwk.Plugin, error) {
	scoring := &config.ScoringStrategy{Type: config.LeastAllocated, Resources: []config.ResourceSpec{{Name: "cpu", Weight: 1}}}
	unschedulable, err := nodeunschedulable.New(s.ctx, nil, s.around, s.features)
	if err != nil {
		return nil, err
	}
	taints, err := tainttoleration.New(s.ctx, nil, s.around, s.features)
	if err != nil {
		return nil, err
	}
	affinity, err := nodeaffinity.New(s.ctx, &config.NodeAffinityArgs{}, s.around, s.features)
	if err != nil {
		return nil, err
	}
	fit, err := noderesources.NewFit(s.ctx, &config.NodeResourcesFitArgs{ScoringStrategy: scoring}, s.around, s.features)
	if err != nil {
		return nil, err
	}
	return []fwk.Plugin{unschedulable, taints, affinity, fit, s.devices}, nil
}

// plenty is the quantity of resources that a node of the case does not specify.
var plenty = corev1.ResourceList{
	corev1.ResourceCPU:              resource.MustParse("1000000"),
	corev1.ResourceMemory:           resource.MustParse("1Ei"),
	corev1.ResourceEphemeralStorage: resource.MustParse("1Ei"),
	corev1.ResourcePods:             resource.MustParse("1000000"),
}

func roomy(node *corev1.Node) *corev1.Node {
	node = node.DeepCopy()
	offered := maps.Clone(plenty)
	maps.Copy(offered, node.Status.Allocatable)
	node.Status.Allocatable = offered
	return node
}

// nodeInfos returns the nodes with their running and assumed pods.
func (w *world) nodeInfos(assumed []*corev1.Pod) []fwk.NodeInfo {
	result := []fwk.NodeInfo{}
	for _, node := range w.nodes {
		var running []*corev1.Pod
		for _, pod := range append(w.running(&corev1.Pod{}), assumed...) {
			if pod.Spec.NodeName == node.Name {
				running = append(running, pod)
			}
		}
		found := framework.NewNodeInfo(running...)
		found.SetNode(roomy(node))
		result = append(result, found)
	}
	return result
}
