//go:build kube36

package main

import corev1 "k8s.io/api/core/v1"

func shareOf(one corev1.NodeAllocatableResourceClaimStatus) share {
	return share{one.ResourceClaimName, one.Containers, amounts(one.Resources), nil}
}
