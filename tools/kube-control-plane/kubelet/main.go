// Command kubelet is the part of the kubelet that manages dynamic resources: its plugin manager and its DRA manager.
//
// It reads a command from each line of stdin and writes an answer to a line of stdout, {"value": ...} or
// {"error": "..."}. The caller decides what pod workers decide in a whole kubelet: when to prepare and to unprepare the
// ResourceClaims of a pod, and which pods are active.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

const maxCommand = 16 << 20 // bytes

type answer struct {
	Value any    `json:"value"`
	Error string `json:"error,omitempty"`
}

func main() {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, "kube-kubelet:", err)
		os.Exit(1)
	}
}

func serve() error {
	kubelet, err := newKubelet()
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, maxCommand)
	answers := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var received command
		var value any
		err := json.Unmarshal(lines.Bytes(), &received)
		if err == nil {
			value, err = kubelet.do(received)
		}
		result := answer{Value: value}
		if err != nil {
			result = answer{Error: err.Error()}
		}
		if err := answers.Encode(result); err != nil {
			return err
		}
	}
	return lines.Err()
}
