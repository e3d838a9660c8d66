Feature: Node resource usage in the phases of scheduling
  Filter computes the node resource usage of a pod, Reserve books the usage in memory, PreBind writes the ResourceClaim
  quantities into the pod status, and Unreserve removes the quantities.

  Background:
    Given a node "node-1" with allocatable 10 of "cpu"
    And the device
      | device | mapping cpu |
      | six    | 6           |
    And a ResourceClaim "c" requesting 1 device
    And a pod "p" with the container
      | container | request cpu | claims |
      | main      | 1           | c      |

  @case:status-written-in-prebind
  @KEP-5517/status/written-at-prebind
  Scenario: PreBind, not Reserve, writes nodeAllocatableResourceClaimStatuses
    When scheduling of pod "p" up to Reserve is attempted
    Then after Reserve pod "p" has
      | field                                       | value |
      | status.nodeAllocatableResourceClaimStatuses |       |
    When the binding cycle of pod "p" runs
    Then after PreBind pod "p" has
      | field                                                            | value |
      | status.nodeAllocatableResourceClaimStatuses[0].resourceClaimName | c     |

  @case:reserved-pod-counts
  @KEP-5517/lifecycle/assume-books-immediately
  @KEP-5517/status/in-memory-copy-at-assume
  Scenario Outline: A pod already uses node resources after Reserve and before PreBind
    Given a pod "next" with the container
      | container | request cpu |
      | main      | <cpu>       |
    When scheduling of pod "p" up to Reserve is attempted
    And scheduling of pod "next" is attempted
    Then <outcome>

    Examples:
      | cpu   | outcome                                 |
      | 3     | Filter on node "node-1" returns Success |
      | 3001m | Reserve is not reached                  |

  @case:claim-beside-reserved-pod
  @KEP-5517/lifecycle/assume-books-immediately
  Scenario Outline: A ResourceClaim must fit on the node together with a pod that is not bound yet
    Given the device
      | device | pool | mapping cpu |
      | extra  | more | <cpu>       |
    And a ResourceClaim "d" requesting 1 device
    And a pod "next" with the container
      | container | request cpu | claims |
      | main      | 1           | d      |
    When scheduling of pod "p" up to Reserve is attempted
    And scheduling of pod "next" is attempted
    Then <outcome>

    Examples:
      | cpu   | outcome                                 |
      | 2     | Filter on node "node-1" returns Success |
      | 2001m | Reserve is not reached                  |

  @case:two-reserved-pods-count
  @KEP-5517/lifecycle/assume-books-immediately
  Scenario Outline: Two pods already use node resources after Reserve and before PreBind
    Given a pod "second" with the container
      | container | request cpu |
      | main      | 2           |
    And a pod "next" with the container
      | container | request cpu |
      | main      | <cpu>       |
    When scheduling of pod "p" up to Reserve is attempted
    And scheduling of pod "second" up to Reserve is attempted
    And scheduling of pod "next" is attempted
    Then <outcome>
    But since Kubernetes 1.36, because the KEP does not say which phase rejects the pod or with which code: Filter on node "node-1" returns <code>

    Examples:
      | cpu   | outcome                                 | code          |
      | 1     | Filter on node "node-1" returns Success | Success       |
      | 1001m | Reserve is not reached                  | Unschedulable |

  @case:unreserve-releases-pod
  @KEP-5517/lifecycle/bind-failure-reverts
  Scenario: Unreserve releases node resources and removes nodeAllocatableResourceClaimStatuses
    Given a pod "next" with the container
      | container | request cpu |
      | main      | 10          |
    When scheduling of pod "p" up to PreBind is attempted
    And the scheduling attempt of pod "p" is aborted
    Then since Kubernetes 1.36, because the KEP says only that the accounting is reverted: after Unreserve pod "p" has
      | field                                          | value |
      | status.nodeAllocatableResourceClaimStatuses[0] |       |
    When scheduling of pod "next" is attempted
    Then Filter on node "node-1" returns Success

  @case:unreserve-removes-two-entries
  @KEP-5517/lifecycle/status-cleared-after-failed-attempt @profile:since-1.36
  Scenario: Unreserve removes nodeAllocatableResourceClaimStatuses of two ResourceClaims
    Given the device
      | device | mapping cpu |
      | two    | 2           |
    And a ResourceClaim "d" requesting 1 device
    And a pod "both" with the container
      | container | request cpu | claims |
      | main      | 1           | c, d   |
    When scheduling of pod "both" up to PreBind is attempted
    And the scheduling attempt of pod "both" is aborted
    Then after Unreserve pod "both" has
      | field                                          | value |
      | status.nodeAllocatableResourceClaimStatuses[0] |       |

  @case:failed-removal-not-retried
  @KEP-5517/lifecycle/status-cleared-after-failed-attempt @profile:since-1.37
  Scenario Outline: Unreserve does not try again to remove nodeAllocatableResourceClaimStatuses
    When scheduling of pod "p" up to PreBind is attempted
    And the next 1 update of the status of a pod by the scheduler fails with <reason>
    And the scheduling attempt of pod "p" is aborted
    Then Unreserve returns Success
    And after Unreserve pod "p" has
      | field                                                            | value |
      | status.nodeAllocatableResourceClaimStatuses[0].resourceClaimName | c     |

    Examples:
      | reason             |
      | InternalError      |
      | ServiceUnavailable |
      | Conflict           |
      | Forbidden          |

  @case:lost-answer-and-failed-removal
  @KEP-5517/lifecycle/status-cleared-after-failed-attempt @profile:since-1.37
  Scenario: Entries whose write timed out stay if Unreserve fails to remove them
    When the next 1 update of the status of a pod by the scheduler fails with Timeout
    And the next 1 update of the status of a pod by the scheduler fails with InternalError
    And scheduling of pod "p" is attempted
    Then PreBind returns Error
    And Unreserve returns Success
    And after Unreserve pod "p" has
      | field                                                            | value |
      | status.nodeAllocatableResourceClaimStatuses[0].resourceClaimName | c     |

  @case:status-write-fails-in-prebind
  @KEP-5517/lifecycle/bind-failure-reverts
  Scenario: A pod whose status cannot be written is not bound and releases node resources
    Given a pod "next" with the container
      | container | request cpu |
      | main      | 10          |
    When the next 1 update of the status of a pod by the scheduler fails with Forbidden
    And scheduling of pod "p" is attempted
    Then Bind is not reached
    But since Kubernetes 1.36, because the KEP does not say which code PreBind returns: PreBind returns Error
    But since Kubernetes 1.36, because the KEP does not say which code PreBind returns: Unreserve returns Success
    When scheduling of pod "next" is attempted
    Then Filter on node "node-1" returns Success

  @case:request-plus-claim
  @KEP-5517/diagnostics/insufficient-node-resources-code @KEP-5517/node-fit/effective-demand-against-free
  Scenario Outline: Filter succeeds only if the CPU request and the ResourceClaim of a pod fit on the node
    Given a pod "other" on node "node-1" with the container
      | container | request cpu |
      | main      | 2           |
    And a pod "large" with the container
      | container | request cpu | claims |
      | main      | <cpu>       | c      |
    When scheduling of pod "large" is attempted
    Then <outcome>
    But since Kubernetes 1.36, because the KEP does not say which phase rejects the pod or with which code: Filter on node "node-1" returns <code>

    Examples:
      | cpu   | outcome                                 | code                         |
      | 2     | Filter on node "node-1" returns Success | Success                      |
      | 2001m | Reserve is not reached                  | Unschedulable                |
      | 4     | Reserve is not reached                  | Unschedulable                |
      | 4001m | Reserve is not reached                  | UnschedulableAndUnresolvable |

  @case:class-of-one-claim-missing
  @KEP-5517/diagnostics/missing-device-class
  Scenario Outline: A pod fails before Filter if one of its two ResourceClaims names a missing DeviceClass
    Given a ResourceClaim "late" requesting 1 device of class "missing"
    And a pod "q" that uses ResourceClaims "<claims>"
    When scheduling of pod "q" is attempted
    Then Filter is not reached
    But since Kubernetes 1.34, because the KEP does not say which phase rejects the pod or with which code: PreFilter returns UnschedulableAndUnresolvable
    But since Kubernetes 1.34, because the KEP does not say which phase rejects the pod or with which code: Filter is not reached

    Examples:
      | place  | claims  |
      | first  | late, c |
      | second | c, late |

  @case:class-of-alternative-missing
  @KEP-5517/diagnostics/missing-device-class
  Scenario Outline: A pod fails before Filter if one of its subrequests names a missing DeviceClass
    Given a DeviceClass "any"
    And a ResourceClaim "list" with the requests
      | request | subrequest | deviceClassName |
      | r0      | first      | <first>         |
      | r0      | second     | <second>        |
    And a pod "q" that uses ResourceClaim "list"
    When scheduling of pod "q" is attempted
    Then Filter is not reached
    But since Kubernetes 1.34, because the KEP does not say which phase rejects the pod or with which code: PreFilter returns UnschedulableAndUnresolvable
    But since Kubernetes 1.34, because the KEP does not say which phase rejects the pod or with which code: Filter is not reached

    Examples:
      | place  | first   | second  |
      | first  | missing | any     |
      | second | any     | missing |

  @case:claim-allocated-on-other-node
  @KEP-5517/diagnostics/unresolvable-failures-trigger-no-preemption @profile:since-1.36
  Scenario: Filter returns UnschedulableAndUnresolvable if the claim is allocated on another node
    Given a node "node-2" with allocatable 8 of "cpu"
    And a pod "busy" on node "node-2" with the container
      | container | request cpu |
      | main      | 5           |
    When scheduling of pod "p" up to PreBind on node "node-1" is attempted
    And the scheduling attempt of pod "p" is aborted
    And scheduling of pod "p" on node "node-2" is attempted
    Then Filter on node "node-2" returns UnschedulableAndUnresolvable

  @case:two-claims-allocated-on-other-node
  @KEP-5517/diagnostics/unresolvable-failures-trigger-no-preemption @profile:since-1.36
  Scenario: Filter returns UnschedulableAndUnresolvable if two claims are allocated on another node
    Given the device
      | device | mapping cpu |
      | two    | 2           |
    And a ResourceClaim "d" requesting 1 device
    And a node "node-2" with allocatable 8 of "cpu"
    And a pod "both" with the container
      | container | request cpu | claims |
      | main      | 1           | c, d   |
    And a pod "busy" on node "node-2" with the container
      | container | request cpu |
      | main      | 6           |
    When scheduling of pod "both" up to PreBind on node "node-1" is attempted
    And the scheduling attempt of pod "both" is aborted
    And scheduling of pod "both" on node "node-2" is attempted
    Then Filter on node "node-2" returns UnschedulableAndUnresolvable

  @case:reserved-for-unscheduled-pods
  @KEP-5517/shared-claim/nodeinfo-tracks-consumers @profile:since-1.36
  Scenario: A pod passes Filter if its ResourceClaim is reserved for it and for an unscheduled pod
    Given the objects
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: q, namespace: default, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0001}
      spec:
        resourceClaims: [{name: d, resourceClaimName: d}]
        containers: [{name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: d}]}}]
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: r, namespace: default, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0002}
      spec:
        resourceClaims: [{name: d, resourceClaimName: d}]
        containers: [{name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: d}]}}]
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: d, namespace: default, finalizers: [resource.kubernetes.io/delete-protection]}
      spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
      status:
        allocation: {devices: {results: [{request: r0, driver: dra.example.com, pool: pool-1, device: six}]}}
        reservedFor:
          - {resource: pods, name: q, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0001}
          - {resource: pods, name: r, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0002}
      """
    When scheduling of pod "q" is attempted
    Then Filter on node "node-1" returns Success

  @case:reserved-for-missing-pod
  @KEP-5517/shared-claim/inter-pod-sharing-rejected @profile:since-1.37
  Scenario Outline: A pod passes Filter unless its ResourceClaim is reserved for a pod that does not exist
    Given a pod "q" with the container
      | container | request cpu | claims |
      | main      | 1           | c      |
    When scheduling of pod "p" up to PreBind is attempted
    And the scheduling attempt of pod "p" is aborted
    And another client updates ResourceClaim "c" with
      | field              | value  |
      | status.reservedFor | <for> |
    And scheduling of pod "q" is attempted
    Then Filter returns <code>

    Examples:
      | whom                       | for                                              | code                         |
      | nobody                     | null                                             | Success                      |
      | a missing pod              | [{resource: pods, name: gone, uid: "of gone"}]   | UnschedulableAndUnresolvable |
