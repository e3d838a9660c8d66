package main

import (
	"encoding/json"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/resource"

	"kube-adapter"
	"kube-control-plane/gates"
)

// share is the node resource usage of a claim, as in the status of the pod.
type share struct {
	Claim      string                       `json:"claim"`
	Containers []string                     `json:"containers"`
	Resources  map[string]string            `json:"resources"`
	Overhead   map[string]map[string]string `json:"overhead,omitempty"`
}

// footprint answers the operation footprint: the usage that the scheduler counts for a pod, before scheduling from the
// allocated devices, later from the status of the pod.
func footprint(world world, ask json.RawMessage, switches *gates.FeatureGates) adapter.Answer {
	var asked struct {
		Pod     string   `json:"pod"`
		From    string   `json:"from"`
		Without []string `json:"without"`
	}
	if err := json.Unmarshal(ask, &asked); err != nil {
		return adapter.Failed("ask of the case: %v", err)
	}
	pod := world.pod(asked.Pod)
	if pod == nil {
		return adapter.Failed("there is no pod %s", asked.Pod)
	}
	count := switches.Enabled("DRANodeAllocatableResources")
	if asked.From == "claims" {
		pod = pod.DeepCopy()
		pod.Status.NodeAllocatableResourceClaimStatuses = nil
		if count {
			recorded, obstacle := countClaims(world, pod)
			if obstacle != nil {
				return obstacle
			}
			pod.Status.NodeAllocatableResourceClaimStatuses = recorded
		}
	}
	total := resource.PodRequests(pod, resource.PodResourcesOptions{
		UseStatusResources:                       asked.From == "status",
		ExcludeOverhead:                          slices.Contains(asked.Without, "overhead"),
		SkipPodLevelResources:                    slices.Contains(asked.Without, "pod-level") || !switches.Enabled("PodLevelResources"),
		UseDRANodeAllocatableResourceClaimStatus: count,
	})
	return adapter.Answer{"status": "ok", "outcome": "counted", "resources": amounts(total), "claims": shares(pod, count)}
}

func shares(pod *corev1.Pod, count bool) []share {
	result := []share{}
	if count {
		for _, one := range pod.Status.NodeAllocatableResourceClaimStatuses {
			result = append(result, shareOf(one))
		}
	}
	return result
}

func amounts(list corev1.ResourceList) map[string]string {
	result := make(map[string]string, len(list))
	for name, amount := range list {
		result[string(name)] = amount.String()
	}
	return result
}
