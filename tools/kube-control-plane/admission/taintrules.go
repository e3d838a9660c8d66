//go:build !kube33 && !kube34

package main

import "k8s.io/kubernetes/pkg/registry/resource/devicetaintrule"

var taintRuleStrategies = fixed{"": devicetaintrule.Strategy, "status": devicetaintrule.StatusStrategy}
