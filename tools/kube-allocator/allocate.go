package main

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
)

const compiledSelectors = 1024

// caseAllocator puts cases to the allocator. The compiled selectors are kept, by the features they were
// compiled with; they depend on nothing else.
type caseAllocator struct {
	supported map[string]bool
	selectors map[cel.Features]*cel.Cache
}

func newCaseAllocator(supported map[string]bool) *caseAllocator {
	return &caseAllocator{supported: supported, selectors: map[cel.Features]*cel.Cache{}}
}

func (a *caseAllocator) cache(features cel.Features) *cel.Cache {
	if a.selectors[features] == nil {
		a.selectors[features] = cel.NewCache(compiledSelectors, features)
	}
	return a.selectors[features]
}

func (a *caseAllocator) allocate(given testCase, gates map[string]bool) decision {
	world, err := readWorld(given.Objects)
	if err != nil {
		return decision{failed: err.Error()}
	}
	node, err := world.node(given.Ask.Node)
	if err != nil {
		return decision{failed: err.Error()}
	}
	claims, err := world.asked(given.Ask.Claims)
	if err != nil {
		return decision{failed: err.Error()}
	}
	ctx := context.Background()
	slices, err := withTaintRules(ctx, world, gates)
	if err != nil {
		return decision{failed: fmt.Sprintf("apply taint rules: %v", err)}
	}
	features := allocatorFeatures(gates, a.supported)
	state := allocatedState(world.held(given.Ask.Claims), features.ConsumableCapacity)
	cache := a.cache(selectorFeatures(features))
	allocator, err := structured.NewAllocator(ctx, features, state, world.classes, slices, cache)
	if err != nil {
		return errored(err)
	}
	results, err := allocator.Allocate(ctx, node, claims)
	result := decided(claims, results)
	if err != nil {
		result = errored(err)
	}
	result.steps = searchSteps(allocator)
	return result
}

func decided(claims []*resourceapi.ResourceClaim, results []resourceapi.AllocationResult) decision {
	if results == nil && len(claims) > 0 {
		return decision{outcome: "unallocatable"}
	}
	if len(results) != len(claims) {
		return decision{failed: fmt.Sprintf("%d results for %d claims", len(results), len(claims))}
	}
	allocations := map[string]any{}
	for i, claim := range claims {
		allocations[key(claim)] = results[i]
	}
	return decision{outcome: "allocated", allocations: allocations}
}

func (w *world) node(name string) (*corev1.Node, error) {
	for _, node := range w.Nodes {
		if node.Name == name {
			return node, nil
		}
	}
	return nil, fmt.Errorf("the case has no node %q", name)
}
