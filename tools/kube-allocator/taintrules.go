package main

import (
	"context"

	"k8s.io/dynamic-resource-allocation/resourceslice/tracker"
)

// withTaintRules returns the slices with the taints of the case's DeviceTaintRules, applied by the library's own
// tracker, in the order of the case. Without rules, or with their gate off, the slices are unchanged.
func withTaintRules(ctx context.Context, w *world, gates map[string]bool) ([]*resourceSlice, error) {
	slices, err := trackedSlices(w.Slices)
	if err != nil || len(w.TaintRules) == 0 || !gates[taintRuleGate] {
		return slices, err
	}
	tracked, err := tracker.StartTracker(ctx, trackerOptions(w, slices, gates))
	if err != nil {
		return nil, err
	}
	defer tracked.Stop()
	patched, err := tracked.ListPatchedResourceSlices()
	if err != nil {
		return nil, err
	}
	byName := map[string]*resourceSlice{}
	for _, slice := range patched {
		byName[slice.Name] = slice
	}
	result := make([]*resourceSlice, 0, len(slices))
	for _, slice := range slices {
		// The scheduler ignores a slice with a rule that cannot be evaluated, too.
		if patched := byName[slice.Name]; patched != nil {
			result = append(result, patched)
		}
	}
	return result, nil
}
