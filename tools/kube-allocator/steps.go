package main

import (
	"reflect"

	"k8s.io/dynamic-resource-allocation/structured"
)

// searchSteps returns how often the allocator has entered the recursive step of its search, nil if it does not count.
// The type of its statistics is not exported, so they are read by reflection.
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
