package main

import (
	"encoding/json"
	"maps"
	"slices"

	"kube-adapter"
	"kube-control-plane/gates"
)

const module = "k8s.io/kubernetes"

// parts answers as the control plane of its release.
type parts struct {
	gates *gates.FeatureGates
}

// operations are the supported operations with their functions.
var operations = map[string]func(world, json.RawMessage, *gates.FeatureGates) adapter.Answer{
	"footprint": footprint,
	"schedule":  schedule,
	"usage":     usage,
}

func (p *parts) Describe() adapter.Description {
	return adapter.Description{
		Name:       "kube-parts",
		Version:    adapter.Release(module),
		Homepage:   "https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/",
		Source:     "https://github.com/kubernetes/kubernetes",
		Subject:    "the part",
		Operations: slices.Sorted(maps.Keys(operations)),
		Features:   adapter.Features(p.gates.Known),
	}
}

func (p *parts) Accept(profile adapter.Profile) error {
	return p.gates.Accept(profile)
}

func (p *parts) Answer(given adapter.Case, profile adapter.Profile) adapter.Answer {
	world, err := readWorld(given.Objects)
	if err != nil {
		return adapter.Failed("objects of the case: %v", err)
	}
	if err := p.gates.Set(profile); err != nil {
		return adapter.Failed("set feature gates: %v", err)
	}
	return operations[given.Operation](world, given.Ask, p.gates)
}
