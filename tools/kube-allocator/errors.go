package main

import (
	"strings"

	"kube-adapter"
)

// categories maps words of the allocator's messages to categories of reasons. The first match counts.
var categories = []struct{ words, category string }{
	{"CEL compile error", "SelectorCompileError"},
	{"CEL runtime error", "SelectorRuntimeError"},
	{"feature is disabled", "FeatureDisabled"},
	{"exceeds the claim limit", "ClaimLimitExceeded"},
	{"could not retrieve device class", "ClassNotFound"},
	{"is currently being updated", "PoolIncomplete"},
	{"is currently invalid", "PoolInvalid"},
	{"invalid resource pools", "PoolInvalid"},
	{" is invalid: duplicate device name", "PoolInvalid"},
	{"because a claim constraint would not be satisfied", "ConstraintUnsatisfied"},
	{"empty constraint", "ConstraintInvalid"},
	{"unsupported count mode", "UnsupportedRequest"},
	{"unsupported selector type", "UnsupportedRequest"},
	{"unsupported request type", "UnsupportedRequest"},
	{"failed to parse node selector", "FieldInvalid"},
	{"cannot be represented in the device's range arithmetic", "FieldInvalid"},
	{"capacity value is negative", "FieldInvalid"},
	{"is too large", "ClaimLimitExceeded"},
}

// errored returns the answer for an error of the allocator.
func errored(err error) adapter.Answer {
	text, category := err.Error(), "Other"
	for _, known := range categories {
		if strings.Contains(text, known.words) {
			category = known.category
			break
		}
	}
	reasons := []map[string]string{{"category": category, "message": text}}
	return adapter.Answer{"status": "ok", "outcome": "errored", "reasons": reasons}
}
