//go:build !kube34 && !kube35 && !kube36

package main

import (
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/client-go/informers/resource/v1"
	listers "k8s.io/client-go/listers/resource/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/dynamic-resource-allocation/resourceslice/tracker"
)

type taintRule = resourceapi.DeviceTaintRule

const taintRuleGate = "DRADeviceTaintRules"

func trackerOptions(w *world) tracker.Options {
	return tracker.Options{
		EnableDeviceTaintRules: true,
		SliceInformer:          v1.ToTypedResourceSliceInformer(slices{newListed(w.Slices)}),
		TaintInformer:          v1.ToTypedDeviceTaintRuleInformer(rules{newListed(w.TaintRules)}),
	}
}

type slices struct{ listed }

func (s slices) Informer() cache.SharedIndexInformer { return s.listed }

func (s slices) Lister() listers.ResourceSliceLister {
	return listers.NewResourceSliceLister(s.indexer)
}

type rules struct{ listed }

func (r rules) Informer() cache.SharedIndexInformer { return r.listed }

func (r rules) Lister() listers.DeviceTaintRuleLister {
	return listers.NewDeviceTaintRuleLister(r.indexer)
}
