Feature: The special claim from phase to phase
  PreFilter plans the claim, Filter decides per node what it asks for, Reserve keeps the devices in memory, PreBind writes
  it. Unreserve and PostFilter take it back.

  Background:
    Given a device class "gpu" for "example.com/gpu"

  Rule: Until it is written

    Background:
      Given the device
        | device |
        | gpu-0  |
      And a pod "p" that requests 1 of "example.com/gpu"
      And a pod "q" that requests 1 of "example.com/gpu"

    @case:reserve-writes-nothing-prebind-writes-the-claim-with
    @KEP-5004/scheduling-phase/prebind-writes @KEP-5004/scheduling-phase/reserve-in-flight
    Scenario: Reserve writes nothing, PreBind writes the claim with its device
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

    @case:the-only-device-is-nobody-elses-while-it-is-in
    @KEP-5004/scheduling-phase/reserve-in-flight
    Scenario: The only device is nobody else's while it is in flight
      When pod "p" is tried as far as Reserve
      And pod "q" is tried
      Then Reserve is not reached
      But since Kubernetes 1.34, because the document does not say which phase refuses, nor with which code: Filter on node "node-1" ends with UnschedulableAndUnresolvable
      But since Kubernetes 1.34, because the document does not say which phase refuses, nor with which code: PostFilter ends with Unschedulable
      But since Kubernetes 1.34, because the document does not say which phase refuses, nor with which code: Reserve is not reached

    @case:a-second-pod-gets-the-other-device-while-the-first
    @KEP-5004/scheduling-phase/reserve-in-flight
    Scenario: A second pod gets the other device while the first is in flight
      Given the device
        | device | pool |
        | gpu-1  | more |
      When pod "p" is tried as far as Reserve
      And pod "q" is tried as far as Reserve
      Then Reserve ends with Success
      And after Reserve only claims "extended resources of pod p, extended resources of pod q" are in flight
      When pod "p" goes on to be bound
      Then after PreBind only claim "extended resources of pod q" is in flight

    @case:what-is-given-up-after-reserve-is-free-for-the-next
    @KEP-5004/scheduling-phase/reserve-in-flight @KEP-5004/scheduling-phase/unreserve-deletes
    Scenario: What is given up after Reserve is free for the next pod
      When pod "p" is tried as far as Reserve
      And the attempt for pod "p" is given up
      Then Unreserve ends with Success
      And after Unreserve nothing is in flight
      And after Unreserve the ResourceClaim "extended resources of pod p" does not exist
      When pod "q" is tried
      Then after PreBind claim "extended resources of pod q" holds exactly "gpu-0"

    @case:what-is-given-up-after-prebind-is-deleted-and-free
    @KEP-5004/scheduling-phase/unreserve-deletes
    Scenario: What is given up after PreBind is deleted and free for the next pod
      When pod "p" is tried as far as PreBind
      Then after PreBind claim "extended resources of pod p" holds exactly "gpu-0"
      When the attempt for pod "p" is given up
      Then after Unreserve the ResourceClaim "extended resources of pod p" does not exist
      When pod "q" is tried
      Then after PreBind claim "extended resources of pod q" holds exactly "gpu-0"

    @case:the-pod-does-not-name-a-claim-any-more-that-is-given
    @KEP-5004/pod-status/cleared-on-cleanup
    Scenario: The pod does not name a claim any more that is given up
      When pod "p" is tried as far as PreBind
      And the attempt for pod "p" is given up
      Then after Unreserve the Pod "p" has
        | field                                                | value |
        | status.extendedResourceClaimStatus.resourceClaimName |       |
      But since Kubernetes 1.34, because the status of the pod is left as it is: after Unreserve the ResourceClaim "extended resources of pod p" does not exist

  Rule: Writes that fail

    Background:
      Given the device
        | device |
        | gpu-0  |
      And a pod "p" that requests 1 of "example.com/gpu"
      And a pod "q" that requests 1 of "example.com/gpu"

    @case:a-creation-that-ends-as-ends-prebind-with-an-error
    @KEP-5004/failure-handling/prebind-claim-create-fails @KEP-5004/scheduling-phase/unreserve-deletes
    Scenario Outline: A creation that ends as <reason> ends PreBind with an error, and nothing is left
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

    @case:an-update-of-the-finalizer-that-fails-ends-prebind
    @KEP-5004/failure-handling/prebind-finalizer-update-fails
    Scenario: An update of the finalizer that fails ends PreBind with an error, and the claim is deleted
      When the next 1 update of a ResourceClaim by the scheduler ends as InternalError
      And pod "p" is tried
      Then PreBind ends with Error
      And after Unreserve the ResourceClaim "extended resources of pod p" does not exist
      And after Unreserve nothing is in flight

    @case:an-update-of-the-claims-status-that-ends-as-ends
    @KEP-5004/failure-handling/prebind-claim-status-update-fails
    Scenario Outline: An update of the claim's status that ends as <reason> ends PreBind with an error, and the claim is deleted
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

    @case:an-update-of-the-pods-status-that-ends-as-ends
    @KEP-5004/failure-handling/prebind-pod-status-update-fails
    Scenario Outline: An update of the pod's status that ends as <reason> ends PreBind with an error, and the claim is deleted
      When the next 1 update of the status of a Pod by the scheduler ends as <reason>
      And pod "p" is tried
      Then PreBind ends with Error
      And after Unreserve the ResourceClaim "extended resources of pod p" does not exist
      And after Unreserve nothing is in flight

      Examples:
        | reason    |
        | Forbidden |
        | Timeout   |

    @case:a-fault-of-the-api-server-while-the-pods-status-is
    @KEP-5004/failure-handling/prebind-pod-status-update-fails
    Scenario Outline: A fault of the API server while the pod's status is updated, <reason>, ends PreBind with an error
      When the next 1 update of the status of a Pod by the scheduler ends as <reason>
      And pod "p" is tried
      Then PreBind ends with Error
      And Bind is not reached
      But since Kubernetes 1.34, because the status of a pod is written up to four times while the API server is at fault: PreBind ends with Success

      Examples:
        | reason             |
        | InternalError      |
        | ServiceUnavailable |

    @case:the-status-of-the-pod-that-cannot-be-written-four
    @KEP-5004/failure-handling/prebind-pod-status-update-fails
    Scenario: The status of the pod that cannot be written four times ends PreBind with an error
      When the next 4 updates of the status of a Pod by the scheduler end as InternalError
      And pod "p" is tried
      Then PreBind ends with Error
      And after Unreserve the ResourceClaim "extended resources of pod p" does not exist

    @case:a-conflict-in-is-tried-again-within-prebind
    @KEP-5004/failure-handling/conflicts-retried-locally
    Scenario Outline: A conflict in <what> is tried again within PreBind
      When the next 1 update of <what> by the scheduler ends as Conflict
      And pod "p" is tried
      Then PreBind ends with Success
      And after PreBind claim "extended resources of pod p" holds exactly "gpu-0"
      And Unreserve is not reached

      Examples:
        | what                          |
        | a ResourceClaim               |
        | the status of a ResourceClaim |

    @case:a-pod-that-cannot-be-bound-does-not-keep-its-claim
    @KEP-5004/scheduling-phase/unreserve-deletes
    Scenario: A pod that cannot be bound does not keep its claim
      When the next 1 creation of the binding of a Pod by the scheduler ends as InternalError
      And pod "p" is tried
      Then PreBind ends with Success
      And Bind ends with Error
      And Unreserve ends with Success
      And after Unreserve the ResourceClaim "extended resources of pod p" does not exist

    @case:a-finalizer-that-cannot-be-removed-does-not-keep
    @KEP-5004/failure-handling/unreserve-continues-and-is-idempotent @KEP-5004/failure-handling/unreserve-order
    Scenario: A finalizer that cannot be removed does not keep Unreserve from deleting the claim
      When the next 1 update of the status of a Pod by the scheduler ends as Forbidden
      And pod "p" is tried as far as Reserve
      And the next 1 update of a ResourceClaim by the scheduler ends as Conflict
      And pod "p" goes on to be bound
      Then PreBind ends with Error
      And Unreserve ends with Success
      And after Unreserve the ResourceClaim "extended resources of pod p" does not exist

    @case:a-deletion-that-fails-in-unreserve-does-not-keep-the
    @KEP-5004/failure-handling/unreserve-continues-and-is-idempotent
    Scenario: A deletion that fails in Unreserve does not keep the devices in flight
      When the next 1 update of the status of a Pod by the scheduler ends as Forbidden
      And the next 1 deletion of a ResourceClaim by the scheduler ends as InternalError
      And pod "p" is tried
      Then PreBind ends with Error
      And Unreserve ends with Success
      And after Unreserve nothing is in flight
      And after Unreserve the ResourceClaim "extended resources of pod p" has
        | field               | value |
        | metadata.finalizers |       |

  Rule: A claim of an earlier attempt

    Background:
      Given a node "n1"
      And a node "n3"
      And the devices
        | device | node | pool |
        | gpu-0  | n1   | n1   |
        | gpu-1  | n1   | n1   |
        | gpu-0  | n3   | n3   |
      And the fixture "left-over-special-claim"

    @case:where-no-node-can-use-the-claim-postfilter-deletes
    @KEP-5004/failure-handling/node-selector-mismatch @KEP-5004/scheduling-phase/postfilter-deletes-unusable-claim
    Scenario: Where no node can use the claim PostFilter deletes it, and the next attempt makes a new one
      When pod "p" is tried on node "n3"
      Then Filter on node "n3" ends with Unschedulable
      But since Kubernetes 1.34, because a claim of an earlier attempt is never used again: Filter on node "n3" ends with UnschedulableAndUnresolvable
      When pod "p" is tried on node "n3"
      Then after PreBind claim "extended resources of pod p" holds exactly "gpu-0"
      And after Bind the ResourceClaim "p-extended-resources-8s27z" does not exist

    @case:postfilter-leaves-nothing-of-the-claim-and-the-pod
    @KEP-5004/scheduling-phase/postfilter-deletes-unusable-claim
    Scenario: PostFilter leaves nothing of the claim, and the pod is still not schedulable in this attempt
      When pod "p" is tried on node "n3"
      Then Reserve is not reached
      And after PostFilter the ResourceClaim "p-extended-resources-8s27z" does not exist
      But since Kubernetes 1.34, because the document does not say which phase refuses, nor with which code: PostFilter ends with Unschedulable
      But since Kubernetes 1.34, because the document does not say which phase refuses, nor with which code: after PostFilter the ResourceClaim "p-extended-resources-8s27z" does not exist

    @case:that-fails-makes-an-error-of-postfilter
    @KEP-5004/failure-handling/postfilter-failure-is-error
    Scenario Outline: <what> that fails makes an error of PostFilter
      When the next 1 <what> of a ResourceClaim by the scheduler ends as InternalError
      And pod "p" is tried on node "n3"
      Then PostFilter ends with Error
      And Reserve is not reached

      Examples:
        | what     |
        | update   |
        | deletion |

    @case:a-claim-whose-device-is-gone-is-refused-by-prefilter
    @KEP-5004/failure-handling/invalid-claim-unschedulable
    Scenario: A claim whose device is gone is refused by PreFilter
      When somebody deletes the ResourceSlice "n1-slice" in the meantime
      And pod "p" is tried on nodes "n1, n3"
      Then PreFilter ends with Unschedulable
      And Filter is not reached
      And after PostFilter the ResourceClaim "p-extended-resources-8s27z" does not exist
      But since Kubernetes 1.34, because a claim of an earlier attempt is refused node by node: Filter on node "n1" ends with UnschedulableAndUnresolvable
      But since Kubernetes 1.34, because a claim of an earlier attempt is refused node by node: after PostFilter the ResourceClaim "p-extended-resources-8s27z" does not exist

    @case:the-attempt-after-a-creation-whose-answer-was-lost
    @KEP-5004/scheduling-phase/prefilter-looks-up-existing-claim @profile:since-1.34
    Scenario: The attempt after a creation whose answer was lost finds the claim and deletes it, the next one makes it anew
      Given a pod "lost" that requests 1 of "example.com/gpu"
      When the next 1 creation of a ResourceClaim by the scheduler ends as Timeout
      And pod "lost" is tried on node "n3"
      Then PreBind ends with Error
      When pod "lost" is tried on node "n3"
      Then PostFilter ends with Unschedulable
      And after PostFilter the ResourceClaim "extended resources of pod lost" does not exist
      When pod "lost" is tried on node "n3"
      Then after PreBind claim "extended resources of pod lost" holds exactly "gpu-0"

  Rule: Node by node

    Background:
      Given a node "n1" with 2 of "example.com/gpu"
      And a node "n2"
      And the device
        | device | node | pool |
        | gpu-0  | n2   | n2   |
      And a pod "p" that requests 1 of "example.com/gpu"

    @case:on-in-flight
    @KEP-5004/scheduling-phase/filter-fills-requests-only-for-dra-nodes @KEP-5004/scheduling-phase/template-empty-until-filter
    Scenario Outline: On <node> <claims> in flight
      When pod "p" is tried as far as Reserve on node "<node>"
      Then Filter on node "<node>" ends with Success
      And after Reserve <claims> in flight

      Examples:
        | node | claims                                     |
        | n1   | nothing is                                 |
        | n2   | only claim "extended resources of pod p" is |

    @case:a-pod-with-a-claim-of-its-own-needs-no-second-one
    @KEP-5004/scheduling-phase/filter-fills-requests-only-for-dra-nodes
    Scenario: A pod with a claim of its own needs no second one where the node serves its extended resource
      Given the device
        | device | node | pool |
        | nic-0  | n1   | n1   |
      And a claim "own" requesting 1 device
      And a pod "both" that uses claim "own" and requests 1 of "example.com/gpu"
      When pod "both" is tried as far as Reserve on node "n1"
      Then after Reserve only claim "own" is in flight
      But since Kubernetes 1.35, because a claim without requests is planned for a pod with claims: after Reserve only claims "own, extended resources of pod both" are in flight
      When pod "both" goes on to be bound
      Then PreBind ends with Success
      And after PreBind claim "own" holds exactly "nic-0"
      But since Kubernetes 1.35, because nothing can be recorded of the claim without requests: PreBind ends with Error

    @case:of-two-nodes-that-fit-the-first-that-was-filtered-is
    @KEP-5004/scheduling-phase/allocation-kept-per-node
    Scenario: Of two nodes that fit the first that was filtered is reserved with its own variant of the claim
      When pod "p" is tried on nodes "n2, n1"
      Then Filter ends with Success
      And after Bind claim "extended resources of pod p" holds exactly "gpu-0"

    @case:a-pod-that-requests-1-of-on-node-n2
    @KEP-5004/scheduling-phase/noderesources-delegates
    Scenario Outline: A pod that requests 1 of "<resource>" <what> on node n2
      Given a pod "r" that requests 1 of "<resource>"
      When pod "r" is tried on node "n2"
      Then <outcome>

      Examples:
        | resource        | what         | outcome                               |
        | example.com/gpu | fits         | Filter on node "n2" ends with Success |
        | example.com/nic | does not fit | Reserve is not reached                |

    @case:a-pod-without-claims-and-extended-resources-has
    @KEP-5004/scheduling-phase/prefilter-skips-uninvolved-pods
    Scenario: A pod without claims and extended resources has nothing in flight and writes nothing
      Given a pod "plain" without claims
      When the next 1 update of the status of a Pod by the scheduler ends as InternalError
      And pod "plain" is tried on node "n2"
      Then PreFilter ends with Success
      And after Reserve nothing is in flight
      And Bind ends with Success

  Rule: What makes the scheduler try again

    Background:
      Given a pod "p" that requests 1 of "example.com/gpu"
      And a node "n1"

    @case:when-of-a-node-changes-a-pod-without-a-device-is
    @KEP-5004/scheduling-phase/requeue-on-node-allocatable
    Scenario Outline: When <field> of a node changes, a pod without a device is <what>
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
      Examples: what is of no help, of which the document says nothing
        | field                | value         | what            |
        | metadata.annotations | {seen: "yes"} | not tried again |

    @case:a-class-that-serves-the-resource-makes-a-pod-be
    @KEP-5004/class-selection/late-class-unblocks-pending-pod
    Scenario: A class that serves the resource makes a pod be tried again
      When pod "p" is tried
      And somebody creates this object in the meantime
        """
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: other}
        spec: {extendedResourceName: example.com/gpu}
        """
      Then pod "p" is tried again

    @case:a-class-that-is-deleted-does-not-make-a-pod-be-tried
    @KEP-5004/class-selection/late-class-unblocks-pending-pod @profile:since-1.34
    Scenario: A class that is deleted does not make a pod be tried again
      Given a device class "other" for "example.com/gpu"
      When pod "p" is tried
      And somebody deletes the DeviceClass "other" in the meantime
      Then pod "p" is not tried again

  Rule: A pod with a claim of its own

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

    @case:the-special-claim-that-is-given-up-is-deleted-the
    @KEP-5004/scheduling-phase/unreserve-deletes
    Scenario: The special claim that is given up is deleted, the claim of the pod's template stays
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
