package main

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/warning"

	"kube-adapter"
)

// target is the target of a write: the kind in the version of the URL, and an optional subresource.
type target struct {
	kind        schema.GroupVersionKind
	resource    apiResource
	subresource string
	strategies  strategies
	world       world
	warnings    *warnings
}

func newTarget(kind schema.GroupVersionKind, found apiResource, asked write, world world) target {
	return target{
		kind:        kind,
		resource:    found,
		subresource: asked.Subresource,
		strategies:  found.strategies(namespaces{world: world}),
		world:       world,
		warnings:    newWarnings(),
	}
}

func (t target) groupResource() schema.GroupResource {
	return schema.GroupResource{Group: t.kind.Group, Resource: t.resource.name}
}

// namespaceOf returns the namespace in the URL: the object's namespace, or the default one.
func (t target) namespaceOf(metadata metav1.Object) string {
	switch {
	case !t.strategies[""].NamespaceScoped():
		return metav1.NamespaceNone
	case metadata.GetNamespace() == "":
		return metav1.NamespaceDefault
	default:
		return metadata.GetNamespace()
	}
}

// context returns the request context that the strategies use.
func (t target) context(asked write, namespace, name string) context.Context {
	ctx := request.WithNamespace(context.Background(), namespace)
	ctx = request.WithUser(ctx, asked.User.info())
	ctx = warning.WithWarningRecorder(ctx, t.warnings)
	return request.WithRequestInfo(ctx, &request.RequestInfo{
		IsResourceRequest: true,
		Verb:              asked.Verb,
		APIGroup:          t.kind.Group,
		APIVersion:        t.kind.Version,
		Resource:          t.resource.name,
		Subresource:       t.subresource,
		Namespace:         namespace,
		Name:              name,
	})
}

// read decodes the object of a write as with `fieldValidation: Warn`.
func (t target) read(raw []byte) (runtime.Object, metav1.Object, error) {
	object, unknown, err := decode(raw, t.kind.Group)
	if err != nil {
		return nil, nil, apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %v",
			t.kind.Kind, t.kind.Version, t.kind.Kind, err))
	}
	for _, text := range unknown {
		t.warnings.AddWarning("", text)
	}
	metadata, err := meta.Accessor(object)
	return object, metadata, err
}

// answer returns the stored object in the version of the write, without fields that differ between servers.
func (t target) answer(object runtime.Object, err error) adapter.Answer {
	if err != nil {
		return refused(err)
	}
	metadata, err := meta.Accessor(object)
	if err != nil {
		return adapter.Failed("%v", err)
	}
	metadata.SetUID("")
	metadata.SetCreationTimestamp(metav1.Time{})
	metadata.SetResourceVersion("")
	metadata.SetGeneration(0)
	metadata.SetManagedFields(nil)
	served, err := encode(object, t.kind.GroupVersion())
	if err != nil {
		return adapter.Failed("encode what is stored: %v", err)
	}
	return adapter.Answer{"status": "ok", "outcome": "admitted", "object": served, "warnings": t.warnings.texts}
}
