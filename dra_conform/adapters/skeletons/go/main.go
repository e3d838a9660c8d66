// The adapter around allocator.go: one JSON object per line on stdin and on stdout, logs on stderr.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"runtime/debug"
)

// Frame is any message of dra-conform.
type Frame struct {
	Type     string                     `json:"type"`
	ID       int64                      `json:"id"`
	Protocol struct{ Min, Max int }     `json:"protocol"`
	Profiles map[string]json.RawMessage `json:"profiles"`
	Case     json.RawMessage            `json:"case"`
}

// Case is one request. Its objects are plain API objects in lists by collection.
type Case struct {
	Objects Objects `json:"objects"`
	Ask     Ask     `json:"ask"`
}

// Answer is one line on stdout, without its id.
type Answer map[string]any

func main() {
	in := bufio.NewReader(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return // the end of the input
		}
		var frame Frame
		if err := json.Unmarshal(line, &frame); err != nil {
			log.Fatalf("not a frame: %v", err)
		}
		if frame.Type == "bye" {
			return
		}
		answer := answerTo(frame)
		answer["id"] = frame.ID
		if err := out.Encode(answer); err != nil {
			log.Fatal(err)
		}
	}
}

func answerTo(frame Frame) Answer {
	switch frame.Type {
	case "hello":
		if frame.Protocol.Min > 1 || frame.Protocol.Max < 1 {
			return Answer{"type": "error", "code": "protocol-version", "message": "only version 1"}
		}
		return Answer{"type": "hello", "protocol": 1, "implementation": implementation,
			"operations": []string{"allocate"}, "features": features()}
	case "configure": // put a profile that you cannot emulate into "refused", with a reason
		accepted := []string{}
		for name := range frame.Profiles {
			accepted = append(accepted, name)
		}
		return Answer{"type": "configured", "accepted": accepted, "refused": []string{}}
	default:
		return result(frame.Case)
	}
}

func result(text []byte) (answer Answer) {
	defer func() { // report a bug as a failed answer, so that the process continues
		if bug := recover(); bug != nil {
			answer = Answer{"type": "result", "status": "failed", "message": fmt.Sprint(bug),
				"traceback": string(debug.Stack())}
		}
	}()
	var allocations map[string]Allocation
	var given Case
	err := json.Unmarshal(text, &given)
	if err == nil {
		allocations, err = allocate(given.Objects, given.Ask)
	}
	var declined Declined
	switch {
	case errors.As(err, &declined):
		return Answer{"type": "result", "status": "unsupported", "message": declined.Error()}
	case errors.Is(err, errNothingFits):
		return Answer{"type": "result", "status": "ok", "outcome": "unallocatable"}
	case err != nil:
		return Answer{"type": "result", "status": "ok", "outcome": "errored",
			"reasons": []Answer{{"category": "Other", "message": err.Error()}}}
	}
	return Answer{"type": "result", "status": "ok", "outcome": "allocated", "allocations": allocations}
}
