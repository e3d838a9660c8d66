Feature: Extended-resource claims in the scheduling phases
  PreFilter prepares the claim in memory, Filter decides its requests for each node, Reserve keeps the devices in
  memory and PreBind writes the claim. Unreserve and PostFilter delete the claim.

  Background:
    Given a DeviceClass "gpu" for extended resource "example.com/gpu"

  Rule: Extended-resource claim in flight before it is written

    Background:
      Given the device
        | device |
        | gpu-0  |
      And a pod "p" that requests 1 of "example.com/gpu"
      And a pod "q" that requests 1 of "example.com/gpu"

    @case:prebind-writes-claim
    @KEP-5004/scheduling-phase/prebind-writes @KEP-5004/scheduling-phase/reserve-in-flight
    @KEP-5004/autoscaler/special-claim-visible-to-tracker
    Scenario: Reserve writes no extended-resource claim, and PreBind writes the claim with its device
      When scheduling of pod "p" up to Reserve is attempted
      Then Reserve on node "node-1" returns Success
      And PreBind is not reached
      And after Reserve only ResourceClaim "extended resources of pod p" is in flight
      And after Reserve ResourceClaim "extended resources of pod p" does not exist
      And after Reserve pod "p" has
        | field                              | value |
        | status.extendedResourceClaimStatus |       |
      When the binding cycle of pod "p" runs
      Then PreBind returns Success
      And after PreBind ResourceClaim "extended resources of pod p" is allocated exactly "gpu-0"
      And after PreBind ResourceClaim "extended resources of pod p" is reserved for pod "p"
      And after Bind no ResourceClaim is in flight
      And after Bind pod "p" has
        | field         | value  |
        | spec.nodeName | node-1 |

    @case:device-in-flight-not-allocated
    @KEP-5004/scheduling-phase/reserve-in-flight
    Scenario: A device in flight is not allocated to another pod
      When scheduling of pod "p" up to Reserve is attempted
      And scheduling of pod "q" is attempted
      Then Reserve is not reached
      But since Kubernetes 1.34, because the document does not say which phase fails the pod or with which code: Filter on node "node-1" returns UnschedulableAndUnresolvable
      But since Kubernetes 1.34, because the document does not say which phase fails the pod or with which code: PostFilter returns Unschedulable
      But since Kubernetes 1.34, because the document does not say which phase fails the pod or with which code: Reserve is not reached

    @case:second-device-in-flight
    @KEP-5004/scheduling-phase/reserve-in-flight @KEP-5004/autoscaler/special-claim-visible-to-tracker
    Scenario: A second pod is allocated the other device while the first device is in flight
      Given the device
        | device | pool |
        | gpu-1  | more |
      When scheduling of pod "p" up to Reserve is attempted
      And scheduling of pod "q" up to Reserve is attempted
      Then Reserve returns Success
      And after Reserve only ResourceClaims "extended resources of pod p, extended resources of pod q" are in flight
      When the binding cycle of pod "p" runs
      Then after Bind only ResourceClaim "extended resources of pod q" is in flight

    @case:same-name-in-flight
    @KEP-5004/scheduling-phase/reserve-in-flight
    Scenario: Extended-resource claims in flight of pods of the same name in two namespaces both count
      Given the device
        | device | pool |
        | gpu-1  | more |
      And a pod "ns-b/p" that requests 1 of "example.com/gpu"
      When scheduling of pod "p" up to Reserve is attempted
      And scheduling of pod "ns-b/p" up to Reserve is attempted
      Then after Reserve only ResourceClaims "extended resources of pod p, ns-b/extended resources of pod p" are in flight
      When scheduling of pod "q" up to Reserve is attempted
      Then Reserve is not reached

    @case:aborted-in-other-namespace
    @KEP-5004/scheduling-phase/reserve-in-flight
    Scenario: A device stays in flight if the attempt for a pod in another namespace is aborted
      Given the device
        | device | pool |
        | gpu-1  | more |
      And a pod "ns-b/p" that requests 1 of "example.com/gpu"
      And a ResourceClaim "c" requesting 2 devices of class "gpu"
      And a pod "own" that uses ResourceClaim "c"
      When scheduling of pod "p" up to Reserve is attempted
      And scheduling of pod "ns-b/p" up to Reserve is attempted
      And the scheduling attempt of pod "ns-b/p" is aborted
      Then after Unreserve only ResourceClaim "extended resources of pod p" is in flight
      When scheduling of pod "own" up to Reserve is attempted
      Then Reserve is not reached

    @case:device-in-flight-and-own-claim
    @KEP-5004/scheduling-phase/reserve-in-flight
    Scenario Outline: A device in flight is not allocated to another pod's claim of either kind
      Given a ResourceClaim "c" requesting 1 device of class "gpu"
      And a pod "own" that uses ResourceClaim "c"
      When scheduling of pod "<first>" up to Reserve is attempted
      Then Reserve returns Success
      When scheduling of pod "<second>" up to Reserve is attempted
      Then Reserve is not reached

      Examples:
        | first | second |
        | p     | own    |
        | own   | p      |

    @case:given-up-after-reserve
    @KEP-5004/scheduling-phase/reserve-in-flight @KEP-5004/scheduling-phase/unreserve-deletes
    Scenario: A device is free for the next pod if scheduling is aborted after Reserve
      When scheduling of pod "p" up to Reserve is attempted
      And the scheduling attempt of pod "p" is aborted
      Then Unreserve returns Success
      And after Unreserve no ResourceClaim is in flight
      And after Unreserve ResourceClaim "extended resources of pod p" does not exist
      When scheduling of pod "q" is attempted
      Then after PreBind ResourceClaim "extended resources of pod q" is allocated exactly "gpu-0"

    @case:given-up-after-prebind
    @KEP-5004/scheduling-phase/unreserve-deletes
    Scenario: An extended-resource claim is deleted if scheduling is aborted after PreBind
      When scheduling of pod "p" up to PreBind is attempted
      Then after PreBind ResourceClaim "extended resources of pod p" is allocated exactly "gpu-0"
      When the scheduling attempt of pod "p" is aborted
      Then after Unreserve ResourceClaim "extended resources of pod p" does not exist
      When scheduling of pod "q" is attempted
      Then after PreBind ResourceClaim "extended resources of pod q" is allocated exactly "gpu-0"

    @case:given-up-pod-status-cleared
    @KEP-5004/pod-status/cleared-on-cleanup
    Scenario: The pod status names no extended-resource claim if scheduling is aborted after PreBind
      When scheduling of pod "p" up to PreBind is attempted
      And the scheduling attempt of pod "p" is aborted
      Then after Unreserve pod "p" has
        | field                                                | value |
        | status.extendedResourceClaimStatus.resourceClaimName |       |
      But since Kubernetes 1.34, because the pod status is left unchanged: after Unreserve ResourceClaim "extended resources of pod p" does not exist

  Rule: Failed writes of the extended-resource claim

    Background:
      Given the device
        | device |
        | gpu-0  |
      And a pod "p" that requests 1 of "example.com/gpu"
      And a pod "q" that requests 1 of "example.com/gpu"

    @case:create-fails
    @KEP-5004/failure-handling/prebind-claim-create-fails @KEP-5004/scheduling-phase/unreserve-deletes
    Scenario Outline: A failed create of the extended-resource claim ends PreBind with Error and leaves no claim
      When the next 1 creation of a ResourceClaim by the scheduler fails with <reason>
      And scheduling of pod "p" is attempted
      Then PreBind on node "node-1" returns Error
      And Bind is not reached
      And Unreserve returns Success
      And after Unreserve no ResourceClaim is in flight
      And after Unreserve ResourceClaim "extended resources of pod p" does not exist
      When scheduling of pod "q" is attempted
      Then after PreBind ResourceClaim "extended resources of pod q" is allocated exactly "gpu-0"

      Examples:
        | reason             |
        | Forbidden          |
        | InternalError      |
        | ServiceUnavailable |

    @case:finalizer-update-fails
    @KEP-5004/failure-handling/prebind-finalizer-update-fails
    Scenario: Unreserve deletes the extended-resource claim after its finalizer update fails in PreBind
      When the next 1 update of a ResourceClaim by the scheduler fails with InternalError
      And scheduling of pod "p" is attempted
      Then PreBind returns Error
      And after Unreserve ResourceClaim "extended resources of pod p" does not exist
      And after Unreserve no ResourceClaim is in flight
      And after Unreserve pod "p" has
        | field                                                | value |
        | status.extendedResourceClaimStatus.resourceClaimName |       |

    @case:claim-status-update-fails
    @KEP-5004/failure-handling/prebind-claim-status-update-fails
    Scenario Outline: A failed status update of the extended-resource claim ends PreBind with Error
      When the next 1 update of the status of a ResourceClaim by the scheduler fails with <reason>
      And scheduling of pod "p" is attempted
      Then PreBind returns Error
      And after Unreserve ResourceClaim "extended resources of pod p" does not exist
      And after Unreserve no ResourceClaim is in flight
      And after Unreserve pod "p" has
        | field                                                | value |
        | status.extendedResourceClaimStatus.resourceClaimName |       |

      Examples:
        | reason        |
        | InternalError |
        | Forbidden     |
        | Timeout       |

    @case:pod-status-update-fails
    @KEP-5004/failure-handling/prebind-pod-status-update-fails
    Scenario Outline: Unreserve deletes the extended-resource claim after the pod status update fails in PreBind
      When the next 1 update of the status of a pod by the scheduler fails with <reason>
      And scheduling of pod "p" is attempted
      Then PreBind returns Error
      And after Unreserve ResourceClaim "extended resources of pod p" does not exist
      And after Unreserve no ResourceClaim is in flight

      Examples:
        | reason    |
        | Forbidden |
        | Timeout   |

    @case:pod-status-server-error
    @KEP-5004/failure-handling/prebind-pod-status-update-fails
    Scenario Outline: A server error in the pod status update ends PreBind with Error
      When the next 1 update of the status of a pod by the scheduler fails with <reason>
      And scheduling of pod "p" is attempted
      Then PreBind returns Error
      And Bind is not reached
      But since Kubernetes 1.34, because the pod status update is tried up to four times on server errors: PreBind returns Success

      Examples:
        | reason             |
        | InternalError      |
        | ServiceUnavailable |

    @case:pod-status-update-fails-four-times
    @KEP-5004/failure-handling/prebind-pod-status-update-fails
    Scenario: A pod status update that fails four times ends PreBind with Error
      When the next 4 updates of the status of a pod by the scheduler fail with InternalError
      And scheduling of pod "p" is attempted
      Then PreBind returns Error
      And after Unreserve ResourceClaim "extended resources of pod p" does not exist

    @case:conflict-retried-in-prebind
    @KEP-5004/failure-handling/conflicts-retried-locally
    Scenario Outline: A conflict in an update of the extended-resource claim is retried within PreBind
      When the next 1 update of <what> by the scheduler fails with Conflict
      And scheduling of pod "p" is attempted
      Then PreBind returns Success
      And after PreBind ResourceClaim "extended resources of pod p" is allocated exactly "gpu-0"
      And Unreserve is not reached

      Examples:
        | what                          |
        | a ResourceClaim               |
        | the status of a ResourceClaim |

    @case:bind-fails-claim-deleted
    @KEP-5004/scheduling-phase/unreserve-deletes
    Scenario: An extended-resource claim is deleted if its pod cannot be bound
      When the next 1 creation of the binding of a pod by the scheduler fails with Forbidden
      And scheduling of pod "p" is attempted
      Then PreBind returns Success
      And Unreserve returns Success
      And after Unreserve ResourceClaim "extended resources of pod p" does not exist

    @case:conflict-unreserve-deletes-claim
    @KEP-5004/failure-handling/conflicts-retried-locally @KEP-5004/failure-handling/unreserve-order
    Scenario: Unreserve deletes an extended-resource claim although an earlier update had a conflict
      When the next 1 update of the status of a pod by the scheduler fails with Forbidden
      And scheduling of pod "p" up to Reserve is attempted
      And the next 1 update of a ResourceClaim by the scheduler fails with Conflict
      And the binding cycle of pod "p" runs
      Then PreBind returns Error
      And Unreserve returns Success
      And after Unreserve ResourceClaim "extended resources of pod p" does not exist

    @case:delete-fails-in-unreserve
    @KEP-5004/failure-handling/unreserve-continues-and-is-idempotent
    Scenario: A failed delete of the extended-resource claim in Unreserve leaves no device in flight
      When the next 1 update of the status of a pod by the scheduler fails with Forbidden
      And the next 1 deletion of a ResourceClaim by the scheduler fails with InternalError
      And scheduling of pod "p" is attempted
      Then PreBind returns Error
      And Unreserve returns Success
      And after Unreserve no ResourceClaim is in flight
      And after Unreserve ResourceClaim "extended resources of pod p" has
        | field               | value |
        | metadata.finalizers |       |

    @case:pod-status-cleared-after-failed-write
    @KEP-5004/failure-handling/unreserve-continues-and-is-idempotent @KEP-5004/pod-status/cleared-on-cleanup
    @profile:kep
    Scenario Outline: Unreserve clears the pod status although another write for the claim has failed
      When scheduling of pod "p" up to PreBind is attempted
      And the next 1 <write> of a ResourceClaim by the scheduler fails with InternalError
      And the scheduling attempt of pod "p" is aborted
      Then Unreserve returns Success
      And after Unreserve pod "p" has
        | field                              | value |
        | status.extendedResourceClaimStatus |       |

      Examples:
        | write    |
        | update   |
        | deletion |

  Rule: Extended-resource claim of an earlier scheduling attempt

    Background:
      Given a node "n1"
      And a node "n3"
      And the devices
        | device | node | pool |
        | gpu-0  | n1   | n1   |
        | gpu-1  | n1   | n1   |
        | gpu-0  | n3   | n3   |
      And the fixture "left-over-extended-resource-claim"

    @case:no-node-for-claim
    @KEP-5004/failure-handling/node-selector-mismatch @KEP-5004/scheduling-phase/postfilter-deletes-unusable-claim
    Scenario: An extended-resource claim that no node can use is deleted and then created again
      When scheduling of pod "p" on node "n3" is attempted
      Then Filter on node "n3" returns Unschedulable
      But since Kubernetes 1.34, because an extended-resource claim of an earlier attempt is never reused: Filter on node "n3" returns UnschedulableAndUnresolvable
      When scheduling of pod "p" on node "n3" is attempted
      Then after PreBind ResourceClaim "extended resources of pod p" is allocated exactly "gpu-0"
      And after Bind ResourceClaim "p-extended-resources-8s27z" does not exist

    @case:postfilter-deletes-claim
    @KEP-5004/scheduling-phase/postfilter-deletes-unusable-claim
    Scenario: PostFilter deletes an unusable extended-resource claim and the pod stays unschedulable
      When scheduling of pod "p" on node "n3" is attempted
      Then Reserve is not reached
      And after PostFilter ResourceClaim "p-extended-resources-8s27z" does not exist
      But since Kubernetes 1.34, because the document does not say which phase fails the pod or with which code: PostFilter returns Unschedulable
      But since Kubernetes 1.34, because the document does not say which phase fails the pod or with which code: after PostFilter ResourceClaim "p-extended-resources-8s27z" does not exist

    @case:postfilter-write-fails
    @KEP-5004/failure-handling/postfilter-failure-is-error
    Scenario Outline: A failed update or deletion of the extended-resource claim ends PostFilter with Error
      When the next 1 <what> of a ResourceClaim by the scheduler fails with InternalError
      And scheduling of pod "p" on node "n3" is attempted
      Then PostFilter returns Error
      And Reserve is not reached

      Examples:
        | what     |
        | update   |
        | deletion |

    @case:device-gone-prefilter-unschedulable
    @KEP-5004/failure-handling/invalid-claim-unschedulable
    Scenario: An extended-resource claim whose device is gone makes PreFilter return Unschedulable
      When another client deletes ResourceSlice "n1-slice"
      And scheduling of pod "p" on nodes "n1, n3" is attempted
      Then PreFilter returns Unschedulable
      And Filter is not reached
      And after PostFilter ResourceClaim "p-extended-resources-8s27z" does not exist
      But since Kubernetes 1.34, because an extended-resource claim of an earlier attempt is rejected for each node in Filter: Filter on node "n1" returns UnschedulableAndUnresolvable
      But since Kubernetes 1.34, because an extended-resource claim of an earlier attempt is rejected for each node in Filter: after PostFilter ResourceClaim "p-extended-resources-8s27z" does not exist

    @case:create-timeout-claim-deleted
    @KEP-5004/scheduling-phase/prefilter-looks-up-existing-claim @profile:since-1.34
    Scenario: A claim whose create timed out is deleted by the next attempt and then created again
      Given a pod "lost" that requests 1 of "example.com/gpu"
      When the next 1 creation of a ResourceClaim by the scheduler fails with Timeout
      And scheduling of pod "lost" on node "n3" is attempted
      Then PreBind returns Error
      When scheduling of pod "lost" on node "n3" is attempted
      Then PostFilter returns Unschedulable
      And after PostFilter ResourceClaim "extended resources of pod lost" does not exist
      When scheduling of pod "lost" on node "n3" is attempted
      Then after PreBind ResourceClaim "extended resources of pod lost" is allocated exactly "gpu-0"

  Rule: DRA nodes and device plugin nodes

    Background:
      Given a node "n1" with allocatable 2 of "example.com/gpu"
      And a node "n2"
      And the device
        | device | node | pool |
        | gpu-0  | n2   | n2   |
      And a pod "p" that requests 1 of "example.com/gpu"

    @case:in-flight-only-on-dra-node
    @KEP-5004/scheduling-phase/filter-fills-requests-only-for-dra-nodes @KEP-5004/scheduling-phase/template-empty-until-filter
    Scenario Outline: An extended-resource claim is in flight after Reserve only on a DRA node
      When scheduling of pod "p" up to Reserve on node "<node>" is attempted
      Then Filter on node "<node>" returns Success
      And after Reserve <claims> in flight

      Examples:
        | node | claims                                              |
        | n1   | no ResourceClaim is                                 |
        | n2   | only ResourceClaim "extended resources of pod p" is |

    @case:own-claim-on-plugin-node
    @KEP-5004/scheduling-phase/filter-fills-requests-only-for-dra-nodes @profile:kep @profile:since-1.35
    Scenario: A pod with its own ResourceClaim gets no extended-resource claim on a device plugin node
      Given the device
        | device | node | pool |
        | nic-0  | n1   | n1   |
      And a ResourceClaim "own" requesting 1 device
      And a pod "both" that uses ResourceClaim "own" and requests 1 of "example.com/gpu"
      When scheduling of pod "both" up to Reserve on node "n1" is attempted
      Then after Reserve only ResourceClaim "own" is in flight
      But since Kubernetes 1.35, because the scheduler plans an extended-resource claim without requests for a pod with ResourceClaims: after Reserve only ResourceClaims "own, extended resources of pod both" are in flight
      When the binding cycle of pod "both" runs
      Then PreBind returns Success
      And after PreBind ResourceClaim "own" is allocated exactly "nic-0"
      But since Kubernetes 1.35, because an extended-resource claim without requests cannot be recorded: PreBind returns Error

    @case:first-filtered-node-reserved
    @KEP-5004/scheduling-phase/allocation-kept-per-node @order
    Scenario: A pod that fits on two nodes is bound with its claim to the node that was filtered first
      When scheduling of pod "p" on nodes "n2, n1" is attempted
      Then Filter returns Success
      And after Bind ResourceClaim "extended resources of pod p" is allocated exactly "gpu-0"

    @case:noderesources-passes-backed-resource
    @KEP-5004/scheduling-phase/noderesources-delegates
    Scenario Outline: A pod fits a DRA node only if a DeviceClass backs its extended resource
      Given a pod "r" that requests 1 of "<resource>"
      When scheduling of pod "r" on node "n2" is attempted
      Then <outcome>

      Examples:
        | resource        | what         | outcome                             |
        | example.com/gpu | fits         | Filter on node "n2" returns Success |
        | example.com/nic | does not fit | Reserve is not reached              |

    @case:uninvolved-pod-nothing-in-flight
    @KEP-5004/scheduling-phase/prefilter-skips-uninvolved-pods
    Scenario: A pod without ResourceClaims and extended resources has no claim in flight
      Given a pod "plain" without ResourceClaims
      When the next 1 update of the status of a pod by the scheduler fails with InternalError
      And scheduling of pod "plain" on node "n2" is attempted
      Then PreFilter returns Success
      And after Reserve no ResourceClaim is in flight
      And Bind returns Success

  Rule: A pod whose best node is not the first node that fits

    Background:
      Given a node "n1" with allocatable 1 of "cpu" and 1 of "example.com/nic"
      And a node "n2" with allocatable 1 of "cpu"
      And the devices
        | device | node | pool | attribute kind |
        | slow-0 | n1   | n1   | string slow    |
        | gpu-0  | n1   | n1   | string gpu     |
        | fast-0 | n2   | n2   | string fast    |
        | gpu-0  | n2   | n2   | string gpu     |
        | nic-0  | n2   | n2   | string nic     |
      And a DeviceClass "fast" with the selector
        """
        device.attributes["dra.example.com"].kind == "fast"
        """
      And a DeviceClass "slow" with the selector
        """
        device.attributes["dra.example.com"].kind == "slow"
        """
      And a DeviceClass "only-gpu" for extended resource "example.com/only-gpu" with the selector
        """
        device.attributes["dra.example.com"].kind == "gpu"
        """
      And a DeviceClass "nic" for extended resource "example.com/nic" with the selector
        """
        device.attributes["dra.example.com"].kind == "nic"
        """
      And a ResourceClaim "own" with the requests
        | request | subrequest | deviceClassName |
        | r0      | first      | fast            |
        | r0      | second     | slow            |

    @case:claim-of-chosen-node
    @KEP-5004/scheduling-phase/allocation-kept-per-node @profile:kep @profile:since-1.35
    Scenario: An extended-resource claim gets its device on the node of its pod, whichever node that is
      Given a pod "p" that uses ResourceClaim "own" with the container
        | container | request cpu | limit example.com/only-gpu | claims |
        | main      | 1           | 1                          | own    |
      And a pod "q" with the container
        | container | request cpu | limit example.com/only-gpu |
        | main      | 1           | 1                          |
      When scheduling of pod "p" on nodes "n1, n2" is attempted
      Then Bind returns Success
      When scheduling of pod "q" on nodes "n1, n2" is attempted
      Then Bind returns Success

    @case:backing-of-chosen-node
    @KEP-5004/scheduling-phase/allocation-kept-per-node @KEP-5004/scheduling-phase/filter-fills-requests-only-for-dra-nodes
    @profile:kep @profile:since-1.35
    Scenario: Three pods do not fit on a DRA node and a device plugin node with one device each
      Given a pod "p" that uses ResourceClaim "own" with the container
        | container | limit example.com/nic | claims |
        | main      | 1                     | own    |
      And a pod "q" that requests 1 of "example.com/nic"
      And a pod "r" that requests 1 of "example.com/nic"
      When scheduling of pod "p" on nodes "n1, n2" is attempted
      Then Bind returns Success
      When scheduling of pod "q" on nodes "n1, n2" is attempted
      Then Bind returns Success
      When scheduling of pod "r" on nodes "n1, n2" is attempted
      Then Reserve is not reached

  Rule: Events that requeue a Pending pod

    Background:
      Given a pod "p" that requests 1 of "example.com/gpu"
      And a node "n1"

    @case:allocatable-change-requeues
    @KEP-5004/scheduling-phase/requeue-on-node-allocatable
    Scenario Outline: A Pending pod is requeued when node allocatable changes, but not when annotations change
      When scheduling of pod "p" is attempted
      Then Reserve is not reached
      When another client updates node "n1" with
        | field   | value   |
        | <field> | <value> |
      Then pod "p" is <what>

      Examples:
        | field              | value                  | what    |
        | status.allocatable | {example.com/gpu: "1"} | retried |

      @profile:since-1.34
      Examples: An event that does not help the pod, which the KEP leaves open
        | field                | value         | what        |
        | metadata.annotations | {seen: "yes"} | not retried |

    @case:class-created-requeues
    @KEP-5004/class-selection/late-class-unblocks-pending-pod @KEP-5004/scheduling-phase/queueing-hints
    Scenario: A Pending pod is requeued when a DeviceClass for its extended resource is created
      When scheduling of pod "p" is attempted
      And another client creates this object
        """
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: other}
        spec: {extendedResourceName: example.com/gpu}
        """
      Then pod "p" is retried

    @case:released-device-requeues
    @KEP-5004/scheduling-phase/queueing-hints
    Scenario: A Pending pod is requeued when a device is released, but not when a claim is labelled
      Given the device
        | device |
        | gpu-0  |
      And ResourceClaim "held" is already allocated
        | device |
        | gpu-0  |
      When scheduling of pod "p" is attempted
      Then Reserve is not reached
      When another client updates ResourceClaim "held" with
        | field           | value       |
        | metadata.labels | {seen: "1"} |
      Then pod "p" is not retried
      When another client updates ResourceClaim "held" with
        | field             | value |
        | status.allocation |       |
      Then pod "p" is retried

    @case:unallocated-claims-do-not-requeue
    @KEP-5004/scheduling-phase/queueing-hints
    Scenario: ResourceClaims without an allocation that come and go do not requeue a Pending pod
      When scheduling of pod "p" is attempted
      Then Reserve is not reached
      When another client creates this object
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: c, namespace: default}
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: gpu, allocationMode: ExactCount, count: 1}}]}}
        """
      Then pod "p" is not retried
      When another client deletes ResourceClaim "c"
      Then pod "p" is not retried

    @case:class-deleted-does-not-requeue
    @KEP-5004/class-selection/late-class-unblocks-pending-pod @profile:since-1.34
    Scenario: Deletion of a DeviceClass does not requeue a Pending pod
      Given a DeviceClass "other" for extended resource "example.com/gpu"
      When scheduling of pod "p" is attempted
      And another client deletes DeviceClass "other"
      Then pod "p" is not retried

  Rule: A pod with its own ResourceClaim and an extended-resource claim

    Background:
      Given the devices
        | device |
        | gpu-0  |
        | gpu-1  |
      And the objects
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: default, uid: 5d3b0b8e-52c0-4b0c-8a26-9d7c2a1f4e01}
        spec:
          resourceClaims: [{name: own, resourceClaimTemplateName: t}]
          containers:
            - name: main
              image: registry.k8s.io/pause:3.10
              resources:
                claims: [{name: own}]
                limits: {example.com/gpu: 1}
                requests: {example.com/gpu: 1}
        status:
          phase: Pending
          resourceClaimStatuses: [{name: own, resourceClaimName: p-own-7xk2m}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata:
          name: p-own-7xk2m
          namespace: default
          uid: 9c1d6a52-0c59-4a35-8f0e-6f2b7f0e4e02
          annotations: {resource.kubernetes.io/pod-claim-name: own}
          ownerReferences:
            - {apiVersion: v1, kind: Pod, name: p, uid: 5d3b0b8e-52c0-4b0c-8a26-9d7c2a1f4e01, controller: true, blockOwnerDeletion: true}
        spec:
          devices: {requests: [{name: r0, exactly: {deviceClassName: gpu, allocationMode: ExactCount, count: 1}}]}
        """

    @case:given-up-template-claim-kept
    @KEP-5004/scheduling-phase/unreserve-deletes
    Scenario: A ResourceClaim from a template is kept when the extended-resource claim is deleted
      When scheduling of pod "p" up to PreBind is attempted
      Then after PreBind ResourceClaim "extended resources of pod p" has
        | field                                  | value |
        | spec.devices.requests[0].exactly.count | 1     |
      When the scheduling attempt of pod "p" is aborted
      Then after Unreserve ResourceClaim "extended resources of pod p" does not exist
      And after Unreserve ResourceClaim "p-own-7xk2m" has
        | field                         | value |
        | spec.devices.requests[0].name | r0    |
      And after Unreserve pod "p" has
        | field                                             | value       |
        | status.resourceClaimStatuses[0].resourceClaimName | p-own-7xk2m |
