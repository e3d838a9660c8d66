package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/runtime"
	fwk "k8s.io/kube-scheduler/framework"
)

// reference names an object.
type reference struct {
	Kind      string `json:"kind"`
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
}

// changed is a change of an object by another client. The old object is nil for a create, the new one for a delete.
type changed struct {
	kind          fwk.EventResource
	before, after any
}

// action returns whether an object was added, updated or deleted.
func (c changed) action() fwk.ActionType {
	switch {
	case c.before == nil:
		return fwk.Add
	case c.after == nil:
		return fwk.Delete
	default:
		return fwk.Update
	}
}

// change changes an object as another client, and reports the pods that are queued again.
func (c *scheduling) change(one action) (map[string]any, error) {
	var after runtime.Object
	if one.Do == "create" {
		decoded, _, err := decoder.Decode(one.Object, nil, nil)
		if err != nil {
			return nil, err
		}
		after = decoded
	}
	var happened changed
	var err error
	switch one.kindOf(after) {
	case "Node":
		happened, err = replaced(c, &c.world.nodes, fwk.Node, one, after, false)
	case "Pod":
		happened, err = replaced(c, &c.world.pods, "Pod", one, after, true)
	case "DeviceClass":
		happened, err = replaced(c, &c.world.classes, fwk.DeviceClass, one, after, false)
	case "ResourceSlice":
		happened, err = replaced(c, &c.world.slices, fwk.ResourceSlice, one, after, false)
	case "ResourceClaim":
		happened, err = replaced(c, &c.world.claims, fwk.ResourceClaim, one, after, true)
	default:
		return nil, fmt.Errorf("changes of a %s are not supported", one.kindOf(after))
	}
	if err != nil {
		return nil, err
	}
	c.hear(happened)
	again := []string{}
	for _, name := range slices.Sorted(maps.Keys(c.refused)) {
		if pod := c.world.pod(name); pod != nil && c.helps(pod, happened) {
			again = append(again, name)
		}
	}
	return map[string]any{"outcome": "changed", "triedAgain": again}, nil
}

func (a action) kindOf(created runtime.Object) string {
	switch created.(type) {
	case *corev1.Node:
		return "Node"
	case *corev1.Pod:
		return "Pod"
	case *resourcev1.DeviceClass:
		return "DeviceClass"
	case *resourcev1.ResourceSlice:
		return "ResourceSlice"
	case *resourcev1.ResourceClaim:
		return "ResourceClaim"
	}
	return a.Of.Kind
}

// replaced applies the change to a collection of the world.
func replaced[T object](c *scheduling, several *[]T, kind fwk.EventResource, one action, created runtime.Object, namespaced bool) (changed, error) {
	*several = slices.Clone(*several)
	if created != nil {
		made := created.(T)
		complete(made, namespaced)
		made.SetResourceVersion(c.server.nextVersion())
		*several = append(*several, made)
		return changed{kind: kind, after: made}, nil
	}
	at := slices.IndexFunc(*several, func(known T) bool {
		return known.GetName() == one.Of.Name && known.GetNamespace() == one.Of.Namespace
	})
	if at < 0 {
		return changed{}, fmt.Errorf("%s %s does not exist", one.Of.Kind, one.Of.Name)
	}
	before := (*several)[at]
	if one.Do == "delete" {
		*several = slices.Delete(*several, at, at+1)
		return changed{kind: kind, before: before}, nil
	}
	after, err := withFields(before, one.Fields)
	if err != nil {
		return changed{}, err
	}
	after.SetResourceVersion(c.server.nextVersion())
	(*several)[at] = after
	return changed{kind, before, after}, nil
}

// withFields returns an object with other values at some paths.
func withFields[T object](before T, fields map[string]any) (T, error) {
	var none T
	text, err := json.Marshal(before)
	if err != nil {
		return none, err
	}
	var plain map[string]any
	if err := json.Unmarshal(text, &plain); err != nil {
		return none, err
	}
	for path, value := range fields {
		if err := setField(plain, path, value); err != nil {
			return none, err
		}
	}
	kind := before.GetObjectKind().GroupVersionKind()
	if kind.Kind == "" {
		plain["kind"], plain["apiVersion"] = kindAndVersion(before)
	}
	if text, err = json.Marshal(plain); err != nil {
		return none, err
	}
	decoded, _, err := decoder.Decode(text, nil, nil)
	if err != nil {
		return none, err
	}
	return decoded.(T), nil
}

func kindAndVersion(one runtime.Object) (kind, version string) {
	kind = action{}.kindOf(one)
	if kind == "Node" || kind == "Pod" {
		return kind, "v1"
	}
	return kind, resourcev1.SchemeGroupVersion.String()
}

// hear notifies the caches of the scheduler of a change.
func (c *scheduling) hear(happened changed) {
	switch {
	case happened.kind == fwk.ResourceClaim && happened.before == nil:
		c.claims.handler.OnAdd(happened.after, false)
	case happened.kind == fwk.ResourceClaim && happened.after == nil:
		c.claims.handler.OnDelete(happened.before)
	case happened.kind == fwk.ResourceClaim:
		c.claims.handler.OnUpdate(happened.before, happened.after)
	case happened.kind == fwk.DeviceClass:
		c.hearOfClass(happened)
	case happened.kind == "Pod" && happened.after == nil:
		must(c.pods.Delete(happened.before))
	case happened.kind == "Pod":
		must(c.pods.Update(happened.after))
	}
}

func (c *scheduling) hearOfClass(happened changed) {
	known := c.around.informers.Resource().V1().DeviceClasses().Informer().GetIndexer()
	switch {
	case happened.before == nil:
		must(known.Add(happened.after))
		c.classes.OnAdd(happened.after, false)
	case happened.after == nil:
		must(known.Delete(happened.before))
		c.classes.OnDelete(happened.before)
	default:
		must(known.Update(happened.after))
		c.classes.OnUpdate(happened.before, happened.after)
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
