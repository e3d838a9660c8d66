package main

import (
	"context"
	"fmt"
	"slices"

	resourcev1 "k8s.io/api/resource/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	resourcev1client "k8s.io/client-go/kubernetes/typed/resource/v1"
)

// claimWrites is the scheduler's client for claims.
type claimWrites struct {
	resourcev1client.ResourceClaimInterface
	server    *apiServer
	namespace string
}

func (c claimWrites) stored(name string) (*resourcev1.ResourceClaim, error) {
	if claim := c.server.world.claim(c.namespace, name); claim != nil {
		return claim, nil
	}
	return nil, apierrors.NewNotFound(resourcev1.Resource("resourceclaims"), name)
}

func (c claimWrites) Get(_ context.Context, name string, _ metav1.GetOptions) (*resourcev1.ResourceClaim, error) {
	claim, err := c.stored(name)
	return claim.DeepCopy(), err
}

func (c claimWrites) Create(_ context.Context, claim *resourcev1.ResourceClaim, _ metav1.CreateOptions) (made *resourcev1.ResourceClaim, err error) {
	err = c.server.write("create", "ResourceClaim", "", func() error {
		claim = claim.DeepCopy()
		if claim.Name == "" {
			claim.Name = fmt.Sprintf("%s%05d", claim.GenerateName, c.server.writes)
		}
		claim.UID = types.UID(fmt.Sprintf("made-%d", c.server.writes))
		made = c.server.putClaim(claim)
		return nil
	})
	return made, err
}

func (c claimWrites) Update(_ context.Context, claim *resourcev1.ResourceClaim, _ metav1.UpdateOptions) (*resourcev1.ResourceClaim, error) {
	return c.update(claim, "", func(stored, written *resourcev1.ResourceClaim) { written.Status = stored.Status })
}

func (c claimWrites) UpdateStatus(_ context.Context, claim *resourcev1.ResourceClaim, _ metav1.UpdateOptions) (*resourcev1.ResourceClaim, error) {
	return c.update(claim, "status", func(stored, written *resourcev1.ResourceClaim) {
		status := written.Status
		*written = *stored
		written.Status = status
	})
}

func (c claimWrites) update(claim *resourcev1.ResourceClaim, subresource string, keep func(stored, written *resourcev1.ResourceClaim)) (updated *resourcev1.ResourceClaim, err error) {
	err = c.server.write("update", "ResourceClaim", subresource, func() error {
		stored, err := c.stored(claim.Name)
		if err != nil {
			return err
		}
		if claim.ResourceVersion != "" && claim.ResourceVersion != stored.ResourceVersion {
			return refused("Conflict", "ResourceClaim")
		}
		written := claim.DeepCopy()
		keep(stored.DeepCopy(), written)
		updated = c.server.putClaim(written)
		return nil
	})
	return updated, err
}

func (c claimWrites) Patch(_ context.Context, name string, kind types.PatchType, data []byte, _ metav1.PatchOptions, subresources ...string) (patched *resourcev1.ResourceClaim, err error) {
	err = c.server.write("update", "ResourceClaim", slices.Concat(subresources, []string{""})[0], func() error {
		stored, err := c.stored(name)
		if err != nil {
			return err
		}
		written, err := merged(stored, kind, data)
		if err != nil {
			return err
		}
		patched = c.server.putClaim(written)
		return nil
	})
	return patched, err
}

func (c claimWrites) Delete(_ context.Context, name string, _ metav1.DeleteOptions) error {
	return c.server.write("delete", "ResourceClaim", "", func() error {
		claim, err := c.stored(name)
		if err != nil {
			return err
		}
		c.server.dropClaim(claim)
		return nil
	})
}
