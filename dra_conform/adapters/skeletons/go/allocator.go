package main

import (
	"errors"
	"regexp"
	"strconv"
)

// Replace this allocator with yours: it allocates the first free devices and only selects them by driver.

var implementation = map[string]string{"name": "my-allocator", "version": "0.1.0", "language": "go"}

// What it does not support it declines: here, or with the error Declined. Both count as unsupported, not as failed.
// When yours supports more, remove the feature from the list and add its fields to the types in objects.go.
var declinedFeatures = []string{
	"admin-access", "allocation-mode-all", "binding-conditions", "compatibility-groups", "configuration",
	"consumable-capacity", "consumed-capacity", "device-taints", "distinct-attribute", "extended-resources",
	"list-attributes", "match-attribute", "node-allocatable-resources", "node-selector", "partitionable-devices",
	"prioritized-list", "recorded-admin-access", "recorded-binding-conditions", "recorded-compatibility-groups",
	"recorded-tolerations", "share-id",
}

func features() map[string]string {
	support := map[string]string{"cel-selectors": "partial"}
	for _, feature := range declinedFeatures {
		support[feature] = "none"
	}
	return support
}

// Declined is the error for a request that needs something that this allocator does not support.
type Declined string

func (d Declined) Error() string { return string(d) }

var errNothingFits = errors.New("nothing fits")

type deviceID struct{ driver, pool, device string }

type poolID struct{ driver, name string }

var namesDriver = regexp.MustCompile(`^device\.driver == "([a-z0-9.-]+)"$`)

// allocate returns the status.allocation of each claim, or errNothingFits.
func allocate(objects Objects, ask Ask) (map[string]Allocation, error) {
	classes := map[string]ClassSpec{}
	for _, class := range objects.DeviceClasses {
		classes[class.Metadata.Name] = class.Spec
	}
	claims := map[string]ClaimSpec{}
	used := map[deviceID]bool{}
	for _, claim := range objects.ResourceClaims {
		claims[claim.Metadata.Namespace+"/"+claim.Metadata.Name] = claim.Spec
		if claim.Status.Allocation == nil {
			continue
		}
		for _, allocated := range claim.Status.Allocation.Devices.Results { // allocated devices are not free
			used[deviceID{allocated.Driver, allocated.Pool, allocated.Device}] = true
		}
	}
	devices := devicesOn(ask.Node, objects)
	local := map[poolID]bool{} // pools with devices that only some nodes have
	for _, slice := range objects.ResourceSlices {
		if !slice.Spec.AllNodes {
			local[poolID{slice.Spec.Driver, slice.Spec.Pool.Name}] = true
		}
	}
	allocations := map[string]Allocation{}
	for _, name := range ask.Claims {
		results, everywhere := []Result{}, true
		for _, request := range claims[name].Devices.Requests {
			found, err := firstFree(devices, used, classes, request.Exactly)
			if err != nil {
				return nil, err
			}
			for _, one := range found {
				used[one] = true
				everywhere = everywhere && !local[poolID{one.driver, one.pool}]
				results = append(results, Result{request.Name, one.driver, one.pool, one.device})
			}
		}
		allocation := Allocation{Devices: AllocatedDevices{Results: results}}
		if !everywhere {
			// Only this node, also if the devices are available on more: so node-selector is declined.
			here := NodeExpression{Key: "metadata.name", Operator: "In", Values: []string{ask.Node}}
			allocation.NodeSelector = &NodeSelector{Terms: []NodeTerm{{Fields: []NodeExpression{here}}}}
		}
		allocations[name] = allocation
	}
	return allocations, nil
}

func firstFree(devices []deviceID, used map[deviceID]bool, classes map[string]ClassSpec, want Exactly) ([]deviceID, error) {
	class, known := classes[want.DeviceClassName]
	if !known || want.AllocationMode != "ExactCount" {
		return nil, errNothingFits
	}
	var drivers []string
	for _, selector := range append(append([]Selector{}, class.Selectors...), want.Selectors...) {
		named := namesDriver.FindStringSubmatch(selector.CEL.Expression)
		if named == nil {
			return nil, Declined("a selector other than device.driver == NAME")
		}
		drivers = append(drivers, named[1])
	}
	found := []deviceID{}
	for _, device := range devices {
		if !used[device] && all(drivers, func(driver string) bool { return driver == device.driver }) {
			found = append(found, device)
		}
	}
	if len(found) < want.Count {
		return nil, errNothingFits
	}
	return found[:want.Count], nil
}

// devicesOn returns the devices of the node in complete pools, from the ResourceSlices of the newest generation.
func devicesOn(node string, objects Objects) []deviceID {
	labels := map[string]string{}
	for _, one := range objects.Nodes {
		if one.Metadata.Name == node {
			labels = one.Metadata.Labels
		}
	}
	pools := map[poolID][]SliceSpec{}
	var order []poolID
	for _, slice := range objects.ResourceSlices {
		id := poolID{slice.Spec.Driver, slice.Spec.Pool.Name}
		current := pools[id]
		switch {
		case len(current) == 0:
			order = append(order, id)
			fallthrough
		case slice.Spec.Pool.Generation > current[0].Pool.Generation:
			pools[id] = []SliceSpec{slice.Spec}
		case slice.Spec.Pool.Generation == current[0].Pool.Generation:
			pools[id] = append(current, slice.Spec)
		}
	}
	var found []deviceID
	for _, id := range order {
		if !complete(pools[id]) {
			continue
		}
		for _, spec := range pools[id] {
			if !reaches(spec, node, labels) {
				continue
			}
			for _, device := range spec.Devices {
				found = append(found, deviceID{id.driver, id.name, device.Name})
			}
		}
	}
	return found
}

// complete reports whether all ResourceSlices of a pool exist and no device name occurs twice.
func complete(specs []SliceSpec) bool {
	names := map[string]bool{}
	for _, spec := range specs {
		if spec.Pool.ResourceSliceCount != len(specs) {
			return false
		}
		for _, device := range spec.Devices {
			if names[device.Name] {
				return false
			}
			names[device.Name] = true
		}
	}
	return true
}

// reaches reports whether the devices of a ResourceSlice are available on a node.
func reaches(spec SliceSpec, node string, labels map[string]string) bool {
	if spec.NodeSelector == nil {
		return spec.AllNodes || spec.NodeName == node
	}
	met := func(expression NodeExpression, labels map[string]string) bool {
		label, found := labels[expression.Key]
		listed := !all(expression.Values, func(value string) bool { return value != label })
		switch expression.Operator {
		case "In":
			return found && listed
		case "NotIn":
			return !found || !listed
		case "Exists":
			return found
		case "DoesNotExist":
			return !found
		}
		number, err := strconv.Atoi(label) // Gt and Lt compare integers
		bound, errOfBound := strconv.Atoi(expression.Values[0])
		if err != nil || errOfBound != nil {
			return false
		}
		return expression.Operator == "Gt" && number > bound || expression.Operator == "Lt" && number < bound
	}
	fields := map[string]string{"metadata.name": node}
	return !all(spec.NodeSelector.Terms, func(term NodeTerm) bool {
		return !all(term.Expressions, func(one NodeExpression) bool { return met(one, labels) }) ||
			!all(term.Fields, func(one NodeExpression) bool { return met(one, fields) })
	})
}

func all[T any](some []T, holds func(T) bool) bool {
	for _, one := range some {
		if !holds(one) {
			return false
		}
	}
	return true
}
