Feature: Node resources that allocated devices map to
  A mapping in nodeAllocatableResourceMappings gives a quantity of one node resource, per device or per unit of
  consumed capacity.

  Background:
    Given a pod "p" that uses ResourceClaim "c"

  Rule: Node resource mappings without capacityKey

    @case:multiplier-of-one-device
    @KEP-5517/mapping/per-device-multiplier
    Scenario Outline: An allocated device adds its allocationMultiplier to the node resource usage of the pod
      Given the devices
        | device | mapping <resource> |
        | dev-0  | <each>             |
        | dev-1  | <each>             |
        | dev-2  | <each>             |
        | dev-3  | <each>             |
      And ResourceClaim "c" is already allocated
        | device   |
        | <device> |
      When the node resource usage of pod "p" is computed
      Then ResourceClaim "c" uses <total> of "<resource>"
      And the pod uses <total> of "<resource>"

      Examples: One device
        | each | resource | total | device |
        | 1    | cpu      | 1     | dev-0  |
        | 2    | cpu      | 2     | dev-1  |

    @case:multiplier-per-device
    @KEP-5517/mapping/per-device-multiplier
    Scenario: The allocationMultiplier is added to node resource usage once for each allocated device
      Given the devices
        | device | mapping cpu |
        | core-0 | 2           |
        | core-1 | 2           |
        | core-2 | 2           |
        | core-3 | 2           |
      And ResourceClaim "c" is already allocated
        | device |
        | core-0 |
        | core-1 |
        | core-2 |
        | core-3 |
      When the node resource usage of pod "p" is computed
      Then ResourceClaim "c" uses 8 of "cpu"

    @case:memory-per-gpu
    @KEP-5517/mapping/per-device-multiplier
    Scenario: A pod uses the auxiliary memory of each of its allocated GPUs
      Given the devices
        | device | mapping memory |
        | gpu-0  | 2Gi            |
        | gpu-1  | 2Gi            |
      And ResourceClaim "c" is already allocated
        | device |
        | gpu-0  |
        | gpu-1  |
      When the node resource usage of pod "p" is computed
      Then the pod uses 4Gi of "memory"

    @case:empty-mapping-counts-one
    @KEP-5517/mapping/empty-mapping-counts-one-per-device @profile:kep
    Scenario: Each allocated device with an empty cpu mapping adds one CPU to the pod's node usage
      Given the devices
        | device | mapping cpu |
        | core-0 | empty       |
        | core-1 | empty       |
        | core-2 | empty       |
      And ResourceClaim "c" is already allocated
        | device |
        | core-0 |
        | core-1 |
        | core-2 |
      When the node resource usage of pod "p" is computed
      Then the pod uses 3 of "cpu"

    @case:multiplier-ignores-consumption
    @KEP-5517/mapping/multi-allocatable-device-with-multiplier-only
    Scenario Outline: Consumed capacity does not change the node resources of a mapping without capacityKey
      Given the device
        | device | allowMultipleAllocations | capacity memory | mapping cpu |
        | gpu-0  | yes                      | 40Gi            | 2           |
      And ResourceClaim "c" is already allocated
        | device | shareID | consumedCapacity memory |
        | gpu-0  | s1      | <consumed>              |
      When the node resource usage of pod "p" is computed
      Then the pod uses 2 of "cpu"

      Examples:
        | consumed |
        | 10Gi     |
        | 30Gi     |

    @case:same-device-twice-in-claim
    @KEP-5517/mapping/multi-allocatable-device-with-multiplier-only
    Scenario: A shared device allocated twice to one ResourceClaim adds its node resources twice
      Given the device
        | device | allowMultipleAllocations | capacity memory | mapping cpu |
        | gpu-0  | yes                      | 40Gi            | 2           |
      And ResourceClaim "c" is already allocated
        | device | shareID | consumedCapacity memory |
        | gpu-0  | s1      | 10Gi                    |
        | gpu-0  | s2      | 10Gi                    |
      When the node resource usage of pod "p" is computed
      Then the pod uses 4 of "cpu"

  Rule: Node resource mappings with capacityKey

    Background:
      Given the device
        | device  | allowMultipleAllocations | capacity cores | capacity memory | mapping cpu | mapping memory |
        | socket0 | yes                      | 128            | 256Gi           | 2 x cores   | memory         |

    @case:consumed-capacity-counts
    @KEP-5517/mapping/capacity-key-reads-consumed-capacity @KEP-5517/mapping/several-resources-per-device
    @KEP-5517/mapping/capacity-key-multiplier-defaults-to-one
    Scenario Outline: Consumed capacity is added to each node resource that the device maps it to
      Given ResourceClaim "c" is already allocated
        | device  | shareID | consumedCapacity cores | consumedCapacity memory |
        | socket0 | s1      | <cores>                | <memory>                |
      When the node resource usage of pod "p" is computed
      Then the pod uses <cpu> of "cpu" and <memory> of "memory"

      Examples:
        | cores | memory | cpu |
        | 8     | 4Gi    | 16  |
        | 4     | 8Gi    | 8   |
        | 128   | 256Gi  | 256 |

    @case:capacity-not-consumed
    @KEP-5517/mapping/capacity-key-absent-from-consumed-map
    Scenario: A capacity that is named by capacityKey but not consumed adds no node resources
      Given ResourceClaim "c" is already allocated
        | device  | shareID | consumedCapacity memory |
        | socket0 | s1      | 8Gi                     |
      When the node resource usage of pod "p" is computed
      Then the pod uses 8Gi of "memory"
      And ResourceClaim "c" uses 8Gi of "memory"

    @case:capacity-names-with-domains
    @KEP-5517/mapping/capacity-key-reads-consumed-capacity
    Scenario: A capacityKey selects between capacities whose names differ only in the domain
      Given the device
        | device | allowMultipleAllocations | capacity a.example.com/cores | capacity b.example.com/cores | mapping cpu         |
        | socket | yes                      | 16                           | 16                           | a.example.com/cores |
      And ResourceClaim "c" is already allocated
        | device | shareID | consumedCapacity a.example.com/cores | consumedCapacity b.example.com/cores |
        | socket | s1      | 3                                    | 5                                    |
      When the node resource usage of pod "p" is computed
      Then the pod uses 3 of "cpu"

    @case:only-unmapped-capacity-consumed
    @KEP-5517/mapping/capacity-key-absent-from-consumed-map
    Scenario: A ResourceClaim that consumes no capacity named by capacityKey adds no node resources
      Given ResourceClaim "c" is already allocated
        | device  | shareID | consumedCapacity wrong |
        | socket0 | s1      | 4                      |
      When the node resource usage of pod "p" is computed
      Then the pod uses no node resources
      And ResourceClaim "c" uses no node resources

    @case:consumed-capacity-missing
    @KEP-5517/mapping/missing-consumed-capacity @profile:since-1.36
    Scenario: Node resource usage cannot be computed for a shared device without consumedCapacity
      Given ResourceClaim "c" is already allocated
        | device  | shareID |
        | socket0 | s1      |
      When the node resource usage of pod "p" is computed
      Then the node resource usage cannot be computed because of CapacityUnknown

  Rule: The allocationMultiplier as a quantity

    @case:capacity-times-multiplier
    @KEP-5517/mapping/capacity-key-times-multiplier @KEP-5517/mapping/fractional-multiplier
    Scenario Outline: Consumed capacity is multiplied by allocationMultiplier without rounding
      Given the device
        | device | allowMultipleAllocations | capacity cores | mapping cpu          |
        | cpu0   | yes                      | 128            | <multiplier> x cores |
      And ResourceClaim "c" is already allocated
        | device | shareID | consumedCapacity cores |
        | cpu0   | s1      | <consumed>             |
      When the node resource usage of pod "p" is computed
      Then the pod uses <total> of "cpu"

      Examples:
        | consumed | multiplier | total |
        | 8        | 2          | 16    |
        | 4        | 2          | 8     |
        | 5        | 500m       | 2500m |
        | 3        | 333m       | 999m  |
        | 500m     | 500m       | 250m  |
        | 3        | 500u       | 1500u |
        | 7        | 1          | 7     |
        | 0        | 2          | 0     |

    @case:multiplier-defaults-to-one
    @KEP-5517/mapping/capacity-key-multiplier-defaults-to-one
    Scenario Outline: Consumed capacity counts unchanged if allocationMultiplier is omitted or 1
      Given the device
        | device | allowMultipleAllocations | capacity memory | mapping memory |
        | numa0  | yes                      | 128Gi           | <mapped>       |
      And ResourceClaim "c" is already allocated
        | device | shareID | consumedCapacity memory |
        | numa0  | s1      | 4Gi                     |
      When the node resource usage of pod "p" is computed
      Then the pod uses 4Gi of "memory"

      Examples:
        | mapped     |
        | memory     |
        | 1 x memory |

    @case:fractional-multipliers
    @KEP-5517/mapping/fractional-multiplier
    Scenario Outline: The allocationMultipliers of several devices are added up without rounding
      Given the devices
        | device | mapping <resource> |
        | dev-0  | <each>             |
        | dev-1  | <each>             |
        | dev-2  | <third>            |
      And ResourceClaim "c" is already allocated
        | device |
        | dev-0  |
        | dev-1  |
        | dev-2  |
      When the node resource usage of pod "p" is computed
      Then the pod uses <total> of "<resource>"

      Examples:
        | each   | third | resource | total |
        | 500m   | 500m  | cpu      | 1500m |
        | 333m   | 333m  | cpu      | 999m  |
        | 500u   | 500u  | cpu      | 1500u |
        | 1536Mi |       | memory   | 3Gi   |

  Rule: Several node resources mapped by one device

    @case:capacity-key-and-multiplier
    @KEP-5517/mapping/key-and-multiplier-mixed-on-one-device
    Scenario: One device can map CPUs by capacityKey and huge pages by allocationMultiplier
      Given the device
        | device | allowMultipleAllocations | capacity cpu | mapping cpu | mapping hugepages-1Gi |
        | numa0  | yes                      | 32           | cpu         | 2Gi                   |
      And ResourceClaim "c" is already allocated
        | device | shareID | consumedCapacity cpu |
        | numa0  | s1      | 8                    |
      When the node resource usage of pod "p" is computed
      Then the pod uses 8 of "cpu" and 2Gi of "hugepages-1Gi"

    @case:storage-and-huge-pages
    @KEP-5517/mapping/all-node-resource-kinds
    Scenario: Ephemeral storage and each huge page size count as separate node resources
      Given the device
        | device | mapping ephemeral-storage | mapping hugepages-2Mi | mapping hugepages-1Gi |
        | nic-0  | 10Gi                      | 64Mi                  | 2Gi                   |
      And ResourceClaim "c" is already allocated
        | device |
        | nic-0  |
      When the node resource usage of pod "p" is computed
      Then the pod uses 10Gi of "ephemeral-storage" and 64Mi of "hugepages-2Mi" and 2Gi of "hugepages-1Gi"

    @case:one-capacity-consumed-as-zero
    @KEP-5517/mapping/several-resources-per-device
    Scenario Outline: A mapped capacity consumed as zero adds nothing, another mapped capacity adds its quantity
      Given the device
        | device | allowMultipleAllocations | capacity cores | capacity size | mapping cpu | mapping memory |
        | pool   | yes                      | 64             | 128Gi         | cores       | size           |
      And a pod "q" with the container
        | container | request cpu | request memory | claims |
        | main      | 1           | 1Gi            | c      |
      And ResourceClaim "c" is already allocated
        | device | consumedCapacity cores | consumedCapacity size | shareID |
        | pool   | <cores>                | <size>                | s1      |
      When the node resource usage of pod "q" is computed
      Then the pod uses <cpu> of "cpu" and <memory> of "memory"

      Examples:
        | cores | size | cpu | memory |
        | 0     | 4Gi  | 1   | 5Gi    |
        | 4     | 0    | 5   | 1Gi    |

    @case:cpu-and-memory-of-accelerator
    @KEP-5517/mapping/several-resources-per-device
    Scenario: An accelerator adds its auxiliary CPUs and memory to the pod's node usage
      Given the device
        | device          | mapping cpu | mapping memory |
        | xpu-model-x-001 | 2           | 8Gi            |
      And ResourceClaim "c" is already allocated
        | device          |
        | xpu-model-x-001 |
      When the node resource usage of pod "p" is computed
      Then the pod uses 2 of "cpu" and 8Gi of "memory"

  Rule: Only the mappings of the allocated devices count

    @case:unmapped-device-adds-nothing
    @KEP-5517/mapping/unmapped-device-contributes-nothing
    Scenario: An allocated device without mappings adds no node resources to the pod's node usage
      Given the devices
        | device | mapping cpu |
        | gpu0   |             |
        | cpu0   | 1           |
      And ResourceClaim "c" is already allocated
        | device |
        | gpu0   |
      When the node resource usage of pod "p" is computed
      Then the pod uses no node resources
      And ResourceClaim "c" uses no node resources

    @case:unmapped-and-mapped-device
    @KEP-5517/mapping/unmapped-device-contributes-nothing
    Scenario: A ResourceClaim with a device mapped to CPUs and an unmapped device adds only mapped CPUs
      Given the devices
        | device | mapping cpu |
        | gpu0   |             |
        | cpu0   | 1           |
      And ResourceClaim "c" is already allocated
        | device |
        | gpu0   |
        | cpu0   |
      When the node resource usage of pod "p" is computed
      Then the pod uses 1 of "cpu"

    @case:two-models-one-claim
    @KEP-5517/mapping/heterogeneous-devices-in-one-class
    Scenario: Two devices in one ResourceClaim each add the node resources of their own mappings
      Given the devices
        | device  | mapping cpu | mapping memory |
        | model-a | 1           | 4Gi            |
        | model-b | 2           | 8Gi            |
      And ResourceClaim "c" is already allocated
        | device  |
        | model-a |
        | model-b |
      When the node resource usage of pod "p" is computed
      Then the pod uses 3 of "cpu" and 12Gi of "memory"

    @case:two-models-two-claims
    @KEP-5517/mapping/heterogeneous-devices-in-one-class
    Scenario: Two ResourceClaims of a pod each add the node resources of their own devices
      Given the devices
        | device  | mapping memory |
        | model-a | 4Gi            |
        | model-b | 8Gi            |
      And a pod "two" that uses ResourceClaims "c, d"
      And ResourceClaim "c" is already allocated
        | device  |
        | model-a |
      And ResourceClaim "d" is already allocated
        | device  |
        | model-b |
      When the node resource usage of pod "two" is computed
      Then ResourceClaim "c" uses 4Gi of "memory"
      And ResourceClaim "d" uses 8Gi of "memory"
      And the pod uses 12Gi of "memory"

    @case:driver-pool-and-name
    @KEP-5517/mapping/device-resolved-by-driver-pool-and-name
    Scenario: The mapping of a device is found by driver, pool and device name
      Given the devices
        | device | driver        | pool       | mapping cpu |
        | dev0   | b.example.com | node1-pool | 50          |
        | dev0   | a.example.com | node1-pool | 2           |
        | dev0   | a.example.com | other-pool | 9           |
        | dev1   | a.example.com | node1-pool | 7           |
      And ResourceClaim "c" is already allocated
        | device | driver        | pool       |
        | dev0   | a.example.com | node1-pool |
      When the node resource usage of pod "p" is computed
      Then the pod uses 2 of "cpu"
      But in Kubernetes 1.36, because this release identifies a device by pool and name only: the pod uses 50 of "cpu"

    @case:same-device-name-two-pools
    @KEP-5517/mapping/device-resolved-by-driver-pool-and-name
    Scenario Outline: A device counts with its own mapping if a device in another pool has the same name
      Given the devices
        | device | pool  | mapping cpu |
        | dev0   | left  | 2           |
        | dev0   | right | 5           |
      And ResourceClaim "c" is already allocated
        | device | pool   |
        | dev0   | <pool> |
      When the node resource usage of pod "p" is computed
      Then the pod uses <cpu> of "cpu"

      Examples:
        | pool  | cpu |
        | left  | 2   |
        | right | 5   |

    @case:old-generation-ignored
    @KEP-5517/mapping/device-resolved-by-driver-pool-and-name
    Scenario: A device mapping in an older generation of the pool is ignored
      Given the devices
        | device | slice | generation | mapping cpu |
        | dev0   | old   | 1          | 9           |
        | dev0   | new   | 2          | 4           |
        | dev1   | old   | 1          | 3           |
      And ResourceClaim "c" is already allocated
        | device |
        | dev0   |
      When the node resource usage of pod "p" is computed
      Then the pod uses 4 of "cpu"

    @case:other-pool-newer-generation
    @KEP-5517/mapping/device-resolved-by-driver-pool-and-name
    Scenario: A device mapping counts although a different pool has a newer generation
      Given the devices
        | device | pool  | generation | mapping cpu |
        | dev0   | left  | 2          | 2           |
        | dev0   | right | 1          | 5           |
      And ResourceClaim "c" is already allocated
        | device | pool  |
        | dev0   | right |
      When the node resource usage of pod "p" is computed
      Then the pod uses 5 of "cpu"

    @case:other-driver-newer-generation
    @KEP-5517/mapping/device-resolved-by-driver-pool-and-name
    Scenario Outline: A device mapping counts although another driver's pool of the same name is newer
      Given the devices
        | device | driver          | pool   | generation | mapping cpu |
        | dev0   | gpu.example.com | node-1 | <of gpu>   | 2           |
        | nic0   | nic.example.com | node-1 | <of nic>   | 5           |
      And ResourceClaim "c" is already allocated
        | device | driver          | pool   |
        | dev0   | gpu.example.com | node-1 |
        | nic0   | nic.example.com | node-1 |
      When the node resource usage of pod "p" is computed
      Then the pod uses 7 of "cpu"

      Examples:
        | of gpu | of nic |
        | 1      | 2      |
        | 2      | 1      |

  Rule: Capacity rounded by a requestPolicy

    @case:rounded-capacity-counts
    @KEP-5517/mapping/consumed-amount-includes-policy-rounding
    Scenario: Capacity rounded up by requestPolicy counts in node usage, not the requested capacity
      Given the device
        | device  | allowMultipleAllocations | capacity cpu | requestPolicy cpu        | mapping cpu |
        | socket0 | yes                      | 128          | default 2, min 2, step 2 | cpu         |
      And a ResourceClaim "c" requesting 5 of "cpu"
      And ResourceClaim "c" is already allocated
        | device  | shareID | consumedCapacity cpu |
        | socket0 | s1      | 6                    |
      When the node resource usage of pod "p" is computed
      Then the pod uses 6 of "cpu"

  Rule: Mappings with capacityKey of devices that are allocated exclusively

    @case:exclusive-partition-capacity
    @KEP-5517/mapping/partition-capacity-key-uses-device-capacity
    Scenario Outline: A mapping with capacityKey adds the whole capacity of an exclusively allocated partition
      Given the counter set
        | counterSet | counter cpu |
        | node-cpu   | 128         |
      And the devices
        | device | consumesCounters node-cpu | capacity cpu | mapping cpu |
        | part   | cpu <cpus>                | <cpus>       | <mapped>    |
      And ResourceClaim "c" is already allocated
        | device |
        | part   |
      When the node resource usage of pod "p" is computed
      Then the pod uses <total> of "cpu"
      But since Kubernetes 1.36, because releases record consumedCapacity for shared devices only: the node resource usage cannot be computed because of CapacityUnknown

      Examples:
        | cpus | mapped  | total |
        | 8    | cpu     | 8     |
        | 32   | cpu     | 32    |
        | 8    | 2 x cpu | 16    |
