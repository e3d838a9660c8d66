//go:build !kube36

package main

import corev1 "k8s.io/api/core/v1"

func shareOf(one corev1.NodeAllocatableResourceClaimStatus) share {
	resources := corev1.ResourceList{}
	for _, mapped := range one.Mapping {
		if mapped.Quantity != nil {
			resources[mapped.Name] = *mapped.Quantity
		}
	}
	overhead := map[string]map[string]string{}
	for _, besides := range one.Overhead {
		each := map[string]string{}
		if besides.PerPod != nil {
			each["perPod"] = besides.PerPod.String()
		}
		if besides.PerContainer != nil {
			each["perContainer"] = besides.PerContainer.String()
		}
		overhead[string(besides.Name)] = each
	}
	return share{one.ResourceClaimName, one.Containers, amounts(resources), overhead}
}
