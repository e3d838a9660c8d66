//go:build !kube34

package main

import (
	"fmt"

	"k8s.io/dynamic-resource-allocation/structured"
)

const variantAuto = "auto"

// choose restricts the library to one of its allocators. With auto the features determine it, as in kube-scheduler.
func choose(variant string) error {
	switch variant {
	case variantAuto:
		structured.EnableAllocators()
	case "stable", "incubating", "experimental":
		structured.EnableAllocators(variant)
	default:
		return fmt.Errorf("unknown variant %q, expected auto, stable, incubating or experimental", variant)
	}
	return nil
}
