package main

import (
	"context"
	"math"
	"strings"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/dynamic-resource-allocation/resourceclaim"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"kube-adapter"
)

// obstacles are the reasons why no usage is counted, by the scheduler's message.
var obstacles = map[string]string{
	"shared by multiple pods":         "ClaimShared",
	"already used by another pod":     "ClaimShared",
	"cannot be shared across pods":    "ClaimShared",
	"not referenced by any container": "ClaimUnreferenced",
	"ConsumedCapacity is nil":         "CapacityUnknown",
	"is insufficient to cover":        "OverBudget",
}

// countClaims lets the scheduler try the pod on a node with sufficient resources and all devices. It returns what would
// be recorded in the pod's status, or the answer with the reason why the node is filtered.
func countClaims(world world, pod *corev1.Pod) ([]corev1.NodeAllocatableResourceClaimStatus, adapter.Answer) {
	if entry := unallocated(world, pod); entry != "" {
		return nil, refusal("ClaimNotAllocated", "the claim of the entry "+entry+" is not allocated")
	}
	world = world.onOneNode(pod)
	scheduler, err := newScheduler(context.Background(), nil, &claimEvents{}, nil, &world)
	if err != nil {
		return nil, adapter.Failed("make the plugin: %v", err)
	}
	recorded, said := scheduler.recorded(framework.NewCycleState(), pod, world.roomyNode(pod))
	switch {
	case said.IsSuccess() || said.IsSkip():
		return recorded, nil
	default:
		for words, reason := range obstacles {
			if strings.Contains(said.Message(), words) {
				return nil, refusal(reason, said.Message())
			}
		}
		return nil, adapter.Failed("%s: %s", said.Code(), said.Message())
	}
}

func refusal(reason, message string) adapter.Answer {
	return adapter.Answer{"status": "ok", "outcome": "refused", "reason": reason, "message": message}
}

// unallocated returns an entry of the pod without an allocated claim, empty if there is none.
func unallocated(world world, pod *corev1.Pod) string {
	for i := range pod.Spec.ResourceClaims {
		entry := &pod.Spec.ResourceClaims[i]
		name, _, err := resourceclaim.Name(pod, entry)
		if err != nil || name == nil {
			return entry.Name
		}
		if claim := world.claim(pod.Namespace, *name); claim == nil || claim.Status.Allocation == nil {
			return entry.Name
		}
	}
	return ""
}

// onOneNode returns the world with everything on the pod's node, since node resource usage does not depend on the node.
// Claims are reserved for the pods that run with them, which a case may omit.
func (w world) onOneNode(pod *corev1.Pod) world {
	everywhere := true
	slices := make([]*resourcev1.ResourceSlice, len(w.slices))
	for i, slice := range w.slices {
		slice = slice.DeepCopy()
		slice.Spec.NodeName, slice.Spec.NodeSelector, slice.Spec.PerDeviceNodeSelection = nil, nil, nil
		slice.Spec.AllNodes = &everywhere
		slices[i] = slice
	}
	claims := make([]*resourcev1.ResourceClaim, len(w.claims))
	for i, claim := range w.claims {
		claim = claim.DeepCopy()
		if claim.Status.Allocation != nil {
			claim.Status.Allocation.NodeSelector = nil
		}
		claim.Status.ReservedFor = consumers(w, pod, claim)
		claims[i] = claim
	}
	w.slices, w.claims = slices, claims
	return w
}

// consumers returns the other pods that run with a claim.
func consumers(w world, pod *corev1.Pod, claim *resourcev1.ResourceClaim) []resourcev1.ResourceClaimConsumerReference {
	var result []resourcev1.ResourceClaimConsumerReference
	for _, other := range w.running(pod) {
		for i := range other.Spec.ResourceClaims {
			name, _, err := resourceclaim.Name(other, &other.Spec.ResourceClaims[i])
			if err == nil && name != nil && *name == claim.Name && other.Namespace == claim.Namespace {
				result = append(result, resourcev1.ResourceClaimConsumerReference{
					Resource: "pods", Name: other.Name, UID: other.UID})
				break
			}
		}
	}
	return result
}

// running returns the other pods that have a node and are not finished.
func (w world) running(pod *corev1.Pod) []*corev1.Pod {
	var result []*corev1.Pod
	for _, other := range w.pods {
		done := other.Status.Phase == corev1.PodSucceeded || other.Status.Phase == corev1.PodFailed
		if other.UID != pod.UID && other.Spec.NodeName != "" && !done {
			result = append(result, other)
		}
	}
	return result
}

// roomyNode returns a node that runs the other pods and has sufficient resources for any further pod.
func (w world) roomyNode(pod *corev1.Pod) *framework.NodeInfo {
	found := framework.NewNodeInfo(w.running(pod)...)
	found.SetNode(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node"}})
	// Half of the maximum, so that requests can be added without overflow.
	most := int64(math.MaxInt64 / 2)
	found.Allocatable = &framework.Resource{MilliCPU: most, Memory: most, EphemeralStorage: most,
		AllowedPodNumber: math.MaxInt32, ScalarResources: map[corev1.ResourceName]int64{}}
	for _, pages := range []corev1.ResourceName{"hugepages-2Mi", "hugepages-1Gi"} {
		found.Allocatable.ScalarResources[pages] = most
	}
	return found
}
