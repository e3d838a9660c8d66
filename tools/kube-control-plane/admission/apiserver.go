package main

import (
	"encoding/json"

	"kube-adapter"
	"kube-control-plane/gates"
)

const module = "k8s.io/kubernetes"

// apiServer answers writes as the API server of its release.
type apiServer struct {
	gates  *gates.FeatureGates
	served served
}

// write is the ask of the operation admit. `Old` is the stored object, which is valid.
type write struct {
	Verb        string          `json:"verb"`
	Object      json.RawMessage `json:"object"`
	Old         json.RawMessage `json:"old"`
	Subresource string          `json:"subresource"`
	User        *asker          `json:"user"`
}

func (s *apiServer) Describe() adapter.Description {
	return adapter.Description{
		Name:       "kube-apiserver admission",
		Version:    adapter.Release(module),
		Homepage:   "https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/",
		Source:     "https://github.com/kubernetes/kubernetes",
		Subject:    "the API server",
		Operations: []string{"admit"},
		Features:   adapter.Features(s.gates.Known),
	}
}

func (s *apiServer) Accept(profile adapter.Profile) error {
	return s.gates.Accept(profile)
}

func (s *apiServer) Answer(given adapter.Case, profile adapter.Profile) adapter.Answer {
	var asked write
	if err := json.Unmarshal(given.Ask, &asked); err != nil {
		return adapter.Failed("ask of the case: %v", err)
	}
	world, err := readWorld(given.Objects)
	if err != nil {
		return adapter.Failed("objects of the case: %v", err)
	}
	if err := s.gates.Set(profile); err != nil {
		return adapter.Failed("set feature gates: %v", err)
	}
	return s.admit(asked, world)
}

func (s *apiServer) admit(asked write, world world) adapter.Answer {
	written, err := identify(asked.Object)
	if err != nil {
		return adapter.Unsupported("%v", err)
	}
	found, known := resources[written.GroupKind()]
	switch {
	case !known:
		return adapter.Unsupported("kind %s", written.GroupKind())
	case !s.served.has(written, s.gates):
		return refused(notServed())
	}
	target := newTarget(written, found, asked, world)
	switch asked.Verb {
	case "create":
		return target.answer(target.create(asked))
	case "update":
		return target.answer(target.update(asked))
	default:
		return adapter.Unsupported("verb %q", asked.Verb)
	}
}
