package adapter

// featureGates are the gates that a feature of dra-conform needs.
var featureGates = map[string][]string{
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

// Features is the support of each feature of dra-conform, for hello: full if every gate that it needs is known.
func Features(known func(gate string) bool) map[string]string {
	result := map[string]string{}
	for feature, gates := range featureGates {
		result[feature] = "full"
		for _, gate := range gates {
			if !known(gate) {
				result[feature] = "none"
			}
		}
	}
	return result
}
