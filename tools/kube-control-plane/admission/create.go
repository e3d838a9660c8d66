package main

import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/registry/rest"
)

// create processes a new object as the API server does before it stores it.
func (t target) create(asked write) (runtime.Object, error) {
	if t.subresource != "" {
		return nil, apierrors.NewMethodNotSupported(t.groupResource(), asked.Verb)
	}
	object, metadata, err := t.read(asked.Object)
	if err != nil {
		return nil, err
	}
	strategy := t.strategies[""]
	rest.WipeObjectMetaSystemFields(metadata)
	rest.FillObjectMetaSystemFields(metadata)
	if metadata.GetName() == "" && metadata.GetGenerateName() != "" {
		metadata.SetName(strategy.GenerateName(metadata.GetGenerateName()))
	}
	namespace := t.namespaceOf(metadata)
	if err := rest.BeforeCreate(strategy, t.context(asked, namespace, metadata.GetName()), object); err != nil {
		return nil, err
	}
	if t.world.has(t.resource.collection, namespace, metadata.GetName()) {
		return nil, apierrors.NewAlreadyExists(t.groupResource(), metadata.GetName())
	}
	return object, nil
}
