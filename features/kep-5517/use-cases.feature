Feature: Use cases of KEP-5517
  The four use case walkthroughs and the additive example, with the numbers of the KEP, and two user stories.

  Background:
    Given a DeviceClass "cpu-mem-socket" with the selector
      """
      device.attributes["dra.example.com"].type == "socket"
      """
    And a DeviceClass "gpu-class" with the selector
      """
      device.attributes["dra.example.com"].type == "gpu"
      """

  Rule: Use case 1: a pod with standard and DRA requests

    Background:
      Given the device
        | device  | node  | attribute type | allowMultipleAllocations | capacity cpu | capacity memory | mapping cpu | mapping memory |
        | socket0 | node1 | string socket  | yes                      | 128          | 256Gi           | cpu         | memory         |
      And a ResourceClaim "cpu-mem-claim" with the request
        | request     | deviceClassName | capacity cpu | capacity memory |
        | cpu-mem-req | cpu-mem-socket  | 4            | 8Gi             |
      And a pod "dra-pod" with the containers
        | container | request cpu | request memory | claims        |
        | my-app1   | 100m        | 100Mi          | cpu-mem-claim |
        | my-app2   |             |                | cpu-mem-claim |

    @case:use-case-1-exact-fit
    @KEP-5517/accounting/use-case-1-standard-plus-pool @KEP-5517/status/entry-content
    @KEP-5517/status/written-at-prebind @KEP-5517/mapping/consumable-pool-representation
    Scenario: A pod runs on a node with exactly the resources of its requests and its ResourceClaim
      Given a node "node1" with allocatable 4100m of "cpu" and 8292Mi of "memory"
      When the cluster reaches a steady state
      Then pod "dra-pod" is Running on node "node1"
      And ResourceClaim "cpu-mem-claim" consumes 4 of "cpu" and 8Gi of "memory"
      And pod "dra-pod" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers       | resource cpu | resource memory |
        | cpu-mem-claim | my-app1, my-app2 | 4            | 8Gi             |

    @case:use-case-1-node-too-small
    @KEP-5517/accounting/use-case-1-standard-plus-pool
    Scenario Outline: A pod stays Pending on a node too small for its requests and its ResourceClaim
      Given a node "node1" with allocatable <cpu> of "cpu" and <memory> of "memory"
      When the cluster reaches a steady state
      Then pod "dra-pod" is Pending
      And ResourceClaim "cpu-mem-claim" is not allocated
      And pod "dra-pod" has no nodeAllocatableResourceClaimStatuses

      Examples:
        | cpu   | memory |
        | 4099m | 8292Mi |
        | 4100m | 8291Mi |

  Rule: Use case 2: a GPU or, if none is free, CPUs

    Background:
      Given a node "node1" with allocatable 31 of "cpu" and 1Gi of "memory"
      And the device
        | device  | node  | attribute type | allowMultipleAllocations | capacity cpu | mapping cpu |
        | socket0 | node1 | string socket  | yes                      | 128          | cpu         |
      And a ResourceClaimTemplate "gpu-or-cpu-template" with the requests
        | request        | subrequest | deviceClassName | capacity cpu |
        | gpu-or-cpu-req | gpu        | gpu-class       |              |
        | gpu-or-cpu-req | cpu        | cpu-mem-socket  | 30           |
      And a pod "fungible-pod" that uses the ResourceClaimTemplate "gpu-or-cpu-template" as "gpu-or-cpu" with the container
        | container | request cpu | request memory | claims     |
        | my-app    | 1           | 1Gi            | gpu-or-cpu |

    @case:use-case-2-gpu
    @KEP-5517/accounting/use-case-2-fungible-footprint @KEP-5517/status/no-entry-without-node-resources
    Scenario: A pod uses only its container requests if the GPU subrequest is allocated
      Given the device
        | device | node  | pool | driver          | attribute dra.example.com/type |
        | gpu0   | node1 | gpus | gpu.example.com | string gpu                     |
      And a pod "next" with the container
        | container | request cpu |
        | main      | 30          |
      When the cluster reaches a steady state
      Then pod "fungible-pod" is Running on node "node1"
      And ResourceClaim "gpu-or-cpu of pod fungible-pod" is allocated exactly
        | request            | device |
        | gpu-or-cpu-req/gpu | gpu0   |
      And pod "fungible-pod" has no nodeAllocatableResourceClaimStatuses
      And pod "next" is Running on node "node1"

    @case:use-case-2-cpus
    @KEP-5517/accounting/use-case-2-fungible-footprint
    @KEP-5517/status/chosen-node-values-are-used
    Scenario: A pod uses its request and its ResourceClaim if the CPU subrequest is allocated
      When the cluster reaches a steady state
      Then pod "fungible-pod" is Running on node "node1"
      And pod "fungible-pod" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim                  | containers | resource cpu |
        | gpu-or-cpu of pod fungible-pod | my-app     | 30           |
      When a pod "next" with the container is created
        | container | request cpu |
        | main      | 1m          |
      And the cluster reaches a steady state
      Then pod "next" is Pending

  Rule: Use case 3: CPUs and the auxiliary resources of a GPU

    Background:
      Given the devices
        | device | node  | attribute type | allowMultipleAllocations | capacity cpu | mapping cpu | mapping memory |
        | pool0  | node1 | string socket  | yes                      | 128          | cpu         |                |
        | gpu0   | node1 | string gpu     |                          |              | 2           | 4Gi            |
      And a ResourceClaim "cpu-claim" with the request
        | request | deviceClassName | capacity cpu |
        | cpu     | cpu-mem-socket  | 10           |
      And a ResourceClaim "gpu-claim" requesting 1 device of class "gpu-class"
      And a pod "combined-dra-pod" with the containers
        | container | request cpu | request memory | claims               |
        | my-app1   | 100m        | 1Gi            | cpu-claim, gpu-claim |
        | my-app2   | 200m        | 2Gi            | cpu-claim, gpu-claim |

    @case:use-case-3-exact-fit
    @KEP-5517/accounting/use-case-3-native-plus-auxiliary @KEP-5517/status/entry-content
    @KEP-5517/node-fit/plugin-order-independent @KEP-5517/pod-footprint/one-helper-for-all-consumers
    Scenario: A pod with a CPU and a GPU ResourceClaim uses the sum of its requests and both claims
      Given a node "node1" with allocatable 12300m of "cpu" and 7Gi of "memory"
      When the cluster reaches a steady state
      Then pod "combined-dra-pod" is Running on node "node1"
      And pod "combined-dra-pod" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers       | resource cpu | resource memory |
        | cpu-claim     | my-app1, my-app2 | 10           |                 |
        | gpu-claim     | my-app1, my-app2 | 2            | 4Gi             |
      When a pod "next" with the container is created
        | container | request cpu |
        | main      | 1m          |
      And the cluster reaches a steady state
      Then pod "next" is Pending

    @case:use-case-3-node-too-small
    @KEP-5517/accounting/use-case-3-native-plus-auxiliary @KEP-5517/node-fit/plugin-order-independent
    Scenario Outline: A pod with a CPU and a GPU ResourceClaim stays Pending on a node that is too small
      Given a node "node1" with allocatable <cpu> of "cpu" and <memory> of "memory"
      When the cluster reaches a steady state
      Then pod "combined-dra-pod" is Pending
      And ResourceClaim "cpu-claim" is not allocated
      And ResourceClaim "gpu-claim" is not allocated

      Examples:
        | cpu    | memory |
        | 12     | 7Gi    |
        | 12300m | 6Gi    |

  Rule: Use case 4: pod-level resources with a shared ResourceClaim and sidecars

    Background:
      Given the device
        | device | node  | attribute type | allowMultipleAllocations | capacity cpu | mapping cpu |
        | pool0  | node1 | string socket  | yes                      | 128          | cpu         |
      And a ResourceClaim "cpu-req-10-cpus" with the request
        | request | deviceClassName | capacity cpu |
        | cpu     | cpu-mem-socket  | 10           |
      And a pod "with-plr" with the containers
        | container           | claims          |
        | my-app1             | cpu-req-10-cpus |
        | my-app2             | cpu-req-10-cpus |
        | sidecar-container-1 |                 |
        | sidecar-container-2 |                 |

    @case:use-case-4-pod-level-request
    @KEP-5517/pod-level-resources/use-case-4-shared-claim-with-sidecars
    @KEP-5517/lifecycle/delete-releases-everything
    Scenario: The pod-level request counts against the node until the pod is deleted
      Given a node "node1" with allocatable 11 of "cpu" and 10Gi of "memory"
      And pod "with-plr" requests 11 of "cpu" and 10Gi of "memory" at pod level
      And a pod "next" with the container
        | container | request cpu |
        | main      | 11          |
      When the cluster reaches a steady state
      And pod "next" is created
      And the cluster reaches a steady state
      Then pod "with-plr" is Running on node "node1"
      And pod "with-plr" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim   | containers       | resource cpu |
        | cpu-req-10-cpus | my-app1, my-app2 | 10           |
      And pod "next" is Pending
      When pod "with-plr" is deleted
      And the cluster reaches a steady state
      Then pod "next" is Running on node "node1"

    @case:use-case-4-budget-too-small
    @KEP-5517/pod-level-resources/use-case-4-shared-claim-with-sidecars
    @KEP-5517/pod-level-resources/budget-exceeded-is-unresolvable
    Scenario: A pod whose ResourceClaim exceeds the pod-level request is Pending even on an empty node
      Given a node "node1" with allocatable 64 of "cpu" and 64Gi of "memory"
      And pod "with-plr" requests 9 of "cpu" and 10Gi of "memory" at pod level
      When the cluster reaches a steady state
      Then pod "with-plr" is Pending

  Rule: The additive example of KEP-5517

    Background:
      Given the devices
        | device | node  | mapping cpu |
        | four   | node1 | 4           |
        | two    | node1 | 2           |
      And a ResourceClaim "claim-a" with the request
        | request | selector                                               |
        | r0      | device.driver == "dra.example.com"                     |
      And a ResourceClaim "claim-b" requesting 1 device
      And a pod "pod-1" with the containers
        | container | request cpu | claims           |
        | c1        | 1           | claim-a, claim-b |
        | c2        | 2           | claim-a          |

    @case:additive-example
    @KEP-5517/accounting/several-claims-per-container-sum
    Scenario Outline: A pod runs only if its requests and both of its ResourceClaims fit on the node
      Given a node "node1" with allocatable <cpu> of "cpu"
      When the cluster reaches a steady state
      Then pod "pod-1" <what>

      Examples:
        | cpu   | what       |
        | 9     | is Running |
        | 8999m | is Pending |

  Rule: User story 3: an accelerator with node resource dependencies

    @case:story-3-gpu-dependencies
    @KEP-5517/accounting/story-3-accelerator-dependencies
    Scenario: A pod with a GPU runs on the node that has the CPUs and hugepages of the GPU
      Given a node "small" with allocatable 16 of "cpu" and 1Gi of "hugepages-2Mi"
      And a node "large" with allocatable 3 of "cpu" and 2Gi of "hugepages-2Mi"
      And the devices
        | device  | node  | pool  | mapping cpu | mapping hugepages-2Mi |
        | gpu-low | small | small | 2           | 2Gi                   |
        | gpu     | large | large | 2           | 2Gi                   |
      And a ResourceClaim "gpu" requesting 1 device
      And a pod "inference" with the container
        | container | request cpu | claims |
        | main      | 1           | gpu    |
      When the cluster reaches a steady state
      Then pod "inference" is Running on node "large"
      And pod "inference" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu | resource hugepages-2Mi |
        | gpu           | main       | 2            | 2Gi                    |

  Rule: User story 4: a GPU or eight CPUs

    @case:story-4-eight-cpus
    @KEP-5517/accounting/story-4-fungibility
    Scenario: A pod for which no GPU is free stays Pending until a node with eight free CPUs exists
      Given a node "busy" with allocatable 8 of "cpu"
      And the devices
        | device | node | pool | attribute type | allowMultipleAllocations | capacity cpu | mapping cpu |
        | gpu-0  | busy | busy | string gpu     |                          |              |             |
        | cpus-0 | busy | busy | string socket  | yes                      | 64           | cpu         |
      And ResourceClaim "other" is already allocated
        | device | pool |
        | gpu-0  | busy |
      And a pod "standard" on node "busy" with the container
        | container | request cpu |
        | main      | 1m          |
      And a ResourceClaim "gpu-or-cpu" with the requests
        | request | subrequest | deviceClassName | capacity cpu |
        | r0      | gpu        | gpu-class       |              |
        | r0      | cpu        | cpu-mem-socket  | 8            |
      And a pod "job" that uses ResourceClaim "gpu-or-cpu"
      When the cluster reaches a steady state
      Then pod "job" is Pending
      When this object is created
        """
        apiVersion: v1
        kind: Node
        metadata: {name: free}
        status: {capacity: {cpu: "8"}, allocatable: {cpu: "8"}}
        """
      And the driver publishes the device
        | device | node | pool | attribute type | allowMultipleAllocations | capacity cpu | mapping cpu |
        | cpus-1 | free | free | string socket  | yes                      | 64           | cpu         |
      And the cluster reaches a steady state
      Then pod "job" is Running on node "free"
      And pod "job" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu |
        | gpu-or-cpu    | main       | 8            |
      When a pod "next" with the container is created
        | container | request cpu |
        | main      | 7999m       |
      And the cluster reaches a steady state
      And a pod "last" with the container is created
        | container | request cpu |
        | main      | 1m          |
      And the cluster reaches a steady state
      Then pod "next" is Running on node "busy"
      And pod "last" is Pending
