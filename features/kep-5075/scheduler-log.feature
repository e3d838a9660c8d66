Feature: Log messages of the scheduler about capacity
  At verbosity 7, the log of the scheduler says which devices are too small for a request, and which capacities an
  allocated device was asked for.

  Background:
    Given the device
      | device | allowMultipleAllocations | capacity bw |
      | eth1   | yes                      | 10          |
    And a ResourceClaim "a" requesting 6 of "bw"
    And a ResourceClaim "b" requesting 5 of "bw"

  @case:too-little-capacity-logged @profile:kep @profile:since-1.34
  @KEP-5075/diagnostics/capacity-not-enough-log
  Scenario: The scheduler logs that the device does not have enough capacity for a second pod
    When a pod "a" that uses ResourceClaim "a" is created
    And the cluster reaches a steady state
    Then pod "a" is Running
    And the scheduler does not log "Device capacity not enough" at verbosity 7
    When a pod "b" that uses ResourceClaim "b" is created
    And the cluster reaches a steady state
    Then pod "b" is Pending
    And the scheduler logs "Device capacity not enough" with "eth1" at verbosity 7

  @case:requested-capacities-logged @profile:kep @profile:since-1.34
  @KEP-5075/diagnostics/allocating-log-has-capacities
  Scenario: The scheduler logs the requested capacities with the device that it allocates
    When a pod "a" that uses ResourceClaim "a" is created
    And the cluster reaches a steady state
    Then pod "a" is Running
    And the scheduler logs "Allocating one device" with "capacities=" at verbosity 7

  @case:nothing-logged-without-the-feature @profile:kep @profile:since-1.35
  @KEP-5075/diagnostics/stable-mode-silent
  Scenario: A scheduler without features beyond the stable ones logs nothing about capacity
    Given the feature gate "DRAConsumableCapacity" is off in the scheduler
    And the feature gate "DRADeviceBindingConditions" is off in the scheduler
    And the feature gate "DRADeviceCompatibilityGroups" is off in the scheduler
    And the feature gate "DRAListTypeAttributes" is off in the scheduler
    And the device
      | device | pool   |
      | gpu-0  | pool-2 |
    And a ResourceClaim "c" requesting 1 device
    When a pod "c" that uses ResourceClaim "c" is created
    And the cluster reaches a steady state
    Then pod "c" is Running
    And the scheduler logs "Allocating one device" at verbosity 7
    And the scheduler does not log "Allocating one device" with "capacities=" at verbosity 7
    And the scheduler does not log "Device capacity not enough" at verbosity 7
