//go:build kube36

package main

import (
	rulesapi "k8s.io/api/resource/v1beta2"
	listers "k8s.io/client-go/listers/resource/v1"
	rulelisters "k8s.io/client-go/listers/resource/v1beta2"
	"k8s.io/client-go/tools/cache"
	"k8s.io/dynamic-resource-allocation/resourceslice/tracker"
)

type taintRule = rulesapi.DeviceTaintRule

const taintRuleGate = "DRADeviceTaintRules"

func trackerOptions(w *world) tracker.Options {
	return tracker.Options{
		EnableDeviceTaintRules: true,
		SliceInformer:          slices{newListed(w.Slices)},
		TaintInformer:          rules{newListed(w.TaintRules)},
		ClassInformer:          deviceClasses{newListed(w.Classes)},
	}
}

type slices struct{ listed }

func (s slices) Informer() cache.SharedIndexInformer { return s.listed }

func (s slices) Lister() listers.ResourceSliceLister {
	return listers.NewResourceSliceLister(s.indexer)
}

type rules struct{ listed }

func (r rules) Informer() cache.SharedIndexInformer { return r.listed }

func (r rules) Lister() rulelisters.DeviceTaintRuleLister {
	return rulelisters.NewDeviceTaintRuleLister(r.indexer)
}

type deviceClasses struct{ listed }

func (d deviceClasses) Informer() cache.SharedIndexInformer { return d.listed }

func (d deviceClasses) Lister() listers.DeviceClassLister {
	return listers.NewDeviceClassLister(d.indexer)
}
