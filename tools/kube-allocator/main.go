// Command kube-allocator puts the allocator of kube-scheduler behind dra-conform's adapter protocol.
//
// One source builds against every release of k8s.io/dynamic-resource-allocation; build.sh says which.
// Besides serving the protocol it answers questions about the selectors, quantities and types of its release,
// one JSON value a line, for the tests of dra-conform itself.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
)

const maxLine = 64 << 20

func main() {
	variant := flag.String("variant", variantAuto, "allocator to use: auto, stable, incubating or experimental")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(),
			"usage: kube-allocator [--variant V]            serve the adapter protocol on stdin and stdout\n"+
				"       kube-allocator evaluate|quantity|place  answer the questions on stdin, one JSON line each\n"+
				"       kube-allocator structure                print the fields of the API kinds as JSON")
		flag.PrintDefaults()
	}
	flag.Parse()
	if err := run(flag.Arg(0), *variant); err != nil {
		fmt.Fprintln(os.Stderr, "kube-allocator:", err)
		os.Exit(1)
	}
}

func run(command, variant string) error {
	switch command {
	case "":
		server, err := newServer(variant)
		if err != nil {
			return err
		}
		return eachLine(server.answer)
	case "evaluate":
		return eachLine(newEvaluator().answer)
	case "quantity":
		return eachLine(answerQuantity)
	case "place":
		return eachLine(answerPlacing)
	case "structure":
		return json.NewEncoder(os.Stdout).Encode(structure())
	default:
		return fmt.Errorf("unknown command %q, expected evaluate, quantity, place or structure", command)
	}
}

// errBye ends the reading of lines without being a failure.
var errBye = errors.New("bye")

// eachLine answers each line of stdin by one line on stdout, flushed.
func eachLine(answer func(line []byte) (any, error)) error {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 1<<16), maxLine)
	out := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for in.Scan() {
		reply, err := answer(in.Bytes())
		if errors.Is(err, errBye) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := encoder.Encode(reply); err != nil {
			return err
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
	if err := in.Err(); err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read stdin: %w", err)
	}
	return nil
}

const library = "k8s.io/dynamic-resource-allocation"

// release is the version of the library this binary was built with, such as v0.36.6.
func release() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			if module.Path == library {
				return module.Version
			}
		}
	}
	return "unknown"
}
