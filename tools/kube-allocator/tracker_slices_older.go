package main

import (
	listers "k8s.io/client-go/listers/resource/v1"
	"k8s.io/client-go/tools/cache"
)

// slices gives the tracker the ResourceSlices of the case.
type slices struct{ listed }

func (s slices) Informer() cache.SharedIndexInformer { return s.listed }

func (s slices) Lister() listers.ResourceSliceLister {
	return listers.NewResourceSliceLister(s.indexer)
}
