//go:build !kube34 && !kube35 && !kube36

package main

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	podresourcesapi "k8s.io/kubelet/pkg/apis/podresources/v1"
)

func (d dynamicResources) GetDynamicResources(_ klog.Logger, pod *corev1.Pod, container *corev1.Container) []*podresourcesapi.DynamicResource {
	return d.kubelet.dynamicResources(pod, container)
}

type noDevices struct{}

func (noDevices) UpdateAllocatedDevices(klog.Logger)                                    {}
func (noDevices) GetDevices(_, _ string) []*podresourcesapi.ContainerDevices            { return nil }
func (noDevices) GetAllocatableDevices(klog.Logger) []*podresourcesapi.ContainerDevices { return nil }

type noCPUs struct{}

func (noCPUs) GetCPUs(*corev1.Pod, *corev1.Container) []int64 { return nil }
func (noCPUs) GetPodCPUs(string) []int64                      { return nil }
func (noCPUs) GetAllocatableCPUs() []int64                    { return nil }

type noMemory struct{}

func (noMemory) GetMemory(klog.Logger, *corev1.Pod, *corev1.Container) []*podresourcesapi.ContainerMemory {
	return nil
}
func (noMemory) GetPodMemory(klog.Logger, string) []*podresourcesapi.ContainerMemory { return nil }
func (noMemory) GetAllocatableMemory(klog.Logger) []*podresourcesapi.ContainerMemory { return nil }
