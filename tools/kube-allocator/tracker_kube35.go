//go:build kube35 || kube36

package main

import "k8s.io/dynamic-resource-allocation/resourceslice/tracker"

const taintRuleGate = "DRADeviceTaintRules"

func trackerOptions(w *world, all []*resourceSlice, gates map[string]bool) tracker.Options {
	return tracker.Options{
		EnableDeviceTaintRules:   true,
		EnableConsumableCapacity: gates["DRAConsumableCapacity"],
		SliceInformer:            slices{newListed(all)},
		TaintInformer:            rules{newListed(w.TaintRules)},
		ClassInformer:            deviceClasses{newListed(w.Classes)},
	}
}
