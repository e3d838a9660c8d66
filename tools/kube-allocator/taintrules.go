package main

import (
	"context"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/dynamic-resource-allocation/resourceslice/tracker"
)

// withTaintRules returns the slices with the taints of the case's DeviceTaintRules, applied by the library's own
// tracker, in the order of the case. Without rules, or with their gate off, the slices are unchanged.
func withTaintRules(ctx context.Context, w *world, gates map[string]bool) ([]*resourceapi.ResourceSlice, error) {
	if len(w.TaintRules) == 0 || !gates[taintRuleGate] {
		return w.Slices, nil
	}
	tracked, err := tracker.StartTracker(ctx, trackerOptions(w, gates))
	if err != nil {
		return nil, err
	}
	defer tracked.Stop()
	patched, err := tracked.ListPatchedResourceSlices()
	if err != nil {
		return nil, err
	}
	byName := map[string]*resourceapi.ResourceSlice{}
	for _, slice := range patched {
		byName[slice.Name] = slice
	}
	result := make([]*resourceapi.ResourceSlice, 0, len(w.Slices))
	for _, slice := range w.Slices {
		// The scheduler ignores a slice with a rule that cannot be evaluated, too.
		if patched := byName[slice.Name]; patched != nil {
			result = append(result, patched)
		}
	}
	return result, nil
}
