@profile:since-1.37
Feature: What the users of a device need besides
  Since Kubernetes 1.37 a device says apart what it is of its node's resources and what its users need besides:
  for each pod, and for each container that uses it.

  @case:containers-need-beside-1-cpu-of-their-own
  @KEP-5517/mapping/auxiliary-accelerator-representation @KEP-5517/accounting/claim-counted-once-per-pod
  Scenario Outline: <containers> containers need <total> beside 1 CPU of their own
    Given the device
      | device | overhead cpu                  |
      | gpu0   | 200m per pod, 50m per container |
    And a pod "p" with the containers
      | container | request cpu | claims   |
      | c1        | 500m        | c        |
      | c2        | 500m        | <second> |
    And claim "c" already holds
      | device |
      | gpu0   |
    When the footprint of pod "p" is counted
    Then the pod takes <total> of "cpu"

    Examples:
      | containers | second | total |
      | one        |        | 1250m |
      | two        | c      | 1300m |

  @case:a-shared-device-of-3-cores-with-an-overhead-takes
  @KEP-5517/mapping/key-and-multiplier-mixed-on-one-device
  Scenario: A shared device of 3 cores with an overhead takes 3100m
    Given the device
      | device | shared | capacity cores | takes cpu | overhead cpu |
      | cpu0   | yes    | 8              | cores     | 100m per pod |
    And a pod "p" that uses claim "c"
    And claim "c" already holds
      | device | share | consumed cores |
      | cpu0   | s1    | 3              |
    When the footprint of pod "p" is counted
    Then the pod takes 3100m of "cpu"

  @case:the-overhead-of-two-devices-adds-up
  @KEP-5517/accounting/several-devices-in-one-claim-sum
  Scenario: The overhead of two devices adds up
    Given the devices
      | device | overhead memory |
      | gpu0   | 1Gi per pod     |
      | gpu1   | 2Gi per pod     |
    And a pod "p" that uses claim "c"
    And claim "c" already holds
      | device |
      | gpu0   |
      | gpu1   |
    When the footprint of pod "p" is counted
    Then the pod takes 3Gi of "memory"

  @case:a-claim-that-no-container-uses-needs-nothing-for
  @KEP-5517/accounting/unreferenced-claim-still-counted
  Scenario: A claim that no container uses needs nothing for containers
    Given the device
      | device | overhead cpu               |
      | gpu0   | 1 per pod, 1 per container |
    And a pod "p" that uses claim "c" with the container
      | container |
      | main      |
    And claim "c" already holds
      | device |
      | gpu0   |
    When the footprint of pod "p" is counted
    Then the pod takes 1 of "cpu"

  @case:a-claim-that-brings-overhead-only-may-be-shared
  @KEP-5517/shared-claim/auxiliary-claims-also-rejected
  Scenario: A claim that brings overhead only may be shared
    Given the device
      | device | overhead cpu |
      | gpu0   | 1 per pod    |
    And a pod "first" on node "node-1" that uses claim "c"
    And a pod "p" that uses claim "c"
    And claim "c" already holds
      | device |
      | gpu0   |
    When the footprint of pod "p" is counted
    Then the pod takes 1 of "cpu"

  @case:what-the-status-records-of-overhead-counts
  @KEP-5517/pod-footprint/amounts-come-from-pod-status
  Scenario: What the status records of overhead counts
    Given a pod "p" with the containers
      | container | request cpu | claims |
      | c1        | 1           | c      |
      | c2        | 1           | c      |
    And the status of pod "p" records
      | claim | containers | takes cpu | overhead cpu                    |
      | c     | c1, c2     | 3         | 100m per pod, 250m per container |
    When the footprint of pod "p" is counted from its status
    Then the pod takes 5600m of "cpu"

  @case:overhead-counts-against-the-budget
  @KEP-5517/pod-level-resources/budget-exceeded-is-unresolvable
  Scenario: Overhead counts against the budget
    Given the device
      | device | overhead cpu |
      | gpu0   | 2 per pod    |
    And a pod "p" with the container
      | container | request cpu | claims |
      | main      | 1           | c      |
    And pod "p" requests 2 of "cpu" as a whole
    And claim "c" already holds
      | device |
      | gpu0   |
    When the footprint of pod "p" is counted
    Then the pod has no footprint, because of OverBudget
