Feature: The use cases of the document
  The four walkthroughs and the additive example, with their own numbers.

  Background:
    Given a device class "cpu-mem-socket" that selects
      """
      device.attributes["dra.example.com"].type == "socket"
      """
    And a device class "gpu-class" that selects
      """
      device.attributes["dra.example.com"].type == "gpu"
      """

  Rule: Use Case 1, a pod with standard and DRA requests

    Background:
      Given the device
        | device  | node  | attribute type | shared | capacity cpu | capacity memory | takes cpu | takes memory |
        | socket0 | node1 | string socket  | yes    | 128          | 256Gi           | cpu       | memory       |
      And a claim "cpu-mem-claim" with the request
        | request     | class          | capacity cpu | capacity memory |
        | cpu-mem-req | cpu-mem-socket | 4            | 8Gi             |
      And a pod "dra-pod" with the containers
        | container | request cpu | request memory | claims        |
        | my-app1   | 100m        | 100Mi          | cpu-mem-claim |
        | my-app2   |             |                | cpu-mem-claim |

    @case:the-pod-takes-exactly-what-is-left-of-the-node
    @KEP-5517/accounting/use-case-1-standard-plus-pool @KEP-5517/status/entry-content
    @KEP-5517/status/written-at-prebind @KEP-5517/mapping/consumable-pool-representation
    Scenario: The pod takes exactly what is left of the node
      Given a node "node1" with 4100m of "cpu" and 8292Mi of "memory"
      When the cluster settles
      Then pod "dra-pod" runs on node "node1"
      And claim "cpu-mem-claim" consumes 4 of "cpu" and 8Gi of "memory"
      And pod "dra-pod" records
        | claim         | containers       | takes cpu | takes memory |
        | cpu-mem-claim | my-app1, my-app2 | 4         | 8Gi          |

  Rule: The additive example

    Background:
      Given the devices
        | device | node  | takes cpu |
        | four   | node1 | 4         |
        | two    | node1 | 2         |
      And a claim "claim-a" with the request
        | request | selector                                               |
        | r0      | device.driver == "dra.example.com"                     |
      And a claim "claim-b" requesting 1 device
      And a pod "pod-1" with the containers
        | container | request cpu | claims           |
        | c1        | 1           | claim-a, claim-b |
        | c2        | 2           | claim-a          |

    @case:with-cpus-the-pod
    @KEP-5517/accounting/several-claims-per-container-sum
    Scenario Outline: With <cpu> CPUs the pod <what>
      Given a node "node1" with <cpu> of "cpu"
      When the cluster settles
      Then pod "pod-1" <what>

      Examples:
        | cpu   | what       |
        | 9     | runs       |
        | 8999m | is pending |
