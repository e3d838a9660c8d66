Feature: What claims take of a node, phase by phase
  Filter counts what the pod takes with its claims, Reserve books it in memory, PreBind writes it into the status of the
  pod, and Unreserve empties it again.

  Background:
    Given a node "node-1" with 10 of "cpu"
    And the device
      | device | takes cpu |
      | six    | 6         |
    And a claim "c" requesting 1 device
    And a pod "p" with the container
      | container | request cpu | claims |
      | main      | 1           | c      |

  @case:the-status-of-the-pod-has-the-amounts-after-prebind
  @KEP-5517/status/written-at-prebind
  Scenario: The status of the pod has the amounts after PreBind and not before
    When pod "p" is tried as far as Reserve
    Then after Reserve the Pod "p" has
      | field                                       | value |
      | status.nodeAllocatableResourceClaimStatuses |       |
    When pod "p" goes on to be bound
    Then after PreBind the Pod "p" has
      | field                                                            | value |
      | status.nodeAllocatableResourceClaimStatuses[0].resourceClaimName | c     |

  @case:a-pod-that-is-only-reserved-takes-7-of-10-already
  @KEP-5517/shared-claim/assumed-pod-already-counts @KEP-5517/lifecycle/assume-books-immediately
  @KEP-5517/status/in-memory-copy-at-assume
  Scenario Outline: A pod that is only reserved takes 7 of 10 already: one that requests <cpu> <what>
    Given a pod "next" with the container
      | container | request cpu |
      | main      | <cpu>       |
    When pod "p" is tried as far as Reserve
    And pod "next" is tried
    Then <outcome>

    Examples:
      | cpu   | what         | outcome                                   |
      | 3     | fits         | Filter on node "node-1" ends with Success |
      | 3001m | does not fit | Reserve is not reached                    |

  @case:two-pods-that-are-only-reserved-take-7-and-2-of-10-a
  @KEP-5517/shared-claim/assumed-pod-already-counts @KEP-5517/lifecycle/assume-books-immediately
  Scenario Outline: Two pods that are only reserved take 7 and 2 of 10: a third that requests <cpu> <what>
    Given a pod "second" with the container
      | container | request cpu |
      | main      | 2           |
    And a pod "next" with the container
      | container | request cpu |
      | main      | <cpu>       |
    When pod "p" is tried as far as Reserve
    And pod "second" is tried as far as Reserve
    And pod "next" is tried
    Then <outcome>
    But since Kubernetes 1.36, because the document does not say which phase refuses, nor with which code: Filter on node "node-1" ends with <code>

    Examples:
      | cpu   | what         | outcome                                   | code          |
      | 1     | fits         | Filter on node "node-1" ends with Success | Success       |
      | 1001m | does not fit | Reserve is not reached                    | Unschedulable |

  @case:what-a-pod-took-is-free-after-unreserve-and-its
  @KEP-5517/lifecycle/bind-failure-reverts
  Scenario: What a pod took is free after Unreserve, and its status is empty
    Given a pod "next" with the container
      | container | request cpu |
      | main      | 10          |
    When pod "p" is tried as far as PreBind
    And the attempt for pod "p" is given up
    Then since Kubernetes 1.36, because the document says of the ledger only that it is reverted: after Unreserve the Pod "p" has
      | field                                          | value |
      | status.nodeAllocatableResourceClaimStatuses[0] |       |
    When pod "next" is tried
    Then Filter on node "node-1" ends with Success

  @case:of-two-claims-that-take-cpus-none-is-in-the-status
  @KEP-5517/lifecycle/status-cleared-after-failed-attempt @profile:since-1.36
  Scenario: Of two claims that take CPUs none is in the status of the pod after Unreserve
    Given the device
      | device | takes cpu |
      | two    | 2         |
    And a claim "d" requesting 1 device
    And a pod "both" with the container
      | container | request cpu | claims |
      | main      | 1           | c, d   |
    When pod "both" is tried as far as PreBind
    And the attempt for pod "both" is given up
    Then after Unreserve the Pod "both" has
      | field                                          | value |
      | status.nodeAllocatableResourceClaimStatuses[0] |       |

  @case:an-update-of-the-pods-status-that-fails-ends-prebind
  @KEP-5517/lifecycle/bind-failure-reverts
  Scenario: An update of the pod's status that fails ends PreBind with an error, and what the pod took is free
    Given a pod "next" with the container
      | container | request cpu |
      | main      | 10          |
    When the next 1 update of the status of a Pod by the scheduler ends as Forbidden
    And pod "p" is tried
    Then PreBind ends with Error
    And Unreserve ends with Success
    When pod "next" is tried
    Then Filter on node "node-1" ends with Success

  @case:beside-2-of-10-a-pod-that-requests-and-claims-6
  @KEP-5517/diagnostics/insufficient-node-resources-code
  Scenario Outline: Beside 2 of 10 a pod that requests <cpu> and claims 6 <what>, Filter of releases ends with <code>
    Given a pod "other" on node "node-1" with the container
      | container | request cpu |
      | main      | 2           |
    And a pod "large" with the container
      | container | request cpu | claims |
      | main      | <cpu>       | c      |
    When pod "large" is tried
    Then <outcome>
    But since Kubernetes 1.36, because the document does not say which phase refuses, nor with which code: Filter on node "node-1" ends with <code>

    Examples:
      | cpu   | what         | outcome                                   | code                         |
      | 2     | fits         | Filter on node "node-1" ends with Success | Success                      |
      | 2001m | does not fit | Reserve is not reached                    | Unschedulable                |
      | 4     | does not fit | Reserve is not reached                    | Unschedulable                |
      | 4001m | does not fit | Reserve is not reached                    | UnschedulableAndUnresolvable |

  @case:a-claim-of-a-class-that-does-not-exist-is-refused
  @KEP-5517/diagnostics/missing-device-class
  Scenario: A claim of a class that does not exist is refused before any node is looked at
    Given a claim "late" requesting 1 device of class "missing"
    And a pod "q" that uses claim "late"
    When pod "q" is tried
    Then Filter is not reached
    But since Kubernetes 1.34, because the document does not say which phase refuses, nor with which code: PreFilter ends with UnschedulableAndUnresolvable
    But since Kubernetes 1.34, because the document does not say which phase refuses, nor with which code: Filter is not reached

  @case:a-pod-whose-claim-is-of-a-class-that-does-not-exist
  @KEP-5517/diagnostics/missing-device-class
  Scenario Outline: A pod whose <place> claim is of a class that does not exist is refused before any node is looked at
    Given a claim "late" requesting 1 device of class "missing"
    And a pod "q" that uses claims "<claims>"
    When pod "q" is tried
    Then Filter is not reached
    But since Kubernetes 1.34, because the document does not say which phase refuses, nor with which code: PreFilter ends with UnschedulableAndUnresolvable
    But since Kubernetes 1.34, because the document does not say which phase refuses, nor with which code: Filter is not reached

    Examples:
      | place  | claims  |
      | first  | late, c |
      | second | c, late |

  @case:a-claim-whose-alternative-is-of-a-class-that-does
  @KEP-5517/diagnostics/missing-device-class
  Scenario Outline: A claim whose <place> alternative is of a class that does not exist is refused before any node is looked at
    Given a device class "any"
    And a claim "list" with the requests
      | request | subrequest | class    |
      | r0      | first      | <first>  |
      | r0      | second     | <second> |
    And a pod "q" that uses claim "list"
    When pod "q" is tried
    Then Filter is not reached
    But since Kubernetes 1.34, because the document does not say which phase refuses, nor with which code: PreFilter ends with UnschedulableAndUnresolvable
    But since Kubernetes 1.34, because the document does not say which phase refuses, nor with which code: Filter is not reached

    Examples:
      | place  | first   | second  |
      | first  | missing | any     |
      | second | any     | missing |

  @case:a-claim-that-is-allocated-on-another-node-takes
  @KEP-5517/diagnostics/unresolvable-failures-trigger-no-preemption @profile:since-1.36
  Scenario: A claim that is allocated on another node takes nothing of this one, whose pods need not go
    Given a node "node-2" with 8 of "cpu"
    And a pod "busy" on node "node-2" with the container
      | container | request cpu |
      | main      | 5           |
    When pod "p" is tried as far as PreBind on node "node-1"
    And the attempt for pod "p" is given up
    And pod "p" is tried on node "node-2"
    Then Filter on node "node-2" ends with UnschedulableAndUnresolvable

  @case:of-two-claims-that-are-allocated-on-another-node
  @KEP-5517/diagnostics/unresolvable-failures-trigger-no-preemption @profile:since-1.36
  Scenario: Of two claims that are allocated on another node none takes anything of this one
    Given the device
      | device | takes cpu |
      | two    | 2         |
    And a claim "d" requesting 1 device
    And a node "node-2" with 8 of "cpu"
    And a pod "both" with the container
      | container | request cpu | claims |
      | main      | 1           | c, d   |
    And a pod "busy" on node "node-2" with the container
      | container | request cpu |
      | main      | 6           |
    When pod "both" is tried as far as PreBind on node "node-1"
    And the attempt for pod "both" is given up
    And pod "both" is tried on node "node-2"
    Then Filter on node "node-2" ends with UnschedulableAndUnresolvable

  @case:a-claim-that-is-reserved-for-two-pods-of-which-none
  @KEP-5517/shared-claim/nodeinfo-tracks-consumers
  Scenario: A claim that is reserved for two pods of which none is on a node can be had by one of them
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
    When pod "q" is tried
    Then Filter on node "node-1" ends with Success

  @case:a-claim-that-is-reserved-for-ends-filter-with
  @KEP-5517/shared-claim/inter-pod-sharing-rejected @profile:since-1.37
  Scenario Outline: A claim that is reserved for <whom> ends Filter with <code>
    Given a pod "q" with the container
      | container | request cpu | claims |
      | main      | 1           | c      |
    When pod "p" is tried as far as PreBind
    And the attempt for pod "p" is given up
    And somebody changes the ResourceClaim "c" in the meantime
      | field              | value  |
      | status.reservedFor | <for> |
    And pod "q" is tried
    Then Filter ends with <code>

    Examples:
      | whom                       | for                                              | code                         |
      | nobody                     | null                                             | Success                      |
      | a pod that is not there    | [{resource: pods, name: gone, uid: "of gone"}]   | UnschedulableAndUnresolvable |
