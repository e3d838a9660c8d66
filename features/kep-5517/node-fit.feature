Feature: Node fit of pods with ResourceClaims
  A node fits if its free allocatable resources cover the requests of the pod and the node resources that its
  ResourceClaims add on this node.

  Rule: Requests and ResourceClaims of all pods on a node must fit together

    @case:request-plus-claim
    @KEP-5517/node-fit/effective-demand-against-free @KEP-5517/node-fit/dynamicresources-check-is-authoritative
    Scenario Outline: A pod runs only if its CPU request and the CPUs of its ResourceClaim fit on the node
      Given a node "node-1" with allocatable 16 of "cpu"
      And the device
        | device | mapping cpu |
        | four   | 4           |
      And a ResourceClaim "c" requesting 1 device
      And a pod "first" on node "node-1" with the container
        | container | request cpu |
        | main      | <taken>     |
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      When the cluster reaches a steady state
      Then pod "p" <what>

      Examples:
        | free  | taken  | what       |
        | 6     | 10     | is Running |
        | 4999m | 11001m | is Pending |
        | 4     | 12     | is Pending |

      @KEP-5517/node-fit/exact-fit-is-feasible
      Examples:
        | free | taken | what       |
        | 5    | 11    | is Running |

    @case:sum-does-not-fit
    @KEP-5517/node-fit/dynamicresources-check-is-authoritative @KEP-5517/node-fit/noderesourcesfit-checks-standard-only
    Scenario: A pod stays Pending if its request and its ResourceClaim each fit, but not together
      Given a node "node-1" with allocatable 10 of "cpu"
      And the device
        | device | allowMultipleAllocations | capacity cpu | mapping cpu |
        | pool0  | yes                      | 128          | cpu         |
      And a ResourceClaim "c" requesting 10 of "cpu"
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And ResourceClaim "c" is not allocated

    @case:request-too-large
    @KEP-5517/node-fit/noderesourcesfit-checks-standard-only
    Scenario: A pod stays Pending if its CPU request alone exceeds the allocatable CPUs of the node
      Given a node "node-1" with allocatable 10 of "cpu"
      And the device
        | device | mapping cpu |
        | one    | 1           |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 20          | c      |
      When the cluster reaches a steady state
      Then pod "p" is Pending

    @case:sum-fits-exactly
    @KEP-5517/node-fit/noderesourcesfit-checks-standard-only
    Scenario: A pod runs if its request plus its ResourceClaim equals the allocatable CPUs of the node
      Given a node "node-1" with allocatable 21 of "cpu"
      And the device
        | device | mapping cpu |
        | one    | 1           |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 20          | c      |
      When the cluster reaches a steady state
      Then pod "p" is Running

    @case:standard-pod-sees-claims
    @KEP-5517/node-fit/standard-pods-see-dra-usage
    Scenario Outline: CPUs of a running pod's ResourceClaim are not available to a pod without ResourceClaims
      Given a node "node-1" with allocatable 100 of "cpu"
      And the device
        | device | allowMultipleAllocations | capacity cpu | mapping cpu |
        | pool0  | yes                      | 128          | cpu         |
      And a ResourceClaim "c" requesting <claimed> of "cpu"
      And a pod "first" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "first" is Running
      When a pod "p" with the container is created
        | container | request cpu |
        | main      | 5           |
      And the cluster reaches a steady state
      Then pod "p" <what>

      Examples:
        | claimed | what       |
        | 50      | is Running |
        | 95      | is Running |
        | 96      | is Pending |
        | 98      | is Pending |

    @case:claim-sees-standard-pods
    @KEP-5517/node-fit/dra-pods-see-standard-usage
    Scenario: A pod stays Pending if another pod's requests leave too few CPUs for its ResourceClaim
      Given a node "node-1" with allocatable 16 of "cpu"
      And the device
        | device | mapping cpu |
        | eight  | 8           |
      And a ResourceClaim "c" requesting 1 device
      And a pod "first" on node "node-1" with the container
        | container | request cpu |
        | main      | 10          |
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And ResourceClaim "c" is not allocated

    @case:pods-of-other-namespaces
    @KEP-5517/accounting/ledger-is-sum-of-footprints
    Scenario Outline: Pods of other namespaces count in the usage of a node with requests and ResourceClaims
      Given a node "node-1" with allocatable 10 of "cpu"
      And the devices
        | device | mapping cpu |
        | four   | 4           |
        | five   | 4           |
      And the object
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: other, namespace: team-b}
        spec:
          nodeName: node-1
          containers: [{name: main, image: registry.k8s.io/pause:3.10, resources: {requests: {cpu: <request>}}}]
          resourceClaims: [{name: c, resourceClaimName: theirs}]
        status: {phase: Running, <claim>}
        """
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      When the cluster reaches a steady state
      Then pod "p" <what>

      Examples:
        | request | claim                                                                                                                                                | what       |
        | 5       | conditions: []                                                                                                                                       | is Running |
        | 5001m   | conditions: []                                                                                                                                       | is Pending |
        | 1       | nodeAllocatableResourceClaimStatuses: [{resourceClaimName: theirs, containers: [main], resources: {cpu: "4"}, mapping: [{name: cpu, quantity: "4"}]}] | is Running |
        | 2       | nodeAllocatableResourceClaimStatuses: [{resourceClaimName: theirs, containers: [main], resources: {cpu: "4"}, mapping: [{name: cpu, quantity: "4"}]}] | is Pending |

    @case:usage-is-sum-of-pods
    @KEP-5517/accounting/ledger-is-sum-of-footprints
    Scenario Outline: Node usage is the sum of requests, ResourceClaims and pod-level requests of all pods
      Given a node "node-1" with allocatable 20 of "cpu"
      And the device
        | device | allowMultipleAllocations | capacity cpu | mapping cpu |
        | pool0  | yes                      | 128          | cpu         |
      And a ResourceClaim "four" requesting 4 of "cpu"
      And a ResourceClaim "ten" requesting 10 of "cpu"
      And a pod "a" with the container
        | container | request cpu |
        | main      | 2           |
      And a pod "b" with the container
        | container | request cpu | claims |
        | main      | 1           | four   |
      And a pod "d" that uses ResourceClaim "ten"
      And pod "d" requests 11 of "cpu" at pod level
      When the cluster reaches a steady state
      Then pod "a" is Running
      And pod "b" is Running
      And pod "d" is Running
      When a pod "next" with the container is created
        | container | request cpu |
        | main      | <cpu>       |
      And the cluster reaches a steady state
      Then pod "next" <what>

      Examples:
        | cpu   | what       |
        | 2     | is Running |
        | 2001m | is Pending |

    @case:story-2-exclusive-and-shared-cpus
    @KEP-5517/accounting/story-2-dedicated-and-shared
    Scenario Outline: User story 2: exclusive CPUs and the requests of sidecars are added up
      Given a node "node-1" with allocatable 16 of "cpu"
      And the device
        | device | mapping cpu |
        | eight  | 8           |
      And a ResourceClaim "dedicated" requesting 1 device
      And a pod "other" on node "node-1" with the container
        | container | request cpu |
        | main      | <taken>     |
      And a pod "telco" with the containers
        | container | request cpu | claims    |
        | app       |             | dedicated |
        | sidecar-1 | 500m        |           |
        | sidecar-2 | 500m        |           |
      When the cluster reaches a steady state
      Then pod "telco" <what>

      Examples:
        | taken | what       |
        | 6     | is Running |
        | 7     | is Running |
        | 8     | is Pending |

  Rule: Memory, storage and huge pages of ResourceClaims must fit on the node

    @case:claim-exceeds-one-resource
    @KEP-5517/node-fit/every-resource-is-checked
    Scenario Outline: A pod stays Pending if its ResourceClaim exceeds memory, storage or huge pages of the node
      Given a node "node-1" with allocatable 64 of "cpu" and <free> of "<resource>"
      And the device
        | device | mapping <resource> |
        | dev-0  | <claimed>          |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And ResourceClaim "c" is not allocated

      Examples:
        | resource          | free | claimed |
        | memory            | 4Gi  | 8Gi     |
        | hugepages-1Gi     | 2Gi  | 4Gi     |
        | ephemeral-storage | 5Gi  | 10Gi    |

    @case:node-without-huge-pages
    @KEP-5517/node-fit/every-resource-is-checked
    Scenario: A pod whose ResourceClaim maps to huge pages stays Pending on a node without huge pages
      Given a node "node-1" with allocatable 64 of "cpu"
      And the device
        | device | mapping hugepages-2Mi |
        | dev-0  | 64Mi                  |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Pending

    @case:memory-short-cpus-free
    @KEP-5517/node-fit/every-resource-is-checked
    Scenario: A pod stays Pending if the node has the CPUs but too little memory for its ResourceClaim
      Given a node "node-1" with allocatable 64 of "cpu" and 4Gi of "memory"
      And the device
        | device | mapping cpu | mapping memory |
        | dev-0  | 2           | 8Gi            |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Pending

  Rule: Device capacity and node allocatable are separate limits

    @case:node-full-devices-free
    @KEP-5517/node-fit/node-full-although-devices-left
    Scenario: A pod stays Pending if node allocatable is used up although device capacity is free
      Given a node "node-1" with allocatable 128 of "cpu"
      And the device
        | device  | allowMultipleAllocations | capacity cpu | mapping cpu |
        | socket0 | yes                      | 128          | cpu         |
      And a ResourceClaim "first" requesting 28 of "cpu"
      And a ResourceClaim "c" requesting 10 of "cpu"
      And a pod "by-claim" that uses ResourceClaim "first"
      And a pod "by-spec" with the container
        | container | request cpu |
        | main      | 92          |
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      And pod "p" is created
      And the cluster reaches a steady state
      Then pod "by-claim" is Running
      And pod "by-spec" is Running
      And pod "p" is Pending
      And ResourceClaim "c" is not allocated

    @case:node-free-devices-used-up
    @KEP-5517/node-fit/devices-exhausted-although-node-free
    Scenario: A pod stays Pending if all devices are allocated although node allocatable is free
      Given a node "node-1" with allocatable 60 of "cpu"
      And the devices
        | device | mapping cpu |
        | cpu0   | 1           |
        | cpu1   | 1           |
      And ResourceClaim "a" is already allocated
        | device |
        | cpu0   |
      And ResourceClaim "b" is already allocated
        | device |
        | cpu1   |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And ResourceClaim "c" is not allocated

    @case:allocatable-below-capacity
    @KEP-5517/node-fit/allocatable-is-the-baseline
    Scenario Outline: A pod runs only if its consumed device capacity fits in node allocatable
      Given a node "node-1" with allocatable 120 of "cpu"
      And the device
        | device  | allowMultipleAllocations | capacity cpu | mapping cpu |
        | socket0 | yes                      | 128          | cpu         |
      And a ResourceClaim "c" requesting <claimed> of "cpu"
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" <what>

      Examples:
        | claimed | what       |
        | 120     | is Running |
        | 121     | is Pending |
        | 124     | is Pending |

    @case:unmapped-claim-with-gate
    @KEP-5517/node-fit/extra-check-only-for-mapped-claims @KEP-5517/feature-gate/no-effect-without-mapped-claims @profile:kep @profile:since-1.34
    Scenario Outline: A device without mappings uses no node resources with DRANodeAllocatableResources <state>
      Given the feature gate "DRANodeAllocatableResources" is <state>
      And a node "node-1" with allocatable 1 of "cpu"
      And the device
        | device |
        | gpu0   |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      When the cluster reaches a steady state
      Then pod "p" is Running
      And pod "p" has no nodeAllocatableResourceClaimStatuses
      When a pod "next" with the container is created
        | container | request cpu |
        | main      | 1m          |
      And the cluster reaches a steady state
      Then pod "next" is Pending

      Examples:
        | state |
        | on    |
        | off   |

    @case:no-claims-with-gate
    @KEP-5517/feature-gate/no-effect-without-mapped-claims
    Scenario Outline: Pods without ResourceClaims must fit on the node with DRANodeAllocatableResources <state>
      Given the feature gate "DRANodeAllocatableResources" is <state>
      And a node "node-1" with allocatable 1 of "cpu"
      And a pod "p" with the container
        | container | request cpu |
        | main      | 1           |
      And a pod "next" with the container
        | container | request cpu |
        | main      | 1m          |
      When the cluster reaches a steady state
      And pod "next" is created
      And the cluster reaches a steady state
      Then pod "p" is Running on node "node-1"
      And pod "p" has no nodeAllocatableResourceClaimStatuses
      And pod "next" is Pending

      Examples:
        | state |
        | on    |
        | off   |

  Rule: Node fit depends on the subrequest that is allocated on each node

    Background:
      Given the devices
        | device | node | attribute type | allowMultipleAllocations | capacity cpu | mapping cpu |
        | gpu0   | n1   | string gpu     |                          |              |             |
        | pool2  | n2   | string pool    | yes                      | 64           | cpu         |
        | pool3  | n3   | string pool    | yes                      | 64           | cpu         |
      And a DeviceClass "gpu" with the selector
        """
        device.attributes["dra.example.com"].type == "gpu"
        """
      And a DeviceClass "pool" with the selector
        """
        device.attributes["dra.example.com"].type == "pool"
        """
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName | capacity cpu |
        | r0      | gpu        | gpu             |              |
        | r0      | cpu        | pool            | 30           |
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |

    @case:gpu-node-needs-request-only
    @KEP-5517/node-fit/per-node-footprint-for-fungible-claims @KEP-5517/status/no-entry-without-node-resources
    Scenario: A pod that is allocated the GPU subrequest needs CPUs only for its container request
      Given a node "n1" with allocatable 2 of "cpu"
      And a node "n2" with allocatable 20 of "cpu"
      And a node "n3" with allocatable 20 of "cpu"
      When the cluster reaches a steady state
      Then pod "p" is Running on node "n1"
      And pod "p" has no nodeAllocatableResourceClaimStatuses

    @case:cpu-alternative-charged-once
    @KEP-5517/node-fit/per-node-footprint-for-fungible-claims @KEP-5517/status/chosen-node-values-are-used
    Scenario: The CPUs of an allocated subrequest count only against the node where the pod runs
      Given a node "n1" with allocatable 500m of "cpu"
      And a node "n2" with allocatable 31 of "cpu"
      And a node "n3" with allocatable 20 of "cpu"
      When the cluster reaches a steady state
      Then pod "p" is Running on node "n2"
      And pod "p" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu |
        | c             | main       | 30           |
      When a pod "q" with the container is created
        | container | request cpu |
        | main      | 20          |
      And the cluster reaches a steady state
      Then pod "q" is Running on node "n3"

    @case:no-node-fits-alternative
    @KEP-5517/node-fit/per-node-footprint-for-fungible-claims
    Scenario: A pod is Pending if its request and allocated subrequest exceed the CPUs of every node
      Given a node "n1" with allocatable 500m of "cpu"
      And a node "n2" with allocatable 30 of "cpu"
      And a node "n3" with allocatable 20 of "cpu"
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And ResourceClaim "c" is not allocated

    @case:gpu-within-pod-level-request
    @KEP-5517/pod-level-resources/budget-check-follows-allocation
    Scenario: A pod runs on the node where its GPU subrequest stays within the pod-level request
      Given a node "n1" with allocatable 64 of "cpu"
      And a node "n2" with allocatable 64 of "cpu"
      And a node "n3" with allocatable 64 of "cpu"
      And pod "p" requests 4 of "cpu" at pod level
      When the cluster reaches a steady state
      Then pod "p" is Running on node "n1"

    @case:cpus-over-pod-level-request
    @KEP-5517/pod-level-resources/budget-check-follows-allocation
    Scenario: A pod stays Pending if its CPU subrequest exceeds the pod-level request on every node
      Given a node "n2" with allocatable 64 of "cpu"
      And a node "n3" with allocatable 64 of "cpu"
      And pod "p" requests 4 of "cpu" at pod level
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And ResourceClaim "c" is not allocated

  Rule: The first subrequest that can be allocated decides whether a node fits

    @case:no-fallback-to-next-alternative
    @KEP-5517/node-fit/no-fallback-to-next-alternative-on-misfit @profile:since-1.36
    Scenario: A node too small for the first subrequest is not tried with the next subrequest
      Given a node "node-1" with allocatable 10 of "cpu"
      And the devices
        | device | attribute type | allowMultipleAllocations | capacity cpu | mapping cpu |
        | xpu    | string xpu     |                          |              | 20          |
        | pool   | string pool    | yes                      | 64           | cpu         |
      And a ResourceClaim "c" with the requests
        | request | subrequest | selector                                              | capacity cpu |
        | r0      | xpu        | device.attributes["dra.example.com"].type == "xpu"  |              |
        | r0      | cpu        | device.attributes["dra.example.com"].type == "pool" | 4            |
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And ResourceClaim "c" is not allocated

    @case:story-4-cpus-without-gpu
    @KEP-5517/node-fit/per-node-footprint-for-fungible-claims
    Scenario: User story 4: CPUs are allocated and counted if no GPU exists
      Given a node "node-1" with allocatable 8 of "cpu"
      And the device
        | device | attribute type | allowMultipleAllocations | capacity cpu | mapping cpu |
        | pool   | string pool    | yes                      | 64           | cpu         |
      And a ResourceClaim "c" with the requests
        | request | subrequest | selector                                              | capacity cpu |
        | r0      | gpu        | device.attributes["dra.example.com"].type == "gpu"  |              |
        | r0      | cpu        | device.attributes["dra.example.com"].type == "pool" | 8            |
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Running
      And pod "p" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu |
        | c             | main       | 8            |

  Rule: Node resource usage that differs between nodes

    @case:quantities-of-chosen-node
    @KEP-5517/status/chosen-node-values-are-used
    Scenario: The pod status has the quantities of the chosen node if another node was filtered before
      Given a node "n1" with allocatable 16 of "cpu"
      And a node "n2" with allocatable 16 of "cpu"
      And the devices
        | device | driver          | pool | node | mapping cpu |
        | cpus-1 | cpu.example.com | n1   | n1   | 4           |
        | cpus-2 | cpu.example.com | n2   | n2   | 2           |
        | nic-0  | net.example.com | nics | n2   |             |
      And a ResourceClaim "c" with the request
        | request | selector                           |
        | r0      | device.driver == "cpu.example.com" |
      And a ResourceClaim "d" with the request
        | request | selector                           |
        | r0      | device.driver == "net.example.com" |
      And a pod "p" that uses ResourceClaims "c, d"
      And a pod "q" that uses ResourceClaim "d"
      When pod "q" is created
      And the cluster reaches a steady state
      Then pod "q" is Running on node "n2"
      When pod "p" is created
      And the cluster reaches a steady state
      Then pod "p" is Running on node "n2"
      And pod "p" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu |
        | c             | main       | 2            |

    @case:quantities-of-each-node
    @KEP-5517/status/chosen-node-values-are-used
    Scenario: Each pod counts with the device on its own node if both nodes fit its prioritized list
      Given a node "n1" with allocatable 8 of "cpu"
      And a node "n2" with allocatable 8 of "cpu"
      And the devices
        | device | node | attribute type | mapping cpu |
        | cpus-2 | n1   | string cpus    | 2           |
        | cpus-3 | n2   | string cpus    | 3           |
      And a ResourceClaimTemplate "cpus" with the requests
        | request | subrequest | selector                                            |
        | r0      | gpu        | device.attributes["dra.example.com"].type == "gpu"  |
        | r0      | cpus       | device.attributes["dra.example.com"].type == "cpus" |
      And a pod "p" that uses the ResourceClaimTemplate "cpus"
      And a pod "q" that uses the ResourceClaimTemplate "cpus"
      When the cluster reaches a steady state
      Then pod "p" is Running
      And pod "q" is Running
      When a pod "six" with the container is created
        | container | request cpu |
        | main      | 6           |
      And the cluster reaches a steady state
      Then pod "six" is Running on node "n1"
      When a pod "five" with the container is created
        | container | request cpu |
        | main      | 5           |
      And the cluster reaches a steady state
      Then pod "five" is Running on node "n2"

  Rule: ResourceClaims allocated before scheduling

    @case:allocated-claim-counts
    @KEP-5517/accounting/already-allocated-claim-counted
    Scenario Outline: A pod runs only if the CPUs of its already allocated ResourceClaim fit on the node
      Given a node "node-1" with allocatable <cpu> of "cpu"
      And the devices
        | device | mapping cpu |
        | core-0 | 1           |
        | core-1 | 1           |
        | core-2 | 1           |
        | core-3 | 1           |
      And ResourceClaim "c" is already allocated
        | device |
        | core-0 |
        | core-1 |
        | core-2 |
        | core-3 |
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      When the cluster reaches a steady state
      Then pod "p" <what>
      But in Kubernetes 1.36, because this release counts only claims that it allocates in the same attempt: pod "p" is Running

      Examples:
        | cpu | what       |
        | 5   | is Running |
        | 4   | is Pending |

  Rule: Node fit of pods with pod-level requests

    @case:claim-of-init-container-counts
    @KEP-5517/pod-footprint/init-containers-max-then-claims @KEP-5517/node-fit/effective-demand-against-free
    Scenario Outline: A node needs resources for a ResourceClaim that only an init container uses
      Given a node "node-1" with allocatable <cpu> of "cpu"
      And the device
        | device | mapping cpu |
        | four   | 4           |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" with the containers
        | container | kind | request cpu | claims |
        | before    | init | 1           | c      |
        | main      |      | 2           |        |
      When the cluster reaches a steady state
      Then pod "p" <what>

      Examples:
        | cpu   | what       |
        | 6     | is Running |
        | 5999m | is Pending |

    @case:pod-level-request-charged
    Scenario Outline: The pod-level request, not container request plus ResourceClaim, counts against the node
      Given a node "node-1" with allocatable 10 of "cpu"
      And the device
        | device | mapping cpu |
        | four   | 4           |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 2           | c      |
      And pod "p" requests <budget> of "cpu" at pod level
      When the cluster reaches a steady state
      Then pod "p" is Running
      When a pod "next" with the container is created
        | container | request cpu |
        | main      | 4           |
      And the cluster reaches a steady state
      Then pod "next" <what>

      @KEP-5517/pod-level-resources/budget-met-exactly
      Examples:
        | budget | what       |
        | 6      | is Running |

      @KEP-5517/pod-level-resources/pod-level-wins
      Examples:
        | budget | what       |
        | 10     | is Pending |

    @case:pod-level-limit-is-no-budget
    @KEP-5517/pod-level-resources/budget-compares-requests
    Scenario: A pod whose node usage exceeds its pod-level request stays Pending under a higher limit
      Given a node "node-1" with allocatable 64 of "cpu"
      And the device
        | device | mapping cpu |
        | four   | 4           |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 2           | c      |
      And pod "p" requests 5 of "cpu" at pod level
      And pod "p" is limited to 8 of "cpu" at pod level
      When the cluster reaches a steady state
      Then pod "p" is Pending

    @case:container-limit-with-claim-exceeds-pod-level-limit
    @KEP-5517/pod-level-resources/budget-compares-requests
    Scenario Outline: A pod runs if a container limit plus a ResourceClaim exceeds only the pod-level limit
      Given a node "node-1" with allocatable 64 of "cpu"
      And the device
        | device | mapping cpu |
        | two    | 2           |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" with the container
        | container | request cpu | limit cpu | claims |
        | main      | 1           | <limit>   | c      |
      And pod "p" requests 3 of "cpu" at pod level
      And pod "p" is limited to 4 of "cpu" at pod level
      When the cluster reaches a steady state
      Then pod "p" is Running
      But since Kubernetes 1.37, because Filter also compares the limit of each container plus its ResourceClaims with the pod-level limit: pod "p" <what>

      Examples:
        | limit | what       |
        | 2     | is Running |
        | 2001m | is Pending |

    @case:container-limit-with-overhead-exceeds-pod-level-limit
    @KEP-5517/pod-level-resources/budget-compares-requests @profile:since-1.37
    Scenario Outline: A container limit plus the overhead of a device may not exceed the pod-level limit
      Given a node "node-1" with allocatable 64 of "cpu"
      And the device
        | device | overhead cpu                          |
        | aux    | 500m per pod, <overhead> per container |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" with the containers
        | container | request cpu | limit cpu | claims |
        | main      | 1           | 3         | c      |
        | helper    | 500m        | 4         |        |
      And pod "p" requests 3 of "cpu" at pod level
      And pod "p" is limited to 4 of "cpu" at pod level
      When scheduling of pod "p" is attempted
      Then Filter on node "node-1" returns <code>

      Examples:
        | overhead | code                         |
        | 500m     | Success                      |
        | 501m     | UnschedulableAndUnresolvable |

    @case:limit-of-second-container
    @KEP-5517/pod-level-resources/budget-compares-requests @profile:since-1.37
    Scenario Outline: The limit of a container plus its ResourceClaims may not exceed the pod-level limit
      Given a node "node-1" with allocatable 64 of "cpu"
      And the devices
        | device | mapping cpu |
        | one    | 1           |
        | two    | 1           |
      And a ResourceClaim "c" requesting 1 device
      And a ResourceClaim "d" requesting 1 device
      And a pod "p" with the containers
        | container | request cpu | limit cpu | claims   |
        | main      | 500m        | <main>    | <first>  |
        | helper    | 500m        | <helper>  | <second> |
      And pod "p" requests 4 of "cpu" at pod level
      And pod "p" is limited to 4 of "cpu" at pod level
      When scheduling of pod "p" is attempted
      Then Filter on node "node-1" returns <code>

      Examples:
        | main  | first | helper | second | code                         |
        | 3     | c     | 3      | d      | Success                      |
        | 3     | c     | 3001m  | d      | UnschedulableAndUnresolvable |
        | 3001m | c     | 3      | d      | UnschedulableAndUnresolvable |
        | 1     |       | 2      | c, d   | Success                      |
        | 1     |       | 2001m  | c, d   | UnschedulableAndUnresolvable |
        | 2001m | c, d  | 1      |        | UnschedulableAndUnresolvable |

    @case:pod-level-limit-only
    @KEP-5517/pod-level-resources/budget-compares-requests
    Scenario Outline: A pod with only a pod-level limit may use a ResourceClaim up to that limit
      Given a node "node-1" with allocatable 5 of "cpu"
      And the device
        | device | allowMultipleAllocations | capacity cpu | mapping cpu |
        | pool0  | yes                      | 128          | cpu         |
      And a ResourceClaim "c" requesting <claim> of "cpu"
      And a pod "p" that uses ResourceClaim "c"
      And pod "p" is limited to 5 of "cpu" at pod level
      When pod "p" is created
      And the cluster reaches a steady state
      Then pod "p" <what>

      Examples:
        | claim | what       |
        | 4     | is Running |
        | 5     | is Running |
        | 6     | is Pending |

    @case:pod-level-huge-pages-only
    @KEP-5517/pod-level-resources/budget-compares-requests
    Scenario Outline: Pod-level huge pages imply a pod-level CPU request only if a container requests CPUs
      Given a node "node-1" with allocatable 10 of "cpu" and 1Gi of "memory" and 64Mi of "hugepages-2Mi"
      And the device
        | device | mapping cpu |
        | xpu    | 1           |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" with the container
        | container | request <requested> | claims |
        | main      | 1                   | c      |
      And pod "p" requests 4Mi of "hugepages-2Mi" at pod level
      And pod "p" is limited to 4Mi of "hugepages-2Mi" at pod level
      When pod "p" is created
      And the cluster reaches a steady state
      Then pod "p" <what>

      Examples: The API server sets the pod-level CPU request to the container request
        | requested | what       |
        | cpu       | is Pending |

      Examples: The pod has no pod-level CPU request
        | requested | what       |
        | memory    | is Running |

    @case:memory-without-pod-level-request
    @KEP-5517/pod-level-resources/unset-resources-not-budgeted
    Scenario: A pod-level CPU request does not limit the memory of a ResourceClaim
      Given a node "node-1" with allocatable 4 of "cpu" and 16Gi of "memory"
      And the device
        | device | mapping cpu | mapping memory |
        | xpu    | 2           | 16Gi           |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      And pod "p" requests 4 of "cpu" at pod level
      When the cluster reaches a steady state
      Then pod "p" is Running

    @case:memory-beside-pod-level-cpu
    @KEP-5517/pod-level-resources/precedence-is-per-resource
    Scenario Outline: The memory of a ResourceClaim counts on the node if only CPUs have a pod-level request
      Given a node "node-1" with allocatable 4 of "cpu" and 16Gi of "memory"
      And the device
        | device | mapping cpu | mapping memory |
        | xpu    | 2           | 12Gi           |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" that uses ResourceClaim "c"
      And pod "p" requests 3 of "cpu" at pod level
      When the cluster reaches a steady state
      Then pod "p" is Running
      When a pod "next" with the container is created
        | container | request cpu | request memory |
        | main      | 1           | <memory>       |
      And the cluster reaches a steady state
      Then pod "next" is <phase>

      Examples:
        | memory | phase   |
        | 4Gi    | Running |
        | 4097Mi | Pending |

    @case:pod-overhead-beside-claim
    @KEP-5517/pod-footprint/overhead-added-last @KEP-5517/node-fit/effective-demand-against-free
    Scenario Outline: A pod runs only if its request, its ResourceClaim and its pod overhead fit on the node
      Given a node "node-1" with allocatable 10 of "cpu"
      And the device
        | device | mapping cpu |
        | six    | 6           |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 3           | c      |
      And pod "p" has an overhead of <overhead> of "cpu"
      When the cluster reaches a steady state
      Then pod "p" is <phase>

      Examples:
        | overhead | phase   |
        | 1        | Running |
        | 1001m    | Pending |

    @case:pod-level-request-exceeded
    @KEP-5517/pod-level-resources/budget-exceeded-is-unresolvable
    Scenario: A pod whose request and ResourceClaim exceed its pod-level memory request stays Pending
      Given a node "node-1" with allocatable 64 of "cpu" and 64Gi of "memory"
      And the device
        | device | mapping memory |
        | xpu    | 8Gi            |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" with the container
        | container | request memory | claims |
        | main      | 1Gi            | c      |
      And pod "p" requests 8Gi of "memory" at pod level
      When the cluster reaches a steady state
      Then pod "p" is Pending
      And ResourceClaim "c" is not allocated

  Rule: Scoring of nodes on which a pod fits

    Background:
      Given a node "node-1" with allocatable 10 of "cpu"
      And a node "node-2" with allocatable 10 of "cpu"
      And a pod "busy" on node "node-1" with the container
        | container | request cpu |
        | main      | 6           |
      And a ResourceClaim "c" requesting 1 device
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |

    @case:scoring-ignores-claims
    @KEP-5517/node-fit/scoring-uses-spec-only
    Scenario: The scheduler prefers the node with fewer requested CPUs regardless of ResourceClaims
      Given the devices
        | device | node   | mapping cpu |
        | small  | node-1 | 1           |
        | large  | node-2 | 8           |
      When the cluster reaches a steady state
      Then pod "p" is Running on node "node-2"

    @case:future-scoring-includes-claims
    @KEP-5517/node-fit/scoring-includes-dra @profile:kep-future
    Scenario: In a future release, nodes with more CPUs left after ResourceClaims are preferred
      Given the devices
        | device | node   | mapping cpu      |
        | small  | node-1 | 1 as AddPerClaim |
        | large  | node-2 | 8 as AddPerClaim |
      When the cluster reaches a steady state
      Then pod "p" is Running on node "node-1"
