package main

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-base/metrics/legacyregistry"
)

// containers returns all containers of a pod, without ephemeral ones.
func containers(pod *corev1.Pod) []corev1.Container {
	return slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers)
}

// devices returns the CDI devices of each container, or why it cannot start.
func (k *kubelet) devices(pod *corev1.Pod) any {
	type devices struct {
		CDI   []string `json:"cdi"`
		Error string   `json:"error,omitempty"`
	}
	result := map[string]devices{}
	for _, container := range containers(pod) {
		found, err := k.manager.GetResources(pod, &container)
		if err != nil {
			result[container.Name] = devices{Error: err.Error()}
			continue
		}
		names := []string{}
		for _, device := range found.CDIDevices {
			names = append(names, device.Name)
		}
		result[container.Name] = devices{CDI: names}
	}
	return result
}

// health returns allocatedResourcesStatus of each container.
func (k *kubelet) health(pod *corev1.Pod) any {
	status := pod.Status.DeepCopy()
	status.ContainerStatuses = nil
	for _, container := range pod.Spec.Containers {
		status.ContainerStatuses = append(status.ContainerStatuses, corev1.ContainerStatus{Name: container.Name})
	}
	k.updateStatus(pod, status)
	result := map[string][]corev1.ResourceStatus{}
	for _, container := range status.ContainerStatuses {
		result[container.Name] = container.AllocatedResourcesStatus
	}
	return result
}

// samples returns the metrics of dynamic resources: values of gauges and counters, counts of histograms.
func samples() (any, error) {
	type sample struct {
		Name   string            `json:"name"`
		Labels map[string]string `json:"labels"`
		Value  float64           `json:"value"`
	}
	families, err := legacyregistry.DefaultGatherer.Gather()
	if err != nil {
		return nil, err
	}
	result := []sample{}
	for _, family := range families {
		if !strings.HasPrefix(family.GetName(), "dra_") {
			continue
		}
		for _, metric := range family.GetMetric() {
			labels := map[string]string{}
			for _, label := range metric.GetLabel() {
				labels[label.GetName()] = label.GetValue()
			}
			value := metric.GetGauge().GetValue() + metric.GetCounter().GetValue()
			if histogram := metric.GetHistogram(); histogram != nil {
				value = float64(histogram.GetSampleCount())
			}
			result = append(result, sample{family.GetName(), labels, value})
		}
	}
	return result, nil
}
