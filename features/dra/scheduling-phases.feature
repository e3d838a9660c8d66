@profile:since-1.34
Feature: Scheduling phases of pods with ResourceClaims
  The scheduler checks that the ResourceClaims exist, tries to allocate them on each node, keeps the allocated
  devices in flight, and writes the allocations before it binds the pod.

  Rule: PreEnqueue

    Background:
      Given the device
        | device |
        | gpu-0  |

    @case:missing-claim
    @DRA/workflow/missing-claim-blocks-pod @profile:kep
    Scenario: A pod whose ResourceClaim does not exist does not reach Reserve
      Given a pod "p" that uses claim "missing"
      When pod "p" is tried
      Then Reserve is not reached
      But since Kubernetes 1.34, because the document names no phases and no codes: PreEnqueue ends with UnschedulableAndUnresolvable
      But since Kubernetes 1.34, because the document names no phases and no codes: PreFilter is not reached

    @case:reserved-claim-being-deleted
    @DRA/workflow/missing-claim-blocks-pod
    Scenario: A ResourceClaim that is being deleted cannot be used even by a pod with a reservation
      Given objects that the API server does not admit, because it was reserved before it was deleted
      And the objects
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
      When pod "p" is tried
      Then PreEnqueue ends with UnschedulableAndUnresolvable
      And Reserve is not reached

    @case:generated-for-other-pod
    @DRA/workflow/missing-claim-blocks-pod @profile:kep
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
      When pod "p" is tried
      Then Reserve is not reached
      But since Kubernetes 1.34, because the document names no phases and no codes: PreEnqueue ends with UnschedulableAndUnresolvable
      But since Kubernetes 1.34, because the document names no phases and no codes: Reserve is not reached

      Examples:
        | allocated         | status                                                                                                          |
        | not allocated yet | {}                                                                                                              |
        | allocated already | {allocation: {devices: {results: [{request: r0, driver: dra.example.com, pool: pool-1, device: gpu-0}]}}} |

    @case:own-claim-created
    @DRA/workflow/missing-claim-blocks-pod @DRA/workflow/unmet-request-waits @profile:kep
    Scenario: A pod is retried when its own ResourceClaim is created, not when another one is
      Given a pod "p" that uses claim "c"
      When pod "p" is tried
      And somebody creates this object in the meantime
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: other, namespace: default}
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
        """
      Then since Kubernetes 1.34, because the document does not say what is of no help to a pod: pod "p" is not tried again
      When somebody creates this object in the meantime
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: c, namespace: default}
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
        """
      Then pod "p" is tried again

  Rule: Filter

    Background:
      Given a node "n1"
      And a node "n2"
      And the device
        | device | node | pool |
        | gpu-0  | n2   | n2   |
      And a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"

    @case:only-node-with-device
    @DRA/workflow/filter-criteria @DRA/workflow/pod-lands-where-device-is @profile:kep
    Scenario: A pod is scheduled to the node with the device, not to a node without a device
      When pod "p" is tried
      Then Reserve on node "n2" ends with Success
      But since Kubernetes 1.34, because the document names no phases and no codes: Filter on node "n1" ends with UnschedulableAndUnresolvable
      But since Kubernetes 1.34, because the document names no phases and no codes: Filter on node "n2" ends with Success
      But since Kubernetes 1.34, because the document names no phases and no codes: Reserve on node "n2" ends with Success

    @case:device-in-flight
    @DRA/workflow/filter-criteria @profile:kep
    Scenario: A device in flight for one pod is not available to another pod
      Given a claim "d" requesting 1 device
      And a pod "q" that uses claim "d"
      When pod "p" is tried as far as Reserve
      And pod "q" is tried
      Then Reserve is not reached
      But since Kubernetes 1.34, because the document names no phases and no codes: Filter on node "n2" ends with UnschedulableAndUnresolvable
      But since Kubernetes 1.34, because the document names no phases and no codes: Reserve is not reached
      But since Kubernetes 1.34, because the document names no phases and no codes: after PostFilter only claim "c" is in flight

    @case:device-released-by-unreserve
    @DRA/workflow/filter-criteria
    Scenario: A device in flight is available again after the attempt is given up
      Given a claim "d" requesting 1 device
      And a pod "q" that uses claim "d"
      When pod "p" is tried as far as Reserve
      And the attempt for pod "p" is given up
      Then after Unreserve nothing is in flight
      And after Unreserve claim "c" holds nothing
      When pod "q" is tried
      Then after PreBind claim "d" holds exactly "gpu-0"

    @case:claim-allocated-on-other-node
    @DRA/workflow/pod-lands-where-device-is @profile:kep
    Scenario: An allocated ResourceClaim restricts its next pod to the node of its device
      Given a pod "first" that uses claim "c"
      When pod "first" is tried
      Then Bind on node "n2" ends with Success
      When pod "p" is tried
      Then Bind on node "n2" ends with Success
      And after PreBind claim "c" is reserved for pods "first, p"
      But since Kubernetes 1.34, because the document names no phases and no codes: Filter on node "n1" ends with UnschedulableAndUnresolvable
      But since Kubernetes 1.34, because the document names no phases and no codes: Filter on node "n2" ends with Success
      But since Kubernetes 1.34, because the document names no phases and no codes: after PreBind claim "c" is reserved for pods "first, p"

    @case:one-of-two-claims-on-other-node
    @DRA/workflow/pod-lands-where-device-is @profile:kep
    Scenario Outline: A pod with two allocated ResourceClaims is restricted to the node that both allow
      Given the devices
        | device | node | pool |
        | nic-0  | *    | nics |
      And a claim "everywhere" requesting 1 device
      And claim "everywhere" already holds
        | device | pool |
        | nic-0  | nics |
      And a pod "first" that uses claim "c"
      And a pod "q" that uses claims "<claims>"
      When pod "first" is tried
      Then Bind on node "n2" ends with Success
      When pod "q" is tried
      Then Bind on node "n2" ends with Success
      But since Kubernetes 1.34, because the document names no phases and no codes: Filter on node "n1" ends with UnschedulableAndUnresolvable
      But since Kubernetes 1.34, because the document names no phases and no codes: Filter on node "n2" ends with Success
      But since Kubernetes 1.34, because the document names no phases and no codes: Bind on node "n2" ends with Success

      Examples:
        | which  | claims        |
        | first  | c, everywhere |
        | second | everywhere, c |

  Rule: Reserve, PreBind and Unreserve of one ResourceClaim

    Background:
      Given the device
        | device |
        | gpu-0  |
      And a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      And a pod "q" that uses claim "c"

    @case:claim-in-flight-for-other-pod
    @DRA/workflow/allocation-written-before-binding
    Scenario: A pod cannot use a ResourceClaim in flight for another pod until its allocation is written
      When pod "p" is tried as far as Reserve
      Then after Reserve claim "c" holds nothing
      When pod "q" is tried
      Then PreFilter ends with UnschedulableAndUnresolvable
      And Filter is not reached
      When pod "p" goes on to be bound
      Then after PreBind claim "c" holds exactly "gpu-0"
      And after PreBind nothing is in flight
      When pod "q" is tried
      Then after PreBind claim "c" is reserved for pods "p, q"

    @case:second-claim-in-flight
    @DRA/workflow/allocation-written-before-binding
    Scenario: A pod does not reach Filter while its second ResourceClaim is in flight for another pod
      Given the device
        | device | pool |
        | gpu-1  | more |
      And a claim "e" requesting 1 device
      And a pod "r" that uses claims "e, c"
      When pod "p" is tried as far as Reserve
      And pod "r" is tried
      Then PreFilter ends with UnschedulableAndUnresolvable
      And Filter is not reached

    @case:allocated-claim-stays-allocated
    @DRA/workflow/allocation-written-before-binding @profile:kep
    Scenario: An allocated ResourceClaim stays allocated if the attempt of a second pod is given up
      When pod "p" is tried
      Then after Bind claim "c" is reserved for pod "p"
      When pod "q" is tried as far as Reserve
      Then after Reserve nothing is in flight
      When the attempt for pod "q" is given up
      Then after Unreserve claim "c" holds exactly "gpu-0"
      And after Unreserve claim "c" is reserved for pod "p"

    @case:written-before-binding
    @DRA/workflow/allocation-written-before-binding @profile:kep
    Scenario: The allocation and the reservation are written before the pod is bound
      When pod "p" is tried as far as PreBind
      Then after PreBind claim "c" holds exactly "gpu-0"
      And after PreBind claim "c" is reserved for pod "p"
      And after PreBind the Pod "p" has
        | field         | value |
        | spec.nodeName |       |

    @case:failed-write-prevents-binding
    @DRA/workflow/allocation-written-before-binding
    Scenario Outline: A pod is not bound and its device is released if an update of the ResourceClaim fails
      When the next 1 <what> of a ResourceClaim by the scheduler ends as <reason>
      And pod "p" is tried
      Then PreBind ends with Error
      And Bind is not reached
      And Unreserve ends with Success
      And after Unreserve nothing is in flight
      And after Unreserve claim "c" holds nothing
      And after Unreserve the Pod "p" has
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
    @DRA/workflow/allocation-written-before-binding @profile:kep
    Scenario: An allocation that another writer has set meanwhile is not overwritten
      When pod "p" is tried as far as Reserve
      And somebody changes the ResourceClaim "c" in the meantime
        | field             | value                                                                                            |
        | status.allocation | {devices: {results: [{request: r0, driver: dra.example.com, pool: pool-1, device: gpu-9}]}} |
      And pod "p" goes on to be bound
      Then Bind is not reached
      And after PreBind claim "c" holds exactly "gpu-9"
      But since Kubernetes 1.34, because the document names no phases and no codes: PreBind ends with Error
      But since Kubernetes 1.34, because the document names no phases and no codes: Bind is not reached
      But since Kubernetes 1.34, because the document names no phases and no codes: after PreBind claim "c" holds exactly "gpu-9"

    @case:deallocated-meanwhile
    @DRA/workflow/allocation-written-before-binding
    Scenario: A pod is not bound if its ResourceClaim was deallocated meanwhile
      Given claim "c" already holds
        | device |
        | gpu-0  |
      When pod "p" is tried as far as Reserve
      And somebody changes the ResourceClaim "c" in the meantime
        | field             | value |
        | status.allocation |       |
      And pod "p" goes on to be bound
      Then PreBind ends with Error
      And Bind is not reached
      And after PreBind claim "c" holds nothing

    @case:next-attempt-after-failed-write
    @DRA/workflow/unmet-request-waits @profile:kep
    Scenario: The attempt after a failed status update allocates the device
      When the next 1 update of the status of a ResourceClaim by the scheduler ends as Forbidden
      And pod "p" is tried
      Then PreBind ends with Error
      When pod "p" is tried
      Then Bind ends with Success
      And after Bind claim "c" holds exactly "gpu-0"
      And after Bind claim "c" is reserved for pod "p"

    @case:earlier-reservation-removed
    @API/reservation/given-back
    Scenario: Unreserve also removes a reservation that the pod had before the attempt
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
      When pod "r" is tried as far as PreBind
      And the attempt for pod "r" is given up
      Then after Unreserve claim "e" is reserved for nobody
      And after Unreserve claim "e" holds exactly "gpu-0"

    @case:own-reservation-removed
    @API/reservation/given-back
    Scenario: Unreserve removes only the reservation of the pod whose attempt is given up
      Given claim "c" already holds
        | device |
        | gpu-0  |
      When pod "q" is tried
      And pod "p" is tried as far as PreBind
      Then after PreBind claim "c" is reserved for pods "p, q"
      When the attempt for pod "p" is given up
      Then after Unreserve claim "c" is reserved for pod "q"
      And after Unreserve claim "c" holds exactly "gpu-0"

    @case:one-of-256-reservations
    @DRA/claim/shared-by-several-pods @API/reservation/number @profile:kep
    Scenario: A pod with one of the 256 reservations of its ResourceClaim is bound
      Given the objects
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: user, namespace: default, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0001}
        spec:
          resourceClaims: [{name: gpu, resourceClaimName: c}]
          containers: [{name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: gpu}]}}]
        """
      And claim "c" already holds
        | device |
        | gpu-0  |
      When somebody changes the ResourceClaim "c" in the meantime
        | field                      | value                                                      |
        | status.reservedFor[0..255] | {resource: jobs, apiGroup: batch, name: job-#, uid: job-#} |
      And somebody changes the ResourceClaim "c" in the meantime
        | field                   | value                                                                   |
        | status.reservedFor[255] | {resource: pods, name: user, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0001} |
      And pod "user" is tried
      Then Bind ends with Success

  Rule: Pods with several ResourceClaims

    Background:
      Given the devices
        | device |
        | gpu-0  |
        | gpu-1  |
      And a claim "c" requesting 1 device
      And a claim "d" requesting 1 device
      And a pod "p" that uses claims "c, d"

    @case:both-claims-in-flight
    @DRA/workflow/all-claims-of-a-pod-together
    Scenario: Both ResourceClaims of a pod are in flight together and written together
      When pod "p" is tried as far as Reserve
      Then after Reserve only claims "c, d" are in flight
      When pod "p" goes on to be bound
      Then after PreBind nothing is in flight
      And after PreBind claim "c" is reserved for pod "p"
      And after PreBind claim "d" is reserved for pod "p"

    @case:both-reservations-removed
    @API/reservation/given-back
    Scenario: Unreserve removes the reservations of both ResourceClaims of a pod
      When pod "p" is tried as far as PreBind
      Then after PreBind claim "d" is reserved for pod "p"
      When the attempt for pod "p" is given up
      Then after Unreserve claim "c" is reserved for nobody
      And after Unreserve claim "d" is reserved for nobody

    @case:second-claim-write-fails
    @API/reservation/given-back
    Scenario: If the second ResourceClaim cannot be written, the first stays allocated but unreserved
      When pod "p" is tried as far as Reserve
      And somebody deletes the ResourceClaim "d" in the meantime
      And pod "p" goes on to be bound
      Then PreBind ends with Error
      And after PreBind only claims "c, d" are in flight
      And after Unreserve claim "c" is reserved for nobody
      And after Unreserve claim "c" holds exactly "gpu-0"
      And after Unreserve nothing is in flight
      But until Kubernetes 1.36, because an allocation is in flight no longer than until its claim is written or cannot be: PreBind ends with Error
      But until Kubernetes 1.36, because an allocation is in flight no longer than until its claim is written or cannot be: after PreBind nothing is in flight

    @case:postfilter-unused-claim
    @DRA/workflow/pod-lands-where-device-is
    Scenario: PostFilter deallocates an unused ResourceClaim, and the next attempt allocates it again
      Given a node "n1"
      And a node "n2"
      And the devices
        | device | node | pool |
        | gpu-0  | n1   | n1   |
        | gpu-0  | n2   | n2   |
      And a claim "e" requesting 1 device
      And a pod "q" that uses claim "e"
      When pod "q" is tried as far as PreBind on node "n1"
      And the attempt for pod "q" is given up
      Then after Unreserve claim "e" holds exactly "gpu-0"
      When pod "q" is tried on node "n2"
      Then Filter on node "n2" ends with UnschedulableAndUnresolvable
      And PostFilter ends with Unschedulable
      And after PostFilter claim "e" holds nothing
      When pod "q" is tried on node "n2"
      Then Bind on node "n2" ends with Success

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
      When pod "q" is tried on node "n2"
      Then PostFilter ends with Unschedulable
      And after PostFilter claim "e" holds nothing

    @case:postfilter-one-of-two-claims
    @DRA/workflow/pod-lands-where-device-is
    Scenario Outline: PostFilter deallocates the unused one of two ResourceClaims
      Given a node "n1"
      And a node "n2"
      And the devices
        | device | node | pool |
        | gpu-0  | n1   | n1   |
        | gpu-1  | n1   | n1   |
        | gpu-0  | n2   | n2   |
      And a claim "used" requesting 1 device
      And a claim "unused" requesting 1 device
      And a pod "s" that uses claim "used"
      And a pod "t" that uses claim "unused"
      And a pod "q" that uses claims "<claims>"
      When pod "s" is tried on node "n1"
      And pod "t" is tried as far as PreBind on node "n1"
      And the attempt for pod "t" is given up
      And pod "q" is tried on node "n2"
      Then PostFilter ends with Unschedulable
      And after PostFilter claim "unused" holds nothing
      And after PostFilter claim "used" is reserved for pod "s"

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
      And a claim "e" requesting 1 device
      And a pod "q" that uses claim "e"
      And a pod "r" that uses claim "e"
      When pod "r" is tried on node "n1"
      And pod "q" is tried on node "n2"
      Then Reserve is not reached
      And after PostFilter claim "e" holds exactly "gpu-0"
      But since Kubernetes 1.34, because the document names no phases and no codes: PostFilter ends with Unschedulable
      But since Kubernetes 1.34, because the document names no phases and no codes: after PostFilter claim "e" holds exactly "gpu-0"

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
      When pod "q" is tried on node "n2"
      Then Reserve is not reached
      And after PostFilter claim "e" holds exactly "gpu-0"
      But since Kubernetes 1.34, because the document names no phases and no codes: PostFilter ends with Unschedulable
      But since Kubernetes 1.34, because the document names no phases and no codes: after PostFilter claim "e" holds exactly "gpu-0"

    @case:second-claim-unmet
    @DRA/workflow/all-claims-of-a-pod-together @profile:kep
    Scenario: No ResourceClaim of a pod is in flight if its second ResourceClaim cannot be allocated
      Given a claim "e" requesting 2 devices
      And a pod "q" that uses claims "c, e"
      When pod "q" is tried
      Then Reserve is not reached
      And after PostFilter nothing is in flight
      And after PostFilter claim "c" holds nothing
      But since Kubernetes 1.34, because the document names no phases and no codes: Filter on node "node-1" ends with UnschedulableAndUnresolvable
      But since Kubernetes 1.34, because the document names no phases and no codes: after PostFilter nothing is in flight
      But since Kubernetes 1.34, because the document names no phases and no codes: after PostFilter claim "c" holds nothing

  Rule: PostFilter on a full node

    @case:postfilter-full-node
    @DRA/workflow/filter-criteria
    Scenario: PostFilter does not deallocate a usable ResourceClaim if only the node lacks CPU
      Given a node "n1" with 1 of "cpu"
      And the device
        | device | node | pool |
        | gpu-0  | n1   | n1   |
      And claim "d" already holds
        | device | pool |
        | gpu-0  | n1   |
      And a pod "q" with the container
        | container | request cpu | claims |
        | main      | 2           | d      |
      When pod "q" is tried
      Then Reserve is not reached
      And after PostFilter claim "d" holds exactly "gpu-0"

  Rule: Events that retry a pod

    Background:
      Given a node "node-1"
      And a device class "any"
      And a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"

    @case:unallocated-claim-deleted
    @DRA/workflow/unmet-request-waits
    Scenario: Deleting another ResourceClaim without an allocation does not retry a pod
      Given a claim "d" requesting 1 device
      When pod "p" is tried
      And somebody deletes the ResourceClaim "d" in the meantime
      Then pod "p" is not tried again

    @case:label-on-own-claim
    @DRA/workflow/unmet-request-waits
    Scenario: A label on its ResourceClaim does not retry a pod
      When pod "p" is tried
      And somebody changes the ResourceClaim "c" in the meantime
        | field           | value            |
        | metadata.labels | {team: graphics} |
      Then pod "p" is not tried again

    @case:node-label-not-annotation
    @DRA/workflow/unmet-request-waits
    Scenario: A changed label of a node retries a pod, and a changed annotation does not
      When pod "p" is tried
      And somebody changes the Node "node-1" in the meantime
        | field                | value       |
        | metadata.annotations | {seen: "1"} |
      Then pod "p" is not tried again
      When somebody changes the Node "node-1" in the meantime
        | field           | value     |
        | metadata.labels | {zone: b} |
      Then pod "p" is tried again

    @case:other-claim-missing
    @DRA/workflow/missing-claim-blocks-pod @DRA/workflow/unmet-request-waits @profile:kep
    Scenario: A pod with a missing ResourceClaim is retried when the missing one is created
      Given a pod "q" that uses claims "c, missing"
      When pod "q" is tried
      And somebody changes the ResourceClaim "c" in the meantime
        | field              | value                                                                                                 |
        | status.reservedFor | [{resource: jobs, apiGroup: batch, name: j, uid: 90a7e2a4-7c5e-4a6e-9b7f-6f2f2a1b0001}] |
      Then since Kubernetes 1.34, because the document does not say what is of no help to a pod: pod "q" is not tried again
      When somebody creates this object in the meantime
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: missing, namespace: default}
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
        """
      Then pod "q" is tried again

    @case:slice-created-or-changed
    @DRA/workflow/unmet-request-waits @profile:kep
    Scenario: A created or changed ResourceSlice retries a pod
      When pod "p" is tried
      And somebody creates this object in the meantime
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
      Then pod "p" is tried again
      When somebody changes the ResourceSlice "late" in the meantime
        | field        | value                          |
        | spec.devices | [{name: gpu-0}, {name: gpu-1}] |
      Then pod "p" is tried again

    @case:slice-deleted
    @DRA/workflow/unmet-request-waits
    Scenario: A deleted ResourceSlice does not retry a pod
      Given the device
        | device |
        | gpu-0  |
      And claim "held" already holds
        | device |
        | gpu-0  |
      When pod "p" is tried
      And somebody deletes the ResourceSlice "pool-1-slice" in the meantime
      Then pod "p" is not tried again

    @case:other-claim-deallocated
    @DRA/workflow/unmet-request-waits @profile:kep
    Scenario: Deallocating another ResourceClaim retries a pod, and labelling it does not
      Given the device
        | device |
        | gpu-0  |
      And claim "held" already holds
        | device |
        | gpu-0  |
      When pod "p" is tried
      Then Reserve is not reached
      But since Kubernetes 1.34, because the document names no phases and no codes: Filter on node "node-1" ends with UnschedulableAndUnresolvable
      When somebody changes the ResourceClaim "held" in the meantime
        | field           | value       |
        | metadata.labels | {seen: "1"} |
      Then since Kubernetes 1.34, because the document does not say what is of no help to a pod: pod "p" is not tried again
      When somebody changes the ResourceClaim "held" in the meantime
        | field             | value |
        | status.allocation |       |
      Then pod "p" is tried again
      When pod "p" is tried
      Then after PreBind claim "c" holds exactly "gpu-0"

    @case:allocated-claim-deleted
    @DRA/workflow/unmet-request-waits @profile:kep
    Scenario: Deleting an allocated ResourceClaim retries a pod
      Given the device
        | device |
        | gpu-0  |
      And claim "held" already holds
        | device |
        | gpu-0  |
      When pod "p" is tried
      And somebody deletes the ResourceClaim "held" in the meantime
      Then pod "p" is tried again
      But until Kubernetes 1.36, because the scheduler has seen the device given back before: pod "p" is not tried again

    @case:node-created-or-deleted
    @DRA/workflow/unmet-request-waits
    Scenario: A created node retries a pod, and a deleted node does not
      When pod "p" is tried
      And somebody creates this object in the meantime
        """
        apiVersion: v1
        kind: Node
        metadata: {name: node-2}
        """
      Then pod "p" is tried again
      When somebody deletes the Node "node-2" in the meantime
      Then pod "p" is not tried again

    @case:status-names-generated-claim
    @DRA/workflow/unmet-request-waits @DRA/template/control-plane-checks-references @profile:kep
    Scenario: A pod is retried when its status names its generated ResourceClaim, not earlier
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
      When pod "q" is tried
      Then Reserve is not reached
      But since Kubernetes 1.34, because the document names no phases and no codes: PreEnqueue ends with UnschedulableAndUnresolvable
      When somebody changes the Pod "q" in the meantime
        | field           | value       |
        | metadata.labels | {seen: "1"} |
      Then since Kubernetes 1.34, because the document does not say what is of no help to a pod: pod "q" is not tried again
      When somebody creates this object in the meantime
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
      Then since Kubernetes 1.34, because the document does not say what is of no help to a pod: pod "q" is not tried again
      When somebody changes the Pod "q" in the meantime
        | field                        | value                                     |
        | status.resourceClaimStatuses | [{name: gpu, resourceClaimName: q-gpu}]   |
      Then pod "q" is tried again
