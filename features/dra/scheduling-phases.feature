@profile:since-1.34
Feature: Attempts to schedule pods with claims, phase by phase
  The scheduler checks that the claims are there, looks on each node whether they can be met, keeps the devices in memory,
  and writes the allocations before the pod is bound.

  Rule: Before any node

    Background:
      Given the device
        | device |
        | gpu-0  |

    @DRA/workflow/missing-claim-blocks-pod @profile:kep
    Scenario: A pod whose claim does not exist is not tried on any node
      Given a pod "p" that uses claim "missing"
      When pod "p" is tried
      Then Reserve is not reached
      But since Kubernetes 1.34, because the document names no phases and no codes: PreEnqueue ends with UnschedulableAndUnresolvable
      But since Kubernetes 1.34, because the document names no phases and no codes: PreFilter is not reached

    @DRA/workflow/missing-claim-blocks-pod
    Scenario: A claim that is being deleted does not serve a pod either that it is still reserved for
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

    @DRA/workflow/missing-claim-blocks-pod @profile:kep
    Scenario Outline: A claim that was made for another pod does not serve an entry with a template, <allocated>
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

    @DRA/workflow/missing-claim-blocks-pod @DRA/workflow/unmet-request-waits @profile:kep
    Scenario: The claim that a pod waits for makes it be tried again, another one does not
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

  Rule: Node by node

    Background:
      Given a node "n1"
      And a node "n2"
      And the device
        | device | node | pool |
        | gpu-0  | n2   | n2   |
      And a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"

    @DRA/workflow/filter-criteria @DRA/workflow/pod-lands-where-device-is @profile:kep
    Scenario: The node with the device fits, the other one is refused for good
      When pod "p" is tried
      Then Reserve on node "n2" ends with Success
      But since Kubernetes 1.34, because the document names no phases and no codes: Filter on node "n1" ends with UnschedulableAndUnresolvable
      But since Kubernetes 1.34, because the document names no phases and no codes: Filter on node "n2" ends with Success
      But since Kubernetes 1.34, because the document names no phases and no codes: Reserve on node "n2" ends with Success

    @DRA/workflow/filter-criteria @profile:kep
    Scenario: A device that is in flight for one pod is not free for another
      Given a claim "d" requesting 1 device
      And a pod "q" that uses claim "d"
      When pod "p" is tried as far as Reserve
      And pod "q" is tried
      Then Reserve is not reached
      But since Kubernetes 1.34, because the document names no phases and no codes: Filter on node "n2" ends with UnschedulableAndUnresolvable
      But since Kubernetes 1.34, because the document names no phases and no codes: Reserve is not reached
      But since Kubernetes 1.34, because the document names no phases and no codes: after PostFilter only claim "c" is in flight

    @DRA/workflow/filter-criteria
    Scenario: A device is free again once the attempt that it was in flight for is given up
      Given a claim "d" requesting 1 device
      And a pod "q" that uses claim "d"
      When pod "p" is tried as far as Reserve
      And the attempt for pod "p" is given up
      Then after Unreserve nothing is in flight
      And after Unreserve claim "c" holds nothing
      When pod "q" is tried
      Then after PreBind claim "d" holds exactly "gpu-0"

    @DRA/workflow/pod-lands-where-device-is @profile:kep
    Scenario: A claim that is allocated on one node makes the others unresolvable
      Given a pod "first" that uses claim "c"
      When pod "first" is tried
      Then Bind on node "n2" ends with Success
      When pod "p" is tried
      Then Bind on node "n2" ends with Success
      And after PreBind claim "c" is reserved for pods "first, p"
      But since Kubernetes 1.34, because the document names no phases and no codes: Filter on node "n1" ends with UnschedulableAndUnresolvable
      But since Kubernetes 1.34, because the document names no phases and no codes: Filter on node "n2" ends with Success
      But since Kubernetes 1.34, because the document names no phases and no codes: after PreBind claim "c" is reserved for pods "first, p"

    @DRA/workflow/pod-lands-where-device-is @profile:kep
    Scenario Outline: Of two claims that are allocated, the <which> leaves its pod only the node where it can be used
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

  Rule: Shared claims

    Background:
      Given the device
        | device |
        | gpu-0  |
      And a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      And a pod "q" that uses claim "c"

    @DRA/workflow/allocation-written-before-binding
    Scenario: A second pod waits while the allocation of their claim is in flight, and shares it later
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

    @DRA/workflow/allocation-written-before-binding
    Scenario: A pod waits while the allocation of its second claim is in flight for another pod
      Given the device
        | device | pool |
        | gpu-1  | more |
      And a claim "e" requesting 1 device
      And a pod "r" that uses claims "e, c"
      When pod "p" is tried as far as Reserve
      And pod "r" is tried
      Then PreFilter ends with UnschedulableAndUnresolvable
      And Filter is not reached

    @DRA/workflow/allocation-written-before-binding @profile:kep
    Scenario: A claim that is allocated is not in flight for a pod that joins, and stays so if the pod is given up
      When pod "p" is tried
      Then after Bind claim "c" is reserved for pod "p"
      When pod "q" is tried as far as Reserve
      Then after Reserve nothing is in flight
      When the attempt for pod "q" is given up
      Then after Unreserve claim "c" holds exactly "gpu-0"
      And after Unreserve claim "c" is reserved for pod "p"

    @DRA/workflow/allocation-written-before-binding @profile:kep
    Scenario: The allocation is written before the pod is bound
      When pod "p" is tried as far as PreBind
      Then after PreBind claim "c" holds exactly "gpu-0"
      And after PreBind claim "c" is reserved for pod "p"
      And after PreBind the Pod "p" has
        | field         | value |
        | spec.nodeName |       |

    @DRA/workflow/allocation-written-before-binding
    Scenario Outline: A pod is not bound where <what> ends as <reason>
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
      Examples: what no further try can help
        | what                 | reason    |
        | update of the status | Forbidden |

    @DRA/workflow/allocation-written-before-binding @profile:kep
    Scenario: An allocation that somebody else has written in the meantime is not written over
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

    @DRA/workflow/allocation-written-before-binding
    Scenario: A pod is not bound where its claim was deallocated in the meantime
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

    @DRA/workflow/unmet-request-waits @profile:kep
    Scenario: After a write that failed the next attempt gets the device
      When the next 1 update of the status of a ResourceClaim by the scheduler ends as Forbidden
      And pod "p" is tried
      Then PreBind ends with Error
      When pod "p" is tried
      Then Bind ends with Success
      And after Bind claim "c" holds exactly "gpu-0"
      And after Bind claim "c" is reserved for pod "p"

    @API/reservation/given-back
    Scenario: A reservation that the pod had before is taken back as well
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

    @API/reservation/given-back
    Scenario: A pod that is given up is taken from the reservations of its claim
      Given claim "c" already holds
        | device |
        | gpu-0  |
      When pod "q" is tried
      And pod "p" is tried as far as PreBind
      Then after PreBind claim "c" is reserved for pods "p, q"
      When the attempt for pod "p" is given up
      Then after Unreserve claim "c" is reserved for pod "q"
      And after Unreserve claim "c" holds exactly "gpu-0"

    @DRA/claim/shared-by-several-pods @API/reservation/number @profile:kep
    Scenario: A pod that has one of the 256 reservations of its claim is bound
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

  Rule: Several claims

    Background:
      Given the devices
        | device |
        | gpu-0  |
        | gpu-1  |
      And a claim "c" requesting 1 device
      And a claim "d" requesting 1 device
      And a pod "p" that uses claims "c, d"

    @DRA/workflow/all-claims-of-a-pod-together
    Scenario: Both claims are in flight together, and written together
      When pod "p" is tried as far as Reserve
      Then after Reserve only claims "c, d" are in flight
      When pod "p" goes on to be bound
      Then after PreBind nothing is in flight
      And after PreBind claim "c" is reserved for pod "p"
      And after PreBind claim "d" is reserved for pod "p"

    @API/reservation/given-back
    Scenario: A pod that is given up is taken from the reservations of both claims
      When pod "p" is tried as far as PreBind
      Then after PreBind claim "d" is reserved for pod "p"
      When the attempt for pod "p" is given up
      Then after Unreserve claim "c" is reserved for nobody
      And after Unreserve claim "d" is reserved for nobody

    @API/reservation/given-back
    Scenario: Where the second claim cannot be written the first one is reserved for nobody and keeps its device
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

    @DRA/workflow/pod-lands-where-device-is
    Scenario: PostFilter frees a claim that no node of the pod can use, and the next attempt allocates it anew
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

    @DRA/workflow/pod-lands-where-device-is
    Scenario: PostFilter frees a claim that is reserved for nobody but the pod itself
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

    @DRA/workflow/pod-lands-where-device-is
    Scenario Outline: PostFilter frees the <place> claim of a pod, where the other one is in use
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

    @DRA/workflow/pod-lands-where-device-is @API/reservation/of-each-user @profile:kep
    Scenario: PostFilter does not free a claim that another pod uses
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

    @DRA/workflow/pod-lands-where-device-is @API/reservation/of-each-user @profile:kep
    Scenario: PostFilter does not free a claim that another pod uses beside the pod itself
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

    @DRA/workflow/all-claims-of-a-pod-together @profile:kep
    Scenario: Where the second claim cannot be met the first is not in flight
      Given a claim "e" requesting 2 devices
      And a pod "q" that uses claims "c, e"
      When pod "q" is tried
      Then Reserve is not reached
      And after PostFilter nothing is in flight
      And after PostFilter claim "c" holds nothing
      But since Kubernetes 1.34, because the document names no phases and no codes: Filter on node "node-1" ends with UnschedulableAndUnresolvable
      But since Kubernetes 1.34, because the document names no phases and no codes: after PostFilter nothing is in flight
      But since Kubernetes 1.34, because the document names no phases and no codes: after PostFilter claim "c" holds nothing

  Rule: A claim that can be used

    @DRA/workflow/filter-criteria
    Scenario: PostFilter does not free a claim where only its node is full
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

  Rule: What makes the scheduler try again

    Background:
      Given a node "node-1"
      And a device class "any"
      And a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"

    @DRA/workflow/unmet-request-waits
    Scenario: Another claim that is deleted before it has got a device does not make a pod be tried again
      Given a claim "d" requesting 1 device
      When pod "p" is tried
      And somebody deletes the ResourceClaim "d" in the meantime
      Then pod "p" is not tried again

    @DRA/workflow/unmet-request-waits
    Scenario: A label on its claim does not make a pod be tried again
      When pod "p" is tried
      And somebody changes the ResourceClaim "c" in the meantime
        | field           | value            |
        | metadata.labels | {team: graphics} |
      Then pod "p" is not tried again

    @DRA/workflow/unmet-request-waits
    Scenario: A node that gets another label makes a pod be tried again, one that gets an annotation does not
      When pod "p" is tried
      And somebody changes the Node "node-1" in the meantime
        | field                | value       |
        | metadata.annotations | {seen: "1"} |
      Then pod "p" is not tried again
      When somebody changes the Node "node-1" in the meantime
        | field           | value     |
        | metadata.labels | {zone: b} |
      Then pod "p" is tried again

    @DRA/workflow/missing-claim-blocks-pod @DRA/workflow/unmet-request-waits @profile:kep
    Scenario: A pod that misses one of its claims is not tried again when another one changes
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

    @DRA/workflow/unmet-request-waits @profile:kep
    Scenario: A slice that is published or changed makes a pod be tried again
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

    @DRA/workflow/unmet-request-waits
    Scenario: A slice that goes does not make a pod be tried again
      Given the device
        | device |
        | gpu-0  |
      And claim "held" already holds
        | device |
        | gpu-0  |
      When pod "p" is tried
      And somebody deletes the ResourceSlice "pool-1-slice" in the meantime
      Then pod "p" is not tried again

    @DRA/workflow/unmet-request-waits @profile:kep
    Scenario: A claim that gives its device back makes a pod of another claim be tried again
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

    @DRA/workflow/unmet-request-waits @profile:kep
    Scenario: A claim that is deleted with its device makes a pod be tried again
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

    @DRA/workflow/unmet-request-waits
    Scenario: A node that comes makes a pod be tried again, one that goes does not
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

    @DRA/workflow/unmet-request-waits @DRA/template/control-plane-checks-references @profile:kep
    Scenario: A pod is tried again when its status names the claim that was made for it, and not before
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
