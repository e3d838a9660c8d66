Feature: The quality of service of a pod, whatever its claims take
  The class goes by requests and limits of the spec; later, claims shall count as well.

  Background:
    Given a node "node-1" with 16 of "cpu" and 64Gi of "memory"

  Rule: Only the spec counts

    Background:
      Given the device
        | device | takes cpu | takes memory |
        | four   | 4         | 8Gi          |
      And a claim "c" requesting 1 device

    @case:a-pod-that-has-cpus-and-memory-only-from-a-claim-is
    @KEP-5517/kubelet/qos-from-spec-only
    Scenario: A pod that has CPUs and memory only from a claim is BestEffort
      When a pod "p" with the container is created
        | container | claims |
        | main      | c      |
      And the cluster settles
      Then pod "p" runs
      And pod "p" records
        | claim | containers | takes cpu | takes memory |
        | c     | main       | 4         | 8Gi          |
      And the Pod "p" has
        | field           | value      |
        | status.qosClass | BestEffort |

    @case:a-container-with-a-claim-cpu-requested-and-limits-of
    @KEP-5517/kubelet/qos-from-spec-only
    Scenario Outline: A container with a claim, <requests> CPU requested, and limits of <cpu> and <memory> is <class>
      When a pod "p" with the container is created
        | container | request cpu | request memory | limit cpu | limit memory | claims |
        | main      | <requests>  | 1Gi            | <cpu>     | <memory>     | c      |
      And the cluster settles
      Then pod "p" runs
      And the Pod "p" has
        | field           | value   |
        | status.qosClass | <class> |

      Examples:
        | requests | cpu | memory | class      |
        | 1        | 1   | 1Gi    | Guaranteed |
        | 1        | 5   | 9Gi    | Burstable  |

    @case:a-container-without-limits-beside-one-that-has-them
    @KEP-5517/kubelet/qos-from-spec-only
    Scenario: A container without limits beside one that has them makes the pod Burstable
      When a pod "p" with the containers is created
        | container | limit cpu | limit memory | claims |
        | first     | 1         | 1Gi          |        |
        | second    |           |              | c      |
      And the cluster settles
      Then pod "p" runs
      And the Pod "p" has
        | field           | value     |
        | status.qosClass | Burstable |

  Rule: Later claims count

    @case:a-pod-with-a-claim-of-4-cpus-and-a-container-without
    @KEP-5517/kubelet/qos-includes-dra @profile:kep-future
    Scenario: A pod with a claim of 4 CPUs and a container without anything is not BestEffort
      Given the device
        | device | takes cpu        |
        | four   | 4 as AddPerClaim |
      And a claim "c" requesting 1 device
      When a pod "p" with the containers is created
        | container | claims |
        | main      | c      |
        | beside    |        |
      And the cluster settles
      Then pod "p" runs
      And the Pod "p" has
        | field           | value     |
        | status.qosClass | Burstable |

    @case:a-pod-whose-claim-takes-nothing-of-the-node-is-still
    @KEP-5517/kubelet/qos-includes-dra @profile:kep-future
    Scenario: A pod whose claim takes nothing of the node is still BestEffort
      Given the device
        | device | attribute type |
        | gpu0   | string gpu     |
      And a claim "c" requesting 1 device
      When a pod "p" with the container is created
        | container | claims |
        | main      | c      |
      And the cluster settles
      Then pod "p" runs
      And the Pod "p" has
        | field           | value      |
        | status.qosClass | BestEffort |
