//go:build !kube34 && !kube35 && !kube36

package main

import (
	rulesapi "k8s.io/api/resource/v1"
	rulelisters "k8s.io/client-go/listers/resource/v1"
	"k8s.io/client-go/tools/cache"
)

type taintRule = rulesapi.DeviceTaintRule

// rules gives the tracker the DeviceTaintRules of the case in the version that this release reads.
type rules struct{ listed }

func (r rules) Informer() cache.SharedIndexInformer { return r.listed }

func (r rules) Lister() rulelisters.DeviceTaintRuleLister {
	return rulelisters.NewDeviceTaintRuleLister(r.indexer)
}
