Feature: Visibility of consumable capacity to users and operators

  Rule: Fields that show the use of consumable capacity

    Background:
      Given the device
        | device | allowMultipleAllocations | capacity bandwidth |
        | eth1   | yes                      | 10                 |
      And a ResourceClaim "c" requesting 3 of "bandwidth"
      And a pod "p" that uses ResourceClaim "c"

    @case:claim-shows-share-id
    @KEP-5075/diagnostics/success-visible-in-status
    Scenario: A ResourceClaim with a shared allocation shows its shareID and consumedCapacity
      When the cluster reaches a steady state
      Then pod "p" is Running
      When ResourceClaim "c" is read
      Then the field "status.allocation.devices.results[0].shareID" is set
      And the object read has
        | field                                                           | value |
        | status.allocation.devices.results[0].device                     | eth1  |
        | status.allocation.devices.results[0].consumedCapacity.bandwidth | 3     |

    @case:exclusive-device-shows-no-share-id
    @KEP-5075/status/share-id-absent-for-dedicated
    Scenario: A ResourceClaim with an exclusive device shows no shareID
      Given the device
        | device | pool   | attribute kind   |
        | gpu-0  | pool-2 | string dedicated |
      And a ResourceClaim "dedicated" with the request
        | request | selector                                                                                                                  |
        | r0      | "kind" in device.attributes["dra.example.com"] && device.attributes["dra.example.com"].kind == "dedicated" |
      And a pod "q" that uses ResourceClaim "dedicated"
      When the cluster reaches a steady state
      Then pod "q" is Running
      When ResourceClaim "dedicated" is read
      Then the object read has
        | field                                         | value |
        | status.allocation.devices.results[0].device   | gpu-0 |
        | status.allocation.devices.results[0].shareID  |       |

    @case:slice-shows-multiple-allocations
    @KEP-5075/diagnostics/use-visible-in-slice
    Scenario: A ResourceSlice shows that its device allows multiple allocations
      When ResourceSlice "pool-1-slice" is read
      Then the object read has
        | field                                    | value |
        | spec.devices[0].allowMultipleAllocations | true  |

  Rule: DRAConsumableCapacity in the API server and the scheduler

    Background:
      Given the device
        | device | allowMultipleAllocations | capacity bandwidth |
        | eth1   | yes                      | 10                 |

    @case:gate-on-in-both-components
    @KEP-5075/feature-gate/name-and-components
    Scenario: A capacity request is stored and allocated only with DRAConsumableCapacity on
      When the feature gate "DRAConsumableCapacity" is turned off in the API server and the scheduler
      And a ResourceClaim "early" requesting 3 of "bandwidth" is created
      Then the field "spec.devices.requests[0].exactly.capacity" is dropped
      When the feature gate "DRAConsumableCapacity" is turned on in the API server and the scheduler
      And a ResourceClaim "c" requesting 3 of "bandwidth" is created
      Then the field "spec.devices.requests[0].exactly.capacity" is kept
      When a pod "p" that uses ResourceClaim "c" is created
      And the cluster reaches a steady state
      Then pod "p" is Running
      And ResourceClaim "c" consumes 3 of "bandwidth"

    @case:gate-off-in-scheduler-event
    @KEP-5075/diagnostics/disabled-feature-message
    Scenario: A pod with a capacity request stays Pending while DRAConsumableCapacity is off
      Given the feature gate "DRAConsumableCapacity" is off in the scheduler
      And a ResourceClaim "c" requesting 3 of "bandwidth"
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Pending
      But in Kubernetes 1.34 and since Kubernetes 1.36, because the document says of this message only that the scheduler logs it: pod "p" is Pending
      But in Kubernetes 1.34 and since Kubernetes 1.36, because the document says of this message only that the scheduler logs it: pod "p" has an event FailedScheduling with the message "has capacity requests, but the DRAConsumableCapacity feature is disabled"
      But in Kubernetes 1.35, because the default allocator of this release ignores capacity requests: pod "p" is Running

  Rule: The default of the feature gate DRAConsumableCapacity

    Background:
      Given the device
        | device | capacity bandwidth |
        | eth1   | 10                 |

    @case:alpha-gate-is-off
    @KEP-5075/feature-gate/default-by-stage @profile:from-1.34-to-1.35
    Scenario: In alpha, DRAConsumableCapacity is off and a device cannot become multi-allocatable
      When ResourceSlice "pool-1-slice" is patched with
        """
        spec: {devices: [{name: eth1, allowMultipleAllocations: true, capacity: {bandwidth: {value: "10"}}}]}
        """
      Then the field "spec.devices[0].allowMultipleAllocations" is dropped
      When the feature gate "DRAConsumableCapacity" is turned on
      And ResourceSlice "pool-1-slice" is patched with
        """
        spec: {devices: [{name: eth1, allowMultipleAllocations: true, capacity: {bandwidth: {value: "10"}}}]}
        """
      Then the field "spec.devices[0].allowMultipleAllocations" is set to true

    @case:beta-gate-is-on
    @KEP-5075/feature-gate/default-by-stage @profile:since-1.36
    Scenario: Since beta, DRAConsumableCapacity is on and a device can become multi-allocatable
      When ResourceSlice "pool-1-slice" is patched with
        """
        spec: {devices: [{name: eth1, allowMultipleAllocations: true, capacity: {bandwidth: {value: "10"}}}]}
        """
      Then the field "spec.devices[0].allowMultipleAllocations" is set to true

  Rule: Workloads that do not use consumable capacity

    @case:gate-on-exclusive-unchanged
    @KEP-5075/feature-gate/no-default-behaviour-change
    Scenario: Exclusive devices are allocated as before once DRAConsumableCapacity is on
      Given the feature gate "DRAConsumableCapacity" is off in the API server and the scheduler
      And a DeviceClass "gpu" with the selector
        """
        device.driver == "gpu.example.com"
        """
      And the devices
        | device | driver          | pool |
        | gpu-0  | gpu.example.com | gpus |
        | gpu-1  | gpu.example.com | gpus |
      And a ResourceClaim "before" requesting 1 device of class "gpu"
      And a ResourceClaim "after" requesting 1 device of class "gpu"
      And a ResourceClaim "late" requesting 1 device of class "gpu"
      And a pod "q" that uses ResourceClaim "before"
      When the cluster reaches a steady state
      Then pod "q" is Running
      When the feature gate "DRAConsumableCapacity" is turned on
      And a pod "r" that uses ResourceClaim "after" is created
      And the cluster reaches a steady state
      Then ResourceClaim "before" keeps its allocation
      And pod "r" is Running
      And ResourceClaim "after" is allocated at least
        | driver          | shareID |
        | gpu.example.com | no      |
      When a pod "s" that uses ResourceClaim "late" is created
      And the cluster reaches a steady state
      Then pod "s" is Pending
