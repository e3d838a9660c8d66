package main

import (
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/informers/internalinterfaces"
	resourceinformers "k8s.io/client-go/informers/resource"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

// informed returns informers with a fixed world. They are not started, which would take a tenth of a second each.
// Handlers of DeviceClasses are notified at once.
type informed struct {
	informers.SharedInformerFactory
	world world
}

func newInformers(client kubernetes.Interface, world world) informed {
	factory := informers.NewSharedInformerFactory(client, 0)
	fill(factory.Core().V1().Nodes().Informer(), world.nodes)
	fill(factory.Core().V1().Pods().Informer(), world.pods)
	fill(factory.Resource().V1().DeviceClasses().Informer(), world.classes)
	fill(factory.Resource().V1().ResourceSlices().Informer(), world.slices)
	fill(factory.Resource().V1().ResourceClaims().Informer(), world.claims)
	return informed{factory, world}
}

func fill[T object](informer cache.SharedIndexInformer, several []T) {
	for _, one := range several {
		if err := informer.GetIndexer().Add(one); err != nil {
			panic(err)
		}
	}
}

func (i informed) Resource() resourceinformers.Interface {
	return resourceinformers.New(i, metav1.NamespaceAll, nil)
}

func (i informed) InformerFor(kind runtime.Object, made internalinterfaces.NewInformerFunc) cache.SharedIndexInformer {
	found := i.SharedInformerFactory.InformerFor(kind, made)
	if _, ok := kind.(*resourcev1.DeviceClass); ok {
		return toldClasses{found, i.world.classes}
	}
	return found
}

type toldClasses struct {
	cache.SharedIndexInformer
	classes []*resourcev1.DeviceClass
}

func (t toldClasses) AddEventHandler(handler cache.ResourceEventHandler) (cache.ResourceEventHandlerRegistration, error) {
	for _, class := range t.classes {
		handler.OnAdd(class, true)
	}
	return nil, nil
}

// AddEventHandlerWithOptions is called by the quota evaluators since 1.38.
func (t toldClasses) AddEventHandlerWithOptions(
	handler cache.ResourceEventHandler, _ cache.HandlerOptions,
) (cache.ResourceEventHandlerRegistration, error) {
	return t.AddEventHandler(handler)
}
