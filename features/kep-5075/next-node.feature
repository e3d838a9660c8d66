@profile:kep @profile:since-1.34
Feature: Capacity tried on one node and allocated on the next
  A share that was tried on a node without the other devices consumes nothing on the next node.

  Background:
    Given a node "n1" with allocatable 64 of "cpu"
    And a node "n2" with allocatable 8 of "cpu"
    And a DeviceClass "nic" with the selector
      """
      device.attributes["dra.example.com"].type == "nic"
      """
    And a DeviceClass "gpu" with the selector
      """
      device.attributes["dra.example.com"].type == "gpu"
      """
    And the devices
      | device | node | pool   | attribute type | allowMultipleAllocations | capacity bw |
      | nic-0  | *    | shared | string nic     | yes                      | 10          |
      | gpu-0  | n2   | n2     | string gpu     |                          |             |

  @case:share-of-second-claim
  @KEP-5075/capacity-accounting/backtracking-restores
  Scenario Outline: Capacity of a failed attempt on the first node is available on the second node
    Given a ResourceClaim "a" with the request
      | deviceClassName | capacity bw |
      | nic             | <amount>    |
    And a ResourceClaim "b" requesting 1 device of class "gpu"
    And a pod "p" that uses ResourceClaims "a, b"
    When scheduling of pod "p" is attempted
    Then Bind on node "n2" returns Success
    And after PreBind ResourceClaim "a" has
      | field                                                       | value    |
      | status.allocation.devices.results[0].device                 | nic-0    |
      | status.allocation.devices.results[0].consumedCapacity[bw] | <amount> |

    Examples:
      | amount |
      | 6      |
      | 10     |

  @case:two-shares
  @KEP-5075/capacity-accounting/backtracking-restores
  Scenario: Two shared allocations tried on the first node are both possible on the second node
    Given a ResourceClaim "a" with the requests
      | request | deviceClassName | capacity bw |
      | r0      | nic             | 4           |
      | r1      | nic             | 6           |
      | r2      | gpu             |             |
    And a pod "p" that uses ResourceClaim "a"
    When scheduling of pod "p" is attempted
    Then Bind on node "n2" returns Success
    And after PreBind ResourceClaim "a" is allocated exactly "nic-0, nic-0, gpu-0"

  @case:distinct-value
  @KEP-5075/constraint/distinct-count
  Scenario: An attribute value tried for distinctAttribute on one node can be used on the next node
    Given the devices
      | device | node | pool | attribute type | attribute port | allowMultipleAllocations |
      | port-1 | n1   | n1   | string port    | int 1          | yes                      |
      | port-2 | n2   | n2   | string port    | int 1          | yes                      |
      | port-3 | n2   | n2   | string port    | int 2          | yes                      |
    And a DeviceClass "port" with the selector
      """
      device.attributes["dra.example.com"].type == "port"
      """
    And a ResourceClaim "c" with the requests
      | request | deviceClassName | count |
      | r0      | port            | 2     |
    And ResourceClaim "c" has the constraint distinctAttribute "dra.example.com/port"
    And a pod "p" that uses ResourceClaim "c"
    When scheduling of pod "p" is attempted
    Then Bind on node "n2" returns Success
    And after PreBind ResourceClaim "c" is allocated exactly "port-2, port-3"
