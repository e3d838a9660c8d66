package main

import (
	"bytes"
	"encoding/json"
)

// The fields of the API that the allocator reads. If yours uses k8s.io/api, take its types instead: the objects are
// those of resource.k8s.io/v1 and v1.

// Objects has all objects of the case, by collection.
type Objects struct {
	Nodes          []Object[NodeSpec]  `json:"nodes"`
	DeviceClasses  []Object[ClassSpec] `json:"deviceClasses"`
	ResourceSlices []Object[SliceSpec] `json:"resourceSlices"`
	ResourceClaims []Object[ClaimSpec] `json:"resourceClaims"`
}

// Ask names the claims to allocate together, each `namespace/name`, and the node.
type Ask struct {
	Node   string   `json:"node"`
	Claims []string `json:"claims"`
}

// Object is an object with the specs that the allocator reads.
type Object[Spec any] struct {
	Metadata Metadata
	Spec     Spec
	Status   struct{ Allocation *Allocation }
}

// UnmarshalJSON declines specs with fields that the allocator does not know.
func (o *Object[Spec]) UnmarshalJSON(text []byte) error {
	var read struct {
		Metadata Metadata
		Spec     json.RawMessage
		Status   struct{ Allocation *Allocation }
	}
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	o.Metadata, o.Status = read.Metadata, read.Status
	if read.Spec == nil {
		return nil
	}
	spec := json.NewDecoder(bytes.NewReader(read.Spec))
	spec.DisallowUnknownFields()
	if err := spec.Decode(&o.Spec); err != nil {
		return Declined(err.Error())
	}
	return nil
}

type Metadata struct {
	Namespace string            `json:"namespace"`
	Name      string            `json:"name"`
	Labels    map[string]string `json:"labels"`
}

// NodeSpec accepts any fields, because they do not affect devices.
type NodeSpec map[string]any

type ClassSpec struct {
	Selectors []Selector `json:"selectors"`
}

type Selector struct {
	CEL struct {
		Expression string `json:"expression"`
	} `json:"cel"`
}

type SliceSpec struct {
	Driver       string        `json:"driver"`
	NodeName     string        `json:"nodeName"`
	AllNodes     bool          `json:"allNodes"`
	NodeSelector *NodeSelector `json:"nodeSelector"`
	Pool         struct {
		Name               string `json:"name"`
		Generation         int64  `json:"generation"`
		ResourceSliceCount int    `json:"resourceSliceCount"`
	} `json:"pool"`
	Devices []Device `json:"devices"`
}

type NodeSelector struct {
	Terms []NodeTerm `json:"nodeSelectorTerms"`
}

type NodeTerm struct {
	Expressions []NodeExpression `json:"matchExpressions,omitempty"`
	Fields      []NodeExpression `json:"matchFields,omitempty"`
}

type NodeExpression struct {
	Key      string   `json:"key"`
	Operator string   `json:"operator"`
	Values   []string `json:"values,omitempty"`
}

type Device struct {
	Name        string          `json:"name"`
	Attributes  json.RawMessage `json:"attributes"`
	Capacity    json.RawMessage `json:"capacity"`
	BindsToNode bool            `json:"bindsToNode"`
}

type ClaimSpec struct {
	Devices ClaimDevices `json:"devices"`
}

type ClaimDevices struct {
	Requests []Request `json:"requests"`
}

type Request struct {
	Name    string  `json:"name"`
	Exactly Exactly `json:"exactly"`
}

type Exactly struct {
	DeviceClassName string     `json:"deviceClassName"`
	Selectors       []Selector `json:"selectors"`
	AllocationMode  string     `json:"allocationMode"`
	Count           int        `json:"count"`
}

// Allocation is the status.allocation of a claim.
type Allocation struct {
	Devices      AllocatedDevices `json:"devices"`
	NodeSelector *NodeSelector    `json:"nodeSelector,omitempty"`
}

type AllocatedDevices struct {
	Results []Result `json:"results"`
}

type Result struct {
	Request string `json:"request"`
	Driver  string `json:"driver"`
	Pool    string `json:"pool"`
	Device  string `json:"device"`
}
