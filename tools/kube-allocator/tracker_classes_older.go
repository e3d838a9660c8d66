//go:build kube34 || kube35 || kube36

package main

import (
	listers "k8s.io/client-go/listers/resource/v1"
	"k8s.io/client-go/tools/cache"
)

// deviceClasses gives the tracker the DeviceClasses of the case. The newest releases do not need them.
type deviceClasses struct{ listed }

func (d deviceClasses) Informer() cache.SharedIndexInformer { return d.listed }

func (d deviceClasses) Lister() listers.DeviceClassLister {
	return listers.NewDeviceClassLister(d.indexer)
}
