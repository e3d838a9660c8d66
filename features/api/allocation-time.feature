@profile:since-1.34
Feature: The allocationTimestamp of an allocation
  The scheduler records the time of each allocation while DRADeviceBindingConditions is on. The API reference does
  not guarantee that the field is set.

  Background:
    Given the device
      | device |
      | gpu-0  |
    And a ResourceClaim "c" requesting 1 device
    And a pod "p" that uses ResourceClaim "c"

  @case:new-allocation
  @API/allocation/time
  Scenario: A device without binding conditions is allocated with allocationTimestamp
    Given the feature gate "DRADeviceBindingConditions" is on
    When the cluster reaches a steady state
    Then pod "p" is Running
    When ResourceClaim "c" is read
    Then the field "status.allocation.allocationTimestamp" is set

  @case:binding-conditions-off
  @API/allocation/time
  Scenario: An allocation has no allocationTimestamp with DRADeviceBindingConditions off
    Given the feature gate "DRADeviceBindingConditions" is off
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "c" has
      | field                                 | value |
      | status.allocation.allocationTimestamp |       |
