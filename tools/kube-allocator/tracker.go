//go:build !kube34 && !kube35 && !kube36 && !kube37

package main

import (
	"k8s.io/client-go/informers/resource/v1"
	"k8s.io/client-go/tools/cache"
	draapi "k8s.io/dynamic-resource-allocation/api"
	"k8s.io/dynamic-resource-allocation/resourceslice/tracker"
)

const taintRuleGate = "DRADeviceTaintRules"

func trackerOptions(w *world, all []*resourceSlice, _ map[string]bool) tracker.Options {
	published := newListed(all)
	return tracker.Options{
		EnableDeviceTaintRules: true,
		SliceLister:            draapi.NewResourceSliceLister(published.indexer),
		SliceInformer:          cache.NewTypedSharedIndexInformer[*resourceSlice](published),
		TaintInformer:          v1.ToTypedDeviceTaintRuleInformer(rules{newListed(w.TaintRules)}),
	}
}
