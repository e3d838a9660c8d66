Feature: The feature gate DRAConsumableCapacity
  With the gate off every device is dedicated, and a capacity request is an error rather than something to
  ignore.

  Background:
    Given the feature gate "DRAConsumableCapacity" is off
    And the devices
      | device | shared | capacity bandwidth | policy bandwidth |
      | eth1   | yes    | 10                 | default 3, min 1 |

  @case:with-draconsumablecapacity-off-a-capacity-request
  @KEP-5075/feature-gate/off-capacity-request-error
  Scenario: With DRAConsumableCapacity off, a capacity request ends in an error
    Given a claim "c" requesting 4 of "bandwidth"
    When allocation of claim "c" is attempted
    Then the allocation ends in an error because of FeatureDisabled
    But in Kubernetes 1.35, because the allocator this release runs by default does not know capacity requests: claim "c" gets exactly
      | request | device | share |
      | r0      | eth1   | no    |

  @case:with-draconsumablecapacity-off-a-capacity-request-in
  @KEP-5075/feature-gate/off-capacity-request-error
  Scenario: With DRAConsumableCapacity off, a capacity request in the second of two requests ends in an error
    Given a claim "c" with the requests
      | request | capacity bandwidth |
      | r0      |                    |
      | r1      | 4                  |
    When allocation of claim "c" is attempted
    Then the allocation ends in an error because of FeatureDisabled
    But in Kubernetes 1.35, because the allocator this release runs by default does not know capacity requests: nothing fits

  @case:with-draconsumablecapacity-off-an-empty-capacity
  @KEP-5075/feature-gate/off-empty-capacity @profile:since-1.36
  Scenario: With DRAConsumableCapacity off, an empty capacity object ends in an error since Kubernetes 1.36
    Given a claim "c" requesting an empty capacity
    When allocation of claim "c" is attempted
    Then the allocation ends in an error

  @case:with-draconsumablecapacity-off-a-claim-without
  @KEP-5075/feature-gate/off-without-capacity-schedules
  Scenario: With DRAConsumableCapacity off, a claim without capacity gets the whole device
    Given a claim "c" requesting no capacity
    When allocation of claim "c" is attempted
    Then claim "c" gets exactly
      | request | device | share |
      | r0      | eth1   | no    |

  @case:with-draconsumablecapacity-off-a-device-that-a-claim
  @KEP-5075/feature-gate/off-without-capacity-schedules
  Scenario: With DRAConsumableCapacity off, a device that a claim holds is not given out again
    Given claim "other" already holds
      | device |
      | eth1   |
    And a claim "c" requesting no capacity
    When allocation of claim "c" is attempted
    Then nothing fits

  @case:with-draconsumablecapacity-off-a-device-with-shares
  @KEP-5075/feature-gate/off-without-capacity-schedules
  Scenario: With DRAConsumableCapacity off, a device with shares from before is not given out
    Given claim "other" already holds
      | device | consumed bandwidth | share |
      | eth1   | 3                  | s1    |
    And a claim "c" requesting no capacity
    When allocation of claim "c" is attempted
    Then nothing fits

  @case:with-draconsumablecapacity-off-a-selector-for
  @KEP-5075/feature-gate/off-without-capacity-schedules
  Scenario: With DRAConsumableCapacity off, a selector for devices that can be shared selects no device
    Given a device class "shared" that selects
      """
      device.allowMultipleAllocations == true
      """
    And a claim "c" with the requests
      | request | class  |
      | r0      | shared |
    When allocation of claim "c" is attempted
    Then nothing fits
    But in Kubernetes 1.34 and since Kubernetes 1.36, because with the gate off selectors of these releases still see what the slice publishes: claim "c" gets exactly
      | request | device | share |
      | r0      | eth1   | no    |
