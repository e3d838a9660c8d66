package main

import (
	"context"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/features"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/feature"
	"k8s.io/kubernetes/pkg/scheduler/util/assumecache"
)

// scheduler is the plugin for claims with its framework handle.
type scheduler struct {
	ctx      context.Context
	world    *world
	claims   *claimEvents
	classes  cache.ResourceEventHandler
	pods     cache.Indexer
	inFlight *inFlight
	around   handle
	features feature.Features
	devices  *dynamicresources.DynamicResources
}

func newScheduler(ctx context.Context, client kubernetes.Interface, claims *claimEvents, waits *waiting, world *world) (*scheduler, error) {
	factory := newInformers(client, *world)
	assumed := assumecache.NewAssumeCache(klog.Background(), claims, "resource claim", "", nil)
	manager := dynamicresources.NewDRAManager(ctx, assumed, nil, factory)
	var classes cache.ResourceEventHandler = cache.ResourceEventHandlerFuncs{}
	if heard, ok := manager.DeviceClassResolver().(cache.ResourceEventHandler); ok && utilfeature.DefaultFeatureGate.Enabled(features.DRAExtendedResource) {
		classes = heard
	}
	for _, class := range world.classes {
		classes.OnAdd(class, true)
	}
	for _, claim := range world.claims {
		claims.handler.OnAdd(claim, true)
	}
	switches := feature.NewSchedulerFeaturesFromGates(utilfeature.DefaultFeatureGate)
	tracked := &inFlight{ResourceClaimTracker: manager.ResourceClaims()}
	around := handle{client: client, informers: factory, manager: knownManager{manager, world, tracked}, recorder: waits}
	plugin, err := dynamicresources.New(ctx, &config.DynamicResourcesArgs{}, around, switches)
	if err != nil {
		return nil, err
	}
	pods := factory.Core().V1().Pods().Informer().GetIndexer()
	devices := plugin.(*dynamicresources.DynamicResources)
	return &scheduler{ctx, world, claims, classes, pods, tracked, around, switches, devices}, nil
}

// claimEvents notifies the cache of claims of their events.
type claimEvents struct {
	handler cache.ResourceEventHandler
}

func (c *claimEvents) AddEventHandler(handler cache.ResourceEventHandler) (cache.ResourceEventHandlerRegistration, error) {
	c.handler = handler
	return nil, nil
}

// AddEventHandlerWithOptions is called by the scheduler since 1.38.
func (c *claimEvents) AddEventHandlerWithOptions(
	handler cache.ResourceEventHandler, _ cache.HandlerOptions,
) (cache.ResourceEventHandlerRegistration, error) {
	return c.AddEventHandler(handler)
}

// handle is the framework handle of the plugin. Methods that the plugin does not use are not implemented.
type handle struct {
	fwk.Handle
	client    kubernetes.Interface
	informers informers.SharedInformerFactory
	manager   fwk.SharedDRAManager
	recorder  events.EventRecorderLogger
}

func (h handle) ClientSet() kubernetes.Interface                        { return h.client }
func (h handle) SharedInformerFactory() informers.SharedInformerFactory { return h.informers }
func (h handle) SharedDRAManager() fwk.SharedDRAManager                 { return h.manager }
func (h handle) EventRecorder() events.EventRecorderLogger              { return h.recorder }
func (h handle) SnapshotSharedLister() fwk.SharedLister                 { return nil }
func (h handle) ProfileName() string                                    { return "default-scheduler" }

// knownManager lists the slices in the order of the case. An informer would list them in any order.
type knownManager struct {
	fwk.SharedDRAManager
	world   *world
	tracked *inFlight
}

func (m knownManager) ResourceSlices() fwk.ResourceSliceLister  { return m }
func (m knownManager) ResourceClaims() fwk.ResourceClaimTracker { return m.tracked }

func (m knownManager) ListWithDeviceTaintRules() ([]*resourceSlice, error) {
	return trackedSlices(m.world.slices)
}
