Feature: Status codes of Filter for pods that do not fit on a node
  A failure that cannot be resolved by removing other pods has the code UnschedulableAndUnresolvable.

  Background:
    Given a node "node-1" with allocatable 16 of "cpu"
    And the device
      | device | allowMultipleAllocations | capacity cpu | mapping cpu |
      | pool0  | yes                      | 128          | cpu         |

  @case:claim-does-not-fit-node
  @KEP-5517/node-fit/effective-demand-against-free
  Scenario Outline: A pod stays Pending if the CPUs of its ResourceClaim do not fit on the node
    Given a ResourceClaim "c" requesting <claim> of "cpu"
    And a pod "first" on node "node-1" with the container
      | container | request cpu |
      | main      | 12          |
    And a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then pod "p" is Pending
    But since Kubernetes 1.36, because the KEP does not say which phase rejects the pod or with which code: pod "p" is Pending
    But since Kubernetes 1.36, because the KEP does not say which phase rejects the pod or with which code: filtering of node "node-1" for pod "p" fails with <code>

    Examples:
      | claim | code                         |
      | 8     | Unschedulable                |
      | 16    | Unschedulable                |
      | 17    | UnschedulableAndUnresolvable |

  @case:pod-level-request-exceeded
  @KEP-5517/pod-level-resources/budget-exceeded-is-unresolvable
  Scenario: Filter returns UnschedulableAndUnresolvable if node usage exceeds the pod-level request
    Given a ResourceClaim "c" requesting 4 of "cpu"
    And a pod "p" with the container
      | container | request cpu | claims |
      | main      | 2           | c      |
    And pod "p" requests 5 of "cpu" at pod level
    When the cluster reaches a steady state
    Then pod "p" is Pending
    And filtering of node "node-1" for pod "p" fails with UnschedulableAndUnresolvable

  @case:claim-of-other-pod
  @KEP-5517/diagnostics/unresolvable-failures-trigger-no-preemption
  Scenario: A pod is not preempted for a pod of higher priority that uses the same ResourceClaim
    Given a ResourceClaim "c" requesting 4 of "cpu"
    And a pod "first" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then pod "first" is Running
    When this object is created
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p, namespace: default}
      spec:
        priorityClassName: system-cluster-critical
        priority: 2000000000
        resourceClaims: [{name: c, resourceClaimName: c}]
        containers: [{name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: c}]}}]
      """
    And the cluster reaches a steady state
    Then pod "p" is Pending
    And filtering of node "node-1" for pod "p" fails with UnschedulableAndUnresolvable
    And pod "first" is Running

  @case:one-patch-for-mapped-claims
  @KEP-5517/diagnostics/api-calls-per-placement
  Scenario: Only a pod with a mapped ResourceClaim needs one more patch of its status
    Given the device
      | device | pool   | allowMultipleAllocations |
      | gpu-0  | pool-2 | yes                      |
    And a ResourceClaim "unmapped" with the request
      | request | selector                                       |
      | r0      | device.capacity["dra.example.com"].size() == 0 |
    And a ResourceClaim "mapped" requesting 4 of "cpu"
    And the feature gate "DRANodeAllocatableResources" is off in the scheduler
    When a pod "p" that uses ResourceClaim "unmapped" is created
    And the cluster reaches a steady state
    Then pod "p" is Running
    When the feature gate "DRANodeAllocatableResources" is turned on in the scheduler
    And a pod "q" that uses ResourceClaim "unmapped" is created
    And the cluster reaches a steady state
    Then pod "q" is Running
    And the scheduler sends no more write requests for pods/status than before
    When a pod "r" that uses ResourceClaim "mapped" is created
    And the cluster reaches a steady state
    Then pod "r" is Running
    And the scheduler sends 1 more write request for pods/status than before
