package main

import (
	"k8s.io/client-go/tools/cache"
)

// listed is an informer over a fixed list of objects, so a handler is synced when it has been added. Methods that the
// tracker does not call are not implemented.
type listed struct {
	cache.SharedIndexInformer
	indexer cache.Indexer
}

func newListed[T any](objects []*T) listed {
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})
	for _, object := range objects {
		// Only objects without metadata fail here, and all API types have metadata.
		_ = indexer.Add(object)
	}
	return listed{indexer: indexer}
}

func (l listed) GetIndexer() cache.Indexer { return l.indexer }

func (l listed) HasSynced() bool { return true }

func (l listed) AddIndexers(indexers cache.Indexers) error { return l.indexer.AddIndexers(indexers) }

func (l listed) AddEventHandler(handler cache.ResourceEventHandler) (cache.ResourceEventHandlerRegistration, error) {
	return l.AddEventHandlerWithOptions(handler, cache.HandlerOptions{})
}

func (l listed) AddEventHandlerWithOptions(
	handler cache.ResourceEventHandler, _ cache.HandlerOptions,
) (cache.ResourceEventHandlerRegistration, error) {
	for _, object := range l.indexer.List() {
		handler.OnAdd(object, true)
	}
	return registration{}, nil
}

func (l listed) RemoveEventHandler(cache.ResourceEventHandlerRegistration) error { return nil }

func (r registration) HasSynced() bool { return true }
