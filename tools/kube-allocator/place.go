package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
	kjson "sigs.k8s.io/json"
)

// placing is a request to allocate groups of claims, such as those of a pod, in order. Each group is allocated on the
// first node where all its claims fit, and its devices are in use for later groups.
type placing struct {
	Gates   map[string]bool `json:"gates"`
	Objects json.RawMessage `json:"objects"`
	Groups  [][]string      `json:"groups"`
}

// placed is the answer: a node for each group, empty if it fits on none, and the allocations by claim. `Tried` counts
// the calls of the allocator, `Steps` those of its recursive step. `Seconds` exclude decoding and encoding of JSON.
type placed struct {
	Nodes       []string       `json:"nodes"`
	Allocations map[string]any `json:"allocations"`
	Tried       int            `json:"tried"`
	Steps       int64          `json:"steps"`
	Seconds     float64        `json:"seconds"`
}

func answerPlacing(line []byte) (any, error) {
	var asked placing
	if err := kjson.UnmarshalCaseSensitivePreserveInts(line, &asked); err != nil {
		return nil, fmt.Errorf("cannot decode the request: %w", err)
	}
	world, err := readWorld(asked.Objects)
	if err != nil {
		return nil, err
	}
	supported, err := supportedFeatures(variantAuto)
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	started := time.Now()
	slices, err := withTaintRules(ctx, world, asked.Gates)
	if err != nil {
		return nil, err
	}
	features := allocatorFeatures(asked.Gates, supported)
	state := allocatedState(world.held(nil), features.ConsumableCapacity)
	cache := cel.NewCache(compiledSelectors, selectorFeatures(features))
	answer := placed{Allocations: map[string]any{}}
	for _, group := range asked.Groups {
		claims, err := world.asked(group)
		if err != nil {
			return nil, err
		}
		allocator, err := structured.NewAllocator(ctx, features, state, world.classes, slices, cache)
		if err != nil {
			return nil, err
		}
		node, results, err := answer.firstThatFits(ctx, allocator, world.Nodes, claims)
		if err != nil {
			return nil, err
		}
		answer.Nodes = append(answer.Nodes, node)
		for i := range results {
			answer.Allocations[key(claims[i])] = results[i]
			hold(state, &results[i], features.ConsumableCapacity)
		}
		if steps := searchSteps(allocator); steps != nil {
			answer.Steps += *steps
		}
	}
	answer.Seconds = time.Since(started).Seconds()
	return answer, nil
}

func (p *placed) firstThatFits(
	ctx context.Context, allocator structured.Allocator, nodes []*corev1.Node, claims []*resourceapi.ResourceClaim,
) (string, []resourceapi.AllocationResult, error) {
	for _, node := range nodes {
		p.Tried++
		results, err := allocator.Allocate(ctx, node, claims)
		if err != nil {
			return "", nil, err
		}
		if len(results) > 0 {
			return node.Name, results, nil
		}
	}
	return "", nil, nil
}
