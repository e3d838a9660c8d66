Feature: Who may share a claim that takes resources of a node
  Containers of one pod may. Pods may not: it would not be clear whose footprint the claim belongs to.

  Background:
    Given a node "node-1" with 64 of "cpu"

  Rule: Within a pod

    Background:
      Given the device
        | device | takes cpu |
        | four   | 4         |
      And a claim "shared" requesting 1 device

    @case:three-containers-share-a-claim-and-the-node-is
    @KEP-5517/shared-claim/intra-pod-sharing-allowed @KEP-5517/shared-claim/same-pod-is-no-conflict
    Scenario: Three containers share a claim, and the node is charged once
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

    @case:a-second-pod-waits-until-the-first-one-is-gone
    @KEP-5517/shared-claim/inter-pod-sharing-rejected @KEP-5517/shared-claim/nodeinfo-tracks-consumers
    @KEP-5517/shared-claim/free-again-after-consumer-leaves
    Scenario: A second pod waits until the first one is gone
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

    @case:of-the-two-claims-of-a-pod-that-is-gone-the-one-is
    @KEP-5517/shared-claim/free-again-after-consumer-leaves
    Scenario Outline: Of the two claims of a pod that is gone the <place> one is free as well
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
        | place  | claim   |
        | first  | another |
        | second | shared  |

    @case:a-pod-that-is-refused-the-claim-takes-nothing-of-the
    @KEP-5517/shared-claim/inter-pod-sharing-rejected
    Scenario: A pod that is refused the claim takes nothing of the node
      Given a pod "first" that uses claim "shared"
      And a pod "second" that uses claim "shared"
      And a pod "third" with the container
        | container | request cpu |
        | main      | 60          |
      When the cluster settles
      Then pod "second" is pending
      And pod "second" records nothing
      And pod "third" runs

    @case:a-pod-that-has-finished-leaves-the-claim-to-the-next
    @KEP-5517/shared-claim/free-again-after-consumer-leaves
    Scenario: A pod that has finished leaves the claim to the next one
      Given a pod "first" that uses claim "shared"
      And a pod "second" that uses claim "shared"
      When the cluster settles
      And pod "first" finishes
      And the cluster settles
      Then pod "second" runs

    @case:beside-a-pod-that-has-finished-a-pod-has-its
    @KEP-5517/shared-claim/free-again-after-consumer-leaves
    Scenario: Beside a pod that has finished a pod has its footprint with the claim
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

    @case:what-an-accelerator-needs-besides-cannot-be-shared
    @KEP-5517/shared-claim/auxiliary-claims-also-rejected
    Scenario: What an accelerator needs besides cannot be shared either
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

    @case:a-claim-of-the-same-name-in-another-namespace-is
    @KEP-5517/shared-claim/keyed-by-namespace-and-name
    Scenario: A claim of the same name in another namespace is another claim
      Given the device
        | device | takes cpu |
        | more   | 4         |
      And a claim "ns-b/shared" requesting 1 device
      And a pod "first" that uses claim "shared"
      And a pod "ns-b/second" that uses claim "shared"
      When the cluster settles
      Then pod "first" runs
      And pod "ns-b/second" runs

    @case:with-the-gate-off-in-the-scheduler-pods-share-the
    @KEP-5517/feature-gate/off-lifts-sharing-restriction
    Scenario: With the gate off in the scheduler pods share the claim
      Given the feature gate "DRANodeAllocatableResources" is off in the scheduler
      And a pod "first" that uses claim "shared"
      And a pod "second" that uses claim "shared"
      When the cluster settles
      Then pod "first" runs
      And pod "second" runs
      And claim "shared" is reserved for pods "first, second"

    @case:a-pod-that-is-tried-again-is-not-in-its-own-way
    @KEP-5517/shared-claim/same-pod-is-no-conflict
    Scenario: A pod that is tried again is not in its own way
      Given a pod "p" that uses claim "shared"
      When the next 4 updates of the status of a Pod by components fail as Conflict
      And the cluster settles
      Then pod "p" runs
      And pod "p" records
        | claim  | containers | takes cpu |
        | shared | main       | 4         |
      But in Kubernetes 1.36, because that release counts what it allocates itself: pod "p" records nothing

  Rule: Claims that take nothing of the node

    Background:
      Given the device
        | device | attribute type |
        | gpu0   | string gpu     |

    @case:a-gpu-that-takes-nothing-is-shared
    @KEP-5517/shared-claim/claims-without-mapped-devices-stay-shareable @profile:kep @profile:since-1.34
    Scenario: A GPU that takes nothing is shared
      Given a claim "gpu" requesting 1 device
      And a pod "first" that uses claim "gpu"
      And a pod "second" that uses claim "gpu"
      When the cluster settles
      Then pod "first" runs
      And pod "second" runs
      And claim "gpu" is reserved for pods "first, second"

    @case:a-claim-for-a-gpu-or-cpus-that-got-the-gpu-is-shared
    @KEP-5517/shared-claim/claims-without-mapped-devices-stay-shareable
    Scenario: A claim for a GPU or CPUs that got the GPU is shared
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

  Rule: Claims that reach several nodes

    @case:a-pod-on-another-node-cannot-have-the-claim-of-a-pod
    @KEP-5517/shared-claim/consumer-on-another-node
    Scenario: A pod on another node cannot have the claim of a pod
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
      But in Kubernetes 1.36, because that release looks at the pods of the node only: pod "second" runs on node "node-2"
