Feature: Representations of node allocatable resources
  Individual devices, a consumable pool, partitions, and the auxiliary resources of an accelerator.

  Background:
    Given a node "my-node" with 200 of "cpu" and 512Gi of "memory"

  @case:individual-cpu-devices
  @KEP-5517/mapping/individual-devices-representation
  Scenario Outline: Two allocated devices of one CPU each count as two CPUs
    Given the devices
      | device | takes cpu |
      | cpu0   | 1         |
      | cpu1   | 1         |
    And a claim "c" requesting <count>
    And a pod "p" that uses claim "c"
    When the cluster settles
    Then pod "p" runs
    And claim "c" gets 2 devices
    And pod "p" records
      | claim | containers | takes cpu |
      | c     | main       | 2         |

    Examples:
      | count       |
      | 2 devices   |
      | all devices |

  @case:pool-memory-not-requested
  @KEP-5517/mapping/consumable-pool-representation
  Scenario: A mapped pool capacity that is not requested counts in full
    Given the device
      | device  | shared | capacity cpu | capacity memory | takes cpu | takes memory |
      | socket0 | yes    | 128          | 256Gi           | cpu       | memory       |
    And a claim "c" requesting 8 of "cpu"
    And a pod "p" that uses claim "c"
    When the cluster settles
    Then pod "p" records
      | claim | containers | takes cpu | takes memory |
      | c     | main       | 8         | 256Gi        |

  @case:pool-capacity-requested
  @KEP-5517/mapping/consumable-pool-representation
  Scenario: Requested capacities of a pool count with the requested quantities
    Given the device
      | device  | shared | capacity cpu | capacity memory | takes cpu | takes memory |
      | socket0 | yes    | 128          | 256Gi           | cpu       | memory       |
    And a claim "c" requesting 8 of "cpu" and 16Gi of "memory"
    And a pod "p" that uses claim "c"
    When the cluster settles
    Then pod "p" records
      | claim | containers | takes cpu | takes memory |
      | c     | main       | 8         | 16Gi         |

  @case:pool-shared-by-claims
  @KEP-5517/mapping/consumable-pool-several-claims
  Scenario: ResourceClaims that share a pool each count with their own consumed capacity
    Given the device
      | device  | shared | capacity cpu | takes cpu |
      | socket0 | yes    | 128          | cpu       |
    And a claim "a" requesting 8 of "cpu"
    And a claim "b" requesting 30 of "cpu"
    And a claim "rest" requesting 90 of "cpu"
    And a claim "more" requesting 1 of "cpu"
    And a pod "pod-1" that uses claim "a"
    And a pod "pod-2" that uses claim "b"
    When the cluster settles
    Then pod "pod-1" records
      | claim | containers | takes cpu |
      | a     | main       | 8         |
    And pod "pod-2" records
      | claim | containers | takes cpu |
      | b     | main       | 30        |
    When a pod "pod-3" that uses claim "rest" is created
    And a pod "pod-4" that uses claim "more" is created
    And the cluster settles
    Then pod "pod-3" runs
    And pod "pod-4" is pending

  Rule: Partitionable devices

    Background:
      Given the counter set
        | set               | counter cpu |
        | node-cpu-counters | 128         |
      And a device class "numa" that selects
        """
        device.attributes["dra.example.com"].type == "numa"
        """
      And a device class "l3" that selects
        """
        device.attributes["dra.example.com"].type == "l3"
        """
      And the devices
        | device               | attribute type | counters node-cpu-counters | capacity cpu | takes cpu |
        | socket-0-numa-0      | string numa    | cpu 32                     | 32           | 32        |
        | socket-0-numa-1      | string numa    | cpu 32                     | 32           | 32        |
        | socket-1-numa-0      | string numa    | cpu 32                     | 32           | 32        |
        | socket-1-numa-1      | string numa    | cpu 32                     | 32           | 32        |
        | socket-0-numa-0-l3-0 | string l3      | cpu 8                      | 8            | 8         |

    @case:partition-counts-own-cpus
    @KEP-5517/mapping/partitionable-representation
    Scenario Outline: An allocated partition counts with its own number of CPUs
      Given a claim "c" requesting 1 device of class "<class>"
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" records
        | claim | containers | takes cpu |
        | c     | main       | <cpus>    |

      Examples:
        | class | cpus |
        | l3    | 8    |
        | numa  | 32   |

    @case:counters-used-up
    @KEP-5517/mapping/partitionable-representation
    Scenario: A pod stays Pending if the shared counters are used up although the node has room
      Given a claim "four" requesting 4 devices of class "numa"
      And a claim "more" requesting 1 device of class "l3"
      And a pod "p" that uses claim "four"
      And a pod "q" that uses claim "more"
      When the cluster settles
      Then pod "p" records
        | claim | containers | takes cpu |
        | four  | main       | 128       |
      And pod "q" is pending
      And claim "more" is not allocated

  Rule: Auxiliary resources of an accelerator

    Background:
      Given a device class "ai-accelerators" that selects
        """
        device.driver == "xpu.example.com"
        """
      And the devices
        | device          | driver          | pool     | takes cpu | takes memory | shared | capacity cpu |
        | xpu-model-x-001 | xpu.example.com | xpus     | 2         | 8Gi          |        |              |
        | socket0         | dra.example.com | cpu-pool | cpu       |              | yes    | 128          |
      And a device class "cpus" that selects
        """
        device.driver == "dra.example.com"
        """
      And a claim "xpu" requesting 1 device of class "ai-accelerators"

    @case:accelerator-adds-resources
    @KEP-5517/mapping/auxiliary-accelerator-representation
    Scenario Outline: An accelerator adds its auxiliary CPUs and memory to the requests of the pod
      Given a pod "p" with the container
        | container | request cpu | request memory | claims |
        | main      | <cpu>       | 1Gi            | xpu    |
      When the cluster settles
      Then pod "p" records
        | claim | containers | takes cpu | takes memory |
        | xpu   | main       | 2         | 8Gi          |
      When a pod "fits" with the container is created
        | container | request cpu | request memory |
        | main      | <rest>      | 503Gi          |
      And the cluster settles
      Then pod "fits" runs
      When a pod "next" with the container is created
        | container | request memory |
        | main      | 1              |
      And the cluster settles
      Then pod "next" is pending

      Examples:
        | container       | cpu | rest |
        | with request    | 1   | 197  |
        | without request |     | 198  |

    @case:accelerator-spares-pool
    @KEP-5517/mapping/auxiliary-is-accounting-only
    Scenario: Auxiliary CPUs of an accelerator do not consume the capacity of a CPU pool
      Given a claim "all" with the request
        | request | class | capacity cpu |
        | r0      | cpus  | 128          |
      And a pod "p" that uses claim "xpu"
      And a pod "q" that uses claim "all"
      When the cluster settles
      Then pod "p" runs
      And pod "q" runs
      When a pod "fits" with the container is created
        | container | request cpu |
        | main      | 70          |
      And a pod "next" with the container is created
        | container | request cpu |
        | main      | 1m          |
      And the cluster settles
      Then pod "fits" runs
      And pod "next" is pending

  Rule: User story 1, CPUs and memory aligned with a NIC

    @case:story-1-numa-aligned
    @KEP-5517/accounting/story-1-numa-aligned-cpu-memory-nic
    Scenario: Devices that satisfy a matchAttribute constraint count with their mappings
      Given the devices
        | device | attribute type | attribute numaNode | shared | capacity cpu | capacity memory | takes cpu | takes memory |
        | cpu-0  | string cpu     | int 0              | yes    | 32           |                 | cpu       |              |
        | mem-0  | string mem     | int 0              | yes    |              | 64Gi            |           | memory       |
        | cpu-1  | string cpu     | int 1              | yes    | 32           |                 | cpu       |              |
        | mem-1  | string mem     | int 1              | yes    |              | 64Gi            |           | memory       |
        | nic-1  | string nic     | int 1              |        |              |                 |           |              |
      And a claim "c" with the requests
        | request | selector                                             | capacity cpu | capacity memory |
        | cpu     | device.attributes["dra.example.com"].type == "cpu" | 4            |                 |
        | mem     | device.attributes["dra.example.com"].type == "mem" |              | 8Gi             |
        | nic     | device.attributes["dra.example.com"].type == "nic" |              |                 |
      And claim "c" needs matching "dra.example.com/numaNode"
      And a pod "hpc" that uses claim "c"
      When the cluster settles
      Then claim "c" has the results
        | request | device |
        | cpu     | cpu-1  |
        | mem     | mem-1  |
        | nic     | nic-1  |
      And pod "hpc" records
        | claim | containers | takes cpu | takes memory |
        | c     | main       | 4         | 8Gi          |
