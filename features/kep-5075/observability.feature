Feature: What users and operators see of shared devices

  Rule: The use of the feature can be read

    Background:
      Given the device
        | device | shared | capacity bandwidth |
        | eth1   | yes    | 10                 |
      And a claim "c" requesting 3 of "bandwidth"
      And a pod "p" that uses claim "c"

    @case:a-user-reads-from-the-claim-that-it-got-a-share-and
    @KEP-5075/diagnostics/success-visible-in-status
    Scenario: A user reads from the claim that it got a share, and how much of the device
      When the cluster settles
      Then pod "p" runs
      When the ResourceClaim "c" is read
      Then the field "status.allocation.devices.results[0].shareID" is set
      And it reads
        | field                                                           | value |
        | status.allocation.devices.results[0].device                     | eth1  |
        | status.allocation.devices.results[0].consumedCapacity.bandwidth | 3     |

    @case:the-claim-of-a-dedicated-device-has-no-share-id
    @KEP-5075/diagnostics/success-visible-in-status
    Scenario: The claim of a dedicated device has no share ID
      Given the device
        | device | pool   | attribute kind   |
        | gpu-0  | pool-2 | string dedicated |
      And a claim "dedicated" with the request
        | request | selector                                                                                                                  |
        | r0      | "kind" in device.attributes["dra.example.com"] && device.attributes["dra.example.com"].kind == "dedicated" |
      And a pod "q" that uses claim "dedicated"
      When the cluster settles
      Then pod "q" runs
      When the ResourceClaim "dedicated" is read
      Then it reads
        | field                                         | value |
        | status.allocation.devices.results[0].device   | gpu-0 |
        | status.allocation.devices.results[0].shareID  |       |

    @case:an-operator-reads-from-the-slice-that-a-device-is
    @KEP-5075/diagnostics/use-visible-in-slice
    Scenario: An operator reads from the slice that a device is shared
      When the ResourceSlice "pool-1-slice" is read
      Then it reads
        | field                                    | value |
        | spec.devices[0].allowMultipleAllocations | true  |

  Rule: The feature gate counts in each component

    Background:
      Given the device
        | device | shared | capacity bandwidth |
        | eth1   | yes    | 10                 |

    @case:with-draconsumablecapacity-on-in-the-api-server-and
    @KEP-5075/feature-gate/name-and-components
    Scenario: With DRAConsumableCapacity on in the API server and the scheduler, a pod gets the capacity it asks for
      Given the feature gate "DRAConsumableCapacity" is on in the API server and the scheduler
      When a claim "c" requesting 3 of "bandwidth" is created
      And a pod "p" that uses claim "c" is created
      And the cluster settles
      Then pod "p" runs
      And claim "c" consumes 3 of "bandwidth"

    @case:with-draconsumablecapacity-off-in-the-api-server
    @KEP-5075/feature-gate/name-and-components
    Scenario: With DRAConsumableCapacity off in the API server only, a new claim asks for no capacity
      Given the feature gate "DRAConsumableCapacity" is off in the API server
      When a claim "c" requesting 3 of "bandwidth" is created
      Then the field "spec.devices.requests[0].exactly.capacity" is dropped

    @case:with-draconsumablecapacity-off-in-the-scheduler-only
    @KEP-5075/feature-gate/name-and-components
    Scenario: With DRAConsumableCapacity off in the scheduler only, a pod that asks for capacity waits
      Given the feature gate "DRAConsumableCapacity" is off in the scheduler
      When a claim "c" requesting 3 of "bandwidth" is created
      Then the field "spec.devices.requests[0].exactly.capacity" is kept
      When a pod "p" that uses claim "c" is created
      And the cluster settles
      Then pod "p" is pending
      And claim "c" is not allocated
      But in Kubernetes 1.35, because the allocator this release runs by default does not know capacity requests: claim "c" gets exactly
        | device | share |
        | eth1   | no    |

    @case:with-draconsumablecapacity-off-in-the-scheduler-the
    @KEP-5075/diagnostics/disabled-feature-message
    Scenario: With DRAConsumableCapacity off in the scheduler, the user is told why a pod waits
      Given the feature gate "DRAConsumableCapacity" is off in the scheduler
      And a claim "c" requesting 3 of "bandwidth"
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" is pending
      And an event FailedScheduling is told of pod "p" with "has capacity requests, but the DRAConsumableCapacity feature is disabled"
      But in Kubernetes 1.35, because the allocator this release runs by default does not know capacity requests: pod "p" runs

  Rule: What the gate is by default follows its stage

    Background:
      Given the device
        | device | capacity bandwidth |
        | eth1   | 10                 |

    @case:while-the-feature-is-alpha-a-device-does-not-become
    @KEP-5075/feature-gate/default-by-stage @profile:from-1.34-to-1.35
    Scenario: While the feature is alpha, a device does not become shared unless the gate is turned on
      When the ResourceSlice "pool-1-slice" is patched with
        """
        spec: {devices: [{name: eth1, allowMultipleAllocations: true, capacity: {bandwidth: {value: "10"}}}]}
        """
      Then the field "spec.devices[0].allowMultipleAllocations" is dropped
      When the feature gate "DRAConsumableCapacity" is turned on
      And the ResourceSlice "pool-1-slice" is patched with
        """
        spec: {devices: [{name: eth1, allowMultipleAllocations: true, capacity: {bandwidth: {value: "10"}}}]}
        """
      Then the field "spec.devices[0].allowMultipleAllocations" is set to true

    @case:from-beta-on-a-device-becomes-shared-without-anybody
    @KEP-5075/feature-gate/default-by-stage @profile:since-1.36
    Scenario: From beta on, a device becomes shared without anybody turning the gate on
      When the ResourceSlice "pool-1-slice" is patched with
        """
        spec: {devices: [{name: eth1, allowMultipleAllocations: true, capacity: {bandwidth: {value: "10"}}}]}
        """
      Then the field "spec.devices[0].allowMultipleAllocations" is set to true

  Rule: Whoever does not use the feature notices nothing

    @case:turning-the-gate-on-changes-nothing-for-devices-that
    @KEP-5075/feature-gate/no-default-behaviour-change
    Scenario: Turning the gate on changes nothing for devices that are not shared
      Given the feature gate "DRAConsumableCapacity" is off in the API server and the scheduler
      And a device class "gpu" that selects
        """
        device.driver == "gpu.example.com"
        """
      And the devices
        | device | driver          | pool |
        | gpu-0  | gpu.example.com | gpus |
        | gpu-1  | gpu.example.com | gpus |
      And a claim "before" requesting 1 device of class "gpu"
      And a claim "after" requesting 1 device of class "gpu"
      And a claim "late" requesting 1 device of class "gpu"
      And a pod "q" that uses claim "before"
      When the cluster settles
      Then pod "q" runs
      When the feature gate "DRAConsumableCapacity" is turned on
      And a pod "r" that uses claim "after" is created
      And the cluster settles
      Then claim "before" keeps its allocation
      And pod "r" runs
      And claim "after" has the result
        | driver          | share |
        | gpu.example.com | no    |
      When a pod "s" that uses claim "late" is created
      And the cluster settles
      Then pod "s" is pending
