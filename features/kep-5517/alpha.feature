@profile:kep
Feature: DRANodeAllocatableResources is an alpha feature gate

  @case:gate-off-by-default
  @KEP-5517/feature-gate/off-by-default-in-alpha
  Scenario: The feature gate DRANodeAllocatableResources is off by default in Kubernetes 1.36
    Given the API server, the scheduler and the kubelet run Kubernetes 1.36
    And a node "node-1" with allocatable 16 of "cpu"
    And a ResourceClaim "c" requesting 1 device
    And a ResourceClaim "d" requesting 1 device
    When the driver publishes the devices
      | device | mapping cpu |
      | gpu-0  | 12          |
      | gpu-1  | 12          |
    Then the field "spec.devices[0].nodeAllocatableResourceMappings" is dropped
    When the feature gate "DRANodeAllocatableResources" is turned on in the API server
    And the driver publishes the devices
      | device | mapping cpu |
      | gpu-0  | 12          |
      | gpu-1  | 12          |
    Then the field "spec.devices[0].nodeAllocatableResourceMappings" is kept
    When a pod "p" with the container is created
      | container | request cpu | claims |
      | main      | 5           | c      |
    And the cluster reaches a steady state
    Then pod "p" is Running
    When the feature gate "DRANodeAllocatableResources" is turned on in the scheduler
    And a pod "q" with the container is created
      | container | request cpu | claims |
      | main      | 5           | d      |
    And the cluster reaches a steady state
    Then pod "q" is Pending
