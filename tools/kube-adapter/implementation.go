package adapter

import (
	"encoding/json"
	"fmt"
)

// Implementation is the code that answers cases. It is asked one question at a time.
type Implementation interface {
	// Describe is what hello says of it.
	Describe() Description
	// Accept says why the implementation cannot be as the profile says, nil if it can.
	Accept(profile Profile) error
	// Answer judges one case of one of its operations. The profile is one that it accepted.
	Answer(given Case, profile Profile) Answer
}

// Description is an implementation in the words of hello. Subject names the code that answers in sentences, such
// as "the allocator".
type Description struct {
	Name       string
	Version    string
	Homepage   string
	Source     string
	Subject    string
	Operations []string
	Features   map[string]string
}

// Profile is what "right" means: a release of Kubernetes (such as 1.36, empty for the text of the KEPs) with its
// feature gates.
type Profile struct {
	Name       string          `json:"name"`
	Kubernetes string          `json:"kubernetes"`
	Gates      map[string]bool `json:"gates"`
}

// Case is one question; the ask belongs to its operation.
type Case struct {
	Operation string          `json:"operation"`
	Profile   string          `json:"profile"`
	Objects   json.RawMessage `json:"objects"`
	Ask       json.RawMessage `json:"ask"`
}

// Answer has the members of a result: its status and what belongs to that.
type Answer map[string]any

// Failed is the answer when the implementation, or what surrounds it, is at fault.
func Failed(format string, args ...any) Answer {
	return Answer{"status": "failed", "message": fmt.Sprintf(format, args...)}
}

// Unsupported is the answer to what the implementation cannot do.
func Unsupported(format string, args ...any) Answer {
	return Answer{"status": "unsupported", "message": fmt.Sprintf(format, args...)}
}
