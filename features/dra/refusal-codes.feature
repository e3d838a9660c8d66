@profile:since-1.34
Feature: The codes with which schedulers of releases refuse pods with claims
  The page says that a pod waits, and names no codes. Releases tell a refusal that others who go could cure from one that
  they could not.

  @DRA/workflow/missing-claim-blocks-pod
  Scenario: A pod whose claim does not exist is refused for good
    Given a pod "p" that uses claim "c"
    When the cluster settles
    Then pod "p" is refused as UnschedulableAndUnresolvable

  @DRA/workflow/missing-claim-blocks-pod
  Scenario: A pod that comes when its claim is being deleted is refused for good
    Given the device
      | device |
      | gpu-0  |
    And a claim "c" requesting 1 device
    And a pod "p" that uses claim "c"
    When the cluster settles
    And claim "c" is deleted
    And a pod "q" that uses claim "c" is created
    And the cluster settles
    Then pod "q" is refused as UnschedulableAndUnresolvable

  @DRA/workflow/unmet-request-waits
  Scenario: A node without a device that matches is refused for good
    Given a claim "c" requesting 1 device
    And a pod "p" that uses claim "c"
    When the cluster settles
    Then pod "p" is refused on node "node-1" as UnschedulableAndUnresolvable

  @DRA/node-access/node-must-suit-pod
  Scenario: A node that takes no new pods is refused for good, and so is the one without the device
    Given the objects
      """
      {apiVersion: v1, kind: Node, metadata: {name: n1}, spec: {unschedulable: true}}
      ---
      {apiVersion: v1, kind: Node, metadata: {name: n2}}
      """
    And the devices
      | device | node |
      | gpu-0  | n1   |
    And a claim "c" requesting 1 device
    And a pod "p" that uses claim "c"
    When the cluster settles
    Then pod "p" is refused on node "n1" as UnschedulableAndUnresolvable
    And pod "p" is refused on node "n2" as UnschedulableAndUnresolvable

  @DRA/node-access/node-must-suit-pod
  Scenario: A node whose CPUs other pods have is refused as one that may fit when they go
    Given a node "n1" with 4 of "cpu"
    And the device
      | device | node |
      | gpu-0  | n1   |
    And a claim "c" requesting 1 device
    And a pod "p" with the container
      | container | request cpu |
      | main      | 3           |
    When the cluster settles
    Then pod "p" runs
    When a pod "q" with the container is created
      | container | request cpu | claims |
      | main      | 2           | c      |
    And the cluster settles
    Then pod "q" is refused on node "n1" as Unschedulable
