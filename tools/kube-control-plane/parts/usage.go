package main

import (
	"encoding/json"
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	quota "k8s.io/apiserver/pkg/quota/v1"
	"k8s.io/apiserver/pkg/quota/v1/generic"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/quota/v1/evaluator/core"

	"kube-adapter"
	"kube-control-plane/gates"
)

// usage answers the operation usage: what a quota controller counts in a namespace. Each name is requested in its own
// quota, because an evaluator may count an unknown name together with a known one.
func usage(world world, ask json.RawMessage, _ *gates.FeatureGates) adapter.Answer {
	var asked struct {
		Namespace string `json:"namespace"`
	}
	if err := json.Unmarshal(ask, &asked); err != nil {
		return adapter.Failed("ask of the case: %v", err)
	}
	registry, err := evaluators(world)
	if err != nil {
		return adapter.Failed("evaluators: %v", err)
	}
	names, err := counted(registry, world, asked.Namespace)
	if err != nil {
		return adapter.Failed("usage: %v", err)
	}
	used := map[corev1.ResourceName]string{}
	for name, amount := range names {
		hard := corev1.ResourceList{name: amount}
		found, err := quota.CalculateUsage(asked.Namespace, nil, hard, registry, nil)
		if err != nil {
			return adapter.Failed("usage of %s: %v", name, err)
		}
		for name, amount := range found {
			used[name] = amount.String()
		}
	}
	return adapter.Answer{"status": "ok", "outcome": "counted", "used": used}
}

func evaluators(world world) (quota.Registry, error) {
	factory := newInformers(nil, world)
	list := func(resource schema.GroupVersionResource) (cache.GenericLister, error) {
		informer, err := factory.ForResource(resource)
		if err != nil {
			return nil, err
		}
		return informer.Lister(), nil
	}
	counting := func(resource schema.GroupVersionResource) bool {
		return resource.Resource == "pods" || resource.Resource == "resourceclaims"
	}
	found, err := core.NewEvaluators(list, factory, counting)
	if err != nil {
		return nil, err
	}
	return generic.NewRegistry(found), nil
}

// counted returns the names under which objects of a namespace count.
func counted(registry quota.Registry, world world, namespace string) (corev1.ResourceList, error) {
	result := corev1.ResourceList{}
	add := func(kind string, one runtime.Object) error {
		for _, evaluator := range registry.List() {
			if evaluator.GroupResource().Resource == kind {
				usage, err := evaluator.Usage(one)
				if err != nil {
					return err
				}
				maps.Copy(result, usage)
			}
		}
		return nil
	}
	for _, claim := range world.claims {
		if claim.Namespace == namespace {
			if err := add("resourceclaims", claim); err != nil {
				return nil, err
			}
		}
	}
	for _, pod := range world.pods {
		if pod.Namespace == namespace {
			if err := add("pods", pod); err != nil {
				return nil, err
			}
		}
	}
	return result, nil
}
