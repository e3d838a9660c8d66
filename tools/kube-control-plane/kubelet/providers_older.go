//go:build kube34 || kube35 || kube36

package main

import (
	corev1 "k8s.io/api/core/v1"
	podresourcesapi "k8s.io/kubelet/pkg/apis/podresources/v1"
)

func (d dynamicResources) GetDynamicResources(pod *corev1.Pod, container *corev1.Container) []*podresourcesapi.DynamicResource {
	return d.kubelet.dynamicResources(pod, container)
}

type noDevices struct{}

func (noDevices) UpdateAllocatedDevices()                                    {}
func (noDevices) GetDevices(_, _ string) []*podresourcesapi.ContainerDevices { return nil }
func (noDevices) GetAllocatableDevices() []*podresourcesapi.ContainerDevices { return nil }

type noCPUs struct{}

func (noCPUs) GetCPUs(_, _ string) []int64 { return nil }
func (noCPUs) GetAllocatableCPUs() []int64 { return nil }

type noMemory struct{}

func (noMemory) GetMemory(_, _ string) []*podresourcesapi.ContainerMemory { return nil }
func (noMemory) GetAllocatableMemory() []*podresourcesapi.ContainerMemory { return nil }
