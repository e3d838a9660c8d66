Feature: Allocation with DRAConsumableCapacity off
  With the gate off, every device is exclusive. A capacity request ends in an error; it is not ignored.

  Background:
    Given the feature gate "DRAConsumableCapacity" is off
    And the devices
      | device | shared | capacity bandwidth | policy bandwidth |
      | eth1   | yes    | 10                 | default 3, min 1 |

  @case:capacity-request-is-error
  @KEP-5075/feature-gate/off-capacity-request-error
  Scenario: With DRAConsumableCapacity off, a capacity request ends in an error
    Given a claim "c" requesting 4 of "bandwidth"
    When allocation of claim "c" is attempted
    Then the allocation ends in an error because of FeatureDisabled
    But in Kubernetes 1.35, because the default allocator of this release ignores capacity requests: claim "c" gets exactly
      | request | device | share |
      | r0      | eth1   | no    |

  @case:capacity-in-second-request-is-error
  @KEP-5075/feature-gate/off-capacity-request-error
  Scenario: With the gate off, a capacity request in only the second request ends in an error
    Given a claim "c" with the requests
      | request | capacity bandwidth |
      | r0      |                    |
      | r1      | 4                  |
    When allocation of claim "c" is attempted
    Then the allocation ends in an error because of FeatureDisabled
    But in Kubernetes 1.35, because the default allocator of this release ignores capacity requests: nothing fits

  @case:empty-capacity-is-error
  @KEP-5075/feature-gate/off-empty-capacity @profile:since-1.36
  Scenario: In releases with DRAConsumableCapacity off, an empty capacity object ends in an error
    Given a claim "c" requesting an empty capacity
    When allocation of claim "c" is attempted
    Then the allocation ends in an error

  @case:no-capacity-gets-whole-device
  @KEP-5075/feature-gate/off-without-capacity-schedules
  Scenario: With DRAConsumableCapacity off, a request without capacity gets the whole device
    Given a claim "c" requesting no capacity
    When allocation of claim "c" is attempted
    Then claim "c" gets exactly
      | request | device | share |
      | r0      | eth1   | no    |

  @case:device-in-use-not-allocated
  @KEP-5075/feature-gate/off-without-capacity-schedules
  Scenario: With DRAConsumableCapacity off, a device in use is not allocated again
    Given claim "other" already holds
      | device |
      | eth1   |
    And a claim "c" requesting no capacity
    When allocation of claim "c" is attempted
    Then nothing fits

  @case:shared-device-not-allocated
  @KEP-5075/feature-gate/off-without-capacity-schedules
  Scenario: With DRAConsumableCapacity off, a device with a shared allocation is not allocated
    Given claim "other" already holds
      | device | consumed bandwidth | share |
      | eth1   | 3                  | s1    |
    And a claim "c" requesting no capacity
    When allocation of claim "c" is attempted
    Then nothing fits

  @case:selector-matches-no-device
  @KEP-5075/feature-gate/off-without-capacity-schedules
  Scenario: With DRAConsumableCapacity off, a selector for multi-allocatable devices matches none
    Given a device class "shared" that selects
      """
      device.allowMultipleAllocations == true
      """
    And a claim "c" with the requests
      | request | class  |
      | r0      | shared |
    When allocation of claim "c" is attempted
    Then nothing fits
    But in Kubernetes 1.34 and since Kubernetes 1.36, because selectors of these releases see the published allowMultipleAllocations even with the gate off: claim "c" gets exactly
      | request | device | share |
      | r0      | eth1   | no    |
