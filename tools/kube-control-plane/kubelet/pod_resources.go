package main

import (
	"errors"
	"net"
	"os"

	"google.golang.org/grpc"
	corev1 "k8s.io/api/core/v1"
	podresourcesapi "k8s.io/kubelet/pkg/apis/podresources/v1"
	"k8s.io/kubernetes/pkg/kubelet/apis/podresources"
)

// servePodResources serves the PodResources API on a socket until the program ends. In a whole kubelet the container
// manager has the data of the service; its part for dynamic resources is dynamicResources.
func (k *kubelet) servePodResources(socket string) error {
	if err := os.Remove(socket); err != nil && !errors.Is(err, os.ErrNotExist) { // of an earlier run
		return err
	}
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return err
	}
	server := grpc.NewServer()
	podresourcesapi.RegisterPodResourcesListerServer(server, podresources.NewV1PodResourcesServer(k.ctx,
		podresources.PodResourcesProviders{
			Pods:             knownPods{k},
			Devices:          noDevices{},
			Cpus:             noCPUs{},
			Memory:           noMemory{},
			DynamicResources: dynamicResources{k},
		}))
	go server.Serve(listener)
	return nil
}

// dynamicResources returns the ResourceClaims of a container with their devices.
func (k *kubelet) dynamicResources(pod *corev1.Pod, container *corev1.Container) []*podresourcesapi.DynamicResource {
	infos, err := k.manager.GetContainerClaimInfos(pod, container)
	if err != nil {
		return nil
	}
	var claims []*podresourcesapi.DynamicResource
	for _, info := range infos {
		claim := &podresourcesapi.DynamicResource{ClaimName: info.ClaimName, ClaimNamespace: info.Namespace}
		for driver, state := range info.DriverState {
			for _, device := range state.Devices {
				resource := &podresourcesapi.ClaimResource{
					DriverName: driver, PoolName: device.PoolName, DeviceName: device.DeviceName,
				}
				for _, name := range device.CDIDeviceIDs {
					resource.CdiDevices = append(resource.CdiDevices, &podresourcesapi.CDIDevice{Name: name})
				}
				claim.ClaimResources = append(claim.ClaimResources, resource)
			}
		}
		claims = append(claims, claim)
	}
	return claims
}

type dynamicResources struct{ kubelet *kubelet }

// knownPods are the active pods that the kubelet has been given as objects.
type knownPods struct{ kubelet *kubelet }

func (k knownPods) GetActivePods() []*corev1.Pod {
	var pods []*corev1.Pod
	for _, pod := range k.kubelet.activePods() {
		if pod.Name != "" {
			pods = append(pods, pod)
		}
	}
	return pods
}

func (k knownPods) GetPods() []*corev1.Pod { return k.GetActivePods() }

func (k knownPods) GetPodByName(namespace, name string) (*corev1.Pod, bool) {
	for _, pod := range k.GetActivePods() {
		if pod.Namespace == namespace && pod.Name == name {
			return pod, true
		}
	}
	return nil, false
}
