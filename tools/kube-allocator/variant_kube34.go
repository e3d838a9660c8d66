//go:build kube34

package main

import "fmt"

const variantAuto = "auto"

// choose accepts auto only: the library of this release cannot be restricted to one of its allocators.
func choose(variant string) error {
	if variant != variantAuto {
		return fmt.Errorf("variant %q cannot be chosen in release %s, only auto", variant, release())
	}
	return nil
}
