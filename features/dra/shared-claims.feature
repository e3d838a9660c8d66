Feature: ResourceClaims with several consumers
  A ResourceClaim can be used by several pods, by consumers that are not pods, and by one pod under several
  names. Each reservation belongs to one consumer, and changes to other consumers do not affect it.

  Rule: One ResourceClaim under two names in a pod

    Background:
      Given a DeviceClass "any"
      And the devices
        | device |
        | gpu-0  |
        | gpu-1  |
      And a ResourceClaim "c" requesting 1 device
      And the object
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: default}
        spec:
          resourceClaims: [{name: first, resourceClaimName: c}, {name: second, resourceClaimName: c}]
          containers:
          - {name: a, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: first}]}}
          - {name: b, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: second}]}}
        """

    @case:pod-runs
    @DRA/claim/shared-by-containers @profile:kep @profile:since-1.34
    Scenario: A pod that references a ResourceClaim twice runs
      When the cluster reaches a steady state
      Then pod "p" is Running
      But since Kubernetes 1.34, because these releases write a claim once for each of its names in the pod, and the second write is rejected: pod "p" is Pending

    @case:allocated-and-reserved-once
    @DRA/claim/shared-by-containers @profile:kep
    Scenario: A ResourceClaim referenced twice by a pod is allocated once and reserved once
      When the cluster reaches a steady state
      Then pod "p" is Running
      And ResourceClaim "c" is allocated 1 device
      And ResourceClaim "c" is reserved for pod "p"
      And ResourceClaim "c" is prepared on node "node-1"
      When pod "p" is deleted
      And the cluster reaches a steady state
      Then ResourceClaim "c" is not allocated

    @case:next-attempt-after-unreserve
    @DRA/claim/shared-by-containers @profile:kep
    Scenario: A pod that references a ResourceClaim twice is bound in the next attempt after Unreserve
      When scheduling of pod "p" up to PreBind is attempted
      Then after PreBind ResourceClaim "c" is reserved for pod "p"
      When the scheduling attempt of pod "p" is aborted
      And scheduling of pod "p" is attempted
      Then Bind returns Success
      And after Bind ResourceClaim "c" is reserved for pod "p"

  @profile:kep @profile:since-1.34
  Rule: ResourceClaims that no container uses

    Background:
      Given the device
        | device | pool |
        | gpu-0  | one  |
      And a ResourceClaim "c" requesting 1 device
      And a ResourceClaim "d" requesting 1 device
      And the object
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: default}
        spec:
          resourceClaims: [{name: used, resourceClaimName: c}, {name: unused, resourceClaimName: d}]
          containers: [{name: a, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: used}]}}]
        """

    @case:unused-by-containers-allocated
    @DRA/workflow/all-claims-of-a-pod-together
    Scenario: A ResourceClaim of a pod that no container uses is allocated and reserved
      Given the device
        | device | pool |
        | gpu-1  | two  |
      When the cluster reaches a steady state
      Then pod "p" is Running
      And ResourceClaim "c" is reserved for pod "p"
      And ResourceClaim "d" is allocated 1 device
      And ResourceClaim "d" is reserved for pod "p"

    @case:unused-by-containers-unmet
    @DRA/workflow/all-claims-of-a-pod-together
    Scenario: A pod stays Pending if a ResourceClaim that no container uses cannot be allocated
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And ResourceClaim "c" is not allocated
      And ResourceClaim "d" is not allocated

  @profile:kep @profile:since-1.34
  Rule: Pods with a shared ResourceClaim and one of their own

    Background:
      Given a node "n1"
      And a node "n2"
      And the devices
        | device | node | pool   | attribute color | attribute size |
        | black  | n1   | n1     | string black    | string small   |
        | white  | n1   | n1     | string white    | string large   |
        | raven  | n2   | n2     | string black    | string large   |
        | link   | *    | fabric | string none     | string large   |
      And a ResourceClaim "shared" with the request
        | selector                                             |
        | device.attributes["dra.example.com"].color == "none" |

    @case:shared-claim-usable-everywhere
    @DRA/claim/shared-by-several-pods @DRA/workflow/all-claims-of-a-pod-together
    Scenario: Two pods with ResourceClaims of their own can share a ResourceClaim usable on every node
      Given a ResourceClaim "a" with the request
        | selector                                              |
        | device.attributes["dra.example.com"].color == "black" |
      And a ResourceClaim "b" with the request
        | selector                                              |
        | device.attributes["dra.example.com"].color == "white" |
      And a pod "p" that uses ResourceClaims "shared, a"
      And a pod "q" that uses ResourceClaims "shared, b"
      When the cluster reaches a steady state
      Then pod "p" is Running
      And pod "q" is Running on node "n1"
      And ResourceClaim "shared" is reserved for pods "p, q"

    @case:allocated-claim-and-two-nodes
    @DRA/claim/shared-by-several-pods @DRA/workflow/all-claims-of-a-pod-together
    Scenario Outline: A pod with an allocated and an unallocated ResourceClaim runs if two nodes fit
      Given a ResourceClaim "a" with the request
        | selector                                             |
        | device.attributes["dra.example.com"].size == "small" |
      And a ResourceClaim "b" with the request
        | selector                                             |
        | device.attributes["dra.example.com"].color != "none" |
      And a pod "p" that uses ResourceClaims "shared, a"
      And a pod "q" that uses ResourceClaims "<claims>"
      When pod "p" is created
      And the cluster reaches a steady state
      Then pod "p" is Running on node "n1"
      When pod "q" is created
      And the cluster reaches a steady state
      Then pod "q" is Running
      And ResourceClaim "b" is allocated 1 device
      And ResourceClaim "shared" is reserved for pods "p, q"
      But in Kubernetes 1.35, because the scheduler of this release cannot score nodes for a pod with an allocated and an unallocated claim: pod "q" is Pending
      And in Kubernetes 1.35, because the scheduler of this release cannot score nodes for a pod with an allocated and an unallocated claim: ResourceClaim "b" is not allocated

      Examples:
        | claims    |
        | shared, b |
        | b, shared |

    @case:shared-claim-and-first-choice
    @DRA/prioritized-list/node-choice
    Scenario Outline: A pod that shares a ResourceClaim runs on the node with a device for its first subrequest
      Given a ResourceClaim "a" with the request
        | selector                                             |
        | device.attributes["dra.example.com"].size == "small" |
      And a ResourceClaim "b" with the requests
        | request | subrequest | selector                                              |
        | cat     | best       | device.attributes["dra.example.com"].color == "black" |
        | cat     | fallback   | device.attributes["dra.example.com"].color == "white" |
      And a pod "p" that uses ResourceClaims "shared, a"
      And a pod "q" that uses ResourceClaims "<claims>"
      When pod "p" is created
      And the cluster reaches a steady state
      Then pod "p" is Running on node "n1"
      When pod "q" is created
      And the cluster reaches a steady state
      Then pod "q" is Running on node "n2"
      And ResourceClaim "b" is allocated exactly
        | request  | device |
        | cat/best | raven  |
      And ResourceClaim "shared" is reserved for pods "p, q"
      But in Kubernetes 1.34, because this release does not score nodes by the subrequest that they satisfy: ResourceClaim "b" is allocated
      But in Kubernetes 1.35, because the scheduler of this release cannot score nodes for a pod with an allocated and an unallocated claim: pod "q" is Pending
      And in Kubernetes 1.35, because the scheduler of this release cannot score nodes for a pod with an allocated and an unallocated claim: ResourceClaim "b" is not allocated

      Examples:
        | claims    |
        | shared, b |
        | b, shared |

  Rule: Independent reservations of a pod and a job

    Background:
      Given the devices
        | device |
        | gpu-0  |
        | gpu-1  |
      And the objects
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: default, uid: 0d2f4f7e-5d2c-4f0e-9a55-6f6a5d8f1a01}
        spec:
          nodeName: node-1
          resourceClaims: [{name: gpu, resourceClaimName: c}]
          containers: [{name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: gpu}]}}]
        status: {phase: Running}
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: c, namespace: default, finalizers: [resource.kubernetes.io/delete-protection]}
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
        status:
          allocation: {allocationTimestamp: "2026-01-01T00:00:00Z", devices: {results: [{request: r0, driver: dra.example.com, pool: pool-1, device: gpu-0}]}}
          reservedFor:
          - {apiGroup: batch, resource: jobs, name: nightly, uid: 7c1d6f0a-2b43-4e0b-8a11-0f6f2f0c9b02}
          - {resource: pods, name: p, uid: 0d2f4f7e-5d2c-4f0e-9a55-6f6a5d8f1a01}
        """
      And a DeviceClass "any"

    @case:completed-pod-removed
    @API/reservation/of-each-user @profile:kep @profile:since-1.34
    Scenario: A completed pod loses its reservation and the reservation of a job remains
      When pod "p" finishes
      And the cluster reaches a steady state
      Then ResourceClaim "c" has
        | field                      | value   |
        | status.reservedFor[0].name | nightly |
        | status.reservedFor[1]      |         |
      And ResourceClaim "c" keeps its allocation
      But until Kubernetes 1.35, because the controllers of these releases remove no reservation of a claim that is also reserved for another object than a pod: ResourceClaim "c" has
        | field                      | value   |
        | status.reservedFor[0].name | nightly |
        | status.reservedFor[1].name | p       |

    @case:job-keeps-allocation
    @API/reservation/of-each-user @profile:kep
    Scenario: A ResourceClaim stays allocated while a job has a reservation after the pod is deleted
      When pod "p" is deleted
      And a ResourceClaim "d" requesting 2 devices is created
      And a pod "q" that uses ResourceClaim "d" is created
      And the cluster reaches a steady state
      Then pod "q" is Pending
      And ResourceClaim "c" keeps its allocation

    @case:other-group-keeps-allocation
    @API/reservation/of-each-user @profile:kep @profile:since-1.34
    Scenario: A ResourceClaim stays reserved for an object whose resource "pods" is in another API group
      Given the object
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: other, namespace: default, finalizers: [resource.kubernetes.io/delete-protection]}
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
        status:
          allocation: {devices: {results: [{request: r0, driver: dra.example.com, pool: pool-1, device: gpu-1}]}}
          reservedFor: [{apiGroup: example.com, resource: pods, name: p, uid: 7c1d6f0a-2b43-4e0b-8a11-0f6f2f0c9b09}]
        """
      When the cluster reaches a steady state
      Then ResourceClaim "other" is allocated exactly
        | device |
        | gpu-1  |
      And ResourceClaim "other" has
        | field                     | value                                |
        | status.reservedFor[0].uid | 7c1d6f0a-2b43-4e0b-8a11-0f6f2f0c9b09 |

    @case:pod-joins-job
    @API/reservation/of-each-user @profile:kep @profile:since-1.34
    Scenario: A ResourceClaim reserved for a job and a pod can also be reserved for a second pod
      When a pod "q" that uses ResourceClaim "c" is created
      And the cluster reaches a steady state
      Then pod "q" is Running
      And ResourceClaim "c" is reserved for pods "nightly, p, q"

    @case:pod-evicted-job-stays
    @DRA/eviction/noexecute-deletes-running-pods @API/reservation/of-each-user @profile:kep
    Scenario: A NoExecute taint evicts a pod that reservedFor lists after a job
      When the driver updates the device "gpu-0" with
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster reaches a steady state
      Then pod "p" does not exist
      And ResourceClaim "c" has
        | field                      | value   |
        | status.reservedFor[0].name | nightly |
        | status.reservedFor[1]      |         |

  @profile:kep @profile:since-1.34
  Rule: Completed and deleted pods that share a ResourceClaim

    Background:
      Given the devices
        | device |
        | gpu-0  |
        | gpu-1  |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      And a pod "q" that uses ResourceClaim "c"

    @case:completed-pod-not-reserved-again
    @API/reservation/of-each-user
    Scenario Outline: A ResourceClaim is not reserved again for a completed pod while another pod uses it
      When the cluster reaches a steady state
      Then ResourceClaim "c" is reserved for pods "p, q"
      When pod "p" <ends>
      And the cluster reaches a steady state
      Then ResourceClaim "c" is reserved for pod "q"
      And ResourceClaim "c" keeps its allocation
      And pod "q" is Running
      When the controller manager restarts
      And the cluster reaches a steady state
      Then ResourceClaim "c" is reserved for pod "q"

      Examples:
        | ends     |
        | finishes |
        | fails    |

    @case:deleted-claim-waits-for-last-pod
    @DRA/claim/manual-lifecycle @API/reservation/of-each-user
    Scenario: A ResourceClaim deleted while in use remains until its last pod is deleted
      When the cluster reaches a steady state
      Then pod "p" is Running
      When ResourceClaim "c" is deleted
      And pod "p" is deleted
      And the cluster reaches a steady state
      Then ResourceClaim "c" is reserved for pod "q"
      And ResourceClaim "c" keeps its allocation
      When pod "q" is deleted
      And the cluster reaches a steady state
      Then ResourceClaim "c" does not exist

  @profile:kep
  Rule: Cleanup after a restart of the controllers

    Background:
      Given the devices
        | device |
        | gpu-0  |
        | gpu-1  |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      And a pod "q" that uses ResourceClaim "c"

    @case:cleanup-after-downtime
    @DRA/claim/manual-lifecycle
    Scenario: A ResourceClaim deleted with its pods while no controller runs is removed afterwards
      When the cluster reaches a steady state
      Then pod "p" is Running
      When the feature gate "DynamicResourceAllocation" is turned off in the controller manager
      And ResourceClaim "c" is deleted
      And pod "p" is deleted
      And pod "q" is deleted
      And the feature gate "DynamicResourceAllocation" is turned on in the controller manager
      And the cluster reaches a steady state
      Then ResourceClaim "c" does not exist
      When a ResourceClaim "d" requesting 2 devices is created
      And a pod "r" that uses ResourceClaim "d" is created
      And the cluster reaches a steady state
      Then pod "r" is Running

  @profile:kep @profile:since-1.34
  Rule: Preparation of each ResourceClaim

    Background:
      Given the devices
        | device |
        | gpu-0  |
        | gpu-1  |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"

    @case:second-pod-prepares-new-claim
    @DRA/workflow/node-configures-device
    Scenario Outline: A second pod runs once the kubelet has prepared its other ResourceClaim, too
      Given a ResourceClaim "d" requesting 1 device
      And a pod "q" that uses ResourceClaims "<claims>"
      When pod "p" is created
      And the cluster reaches a steady state
      Then ResourceClaim "c" is prepared on node "node-1"
      When pod "q" is created
      And the cluster reaches a steady state
      Then pod "q" is Running
      And ResourceClaim "d" is prepared on node "node-1"
      But since Kubernetes 1.34, because the document does not say whether a prepared ResourceClaim is prepared again: pod "q" is Running
      But since Kubernetes 1.34, because the document does not say whether a prepared ResourceClaim is prepared again: ResourceClaim "d" is prepared on node "node-1"
      But since Kubernetes 1.34, because the document does not say whether a prepared ResourceClaim is prepared again: ResourceClaim "c" is prepared on no node

      Examples:
        | claims |
        | c, d   |
        | d, c   |

    @case:recreated-claim-prepared
    @DRA/workflow/node-configures-device
    Scenario: A ResourceClaim that is recreated with the same name is prepared again
      When the cluster reaches a steady state
      Then ResourceClaim "c" is prepared on node "node-1"
      When pod "p" is deleted
      And ResourceClaim "c" is deleted
      And the cluster reaches a steady state
      And a ResourceClaim "c" requesting 2 devices is created
      And a pod "q" that uses ResourceClaim "c" is created
      And the cluster reaches a steady state
      Then pod "q" is Running
      And ResourceClaim "c" is prepared on node "node-1" with
        | device |
        | gpu-0  |
        | gpu-1  |

  @profile:kep @profile:since-1.34
  Rule: A pod has one generated ResourceClaim for each ResourceClaimTemplate that it references

    @case:conflict-on-pod-status
    @DRA/template/one-claim-per-pod
    Scenario: A pod has only one generated ResourceClaim after its status updates fail with Conflict
      Given the devices
        | device |
        | gpu-0  |
        | gpu-1  |
      And a ResourceClaimTemplate "t" requesting 1 device
      And a ResourceQuota "q" with the hard limits 9 of "count/resourceclaims.resource.k8s.io"
      And a pod "p" that uses the ResourceClaimTemplate "t" as "gpu"
      When the next 2 updates of the status of a pod by components fail with Conflict
      And the cluster reaches a steady state
      Then pod "p" is Running
      And ResourceClaim "gpu of pod p" is reserved for pod "p"
      And ResourceQuota "q" reports 1 of "count/resourceclaims.resource.k8s.io" as used

  Rule: Pods deleted before they are scheduled

    @case:deleted-gated-pod-releases
    @API/reservation/of-each-user @profile:since-1.34
    Scenario: Deleting an unscheduled pod releases its ResourceClaim although a finalizer keeps the pod
      Given the device
        | device |
        | gpu-0  |
      And the objects
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: p
          namespace: default
          uid: 4d1f6c02-8b3e-4f57-a1c9-6e2d7b908f13
          finalizers: [example.com/hold]
        spec:
          schedulingGates: [{name: example.com/go}]
          resourceClaims: [{name: gpu, resourceClaimName: c}]
          containers: [{name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: gpu}]}}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: c, namespace: default, finalizers: [resource.kubernetes.io/delete-protection]}
        spec:
          devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}
        status:
          allocation: {devices: {results: [{request: r0, driver: dra.example.com, pool: pool-1, device: gpu-0}]}}
          reservedFor: [{resource: pods, name: p, uid: 4d1f6c02-8b3e-4f57-a1c9-6e2d7b908f13}]
        """
      When the cluster reaches a steady state
      Then ResourceClaim "c" is reserved for pod "p"
      When pod "p" is deleted
      And the cluster reaches a steady state
      Then ResourceClaim "c" is reserved for no pod
      And ResourceClaim "c" is not allocated
      And pod "p" has
        | field               | value              |
        | metadata.finalizers | [example.com/hold] |

  @profile:since-1.34
  Rule: The finalizer of an unallocated ResourceClaim

    @case:unallocated-claim-with-finalizer
    @DRA/claim/manual-lifecycle
    Scenario Outline: A deleted ResourceClaim with the scheduler's finalizer is removed if no pod uses it
      Given the devices
        | device |
        | gpu-0  |
      And the object
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: c, namespace: default, finalizers: [<finalizers>]}
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
        status: <status>
        """
      When the cluster reaches a steady state
      And ResourceClaim "c" is deleted
      And the cluster reaches a steady state
      Then ResourceClaim "c" has
        | field         | value  |
        | metadata.name | <name> |

      Examples:
        | finalizers                                              | status                                                                                                    | name |
        | resource.kubernetes.io/delete-protection                | {}                                                                                                        |      |
        | resource.kubernetes.io/delete-protection                | {allocation: {devices: {results: [{request: r0, driver: dra.example.com, pool: pool-1, device: gpu-0}]}}} |      |
        | resource.kubernetes.io/delete-protection, example.com/f | {}                                                                                                        | c    |
