//go:build !kube34 && !kube35

package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
)

// node returns how the DRA manager gets the node.
func (k *kubelet) node(name string) func(context.Context) (*corev1.Node, error) {
	return func(ctx context.Context) (*corev1.Node, error) { return k.getNode(ctx, name) }
}
