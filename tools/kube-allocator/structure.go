package main

import (
	"encoding/json"
	"reflect"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
)

// kinds are the API objects whose fields are printed. DeviceTaintRule has another version in older releases.
var kinds = map[string]any{
	"DeviceClass":           resourceapi.DeviceClass{},
	"ResourceClaim":         resourceapi.ResourceClaim{},
	"ResourceClaimTemplate": resourceapi.ResourceClaimTemplate{},
	"ResourceSlice":         resourceapi.ResourceSlice{},
	"DeviceTaintRule":       taintRule{},
	"Node":                  corev1.Node{},
	"Pod":                   corev1.Pod{},
	"Namespace":             corev1.Namespace{},
	"ResourceQuota":         corev1.ResourceQuota{},
	"Deployment":            appsv1.Deployment{},
	"ReplicaSet":            appsv1.ReplicaSet{},
	"StatefulSet":           appsv1.StatefulSet{},
	"DaemonSet":             appsv1.DaemonSet{},
	"Job":                   batchv1.Job{},
}

// structures returns the fields of the kinds, and of every struct they contain, by the name of the type.
type structures struct {
	Release string                      `json:"release"`
	Kinds   map[string]string           `json:"kinds"`
	Types   map[string]map[string]field `json:"types"`
}

// field is a JSON member: its JSON type or the name of a struct, and whether it is optional.
type field struct {
	Type     string `json:"type"`
	Optional bool   `json:"optional"`
	Pointer  bool   `json:"pointer"`
}

func structure() structures {
	result := structures{Release: release(), Kinds: map[string]string{}, Types: map[string]map[string]field{}}
	for kind, value := range kinds {
		result.Kinds[kind] = result.add(reflect.TypeOf(value))
	}
	return result
}

func (s structures) add(t reflect.Type) string {
	name := qualified(t)
	if _, known := s.Types[name]; !known {
		s.Types[name] = map[string]field{}
		s.members(t, s.Types[name])
	}
	return name
}

func (s structures) members(t reflect.Type, into map[string]field) {
	for i := range t.NumField() {
		member := t.Field(i)
		name, options, _ := strings.Cut(member.Tag.Get("json"), ",")
		if name == "-" || !member.IsExported() {
			continue
		}
		if name == "" {
			if member.Anonymous {
				s.members(member.Type, into)
			}
			continue
		}
		optional := strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero")
		into[name] = field{Type: s.name(member.Type), Optional: optional, Pointer: member.Type.Kind() == reflect.Pointer}
	}
}

// qualified returns the name of a type with its group and version, such as resource/v1.Device.
func qualified(t reflect.Type) string {
	return strings.TrimPrefix(t.PkgPath(), "k8s.io/api/") + "." + t.Name()
}

var marshaler = reflect.TypeFor[json.Marshaler]()

func (s structures) name(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return s.name(t.Elem())
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "bytes"
		}
		return "[]" + s.name(t.Elem())
	case reflect.Map:
		return "map[" + t.Key().Kind().String() + "]" + s.name(t.Elem())
	case reflect.Struct:
		if reflect.PointerTo(t).Implements(marshaler) {
			return qualified(t)
		}
		return s.add(t)
	default:
		return t.Kind().String()
	}
}
