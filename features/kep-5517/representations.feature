Feature: Node resources represented as devices, shared devices, partitions and accelerators
  Individual devices, a consumable pool, partitions, and the auxiliary resources of an accelerator.

  Background:
    Given a node "my-node" with allocatable 200 of "cpu" and 512Gi of "memory"

  @case:individual-cpu-devices
  @KEP-5517/mapping/individual-devices-representation
  Scenario Outline: Two allocated devices that map to one CPU each add two CPUs to the pod's node usage
    Given the devices
      | device | mapping cpu |
      | cpu0   | 1           |
      | cpu1   | 1           |
    And a ResourceClaim "c" requesting <count>
    And a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "c" is allocated 2 devices
    And pod "p" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu |
      | c             | main       | 2            |

    Examples:
      | count       |
      | 2 devices   |
      | all devices |

  @case:pool-memory-not-requested
  @KEP-5517/mapping/consumable-pool-representation
  Scenario: A capacity named by capacityKey that a ResourceClaim does not request counts in full
    Given the device
      | device  | allowMultipleAllocations | capacity cpu | capacity memory | mapping cpu | mapping memory |
      | socket0 | yes                      | 128          | 256Gi           | cpu         | memory         |
    And a ResourceClaim "c" requesting 8 of "cpu"
    And a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then pod "p" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu | resource memory |
      | c             | main       | 8            | 256Gi           |

  @case:pool-capacity-requested
  @KEP-5517/mapping/consumable-pool-representation
  Scenario: A pod uses the CPU and memory capacity that its claim requests from a shared device
    Given the device
      | device  | allowMultipleAllocations | capacity cpu | capacity memory | mapping cpu | mapping memory |
      | socket0 | yes                      | 128          | 256Gi           | cpu         | memory         |
    And a ResourceClaim "c" requesting 8 of "cpu" and 16Gi of "memory"
    And a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then pod "p" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu | resource memory |
      | c             | main       | 8            | 16Gi            |

  @case:rounded-pool-capacity
  @KEP-5517/mapping/consumed-amount-includes-policy-rounding
  Scenario: A pod uses the rounded capacity of a shared device, not the requested quantity
    Given the device
      | device  | allowMultipleAllocations | capacity cpu | requestPolicy cpu                 | mapping cpu |
      | socket0 | yes                      | 128          | default 4, min 4, max 128, step 4 | cpu         |
    And a ResourceClaim "c" requesting 5 of "cpu"
    And a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then pod "p" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu |
      | c             | main       | 8            |

  @case:pool-shared-by-claims
  @KEP-5517/mapping/consumable-pool-several-claims
  Scenario: ResourceClaims on one shared device each count with their own consumed capacity
    Given the device
      | device  | allowMultipleAllocations | capacity cpu | mapping cpu |
      | socket0 | yes                      | 128          | cpu         |
    And a ResourceClaim "a" requesting 8 of "cpu"
    And a ResourceClaim "b" requesting 30 of "cpu"
    And a ResourceClaim "rest" requesting 90 of "cpu"
    And a ResourceClaim "more" requesting 1 of "cpu"
    And a pod "pod-1" that uses ResourceClaim "a"
    And a pod "pod-2" that uses ResourceClaim "b"
    When the cluster reaches a steady state
    Then pod "pod-1" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu |
      | a             | main       | 8            |
    And pod "pod-2" has the nodeAllocatableResourceClaimStatuses
      | resourceClaim | containers | resource cpu |
      | b             | main       | 30           |
    When a pod "pod-3" that uses ResourceClaim "rest" is created
    And the cluster reaches a steady state
    And a pod "pod-4" that uses ResourceClaim "more" is created
    And the cluster reaches a steady state
    Then pod "pod-3" is Running
    And pod "pod-4" is Pending

  Rule: Partitions of a socket with shared counters

    Background:
      Given the counter set
        | counterSet        | counter cpu |
        | node-cpu-counters | 128         |
      And a DeviceClass "numa" with the selector
        """
        device.attributes["dra.example.com"].type == "numa"
        """
      And a DeviceClass "l3" with the selector
        """
        device.attributes["dra.example.com"].type == "l3"
        """
      And the devices
        | device               | attribute type | consumesCounters node-cpu-counters | capacity cpu | mapping cpu |
        | socket-0-numa-0      | string numa    | cpu 32                             | 32           | cpu         |
        | socket-0-numa-1      | string numa    | cpu 32                             | 32           | cpu         |
        | socket-1-numa-0      | string numa    | cpu 32                             | 32           | cpu         |
        | socket-1-numa-1      | string numa    | cpu 32                             | 32           | cpu         |
        | socket-0-numa-0-l3-0 | string l3      | cpu 8                              | 8            | cpu         |

    @case:partition-counts-own-cpus
    @KEP-5517/mapping/partitionable-representation
    Scenario Outline: A pod uses the CPU capacity of its allocated partition
      Given a ResourceClaim "c" requesting 1 device of class "<class>"
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu |
        | c             | main       | <cpus>       |
      But since Kubernetes 1.36, because releases record consumedCapacity for shared devices only: pod "p" is Pending

      Examples:
        | class | cpus |
        | l3    | 8    |
        | numa  | 32   |

    @case:counters-used-up
    @KEP-5517/mapping/partitionable-representation
    Scenario: A pod stays Pending if the shared counters are used up although the node has free CPUs
      Given a ResourceClaim "four" requesting 4 devices of class "numa"
      And a ResourceClaim "more" requesting 1 device of class "l3"
      And a pod "p" that uses ResourceClaim "four"
      And a pod "q" that uses ResourceClaim "more"
      When the cluster reaches a steady state
      And pod "q" is created
      And the cluster reaches a steady state
      Then pod "p" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu |
        | four          | main       | 128          |
      And pod "q" is Pending
      And ResourceClaim "more" is not allocated
      But since Kubernetes 1.36, because releases record consumedCapacity for shared devices only: pod "p" is Pending

  Rule: Auxiliary resources of an accelerator

    Background:
      Given a DeviceClass "ai-accelerators" with the selector
        """
        device.driver == "xpu.example.com"
        """
      And the devices
        | device          | driver          | pool     | mapping cpu | mapping memory | allowMultipleAllocations | capacity cpu |
        | xpu-model-x-001 | xpu.example.com | xpus     | 2           | 8Gi            |                          |              |
        | socket0         | dra.example.com | cpu-pool | cpu         |                | yes                      | 128          |
      And a DeviceClass "cpus" with the selector
        """
        device.driver == "dra.example.com"
        """
      And a ResourceClaim "xpu" requesting 1 device of class "ai-accelerators"

    @case:accelerator-adds-resources
    @KEP-5517/mapping/auxiliary-accelerator-representation
    Scenario Outline: An accelerator adds its auxiliary CPUs and memory to the requests of the pod
      Given a pod "p" with the container
        | container | request cpu | request memory | claims |
        | main      | <cpu>       | 1Gi            | xpu    |
      When the cluster reaches a steady state
      Then pod "p" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu | resource memory |
        | xpu           | main       | 2            | 8Gi             |
      When a pod "fits" with the container is created
        | container | request cpu | request memory |
        | main      | <rest>      | 503Gi          |
      And the cluster reaches a steady state
      Then pod "fits" is Running
      When a pod "next" with the container is created
        | container | request memory |
        | main      | 1              |
      And the cluster reaches a steady state
      Then pod "next" is Pending

      Examples:
        | container       | cpu | rest |
        | with request    | 1   | 197  |
        | without request |     | 198  |

    @case:accelerator-spares-pool
    @KEP-5517/mapping/auxiliary-is-accounting-only
    Scenario: Auxiliary CPUs of an accelerator do not consume the cpu capacity of a shared device
      Given a ResourceClaim "all" with the request
        | request | deviceClassName | capacity cpu |
        | r0      | cpus            | 128          |
      And a pod "p" that uses ResourceClaim "xpu"
      And a pod "q" that uses ResourceClaim "all"
      When the cluster reaches a steady state
      Then pod "p" is Running
      And pod "q" is Running
      When a pod "fits" with the container is created
        | container | request cpu |
        | main      | 70          |
      And the cluster reaches a steady state
      Then pod "fits" is Running
      When a pod "next" with the container is created
        | container | request cpu |
        | main      | 1m          |
      And the cluster reaches a steady state
      Then pod "next" is Pending

  Rule: User story 1: CPUs and memory aligned with a NIC

    @case:story-1-numa-aligned
    @KEP-5517/accounting/story-1-numa-aligned-cpu-memory-nic
    Scenario: A pod uses CPUs and memory of the devices that satisfy its matchAttribute constraint
      Given the devices
        | device | attribute type | attribute numaNode | allowMultipleAllocations | capacity cpu | capacity memory | mapping cpu | mapping memory |
        | cpu-0  | string cpu     | int 0              | yes                      | 32           |                 | cpu         |                |
        | mem-0  | string mem     | int 0              | yes                      |              | 64Gi            |             | memory         |
        | cpu-1  | string cpu     | int 1              | yes                      | 32           |                 | cpu         |                |
        | mem-1  | string mem     | int 1              | yes                      |              | 64Gi            |             | memory         |
        | nic-1  | string nic     | int 1              |                          |              |                 |             |                |
      And a ResourceClaim "c" with the requests
        | request | selector                                             | capacity cpu | capacity memory |
        | cpu     | device.attributes["dra.example.com"].type == "cpu" | 4            |                 |
        | mem     | device.attributes["dra.example.com"].type == "mem" |              | 8Gi             |
        | nic     | device.attributes["dra.example.com"].type == "nic" |              |                 |
      And ResourceClaim "c" has the constraint matchAttribute "dra.example.com/numaNode"
      And a pod "hpc" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then ResourceClaim "c" is allocated at least
        | request | device |
        | cpu     | cpu-1  |
        | mem     | mem-1  |
        | nic     | nic-1  |
      And pod "hpc" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu | resource memory |
        | c             | main       | 4            | 8Gi             |
