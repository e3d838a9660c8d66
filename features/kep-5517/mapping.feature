Feature: What the devices of a claim take of a node
  A device says for each resource how much each device is, or how much a unit of its capacity is.

  Background:
    Given a pod "p" that uses claim "c"

  Rule: Without a capacity, devices are counted

    @case:devices-of-take
    @KEP-5517/mapping/per-device-multiplier
    Scenario Outline: <count> devices of <each> take <total> <resource>
      Given the devices
        | device | takes <resource> |
        | dev-0  | <each>           |
        | dev-1  | <each>           |
        | dev-2  | <each>           |
        | dev-3  | <each>           |
      And claim "c" already holds
        | device   |
        | <device> |
      When the footprint of pod "p" is counted
      Then claim "c" takes <total> of "<resource>"
      And the pod takes <total> of "<resource>"

      Examples: One device
        | count | each | resource | total | device |
        | 1     | 1    | cpu      | 1     | dev-0  |
        | 1     | 2    | cpu      | 2     | dev-1  |

    @case:four-devices-of-2-cpus-take-8-cpus
    @KEP-5517/mapping/per-device-multiplier
    Scenario: Four devices of 2 CPUs take 8 CPUs
      Given the devices
        | device | takes cpu |
        | core-0 | 2         |
        | core-1 | 2         |
        | core-2 | 2         |
        | core-3 | 2         |
      And claim "c" already holds
        | device |
        | core-0 |
        | core-1 |
        | core-2 |
        | core-3 |
      When the footprint of pod "p" is counted
      Then claim "c" takes 8 of "cpu"

    @case:two-gpus-that-need-2gi-each-take-4gi
    @KEP-5517/mapping/per-device-multiplier
    Scenario: Two GPUs that need 2Gi each take 4Gi
      Given the devices
        | device | takes memory |
        | gpu-0  | 2Gi          |
        | gpu-1  | 2Gi          |
      And claim "c" already holds
        | device |
        | gpu-0  |
        | gpu-1  |
      When the footprint of pod "p" is counted
      Then the pod takes 4Gi of "memory"

    @case:a-mapping-that-says-nothing-counts-one-for-each
    @KEP-5517/mapping/empty-mapping-counts-one-per-device @profile:kep
    Scenario: A mapping that says nothing counts one for each device
      Given the devices
        | device | takes cpu |
        | core-0 | empty     |
        | core-1 | empty     |
        | core-2 | empty     |
      And claim "c" already holds
        | device |
        | core-0 |
        | core-1 |
        | core-2 |
      When the footprint of pod "p" is counted
      Then the pod takes 3 of "cpu"

    @case:a-shared-device-counts-once-for-a-claim-that
    @KEP-5517/mapping/multi-allocatable-device-with-multiplier-only
    Scenario Outline: A shared device counts once for a claim that consumes <consumed> of it
      Given the device
        | device | shared | capacity memory | takes cpu |
        | gpu-0  | yes    | 40Gi            | 2         |
      And claim "c" already holds
        | device | share | consumed memory |
        | gpu-0  | s1    | <consumed>      |
      When the footprint of pod "p" is counted
      Then the pod takes 2 of "cpu"

      Examples:
        | consumed |
        | 10Gi     |
        | 30Gi     |

    @case:a-shared-device-that-is-there-twice-in-a-claim
    @KEP-5517/mapping/multi-allocatable-device-with-multiplier-only @KEP-5517/mapping/per-device-multiplier
    Scenario: A shared device that is there twice in a claim counts twice
      Given the device
        | device | shared | capacity memory | takes cpu |
        | gpu-0  | yes    | 40Gi            | 2         |
      And claim "c" already holds
        | device | share | consumed memory |
        | gpu-0  | s1    | 10Gi            |
        | gpu-0  | s2    | 10Gi            |
      When the footprint of pod "p" is counted
      Then the pod takes 4 of "cpu"

  Rule: With a capacity, what is consumed of it counts

    Background:
      Given the device
        | device  | shared | capacity cores | capacity memory | takes cpu | takes memory |
        | socket0 | yes    | 128            | 256Gi           | 2 x cores | memory       |

    @case:cores-and-of-a-socket-take-cpus-and
    @KEP-5517/mapping/capacity-key-reads-consumed-capacity @KEP-5517/mapping/several-resources-per-device
    @KEP-5517/mapping/capacity-key-multiplier-defaults-to-one
    Scenario Outline: <cores> cores and <memory> of a socket take <cpu> CPUs and <memory>
      Given claim "c" already holds
        | device  | share | consumed cores | consumed memory |
        | socket0 | s1    | <cores>        | <memory>        |
      When the footprint of pod "p" is counted
      Then the pod takes <cpu> of "cpu" and <memory> of "memory"

      Examples:
        | cores | memory | cpu |
        | 8     | 4Gi    | 16  |
        | 4     | 8Gi    | 8   |
        | 128   | 256Gi  | 256 |

    @case:of-a-capacity-that-is-not-consumed-nothing-is-taken
    @KEP-5517/mapping/capacity-key-absent-from-consumed-map
    Scenario: Of a capacity that is not consumed nothing is taken
      Given claim "c" already holds
        | device  | share | consumed memory |
        | socket0 | s1    | 8Gi             |
      When the footprint of pod "p" is counted
      Then the pod takes 8Gi of "memory"
      And claim "c" takes 8Gi of "memory"

    @case:of-two-capacities-that-differ-only-in-their-domain
    @KEP-5517/mapping/capacity-key-reads-consumed-capacity
    Scenario: Of two capacities that differ only in their domain the one that is mapped counts
      Given the device
        | device | shared | capacity a.example.com/cores | capacity b.example.com/cores | takes cpu           |
        | socket | yes    | 16                           | 16                           | a.example.com/cores |
      And claim "c" already holds
        | device | share | consumed a.example.com/cores | consumed b.example.com/cores |
        | socket | s1    | 3                            | 5                            |
      When the footprint of pod "p" is counted
      Then the pod takes 3 of "cpu"

    @case:a-claim-that-consumes-nothing-that-counts-has-no
    @KEP-5517/mapping/capacity-key-absent-from-consumed-map
    Scenario: A claim that consumes nothing that counts has no entry
      Given claim "c" already holds
        | device  | share | consumed wrong |
        | socket0 | s1    | 4              |
      When the footprint of pod "p" is counted
      Then the pod takes nothing
      And claim "c" takes nothing

    @case:a-share-that-does-not-say-what-it-consumes-cannot-be
    @KEP-5517/mapping/missing-consumed-capacity @profile:since-1.36
    Scenario: A share that does not say what it consumes cannot be counted
      Given claim "c" already holds
        | device  | share |
        | socket0 | s1    |
      When the footprint of pod "p" is counted
      Then the pod has no footprint, because of CapacityUnknown

  Rule: Multipliers are quantities

    @case:times-is
    @KEP-5517/mapping/capacity-key-times-multiplier @KEP-5517/mapping/fractional-multiplier
    Scenario Outline: <consumed> times <multiplier> is <total>
      Given the device
        | device | shared | capacity cores | takes cpu            |
        | cpu0   | yes    | 128            | <multiplier> x cores |
      And claim "c" already holds
        | device | share | consumed cores |
        | cpu0   | s1    | <consumed>     |
      When the footprint of pod "p" is counted
      Then the pod takes <total> of "cpu"

      Examples:
        | consumed | multiplier | total |
        | 8        | 2          | 16    |
        | 4        | 2          | 8     |
        | 5        | 500m       | 2500m |
        | 3        | 333m       | 999m  |
        | 500m     | 500m       | 250m  |
        | 7        | 1          | 7     |
        | 0        | 2          | 0     |

    @case:a-capacity-mapped-as-counts-as-it-is
    @KEP-5517/mapping/capacity-key-multiplier-defaults-to-one
    Scenario Outline: A capacity mapped as "<mapped>" counts as it is
      Given the device
        | device | shared | capacity memory | takes memory |
        | numa0  | yes    | 128Gi           | <mapped>     |
      And claim "c" already holds
        | device | share | consumed memory |
        | numa0  | s1    | 4Gi             |
      When the footprint of pod "p" is counted
      Then the pod takes 4Gi of "memory"

      Examples:
        | mapped     |
        | memory     |
        | 1 x memory |

    @case:devices-of-make
    @KEP-5517/mapping/fractional-multiplier
    Scenario Outline: <count> devices of <each> make <total>
      Given the devices
        | device | takes <resource> |
        | dev-0  | <each>           |
        | dev-1  | <each>           |
        | dev-2  | <third>          |
      And claim "c" already holds
        | device |
        | dev-0  |
        | dev-1  |
        | dev-2  |
      When the footprint of pod "p" is counted
      Then the pod takes <total> of "<resource>"

      Examples:
        | count | each   | third | resource | total |
        | three | 500m   | 500m  | cpu      | 1500m |
        | three | 333m   | 333m  | cpu      | 999m  |
        | two   | 1536Mi |       | memory   | 3Gi   |

  Rule: Each resource counts by itself

    @case:one-resource-goes-by-capacity-another-by-device
    @KEP-5517/mapping/key-and-multiplier-mixed-on-one-device
    Scenario: One resource goes by capacity, another by device
      Given the device
        | device | shared | capacity cpu | takes cpu | takes hugepages-1Gi |
        | numa0  | yes    | 32           | cpu       | 2Gi                 |
      And claim "c" already holds
        | device | share | consumed cpu |
        | numa0  | s1    | 8            |
      When the footprint of pod "p" is counted
      Then the pod takes 8 of "cpu" and 2Gi of "hugepages-1Gi"

    @case:storage-and-every-size-of-huge-pages-are-kept-apart
    @KEP-5517/mapping/all-node-resource-kinds
    Scenario: Storage and every size of huge pages are kept apart
      Given the device
        | device | takes ephemeral-storage | takes hugepages-2Mi | takes hugepages-1Gi |
        | nic-0  | 10Gi                    | 64Mi                | 2Gi                 |
      And claim "c" already holds
        | device |
        | nic-0  |
      When the footprint of pod "p" is counted
      Then the pod takes 10Gi of "ephemeral-storage" and 64Mi of "hugepages-2Mi" and 2Gi of "hugepages-1Gi"

    @case:an-accelerator-takes-cpus-and-memory
    @KEP-5517/mapping/several-resources-per-device
    Scenario: An accelerator takes CPUs and memory
      Given the device
        | device            | takes cpu | takes memory |
        | xpu-model-x-001   | 2         | 8Gi          |
      And claim "c" already holds
        | device          |
        | xpu-model-x-001 |
      When the footprint of pod "p" is counted
      Then the pod takes 2 of "cpu" and 8Gi of "memory"

  Rule: The device that is allocated counts

    @case:a-device-that-says-nothing-takes-nothing
    @KEP-5517/mapping/unmapped-device-contributes-nothing
    Scenario: A device that says nothing takes nothing
      Given the devices
        | device | takes cpu |
        | gpu0   |           |
        | cpu0   | 1         |
      And claim "c" already holds
        | device |
        | gpu0   |
      When the footprint of pod "p" is counted
      Then the pod takes nothing
      And claim "c" takes nothing

    @case:beside-a-device-that-says-nothing-the-other-one
    @KEP-5517/mapping/unmapped-device-contributes-nothing
    Scenario: Beside a device that says nothing the other one counts
      Given the devices
        | device | takes cpu |
        | gpu0   |           |
        | cpu0   | 1         |
      And claim "c" already holds
        | device |
        | gpu0   |
        | cpu0   |
      When the footprint of pod "p" is counted
      Then the pod takes 1 of "cpu"

    @case:two-models-of-one-class-take-what-each-of-them-says
    @KEP-5517/mapping/heterogeneous-devices-in-one-class
    Scenario: Two models of one class take what each of them says
      Given the devices
        | device  | takes cpu | takes memory |
        | model-a | 1         | 4Gi          |
        | model-b | 2         | 8Gi          |
      And claim "c" already holds
        | device  |
        | model-a |
        | model-b |
      When the footprint of pod "p" is counted
      Then the pod takes 3 of "cpu" and 12Gi of "memory"

    @case:two-claims-of-one-class-take-what-their-devices-say
    @KEP-5517/mapping/heterogeneous-devices-in-one-class
    Scenario: Two claims of one class take what their devices say
      Given the devices
        | device  | takes memory |
        | model-a | 4Gi          |
        | model-b | 8Gi          |
      And a pod "two" that uses claims "c, d"
      And claim "c" already holds
        | device  |
        | model-a |
      And claim "d" already holds
        | device  |
        | model-b |
      When the footprint of pod "two" is counted
      Then claim "c" takes 4Gi of "memory"
      And claim "d" takes 8Gi of "memory"
      And the pod takes 12Gi of "memory"

    @case:the-driver-the-pool-and-the-name-say-which-device-it
    @KEP-5517/mapping/device-resolved-by-driver-pool-and-name
    Scenario: The driver, the pool and the name say which device it is
      Given the devices
        | device | driver        | pool       | takes cpu |
        | dev0   | b.example.com | node1-pool | 50        |
        | dev0   | a.example.com | node1-pool | 2         |
        | dev0   | a.example.com | other-pool | 9         |
        | dev1   | a.example.com | node1-pool | 7         |
      And claim "c" already holds
        | device | driver        | pool       |
        | dev0   | a.example.com | node1-pool |
      When the footprint of pod "p" is counted
      Then the pod takes 2 of "cpu"
      But in Kubernetes 1.36, because that release looks at pool and name only: the pod takes 50 of "cpu"

    @case:a-gpu-in-a-pool-that-is-called-like-that-of-the-cpus
    @KEP-5517/mapping/device-resolved-by-driver-pool-and-name
    Scenario: A GPU in a pool that is called like that of the CPUs takes nothing
      Given the devices
        | device  | driver          | pool       | shared | capacity cpu | takes cpu |
        | socket0 | dra.example.com | node1-pool | yes    | 128          | cpu       |
        | gpu0    | gpu.example.com | node1-pool |        |              |           |
      And claim "c" already holds
        | device | driver          | pool       |
        | gpu0   | gpu.example.com | node1-pool |
      When the footprint of pod "p" is counted
      Then the pod takes nothing

    @case:of-two-devices-of-one-name-that-of-pool-takes
    @KEP-5517/mapping/device-resolved-by-driver-pool-and-name
    Scenario Outline: Of two devices of one name that of pool "<pool>" takes <cpu>
      Given the devices
        | device | pool  | takes cpu |
        | dev0   | left  | 2         |
        | dev0   | right | 5         |
      And claim "c" already holds
        | device | pool   |
        | dev0   | <pool> |
      When the footprint of pod "p" is counted
      Then the pod takes <cpu> of "cpu"

      Examples:
        | pool  | cpu |
        | left  | 2   |
        | right | 5   |

    @case:what-an-old-generation-of-the-pool-says-of-the
    @KEP-5517/mapping/device-resolved-by-driver-pool-and-name
    Scenario: What an old generation of the pool says of the device does not count
      Given the devices
        | device | slice | generation | takes cpu |
        | dev0   | old   | 1          | 9         |
        | dev0   | new   | 2          | 4         |
        | dev1   | old   | 1          | 3         |
      And claim "c" already holds
        | device |
        | dev0   |
      When the footprint of pod "p" is counted
      Then the pod takes 4 of "cpu"

    @case:a-newer-generation-of-another-pool-of-the-driver
    @KEP-5517/mapping/device-resolved-by-driver-pool-and-name
    Scenario: A newer generation of another pool of the driver does not make a pool old
      Given the devices
        | device | pool  | generation | takes cpu |
        | dev0   | left  | 2          | 2         |
        | dev0   | right | 1          | 5         |
      And claim "c" already holds
        | device | pool  |
        | dev0   | right |
      When the footprint of pod "p" is counted
      Then the pod takes 5 of "cpu"

  Rule: What is consumed has gone through the request policy

    @case:a-request-for-5-that-consumes-6-takes-6
    @KEP-5517/mapping/consumed-amount-includes-policy-rounding
    Scenario: A request for 5 that consumes 6 takes 6
      Given the device
        | device  | shared | capacity cpu | policy cpu               | takes cpu |
        | socket0 | yes    | 128          | default 2, min 2, step 2 | cpu       |
      And a claim "c" requesting 5 of "cpu"
      And claim "c" already holds
        | device  | share | consumed cpu |
        | socket0 | s1    | 6            |
      When the footprint of pod "p" is counted
      Then the pod takes 6 of "cpu"

  Rule: A device that is allocated whole

    @case:a-partition-of-cpus-takes
    @KEP-5517/mapping/partition-capacity-key-uses-device-capacity
    Scenario Outline: A partition of <cpus> CPUs takes <total>
      Given the counter set
        | set      | counter cpu |
        | node-cpu | 128         |
      And the devices
        | device | counters node-cpu | capacity cpu | takes cpu  |
        | part   | cpu <cpus>        | <cpus>       | <mapped>   |
      And claim "c" already holds
        | device |
        | part   |
      When the footprint of pod "p" is counted
      Then the pod takes <total> of "cpu"
      But since Kubernetes 1.36, because releases know what is consumed of shared devices only: the pod has no footprint, because of CapacityUnknown

      Examples:
        | cpus | mapped  | total |
        | 8    | cpu     | 8     |
        | 32   | cpu     | 32    |
        | 8    | 2 x cpu | 16    |
