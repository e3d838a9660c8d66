//go:build kube33 || kube34

package main

import "k8s.io/kubernetes/pkg/registry/resource/devicetaintrule"

// A DeviceTaintRule has no status in these releases.
var taintRuleStrategies = fixed{"": devicetaintrule.Strategy}
