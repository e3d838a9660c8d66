package main

import (
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	// These packages register the types, defaults and conversions of the groups.
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
)

// storedVersion is the resource version of every object.
const storedVersion = "1"

var decoder = legacyscheme.Codecs.UniversalDecoder(corev1.SchemeGroupVersion, resourcev1.SchemeGroupVersion)

// world contains the existing objects as the API server serves them in v1: with defaults and UIDs.
type world struct {
	nodes   []*corev1.Node
	pods    []*corev1.Pod
	classes []*resourcev1.DeviceClass
	slices  []*resourcev1.ResourceSlice
	claims  []*resourcev1.ResourceClaim
}

func readWorld(objects json.RawMessage) (world, error) {
	var raw struct {
		Nodes          []json.RawMessage `json:"nodes"`
		Pods           []json.RawMessage `json:"pods"`
		DeviceClasses  []json.RawMessage `json:"deviceClasses"`
		ResourceSlices []json.RawMessage `json:"resourceSlices"`
		ResourceClaims []json.RawMessage `json:"resourceClaims"`
	}
	var result world
	if len(objects) == 0 {
		return result, nil
	}
	if err := json.Unmarshal(objects, &raw); err != nil {
		return result, err
	}
	var err error
	if result.nodes, err = decodeAll[*corev1.Node](raw.Nodes, false); err != nil {
		return result, err
	}
	if result.pods, err = decodeAll[*corev1.Pod](raw.Pods, true); err != nil {
		return result, err
	}
	if result.classes, err = decodeAll[*resourcev1.DeviceClass](raw.DeviceClasses, false); err != nil {
		return result, err
	}
	if result.slices, err = decodeAll[*resourcev1.ResourceSlice](raw.ResourceSlices, false); err != nil {
		return result, err
	}
	result.claims, err = decodeAll[*resourcev1.ResourceClaim](raw.ResourceClaims, true)
	return result, err
}

type object interface {
	runtime.Object
	metav1.Object
}

func decodeAll[T object](several []json.RawMessage, namespaced bool) ([]T, error) {
	result := make([]T, 0, len(several))
	for _, raw := range several {
		decoded, _, err := decoder.Decode(raw, nil, nil)
		if err != nil {
			return nil, err
		}
		one, ok := decoded.(T)
		if !ok {
			return nil, fmt.Errorf("unexpected object %T", decoded)
		}
		complete(one, namespaced)
		result = append(result, one)
	}
	return result, nil
}

// complete sets the fields of an object that every stored object has and a case may omit.
func complete(one object, namespaced bool) {
	if namespaced && one.GetNamespace() == "" {
		one.SetNamespace(metav1.NamespaceDefault)
	}
	if one.GetUID() == "" {
		one.SetUID(types.UID(one.GetNamespace() + "/" + one.GetName()))
	}
	if one.GetResourceVersion() == "" {
		one.SetResourceVersion(storedVersion)
	}
}

// pod returns the pod of a name such as default/p, nil if there is none.
func (w world) pod(key string) *corev1.Pod {
	for _, one := range w.pods {
		if one.Namespace+"/"+one.Name == key {
			return one
		}
	}
	return nil
}

func (w world) claim(namespace, name string) *resourcev1.ResourceClaim {
	for _, one := range w.claims {
		if one.Namespace == namespace && one.Name == name {
			return one
		}
	}
	return nil
}
