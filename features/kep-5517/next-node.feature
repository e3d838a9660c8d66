@profile:kep @profile:since-1.36
Feature: Devices chosen on a node without enough node resources
  The node resources of a ResourceClaim are checked after its devices are chosen on the node. A device that every node
  can access is available again on the next node.

  Background:
    Given a node "n1" with allocatable 64 of "cpu" and 2Gi of "memory"
    And a node "n2" with allocatable 8 of "cpu" and 8Gi of "memory"

  @case:exclusive-device
  @KEP-5517/node-fit/effective-demand-against-free
  Scenario: A device that exceeds the memory of the first node is allocated on the second node
    Given the device
      | device | node | mapping memory |
      | four   | *    | 4Gi            |
    And a ResourceClaim "c" requesting 1 device
    And a pod "p" that uses ResourceClaim "c" with the container
      | container | request memory | claims |
      | main      | 1Gi            | c      |
    When the cluster reaches a steady state
    Then pod "p" is Running on node "n2"
    And ResourceClaim "c" is allocated exactly
      | device |
      | four   |

  @case:shared-device
  @KEP-5517/node-fit/effective-demand-against-free
  Scenario: Capacity that maps to too much memory of the first node is consumed on the second node
    Given the device
      | device | node | allowMultipleAllocations | capacity size | mapping memory |
      | four   | *    | yes                      | 4Gi           | size           |
    And a ResourceClaim "c" requesting 4Gi of "size"
    And a pod "p" that uses ResourceClaim "c" with the container
      | container | request memory | claims |
      | main      | 1Gi            | c      |
    When the cluster reaches a steady state
    Then pod "p" is Running on node "n2"
    And ResourceClaim "c" consumes 4Gi of "size"

  @case:neither-node
  @KEP-5517/node-fit/effective-demand-against-free
  Scenario: A device of a pod that fits on neither node is allocated to a pod that needs less memory
    Given the devices
      | device | node | pool | mapping memory |
      | eight  | *    | a    | 8Gi            |
    And a ResourceClaim "c" requesting 1 device
    And a ResourceClaim "d" requesting 1 device
    And a pod "p" that uses ResourceClaim "c" with the container
      | container | request memory | claims |
      | main      | 1Gi            | c      |
    And a pod "q" that uses ResourceClaim "d" with the container
      | container | claims |
      | main      | d      |
    When pod "p" is created
    And the cluster reaches a steady state
    Then pod "p" is Pending
    And ResourceClaim "c" is not allocated
    When pod "q" is created
    And the cluster reaches a steady state
    Then pod "q" is Running on node "n2"
    And ResourceClaim "d" is allocated exactly
      | device |
      | eight  |
