package main

import (
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	kjson "sigs.k8s.io/json"
)

// world contains the objects of a case, decoded as an API server decodes them: case-sensitive, without unknown
// fields, and with the defaults of resource.k8s.io/v1.
type world struct {
	Nodes       []*corev1.Node               `json:"nodes"`
	Classes     []*resourceapi.DeviceClass   `json:"deviceClasses"`
	Slices      []*resourceapi.ResourceSlice `json:"resourceSlices"`
	Claims      []*resourceapi.ResourceClaim `json:"resourceClaims"`
	TaintRules  []*taintRule                 `json:"deviceTaintRules"`
	classes     classes
	claimsByKey map[string]*resourceapi.ResourceClaim
}

func readWorld(objects json.RawMessage) (*world, error) {
	var result world
	if err := kjson.UnmarshalCaseSensitivePreserveInts(objects, &result); err != nil {
		return nil, fmt.Errorf("objects of the case: %w", err)
	}
	result.classes = classes{}
	for _, class := range result.Classes {
		result.classes[class.Name] = class
	}
	result.claimsByKey = map[string]*resourceapi.ResourceClaim{}
	for _, claim := range result.Claims {
		if claim.Namespace == "" {
			claim.Namespace = "default"
		}
		setDefaults(claim)
		result.claimsByKey[key(claim)] = claim
	}
	return &result, nil
}

func key(claim *resourceapi.ResourceClaim) string {
	return claim.Namespace + "/" + claim.Name
}

// asked returns the claims to allocate, in the order of the ask, without their allocations.
func (w *world) asked(names []string) ([]*resourceapi.ResourceClaim, error) {
	result := make([]*resourceapi.ResourceClaim, 0, len(names))
	for _, name := range names {
		claim, found := w.claimsByKey[name]
		if !found {
			return nil, fmt.Errorf("the case has no claim %q", name)
		}
		result = append(result, claim)
	}
	return result, nil
}

// held returns the other claims that are allocated.
func (w *world) held(asked []string) []*resourceapi.ResourceClaim {
	except := map[string]bool{}
	for _, name := range asked {
		except[name] = true
	}
	var result []*resourceapi.ResourceClaim
	for _, claim := range w.Claims {
		if claim.Status.Allocation != nil && !except[key(claim)] {
			result = append(result, claim)
		}
	}
	return result
}

// classes is a lister of DeviceClasses by name.
type classes map[string]*resourceapi.DeviceClass

func (c classes) List() ([]*resourceapi.DeviceClass, error) {
	result := make([]*resourceapi.DeviceClass, 0, len(c))
	for _, class := range c {
		result = append(result, class)
	}
	return result, nil
}

func (c classes) Get(name string) (*resourceapi.DeviceClass, error) {
	if class, found := c[name]; found {
		return class, nil
	}
	return nil, fmt.Errorf("deviceclass.resource.k8s.io %q not found", name)
}
