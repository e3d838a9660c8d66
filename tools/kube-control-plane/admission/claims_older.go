//go:build kube33 || kube34 || kube35

package main

import (
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaim"
)

// claimStrategies need the labels of the namespace.
func claimStrategies(namespaces namespaces) strategies {
	claim := resourceclaim.NewStrategy(namespaces)
	return strategies{"": claim, "status": resourceclaim.NewStatusStrategy(claim)}
}
