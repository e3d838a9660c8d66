package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/metrics"

	"kube-adapter"
	"kube-control-plane/gates"
)

// scheduling is a scheduler with an API server and the state of its attempts.
type scheduling struct {
	*scheduler
	server  *apiServer
	plugins []fwk.Plugin
	waiting *waiting
	held    map[string]*attempt
	refused map[string]bool
	phases  []map[string]any
}

type action struct {
	Do      string          `json:"do"`
	Pod     string          `json:"pod"`
	Through string          `json:"through"`
	Nodes   []string        `json:"nodes"`
	Object  json.RawMessage `json:"object"`
	Of      reference       `json:"of"`
	Fields  map[string]any  `json:"fields"`
	failure
}

// schedule answers the operation schedule with the plugins of the scheduler.
func schedule(world world, ask json.RawMessage, _ *gates.FeatureGates) adapter.Answer {
	var asked struct {
		Actions []action `json:"actions"`
	}
	if err := json.Unmarshal(ask, &asked); err != nil {
		return adapter.Failed("ask of the case: %v", err)
	}
	scheduling, err := newScheduling(&world)
	if err != nil {
		return adapter.Failed("make the scheduler: %v", err)
	}
	observations := []map[string]any{}
	for _, one := range asked.Actions {
		observed, err := scheduling.do(one)
		if err != nil {
			return adapter.Failed("%s: %v", one.Do, err)
		}
		observations = append(observations, observed)
	}
	return adapter.Answer{"status": "ok", "outcome": "tried", "observations": observations}
}

func newScheduling(world *world) (*scheduling, error) {
	metrics.Register()
	claims, waits := &claimEvents{}, &waiting{}
	server := &apiServer{world: world, heard: claims}
	made, err := newScheduler(context.Background(), server, claims, waits, world)
	if err != nil {
		return nil, err
	}
	plugins, err := made.nodePlugins()
	return &scheduling{made, server, plugins, waits, map[string]*attempt{}, map[string]bool{}, nil}, err
}

func (c *scheduling) do(one action) (map[string]any, error) {
	switch one.Do {
	case "try":
		return c.try(one)
	case "bind", "give-up":
		tried := c.held[one.Pod]
		if tried == nil {
			return c.told(func() {}), nil
		}
		delete(c.held, one.Pod)
		return c.told(func() {
			if one.Do == "give-up" {
				c.giveUp(tried)
			} else if c.goOn(tried, "Bind") {
				c.held[one.Pod] = tried
			}
		}), nil
	case "fail":
		failing := one.failure
		c.server.failures = append(c.server.failures, &failing)
		return map[string]any{"outcome": "done"}, nil
	default:
		return c.change(one)
	}
}

func (c *scheduling) try(one action) (map[string]any, error) {
	pod := c.world.pod(one.Pod)
	if pod == nil {
		return nil, fmt.Errorf("pod %s does not exist", one.Pod)
	}
	if c.held[one.Pod] != nil || pod.Spec.NodeName != "" {
		return c.told(func() {}), nil
	}
	var assumed []*corev1.Pod
	for _, name := range slices.Sorted(maps.Keys(c.held)) {
		assumed = append(assumed, c.held[name].assumed)
	}
	nodes, err := chosen(c.world.nodeInfos(assumed), one.Nodes)
	if err != nil {
		return nil, err
	}
	delete(c.refused, one.Pod)
	return c.told(func() {
		tried := newAttempt(pod)
		held, waits := c.run(tried, nodes, one.Through)
		if held {
			c.held[one.Pod] = tried
		}
		if waits {
			c.refused[one.Pod] = true
		}
	}), nil
}

// chosen returns the nodes of these names, or all nodes by name if there are none.
func chosen(nodes []fwk.NodeInfo, names []string) ([]fwk.NodeInfo, error) {
	known := map[string]fwk.NodeInfo{}
	for _, node := range nodes {
		known[node.Node().Name] = node
	}
	if len(names) == 0 {
		names = slices.Sorted(maps.Keys(known))
	}
	result := []fwk.NodeInfo{}
	for _, name := range names {
		if known[name] == nil {
			return nil, fmt.Errorf("node %s does not exist", name)
		}
		result = append(result, known[name])
	}
	return result, nil
}

// told are the reported phases of an attempt.
func (c *scheduling) told(attempt func()) map[string]any {
	c.phases = []map[string]any{}
	attempt()
	return map[string]any{"outcome": "attempted", "phases": c.phases}
}

// ended reports the result of a phase, and returns whether it ends the attempt.
func (c *scheduling) ended(phase, node string, said *fwk.Status) bool {
	var reasons []string
	if said != nil {
		reasons = said.Reasons()
	}
	c.tell(phase, node, said.Code().String(), reasons)
	return !said.IsSuccess()
}

var changing = []string{"PostFilter", "Reserve", "PreBind", "Bind", "Unreserve"}

func (c *scheduling) tell(phase, node, code string, reasons []string) {
	told := map[string]any{"phase": phase, "code": code}
	if node != "" {
		told["node"] = node
	}
	if len(reasons) > 0 {
		told["reasons"] = reasons
	}
	if slices.Contains(changing, phase) {
		claims, pods := []*resourcev1.ResourceClaim{}, []*corev1.Pod{}
		for _, claim := range c.world.claims {
			claim = claim.DeepCopy()
			claim.TypeMeta = metav1.TypeMeta{APIVersion: resourcev1.SchemeGroupVersion.String(), Kind: "ResourceClaim"}
			claims = append(claims, claim)
		}
		for _, pod := range c.world.pods {
			pod = pod.DeepCopy()
			pod.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}
			pods = append(pods, pod)
		}
		told["objects"] = map[string]any{"resourceClaims": claims, "pods": pods}
		told["inFlight"] = c.inFlight.references()
	}
	c.phases = append(c.phases, told)
}
