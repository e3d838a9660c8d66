Feature: How the refusal of a pod is told
  A refusal that no other pod's leaving could cure is UnschedulableAndUnresolvable.

  Background:
    Given a node "node-1" with 16 of "cpu"
    And the device
      | device | shared | capacity cpu | takes cpu |
      | pool0  | yes    | 128          | cpu       |

  @case:a-claim-of-beside-12-of-16-is-refused-by-releases-as
  @KEP-5517/diagnostics/insufficient-node-resources-code
  Scenario Outline: A claim of <claim> beside 12 of 16 is refused, by releases as <code>
    Given a claim "c" requesting <claim> of "cpu"
    And a pod "first" on node "node-1" with the container
      | container | request cpu |
      | main      | 12          |
    And a pod "p" that uses claim "c"
    When the cluster settles
    Then pod "p" is pending
    But since Kubernetes 1.36, because the document does not say which phase refuses, nor with which code: pod "p" is pending
    But since Kubernetes 1.36, because the document does not say which phase refuses, nor with which code: pod "p" is refused on node "node-1" as <code>

    Examples:
      | claim | code                         |
      | 8     | Unschedulable                |
      | 16    | Unschedulable                |
      | 17    | UnschedulableAndUnresolvable |

  @case:a-budget-that-is-exceeded-is-not-cured-by-others
  @KEP-5517/diagnostics/unresolvable-failures-trigger-no-preemption
  @KEP-5517/pod-level-resources/budget-exceeded-is-unresolvable
  Scenario: A budget that is exceeded is not cured by others that leave
    Given a claim "c" requesting 4 of "cpu"
    And a pod "low" on node "node-1" with the container
      | container | request cpu |
      | main      | 1           |
    And a pod "p" with the container
      | container | request cpu | claims |
      | main      | 2           | c      |
    And pod "p" requests 5 of "cpu" as a whole
    When the cluster settles
    Then pod "p" is pending
    And pod "p" is refused on node "node-1" as UnschedulableAndUnresolvable
    And pod "low" runs

  @case:a-claim-that-another-pod-has-is-not-got-by
  @KEP-5517/diagnostics/unresolvable-failures-trigger-no-preemption
  @KEP-5517/shared-claim/inter-pod-sharing-rejected
  Scenario: A claim that another pod has is not got by preemption
    Given a claim "c" requesting 4 of "cpu"
    And a pod "first" that uses claim "c"
    And a pod "p" that uses claim "c"
    When the cluster settles
    Then pod "first" runs
    And pod "p" is pending
    And pod "p" is refused on node "node-1" as UnschedulableAndUnresolvable

  @case:a-claim-whose-class-does-not-exist-keeps-the-pod
  @KEP-5517/diagnostics/missing-device-class
  Scenario: A claim whose class does not exist keeps the pod from every node
    Given a claim "c" requesting 1 device of class "missing-class"
    And a pod "p" that uses claim "c"
    When the cluster settles
    Then pod "p" is pending
    And claim "c" is not allocated
