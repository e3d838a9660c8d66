@profile:kep @profile:since-1.34
Feature: Changes to published devices and allocations

  @case:new-device-published
  @DRA/slice/updated-on-capacity-change @profile:kep @profile:since-1.34
  Scenario: A Pending pod runs once the driver publishes another device
    Given the device
      | device |
      | gpu-0  |
    And a claim "first" requesting 1 device
    And a claim "second" requesting 1 device
    And a pod "p" that uses claim "first"
    When the cluster settles
    And a pod "q" that uses claim "second" is created
    And the cluster settles
    Then pod "q" is pending
    When the driver publishes the devices
      | device |
      | gpu-0  |
      | gpu-1  |
    And the cluster settles
    Then pod "q" runs
    And claim "second" gets exactly
      | device |
      | gpu-1  |
    And claim "first" keeps its allocation

  @case:unpublished-device-not-allocated
  @DRA/slice/updated-on-capacity-change @profile:kep @profile:since-1.34
  Scenario: A device that is no longer published is not allocated
    Given the devices
      | device |
      | gpu-0  |
      | gpu-1  |
    And a claim "first" requesting 1 device
    And a claim "second" requesting 1 device
    And a pod "p" that uses claim "first"
    When the driver publishes the device
      | device |
      | gpu-1  |
    And the cluster settles
    Then claim "first" gets exactly
      | device |
      | gpu-1  |
    When a pod "q" that uses claim "second" is created
    And the cluster settles
    Then pod "q" is pending

  @case:change-reaches-all-slices
  @DRA/pool/change-propagates-to-all-slices @profile:kep @profile:since-1.34
  Scenario: A changed pool is used once all of its ResourceSlices have the new generation
    Given the devices
      | device | slice |
      | gpu-0  | a     |
      | gpu-1  | b     |
    And a claim "c" with the request
      | request | count |
      | r0      | 2     |
    And a pod "p" that uses claim "c"
    When the ResourceSlice "a" is updated with
      | field                | value |
      | spec.pool.generation | 2     |
    And the cluster settles
    Then pod "p" is pending
    When the ResourceSlice "b" is updated with
      | field                | value |
      | spec.pool.generation | 2     |
    And the cluster settles
    Then pod "p" runs
    And claim "c" gets 2 devices

  @case:counters-released
  @DRA/partitionable/released-counters-return @profile:kep @profile:since-1.35
  Scenario: Counters are available again once the ResourceClaim is deallocated
    Given the counter set
      | set   | counter memory |
      | gpu-0 | 8Gi            |
    And the devices
      | device | counters gpu-0 |
      | part-0 | memory 6Gi     |
      | part-1 | memory 6Gi     |
    And a claim "first" requesting 1 device
    And a claim "second" requesting 1 device
    And a pod "p" that uses claim "first"
    When the cluster settles
    And a pod "q" that uses claim "second" is created
    And the cluster settles
    Then pod "q" is pending
    But in Kubernetes 1.34, because this release does not check counters that are in another slice than the device: pod "q" runs
    When pod "p" is deleted
    And the cluster settles
    Then pod "q" runs

  @case:list-in-template
  @DRA/prioritized-list/in-templates @profile:kep @profile:since-1.34
  Scenario: Each generated ResourceClaim chooses from its prioritized list independently
    Given the devices
      | device  | attribute size |
      | large   | string large   |
      | small-0 | string small   |
      | small-1 | string small   |
    And a template "t" with the request
      | request | subrequest | count | selector                                             |
      | r0      | large      | 1     | device.attributes["dra.example.com"].size == "large" |
      | r0      | small      | 2     | device.attributes["dra.example.com"].size == "small" |
    And a pod "p" that uses the template "t" as "gpu"
    When the cluster settles
    Then claim "gpu of pod p" gets exactly
      | request  | device |
      | r0/large | large  |
    When a pod "q" that uses the template "t" as "gpu" is created
    And the cluster settles
    Then claim "gpu of pod q" gets exactly
      | request  | device  |
      | r0/small | small-0 |
      | r0/small | small-1 |
    And claim "gpu of pod p" keeps its allocation
