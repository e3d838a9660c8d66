@profile:since-1.34
Feature: Scheduling phases of pods with ResourceClaims
  The scheduler checks that the ResourceClaims exist, tries to allocate them on each node, keeps the allocated
  devices in flight, and writes the allocations before it binds the pod.

  Rule: The PreEnqueue phase of the DynamicResources plugin

    Background:
      Given the device
        | device |
        | gpu-0  |

    @case:missing-claim
    @DRA/workflow/missing-claim-blocks-pod @profile:kep
    Scenario: A pod whose ResourceClaim does not exist does not reach Reserve
      Given a pod "p" that uses ResourceClaim "missing"
      When scheduling of pod "p" is attempted
      Then Reserve is not reached
      But since Kubernetes 1.34, because the document names no phases and no codes: PreEnqueue returns UnschedulableAndUnresolvable
      But since Kubernetes 1.34, because the document names no phases and no codes: PreFilter is not reached

    @case:reserved-claim-being-deleted
    @DRA/workflow/missing-claim-blocks-pod
    Scenario: A ResourceClaim that is being deleted cannot be used even by a pod with a reservation
      Given the objects
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: default, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0001}
        spec:
          resourceClaims: [{name: gpu, resourceClaimName: c}]
          containers: [{name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: gpu}]}}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata:
          name: c
          namespace: default
          deletionTimestamp: '2026-01-01T00:00:00Z'
          finalizers: [resource.kubernetes.io/delete-protection]
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
        status:
          allocation: {devices: {results: [{request: r0, driver: dra.example.com, pool: pool-1, device: gpu-0}]}}
          reservedFor: [{resource: pods, name: p, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0001}]
        """
      When scheduling of pod "p" is attempted
      Then PreEnqueue returns UnschedulableAndUnresolvable
      And Reserve is not reached

    @case:generated-for-other-pod
    @DRA/template/claim-bound-to-pod-lifetime @profile:kep
    Scenario Outline: A ResourceClaim generated for another pod cannot satisfy a ResourceClaimTemplate reference
      Given the objects
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: default, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0001}
        spec:
          resourceClaims: [{name: gpu, resourceClaimTemplateName: t}]
          containers: [{name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: gpu}]}}]
        status: {resourceClaimStatuses: [{name: gpu, resourceClaimName: q-gpu-x}]}
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata:
          name: q-gpu-x
          namespace: default
          ownerReferences:
            - {apiVersion: v1, kind: Pod, name: q, uid: 90a7e2a4-7c5e-4a6e-9b7f-6f2f2a1b0001, controller: true}
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
        status: <status>
        """
      When scheduling of pod "p" is attempted
      Then Reserve is not reached
      But since Kubernetes 1.34, because the document names no phases and no codes: PreEnqueue returns UnschedulableAndUnresolvable
      But since Kubernetes 1.34, because the document names no phases and no codes: Reserve is not reached

      Examples:
        | allocated         | status                                                                                                          |
        | not allocated yet | {}                                                                                                              |
        | allocated already | {allocation: {devices: {results: [{request: r0, driver: dra.example.com, pool: pool-1, device: gpu-0}]}}} |

    @case:entry-needs-no-claim
    @API/pod/no-claim-needed @profile:kep
    Scenario Outline: A pod is bound if its status has an entry without a ResourceClaim name
      Given the objects
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: default, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0041}
        spec:
          resourceClaims: [{name: gpu, resourceClaimTemplateName: t}, {name: own, resourceClaimName: c}]
          containers: [{name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: <used>}]}}]
        status: {resourceClaimStatuses: [{name: gpu}]}
        """
      And a ResourceClaim "c" requesting 1 device
      When scheduling of pod "p" is attempted
      Then after PreBind ResourceClaim "c" is allocated exactly "gpu-0"
      And Bind returns Success

      Examples:
        | used |
        | gpu  |
        | own  |

    @case:entry-without-status
    @DRA/workflow/missing-claim-blocks-pod @API/pod/no-claim-needed @profile:kep
    Scenario: A pod is not scheduled while its status lacks one of its two generated ResourceClaims
      Given the objects
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: default, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0042}
        spec:
          resourceClaims: [{name: gpu, resourceClaimTemplateName: t}, {name: other, resourceClaimTemplateName: t}]
          containers: [{name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: gpu}]}}]
        status: {resourceClaimStatuses: [{name: gpu}]}
        """
      When scheduling of pod "p" is attempted
      Then Reserve is not reached

    @case:own-claim-created
    @DRA/workflow/unmet-request-waits @profile:kep
    Scenario: A created ResourceClaim requeues only pods that reference it
      Given a pod "p" that uses ResourceClaim "c"
      When scheduling of pod "p" is attempted
      And another client creates this object
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: other, namespace: default}
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
        """
      Then since Kubernetes 1.34, because the document does not say which changes cannot help a pod: pod "p" is not retried
      When another client creates this object
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: c, namespace: default}
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
        """
      Then pod "p" is retried

  Rule: The Filter phase of the DynamicResources plugin

    Background:
      Given a node "n1"
      And a node "n2"
      And the device
        | device | node | pool |
        | gpu-0  | n2   | n2   |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"

    @case:only-node-with-device
    @DRA/workflow/filter-criteria @DRA/workflow/pod-lands-where-device-is @profile:kep
    Scenario: A pod is scheduled to the node with the device, not to a node without a device
      When scheduling of pod "p" is attempted
      Then Reserve on node "n2" returns Success
      But since Kubernetes 1.34, because the document names no phases and no codes: Filter on node "n1" returns UnschedulableAndUnresolvable
      But since Kubernetes 1.34, because the document names no phases and no codes: Filter on node "n2" returns Success
      But since Kubernetes 1.34, because the document names no phases and no codes: Reserve on node "n2" returns Success

    @case:device-in-flight
    @DRA/workflow/filter-criteria @profile:kep
    Scenario: A device in flight for one pod is not available to another pod
      Given a ResourceClaim "d" requesting 1 device
      And a pod "q" that uses ResourceClaim "d"
      When scheduling of pod "p" up to Reserve is attempted
      And scheduling of pod "q" is attempted
      Then Reserve is not reached
      But since Kubernetes 1.34, because the document names no phases and no codes: Filter on node "n2" returns UnschedulableAndUnresolvable
      But since Kubernetes 1.34, because the document names no phases and no codes: Reserve is not reached
      But since Kubernetes 1.34, because the document names no phases and no codes: after PostFilter only ResourceClaim "c" is in flight

    @case:device-released-by-unreserve
    @DRA/workflow/filter-criteria
    Scenario: A device in flight is available again after the scheduling attempt is aborted
      Given a ResourceClaim "d" requesting 1 device
      And a pod "q" that uses ResourceClaim "d"
      When scheduling of pod "p" up to Reserve is attempted
      And the scheduling attempt of pod "p" is aborted
      Then after Unreserve no ResourceClaim is in flight
      And after Unreserve ResourceClaim "c" is not allocated
      When scheduling of pod "q" is attempted
      Then after PreBind ResourceClaim "d" is allocated exactly "gpu-0"

    @case:claim-allocated-on-other-node
    @DRA/workflow/pod-lands-where-device-is @profile:kep
    Scenario: An allocated ResourceClaim restricts its next pod to the node of its device
      Given a pod "first" that uses ResourceClaim "c"
      When scheduling of pod "first" is attempted
      Then Bind on node "n2" returns Success
      When scheduling of pod "p" is attempted
      Then Bind on node "n2" returns Success
      And after PreBind ResourceClaim "c" is reserved for pods "first, p"
      But since Kubernetes 1.34, because the document names no phases and no codes: Filter on node "n1" returns UnschedulableAndUnresolvable
      But since Kubernetes 1.34, because the document names no phases and no codes: Filter on node "n2" returns Success
      But since Kubernetes 1.34, because the document names no phases and no codes: after PreBind ResourceClaim "c" is reserved for pods "first, p"

    @case:one-of-two-claims-on-other-node
    @DRA/workflow/pod-lands-where-device-is @profile:kep
    Scenario Outline: A pod with two allocated ResourceClaims is restricted to the node that both allow
      Given the devices
        | device | node | pool |
        | nic-0  | *    | nics |
      And a ResourceClaim "everywhere" requesting 1 device
      And ResourceClaim "everywhere" is already allocated
        | device | pool |
        | nic-0  | nics |
      And a pod "first" that uses ResourceClaim "c"
      And a pod "q" that uses ResourceClaims "<claims>"
      When scheduling of pod "first" is attempted
      Then Bind on node "n2" returns Success
      When scheduling of pod "q" is attempted
      Then Bind on node "n2" returns Success
      But since Kubernetes 1.34, because the document names no phases and no codes: Filter on node "n1" returns UnschedulableAndUnresolvable
      But since Kubernetes 1.34, because the document names no phases and no codes: Filter on node "n2" returns Success
      But since Kubernetes 1.34, because the document names no phases and no codes: Bind on node "n2" returns Success

      Examples:
        | which  | claims        |
        | first  | c, everywhere |
        | second | everywhere, c |

  Rule: Reserve, PreBind and Unreserve of one ResourceClaim

    Background:
      Given the device
        | device |
        | gpu-0  |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      And a pod "q" that uses ResourceClaim "c"

    @case:claim-in-flight-for-other-pod
    @DRA/workflow/allocation-written-before-binding
    Scenario: A pod cannot use a ResourceClaim in flight for another pod until its allocation is written
      When scheduling of pod "p" up to Reserve is attempted
      Then after Reserve ResourceClaim "c" is not allocated
      When scheduling of pod "q" is attempted
      Then PreFilter returns UnschedulableAndUnresolvable
      And Filter is not reached
      When the binding cycle of pod "p" runs
      Then after PreBind ResourceClaim "c" is allocated exactly "gpu-0"
      And after PreBind no ResourceClaim is in flight
      When scheduling of pod "q" is attempted
      Then after PreBind ResourceClaim "c" is reserved for pods "p, q"

    @case:third-pod-added-to-reservations
    @DRA/claim/shared-by-several-pods @profile:kep
    Scenario: The reservation for a third pod is added to those for the first two
      Given a pod "r" that uses ResourceClaim "c"
      When scheduling of pod "p" is attempted
      And scheduling of pod "q" is attempted
      And scheduling of pod "r" is attempted
      Then Bind returns Success
      And after Bind ResourceClaim "c" is reserved for pods "p, q, r"

    @case:second-claim-in-flight
    @DRA/workflow/allocation-written-before-binding
    Scenario: A pod does not reach Filter while its second ResourceClaim is in flight for another pod
      Given the device
        | device | pool |
        | gpu-1  | more |
      And a ResourceClaim "e" requesting 1 device
      And a pod "r" that uses ResourceClaims "e, c"
      When scheduling of pod "p" up to Reserve is attempted
      And scheduling of pod "r" is attempted
      Then PreFilter returns UnschedulableAndUnresolvable
      And Filter is not reached

    @case:allocated-claim-stays-allocated
    @API/reservation/given-back @profile:kep
    Scenario: An allocated ResourceClaim stays allocated if a second pod's scheduling is aborted
      When scheduling of pod "p" is attempted
      Then after Bind ResourceClaim "c" is reserved for pod "p"
      When scheduling of pod "q" up to Reserve is attempted
      Then after Reserve no ResourceClaim is in flight
      When the scheduling attempt of pod "q" is aborted
      Then after Unreserve ResourceClaim "c" is allocated exactly "gpu-0"
      And after Unreserve ResourceClaim "c" is reserved for pod "p"

    @case:written-before-binding
    @DRA/workflow/allocation-written-before-binding @profile:kep
    Scenario: The allocation and the reservation are written before the pod is bound
      When scheduling of pod "p" up to PreBind is attempted
      Then after PreBind ResourceClaim "c" is allocated exactly "gpu-0"
      And after PreBind ResourceClaim "c" is reserved for pod "p"
      And after PreBind pod "p" has
        | field         | value |
        | spec.nodeName |       |

    @case:failed-write-prevents-binding
    @DRA/workflow/allocation-written-before-binding
    Scenario Outline: A pod is not bound and its device is released if an update of the ResourceClaim fails
      When the next 1 <what> of a ResourceClaim by the scheduler fails with <reason>
      And scheduling of pod "p" is attempted
      Then Bind is not reached
      And after Unreserve no ResourceClaim is in flight
      And after Unreserve ResourceClaim "c" is not allocated
      And after Unreserve pod "p" has
        | field         | value |
        | spec.nodeName |       |
      But since Kubernetes 1.34, because the document names no phases and no codes: PreBind returns Error
      But since Kubernetes 1.34, because the document names no phases and no codes: Bind is not reached
      But since Kubernetes 1.34, because the document names no phases and no codes: Unreserve returns Success
      But since Kubernetes 1.34, because the document names no phases and no codes: after Unreserve no ResourceClaim is in flight
      But since Kubernetes 1.34, because the document names no phases and no codes: after Unreserve ResourceClaim "c" is not allocated
      But since Kubernetes 1.34, because the document names no phases and no codes: after Unreserve pod "p" has
        | field         | value |
        | spec.nodeName |       |

      Examples:
        | what                 | reason             |
        | update               | InternalError      |
        | update               | Forbidden          |
        | update of the status | ServiceUnavailable |

      @profile:kep
      Examples: a write that a retry cannot fix
        | what                 | reason    |
        | update of the status | Forbidden |

    @case:foreign-allocation-kept
    @DRA/workflow/allocation-written-before-binding @API/allocation/immutable @profile:kep
    Scenario: PreBind does not overwrite an allocation that another client has written after Reserve
      When scheduling of pod "p" up to Reserve is attempted
      And another client updates ResourceClaim "c" with
        | field             | value                                                                                            |
        | status.allocation | {devices: {results: [{request: r0, driver: dra.example.com, pool: pool-1, device: gpu-9}]}} |
      And the binding cycle of pod "p" runs
      Then Bind is not reached
      And after PreBind ResourceClaim "c" is allocated exactly "gpu-9"
      But since Kubernetes 1.34, because the document names no phases and no codes: PreBind returns Error
      But since Kubernetes 1.34, because the document names no phases and no codes: Bind is not reached
      But since Kubernetes 1.34, because the document names no phases and no codes: after PreBind ResourceClaim "c" is allocated exactly "gpu-9"

    @case:deallocated-meanwhile
    @DRA/workflow/allocation-written-before-binding
    Scenario: A pod is not bound if another client deallocates its ResourceClaim after Reserve
      Given ResourceClaim "c" is already allocated
        | device |
        | gpu-0  |
      When scheduling of pod "p" up to Reserve is attempted
      And another client updates ResourceClaim "c" with
        | field             | value |
        | status.allocation |       |
      And the binding cycle of pod "p" runs
      Then PreBind returns Error
      And Bind is not reached
      And after PreBind ResourceClaim "c" is not allocated

    @case:next-attempt-after-failed-write
    @DRA/workflow/allocation-written-before-binding @DRA/workflow/filter-criteria @profile:kep
    Scenario: The scheduling attempt after a failed status update allocates the device
      When the next 1 update of the status of a ResourceClaim by the scheduler fails with Forbidden
      And scheduling of pod "p" is attempted
      Then Bind is not reached
      But since Kubernetes 1.34, because the document names no phases and no codes: PreBind returns Error
      When scheduling of pod "p" is attempted
      Then Bind returns Success
      And after Bind ResourceClaim "c" is allocated exactly "gpu-0"
      And after Bind ResourceClaim "c" is reserved for pod "p"

    @case:earlier-reservation-removed
    @API/reservation/given-back
    Scenario: Unreserve also removes a reservation that the pod had before the scheduling attempt
      Given the objects
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: r, namespace: default, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0001}
        spec:
          resourceClaims: [{name: e, resourceClaimName: e}]
          containers: [{name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: e}]}}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: e, namespace: default, finalizers: [resource.kubernetes.io/delete-protection]}
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
        status:
          allocation: {devices: {results: [{request: r0, driver: dra.example.com, pool: pool-1, device: gpu-0}]}}
          reservedFor: [{resource: pods, name: r, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0001}]
        """
      When scheduling of pod "r" up to PreBind is attempted
      And the scheduling attempt of pod "r" is aborted
      Then after Unreserve ResourceClaim "e" is reserved for no pod
      And after Unreserve ResourceClaim "e" is allocated exactly "gpu-0"

    @case:own-reservation-removed
    @API/reservation/given-back
    Scenario: Unreserve removes only the reservation of the pod whose scheduling is aborted
      Given ResourceClaim "c" is already allocated
        | device |
        | gpu-0  |
      When scheduling of pod "q" is attempted
      And scheduling of pod "p" up to PreBind is attempted
      Then after PreBind ResourceClaim "c" is reserved for pods "p, q"
      When the scheduling attempt of pod "p" is aborted
      Then after Unreserve ResourceClaim "c" is reserved for pod "q"
      And after Unreserve ResourceClaim "c" is allocated exactly "gpu-0"

    @case:one-of-256-reservations
    @DRA/claim/shared-by-several-pods @API/reservation/number @profile:kep
    Scenario: A pod is bound if it has one of the 256 reservations of its ResourceClaim
      Given the objects
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: user, namespace: default, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0001}
        spec:
          resourceClaims: [{name: gpu, resourceClaimName: c}]
          containers: [{name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: gpu}]}}]
        """
      And ResourceClaim "c" is already allocated
        | device |
        | gpu-0  |
      When another client updates ResourceClaim "c" with
        | field                      | value                                                      |
        | status.reservedFor[0..255] | {resource: jobs, apiGroup: batch, name: job-#, uid: job-#} |
      And another client updates ResourceClaim "c" with
        | field                   | value                                                                   |
        | status.reservedFor[255] | {resource: pods, name: user, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0001} |
      And scheduling of pod "user" is attempted
      Then Bind returns Success

    @case:last-reservation
    @DRA/claim/shared-by-several-pods @API/reservation/number @profile:kep
    Scenario Outline: A pod can take the 256th reservation of a ResourceClaim, and no pod the 257th
      Given ResourceClaim "c" is already allocated
        | device |
        | gpu-0  |
      When another client updates ResourceClaim "c" with
        | field                         | value                                                      |
        | status.reservedFor[0..<last>] | {resource: jobs, apiGroup: batch, name: job-#, uid: job-#} |
      And scheduling of pod "p" is attempted
      Then <what>

      Examples:
        | last | what                |
        | 254  | Bind returns Success |
        | 255  | Bind is not reached  |

  Rule: Pods with several ResourceClaims

    Background:
      Given the devices
        | device |
        | gpu-0  |
        | gpu-1  |
      And a ResourceClaim "c" requesting 1 device
      And a ResourceClaim "d" requesting 1 device
      And a pod "p" that uses ResourceClaims "c, d"

    @case:both-claims-in-flight
    @DRA/workflow/all-claims-of-a-pod-together
    Scenario: Both ResourceClaims of a pod are in flight together and written together
      When scheduling of pod "p" up to Reserve is attempted
      Then after Reserve only ResourceClaims "c, d" are in flight
      When the binding cycle of pod "p" runs
      Then after PreBind no ResourceClaim is in flight
      And after PreBind ResourceClaim "c" is reserved for pod "p"
      And after PreBind ResourceClaim "d" is reserved for pod "p"

    @case:shared-claim-with-own-claims
    @DRA/claim/shared-by-several-pods @DRA/workflow/all-claims-of-a-pod-together @profile:kep
    Scenario Outline: A pod with a new ResourceClaim reserves the ResourceClaims that other pods already use
      Given ResourceClaim "s" is already allocated
        | device |
        | gpu-2  |
      And ResourceClaim "t" is already allocated
        | device |
        | gpu-3  |
      And a pod "first" that uses ResourceClaims "s, t"
      And a pod "second" that uses ResourceClaims "<claims>"
      When scheduling of pod "first" is attempted
      And scheduling of pod "second" up to PreBind is attempted
      Then after PreBind ResourceClaim "s" is reserved for pods "first, second"
      And after PreBind ResourceClaim "t" is reserved for pods "first, second"
      And after PreBind ResourceClaim "c" is reserved for pod "second"
      When the scheduling attempt of pod "second" is aborted
      Then after Unreserve ResourceClaim "s" is allocated exactly "gpu-2"
      And after Unreserve ResourceClaim "t" is allocated exactly "gpu-3"
      But since Kubernetes 1.34, because the document does not say that an aborted attempt removes reservations: after Unreserve ResourceClaim "s" is reserved for pod "first"
      But since Kubernetes 1.34, because the document does not say that an aborted attempt removes reservations: after Unreserve ResourceClaim "t" is reserved for pod "first"
      But since Kubernetes 1.34, because the document does not say that an aborted attempt removes reservations: after Unreserve ResourceClaim "c" is reserved for no pod

      @key:claims
      Examples:
        | claims  |
        | s, t, c |
        | c, s, t |
        | s, c, t |

    @case:both-reservations-removed
    @API/reservation/given-back
    Scenario: Unreserve removes the reservations of both ResourceClaims of a pod
      When scheduling of pod "p" up to PreBind is attempted
      Then after PreBind ResourceClaim "d" is reserved for pod "p"
      When the scheduling attempt of pod "p" is aborted
      Then after Unreserve ResourceClaim "c" is reserved for no pod
      And after Unreserve ResourceClaim "d" is reserved for no pod

    @case:second-claim-write-fails
    @API/reservation/given-back
    Scenario: A pod's first ResourceClaim stays allocated but unreserved if the second is deleted
      When scheduling of pod "p" up to Reserve is attempted
      And another client deletes ResourceClaim "d"
      And the binding cycle of pod "p" runs
      Then PreBind returns Error
      And after PreBind only ResourceClaims "c, d" are in flight
      And after Unreserve ResourceClaim "c" is reserved for no pod
      And after Unreserve ResourceClaim "c" is allocated exactly "gpu-0"
      And after Unreserve no ResourceClaim is in flight
      But until Kubernetes 1.36, because an allocation is in flight only until the write of its claim has succeeded or failed: PreBind returns Error
      But until Kubernetes 1.36, because an allocation is in flight only until the write of its claim has succeeded or failed: after PreBind no ResourceClaim is in flight

    @case:postfilter-unused-claim
    @DRA/workflow/pod-lands-where-device-is
    Scenario: PostFilter deallocates an unused ResourceClaim, and the next attempt allocates it again
      Given a node "n1"
      And a node "n2"
      And the devices
        | device | node | pool |
        | gpu-0  | n1   | n1   |
        | gpu-0  | n2   | n2   |
      And a ResourceClaim "e" requesting 1 device
      And a pod "q" that uses ResourceClaim "e"
      When scheduling of pod "q" up to PreBind on node "n1" is attempted
      And the scheduling attempt of pod "q" is aborted
      Then after Unreserve ResourceClaim "e" is allocated exactly "gpu-0"
      When scheduling of pod "q" on node "n2" is attempted
      Then Filter on node "n2" returns UnschedulableAndUnresolvable
      And PostFilter returns Unschedulable
      And after PostFilter ResourceClaim "e" is not allocated
      When scheduling of pod "q" on node "n2" is attempted
      Then Bind on node "n2" returns Success

    @case:postfilter-reserved-for-pod-only
    @DRA/workflow/pod-lands-where-device-is
    Scenario: PostFilter deallocates a ResourceClaim that is reserved only for the pod itself
      Given a node "n1"
      And a node "n2"
      And the devices
        | device | node | pool |
        | gpu-0  | n1   | n1   |
        | gpu-0  | n2   | n2   |
      And the objects
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: q, namespace: default, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0001}
        spec:
          resourceClaims: [{name: gpu, resourceClaimName: e}]
          containers: [{name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: gpu}]}}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: e, namespace: default, finalizers: [resource.kubernetes.io/delete-protection]}
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
        status:
          allocation:
            devices: {results: [{request: r0, driver: dra.example.com, pool: n1, device: gpu-0}]}
            nodeSelector: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [n1]}]}]}
          reservedFor:
            - {resource: pods, name: q, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0001}
        """
      When scheduling of pod "q" on node "n2" is attempted
      Then PostFilter returns Unschedulable
      And after PostFilter ResourceClaim "e" is not allocated

    @case:postfilter-one-of-two-claims
    @DRA/workflow/pod-lands-where-device-is
    Scenario Outline: PostFilter deallocates only the unused ResourceClaim of a pod's two ResourceClaims
      Given a node "n1"
      And a node "n2"
      And the devices
        | device | node | pool |
        | gpu-0  | n1   | n1   |
        | gpu-1  | n1   | n1   |
        | gpu-0  | n2   | n2   |
      And a ResourceClaim "used" requesting 1 device
      And a ResourceClaim "unused" requesting 1 device
      And a pod "s" that uses ResourceClaim "used"
      And a pod "t" that uses ResourceClaim "unused"
      And a pod "q" that uses ResourceClaims "<claims>"
      When scheduling of pod "s" on node "n1" is attempted
      And scheduling of pod "t" up to PreBind on node "n1" is attempted
      And the scheduling attempt of pod "t" is aborted
      And scheduling of pod "q" on node "n2" is attempted
      Then PostFilter returns Unschedulable
      And after PostFilter ResourceClaim "unused" is not allocated
      And after PostFilter ResourceClaim "used" is reserved for pod "s"

      Examples:
        | place  | claims       |
        | first  | unused, used |
        | second | used, unused |

    @case:postfilter-used-by-other-pod
    @DRA/workflow/pod-lands-where-device-is @API/reservation/of-each-user @profile:kep
    Scenario: PostFilter does not deallocate a ResourceClaim that another pod uses
      Given a node "n1"
      And a node "n2"
      And the devices
        | device | node | pool |
        | gpu-0  | n1   | n1   |
        | gpu-0  | n2   | n2   |
      And a ResourceClaim "e" requesting 1 device
      And a pod "q" that uses ResourceClaim "e"
      And a pod "r" that uses ResourceClaim "e"
      When scheduling of pod "r" on node "n1" is attempted
      And scheduling of pod "q" on node "n2" is attempted
      Then Reserve is not reached
      And after PostFilter ResourceClaim "e" is reserved for pod "r"
      But since Kubernetes 1.34, because the document names no phases and no codes: PostFilter returns Unschedulable
      But since Kubernetes 1.34, because the document names no phases and no codes: after PostFilter ResourceClaim "e" is allocated exactly "gpu-0"

    @case:postfilter-used-by-both-pods
    @DRA/workflow/pod-lands-where-device-is @API/reservation/of-each-user @profile:kep
    Scenario: PostFilter does not deallocate a ResourceClaim reserved for the pod and another pod
      Given a node "n1"
      And a node "n2"
      And the devices
        | device | node | pool |
        | gpu-0  | n1   | n1   |
        | gpu-0  | n2   | n2   |
      And the objects
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: q, namespace: default, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0001}
        spec:
          resourceClaims: [{name: gpu, resourceClaimName: e}]
          containers: [{name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: gpu}]}}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: e, namespace: default, finalizers: [resource.kubernetes.io/delete-protection]}
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
        status:
          allocation:
            devices: {results: [{request: r0, driver: dra.example.com, pool: n1, device: gpu-0}]}
            nodeSelector: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [n1]}]}]}
          reservedFor:
            - {resource: pods, name: q, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0001}
            - {resource: pods, name: r, uid: 90a7e2a4-7c5e-4a6e-9b7f-6f2f2a1b0001}
        """
      When scheduling of pod "q" on node "n2" is attempted
      Then Reserve is not reached
      And after PostFilter ResourceClaim "e" is allocated exactly "gpu-0"
      But since Kubernetes 1.34, because the document names no phases and no codes: PostFilter returns Unschedulable
      But since Kubernetes 1.34, because the document names no phases and no codes: after PostFilter ResourceClaim "e" is allocated exactly "gpu-0"

    @case:second-claim-unmet
    @DRA/workflow/all-claims-of-a-pod-together @profile:kep
    Scenario: No ResourceClaim of a pod is in flight if its second ResourceClaim cannot be allocated
      Given a ResourceClaim "e" requesting 2 devices
      And a pod "q" that uses ResourceClaims "c, e"
      When scheduling of pod "q" is attempted
      Then Reserve is not reached
      And after PostFilter no ResourceClaim is in flight
      And after PostFilter ResourceClaim "c" is not allocated
      But since Kubernetes 1.34, because the document names no phases and no codes: Filter on node "node-1" returns UnschedulableAndUnresolvable
      But since Kubernetes 1.34, because the document names no phases and no codes: after PostFilter no ResourceClaim is in flight
      But since Kubernetes 1.34, because the document names no phases and no codes: after PostFilter ResourceClaim "c" is not allocated

  Rule: PostFilter on a full node

    @case:postfilter-full-node
    @DRA/workflow/filter-criteria
    Scenario: PostFilter does not deallocate a ResourceClaim if the node of its device lacks only CPU
      Given a node "n1" with allocatable 1 of "cpu"
      And the device
        | device | node | pool |
        | gpu-0  | n1   | n1   |
      And ResourceClaim "d" is already allocated
        | device | pool |
        | gpu-0  | n1   |
      And a pod "q" with the container
        | container | request cpu | claims |
        | main      | 2           | d      |
      When scheduling of pod "q" is attempted
      Then Reserve is not reached
      And after PostFilter ResourceClaim "d" is allocated exactly "gpu-0"

  Rule: The node selector of an allocation

    @case:second-selector-term
    @API/allocation/node-selector @profile:kep
    Scenario: A pod is bound to a node that the second term of a claim's node selector matches
      Given a node "n2"
      And the device
        | device | node | pool |
        | gpu-0  | n2   | n2   |
      And the object
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: e, namespace: default, finalizers: [resource.kubernetes.io/delete-protection]}
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
        status:
          allocation:
            devices: {results: [{request: r0, driver: dra.example.com, pool: n2, device: gpu-0}]}
            nodeSelector:
              nodeSelectorTerms:
                - matchFields: [{key: metadata.name, operator: In, values: [n1]}]
                - matchFields: [{key: metadata.name, operator: In, values: [n2]}]
        """
      And a pod "q" that uses ResourceClaim "e"
      When scheduling of pod "q" is attempted
      Then Bind returns Success

    @case:no-selector-term
    @DRA/node-access/node-name @profile:kep
    Scenario: A pod is not bound to a node that no term of a claim's node selector matches
      Given a node "n3"
      And the device
        | device | node | pool |
        | gpu-0  | n3   | n3   |
      And the object
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: e, namespace: default, finalizers: [resource.kubernetes.io/delete-protection]}
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
        status:
          allocation:
            devices: {results: [{request: r0, driver: dra.example.com, pool: n3, device: gpu-0}]}
            nodeSelector:
              nodeSelectorTerms:
                - matchFields: [{key: metadata.name, operator: In, values: [n1]}]
                - matchFields: [{key: metadata.name, operator: In, values: [n2]}]
          reservedFor:
            - {resource: pods, name: r, uid: 90a7e2a4-7c5e-4a6e-9b7f-6f2f2a1b0001}
        """
      And a pod "q" that uses ResourceClaim "e"
      When scheduling of pod "q" is attempted
      Then Reserve is not reached

  Rule: Events that retry the scheduling of a pod

    Background:
      Given a node "node-1"
      And a DeviceClass "any"
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"

    @case:unallocated-claim-deleted
    @DRA/workflow/unmet-request-waits
    Scenario: Deleting another, unallocated ResourceClaim does not requeue a pod
      Given a ResourceClaim "d" requesting 1 device
      When scheduling of pod "p" is attempted
      And another client deletes ResourceClaim "d"
      Then pod "p" is not retried

    @case:label-on-own-claim
    @DRA/workflow/unmet-request-waits
    Scenario: A new label on a pod's ResourceClaim does not requeue the pod
      When scheduling of pod "p" is attempted
      And another client updates ResourceClaim "c" with
        | field           | value            |
        | metadata.labels | {team: graphics} |
      Then pod "p" is not retried

    @case:node-label-not-annotation
    @DRA/workflow/unmet-request-waits
    Scenario: A changed node label requeues a pod, but a changed node annotation does not
      When scheduling of pod "p" is attempted
      And another client updates node "node-1" with
        | field                | value       |
        | metadata.annotations | {seen: "1"} |
      Then pod "p" is not retried
      When another client updates node "node-1" with
        | field           | value     |
        | metadata.labels | {zone: b} |
      Then pod "p" is retried

    @case:other-claim-missing
    @DRA/workflow/unmet-request-waits @profile:kep
    Scenario: A pod is requeued when its missing ResourceClaim is created
      Given a pod "q" that uses ResourceClaims "c, missing"
      When scheduling of pod "q" is attempted
      And another client updates ResourceClaim "c" with
        | field              | value                                                                                                 |
        | status.reservedFor | [{resource: jobs, apiGroup: batch, name: j, uid: 90a7e2a4-7c5e-4a6e-9b7f-6f2f2a1b0001}] |
      Then since Kubernetes 1.34, because the document does not say which changes cannot help a pod: pod "q" is not retried
      When another client creates this object
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: missing, namespace: default}
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
        """
      Then pod "q" is retried

    @case:slice-created-or-changed
    @DRA/workflow/unmet-request-waits @profile:kep
    Scenario: A created or changed ResourceSlice requeues a pod
      When scheduling of pod "p" is attempted
      And another client creates this object
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: late}
        spec:
          driver: dra.example.com
          nodeName: node-1
          pool: {name: late, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0}]
        """
      Then pod "p" is retried
      When another client updates ResourceSlice "late" with
        | field        | value                          |
        | spec.devices | [{name: gpu-0}, {name: gpu-1}] |
      Then pod "p" is retried

    @case:one-change-for-two-pods
    @DRA/workflow/unmet-request-waits @profile:kep
    Scenario: A created ResourceSlice requeues each of two pods
      Given a ResourceClaim "d" requesting 1 device
      And a pod "q" that uses ResourceClaim "d"
      When scheduling of pod "p" is attempted
      And scheduling of pod "q" is attempted
      And another client creates this object
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: late}
        spec:
          driver: dra.example.com
          nodeName: node-1
          pool: {name: late, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0}, {name: gpu-1}]
        """
      Then pod "p" is retried
      And pod "q" is retried

    @case:class-created-or-changed
    @DRA/workflow/unmet-request-waits @profile:kep
    Scenario: A created or changed DeviceClass requeues a pod
      Given the device
        | device | attribute size |
        | gpu-0  | string small   |
      And a ResourceClaim "d" requesting 1 device of class "of-size"
      And a pod "q" that uses ResourceClaim "d"
      When scheduling of pod "q" is attempted
      Then Reserve is not reached
      When another client creates this object
        """
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: of-size}
        spec: {selectors: [{cel: {expression: 'device.attributes["dra.example.com"].size == "large"'}}]}
        """
      Then pod "q" is retried
      When scheduling of pod "q" is attempted
      Then Reserve is not reached
      When another client updates DeviceClass "of-size" with
        | field                            | value                                                |
        | spec.selectors[0].cel.expression | device.attributes["dra.example.com"].size == "small" |
      Then pod "q" is retried
      When scheduling of pod "q" is attempted
      Then Bind returns Success

    @case:slice-deleted
    @DRA/workflow/unmet-request-waits
    Scenario: A deleted ResourceSlice does not requeue a pod
      Given the device
        | device |
        | gpu-0  |
      And ResourceClaim "held" is already allocated
        | device |
        | gpu-0  |
      When scheduling of pod "p" is attempted
      And another client deletes ResourceSlice "pool-1-slice"
      Then pod "p" is not retried

    @case:other-claim-deallocated
    @DRA/workflow/unmet-request-waits @profile:kep
    Scenario: Deallocating another pod's ResourceClaim requeues a pod, but labelling it does not
      Given the device
        | device |
        | gpu-0  |
      And ResourceClaim "held" is already allocated
        | device |
        | gpu-0  |
      When scheduling of pod "p" is attempted
      Then Reserve is not reached
      But since Kubernetes 1.34, because the document names no phases and no codes: Filter on node "node-1" returns UnschedulableAndUnresolvable
      When another client updates ResourceClaim "held" with
        | field           | value       |
        | metadata.labels | {seen: "1"} |
      Then since Kubernetes 1.34, because the document does not say which changes cannot help a pod: pod "p" is not retried
      When another client updates ResourceClaim "held" with
        | field             | value |
        | status.allocation |       |
      Then pod "p" is retried
      When scheduling of pod "p" is attempted
      Then after PreBind ResourceClaim "c" is allocated exactly "gpu-0"

    @case:own-claim-allocated
    @DRA/workflow/unmet-request-waits @profile:kep
    Scenario: A pod is requeued when its ResourceClaim is allocated by another client
      Given the device
        | device |
        | gpu-0  |
      And ResourceClaim "held" is already allocated
        | device |
        | gpu-0  |
      When scheduling of pod "p" is attempted
      Then Reserve is not reached
      When another client updates ResourceClaim "c" with
        | field                             | value                                                                   |
        | status.allocation.devices.results | [{request: r0, driver: nic.example.com, pool: fabric, device: nic-0}] |
      Then pod "p" is retried

    @case:allocated-claim-deleted
    @DRA/workflow/unmet-request-waits @profile:kep
    Scenario: Deleting another, allocated ResourceClaim requeues a pod
      Given the device
        | device |
        | gpu-0  |
      And ResourceClaim "held" is already allocated
        | device |
        | gpu-0  |
      When scheduling of pod "p" is attempted
      And another client deletes ResourceClaim "held"
      Then pod "p" is retried
      But until Kubernetes 1.36, because these releases expect that a claim is deallocated before its deletion: pod "p" is not retried

    @case:node-created-or-deleted
    @DRA/workflow/unmet-request-waits
    Scenario: A created node requeues a pod, but a deleted node does not
      When scheduling of pod "p" is attempted
      And another client creates this object
        """
        apiVersion: v1
        kind: Node
        metadata: {name: node-2}
        """
      Then pod "p" is retried
      When another client deletes node "node-2"
      Then pod "p" is not retried

    @case:status-names-generated-claim
    @DRA/workflow/unmet-request-waits @profile:kep
    Scenario: A pod is requeued only when its status names its generated ResourceClaim
      Given the device
        | device |
        | gpu-0  |
      And the object
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: q, namespace: default, uid: 5b3c2d1e-77aa-4c33-9d0a-1f2e3d4c5b03}
        spec:
          resourceClaims: [{name: gpu, resourceClaimTemplateName: t}]
          containers: [{name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: gpu}]}}]
        """
      When scheduling of pod "q" is attempted
      Then Reserve is not reached
      But since Kubernetes 1.34, because the document names no phases and no codes: PreEnqueue returns UnschedulableAndUnresolvable
      When another client updates pod "q" with
        | field           | value       |
        | metadata.labels | {seen: "1"} |
      Then since Kubernetes 1.34, because the document does not say which changes cannot help a pod: pod "q" is not retried
      When another client creates this object
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata:
          name: q-gpu
          namespace: default
          annotations: {resource.kubernetes.io/pod-claim-name: gpu}
          ownerReferences: [{apiVersion: v1, kind: Pod, name: q, uid: 5b3c2d1e-77aa-4c33-9d0a-1f2e3d4c5b03, controller: true}]
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
        """
      Then since Kubernetes 1.34, because the document does not say which changes cannot help a pod: pod "q" is not retried
      When another client updates pod "q" with
        | field                        | value                                     |
        | status.resourceClaimStatuses | [{name: gpu, resourceClaimName: q-gpu}]   |
      Then pod "q" is retried

  Rule: Failed writes for the second ResourceClaim of a pod

    @case:second-claim-update-fails
    @DRA/workflow/allocation-written-before-binding @API/reservation/given-back @profile:kep
    Scenario: A pod is not bound if the write of its second ResourceClaim fails
      Given the devices
        | device |
        | gpu-0  |
        | gpu-1  |
      And a ResourceClaim "c" requesting 1 device
      And a ResourceClaim "d" requesting 1 device
      And ResourceClaim "c" is already allocated
        | device |
        | gpu-0  |
      And a pod "p" that uses ResourceClaims "c, d"
      When the next 1 update of a ResourceClaim by the scheduler fails with Forbidden
      And scheduling of pod "p" is attempted
      Then Bind is not reached
      And after Unreserve ResourceClaim "d" is reserved for no pod
      And after Unreserve no ResourceClaim is in flight
      But since Kubernetes 1.34, because the document does not say that an aborted attempt removes reservations: PreBind returns Error
      But since Kubernetes 1.34, because the document does not say that an aborted attempt removes reservations: Bind is not reached
      But since Kubernetes 1.34, because the document does not say that an aborted attempt removes reservations: after Unreserve ResourceClaim "c" is reserved for no pod
      But since Kubernetes 1.34, because the document does not say that an aborted attempt removes reservations: after Unreserve ResourceClaim "d" is reserved for no pod
      But since Kubernetes 1.34, because the document does not say that an aborted attempt removes reservations: after Unreserve no ResourceClaim is in flight
