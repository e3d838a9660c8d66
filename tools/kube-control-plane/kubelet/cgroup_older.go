//go:build kube34 || kube35

package main

import (
	"errors"

	corev1 "k8s.io/api/core/v1"
)

// cgroup fails: these releases have no node allocatable resources of ResourceClaims.
func cgroup(*corev1.Pod) (any, error) {
	return nil, errors.New("not supported by this release")
}
