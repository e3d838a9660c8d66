package main

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources"
)

// attempt is an attempt to schedule a pod. It has a node once something is reserved.
type attempt struct {
	pod     *corev1.Pod
	assumed *corev1.Pod
	state   fwk.CycleState
	skipped map[string]bool
	bound   bool
}

// run runs the phases from the first through a given one, and returns whether something is reserved. It reports a wait if
// the pod waits for a change.
func (c *scheduling) run(tried *attempt, nodes []fwk.NodeInfo, through string) (held, waits bool) {
	if said := c.devices.PreEnqueue(c.ctx, tried.pod); c.ended("PreEnqueue", "", said) {
		return false, true
	}
	fitting, said := c.fitting(tried, nodes)
	if len(fitting) == 0 {
		if said.Code() == fwk.Error {
			return false, false
		}
		_, said = c.devices.PostFilter(c.ctx, tried.state, tried.pod, nil)
		c.ended("PostFilter", "", said)
		return false, said.Code() != fwk.Error
	}
	node := c.best(tried, fitting)
	tried.assumed = tried.pod.DeepCopy()
	tried.assumed.Spec.NodeName = node.Node().Name
	if c.features.EnableDRANodeAllocatableResources {
		tried.assumed.Status.NodeAllocatableResourceClaimStatuses =
			dynamicresources.ExtractPodNodeAllocatableResourceClaimStatus(klog.Background(), tried.state, node.Node().Name)
	}
	if said := c.devices.Reserve(c.ctx, tried.state, tried.assumed, tried.assumed.Spec.NodeName); c.ended("Reserve", tried.assumed.Spec.NodeName, said) {
		c.giveUp(tried)
		return false, false
	}
	if through == "Reserve" {
		return true, false
	}
	return c.goOn(tried, through), false
}

// fitting returns the nodes that pass all filters, or the reason why there are none.
func (c *scheduling) fitting(tried *attempt, nodes []fwk.NodeInfo) ([]fwk.NodeInfo, *fwk.Status) {
	for _, one := range c.plugins {
		if plugin, ok := one.(fwk.PreFilterPlugin); ok {
			_, said := plugin.PreFilter(c.ctx, tried.state, tried.pod, nodes)
			if said.IsSkip() {
				tried.skipped[one.Name()] = true
			} else if !said.IsSuccess() {
				c.ended("PreFilter", "", said)
				return nil, said
			}
		}
	}
	c.ended("PreFilter", "", nil)
	var result []fwk.NodeInfo
	last := fwk.NewStatus(fwk.UnschedulableAndUnresolvable)
	for _, node := range nodes {
		said := c.filter(tried, node)
		if !c.ended("Filter", node.Node().Name, said) {
			result = append(result, node)
		} else if last = said; said.Code() == fwk.Error {
			return nil, said
		}
	}
	return result, last
}

func (c *scheduling) filter(tried *attempt, node fwk.NodeInfo) *fwk.Status {
	for _, one := range c.plugins {
		if plugin, ok := one.(fwk.FilterPlugin); ok && !tried.skipped[one.Name()] {
			if said := plugin.Filter(c.ctx, tried.state, tried.pod, node); !said.IsSuccess() {
				return said
			}
		}
	}
	return nil
}

// best returns the first node with the highest score of the plugin for claims.
func (c *scheduling) best(tried *attempt, nodes []fwk.NodeInfo) fwk.NodeInfo {
	if len(nodes) == 1 || tried.skipped[c.devices.Name()] {
		return nodes[0]
	}
	best, most := nodes[0], int64(-1)
	for _, node := range nodes {
		if score, said := c.devices.Score(c.ctx, tried.state, tried.pod, node); said.IsSuccess() && score > most {
			best, most = node, score
		}
	}
	return best
}

// goOn runs PreBind and Bind, and returns whether something is still reserved.
func (c *scheduling) goOn(tried *attempt, through string) bool {
	node := tried.assumed.Spec.NodeName
	if !tried.bound {
		said, waits := c.preBind(tried, node)
		if waits {
			c.tell("PreBind", node, "Wait", said.Reasons())
			return true
		}
		if c.ended("PreBind", node, said) {
			c.giveUp(tried)
			return false
		}
		tried.bound = true
		if through == "PreBind" {
			return true
		}
	}
	binding := &corev1.Binding{ObjectMeta: metav1.ObjectMeta{Name: tried.pod.Name}, Target: corev1.ObjectReference{Name: node}}
	err := c.server.CoreV1().Pods(tried.pod.Namespace).Bind(c.ctx, binding, metav1.CreateOptions{})
	if c.ended("Bind", node, fwk.AsStatus(err)) {
		c.giveUp(tried)
	}
	return false
}

func (c *scheduling) giveUp(tried *attempt) {
	c.devices.Unreserve(c.ctx, tried.state, tried.assumed, tried.assumed.Spec.NodeName)
	c.ended("Unreserve", tried.assumed.Spec.NodeName, nil)
}

// preBind runs PreBind, and returns whether the plugin began to wait for devices. It does not let it wait.
func (c *scheduling) preBind(tried *attempt, node string) (*fwk.Status, bool) {
	ctx, stop := context.WithCancel(c.ctx)
	defer stop()
	c.waiting.stop = stop
	said := c.devices.PreBind(ctx, tried.state, tried.assumed, node)
	return said, !said.IsSuccess() && errors.Is(said.AsError(), context.Canceled)
}

// waiting is notified when the plugin begins to wait for devices. A stopped plugin still polls once.
type waiting struct {
	events.EventRecorderLogger
	stop func()
}

func (w *waiting) WithLogger(klog.Logger) events.EventRecorderLogger { return w }

func (w *waiting) Eventf(_, _ runtime.Object, _, _, _, _ string, _ ...any) { w.stop() }

func newAttempt(pod *corev1.Pod) *attempt {
	return &attempt{pod: pod, state: framework.NewCycleState(), skipped: map[string]bool{}}
}
