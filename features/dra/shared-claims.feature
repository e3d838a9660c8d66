Feature: Claims with several users
  A claim may be used by several pods, by consumers that are not pods, and by one pod under several names. Each
  reservation is for one user: what becomes of the others leaves it alone.

  Rule: A pod that names a claim twice uses it once

    Background:
      Given a device class "any"
      And the devices
        | device |
        | gpu-0  |
        | gpu-1  |
      And a claim "c" requesting 1 device
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

    @DRA/claim/shared-by-containers @profile:kep @profile:since-1.34
    Scenario: A pod that names a claim twice runs
      When the cluster settles
      Then pod "p" runs
      But since Kubernetes 1.34, because the scheduler of these releases writes a claim once for each of its names, and the second write is refused: pod "p" is pending

    @DRA/claim/shared-by-containers @profile:kep
    Scenario: A claim under two names in a pod gets its device once and is reserved once
      When the cluster settles
      Then pod "p" runs
      And claim "c" gets 1 device
      And claim "c" is reserved for pod "p"
      And claim "c" is prepared on node "node-1"
      When pod "p" is deleted
      And the cluster settles
      Then claim "c" is not allocated

    @DRA/claim/shared-by-containers @profile:kep
    Scenario: A pod with a claim under two names gets it in the next attempt, too, after one that was given up
      When pod "p" is tried as far as PreBind
      Then after PreBind claim "c" is reserved for pod "p"
      When the attempt for pod "p" is given up
      And pod "p" is tried
      Then Bind ends with Success
      And after Bind claim "c" is reserved for pod "p"

  @profile:kep @profile:since-1.34
  Rule: A pod has all of its claims, also those that no container uses

    Background:
      Given the device
        | device | pool |
        | gpu-0  | one  |
      And a claim "c" requesting 1 device
      And a claim "d" requesting 1 device
      And the object
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: default}
        spec:
          resourceClaims: [{name: used, resourceClaimName: c}, {name: unused, resourceClaimName: d}]
          containers: [{name: a, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: used}]}}]
        """

    @DRA/workflow/all-claims-of-a-pod-together
    Scenario: A claim that no container uses is allocated and reserved beside the one that a container uses
      Given the device
        | device | pool |
        | gpu-1  | two  |
      When the cluster settles
      Then pod "p" runs
      And claim "c" is reserved for pod "p"
      And claim "d" gets 1 device
      And claim "d" is reserved for pod "p"

    @DRA/workflow/all-claims-of-a-pod-together
    Scenario: A claim that no container uses keeps its pod pending where there is no device for it
      When the cluster settles
      Then pod "p" is pending
      And claim "c" is not allocated
      And claim "d" is not allocated

  @profile:kep @profile:since-1.34
  Rule: Claims of one pod and claims of several are scheduled together

    Background:
      Given a node "n1"
      And a node "n2"
      And the devices
        | device | node | pool   | attribute color |
        | black  | n1   | n1     | string black    |
        | white  | n1   | n1     | string white    |
        | raven  | n2   | n2     | string black    |
        | link   | *    | fabric | string none     |
      And a claim "shared" with the request
        | selector                                             |
        | device.attributes["dra.example.com"].color == "none" |

    @DRA/claim/shared-by-several-pods @DRA/workflow/all-claims-of-a-pod-together
    Scenario: Pods with a claim of their own share one that can be used on every node
      Given a claim "a" with the request
        | selector                                              |
        | device.attributes["dra.example.com"].color == "black" |
      And a claim "b" with the request
        | selector                                              |
        | device.attributes["dra.example.com"].color == "white" |
      And a pod "p" that uses claims "shared, a"
      And a pod "q" that uses claims "shared, b"
      When the cluster settles
      Then pod "p" runs
      And pod "q" runs on node "n1"
      And claim "shared" is reserved for pods "p, q"

    @DRA/prioritized-list/node-choice @DRA/claim/shared-by-several-pods
    Scenario Outline: Beside a claim that is allocated on every node, a pod that names <claims> goes where its first alternative is
      Given a claim "a" with the request
        | selector                                              |
        | device.attributes["dra.example.com"].color == "black" |
      And a claim "b" with the requests
        | request | subrequest | selector                                              |
        | cat     | best       | device.attributes["dra.example.com"].color == "black" |
        | cat     | fallback   | device.attributes["dra.example.com"].color == "white" |
      And a pod "p" that uses claims "shared, a"
      And a pod "q" that uses claims "<claims>"
      When the Pod "p" is created
      And the cluster settles
      Then pod "p" runs on node "n1"
      When the Pod "q" is created
      And the cluster settles
      Then pod "q" runs on node "n2"
      And claim "b" gets exactly
        | request  | device |
        | cat/best | raven  |
      And claim "shared" is reserved for pods "p, q"
      But in Kubernetes 1.34, because this release does not compare nodes by the alternatives they give: claim "b" is allocated

      Examples:
        | claims    |
        | shared, b |
        | b, shared |

  Rule: What becomes of one user leaves the others alone

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
      And a device class "any"

    @API/reservation/of-each-user @profile:kep @profile:since-1.34
    Scenario: A pod that is done is no user of its claim any more, the job beside it still is
      When pod "p" finishes
      And the cluster settles
      Then the ResourceClaim "c" has
        | field                      | value   |
        | status.reservedFor[0].name | nightly |
        | status.reservedFor[1]      |         |
      And claim "c" keeps its allocation
      But until Kubernetes 1.35, because the controllers of these releases take back no reservation of a claim that has a user which is not a pod: the ResourceClaim "c" has
        | field                      | value   |
        | status.reservedFor[0].name | nightly |
        | status.reservedFor[1].name | p       |

    @API/reservation/of-each-user @profile:kep
    Scenario: Without its pod a claim is not free for others as long as a job uses it
      When pod "p" is deleted
      And a claim "d" requesting 2 devices is created
      And a pod "q" that uses claim "d" is created
      And the cluster settles
      Then pod "q" is pending
      And claim "c" keeps its allocation

    @API/reservation/of-each-user @profile:kep @profile:since-1.34
    Scenario: A pod that joins a job is reserved for beside it
      When a pod "q" that uses claim "c" is created
      And the cluster settles
      Then pod "q" runs
      And the ResourceClaim "c" has
        | field                      | value   |
        | status.reservedFor[0].name | nightly |
        | status.reservedFor[1].name | p       |
        | status.reservedFor[2].name | q       |

    @DRA/eviction/noexecute-deletes-running-pods @API/reservation/of-each-user @profile:kep
    Scenario: A pod behind another user of its claim is evicted as well
      When the driver changes the device "gpu-0"
        | field  | value                              |
        | taints | [{key: broken, effect: NoExecute}] |
      And the cluster settles
      Then the Pod "p" does not exist
      And the ResourceClaim "c" has
        | field                      | value   |
        | status.reservedFor[0].name | nightly |
        | status.reservedFor[1]      |         |

  @profile:kep @profile:since-1.34
  Rule: A pod that is done is not a user again

    Background:
      Given the devices
        | device |
        | gpu-0  |
        | gpu-1  |
      And a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      And a pod "q" that uses claim "c"

    @API/reservation/of-each-user @DRA/pre-scheduled/controller-reserves-allocated-claims
    Scenario Outline: A pod that <ends> has no reservation while another pod uses its claim
      When the cluster settles
      Then claim "c" is reserved for pods "p, q"
      When pod "p" <ends>
      And the cluster settles
      Then claim "c" is reserved for pod "q"
      And claim "c" keeps its allocation
      And pod "q" runs
      When the controller manager restarts
      And the cluster settles
      Then claim "c" is reserved for pod "q"

      Examples:
        | ends     |
        | finishes |
        | fails    |

    @DRA/claim/manual-lifecycle
    Scenario: A claim that is deleted in use goes with its last pod
      When the cluster settles
      Then pod "p" runs
      When claim "c" is deleted
      And pod "p" is deleted
      And the cluster settles
      Then claim "c" is reserved for pod "q"
      And claim "c" keeps its allocation
      When pod "q" is deleted
      And the cluster settles
      Then the ResourceClaim "c" does not exist

  @profile:kep
  Rule: What happens while no controller runs is made up for when one starts

    Background:
      Given the devices
        | device |
        | gpu-0  |
        | gpu-1  |
      And a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      And a pod "q" that uses claim "c"

    @DRA/claim/manual-lifecycle
    Scenario: A claim that lost its pods while no controller ran goes when one starts
      When the cluster settles
      Then pod "p" runs
      When the feature gate "DynamicResourceAllocation" is turned off in the controller manager
      And claim "c" is deleted
      And pod "p" is deleted
      And pod "q" is deleted
      And the feature gate "DynamicResourceAllocation" is turned on in the controller manager
      And the cluster settles
      Then the ResourceClaim "c" does not exist
      When a claim "d" requesting 2 devices is created
      And a pod "r" that uses claim "d" is created
      And the cluster settles
      Then pod "r" runs

  @profile:kep @profile:since-1.34
  Rule: Devices are prepared for each claim of a pod, whoever uses the others

    Background:
      Given the devices
        | device |
        | gpu-0  |
        | gpu-1  |
      And a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"

    @DRA/workflow/node-configures-device
    Scenario Outline: Of the claims "<claims>" of a second pod only the one that is not in use yet is prepared
      Given a claim "d" requesting 1 device
      And a pod "q" that uses claims "<claims>"
      When the Pod "p" is created
      And the cluster settles
      Then claim "c" is prepared on node "node-1"
      When the Pod "q" is created
      And the cluster settles
      Then pod "q" runs
      And claim "d" is prepared on node "node-1"
      And claim "c" is prepared on no node

      Examples:
        | claims |
        | c, d   |
        | d, c   |

    @DRA/workflow/node-configures-device
    Scenario: A claim that is made again under its name is prepared again
      When the cluster settles
      Then claim "c" is prepared on node "node-1"
      When pod "p" is deleted
      And claim "c" is deleted
      And the cluster settles
      And a claim "c" requesting 2 devices is created
      And a pod "q" that uses claim "c" is created
      And the cluster settles
      Then pod "q" runs
      And claim "c" is prepared on node "node-1" with
        | device |
        | gpu-0  |
        | gpu-1  |

  @profile:kep @profile:since-1.34
  Rule: One claim is made for each entry

    @DRA/template/one-claim-per-pod
    Scenario: After a status that could not be written a pod still has one claim for its entry
      Given the devices
        | device |
        | gpu-0  |
        | gpu-1  |
      And a template "t" requesting 1 device
      And a quota "q" of 9 of "count/resourceclaims.resource.k8s.io"
      And a pod "p" that uses the template "t" as "gpu"
      When the next 2 updates of the status of a Pod by components fail as Conflict
      And the cluster settles
      Then pod "p" runs
      And claim "gpu of pod p" is reserved for pod "p"
      And quota "q" counts 1 of "count/resourceclaims.resource.k8s.io"

  Rule: A pod that is deleted before it has a node

    @API/reservation/of-each-user @profile:since-1.34
    Scenario: A pod that is deleted before it has a node gives its claim back, though a finalizer holds the pod
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
      When the cluster settles
      Then claim "c" is reserved for pod "p"
      When pod "p" is deleted
      And the cluster settles
      Then claim "c" is reserved for nobody
      And claim "c" is not allocated
      And the Pod "p" has
        | field               | value              |
        | metadata.finalizers | [example.com/hold] |
