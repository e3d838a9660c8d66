package main

import (
	"reflect"

	"k8s.io/dynamic-resource-allocation/structured"
)

// searchSteps is how often the allocator entered the recursive step of its search since it was made, nil where
// it does not count. The type of its statistics has no name outside of the library, so they are read by
// reflection.
func searchSteps(allocator structured.Allocator) *int64 {
	method := reflect.ValueOf(allocator).MethodByName("GetStats")
	if !method.IsValid() {
		return nil
	}
	stats := reflect.Indirect(method.Call(nil)[0])
	if !stats.IsValid() {
		return nil
	}
	steps := stats.FieldByName("NumAllocateOneInvocations").Int()
	return &steps
}
