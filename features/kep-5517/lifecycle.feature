Feature: Node resource usage from scheduling to deletion of a pod
  The scheduler books the node resource usage of a pod when it chooses a node. Binding does not change the usage,
  and the end of the pod releases all of it.

  Rule: Node resources used before and after binding

    @case:pod-waiting-for-binding-counts
    @KEP-5517/lifecycle/assume-books-immediately @KEP-5517/status/in-memory-copy-at-assume
    @KEP-5517/shared-claim/assumed-pod-already-counts
    Scenario: A pod that waits for bindingConditions of its device already uses node resources
      Given a node "node-1" with allocatable 10 of "cpu"
      And the device
        | device | mapping cpu | bindingConditions | bindingFailureConditions |
        | five   | 5           | Ready             | Broken                   |
      And a ResourceClaim "c" requesting 1 device
      And a pod "waiting" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      And a pod "other" that uses ResourceClaim "c"
      And a pod "fits" with the container
        | container | request cpu |
        | main      | 4           |
      And a pod "next" with the container
        | container | request cpu |
        | main      | 1m          |
      When the cluster reaches a steady state
      And pod "other" is created
      And pod "next" is created
      And the cluster reaches a steady state
      Then pod "waiting" is Pending
      And pod "fits" is Running
      And pod "next" is Pending
      And pod "other" is Pending
      And scheduling of pod "other" fails with UnschedulableAndUnresolvable

    @case:reserved-claim-counts-again
    @KEP-5517/accounting/already-allocated-claim-counted
    Scenario Outline: A ResourceClaim that an earlier attempt reserved for the pod counts in its fit
      Given a node "node-1" with allocatable <free> of "cpu"
      And the device
        | device | mapping cpu |
        | four   | 4           |
      And the objects
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: default, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0071}
        spec:
          containers: [{name: main, image: i, resources: {requests: {cpu: "1"}, claims: [{name: c}]}}]
          resourceClaims: [{name: c, resourceClaimName: c}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: c, namespace: default, finalizers: [resource.kubernetes.io/delete-protection]}
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
        status:
          allocation:
            devices: {results: [{request: r0, driver: dra.example.com, pool: pool-1, device: four}]}
            nodeSelector: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [node-1]}]}]}
          reservedFor: [{resource: pods, name: p, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0071}]
        """
      When the cluster reaches a steady state
      Then pod "p" is <phase>
      But in Kubernetes 1.36, because this release counts only claims that it allocates in the same attempt: pod "p" is Running

      Examples:
        | free  | phase   |
        | 5     | Running |
        | 4999m | Pending |

    @case:bound-pod-counts-once
    @KEP-5517/lifecycle/bind-success-changes-nothing
    Scenario Outline: The request and the ResourceClaim of a bound pod count once in node resource usage
      Given a node "node-1" with allocatable 10 of "cpu"
      And the device
        | device | mapping cpu |
        | five   | 5           |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      When the cluster reaches a steady state
      Then pod "p" is Running
      When a pod "next" with the container is created
        | container | request cpu |
        | main      | <cpu>       |
      And the cluster reaches a steady state
      Then pod "next" <what>

      Examples:
        | cpu   | what       |
        | 4     | is Running |
        | 4001m | is Pending |

  Rule: Node resources of deleted, finished and running pods

    Background:
      Given a node "node-1" with allocatable 16 of "cpu"
      And the device
        | device | mapping cpu |
        | xpu    | 12          |
      And a ResourceClaim "c" requesting 1 device
      And a pod "first" with the container
        | container | request cpu | claims |
        | main      | 2           | c      |

    @case:deleted-pod-releases-all
    @KEP-5517/lifecycle/delete-releases-everything
    Scenario: A deleted pod releases the node resources of its request and its ResourceClaim
      Given a pod "second" with the container
        | container | request cpu |
        | main      | 8           |
      When the cluster reaches a steady state
      And pod "second" is created
      And the cluster reaches a steady state
      Then pod "first" is Running
      And pod "second" is Pending
      When pod "first" is deleted
      And the cluster reaches a steady state
      Then pod "second" is Running
      When a pod "third" with the container is created
        | container | request cpu |
        | main      | 8           |
      And the cluster reaches a steady state
      Then pod "third" is Running

    @case:finished-pod-releases-all
    @KEP-5517/lifecycle/delete-releases-everything
    Scenario: A finished pod releases the node resources of its request and its ResourceClaim
      When the cluster reaches a steady state
      Then pod "first" is Running
      When pod "first" finishes
      And a pod "second" with the container is created
        | container | request cpu |
        | main      | 16          |
      And the cluster reaches a steady state
      Then pod "second" is Running

    @case:terminating-pod-counts
    @KEP-5517/accounting/ledger-is-sum-of-footprints @KEP-5517/kubelet/admission-uses-combined-footprint
    Scenario: The scheduler and the kubelet count a terminating pod while it is Running
      When the cluster reaches a steady state
      And pod "first" is updated with
        | field               | value              |
        | metadata.finalizers | [example.com/keep] |
      And pod "first" is deleted
      And a pod "second" with the container is created
        | container | request cpu |
        | main      | 2001m       |
      And a pod "third" on node "node-1" with the container is created
        | container | request cpu |
        | main      | 2001m       |
      And the cluster reaches a steady state
      Then pod "first" is Running
      And pod "second" is Pending
      And pod "third" has
        | field        | value  |
        | status.phase | Failed |
      But since Kubernetes 1.36, because the document names no reason of a rejected pod: pod "first" is Running
      But since Kubernetes 1.36, because the document names no reason of a rejected pod: pod "second" is Pending
      But since Kubernetes 1.36, because the document names no reason of a rejected pod: pod "third" has
        | field         | value    |
        | status.phase  | Failed   |
        | status.reason | OutOfcpu |

    @case:scheduler-restart-keeps-usage
    @KEP-5517/lifecycle/scheduler-restart-rebuilds-from-status
    Scenario Outline: A restarted scheduler counts the CPUs of the ResourceClaim of a running pod
      When the cluster reaches a steady state
      Then pod "first" is Running
      When the scheduler restarts
      And a pod "next" with the container is created
        | container | request cpu |
        | main      | <cpu>       |
      And the cluster reaches a steady state
      Then pod "next" <what>

      Examples:
        | cpu   | what       |
        | 2     | is Running |
        | 2001m | is Pending |

    @case:mapping-change-spares-running-pod
    @KEP-5517/lifecycle/later-slice-changes-do-not-touch-running-pods
    Scenario Outline: A changed device mapping does not change the node resource usage of a running pod
      When the cluster reaches a steady state
      Then pod "first" is Running
      When the driver updates the device "xpu" with
        | field                                               | value    |
        | nodeAllocatableResourceMappings                     | <old>    |
        | nodeAllocatableResources                            | <new>    |
      And a pod "fits" with the container is created
        | container | request cpu |
        | main      | 2           |
      And the cluster reaches a steady state
      And a pod "next" with the container is created
        | container | request cpu |
        | main      | 1m          |
      And the cluster reaches a steady state
      Then pod "first" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu |
        | c             | main       | 12           |
      And pod "fits" is Running
      And pod "next" is Pending

      Examples:
        | now     | old                                 | new                                       |
        | 4       | {cpu: {allocationMultiplier: "4"}}  | {cpu: {mapping: {deviceMultiplier: "4"}}}  |
        | 40      | {cpu: {allocationMultiplier: "40"}} | {cpu: {mapping: {deviceMultiplier: "40"}}} |
        | nothing |                                     |                                           |

    @case:mapping-change-counts-for-next-pod
    @KEP-5517/lifecycle/later-slice-changes-do-not-touch-running-pods
    Scenario: A changed device mapping counts for the next pod that uses the device
      When the cluster reaches a steady state
      And the driver updates the device "xpu" with
        | field                           | value                                      |
        | nodeAllocatableResourceMappings | {cpu: {allocationMultiplier: "14"}}        |
        | nodeAllocatableResources        | {cpu: {mapping: {deviceMultiplier: "14"}}} |
      And pod "first" is deleted
      And the cluster reaches a steady state
      And a pod "second" with the container is created
        | container | request cpu | claims |
        | main      | 2           | c      |
      And the cluster reaches a steady state
      Then pod "second" is Running
      And pod "second" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu |
        | c             | main       | 14           |

  Rule: Scheduling attempts in which a status update fails

    Background:
      Given a node "node-1" with allocatable 10 of "cpu"
      And the device
        | device | mapping cpu |
        | five   | 5           |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      And a pod "q" with the container
        | container | request cpu |
        | main      | 10          |

    @case:failed-writes-then-counted-once
    Scenario Outline: A pod counts once in node resource usage after two failed <kind> status updates
      When pod "q" is deleted
      And the next <times> updates of the status of a <kind> by components fail with Forbidden
      And the cluster reaches a steady state
      Then pod "p" is Running
      And pod "p" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu |
        | c             | main       | 5            |
      But in Kubernetes 1.36, because this release counts only claims that it allocates in the same attempt: pod "p" is Running
      When a pod "rest" with the container is created
        | container | request cpu |
        | main      | 4           |
      And the cluster reaches a steady state
      Then pod "rest" is Running

      @KEP-5517/lifecycle/bind-failure-reverts
      Examples:
        | times | kind |
        | 2     | pod  |

      @KEP-5517/lifecycle/failed-attempt-blocks-nothing
      Examples:
        | times | kind          |
        | 2     | ResourceClaim |

    @case:status-write-fails
    @KEP-5517/lifecycle/bind-failure-reverts @KEP-5517/lifecycle/status-cleared-after-failed-attempt
    @KEP-5517/shared-claim/nodeinfo-tracks-consumers @profile:since-1.36
    Scenario: A pod whose status cannot be written releases its node resources for another pod
      When the next 1 update of the status of a pod by components fails with Forbidden
      And the cluster reaches a steady state
      Then pod "q" is Running
      And pod "p" is Pending
      And pod "p" has no nodeAllocatableResourceClaimStatuses
      And ResourceClaim "c" is reserved for no pod

    @case:claim-write-fails
    @KEP-5517/lifecycle/failed-attempt-blocks-nothing @profile:since-1.36
    Scenario: A pod whose ResourceClaim cannot be written releases its node resources for another pod
      When the next 1 update of the status of a ResourceClaim by components fails with InternalError
      And the cluster reaches a steady state
      Then pod "q" is Running
      And pod "p" is Pending
      And pod "p" has no nodeAllocatableResourceClaimStatuses
      And ResourceClaim "c" is not allocated
