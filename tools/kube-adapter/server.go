package adapter

import (
	"encoding/json"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
)

// frame is any message of the runner; only the members of its type are set.
type frame struct {
	Type     string             `json:"type"`
	ID       int64              `json:"id"`
	Protocol versions           `json:"protocol"`
	Profiles map[string]Profile `json:"profiles"`
	Case     Case               `json:"case"`
}

type versions struct {
	Min int `json:"min"`
	Max int `json:"max"`
}

type message map[string]any

// server answers the frames of one connection.
type server struct {
	implementation Implementation
	described      Description
	profiles       map[string]Profile
}

// Serve serves an implementation by the protocol on stdin and stdout, until bye or the end of stdin.
func Serve(implementation Implementation) error {
	s := server{implementation, implementation.Describe(), map[string]Profile{}}
	return EachLine(s.answer)
}

func (s *server) answer(line []byte) (any, error) {
	var in frame
	if err := json.Unmarshal(line, &in); err != nil {
		return nil, fmt.Errorf("cannot decode the frame: %w", err)
	}
	switch in.Type {
	case "hello":
		return s.hello(in), nil
	case "configure":
		return s.configure(in), nil
	case "run":
		reply := s.run(in.Case)
		reply["type"], reply["id"] = "result", in.ID
		return reply, nil
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
			"name":     s.described.Name,
			"version":  s.described.Version,
			"language": "go",
			"homepage": s.described.Homepage,
			"source":   s.described.Source,
		},
		"operations": s.described.Operations,
		"features":   s.described.Features,
		"modes":      message{"pipeline": message{"window": 16}},
	}
}

func (s *server) configure(in frame) message {
	accepted, refused := []string{}, []message{}
	for _, key := range slices.Sorted(maps.Keys(in.Profiles)) {
		delete(s.profiles, key)
		if err := s.implementation.Accept(in.Profiles[key]); err != nil {
			refused = append(refused, message{"profile": key, "reason": err.Error()})
			continue
		}
		s.profiles[key] = in.Profiles[key]
		accepted = append(accepted, key)
	}
	return message{"type": "configured", "id": in.ID, "accepted": accepted, "refused": refused}
}

// run answers a case. A panic of the implementation fails that case only.
func (s *server) run(given Case) (reply Answer) {
	profile, known := s.profiles[given.Profile]
	if !slices.Contains(s.described.Operations, given.Operation) {
		return Unsupported("operation %q", given.Operation)
	}
	if !known {
		return Failed("profile %q was not configured", given.Profile)
	}
	defer func() {
		if fault := recover(); fault != nil {
			reply = Failed("%s panics: %v", s.described.Subject, fault)
			reply["traceback"] = string(debug.Stack())
		}
	}()
	return s.implementation.Answer(given, profile)
}
