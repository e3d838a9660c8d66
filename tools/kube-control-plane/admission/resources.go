package main

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/apis/resource"
	"k8s.io/kubernetes/pkg/registry/core/namespace"
	"k8s.io/kubernetes/pkg/registry/core/node"
	"k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/pkg/registry/core/resourcequota"
	"k8s.io/kubernetes/pkg/registry/resource/deviceclass"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaimtemplate"
	"k8s.io/kubernetes/pkg/registry/resource/resourceslice"
)

// strategy is the API server's processing of a kind or of a subresource.
type strategy interface {
	rest.RESTCreateStrategy
	rest.RESTUpdateStrategy
}

// strategies are the strategies of a kind by subresource, with the empty string for the object itself.
type strategies map[string]strategy

// apiResource has the names of a kind in URLs and in cases, and its strategies.
type apiResource struct {
	name       string
	collection string
	strategies func(namespaces) strategies
}

var resources = map[schema.GroupKind]apiResource{
	resource.Kind("ResourceSlice"):         {"resourceslices", "resourceSlices", fixed{"": resourceslice.Strategy}.of},
	resource.Kind("ResourceClaim"):         {"resourceclaims", "resourceClaims", claimStrategies},
	resource.Kind("ResourceClaimTemplate"): {"resourceclaimtemplates", "resourceClaimTemplates", templateStrategies},
	resource.Kind("DeviceClass"):           {"deviceclasses", "deviceClasses", fixed{"": deviceclass.Strategy}.of},
	resource.Kind("DeviceTaintRule"):       {"devicetaintrules", "deviceTaintRules", taintRuleStrategies.of},
	core.Kind("Pod"): {"pods", "pods", fixed{
		"": pod.Strategy, "status": pod.StatusStrategy, "resize": pod.ResizeStrategy}.of},
	core.Kind("Node"): {"nodes", "nodes", fixed{
		"": node.Strategy, "status": node.StatusStrategy}.of},
	core.Kind("Namespace"): {"namespaces", "namespaces", fixed{
		"": namespace.Strategy, "status": namespace.StatusStrategy}.of},
	core.Kind("ResourceQuota"): {"resourcequotas", "resourceQuotas", fixed{
		"": resourcequota.Strategy, "status": resourcequota.StatusStrategy}.of},
}

// fixed returns strategies that do not depend on other objects.
type fixed strategies

func (f fixed) of(namespaces) strategies { return strategies(f) }

func templateStrategies(namespaces namespaces) strategies {
	return strategies{"": resourceclaimtemplate.NewStrategy(namespaces)}
}
