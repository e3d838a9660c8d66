package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/record"
	"k8s.io/component-base/metrics/legacyregistry"
	"k8s.io/component-base/version"
	"k8s.io/klog/v2"
	registration "k8s.io/kubelet/pkg/apis/pluginregistration/v1"
	"k8s.io/kubernetes/pkg/kubelet/cm/dra"
	"k8s.io/kubernetes/pkg/kubelet/metrics"
	"k8s.io/kubernetes/pkg/kubelet/pluginmanager"

	"kube-adapter"
	"kube-control-plane/gates"
)

// command is a line of stdin. The fields after Do depend on it.
type command struct {
	Do           string
	Registry     string          // start: folder in which drivers create registration sockets
	State        string          // start: folder of the checkpoint
	Kubeconfig   string          // start: path
	Node         string          // start: name
	Gates        map[string]bool // start: feature gates with another value than the default
	ActivePods   []types.UID     // start, setActivePods: pods whose claims the reconcile loop keeps
	PodResources string          // start: socket of the PodResources API, none if empty
	Pod          *corev1.Pod     // all others but describe and metrics
}

type kubelet struct {
	ctx     context.Context
	gates   *gates.FeatureGates
	client  kubernetes.Interface
	manager *dra.Manager

	mutex  sync.Mutex
	active []types.UID
	pods   map[types.UID]*corev1.Pod // as they were prepared
}

func newKubelet() (*kubelet, error) {
	switches, err := gates.New()
	if err != nil {
		return nil, err
	}
	return &kubelet{ctx: context.Background(), gates: switches, pods: map[types.UID]*corev1.Pod{}}, nil
}

func (k *kubelet) do(c command) (any, error) {
	switch c.Do {
	case "describe":
		return k.describe(), nil
	case "start":
		return nil, k.start(c)
	}
	if k.manager == nil {
		return nil, fmt.Errorf("%q before \"start\"", c.Do)
	}
	switch c.Do {
	case "setActivePods":
		k.setActive(c.ActivePods)
		return nil, nil
	case "metrics":
		return samples()
	}
	if c.Pod == nil {
		return nil, fmt.Errorf("%q without \"pod\", or it is unknown", c.Do)
	}
	switch c.Do {
	case "prepare":
		k.remember(c.Pod)
		return nil, k.manager.PrepareResources(k.ctx, c.Pod)
	case "unprepare":
		return nil, k.manager.UnprepareResources(k.ctx, c.Pod)
	case "mustUnprepare":
		return k.manager.PodMightNeedToUnprepareResources(c.Pod.UID), nil
	case "devices":
		return k.devices(c.Pod), nil
	case "health":
		return k.health(c.Pod), nil
	case "cgroup":
		return cgroup(c.Pod)
	}
	return nil, fmt.Errorf("unknown command %q", c.Do)
}

// describe returns the release and its feature gates.
func (k *kubelet) describe() any {
	return map[string]any{"version": version.Get().GitVersion, "gates": k.gates.Names()}
}

func (k *kubelet) start(c command) error {
	if k.manager != nil {
		return errors.New("\"start\" twice")
	}
	profile := adapter.Profile{Gates: c.Gates}
	if err := k.gates.Accept(profile); err != nil {
		return err
	}
	if err := k.gates.Set(profile); err != nil {
		return err
	}
	config, err := clientcmd.BuildConfigFromFlags("", c.Kubeconfig)
	if err != nil {
		return err
	}
	if k.client, err = kubernetes.NewForConfig(config); err != nil {
		return err
	}
	metrics.Register()
	manager, err := dra.NewManager(klog.FromContext(k.ctx), k.client, c.State)
	if err != nil {
		return err
	}
	legacyregistry.CustomMustRegister(manager.NewMetricsCollector())
	// The first reconcile starts at once, so the active pods must be known before.
	k.setActive(c.ActivePods)
	if err := manager.Start(k.ctx, k.activePods, k.node(c.Node), ready{}); err != nil {
		return err
	}
	plugins := pluginmanager.NewPluginManager(c.Registry, record.NewFakeRecorder(1000))
	plugins.AddHandler(registration.DRAPlugin, manager.GetWatcherHandler())
	run(k.ctx, plugins)
	k.manager = manager
	if c.PodResources != "" {
		return k.servePodResources(c.PodResources)
	}
	return nil
}

func (k *kubelet) getNode(ctx context.Context, name string) (*corev1.Node, error) {
	return k.client.CoreV1().Nodes().Get(ctx, name, metav1.GetOptions{})
}

func (k *kubelet) setActive(pods []types.UID) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.active = pods
}

func (k *kubelet) remember(pod *corev1.Pod) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.pods[pod.UID] = pod
}

func (k *kubelet) activePods() []*corev1.Pod {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	var pods []*corev1.Pod
	for _, uid := range k.active {
		pod, known := k.pods[uid]
		if !known {
			pod = &corev1.Pod{ObjectMeta: metav1.ObjectMeta{UID: uid}}
		}
		pods = append(pods, pod)
	}
	return pods
}

// ready says that the kubelet has seen the pods of all sources.
type ready struct{}

func (ready) AddSource(string) {}
func (ready) AllReady() bool   { return true }
