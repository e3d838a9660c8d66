package main

import (
	"context"
	"encoding/json"
	"slices"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/apimachinery/pkg/util/validation/field"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/utils/ptr"
)

// podWrites is the scheduler's client for pods.
type podWrites struct {
	corev1client.PodInterface
	server    *apiServer
	namespace string
}

func (p podWrites) Patch(_ context.Context, name string, kind types.PatchType, data []byte, _ metav1.PatchOptions, subresources ...string) (*corev1.Pod, error) {
	var patched *corev1.Pod
	err := p.server.write("update", "Pod", slices.Concat(subresources, []string{""})[0], func() error {
		stored := p.server.world.pod(p.namespace + "/" + name)
		if stored == nil {
			return apierrors.NewNotFound(corev1.Resource("pods"), name)
		}
		written, err := merged(stored, kind, data)
		if err != nil {
			return err
		}
		if err := unknownClaims(written); err != nil {
			return err
		}
		p.server.putPod(written)
		patched = written.DeepCopy()
		return nil
	})
	return patched, err
}

// unknownClaims returns the rejection of a status with usage of claims that the pod does not reference.
func unknownClaims(pod *corev1.Pod) error {
	var names []string
	for _, one := range pod.Spec.ResourceClaims {
		names = append(names, ptr.Deref(one.ResourceClaimName, ""))
	}
	for _, one := range pod.Status.ResourceClaimStatuses {
		names = append(names, ptr.Deref(one.ResourceClaimName, ""))
	}
	var found field.ErrorList
	for i, one := range pod.Status.NodeAllocatableResourceClaimStatuses {
		if !slices.Contains(names, one.ResourceClaimName) {
			path := field.NewPath("status", "nodeAllocatableResourceClaimStatuses").Index(i).Child("resourceClaimName")
			found = append(found, field.Invalid(path, one.ResourceClaimName, "no mapping found in pod reference"))
		}
	}
	if len(found) == 0 {
		return nil
	}
	return apierrors.NewInvalid(corev1.SchemeGroupVersion.WithKind("Pod").GroupKind(), pod.Name, found)
}

func (p podWrites) Bind(_ context.Context, binding *corev1.Binding, _ metav1.CreateOptions) error {
	return p.server.write("create", "Pod", "binding", func() error {
		bound := p.server.world.pod(p.namespace + "/" + binding.Name).DeepCopy()
		bound.Spec.NodeName = binding.Target.Name
		p.server.putPod(bound)
		return nil
	})
}

// merged returns an object with a strategic or JSON merge patch applied.
func merged[T any](stored *T, kind types.PatchType, patch []byte) (*T, error) {
	original, err := json.Marshal(stored)
	if err != nil {
		return nil, err
	}
	result := new(T)
	merge := func() ([]byte, error) { return strategicpatch.StrategicMergePatch(original, patch, result) }
	if kind == types.MergePatchType {
		merge = func() ([]byte, error) { return jsonpatch.MergePatch(original, patch) }
	}
	text, err := merge()
	if err != nil {
		return nil, err
	}
	return result, json.Unmarshal(text, result)
}
