package main

import (
	"slices"

	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	fwk "k8s.io/kube-scheduler/framework"
)

// inFlight is the scheduler's tracker of claims. It records the allocations that were signalled to it.
type inFlight struct {
	fwk.ResourceClaimTracker
	announced []*resourcev1.ResourceClaim
	uids      []types.UID
}

func (f *inFlight) SignalClaimPendingAllocation(uid types.UID, claim *resourcev1.ResourceClaim) error {
	if !slices.Contains(f.uids, uid) {
		f.announced, f.uids = append(f.announced, claim), append(f.uids, uid)
	}
	return f.ResourceClaimTracker.SignalClaimPendingAllocation(uid, claim)
}

// references returns the claims whose allocation is pending. A claim that is not created yet is named after its pod.
func (f *inFlight) references() []map[string]string {
	result := []map[string]string{}
	for i, claim := range f.announced {
		if f.GetPendingAllocation(f.uids[i]) == nil {
			continue
		}
		said := map[string]string{"kind": "ResourceClaim", "name": claim.Name, "namespace": claim.Namespace}
		if claim.Annotations[resourcev1.ExtendedResourceClaimAnnotation] != "" {
			owner := metav1.GetControllerOf(claim)
			said = map[string]string{"kind": "ResourceClaim", "specialOf": claim.Namespace + "/" + owner.Name}
		}
		result = append(result, said)
	}
	return result
}
