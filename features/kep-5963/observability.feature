@profile:kep @profile:since-1.37
Feature: Events and device preparation for incompatible devices

  Background:
    Given the counter set
      | set   | counter memory |
      | gpu-0 | 80Gi           |
    And the devices
      | device | counters gpu-0 | groups gpu-0 |
      | mig-0  | memory 20Gi    | mig          |
      | vgpu-0 | memory 20Gi    | vgpu         |
    And a claim "first" requesting 1 device
    And a claim "second" requesting 1 device
    And a pod "p" that uses claim "first"
    And a pod "q" that uses claim "second"

  @case:unschedulable-event
  @KEP-5963/diagnostics/generic-unschedulable-message
  Scenario: A pod whose device is incompatible stays Pending with a general FailedScheduling event
    When the cluster settles
    Then pod "p" runs
    And pod "q" is pending
    And an event FailedScheduling is told of pod "q" with "allocate all claims"

  @case:incompatible-never-prepared
  @KEP-5963/diagnostics/no-prepare-failures
  Scenario: A ResourceClaim for which only an incompatible device is left is prepared on no node
    When the cluster settles
    Then pod "q" is pending
    And claim "second" is not allocated
    And claim "first" is prepared on node "node-1"
    And claim "second" is prepared on no node
