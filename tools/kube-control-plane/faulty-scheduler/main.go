// Command faulty-scheduler is kube-scheduler with the plugin FaultyDynamicResources, which is DynamicResources with one
// fault. It shows that the suite catches a scheduler that makes a mistake; faults.yaml has its configuration.
package main

import (
	"context"
	"os"
	"strings"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/cli"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/cmd/kube-scheduler/app"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/latest"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/feature"
)

// name is what the plugin is called in the configuration: kube-scheduler refuses a second plugin DynamicResources.
const name = "FaultyDynamicResources"

// plugin is DynamicResources with the fault that the flag --fault names; without one it is as good as the release's.
type plugin struct {
	*dynamicresources.DynamicResources
	fault  string
	claims fwk.ResourceClaimTracker
}

// Name is the plugin's own name: the scheduler looks up the weight of a plugin by it.
func (p *plugin) Name() string { return name }

// Filter lets a pod run on a node on which its allocated claim is not available.
func (p *plugin) Filter(ctx context.Context, cycle fwk.CycleState, pod *v1.Pod, node fwk.NodeInfo) *fwk.Status {
	status := p.DynamicResources.Filter(ctx, cycle, pod, node)
	if p.fault == "ignores-nodes" && p.allocated(pod) && strings.Contains(status.Message(), "not available on the node") {
		return nil
	}
	return status
}

// PostFilter never deallocates or deletes a claim that keeps its pod from running.
func (p *plugin) PostFilter(ctx context.Context, cycle fwk.CycleState, pod *v1.Pod, nodes fwk.NodeToStatusReader) (*fwk.PostFilterResult, *fwk.Status) {
	if p.fault == "keeps-claims" {
		return nil, fwk.NewStatus(fwk.Unschedulable)
	}
	return p.DynamicResources.PostFilter(ctx, cycle, pod, nodes)
}

// EventsToRegister leaves out ResourceSlices, so that new devices do not make pods schedulable.
func (p *plugin) EventsToRegister(ctx context.Context) ([]fwk.ClusterEventWithHint, error) {
	events, err := p.DynamicResources.EventsToRegister(ctx)
	kept := events[:0]
	for _, event := range events {
		if p.fault != "misses-slices" || event.Event.Resource != fwk.ResourceSlice {
			kept = append(kept, event)
		}
	}
	return kept, err
}

// allocated says whether the pod has claims and all of them are allocated.
func (p *plugin) allocated(pod *v1.Pod) bool {
	for _, used := range pod.Spec.ResourceClaims {
		if used.ResourceClaimName == nil {
			return false
		}
		claim, err := p.claims.Get(pod.Namespace, *used.ResourceClaimName)
		if err != nil || claim.Status.Allocation == nil {
			return false
		}
	}
	return len(pod.Spec.ResourceClaims) > 0
}

func main() {
	var fault string
	command := app.NewSchedulerCommand(app.WithPlugin(name,
		func(ctx context.Context, _ runtime.Object, handle fwk.Handle) (fwk.Plugin, error) {
			features := feature.NewSchedulerFeaturesFromGates(utilfeature.DefaultFeatureGate)
			features.EnableDRADeviceTaints = features.EnableDRADeviceTaints && fault != "ignores-taints"
			features.EnableDRADeviceBindingConditions = features.EnableDRADeviceBindingConditions && fault != "does-not-wait"
			inner, err := dynamicresources.New(ctx, arguments(features), handle, features)
			if err != nil {
				return nil, err
			}
			return &plugin{inner.(*dynamicresources.DynamicResources), fault, handle.SharedDRAManager().ResourceClaims()}, nil
		}))
	command.Flags().StringVar(&fault, "fault", "", "the fault of DynamicResources, none by default")
	os.Exit(cli.Run(command))
}

// arguments are those that DynamicResources has by default. They belong to its name, which this plugin cannot have.
// A timeout of binding is refused where nothing waits for binding conditions.
func arguments(features feature.Features) runtime.Object {
	defaults, err := latest.Default()
	if err != nil {
		panic(err)
	}
	for _, plugin := range defaults.Profiles[0].PluginConfig {
		if plugin.Name == dynamicresources.Name {
			args := plugin.Args.(*config.DynamicResourcesArgs).DeepCopy()
			if !features.EnableDRADeviceBindingConditions {
				args.BindingTimeout = nil
			}
			return args
		}
	}
	panic("DynamicResources has no arguments")
}
