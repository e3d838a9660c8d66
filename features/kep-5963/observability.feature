@profile:kep @profile:since-1.37
Feature: Events and device preparation for incompatible devices

  Background:
    Given the counter set
      | counterSet | counter memory |
      | gpu-0      | 80Gi           |
    And the devices
      | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
      | mig-0  | memory 20Gi            | mig                       |
      | vgpu-0 | memory 20Gi            | vgpu                      |
    And a ResourceClaim "first" requesting 1 device
    And a ResourceClaim "second" requesting 1 device
    And a pod "p" that uses ResourceClaim "first"
    And a pod "q" that uses ResourceClaim "second"

  @case:unschedulable-event
  @KEP-5963/diagnostics/generic-unschedulable-message @KEP-5963/diagnostics/no-prepare-failures
  Scenario: A pod whose device is incompatible stays Pending with an event, and nothing is prepared
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "first" is prepared on node "node-1"
    When pod "q" is created
    And the cluster reaches a steady state
    Then pod "q" is Pending
    And pod "q" has an event with the message "allocate all claims"
    And ResourceClaim "second" is not allocated
    And ResourceClaim "second" is prepared on no node
