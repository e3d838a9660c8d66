@profile:kep @profile:since-1.34
Feature: Changes to published devices and allocations

  @case:new-device-published
  @DRA/slice/updated-on-capacity-change
  Scenario: A Pending pod runs once the driver publishes another device
    Given the device
      | device |
      | gpu-0  |
    And a ResourceClaim "first" requesting 1 device
    And a ResourceClaim "second" requesting 1 device
    And a pod "p" that uses ResourceClaim "first"
    When the cluster reaches a steady state
    And a pod "q" that uses ResourceClaim "second" is created
    And the cluster reaches a steady state
    Then pod "q" is Pending
    When the driver publishes the devices
      | device |
      | gpu-0  |
      | gpu-1  |
    And the cluster reaches a steady state
    Then pod "q" is Running
    And ResourceClaim "second" is allocated exactly
      | device |
      | gpu-1  |
    And ResourceClaim "first" keeps its allocation

  @case:unpublished-device-not-allocated
  @DRA/slice/updated-on-capacity-change
  Scenario: A device that is no longer published is not allocated
    Given the devices
      | device |
      | gpu-0  |
      | gpu-1  |
    And a ResourceClaim "first" requesting 1 device
    And a ResourceClaim "second" requesting 1 device
    And a pod "p" that uses ResourceClaim "first"
    When the driver publishes the device
      | device |
      | gpu-1  |
    And the cluster reaches a steady state
    Then ResourceClaim "first" is allocated exactly
      | device |
      | gpu-1  |
    When a pod "q" that uses ResourceClaim "second" is created
    And the cluster reaches a steady state
    Then pod "q" is Pending

  @case:change-reaches-all-slices
  @DRA/pool/change-propagates-to-all-slices
  Scenario: A changed pool is used once all of its ResourceSlices have the new generation
    Given the devices
      | device | slice |
      | gpu-0  | a     |
      | gpu-1  | b     |
    And a ResourceClaim "c" with the request
      | request | count |
      | r0      | 2     |
    And a pod "p" that uses ResourceClaim "c"
    When ResourceSlice "a" is updated with
      | field                | value |
      | spec.pool.generation | 2     |
    And the cluster reaches a steady state
    Then pod "p" is Pending
    When ResourceSlice "b" is updated with
      | field                | value |
      | spec.pool.generation | 2     |
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "c" is allocated 2 devices

  @case:counters-released
  @DRA/partitionable/released-counters-return
  Scenario: Counters are available again once the ResourceClaim is deallocated
    Given the counter set
      | counterSet | counter memory |
      | gpu-0      | 8Gi            |
    And the devices
      | device | consumesCounters gpu-0 |
      | part-0 | memory 6Gi             |
      | part-1 | memory 6Gi             |
    And a ResourceClaim "first" requesting 1 device
    And a ResourceClaim "second" requesting 1 device
    And a pod "p" that uses ResourceClaim "first"
    When the cluster reaches a steady state
    And a pod "q" that uses ResourceClaim "second" is created
    And the cluster reaches a steady state
    Then pod "q" is Pending
    But in Kubernetes 1.34, because this release does not validate counters in another ResourceSlice than the device: pod "q" is Running
    When pod "p" is deleted
    And the cluster reaches a steady state
    Then pod "q" is Running

  @case:list-in-template
  @DRA/prioritized-list/in-templates
  Scenario: Each generated ResourceClaim chooses from its prioritized list independently
    Given the devices
      | device  | attribute size |
      | large   | string large   |
      | small-0 | string small   |
      | small-1 | string small   |
    And a ResourceClaimTemplate "t" with the request
      | request | subrequest | count | selector                                             |
      | r0      | large      | 1     | device.attributes["dra.example.com"].size == "large" |
      | r0      | small      | 2     | device.attributes["dra.example.com"].size == "small" |
    And a pod "p" that uses the ResourceClaimTemplate "t" as "gpu"
    When the cluster reaches a steady state
    Then ResourceClaim "gpu of pod p" is allocated exactly
      | request  | device |
      | r0/large | large  |
    When a pod "q" that uses the ResourceClaimTemplate "t" as "gpu" is created
    And the cluster reaches a steady state
    Then ResourceClaim "gpu of pod q" is allocated exactly
      | request  | device  |
      | r0/small | small-0 |
      | r0/small | small-1 |
    And ResourceClaim "gpu of pod p" keeps its allocation
