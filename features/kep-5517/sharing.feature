Feature: Sharing of ResourceClaims with mapped devices
  A mapped ResourceClaim has a device with nodeAllocatableResourceMappings. Containers of one pod may share a mapped
  ResourceClaim. Pods may not, because it is ambiguous which pod's usage includes the ResourceClaim.

  Background:
    Given a node "node-1" with 64 of "cpu"

  Rule: Containers of one pod and pods of one node

    Background:
      Given the device
        | device | takes cpu |
        | four   | 4         |
      And a claim "shared" requesting 1 device

    @case:containers-share-claim
    @KEP-5517/shared-claim/intra-pod-sharing-allowed @KEP-5517/shared-claim/same-pod-is-no-conflict
    Scenario: A ResourceClaim shared by three containers of a pod is charged to the node once
      Given a pod "p" with the containers
        | container | claims |
        | c1        | shared |
        | c2        | shared |
        | c3        | shared |
      When the cluster settles
      Then pod "p" runs
      And pod "p" records
        | claim  | containers | takes cpu |
        | shared | c1, c2, c3 | 4         |
      When a pod "next" with the container is created
        | container | request cpu |
        | main      | 60          |
      And the cluster settles
      Then pod "next" runs

    @case:second-pod-pending-until-deletion
    @KEP-5517/shared-claim/inter-pod-sharing-rejected @KEP-5517/shared-claim/nodeinfo-tracks-consumers
    @KEP-5517/shared-claim/free-again-after-consumer-leaves
    Scenario: A second pod with the ResourceClaim stays Pending until the first pod is deleted
      Given a pod "first" that uses claim "shared"
      And a pod "second" that uses claim "shared"
      When the cluster settles
      Then pod "first" runs
      And pod "second" is pending
      And claim "shared" is reserved for pod "first"
      When pod "first" is deleted
      And the cluster settles
      Then pod "second" runs
      And pod "second" records
        | claim  | containers | takes cpu |
        | shared | main       | 4         |
      When a pod "next" with the container is created
        | container | request cpu |
        | main      | 60          |
      And the cluster settles
      Then pod "next" runs

    @case:each-claim-free-after-deletion
    @KEP-5517/shared-claim/free-again-after-consumer-leaves
    Scenario Outline: A deleted pod leaves each of its two ResourceClaims to the next pod
      Given the device
        | device | takes cpu |
        | five   | 5         |
      And a claim "another" requesting 1 device
      And a pod "first" that uses claims "another, shared"
      And a pod "second" that uses claim "<claim>"
      When the cluster settles
      Then pod "first" runs
      And pod "second" is pending
      When pod "first" is deleted
      And the cluster settles
      Then pod "second" runs

      Examples:
        | claim   |
        | another |
        | shared  |

    @case:pending-pod-uses-nothing
    @KEP-5517/shared-claim/inter-pod-sharing-rejected
    Scenario: A pod that cannot share the ResourceClaim uses no node resources
      Given a pod "first" that uses claim "shared"
      And a pod "second" that uses claim "shared"
      And a pod "third" with the container
        | container | request cpu |
        | main      | 60          |
      When the cluster settles
      Then pod "second" is pending
      And pod "second" records nothing
      And pod "third" runs

    @case:finished-pod-frees-claim
    @KEP-5517/shared-claim/free-again-after-consumer-leaves
    Scenario: A finished pod leaves its ResourceClaim to the next pod
      Given a pod "first" that uses claim "shared"
      And a pod "second" that uses claim "shared"
      When the cluster settles
      And pod "first" finishes
      And the cluster settles
      Then pod "second" runs

    @case:claim-of-finished-pod-counts
    @KEP-5517/shared-claim/free-again-after-consumer-leaves
    Scenario: A ResourceClaim of a finished pod counts for the next pod
      Given claim "shared" already holds
        | device |
        | four   |
      And the object
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: first, namespace: default}
        spec:
          nodeName: node-1
          resourceClaims: [{name: shared, resourceClaimName: shared}]
          containers:
            - {name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: shared}]}}
        status: {phase: Succeeded}
        """
      And a pod "second" with the container
        | container | request cpu | claims |
        | main      | 1           | shared |
      When the footprint of pod "second" is counted
      Then the pod takes 5 of "cpu"

    @case:auxiliary-claim-not-shared
    @KEP-5517/shared-claim/auxiliary-claims-also-rejected
    Scenario: A ResourceClaim with only auxiliary resources of a GPU cannot be shared by pods
      Given the device
        | device | attribute type | takes cpu |
        | gpu0   | string gpu     | 2         |
      And a claim "gpu" with the request
        | request | selector                                                                                        |
        | r0      | "type" in device.attributes["dra.example.com"] && device.attributes["dra.example.com"].type == "gpu" |
      And a pod "first" that uses claim "gpu"
      And a pod "second" that uses claim "gpu"
      When the cluster settles
      Then pod "first" runs
      And pod "second" is pending

    @case:same-name-other-namespace
    @KEP-5517/shared-claim/keyed-by-namespace-and-name
    Scenario: ResourceClaims with equal names in different namespaces do not conflict
      Given the device
        | device | takes cpu |
        | more   | 4         |
      And a claim "ns-b/shared" requesting 1 device
      And a pod "first" that uses claim "shared"
      And a pod "ns-b/second" that uses claim "shared"
      When the cluster settles
      Then pod "first" runs
      And pod "ns-b/second" runs

    @case:gate-off-allows-sharing
    @KEP-5517/feature-gate/off-lifts-sharing-restriction
    Scenario: Two pods share a mapped ResourceClaim with the gate off in the scheduler
      Given the feature gate "DRANodeAllocatableResources" is off in the scheduler
      And a pod "first" that uses claim "shared"
      And a pod "second" that uses claim "shared"
      When the cluster settles
      Then pod "first" runs
      And pod "second" runs
      And claim "shared" is reserved for pods "first, second"

    @case:retried-pod-no-conflict
    @KEP-5517/shared-claim/same-pod-is-no-conflict
    Scenario: A retried pod does not conflict with its own use of the ResourceClaim
      Given a pod "p" that uses claim "shared"
      When the next 4 updates of the status of a Pod by components fail as Conflict
      And the cluster settles
      Then pod "p" runs
      And pod "p" records
        | claim  | containers | takes cpu |
        | shared | main       | 4         |
      But in Kubernetes 1.36, because this release counts only claims that it allocates in the same attempt: pod "p" records nothing

  Rule: ResourceClaims without mapped devices

    Background:
      Given the device
        | device | attribute type |
        | gpu0   | string gpu     |

    @case:unmapped-claim-shared
    @KEP-5517/shared-claim/claims-without-mapped-devices-stay-shareable @profile:kep @profile:since-1.34
    Scenario: A ResourceClaim without mapped devices is shared by two pods
      Given a claim "gpu" requesting 1 device
      And a pod "first" that uses claim "gpu"
      And a pod "second" that uses claim "gpu"
      When the cluster settles
      Then pod "first" runs
      And pod "second" runs
      And claim "gpu" is reserved for pods "first, second"

    @case:unmapped-alternative-shared
    @KEP-5517/shared-claim/claims-without-mapped-devices-stay-shareable
    Scenario: A ResourceClaim whose allocated alternative has no mappings is shared by two pods
      Given the device
        | device | attribute type | shared | capacity cpu | takes cpu |
        | pool   | string pool    | yes    | 64           | cpu       |
      And a claim "c" with the requests
        | request | subrequest | selector                                              | capacity cpu |
        | r0      | gpu        | device.attributes["dra.example.com"].type == "gpu"  |              |
        | r0      | cpu        | device.attributes["dra.example.com"].type == "pool" | 8            |
      And a pod "first" that uses claim "c"
      And a pod "second" that uses claim "c"
      When the cluster settles
      Then pod "first" runs
      And pod "second" runs

  Rule: ResourceClaims that can be used on several nodes

    @case:consumer-on-other-node
    @KEP-5517/shared-claim/consumer-on-another-node
    Scenario: A mapped ResourceClaim cannot be used by a second pod on another node
      Given a node "node-2" with 50 of "cpu"
      And the device
        | device | node | takes cpu |
        | net    | *    | 4         |
      And a claim "c" requesting 1 device
      And a pod "first" that uses claim "c" with the container
        | container | request cpu | claims |
        | main      | 60          | c      |
      And a pod "second" with the container
        | container | request cpu | claims |
        | main      | 40          | c      |
      When the cluster settles
      Then pod "first" runs on node "node-1"
      And pod "second" is pending
      But in Kubernetes 1.36, because this release checks only the pods of the same node: pod "second" runs on node "node-2"
