package main

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/resource"

	"kube-control-plane/gates"
)

// served are the versions of resource.k8s.io that are served in addition to the defaults.
type served map[string]bool

func newServed(runtimeConfig string) served {
	result := served{}
	for version := range strings.SplitSeq(runtimeConfig, ",") {
		result[version] = true
	}
	return result
}

// has returns whether the API server serves a kind in a version. Stable versions are on by default, others are off. A
// kind without a stable version is served in its other versions if its gate is on.
func (s served) has(asked schema.GroupVersionKind, switches *gates.FeatureGates) bool {
	switch stable := asked.GroupKind().WithVersion("v1"); {
	case !legacyscheme.Scheme.Recognizes(asked):
		return false
	case asked == stable || s[asked.Version]:
		return true
	default:
		return !legacyscheme.Scheme.Recognizes(stable) && switches.Enabled(gateOf(asked.GroupKind(), switches))
	}
}

// gateOf returns the gate that a kind of resource.k8s.io needs.
func gateOf(asked schema.GroupKind, switches *gates.FeatureGates) string {
	const rules = "DRADeviceTaintRules"
	switch {
	case asked != resource.Kind("DeviceTaintRule"):
		return "DynamicResourceAllocation"
	case switches.Known(rules):
		return rules
	default:
		return "DRADeviceTaints"
	}
}
