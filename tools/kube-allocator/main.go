// Command kube-allocator serves the allocator of kube-scheduler by dra-conform's adapter protocol.
//
// One source builds against every release of k8s.io/dynamic-resource-allocation that build.sh lists.
// Subcommands answer requests about selectors, quantities and types of the release, one JSON value per line, for the
// tests of dra-conform itself.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"kube-adapter"
)

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
		allocator, err := newCaseAllocator(variant)
		if err != nil {
			return err
		}
		return adapter.Serve(allocator)
	case "evaluate":
		return adapter.EachLine(newEvaluator().answer)
	case "quantity":
		return adapter.EachLine(answerQuantity)
	case "place":
		return adapter.EachLine(answerPlacing)
	case "structure":
		return json.NewEncoder(os.Stdout).Encode(structure())
	default:
		return fmt.Errorf("unknown command %q, expected evaluate, quantity, place or structure", command)
	}
}

const library = "k8s.io/dynamic-resource-allocation"

// release returns the version of the library of this binary, such as v0.36.6.
func release() string { return adapter.Release(library) }
