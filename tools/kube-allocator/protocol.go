package main

import (
	"encoding/json"
	"fmt"
	"runtime/debug"
)

// frame is any message of the runner; only the members of its type are set.
type frame struct {
	Type     string             `json:"type"`
	ID       int64              `json:"id"`
	Protocol versions           `json:"protocol"`
	Profiles map[string]profile `json:"profiles"`
	Case     testCase           `json:"case"`
}

type versions struct {
	Min int `json:"min"`
	Max int `json:"max"`
}

type profile struct {
	Name  string          `json:"name"`
	Gates map[string]bool `json:"gates"`
}

type testCase struct {
	Operation string          `json:"operation"`
	Profile   string          `json:"profile"`
	Objects   json.RawMessage `json:"objects"`
	Ask       ask             `json:"ask"`
}

type ask struct {
	Node   string   `json:"node"`
	Claims []string `json:"claims"`
}

type message map[string]any

// server answers the frames of one connection; it keeps nothing between cases but compiled selectors.
type server struct {
	variant   string
	supported map[string]bool
	profiles  map[string]profile
	allocator *caseAllocator
}

func newServer(variant string) (*server, error) {
	supported, err := supportedFeatures(variant)
	if err != nil {
		return nil, err
	}
	return &server{
		variant:   variant,
		supported: supported,
		profiles:  map[string]profile{},
		allocator: newCaseAllocator(supported),
	}, nil
}

func (s *server) answer(line []byte) (any, error) {
	var in frame
	if err := json.Unmarshal(line, &in); err != nil {
		return nil, fmt.Errorf("a frame that is not understood: %w", err)
	}
	switch in.Type {
	case "hello":
		return s.hello(in), nil
	case "configure":
		return s.configure(in), nil
	case "run":
		return s.run(in), nil
	case "bye":
		return nil, errBye
	default:
		return message{"type": "error", "id": in.ID, "code": "unknown-type", "message": in.Type}, nil
	}
}

func (s *server) hello(in frame) message {
	if in.Protocol.Min > 1 || in.Protocol.Max < 1 {
		return message{"type": "error", "id": in.ID, "code": "protocol-version", "message": "only version 1"}
	}
	return message{
		"type":     "hello",
		"id":       in.ID,
		"protocol": 1,
		"implementation": message{
			"name":     "kube-scheduler allocator",
			"version":  release() + " " + s.variant,
			"language": "go",
			"homepage": "https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/",
			"source":   "https://github.com/kubernetes/dynamic-resource-allocation",
		},
		"operations": []string{"allocate"},
		"features":   declared(s.supported),
		"modes":      message{"pipeline": message{"window": 16}},
	}
}

func (s *server) configure(in frame) message {
	accepted := []string{}
	for name, given := range in.Profiles {
		s.profiles[name] = given
		accepted = append(accepted, name)
	}
	return message{"type": "configured", "id": in.ID, "accepted": accepted, "refused": []message{}}
}

func (s *server) run(in frame) message {
	given, known := s.profiles[in.Case.Profile]
	reply := message{"type": "result", "id": in.ID}
	switch {
	case in.Case.Operation != "allocate":
		reply["status"] = "unsupported"
		reply["message"] = fmt.Sprintf("operation %q", in.Case.Operation)
	case !known:
		reply["status"] = "failed"
		reply["message"] = fmt.Sprintf("profile %q was not configured", in.Case.Profile)
	default:
		s.decide(in.Case, given.Gates).into(reply)
	}
	return reply
}

// decide allocates; a panic of the library is a fault of this release, and costs no more than its case.
func (s *server) decide(given testCase, gates map[string]bool) (result decision) {
	defer func() {
		if fault := recover(); fault != nil {
			result = decision{failed: fmt.Sprintf("the allocator panics: %v", fault), trace: string(debug.Stack())}
		}
	}()
	return s.allocator.allocate(given, gates)
}

// decision is the outcome of one case, or why there is none. `steps` is nil where the release does not count.
type decision struct {
	outcome     string
	allocations map[string]any
	category    string
	reason      string
	steps       *int64
	failed      string
	trace       string
	unsupported string
}

func (d decision) into(reply message) {
	switch {
	case d.failed != "":
		reply["status"], reply["message"] = "failed", d.failed
		if d.trace != "" {
			reply["traceback"] = d.trace
		}
		return
	case d.unsupported != "":
		reply["status"], reply["message"] = "unsupported", d.unsupported
		return
	}
	reply["status"], reply["outcome"] = "ok", d.outcome
	if d.allocations != nil {
		reply["allocations"] = d.allocations
	}
	if d.steps != nil {
		reply["steps"] = *d.steps
	}
	if d.reason != "" {
		reply["reasons"] = []message{{"category": d.category, "message": d.reason}}
	}
}
