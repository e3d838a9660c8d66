//go:build !kube33 && !kube34 && !kube35

package main

import (
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaim"
)

// claimStrategies need the labels of the namespace, and the user's authorization for each part of a status.
func claimStrategies(namespaces namespaces) strategies {
	claim := resourceclaim.NewStrategy(namespaces, masters{})
	return strategies{"": claim, "status": resourceclaim.NewStatusStrategy(claim)}
}
