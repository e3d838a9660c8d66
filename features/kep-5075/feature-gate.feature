Feature: Allocation with DRAConsumableCapacity off
  With the gate off, every device is exclusive. A capacity request ends in an error; it is not ignored.

  Background:
    Given the feature gate "DRAConsumableCapacity" is off
    And the devices
      | device | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth |
      | eth1   | yes                      | 10                 | default 3, min 1        |

  @case:capacity-request-is-error
  @KEP-5075/feature-gate/off-capacity-request-error
  Scenario: With DRAConsumableCapacity off, a capacity request makes the allocation fail with an error
    Given a ResourceClaim "c" requesting 4 of "bandwidth"
    When allocation of ResourceClaim "c" is attempted
    Then allocation fails with an error because of FeatureDisabled
    But in Kubernetes 1.35, because the default allocator of this release ignores capacity requests: ResourceClaim "c" is allocated exactly
      | request | device | shareID |
      | r0      | eth1   | no      |

  @case:capacity-in-second-request-is-error
  @KEP-5075/feature-gate/off-capacity-request-error
  Scenario: With DRAConsumableCapacity off, capacity in only one of two requests causes an error
    Given a ResourceClaim "c" with the requests
      | request | capacity bandwidth |
      | r0      |                    |
      | r1      | 4                  |
    When allocation of ResourceClaim "c" is attempted
    Then allocation fails with an error because of FeatureDisabled
    But in Kubernetes 1.35, because the default allocator of this release ignores capacity requests: no allocation is possible

  @case:empty-capacity-is-error
  @KEP-5075/feature-gate/off-empty-capacity @profile:since-1.36
  Scenario: Since 1.36, an empty capacity object causes an error with DRAConsumableCapacity off
    Given a ResourceClaim "c" requesting an empty capacity
    When allocation of ResourceClaim "c" is attempted
    Then allocation fails with an error

  @case:no-capacity-gets-whole-device
  @KEP-5075/feature-gate/off-without-capacity-schedules
  Scenario: With DRAConsumableCapacity off, a request without capacity gets the whole device
    Given a ResourceClaim "c" requesting no capacity
    When allocation of ResourceClaim "c" is attempted
    Then ResourceClaim "c" is allocated exactly
      | request | device | shareID |
      | r0      | eth1   | no      |

  @case:device-in-use-not-allocated
  @KEP-5075/feature-gate/off-without-capacity-schedules
  Scenario: With DRAConsumableCapacity off, a device in use is not allocated again
    Given ResourceClaim "other" is already allocated
      | device |
      | eth1   |
    And a ResourceClaim "c" requesting no capacity
    When allocation of ResourceClaim "c" is attempted
    Then no allocation is possible

  @case:shared-device-not-allocated
  @KEP-5075/feature-gate/off-without-capacity-schedules
  Scenario: With DRAConsumableCapacity off, a device with a shared allocation is not allocated
    Given ResourceClaim "other" is already allocated
      | device | consumedCapacity bandwidth | shareID |
      | eth1   | 3                          | s1      |
    And a ResourceClaim "c" requesting no capacity
    When allocation of ResourceClaim "c" is attempted
    Then no allocation is possible

  @case:selector-matches-no-device
  @KEP-5075/feature-gate/off-without-capacity-schedules
  Scenario: With DRAConsumableCapacity off, a selector for multi-allocatable devices matches no device
    Given a DeviceClass "shared" with the selector
      """
      device.allowMultipleAllocations == true
      """
    And a ResourceClaim "c" with the requests
      | request | deviceClassName |
      | r0      | shared          |
    When allocation of ResourceClaim "c" is attempted
    Then no allocation is possible
    But in Kubernetes 1.34 and since Kubernetes 1.36, because selectors of these releases see the published allowMultipleAllocations even with the gate off: ResourceClaim "c" is allocated exactly
      | request | device | shareID |
      | r0      | eth1   | no      |
