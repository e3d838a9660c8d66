package main

import (
	"errors"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	resourcev1client "k8s.io/client-go/kubernetes/typed/resource/v1"
)

// answerLost is the reason of a write that is stored, but whose answer is lost.
const answerLost = "Timeout"

// failure describes writes that fail a number of times.
type failure struct {
	Times       int    `json:"times"`
	Verb        string `json:"verb"`
	Kind        string `json:"kind"`
	Subresource string `json:"subresource"`
	Reason      string `json:"reason"`
}

// apiServer stores the objects that the scheduler writes. Methods that the scheduler does not use are not implemented.
type apiServer struct {
	kubernetes.Interface
	world    *world
	heard    *claimEvents
	failures []*failure
	writes   int
}

func (a *apiServer) ResourceV1() resourcev1client.ResourceV1Interface {
	return resourceGroup{server: a}
}
func (a *apiServer) CoreV1() corev1client.CoreV1Interface { return coreGroup{server: a} }

type resourceGroup struct {
	resourcev1client.ResourceV1Interface
	server *apiServer
}

func (g resourceGroup) ResourceClaims(namespace string) resourcev1client.ResourceClaimInterface {
	return claimWrites{server: g.server, namespace: namespace}
}

type coreGroup struct {
	corev1client.CoreV1Interface
	server *apiServer
}

func (g coreGroup) Pods(namespace string) corev1client.PodInterface {
	return podWrites{server: g.server, namespace: namespace}
}

// write stores an object unless the write is to fail.
func (a *apiServer) write(verb, kind, subresource string, do func() error) error {
	reason := a.due(verb, kind, subresource)
	if reason != "" && reason != answerLost {
		return refused(reason, kind)
	}
	if err := do(); err != nil {
		return err
	}
	if reason != "" {
		return refused(reason, kind)
	}
	return nil
}

func (a *apiServer) due(verb, kind, subresource string) string {
	for _, one := range a.failures {
		if one.Times > 0 && one.Verb == verb && one.Kind == kind && one.Subresource == subresource {
			one.Times--
			return one.Reason
		}
	}
	return ""
}

func refused(reason, kind string) error {
	resource, why := schema.GroupResource{Resource: kind}, errors.New("as the question wants it")
	switch reason {
	case "Conflict":
		return apierrors.NewConflict(resource, "", why)
	case "Forbidden":
		return apierrors.NewForbidden(resource, "", why)
	case "ServiceUnavailable":
		return apierrors.NewServiceUnavailable(why.Error())
	case answerLost:
		return apierrors.NewTimeoutError(why.Error(), 0)
	default:
		return apierrors.NewInternalError(why)
	}
}

func (a *apiServer) nextVersion() string {
	a.writes++
	return strconv.Itoa(1000 + a.writes)
}

// putClaim stores a claim, notifies the handlers at once, and returns a copy for the writer.
func (a *apiServer) putClaim(claim *resourcev1.ResourceClaim) *resourcev1.ResourceClaim {
	claim = claim.DeepCopy()
	claim.ResourceVersion = a.nextVersion()
	if allocation := claim.Status.Allocation; allocation != nil && allocation.AllocationTimestamp != nil {
		seconds := allocation.AllocationTimestamp.Rfc3339Copy()
		allocation.AllocationTimestamp = &seconds
	}
	at := slices.IndexFunc(a.world.claims, func(one *resourcev1.ResourceClaim) bool {
		return one.Namespace == claim.Namespace && one.Name == claim.Name
	})
	if at < 0 {
		a.world.claims = append(a.world.claims, claim)
		a.heard.handler.OnAdd(claim, false)
		return claim.DeepCopy()
	}
	before := a.world.claims[at]
	a.world.claims = slices.Clone(a.world.claims)
	if claim.DeletionTimestamp != nil && len(claim.Finalizers) == 0 {
		a.world.claims = slices.Delete(a.world.claims, at, at+1)
		a.heard.handler.OnDelete(before)
		return claim
	}
	a.world.claims[at] = claim
	a.heard.handler.OnUpdate(before, claim)
	return claim.DeepCopy()
}

// dropClaim deletes a claim, or sets its deletionTimestamp if it has finalizers.
func (a *apiServer) dropClaim(claim *resourcev1.ResourceClaim) {
	claim = claim.DeepCopy()
	now := metav1.Now()
	claim.DeletionTimestamp = &now
	a.putClaim(claim)
}

func (a *apiServer) putPod(pod *corev1.Pod) {
	pod.ResourceVersion = a.nextVersion()
	a.world.pods = slices.Clone(a.world.pods)
	for i, one := range a.world.pods {
		if one.Namespace == pod.Namespace && one.Name == pod.Name {
			a.world.pods[i] = pod
		}
	}
}
