package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	kjson "sigs.k8s.io/json"
)

// ask is the member `ask` of a case of the operation allocate.
type ask struct {
	Node   string   `json:"node"`
	Claims []string `json:"claims"`
}

// world contains the objects of a case. It is the client of Karpenter's code, which reads DeviceClasses and allocated
// claims. Other methods of a client are not implemented.
type world struct {
	client.Client `json:"-"`

	Nodes   []*corev1.Node               `json:"nodes"`
	Classes []*resourceapi.DeviceClass   `json:"deviceClasses"`
	Slices  []*resourceapi.ResourceSlice `json:"resourceSlices"`
	Claims  []*resourceapi.ResourceClaim `json:"resourceClaims"`
}

func readWorld(objects json.RawMessage) (*world, error) {
	var result world
	if err := kjson.UnmarshalCaseSensitivePreserveInts(objects, &result); err != nil {
		return nil, fmt.Errorf("objects of the case: %w", err)
	}
	return &result, nil
}

func (w *world) node(name string) (*corev1.Node, error) {
	for _, node := range w.Nodes {
		if node.Name == name {
			return node, nil
		}
	}
	return nil, fmt.Errorf("the case has no node %q", name)
}

// take removes and returns the claims to allocate, without their allocations, in the order of the ask.
func (w *world) take(names []string) ([]*resourceapi.ResourceClaim, error) {
	var asked []*resourceapi.ResourceClaim
	for _, name := range names {
		at := slices.IndexFunc(w.Claims, func(claim *resourceapi.ResourceClaim) bool { return key(claim) == name })
		if at < 0 {
			return nil, fmt.Errorf("the case has no claim %q", name)
		}
		w.Claims[at].Status.Allocation = nil
		asked = append(asked, w.Claims[at])
		w.Claims = slices.Delete(w.Claims, at, at+1)
	}
	return asked, nil
}

func key(claim *resourceapi.ResourceClaim) string { return client.ObjectKeyFromObject(claim).String() }

func (w *world) Get(_ context.Context, name client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	class, readable := into.(*resourceapi.DeviceClass)
	if !readable {
		return fmt.Errorf("a %T is read", into)
	}
	for _, one := range w.Classes {
		if one.Name == name.Name {
			one.DeepCopyInto(class)
			return nil
		}
	}
	return apierrors.NewNotFound(schema.GroupResource{Group: resourceapi.GroupName, Resource: "deviceclasses"}, name.Name)
}

func (w *world) List(_ context.Context, into client.ObjectList, _ ...client.ListOption) error {
	claims, readable := into.(*resourceapi.ResourceClaimList)
	if !readable {
		return fmt.Errorf("a %T is read", into)
	}
	for _, claim := range w.Claims {
		claims.Items = append(claims.Items, *claim)
	}
	return nil
}
