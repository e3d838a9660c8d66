Feature: Version skew between API server and scheduler
  "During version skew, where the API server supports the feature but the scheduler does not, the scheduler
  will throw an error if the ResourceClaim contains Capacity [...] If there is no Capacity, the scheduler
  continues scheduling and ignores the allowMultipleAllocation and requestPolicy fields in ResourceSlice. If
  the feature is enabled on scheduler but is disabled on API server. The scheduler can continue scheduling
  as-is without feature fields."

  @case:scheduler-off-capacity-pending
  @KEP-5075/version-skew/api-on-scheduler-off-capacity @KEP-5075/rollback/new-capacity-claims-pending @profile:kep @profile:in-1.34 @profile:since-1.36
  Scenario: A pod that requests capacity is Pending until DRAConsumableCapacity is on in the scheduler
    Given the feature gate "DRAConsumableCapacity" is off in the scheduler
    And the device
      | device | allowMultipleAllocations | capacity bw |
      | eth1   | yes                      | 10          |
    When a ResourceClaim "c" requesting 3 of "bw" is created
    Then the object is stored as written
    When a pod "p" that uses ResourceClaim "c" is created
    And the cluster reaches a steady state
    Then pod "p" is Pending
    And ResourceClaim "c" is not allocated
    When the feature gate "DRAConsumableCapacity" is turned on in the scheduler
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "c" consumes 3 of "bw"

  @case:scheduler-off-shared-becomes-exclusive
  @KEP-5075/version-skew/api-on-scheduler-off-no-capacity
  Scenario: With DRAConsumableCapacity off in the scheduler, each device is allocated exclusively
    Given the feature gate "DRAConsumableCapacity" is off in the scheduler
    And the device
      | device | allowMultipleAllocations | capacity bw | requestPolicy bw |
      | eth1   | yes                      | 10          | default 1        |
    And a ResourceClaim "first" requesting no capacity
    And a ResourceClaim "second" requesting no capacity
    And a pod "p" that uses ResourceClaim "first"
    When the cluster reaches a steady state
    Then ResourceClaim "first" is allocated exactly
      | device | shareID |
      | eth1   | no      |
    When a pod "q" that uses ResourceClaim "second" is created
    And the cluster reaches a steady state
    Then pod "q" is Pending

  @case:api-server-off-device-exclusive
  @KEP-5075/version-skew/api-off-scheduler-on
  Scenario: With DRAConsumableCapacity off in the API server, a newly published device is exclusive
    Given the feature gate "DRAConsumableCapacity" is off in the API server
    And a ResourceClaim "first" requesting no capacity
    And a ResourceClaim "second" requesting no capacity
    When the driver publishes the device
      | device | allowMultipleAllocations | capacity bw | requestPolicy bw |
      | eth1   | yes                      | 10          | default 1        |
    Then the field "spec.devices[0].allowMultipleAllocations" is dropped
    When a pod "p" that uses ResourceClaim "first" is created
    And the cluster reaches a steady state
    Then ResourceClaim "first" is allocated exactly
      | device | shareID |
      | eth1   | no      |
    When a pod "q" that uses ResourceClaim "second" is created
    And the cluster reaches a steady state
    Then pod "q" is Pending
