package main

import (
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/registry/rest"
)

// Every stored object has these fields, which a case may omit.
const (
	storedVersion = "1"
	storedUID     = "00000000-0000-0000-0000-000000000001"
)

// update processes a change of the stored object as the API server does before it stores it.
func (t target) update(asked write) (runtime.Object, error) {
	strategy, served := t.strategies[t.subresource]
	if !served {
		return nil, notServed()
	}
	old, oldMetadata, err := t.stored(asked.Old)
	if err != nil {
		// The error is not wrapped, since errors of the stored object do not reject the write.
		return nil, fmt.Errorf("the stored object: %v", err)
	}
	object, metadata, err := t.read(asked.Object)
	if err != nil {
		return nil, err
	}
	namespace, name := oldMetadata.GetNamespace(), oldMetadata.GetName()
	if err := rest.EnsureObjectNamespaceMatchesRequestNamespace(namespace, metadata); err != nil {
		return nil, err
	}
	if err := t.preconditions(metadata, oldMetadata); err != nil {
		return nil, err
	}
	metadata.SetResourceVersion(oldMetadata.GetResourceVersion())
	return object, rest.BeforeUpdate(strategy, t.context(asked, namespace, name), object, old)
}

// stored decodes the stored object. Only defaults are set, as whenever the API server reads an object.
func (t target) stored(raw []byte) (runtime.Object, metav1.Object, error) {
	if raw == nil {
		return nil, nil, errors.New("the case has none")
	}
	object, _, err := decode(raw, t.kind.Group)
	if err != nil {
		return nil, nil, err
	}
	metadata, err := meta.Accessor(object)
	if err != nil {
		return nil, nil, err
	}
	metadata.SetNamespace(t.namespaceOf(metadata))
	if metadata.GetResourceVersion() == "" {
		metadata.SetResourceVersion(storedVersion)
	}
	if metadata.GetUID() == "" {
		metadata.SetUID(storedUID)
	}
	return object, metadata, nil
}

// preconditions compares name, UID and resource version with those of the stored object. All kinds may be updated
// without a resource version.
func (t target) preconditions(metadata, old metav1.Object) error {
	conflict := func(format string, args ...any) error {
		return apierrors.NewConflict(t.groupResource(), old.GetName(), fmt.Errorf(format, args...))
	}
	switch {
	case metadata.GetName() != old.GetName():
		return apierrors.NewBadRequest(fmt.Sprintf("the name of the object (%s) does not match the name on the URL (%s)",
			metadata.GetName(), old.GetName()))
	case metadata.GetUID() != "" && metadata.GetUID() != old.GetUID():
		return conflict("Precondition failed: UID in precondition: %v, UID in object meta: %v",
			metadata.GetUID(), old.GetUID())
	case metadata.GetResourceVersion() != "" && metadata.GetResourceVersion() != old.GetResourceVersion():
		return conflict("the object has been modified; please apply your changes to the latest version and try again")
	default:
		return nil
	}
}
