//go:build kube33 || kube34

package main

import "k8s.io/kubernetes/pkg/registry/resource/devicetaintrule"

// A rule has no status yet.
var taintRuleStrategies = fixed{"": devicetaintrule.Strategy}
