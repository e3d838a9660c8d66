Feature: Extended-resource claims in the scheduling phases
  PreFilter prepares the claim in memory, Filter decides its requests for each node, Reserve keeps the devices in
  memory and PreBind writes the claim. Unreserve and PostFilter delete the claim.

  Background:
    Given a device class "gpu" for "example.com/gpu"

  Rule: Claim in flight before it is written

    Background:
      Given the device
        | device |
        | gpu-0  |
      And a pod "p" that requests 1 of "example.com/gpu"
      And a pod "q" that requests 1 of "example.com/gpu"

    @case:prebind-writes-claim
    @KEP-5004/scheduling-phase/prebind-writes @KEP-5004/scheduling-phase/reserve-in-flight
    Scenario: Reserve writes nothing and PreBind writes the claim with its device
      When pod "p" is tried as far as Reserve
      Then Reserve on node "node-1" ends with Success
      And PreBind is not reached
      And after Reserve only claim "extended resources of pod p" is in flight
      And after Reserve the ResourceClaim "extended resources of pod p" does not exist
      And after Reserve the Pod "p" has
        | field                              | value |
        | status.extendedResourceClaimStatus |       |
      When pod "p" goes on to be bound
      Then PreBind ends with Success
      And after PreBind claim "extended resources of pod p" holds exactly "gpu-0"
      And after PreBind claim "extended resources of pod p" is reserved for pod "p"
      And after PreBind nothing is in flight
      And after Bind the Pod "p" has
        | field         | value  |
        | spec.nodeName | node-1 |

    @case:device-in-flight-not-allocated
    @KEP-5004/scheduling-phase/reserve-in-flight
    Scenario: A device in flight is not allocated to another pod
      When pod "p" is tried as far as Reserve
      And pod "q" is tried
      Then Reserve is not reached
      But since Kubernetes 1.34, because the document does not say which phase fails the pod or with which code: Filter on node "node-1" ends with UnschedulableAndUnresolvable
      But since Kubernetes 1.34, because the document does not say which phase fails the pod or with which code: PostFilter ends with Unschedulable
      But since Kubernetes 1.34, because the document does not say which phase fails the pod or with which code: Reserve is not reached

    @case:second-device-in-flight
    @KEP-5004/scheduling-phase/reserve-in-flight
    Scenario: A second pod is allocated the other device while the first device is in flight
      Given the device
        | device | pool |
        | gpu-1  | more |
      When pod "p" is tried as far as Reserve
      And pod "q" is tried as far as Reserve
      Then Reserve ends with Success
      And after Reserve only claims "extended resources of pod p, extended resources of pod q" are in flight
      When pod "p" goes on to be bound
      Then after PreBind only claim "extended resources of pod q" is in flight

    @case:given-up-after-reserve
    @KEP-5004/scheduling-phase/reserve-in-flight @KEP-5004/scheduling-phase/unreserve-deletes
    Scenario: A device is free for the next pod if the attempt is given up after Reserve
      When pod "p" is tried as far as Reserve
      And the attempt for pod "p" is given up
      Then Unreserve ends with Success
      And after Unreserve nothing is in flight
      And after Unreserve the ResourceClaim "extended resources of pod p" does not exist
      When pod "q" is tried
      Then after PreBind claim "extended resources of pod q" holds exactly "gpu-0"

    @case:given-up-after-prebind
    @KEP-5004/scheduling-phase/unreserve-deletes
    Scenario: A claim is deleted and its device is free if the attempt is given up after PreBind
      When pod "p" is tried as far as PreBind
      Then after PreBind claim "extended resources of pod p" holds exactly "gpu-0"
      When the attempt for pod "p" is given up
      Then after Unreserve the ResourceClaim "extended resources of pod p" does not exist
      When pod "q" is tried
      Then after PreBind claim "extended resources of pod q" holds exactly "gpu-0"

    @case:given-up-pod-status-cleared
    @KEP-5004/pod-status/cleared-on-cleanup
    Scenario: The pod status names no claim after the attempt is given up after PreBind
      When pod "p" is tried as far as PreBind
      And the attempt for pod "p" is given up
      Then after Unreserve the Pod "p" has
        | field                                                | value |
        | status.extendedResourceClaimStatus.resourceClaimName |       |
      But since Kubernetes 1.34, because the pod status is left unchanged: after Unreserve the ResourceClaim "extended resources of pod p" does not exist

  Rule: Failed writes

    Background:
      Given the device
        | device |
        | gpu-0  |
      And a pod "p" that requests 1 of "example.com/gpu"
      And a pod "q" that requests 1 of "example.com/gpu"

    @case:create-fails
    @KEP-5004/failure-handling/prebind-claim-create-fails @KEP-5004/scheduling-phase/unreserve-deletes
    Scenario Outline: A failed create of the claim ends PreBind with Error and leaves no claim
      When the next 1 creation of a ResourceClaim by the scheduler ends as <reason>
      And pod "p" is tried
      Then PreBind on node "node-1" ends with Error
      And Bind is not reached
      And Unreserve ends with Success
      And after Unreserve nothing is in flight
      And after Unreserve the ResourceClaim "extended resources of pod p" does not exist
      When pod "q" is tried
      Then after PreBind claim "extended resources of pod q" holds exactly "gpu-0"

      Examples:
        | reason             |
        | Forbidden          |
        | InternalError      |
        | ServiceUnavailable |

    @case:finalizer-update-fails
    @KEP-5004/failure-handling/prebind-finalizer-update-fails
    Scenario: A failed finalizer update ends PreBind with Error and the claim is deleted
      When the next 1 update of a ResourceClaim by the scheduler ends as InternalError
      And pod "p" is tried
      Then PreBind ends with Error
      And after Unreserve the ResourceClaim "extended resources of pod p" does not exist
      And after Unreserve nothing is in flight

    @case:claim-status-update-fails
    @KEP-5004/failure-handling/prebind-claim-status-update-fails
    Scenario Outline: A failed status update of the claim ends PreBind with Error and the claim is deleted
      When the next 1 update of the status of a ResourceClaim by the scheduler ends as <reason>
      And pod "p" is tried
      Then PreBind ends with Error
      And after Unreserve the ResourceClaim "extended resources of pod p" does not exist
      And after Unreserve nothing is in flight

      Examples:
        | reason        |
        | InternalError |
        | Forbidden     |
        | Timeout       |

    @case:pod-status-update-fails
    @KEP-5004/failure-handling/prebind-pod-status-update-fails
    Scenario Outline: A failed pod status update ends PreBind with Error and the claim is deleted
      When the next 1 update of the status of a Pod by the scheduler ends as <reason>
      And pod "p" is tried
      Then PreBind ends with Error
      And after Unreserve the ResourceClaim "extended resources of pod p" does not exist
      And after Unreserve nothing is in flight

      Examples:
        | reason    |
        | Forbidden |
        | Timeout   |

    @case:pod-status-server-error
    @KEP-5004/failure-handling/prebind-pod-status-update-fails
    Scenario Outline: A server error in the pod status update ends PreBind with Error
      When the next 1 update of the status of a Pod by the scheduler ends as <reason>
      And pod "p" is tried
      Then PreBind ends with Error
      And Bind is not reached
      But since Kubernetes 1.34, because the pod status update is tried up to four times on server errors: PreBind ends with Success

      Examples:
        | reason             |
        | InternalError      |
        | ServiceUnavailable |

    @case:pod-status-update-fails-four-times
    @KEP-5004/failure-handling/prebind-pod-status-update-fails
    Scenario: A pod status update that fails four times ends PreBind with Error
      When the next 4 updates of the status of a Pod by the scheduler end as InternalError
      And pod "p" is tried
      Then PreBind ends with Error
      And after Unreserve the ResourceClaim "extended resources of pod p" does not exist

    @case:conflict-retried-in-prebind
    @KEP-5004/failure-handling/conflicts-retried-locally
    Scenario Outline: A conflict in an update of the claim is retried within PreBind
      When the next 1 update of <what> by the scheduler ends as Conflict
      And pod "p" is tried
      Then PreBind ends with Success
      And after PreBind claim "extended resources of pod p" holds exactly "gpu-0"
      And Unreserve is not reached

      Examples:
        | what                          |
        | a ResourceClaim               |
        | the status of a ResourceClaim |

    @case:bind-fails-claim-deleted
    @KEP-5004/scheduling-phase/unreserve-deletes
    Scenario: A claim is deleted if its pod cannot be bound
      When the next 1 creation of the binding of a Pod by the scheduler ends as InternalError
      And pod "p" is tried
      Then PreBind ends with Success
      And Bind ends with Error
      And Unreserve ends with Success
      And after Unreserve the ResourceClaim "extended resources of pod p" does not exist

    @case:conflict-unreserve-deletes-claim
    @KEP-5004/failure-handling/unreserve-continues-and-is-idempotent @KEP-5004/failure-handling/unreserve-order
    Scenario: A claim is deleted in Unreserve although an update of the claim had a conflict
      When the next 1 update of the status of a Pod by the scheduler ends as Forbidden
      And pod "p" is tried as far as Reserve
      And the next 1 update of a ResourceClaim by the scheduler ends as Conflict
      And pod "p" goes on to be bound
      Then PreBind ends with Error
      And Unreserve ends with Success
      And after Unreserve the ResourceClaim "extended resources of pod p" does not exist

    @case:delete-fails-in-unreserve
    @KEP-5004/failure-handling/unreserve-continues-and-is-idempotent
    Scenario: A failed delete of the claim in Unreserve leaves no device in flight
      When the next 1 update of the status of a Pod by the scheduler ends as Forbidden
      And the next 1 deletion of a ResourceClaim by the scheduler ends as InternalError
      And pod "p" is tried
      Then PreBind ends with Error
      And Unreserve ends with Success
      And after Unreserve nothing is in flight
      And after Unreserve the ResourceClaim "extended resources of pod p" has
        | field               | value |
        | metadata.finalizers |       |

  Rule: Claim of an earlier attempt

    Background:
      Given a node "n1"
      And a node "n3"
      And the devices
        | device | node | pool |
        | gpu-0  | n1   | n1   |
        | gpu-1  | n1   | n1   |
        | gpu-0  | n3   | n3   |
      And the fixture "left-over-special-claim"

    @case:no-node-for-claim
    @KEP-5004/failure-handling/node-selector-mismatch @KEP-5004/scheduling-phase/postfilter-deletes-unusable-claim
    Scenario: A claim that no node can use is deleted and the next attempt creates a new one
      When pod "p" is tried on node "n3"
      Then Filter on node "n3" ends with Unschedulable
      But since Kubernetes 1.34, because an extended-resource claim of an earlier attempt is never reused: Filter on node "n3" ends with UnschedulableAndUnresolvable
      When pod "p" is tried on node "n3"
      Then after PreBind claim "extended resources of pod p" holds exactly "gpu-0"
      And after Bind the ResourceClaim "p-extended-resources-8s27z" does not exist

    @case:postfilter-deletes-claim
    @KEP-5004/scheduling-phase/postfilter-deletes-unusable-claim
    Scenario: PostFilter deletes the claim and the pod stays unschedulable in this attempt
      When pod "p" is tried on node "n3"
      Then Reserve is not reached
      And after PostFilter the ResourceClaim "p-extended-resources-8s27z" does not exist
      But since Kubernetes 1.34, because the document does not say which phase fails the pod or with which code: PostFilter ends with Unschedulable
      But since Kubernetes 1.34, because the document does not say which phase fails the pod or with which code: after PostFilter the ResourceClaim "p-extended-resources-8s27z" does not exist

    @case:postfilter-write-fails
    @KEP-5004/failure-handling/postfilter-failure-is-error
    Scenario Outline: A failed update or deletion of the claim ends PostFilter with Error
      When the next 1 <what> of a ResourceClaim by the scheduler ends as InternalError
      And pod "p" is tried on node "n3"
      Then PostFilter ends with Error
      And Reserve is not reached

      Examples:
        | what     |
        | update   |
        | deletion |

    @case:device-gone-prefilter-unschedulable
    @KEP-5004/failure-handling/invalid-claim-unschedulable
    Scenario: A claim whose device is gone ends PreFilter with Unschedulable
      When somebody deletes the ResourceSlice "n1-slice" in the meantime
      And pod "p" is tried on nodes "n1, n3"
      Then PreFilter ends with Unschedulable
      And Filter is not reached
      And after PostFilter the ResourceClaim "p-extended-resources-8s27z" does not exist
      But since Kubernetes 1.34, because an extended-resource claim of an earlier attempt is rejected for each node in Filter: Filter on node "n1" ends with UnschedulableAndUnresolvable
      But since Kubernetes 1.34, because an extended-resource claim of an earlier attempt is rejected for each node in Filter: after PostFilter the ResourceClaim "p-extended-resources-8s27z" does not exist

    @case:create-timeout-claim-deleted
    @KEP-5004/scheduling-phase/prefilter-looks-up-existing-claim @profile:since-1.34
    Scenario: A claim whose create timed out is deleted by the next attempt and then created anew
      Given a pod "lost" that requests 1 of "example.com/gpu"
      When the next 1 creation of a ResourceClaim by the scheduler ends as Timeout
      And pod "lost" is tried on node "n3"
      Then PreBind ends with Error
      When pod "lost" is tried on node "n3"
      Then PostFilter ends with Unschedulable
      And after PostFilter the ResourceClaim "extended resources of pod lost" does not exist
      When pod "lost" is tried on node "n3"
      Then after PreBind claim "extended resources of pod lost" holds exactly "gpu-0"

  Rule: Differences between nodes

    Background:
      Given a node "n1" with 2 of "example.com/gpu"
      And a node "n2"
      And the device
        | device | node | pool |
        | gpu-0  | n2   | n2   |
      And a pod "p" that requests 1 of "example.com/gpu"

    @case:in-flight-only-on-dra-node
    @KEP-5004/scheduling-phase/filter-fills-requests-only-for-dra-nodes @KEP-5004/scheduling-phase/template-empty-until-filter
    Scenario Outline: A claim is in flight after Reserve on the DRA node, but not on the device plugin node
      When pod "p" is tried as far as Reserve on node "<node>"
      Then Filter on node "<node>" ends with Success
      And after Reserve <claims> in flight

      Examples:
        | node | claims                                     |
        | n1   | nothing is                                 |
        | n2   | only claim "extended resources of pod p" is |

    @case:own-claim-on-plugin-node
    @KEP-5004/scheduling-phase/filter-fills-requests-only-for-dra-nodes
    Scenario: A pod with its own ResourceClaim gets no second claim on a device plugin node
      Given the device
        | device | node | pool |
        | nic-0  | n1   | n1   |
      And a claim "own" requesting 1 device
      And a pod "both" that uses claim "own" and requests 1 of "example.com/gpu"
      When pod "both" is tried as far as Reserve on node "n1"
      Then after Reserve only claim "own" is in flight
      But since Kubernetes 1.35, because the scheduler plans an extended-resource claim without requests for a pod with ResourceClaims: after Reserve only claims "own, extended resources of pod both" are in flight
      When pod "both" goes on to be bound
      Then PreBind ends with Success
      And after PreBind claim "own" holds exactly "nic-0"
      But since Kubernetes 1.35, because an extended-resource claim without requests cannot be recorded: PreBind ends with Error

    @case:first-filtered-node-reserved
    @KEP-5004/scheduling-phase/allocation-kept-per-node
    Scenario: A pod that fits two nodes is bound with the claim for the node that was filtered first
      When pod "p" is tried on nodes "n2, n1"
      Then Filter ends with Success
      And after Bind claim "extended resources of pod p" holds exactly "gpu-0"

    @case:noderesources-passes-backed-resource
    @KEP-5004/scheduling-phase/noderesources-delegates
    Scenario Outline: A pod fits a DRA node only if a DeviceClass backs its extended resource
      Given a pod "r" that requests 1 of "<resource>"
      When pod "r" is tried on node "n2"
      Then <outcome>

      Examples:
        | resource        | what         | outcome                               |
        | example.com/gpu | fits         | Filter on node "n2" ends with Success |
        | example.com/nic | does not fit | Reserve is not reached                |

    @case:uninvolved-pod-nothing-in-flight
    @KEP-5004/scheduling-phase/prefilter-skips-uninvolved-pods
    Scenario: A pod without ResourceClaims and extended resources has nothing in flight
      Given a pod "plain" without claims
      When the next 1 update of the status of a Pod by the scheduler ends as InternalError
      And pod "plain" is tried on node "n2"
      Then PreFilter ends with Success
      And after Reserve nothing is in flight
      And Bind ends with Success

  Rule: Events that requeue a pod

    Background:
      Given a pod "p" that requests 1 of "example.com/gpu"
      And a node "n1"

    @case:allocatable-change-requeues
    @KEP-5004/scheduling-phase/requeue-on-node-allocatable
    Scenario Outline: A change of node allocatable requeues a pod and a change of annotations does not
      When pod "p" is tried
      Then Reserve is not reached
      When somebody changes the Node "n1" in the meantime
        | field   | value   |
        | <field> | <value> |
      Then pod "p" is <what>

      Examples:
        | field              | value                  | what        |
        | status.allocatable | {example.com/gpu: "1"} | tried again |

      @profile:since-1.34
      Examples: An event that does not help the pod, which the KEP leaves open
        | field                | value         | what            |
        | metadata.annotations | {seen: "yes"} | not tried again |

    @case:class-created-requeues
    @KEP-5004/class-selection/late-class-unblocks-pending-pod
    Scenario: A new DeviceClass for the extended resource requeues a pod
      When pod "p" is tried
      And somebody creates this object in the meantime
        """
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: other}
        spec: {extendedResourceName: example.com/gpu}
        """
      Then pod "p" is tried again

    @case:class-deleted-does-not-requeue
    @KEP-5004/class-selection/late-class-unblocks-pending-pod @profile:since-1.34
    Scenario: A deleted DeviceClass does not requeue a pod
      Given a device class "other" for "example.com/gpu"
      When pod "p" is tried
      And somebody deletes the DeviceClass "other" in the meantime
      Then pod "p" is not tried again

  Rule: Pod with its own ResourceClaim

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
    Scenario: A ResourceClaim from a template is kept when the extended-resource claim is given up
      When pod "p" is tried as far as PreBind
      Then after PreBind the ResourceClaim "extended resources of pod p" has
        | field                                  | value |
        | spec.devices.requests[0].exactly.count | 1     |
      When the attempt for pod "p" is given up
      Then after Unreserve the ResourceClaim "extended resources of pod p" does not exist
      And after Unreserve claim "p-own-7xk2m" is reserved for nobody
      And after Unreserve the Pod "p" has
        | field                                             | value       |
        | status.resourceClaimStatuses[0].resourceClaimName | p-own-7xk2m |
