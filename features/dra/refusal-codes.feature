@profile:since-1.34
Feature: Scheduler status codes for pods that stay Pending
  The DRA page says that a pod stays Pending and names no codes. Releases return Unschedulable if the deletion of
  other pods can help, and UnschedulableAndUnresolvable if it cannot.

  @case:missing-claim
  @DRA/workflow/missing-claim-blocks-pod
  Scenario: A pod is UnschedulableAndUnresolvable if its ResourceClaim does not exist
    Given a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then scheduling of pod "p" fails with UnschedulableAndUnresolvable

  @case:claim-being-deleted
  @DRA/workflow/missing-claim-blocks-pod
  Scenario: A pod is UnschedulableAndUnresolvable if its ResourceClaim is being deleted
    Given the device
      | device |
      | gpu-0  |
    And a ResourceClaim "c" requesting 1 device
    And a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    And ResourceClaim "c" is deleted
    And a pod "q" that uses ResourceClaim "c" is created
    And the cluster reaches a steady state
    Then scheduling of pod "q" fails with UnschedulableAndUnresolvable

  @case:no-matching-device
  @DRA/workflow/unmet-request-waits
  Scenario: A node without a device that matches the ResourceClaim is UnschedulableAndUnresolvable
    Given a ResourceClaim "c" requesting 1 device
    And a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then filtering of node "node-1" for pod "p" fails with UnschedulableAndUnresolvable

  @case:unschedulable-node
  @DRA/node-access/node-must-suit-pod
  Scenario: A cordoned node with the device and a node without it are UnschedulableAndUnresolvable
    Given the objects
      """
      {apiVersion: v1, kind: Node, metadata: {name: n1}, spec: {unschedulable: true}}
      ---
      {apiVersion: v1, kind: Node, metadata: {name: n2}}
      """
    And the devices
      | device | node |
      | gpu-0  | n1   |
    And a ResourceClaim "c" requesting 1 device
    And a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then filtering of node "n1" for pod "p" fails with UnschedulableAndUnresolvable
    And filtering of node "n2" for pod "p" fails with UnschedulableAndUnresolvable

  @case:cpu-in-use
  @DRA/node-access/node-must-suit-pod
  Scenario: A node whose CPU is used up by other pods is Unschedulable although it has the device
    Given a node "n1" with allocatable 4 of "cpu"
    And the device
      | device | node |
      | gpu-0  | n1   |
    And a ResourceClaim "c" requesting 1 device
    And a pod "p" with the container
      | container | request cpu |
      | main      | 3           |
    When the cluster reaches a steady state
    Then pod "p" is Running
    When a pod "q" with the container is created
      | container | request cpu | claims |
      | main      | 2           | c      |
    And the cluster reaches a steady state
    Then filtering of node "n1" for pod "q" fails with Unschedulable
