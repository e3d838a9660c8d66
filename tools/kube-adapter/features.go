package adapter

import "maps"

// allocatorGates are the gates that a feature of dra-conform needs in an allocator.
var allocatorGates = map[string][]string{
	"admin-access":          {"DRAAdminAccess"},
	"allocation-mode-all":   nil,
	"binding-conditions":    {"DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus"},
	"cel-selectors":         nil,
	"compatibility-groups":  {"DRADeviceCompatibilityGroups"},
	"consumable-capacity":   {"DRAConsumableCapacity"},
	"device-taints":         {"DRADeviceTaints"},
	"distinct-attribute":    {"DRAConsumableCapacity"},
	"list-attributes":       {"DRAListTypeAttributes"},
	"match-attribute":       nil,
	"partitionable-devices": {"DRAPartitionableDevices"},
	"prioritized-list":      {"DRAPrioritizedList"},
}

// otherGates are the gates of features that do not concern an allocator.
var otherGates = map[string][]string{
	"extended-resources":         {"DRAExtendedResource"},
	"node-allocatable-resources": {"DRANodeAllocatableResources"},
}

// AllocatorFeatures returns the support of each feature of allocators for hello: full if all its gates are known.
func AllocatorFeatures(known func(gate string) bool) map[string]string {
	return support(allocatorGates, known)
}

// Features returns the support of every feature.
func Features(known func(gate string) bool) map[string]string {
	result := AllocatorFeatures(known)
	maps.Copy(result, support(otherGates, known))
	return result
}

func support(needed map[string][]string, known func(gate string) bool) map[string]string {
	result := map[string]string{}
	for feature, gates := range needed {
		result[feature] = "full"
		for _, gate := range gates {
			if !known(gate) {
				result[feature] = "none"
			}
		}
	}
	return result
}
