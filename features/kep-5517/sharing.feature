Feature: Sharing of ResourceClaims with mapped devices
  A mapped ResourceClaim has a device with nodeAllocatableResourceMappings. Containers of one pod may share a mapped
  ResourceClaim. Pods may not, because it is ambiguous which pod's usage includes the ResourceClaim.

  Background:
    Given a node "node-1" with allocatable 64 of "cpu"

  Rule: A ResourceClaim for CPUs that several containers or pods use

    Background:
      Given the device
        | device | mapping cpu |
        | four   | 4           |
      And a ResourceClaim "shared" requesting 1 device

    @case:containers-share-claim
    @KEP-5517/shared-claim/intra-pod-sharing-allowed @KEP-5517/shared-claim/same-pod-is-no-conflict
    Scenario: A ResourceClaim shared by three containers of a pod counts once against the node
      Given a pod "p" with the containers
        | container | claims |
        | c1        | shared |
        | c2        | shared |
        | c3        | shared |
      When the cluster reaches a steady state
      Then pod "p" is Running
      And pod "p" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu |
        | shared        | c1, c2, c3 | 4            |
      When a pod "next" with the container is created
        | container | request cpu |
        | main      | 60          |
      And the cluster reaches a steady state
      Then pod "next" is Running

    @case:second-pod-pending-until-deletion
    @KEP-5517/shared-claim/inter-pod-sharing-rejected @KEP-5517/shared-claim/nodeinfo-tracks-consumers
    @KEP-5517/shared-claim/free-again-after-consumer-leaves
    Scenario: A second pod with the same ResourceClaim for CPUs stays Pending until the first is deleted
      Given a pod "first" that uses ResourceClaim "shared"
      And a pod "second" that uses ResourceClaim "shared"
      When the cluster reaches a steady state
      And pod "second" is created
      And the cluster reaches a steady state
      Then pod "first" is Running
      And pod "second" is Pending
      And ResourceClaim "shared" is reserved for pod "first"
      When pod "first" is deleted
      And the cluster reaches a steady state
      Then pod "second" is Running
      And pod "second" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu |
        | shared        | main       | 4            |
      When a pod "next" with the container is created
        | container | request cpu |
        | main      | 60          |
      And the cluster reaches a steady state
      Then pod "next" is Running

    @case:each-claim-free-after-deletion
    @KEP-5517/shared-claim/free-again-after-consumer-leaves
    Scenario Outline: Either of two ResourceClaims for CPUs can be used again after its pod is deleted
      Given the device
        | device | mapping cpu |
        | five   | 5           |
      And a ResourceClaim "another" requesting 1 device
      And a pod "first" that uses ResourceClaims "another, shared"
      And a pod "second" that uses ResourceClaim "<claim>"
      When the cluster reaches a steady state
      And pod "second" is created
      And the cluster reaches a steady state
      Then pod "first" is Running
      And pod "second" is Pending
      When pod "first" is deleted
      And the cluster reaches a steady state
      Then pod "second" is Running

      Examples:
        | claim   |
        | another |
        | shared  |

    @case:pending-pod-uses-nothing
    @KEP-5517/shared-claim/inter-pod-sharing-rejected
    Scenario: A pod that is Pending because another pod uses its ResourceClaim uses no node resources
      Given a pod "first" that uses ResourceClaim "shared"
      And a pod "second" that uses ResourceClaim "shared"
      And a pod "third" with the container
        | container | request cpu |
        | main      | 60          |
      When the cluster reaches a steady state
      And pod "second" is created
      And the cluster reaches a steady state
      Then pod "second" is Pending
      And pod "second" has no nodeAllocatableResourceClaimStatuses
      And pod "third" is Running

    @case:finished-pod-frees-claim
    @KEP-5517/shared-claim/free-again-after-consumer-leaves
    Scenario: A second pod with the same ResourceClaim for CPUs runs after the first pod has finished
      Given a pod "first" that uses ResourceClaim "shared"
      And a pod "second" that uses ResourceClaim "shared"
      When the cluster reaches a steady state
      And pod "first" finishes
      And the cluster reaches a steady state
      Then pod "second" is Running

    @case:claim-of-finished-pod-counts
    @KEP-5517/shared-claim/free-again-after-consumer-leaves
    Scenario: A ResourceClaim that a finished pod used counts in the node usage of the next pod
      Given ResourceClaim "shared" is already allocated
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
      When the node resource usage of pod "second" is computed
      Then the pod uses 5 of "cpu"

    @case:auxiliary-claim-not-shared
    @KEP-5517/shared-claim/auxiliary-claims-also-rejected
    Scenario: A ResourceClaim whose GPU maps to auxiliary CPUs cannot be shared by two pods
      Given the device
        | device | attribute type | mapping cpu |
        | gpu0   | string gpu     | 2           |
      And a ResourceClaim "gpu" with the request
        | request | selector                                                                                        |
        | r0      | "type" in device.attributes["dra.example.com"] && device.attributes["dra.example.com"].type == "gpu" |
      And a pod "first" that uses ResourceClaim "gpu"
      When the cluster reaches a steady state
      Then pod "first" is Running
      When a pod "second" that uses ResourceClaim "gpu" is created
      And the cluster reaches a steady state
      Then pod "second" is Pending

    @case:same-name-other-namespace
    @KEP-5517/shared-claim/keyed-by-namespace-and-name
    Scenario: Two pods can use ResourceClaims for CPUs with the same name in two namespaces
      Given the device
        | device | mapping cpu |
        | more   | 4           |
      And a ResourceClaim "ns-b/shared" requesting 1 device
      And a pod "first" that uses ResourceClaim "shared"
      And a pod "ns-b/second" that uses ResourceClaim "shared"
      When the cluster reaches a steady state
      Then pod "first" is Running
      And pod "ns-b/second" is Running

    @case:same-name-other-namespace-counts
    @KEP-5517/shared-claim/keyed-by-namespace-and-name
    Scenario: A ResourceClaim counts although a pod in another namespace uses one of the same name
      Given ResourceClaim "shared" is already allocated
        | device |
        | four   |
      And the object
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: first, namespace: ns-b}
        spec:
          nodeName: node-1
          resourceClaims: [{name: shared, resourceClaimName: shared}]
          containers:
            - {name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: shared}]}}
        status: {phase: Running}
        """
      And a pod "second" with the container
        | container | request cpu | claims |
        | main      | 1           | shared |
      When the node resource usage of pod "second" is computed
      Then the pod uses 5 of "cpu"

    @case:gate-off-allows-sharing
    @KEP-5517/feature-gate/off-lifts-sharing-restriction
    Scenario: Pods share a ResourceClaim for CPUs with DRANodeAllocatableResources off in the scheduler
      Given the feature gate "DRANodeAllocatableResources" is off in the scheduler
      And a pod "first" that uses ResourceClaim "shared"
      And a pod "second" that uses ResourceClaim "shared"
      When the cluster reaches a steady state
      Then pod "first" is Running
      And pod "second" is Running
      And ResourceClaim "shared" is reserved for pods "first, second"

    @case:retried-pod-no-conflict
    @KEP-5517/shared-claim/same-pod-is-no-conflict
    Scenario: A pod's own use of a ResourceClaim for CPUs does not prevent a second scheduling attempt
      Given a pod "p" that uses ResourceClaim "shared"
      When the next 4 updates of the status of a pod by components fail with Conflict
      And the cluster reaches a steady state
      Then pod "p" is Running
      And pod "p" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu |
        | shared        | main       | 4            |
      But in Kubernetes 1.36, because this release counts only claims that it allocates in the same attempt: pod "p" has no nodeAllocatableResourceClaimStatuses

  Rule: ResourceClaims without mapped devices

    Background:
      Given the device
        | device | attribute type |
        | gpu0   | string gpu     |

    @case:unmapped-claim-shared
    @KEP-5517/shared-claim/claims-without-mapped-devices-stay-shareable @profile:kep @profile:since-1.34
    Scenario: A ResourceClaim for a GPU without node resource mappings can be shared by two pods
      Given a ResourceClaim "gpu" requesting 1 device
      And a pod "first" that uses ResourceClaim "gpu"
      And a pod "second" that uses ResourceClaim "gpu"
      When the cluster reaches a steady state
      Then pod "first" is Running
      And pod "second" is Running
      And ResourceClaim "gpu" is reserved for pods "first, second"

    @case:unmapped-alternative-shared
    @KEP-5517/shared-claim/claims-without-mapped-devices-stay-shareable
    Scenario: A ResourceClaim can be shared by two pods if its allocated subrequest has no mappings
      Given the device
        | device | attribute type | allowMultipleAllocations | capacity cpu | mapping cpu |
        | pool   | string pool    | yes                      | 64           | cpu         |
      And a ResourceClaim "c" with the requests
        | request | subrequest | selector                                              | capacity cpu |
        | r0      | gpu        | device.attributes["dra.example.com"].type == "gpu"  |              |
        | r0      | cpu        | device.attributes["dra.example.com"].type == "pool" | 8            |
      And a pod "first" that uses ResourceClaim "c"
      And a pod "second" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "first" is Running
      And pod "second" is Running

    @case:unmapped-claim-with-mapped-claim
    @KEP-5517/shared-claim/claims-without-mapped-devices-stay-shareable
    Scenario Outline: Two pods can share an unmapped ResourceClaim but not a mapped one
      Given the devices
        | device | attribute type | mapping cpu |
        | four   | string cpus    | 4           |
        | eight  | string cpus    | 8           |
      And a ResourceClaim "gpu" with the request
        | selector                                           |
        | device.attributes["dra.example.com"].type == "gpu" |
      And a ResourceClaim "mine" with the request
        | selector                                            |
        | device.attributes["dra.example.com"].type == "cpus" |
      And a ResourceClaim "theirs" with the request
        | selector                                            |
        | device.attributes["dra.example.com"].type == "cpus" |
      And a pod "first" that uses ResourceClaims "<of first>"
      And a pod "second" that uses ResourceClaims "<of second>"
      When the cluster reaches a steady state
      And pod "second" is created
      And the cluster reaches a steady state
      Then pod "first" is Running
      And pod "second" <what>

      Examples:
        | of first    | of second  | what       |
        | gpu         | mine, gpu  | is Running |
        | gpu         | gpu, mine  | is Running |
        | theirs, gpu | gpu, mine  | is Running |
        | mine, gpu   | gpu        | is Running |

      @KEP-5517/shared-claim/inter-pod-sharing-rejected
      Examples:
        | of first  | of second | what       |
        | gpu, mine | gpu, mine | is Pending |
        | mine      | gpu, mine | is Pending |

  Rule: ResourceClaims that can be used on several nodes

    @case:consumer-on-other-node
    @KEP-5517/shared-claim/consumer-on-another-node
    Scenario: A ResourceClaim for CPUs cannot be used by a second pod on another node
      Given a node "node-2" with allocatable 50 of "cpu"
      And the device
        | device | node | mapping cpu |
        | net    | *    | 4           |
      And a ResourceClaim "c" requesting 1 device
      And a pod "first" that uses ResourceClaim "c" with the container
        | container | request cpu | claims |
        | main      | 60          | c      |
      And a pod "second" with the container
        | container | request cpu | claims |
        | main      | 40          | c      |
      When the cluster reaches a steady state
      Then pod "first" is Running on node "node-1"
      And pod "second" is Pending
      But in Kubernetes 1.36, because this release checks only the pods of the same node: pod "second" is Running on node "node-2"
