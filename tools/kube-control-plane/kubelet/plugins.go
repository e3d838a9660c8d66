//go:build !kube34

package main

import (
	"context"

	"k8s.io/kubernetes/pkg/kubelet/pluginmanager"
)

// run starts the plugin manager, which never stops.
func run(ctx context.Context, plugins pluginmanager.PluginManager) {
	go plugins.Run(ctx, ready{}, nil)
}
