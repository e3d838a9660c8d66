Feature: The feature gate is turned off and on again, and components that differ
  A pod that was placed with the gate on has its entries; one that was placed with it off has none.

  Background:
    Given a node "node-1" with 16 of "cpu"

  Rule: A pod that was placed with the gate off

    Background:
      Given the device
        | device | takes cpu |
        | four   | 4         |
      And a claim "c" requesting 1 device
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      And the feature gate "DRANodeAllocatableResources" is off in the scheduler

    @case:it-needs-only-what-it-requests-itself-and-records
    @KEP-5517/feature-gate/off-scheduler-ignores-mappings @KEP-5517/rollback/oversubscription-possible-while-off
    Scenario: It needs only what it requests itself, and records nothing
      Given a pod "other" with the container
        | container | request cpu |
        | main      | 15          |
      When the cluster settles
      Then pod "p" runs
      And claim "c" is allocated
      And pod "p" records nothing
      And pod "other" runs
