package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	resourceapi "k8s.io/api/resource/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/karpenter/pkg/scheduling/dynamicresources"

	"kube-adapter"
)

// features are the features that Karpenter's package for dynamic resources implements. Its results have device,
// request and consumed capacity.
var features = map[string]string{
	"admin-access":                  "none",
	"allocation-mode-all":           "full",
	"binding-conditions":            "none",
	"cel-selectors":                 "full",
	"compatibility-groups":          "none",
	"configuration":                 "none",
	"consumable-capacity":           "full",
	"consumed-capacity":             "full",
	"device-taints":                 "none",
	"distinct-attribute":            "none",
	"extended-resources":            "none",
	"list-attributes":               "none",
	"match-attribute":               "full",
	"node-allocatable-resources":    "none",
	"node-selector":                 "none",
	"partitionable-devices":         "full",
	"prioritized-list":              "full",
	"recorded-admin-access":         "none",
	"recorded-binding-conditions":   "none",
	"recorded-compatibility-groups": "none",
	"recorded-tolerations":          "none",
	"share-id":                      "none",
}

// alwaysOn are the gates of its features, which it cannot switch off.
var alwaysOn = []string{"DRAConsumableCapacity", "DRAPartitionableDevices", "DRAPrioritizedList"}

type caseAllocator struct{}

func (caseAllocator) Describe() adapter.Description {
	return adapter.Description{
		Name:       "Karpenter allocator",
		Version:    adapter.Release("sigs.k8s.io/karpenter"),
		Homepage:   "https://karpenter.sh",
		Source:     "https://github.com/kubernetes-sigs/karpenter",
		Subject:    "the allocator",
		Operations: []string{"allocate"},
		Features:   features,
	}
}

func (caseAllocator) Accept(profile adapter.Profile) error {
	for _, gate := range alwaysOn {
		if !profile.Gates[gate] {
			return fmt.Errorf("Karpenter's allocator has no feature gates, so %s cannot be off", gate)
		}
	}
	return nil
}

func (caseAllocator) Answer(given adapter.Case, _ adapter.Profile) adapter.Answer {
	var asked ask
	if err := json.Unmarshal(given.Ask, &asked); err != nil {
		return adapter.Failed("ask of the case: %v", err)
	}
	world, err := readWorld(given.Objects)
	if err != nil {
		return adapter.Failed("%v", err)
	}
	node, err := world.node(asked.Node)
	if err != nil {
		return adapter.Failed("%v", err)
	}
	claims, err := world.take(asked.Claims)
	if err != nil {
		return adapter.Failed("%v", err)
	}
	ctx := context.Background()
	held, err := allocatedDevices(ctx, world)
	if err != nil {
		return adapter.Failed("devices that claims hold: %v", err)
	}
	var published []dynamicresources.ResourceSlice
	for _, slice := range world.Slices {
		published = append(published, dynamicresources.NewAPIServerSlice(slice))
	}
	allocator := dynamicresources.NewAllocator(published, held, nil, world, nil)
	result, err := allocator.Allocate(ctx, existingNode{node}, claims)
	if err != nil {
		return refused(err)
	}
	if result.Allocation != nil {
		result.Allocation.Commit(ctx)
	}
	return allocated(allocator, claims)
}

// nothingFits is its message if no device fits. Errors of the claim or a pool have other messages.
const nothingFits = "no instance type can satisfy the allocation"

func refused(err error) adapter.Answer {
	outcome := "errored"
	if strings.Contains(err.Error(), nothingFits) {
		outcome = "unallocatable"
	}
	reasons := []map[string]string{{"category": "Other", "message": err.Error()}}
	return adapter.Answer{"status": "ok", "outcome": outcome, "reasons": reasons}
}

func allocated(allocator *dynamicresources.Allocator, claims []*resourceapi.ResourceClaim) adapter.Answer {
	allocations := map[string]any{}
	for _, claim := range claims {
		results := []resourceapi.DeviceRequestAllocationResult{}
		if made := allocator.ResourceClaimAllocationMetadataForClaim(client.ObjectKeyFromObject(claim)); made != nil {
			for _, device := range made.Devices[instanceType] {
				results = append(results, resourceapi.DeviceRequestAllocationResult{
					Request:          device.RequestName.String(),
					Driver:           device.DeviceID.Driver.Value(),
					Pool:             device.DeviceID.Pool.Value(),
					Device:           device.DeviceID.Device.Value(),
					ConsumedCapacity: device.ConsumedCapacity,
				})
			}
		}
		allocations[key(claim)] = resourceapi.AllocationResult{Devices: resourceapi.DeviceAllocationResult{Results: results}}
	}
	return adapter.Answer{"status": "ok", "outcome": "allocated", "allocations": allocations}
}
