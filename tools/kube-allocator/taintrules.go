package main

import (
	"context"

	resourceapi "k8s.io/api/resource/v1"
)

type taintRule struct{}

func withTaintRules(_ context.Context, w *world, _ map[string]bool) ([]*resourceapi.ResourceSlice, error) {
	return w.Slices, nil
}
