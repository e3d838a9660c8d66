package adapter

import (
	"encoding/json"
	"fmt"
)

// Implementation is the code that answers cases, one at a time.
type Implementation interface {
	// Describe returns the description for hello.
	Describe() Description
	// Accept returns the reason why the implementation cannot emulate a profile, nil if it can.
	Accept(profile Profile) error
	// Answer answers a case of one of its operations in an accepted profile.
	Answer(given Case, profile Profile) Answer
}

// Description describes an implementation for hello. Subject names the code in messages, such as "the allocator".
type Description struct {
	Name       string
	Version    string
	Homepage   string
	Source     string
	Subject    string
	Operations []string
	Features   map[string]string
}

// Profile is the specification of correct behaviour: a release of Kubernetes, such as 1.36, or the KEPs if empty, with
// feature gates.
type Profile struct {
	Name       string          `json:"name"`
	Kubernetes string          `json:"kubernetes"`
	Gates      map[string]bool `json:"gates"`
}

// Case is a request. Its ask depends on the operation.
type Case struct {
	Operation string          `json:"operation"`
	Profile   string          `json:"profile"`
	Objects   json.RawMessage `json:"objects"`
	Ask       json.RawMessage `json:"ask"`
}

// Answer has the members of a result: a status, and the members of that status.
type Answer map[string]any

// Failed returns the answer for a failure of the implementation or of this adapter.
func Failed(format string, args ...any) Answer {
	return Answer{"status": "failed", "message": fmt.Sprintf(format, args...)}
}

// Unsupported returns the answer to a case that the implementation does not support.
func Unsupported(format string, args ...any) Answer {
	return Answer{"status": "unsupported", "message": fmt.Sprintf(format, args...)}
}
