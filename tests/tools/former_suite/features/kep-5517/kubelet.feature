Feature: Which pods a kubelet admits
  A kubelet sums up what its pods take in the same way as the scheduler, from their status.

  Background:
    Given a node "node-1" with 8 of "cpu"
    And a pod "first" on node "node-1" with the container
      | container | request cpu |
      | main      | 4           |

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
