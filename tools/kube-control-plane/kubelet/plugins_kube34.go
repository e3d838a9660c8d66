//go:build kube34

package main

import (
	"context"

	"k8s.io/kubernetes/pkg/kubelet/pluginmanager"
)

// run starts the plugin manager, which never stops.
func run(_ context.Context, plugins pluginmanager.PluginManager) {
	go plugins.Run(ready{}, nil)
}
