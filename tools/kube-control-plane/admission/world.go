package main

import (
	"context"
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
)

// world contains the existing objects other than the written one, by collection such as `resourceClaims`.
type world map[string][]stored

type stored struct {
	Metadata struct {
		Name      string            `json:"name"`
		Namespace string            `json:"namespace"`
		Labels    map[string]string `json:"labels"`
	} `json:"metadata"`
}

func readWorld(objects json.RawMessage) (world, error) {
	result := world{}
	if len(objects) == 0 {
		return result, nil
	}
	return result, json.Unmarshal(objects, &result)
}

func (w world) has(collection, namespace, name string) bool {
	for _, object := range w[collection] {
		in := object.Metadata.Namespace
		if namespace != "" && in == "" {
			in = metav1.NamespaceDefault
		}
		if object.Metadata.Name == name && in == namespace {
			return true
		}
	}
	return false
}

// namespaces returns the labels of namespaces, the only data of other objects that the API server reads. A namespace
// that the case does not list exists without labels. Other methods are not implemented.
type namespaces struct {
	corev1client.NamespaceInterface
	world world
}

func (n namespaces) Get(_ context.Context, name string, _ metav1.GetOptions) (*corev1.Namespace, error) {
	result := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	for _, object := range n.world["namespaces"] {
		if object.Metadata.Name == name {
			result.Labels = object.Metadata.Labels
		}
	}
	return result, nil
}
