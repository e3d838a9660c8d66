package main

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/resource"

	"kube-control-plane/gates"
)

// served are the versions of resource.k8s.io that are served although they are off by default.
type served map[string]bool

func newServed(runtimeConfig string) served {
	result := served{}
	for version := range strings.SplitSeq(runtimeConfig, ",") {
		result[version] = true
	}
	return result
}

// has says whether the API server serves a kind in a version. Stable versions are on by default, others are off. A
// kind that this release has in no stable version is useless without one, so who switches its gate on serves them.
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

// gateOf is the gate that a kind of resource.k8s.io needs.
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
