Feature: QoS class of pods with ResourceClaims
  The QoS class follows the requests and limits in the pod spec. In a future release ResourceClaims count as well.

  Background:
    Given a node "node-1" with allocatable 16 of "cpu" and 64Gi of "memory"

  Rule: QoS class from the pod spec only

    Background:
      Given the device
        | device | mapping cpu | mapping memory |
        | four   | 4           | 8Gi            |
      And a ResourceClaim "c" requesting 1 device

    @case:claim-only-best-effort
    @KEP-5517/kubelet/qos-from-spec-only
    Scenario: A pod with CPUs and memory only from a ResourceClaim is BestEffort
      When a pod "p" with the container is created
        | container | claims |
        | main      | c      |
      And the cluster reaches a steady state
      Then pod "p" is Running
      And pod "p" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu | resource memory |
        | c             | main       | 4            | 8Gi             |
      And pod "p" has
        | field           | value      |
        | status.qosClass | BestEffort |

    @case:spec-decides-class
    @KEP-5517/kubelet/qos-from-spec-only
    Scenario Outline: The QoS class depends only on the container's requests and limits, not its ResourceClaim
      When a pod "p" with the container is created
        | container | request cpu | request memory | limit cpu | limit memory | claims |
        | main      | <requests>  | 1Gi            | <cpu>     | <memory>     | c      |
      And the cluster reaches a steady state
      Then pod "p" is Running
      And pod "p" has
        | field           | value   |
        | status.qosClass | <class> |

      Examples:
        | requests | cpu | memory | class      |
        | 1        | 1   | 1Gi    | Guaranteed |
        | 1        | 5   | 9Gi    | Burstable  |

    @case:container-without-limits
    @KEP-5517/kubelet/qos-from-spec-only
    Scenario: A pod is Burstable if only its container without a ResourceClaim has limits
      When a pod "p" with the containers is created
        | container | limit cpu | limit memory | claims |
        | first     | 1         | 1Gi          |        |
        | second    |           |              | c      |
      And the cluster reaches a steady state
      Then pod "p" is Running
      And pod "p" has
        | field           | value     |
        | status.qosClass | Burstable |

  Rule: QoS class from pod spec and ResourceClaims in a future release

    @case:future-claim-burstable
    @KEP-5517/kubelet/qos-includes-dra @profile:kep-future
    Scenario: A pod with CPUs only from a ResourceClaim is Burstable in a future release
      Given the device
        | device | mapping cpu      |
        | four   | 4 as AddPerClaim |
      And a ResourceClaim "c" requesting 1 device
      When a pod "p" with the containers is created
        | container | claims |
        | main      | c      |
        | beside    |        |
      And the cluster reaches a steady state
      Then pod "p" is Running
      And pod "p" has
        | field           | value     |
        | status.qosClass | Burstable |

    @case:future-unmapped-claim-best-effort
    @KEP-5517/kubelet/qos-includes-dra @profile:kep-future
    Scenario: A pod whose ResourceClaim adds no node resources is BestEffort in a future release
      Given the device
        | device | attribute type |
        | gpu0   | string gpu     |
      And a ResourceClaim "c" requesting 1 device
      When a pod "p" with the container is created
        | container | claims |
        | main      | c      |
      And the cluster reaches a steady state
      Then pod "p" is Running
      And pod "p" has
        | field           | value      |
        | status.qosClass | BestEffort |
