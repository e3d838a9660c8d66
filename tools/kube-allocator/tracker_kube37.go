//go:build kube37

package main

import (
	"k8s.io/client-go/informers/resource/v1"
	"k8s.io/dynamic-resource-allocation/resourceslice/tracker"
)

const taintRuleGate = "DRADeviceTaintRules"

func trackerOptions(w *world, all []*resourceSlice, _ map[string]bool) tracker.Options {
	return tracker.Options{
		EnableDeviceTaintRules: true,
		SliceInformer:          v1.ToTypedResourceSliceInformer(slices{newListed(all)}),
		TaintInformer:          v1.ToTypedDeviceTaintRuleInformer(rules{newListed(w.TaintRules)}),
	}
}
