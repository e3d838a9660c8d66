//go:build !kube34 && !kube35 && !kube36

package main

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
)

func (k *kubelet) updateStatus(pod *corev1.Pod, status *corev1.PodStatus) {
	k.manager.UpdateAllocatedResourcesStatus(klog.FromContext(k.ctx), pod, status)
}
