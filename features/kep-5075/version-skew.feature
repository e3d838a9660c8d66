Feature: The API server and the scheduler do not agree on the feature gate
  "During version skew, where the API server supports the feature but the scheduler does not, the scheduler
  will throw an error if the ResourceClaim contains Capacity [...] If there is no Capacity, the scheduler
  continues scheduling and ignores the allowMultipleAllocation and requestPolicy fields in ResourceSlice. If
  the feature is enabled on scheduler but is disabled on API server. The scheduler can continue scheduling
  as-is without feature fields."

  @case:a-scheduler-without-the-feature-does-not-serve-a
  @KEP-5075/version-skew/api-on-scheduler-off-capacity @KEP-5075/rollback/new-capacity-claims-pending @profile:kep @profile:in-1.34 @profile:since-1.36
  Scenario: A scheduler without the feature does not serve a capacity request
    Given the feature gate "DRAConsumableCapacity" is off in the scheduler
    And the device
      | device | shared | capacity bw |
      | eth1   | yes    | 10          |
    When a claim "c" requesting 3 of "bw" is created
    Then it is stored as it was written
    When a pod "p" that uses claim "c" is created
    And the cluster settles
    Then pod "p" is pending
    And claim "c" is not allocated
    But in Kubernetes 1.35, because the allocator this release runs by default does not know capacity requests: pod "p" runs
    When the feature gate "DRAConsumableCapacity" is turned on in the scheduler
    And the cluster settles
    Then pod "p" runs
    And claim "c" consumes 3 of "bw"
    But in Kubernetes 1.35, because the allocator this release runs by default does not know capacity requests: claim "c" gets exactly
      | device | share |
      | eth1   | no    |

  @case:a-scheduler-without-the-feature-gives-shared-devices
  @KEP-5075/version-skew/api-on-scheduler-off-no-capacity
  Scenario: A scheduler without the feature gives shared devices away as dedicated ones
    Given the feature gate "DRAConsumableCapacity" is off in the scheduler
    And the device
      | device | shared | capacity bw | policy bw |
      | eth1   | yes    | 10          | default 1 |
    And a claim "first" requesting no capacity
    And a claim "second" requesting no capacity
    And a pod "p" that uses claim "first"
    When the cluster settles
    Then claim "first" gets exactly
      | device | share |
      | eth1   | no    |
    When a pod "q" that uses claim "second" is created
    And the cluster settles
    Then pod "q" is pending

  @case:an-api-server-without-the-feature-leaves-the
  @KEP-5075/version-skew/api-off-scheduler-on
  Scenario: An API server without the feature leaves the scheduler with dedicated devices
    Given the feature gate "DRAConsumableCapacity" is off in the API server
    And a claim "first" requesting no capacity
    And a claim "second" requesting no capacity
    When the driver publishes the device
      | device | shared | capacity bw | policy bw |
      | eth1   | yes    | 10          | default 1 |
    Then the field "spec.devices[0].allowMultipleAllocations" is dropped
    When a pod "p" that uses claim "first" is created
    And the cluster settles
    Then claim "first" gets exactly
      | device | share |
      | eth1   | no    |
    When a pod "q" that uses claim "second" is created
    And the cluster settles
    Then pod "q" is pending
