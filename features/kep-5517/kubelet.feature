Feature: Which pods a kubelet admits
  A kubelet sums up what its pods take in the same way as the scheduler, from their status.

  Background:
    Given a node "node-1" with 8 of "cpu"
    And a pod "first" on node "node-1" with the container
      | container | request cpu |
      | main      | 4           |

  @case:a-pod-of-1-that-records-a-claim-of-beside-4-of-8-has
  @KEP-5517/kubelet/admission-uses-combined-footprint @KEP-5517/pod-footprint/one-helper-for-all-consumers
  Scenario Outline: A pod of 1 that records a claim of <claim> beside 4 of 8 has the phase <phase>
    Given a claim "c" requesting 1 device
    And the device
      | device | takes cpu |
      | xpu    | <claim>   |
    And claim "c" already holds
      | device |
      | xpu    |
    And a pod "p" on node "node-1" with the container
      | container | request cpu | claims |
      | main      | 1           | c      |
    And the status of pod "p" records
      | claim | containers | takes cpu |
      | c     | main       | <claim>   |
    When the cluster settles
    Then the Pod "p" has
      | field        | value    |
      | status.phase | <phase>  |
    And the Pod "p" has
      | field         | value    |
      | status.reason | <reason> |

    Examples:
      | claim | phase   | reason   |
      | 3     | Running |          |
      | 4     | Failed  | OutOfcpu |

  @case:a-pod-that-was-admitted-counts-with-its-claim
  @KEP-5517/kubelet/admission-uses-combined-footprint
  Scenario: A pod that was admitted counts with its claim
    Given the device
      | device | takes cpu |
      | xpu    | 3         |
    And claim "c" already holds
      | device |
      | xpu    |
    And a pod "p" on node "node-1" with the container
      | container | request cpu | claims |
      | main      | 1           | c      |
    And the status of pod "p" records
      | claim | containers | takes cpu |
      | c     | main       | 3         |
    When the cluster settles
    Then pod "p" runs
    When a pod "next" on node "node-1" with the container is created
      | container | request cpu |
      | main      | 1           |
    And the cluster settles
    Then the Pod "next" has
      | field         | value    |
      | status.phase  | Failed   |
      | status.reason | OutOfcpu |

  @case:a-pod-that-runs-goes-on-when-its-node-offers-less
  @KEP-5517/kubelet/admission-uses-combined-footprint
  Scenario: A pod that runs goes on when its node offers less, and a pod that comes then is turned away
    Given the device
      | device | takes cpu |
      | xpu    | 3         |
    And claim "c" already holds
      | device |
      | xpu    |
    And a pod "p" on node "node-1" with the container
      | container | request cpu | claims |
      | main      | 1           | c      |
    And the status of pod "p" records
      | claim | containers | takes cpu |
      | c     | main       | 3         |
    When the cluster settles
    Then pod "p" runs
    When the status of the Node "node-1" is updated with
      | field                  | value |
      | status.allocatable.cpu | '7'   |
    And a pod "next" on node "node-1" with the container is created
      | container | request cpu |
      | main      | 1m          |
    And the cluster settles
    Then pod "p" runs
    And the Pod "next" has
      | field         | value    |
      | status.phase  | Failed   |
      | status.reason | OutOfcpu |

  @case:a-pod-that-the-kubelet-refused-takes-nothing-any
  @KEP-5517/kubelet/admission-uses-combined-footprint @KEP-5517/lifecycle/kubelet-rejection-reverts
  Scenario: A pod that the kubelet refused takes nothing any more
    Given the device
      | device | takes cpu |
      | xpu    | 4         |
    And claim "c" already holds
      | device |
      | xpu    |
    And a pod "p" on node "node-1" with the container
      | container | request cpu | claims |
      | main      | 1           | c      |
    And the status of pod "p" records
      | claim | containers | takes cpu |
      | c     | main       | 4         |
    When the cluster settles
    Then the Pod "p" has
      | field        | value  |
      | status.phase | Failed |
    When a pod "next" with the container is created
      | container | request cpu |
      | main      | 4           |
    And the cluster settles
    Then pod "next" runs

  @case:what-a-pod-requests-as-a-whole-counts-instead-beside
  @KEP-5517/kubelet/admission-respects-pod-level
  Scenario Outline: What a pod requests as a whole counts instead: <whole> beside 4 of 8 has the phase <phase>
    Given the device
      | device | takes cpu |
      | xpu    | 3         |
    And claim "c" already holds
      | device |
      | xpu    |
    And a pod "p" on node "node-1" with the container
      | container | request cpu | claims |
      | main      | 1           | c      |
    And pod "p" requests <whole> of "cpu" as a whole
    And the status of pod "p" records
      | claim | containers | takes cpu |
      | c     | main       | 3         |
    When the cluster settles
    Then the Pod "p" has
      | field        | value   |
      | status.phase | <phase> |

    Examples:
      | whole | phase   |
      | 4     | Running |
      | 5     | Failed  |

  @case:with-the-gate-off-in-the-kubelet-only-what-is
  @KEP-5517/kubelet/gate-off-admits-on-spec @KEP-5517/feature-gate/components
  Scenario: With the gate off in the kubelet only what is requested counts
    Given the feature gate "DRANodeAllocatableResources" is off in the kubelet
    And the device
      | device | takes cpu |
      | xpu    | 4         |
    And claim "c" already holds
      | device |
      | xpu    |
    And a pod "p" on node "node-1" with the container
      | container | request cpu | claims |
      | main      | 1           | c      |
    And the status of pod "p" records
      | claim | containers | takes cpu |
      | c     | main       | 4         |
    When the cluster settles
    Then pod "p" runs

  @case:a-kubelet-of-1-35-counts-only-what-is-requested
  @KEP-5517/version-skew/old-kubelet-admits-on-spec-only
  Scenario: A kubelet of 1.35 counts only what is requested
    Given the kubelet runs Kubernetes 1.35
    And the device
      | device | takes cpu |
      | xpu    | 4         |
    And claim "c" already holds
      | device |
      | xpu    |
    And a pod "p" on node "node-1" with the container
      | container | request cpu | claims |
      | main      | 1           | c      |
    And the status of pod "p" records
      | claim | containers | takes cpu |
      | c     | main       | 4         |
    When the cluster settles
    Then pod "p" runs

  @case:scheduler-and-kubelet-count-alike-beside-7-of-8-a
  @KEP-5517/pod-footprint/one-helper-for-all-consumers
  Scenario Outline: Scheduler and kubelet count alike: beside 7 of 8 a pod of <cpu> has the phase <phase>
    Given the device
      | device | takes cpu |
      | xpu    | 2         |
    And claim "c" already holds
      | device |
      | xpu    |
    And a pod "p" with the container
      | container | request cpu | claims |
      | main      | 1           | c      |
    When the cluster settles
    Then pod "first" runs
    And pod "p" <placed>
    When a pod "next" on node "node-1" with the container is created
      | container | request cpu |
      | main      | <cpu>       |
    And the cluster settles
    Then the Pod "next" has
      | field        | value   |
      | status.phase | <phase> |
    But in Kubernetes 1.36, because that release counts what it allocates itself: pod "next" runs

    Examples:
      | cpu   | placed | phase   |
      | 1     | runs   | Running |
      | 1001m | runs   | Failed  |

  @case:beside-4-of-8-a-pod-of-3-with-an-overhead-of-has-the
  @KEP-5517/kubelet/admission-uses-combined-footprint @KEP-5517/pod-footprint/overhead-added-last
  Scenario Outline: Beside 4 of 8 a pod of 3 with an overhead of <overhead> has the phase <phase>
    Given a pod "p" on node "node-1" with the container
      | container | request cpu |
      | main      | 3           |
    And pod "p" has an overhead of <overhead> of "cpu"
    When the cluster settles
    Then the Pod "p" has
      | field        | value   |
      | status.phase | <phase> |

    Examples:
      | overhead | phase   |
      | 1        | Running |
      | 1001m    | Failed  |
