@profile:kep @profile:since-1.37
Feature: What is told of a pod whose devices do not go together

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

  @case:the-event-of-a-pod-that-is-refused-says-in-general
  @KEP-5963/diagnostics/generic-unschedulable-message
  Scenario: The event of a pod that is refused says in general that not all claims can be allocated
    When the cluster settles
    Then pod "p" runs
    And pod "q" is pending
    And an event FailedScheduling is told of pod "q" with "allocate all claims"

  @case:an-incompatible-device-is-never-prepared-so-that-no
  @KEP-5963/diagnostics/no-prepare-failures
  Scenario: An incompatible device is never prepared, so that no driver has to refuse it
    When the cluster settles
    Then pod "q" is pending
    And claim "second" is not allocated
    And claim "first" is prepared on node "node-1"
    And claim "second" is prepared on no node
