package main

import (
	"context"
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"

	"kube-adapter"
)

const compiledSelectors = 1024

// caseAllocator runs cases on the allocator. It caches compiled selectors by the features of the compiler, on which
// alone they depend.
type caseAllocator struct {
	variant   string
	supported map[string]bool
	selectors map[cel.Features]*cel.Cache
}

// ask is the member `ask` of a case of the operation allocate.
type ask struct {
	Node   string   `json:"node"`
	Claims []string `json:"claims"`
}

func newCaseAllocator(variant string) (*caseAllocator, error) {
	supported, err := supportedFeatures(variant)
	if err != nil {
		return nil, err
	}
	return &caseAllocator{variant: variant, supported: supported, selectors: map[cel.Features]*cel.Cache{}}, nil
}

func (a *caseAllocator) Describe() adapter.Description {
	return adapter.Description{
		Name:       "kube-scheduler allocator",
		Version:    release() + " " + a.variant,
		Homepage:   "https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/",
		Source:     "https://github.com/kubernetes/dynamic-resource-allocation",
		Subject:    "the allocator",
		Operations: []string{"allocate"},
		Features:   adapter.AllocatorFeatures(func(gate string) bool { return a.supported[gate] }),
	}
}

// Accept accepts every profile. The allocator gets the gates that it knows.
func (a *caseAllocator) Accept(adapter.Profile) error { return nil }

func (a *caseAllocator) cache(features cel.Features) *cel.Cache {
	if a.selectors[features] == nil {
		a.selectors[features] = cel.NewCache(compiledSelectors, features)
	}
	return a.selectors[features]
}

func (a *caseAllocator) Answer(given adapter.Case, profile adapter.Profile) adapter.Answer {
	var asked ask
	if err := json.Unmarshal(given.Ask, &asked); err != nil {
		return adapter.Failed("ask of the case: %v", err)
	}
	world, err := readWorld(given.Objects)
	if err != nil {
		return adapter.Failed("%v", err)
	}
	node, err := world.node(asked.Node)
	if err != nil {
		return adapter.Failed("%v", err)
	}
	claims, err := world.asked(asked.Claims)
	if err != nil {
		return adapter.Failed("%v", err)
	}
	ctx := context.Background()
	slices, err := withTaintRules(ctx, world, profile.Gates)
	if err != nil {
		return adapter.Failed("apply taint rules: %v", err)
	}
	features := allocatorFeatures(profile.Gates, a.supported)
	state := allocatedState(world.held(asked.Claims), features.ConsumableCapacity)
	cache := a.cache(selectorFeatures(features))
	allocator, err := structured.NewAllocator(ctx, features, state, world.classes, slices, cache)
	if err != nil {
		return errored(err)
	}
	results, err := allocator.Allocate(ctx, node, claims)
	answer := decided(claims, results)
	if err != nil {
		answer = errored(err)
	}
	if steps := searchSteps(allocator); steps != nil {
		answer["steps"] = *steps
	}
	return answer
}

func decided(claims []*resourceapi.ResourceClaim, results []resourceapi.AllocationResult) adapter.Answer {
	if results == nil && len(claims) > 0 {
		return adapter.Answer{"status": "ok", "outcome": "unallocatable"}
	}
	if len(results) != len(claims) {
		return adapter.Failed("%d results for %d claims", len(results), len(claims))
	}
	allocations := map[string]any{}
	for i, claim := range claims {
		allocations[key(claim)] = results[i]
	}
	return adapter.Answer{"status": "ok", "outcome": "allocated", "allocations": allocations}
}

func (w *world) node(name string) (*corev1.Node, error) {
	for _, node := range w.Nodes {
		if node.Name == name {
			return node, nil
		}
	}
	return nil, fmt.Errorf("the case has no node %q", name)
}
