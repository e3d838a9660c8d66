package main

import (
	"context"
	"reflect"
	"strings"

	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
)

// gatesOfField returns the gates of a field of structured.Features. The library's Set has an entry per field, with
// the gates joined by "+".
func gatesOfField(field int) []string {
	var features structured.Features
	reflect.ValueOf(&features).Elem().Field(field).SetBool(true)
	var gates []string
	for _, names := range features.Set().UnsortedList() {
		gates = append(gates, strings.Split(names, "+")...)
	}
	return gates
}

// allocatorFeatures sets each feature whose gates are all on. `supported`, by gate, limits them.
func allocatorFeatures(gates, supported map[string]bool) structured.Features {
	var features structured.Features
	fields := reflect.ValueOf(&features).Elem()
	for i := range fields.NumField() {
		on := true
		for _, gate := range gatesOfField(i) {
			on = on && gates[gate] && supported[gate]
		}
		fields.Field(i).SetBool(on)
	}
	return features
}

// selectorFeatures returns the features of the selector language that belong to the allocator's features.
func selectorFeatures(features structured.Features) cel.Features {
	var result cel.Features
	fields := reflect.ValueOf(&result).Elem()
	from := reflect.ValueOf(features)
	for i := range fields.NumField() {
		name := strings.TrimPrefix(fields.Type().Field(i).Name, "Enable")
		if source := from.FieldByName(name); source.IsValid() {
			fields.Field(i).SetBool(source.Bool())
		}
	}
	return result
}

// supportedFeatures returns, by gate, the features that the chosen variant supports. It tries each feature alone.
func supportedFeatures(variant string) (map[string]bool, error) {
	if err := choose(variant); err != nil {
		return nil, err
	}
	supported := map[string]bool{}
	for i := range reflect.TypeFor[structured.Features]().NumField() {
		var features structured.Features
		reflect.ValueOf(&features).Elem().Field(i).SetBool(true)
		_, err := structured.NewAllocator(context.Background(), features, structured.AllocatedState{},
			classes{}, nil, cel.NewCache(1, cel.Features{}))
		for _, gate := range gatesOfField(i) {
			supported[gate] = err == nil
		}
	}
	return supported, nil
}
