@profile:kep @profile:since-1.34
Feature: A pod is bound after the devices of its claims are ready
  A device may name binding conditions. Until its driver reports all of them as true the pod has no node; where a binding
  failure condition is true, or none of this happens in 600 seconds, the pod gets other devices.

  Background:
    Given the device
      | device | binding               | failure |
      | gpu-0  | attached, initialized | broken  |
    And a claim "c" requesting 1 device

  @case:deleted-while-waiting
  @API/binding/waits
  Scenario Outline: A pod deleted before its device is ready leaves the device to the next pod
    Given a pod "p" that uses claim "c"
    When the cluster settles
    Then pod "p" is pending
    And claim "c" is reserved for pod "p"
    When <components>
    And the cluster settles
    And pod "p" is deleted
    And the cluster settles
    Then claim "c" is not allocated
    When a pod "q" that uses claim "c" is created
    And the cluster settles
    Then claim "c" is reserved for pod "q"

    Examples:
      | components             |
      | the scheduler restarts |
