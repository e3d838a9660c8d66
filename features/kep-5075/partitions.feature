@profile:kep @profile:since-1.35
Feature: Multi-allocatable partitions of a device with shared counters
  A partition consumes shared counters of a physical device. The first shared allocation of a multi-allocatable
  partition consumes the counters, later ones do not. The capacity of the partition is checked for every shared
  allocation.

  Since 1.35 counter sets are in ResourceSlices of their own. Cases with the layout of 1.34 are in
  golden/kep-5075/partitions.yaml.

  Rule: Counters consumed once for each multi-allocatable partition

    Background:
      Given the counter set
        | counterSet | counter memory |
        | gpu        | 8              |
      And the devices
        | device | allowMultipleAllocations | consumesCounters gpu | capacity slots | requestPolicy slots | attribute kind |
        | p1     | yes                      | memory 4             | 4              | default 1, min 1    | string shared  |
        | p2     | no                       | memory 4             |                |                     | string whole   |
        | p3     | no                       | memory 4             |                |                     | string whole   |
      And a DeviceClass "whole" with the selector
        """
        device.attributes["dra.example.com"].kind == "whole"
        """
      And a DeviceClass "shared" with the selector
        """
        device.attributes["dra.example.com"].kind == "shared"
        """

    @case:three-shares-leave-counters
    @KEP-5075/allocation/partition-counters-once
    Scenario: A partition with three shared allocations leaves counters for a second partition
      Given ResourceClaim "a" is already allocated
        | device | consumedCapacity slots | shareID |
        | p1     | 1                      | s1      |
      And ResourceClaim "b" is already allocated
        | device | consumedCapacity slots | shareID |
        | p1     | 1                      | s2      |
      And ResourceClaim "c" is already allocated
        | device | consumedCapacity slots | shareID |
        | p1     | 1                      | s3      |
      And a ResourceClaim "d" requesting 1 device of class "whole"
      When allocation of ResourceClaim "d" is attempted
      Then ResourceClaim "d" is allocated one of
        | choice | device | shareID |
        | 1      | p2     | no      |
        | 2      | p3     | no      |

    @case:no-counters-for-third-partition
    @KEP-5075/allocation/partition-counters-once
    Scenario: A third partition is not allocated if a shared and an exclusive partition use all counters
      Given ResourceClaim "a" is already allocated
        | device | consumedCapacity slots | shareID |
        | p1     | 1                      | s1      |
        | p1     | 1                      | s2      |
        | p1     | 1                      | s3      |
      And ResourceClaim "b" is already allocated
        | device |
        | p2     |
      And a ResourceClaim "d" requesting 1 device of class "whole"
      When allocation of ResourceClaim "d" is attempted
      Then no allocation is possible because of CounterExhausted
      But in Kubernetes 1.35, because this release ignores the counters of devices with shared allocations: ResourceClaim "d" is allocated exactly
        | request | device |
        | r0      | p3     |

    @case:fourth-share-without-counters
    @KEP-5075/allocation/partition-counters-once
    Scenario: A fourth shared allocation of a partition succeeds although no counters remain
      Given ResourceClaim "a" is already allocated
        | device | consumedCapacity slots | shareID |
        | p1     | 1                      | s1      |
        | p1     | 1                      | s2      |
        | p1     | 1                      | s3      |
      And ResourceClaim "b" is already allocated
        | device |
        | p2     |
      And a ResourceClaim "d" requesting 1 device of class "shared"
      When allocation of ResourceClaim "d" is attempted
      Then ResourceClaim "d" is allocated exactly
        | request | device | consumedCapacity slots | shareID |
        | r0      | p1     | 1                      | yes     |

    @case:one-claim-four-shares-and-partition
    @KEP-5075/allocation/partition-counters-once
    Scenario: A ResourceClaim gets four shared allocations of a partition and another partition
      Given a ResourceClaim "c" with the requests
        | request | deviceClassName |
        | r1      | shared          |
        | r2      | shared          |
        | whole   | whole           |
        | r3      | shared          |
        | r4      | shared          |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated at least
        | request | device | consumedCapacity slots |
        | r1      | p1     | 1                      |
        | r2      | p1     | 1                      |
        | r3      | p1     | 1                      |
        | r4      | p1     | 1                      |
      And ResourceClaim "c" is allocated 5 devices

    @case:one-claim-too-many-partitions
    @KEP-5075/allocation/partition-counters-once
    Scenario: A ResourceClaim fails if its shared and two exclusive partitions exceed the counters
      Given a ResourceClaim "c" with the requests
        | request | deviceClassName | count |
        | r1      | shared          | 1     |
        | r2      | shared          | 1     |
        | whole   | whole           | 2     |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of CounterExhausted

    @case:three-claims-two-partitions
    @KEP-5075/allocation/partition-counters-once
    Scenario: Two of three ResourceClaims allocated together share a partition, one is allocated another
      Given a ResourceClaim "a" requesting 1 device of class "shared"
      And a ResourceClaim "b" requesting 1 device of class "whole"
      And a ResourceClaim "c" requesting 1 device of class "shared"
      When allocation of the ResourceClaims "a, b, c" together is attempted
      Then ResourceClaim "a" is allocated exactly
        | request | device | consumedCapacity slots | shareID |
        | r0      | p1     | 1                      | yes     |
      And ResourceClaim "b" is allocated 1 device
      And ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity slots | shareID |
        | r0      | p1     | 1                      | yes     |

  Rule: Counters consumed once for a multi-allocatable partition without capacity

    Background:
      Given the counter set
        | counterSet | counter memory |
        | gpu        | 8              |
      And the devices
        | device | allowMultipleAllocations | consumesCounters gpu |
        | p1     | yes                      | memory 8             |

    @case:no-capacity-second-claim
    @KEP-5075/allocation/partition-counters-once
    Scenario: A second ResourceClaim shares a partition without capacity that uses all counters
      Given ResourceClaim "a" is already allocated
        | device | shareID |
        | p1     | s1      |
      And a ResourceClaim "c" requesting no capacity
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | shareID |
        | r0      | p1     | yes     |
      But in Kubernetes 1.36, because this release consumes the counters of a shared device without capacity again in each attempt: no allocation is possible

    @case:no-capacity-two-requests
    @KEP-5075/allocation/partition-counters-once
    Scenario: Two requests share a partition without capacity that uses all counters
      Given a ResourceClaim "c" with the requests
        | request |
        | r0      |
        | r1      |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | shareID |
        | r0      | p1     | yes     |
        | r1      | p1     | yes     |

    @case:no-capacity-blocks-partition
    @KEP-5075/allocation/partition-counters-once
    Scenario: A partition is not allocated if a shared partition without capacity uses all counters
      Given the devices
        | device | allowMultipleAllocations | consumesCounters gpu |
        | p2     | no                       | memory 1             |
      And ResourceClaim "a" is already allocated
        | device | shareID |
        | p1     | s1      |
      And a DeviceClass "p2" with the selector
        """
        device.allowMultipleAllocations == false
        """
      And a ResourceClaim "c" requesting 1 device of class "p2"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of CounterExhausted
      But in Kubernetes 1.35, because this release ignores the counters of devices with shared allocations: ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | p2     |

  Rule: Capacity checked for every shared allocation of a partition

    Background:
      Given the counter set
        | counterSet | counter memory |
        | gpu        | 8              |
      And the devices
        | device | allowMultipleAllocations | consumesCounters gpu | capacity memory |
        | p1     | yes                      | memory 4             | 4               |

    @case:second-share-fills-partition
    @KEP-5075/allocation/partition-capacity-every-time
    Scenario: A second shared allocation can consume the remaining capacity of a partition
      Given ResourceClaim "other" is already allocated
        | device | consumedCapacity memory | shareID |
        | p1     | 2                       | s1      |
      And a ResourceClaim "c" requesting 2 of "memory"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity memory | shareID |
        | r0      | p1     | 2                       | yes     |

    @case:third-share-exceeds-capacity
    @KEP-5075/allocation/partition-capacity-every-time
    Scenario: A third shared allocation of a partition fails if counters remain but no capacity
      Given ResourceClaim "other" is already allocated
        | device | consumedCapacity memory | shareID |
        | p1     | 2                       | s1      |
        | p1     | 2                       | s2      |
      And a ResourceClaim "c" requesting 1 of "memory"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of InsufficientCapacity

    @case:two-requests-fill-partition
    @KEP-5075/allocation/partition-capacity-every-time
    Scenario Outline: Two requests of a ResourceClaim share a partition if they use up its capacity exactly
      Given a ResourceClaim "c" with the requests
        | request | capacity memory |
        | r0      | <first>         |
        | r1      | <second>        |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity memory |
        | r0      | p1     | <first>                 |
        | r1      | p1     | <second>                |

      Examples:
        | first | second |
        | 2     | 2      |
        | 1     | 3      |
        | 4     | 0      |

    @case:two-requests-exceed-partition
    @KEP-5075/allocation/partition-capacity-every-time
    Scenario Outline: Two requests of a ResourceClaim fail if they exceed the capacity of a partition
      Given a ResourceClaim "c" with the requests
        | request | capacity memory |
        | r0      | <first>         |
        | r1      | <second>        |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of InsufficientCapacity

      Examples:
        | first | second |
        | 3     | 2      |
        | 4     | 1m     |

  Rule: Counters that the first shared allocation of a partition consumes

    Background:
      Given the counter set
        | counterSet | counter memory |
        | gpu        | 8              |
      And the devices
        | device | allowMultipleAllocations | consumesCounters gpu | capacity memory | attribute kind |
        | p1     | yes                      | memory 4             | 4               | string shared  |
        | p2     | no                       | memory 5             |                 | string large   |
        | p3     | no                       | memory 4             |                 | string small   |
      And a DeviceClass "large" with the selector
        """
        device.attributes["dra.example.com"].kind == "large"
        """

    @case:first-share-lacks-counters
    @KEP-5075/allocation/partition-first-share-needs-counters
    Scenario: A first allocation of a partition fails if another partition leaves too few counters
      Given ResourceClaim "other" is already allocated
        | device |
        | p2     |
      And a ResourceClaim "c" requesting 1 of "memory"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of CounterExhausted

    @case:first-share-uses-last-counters
    @KEP-5075/allocation/partition-first-share-needs-counters
    Scenario: The first shared allocation of a partition can consume exactly the remaining counters
      Given ResourceClaim "other" is already allocated
        | device |
        | p3     |
      And a ResourceClaim "c" requesting 1 of "memory"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity memory | shareID |
        | r0      | p1     | 1                       | yes     |

    @case:shared-partition-blocks-large-one
    @KEP-5075/allocation/partition-first-share-needs-counters
    Scenario: A large partition is not allocated if a shared partition leaves too few counters
      Given ResourceClaim "other" is already allocated
        | device | consumedCapacity memory | shareID |
        | p1     | 1                       | s1      |
        | p1     | 1                       | s2      |
      And a ResourceClaim "c" requesting 1 device of class "large"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of CounterExhausted
      But in Kubernetes 1.35, because this release ignores the counters of devices with shared allocations: ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | p2     |

  Rule: Shared and exclusive partitions of the same GPU

    Background:
      Given the counter set
        | counterSet | counter gpus |
        | gpu        | 1            |
      And the devices
        | device     | allowMultipleAllocations | consumesCounters gpu | capacity memory | attribute kind |
        | whole-gpu  | no                       | gpus 1               | 80Gi            | string whole   |
        | shared-gpu | yes                      | gpus 1               | 80Gi            | string shared  |
      And a DeviceClass "whole" with the selector
        """
        device.attributes["dra.example.com"].kind == "whole"
        """
      And a DeviceClass "shared" with the selector
        """
        device.attributes["dra.example.com"].kind == "shared"
        """

    @case:share-blocks-whole-gpu
    @KEP-5075/allocation/partition-exclusive-alternatives
    Scenario: A whole GPU is not allocated while its multi-allocatable partition is in use
      Given ResourceClaim "other" is already allocated
        | device     | consumedCapacity memory | shareID |
        | shared-gpu | 10Gi                    | s1      |
      And a ResourceClaim "c" with the request
        | request | deviceClassName | capacity memory |
        | r0      | whole           | 20Gi            |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of CounterExhausted
      But in Kubernetes 1.35, because this release ignores the counters of devices with shared allocations: ResourceClaim "c" is allocated exactly
        | request | device    |
        | r0      | whole-gpu |

    @case:share-allows-another-share
    @KEP-5075/allocation/partition-exclusive-alternatives
    Scenario: A multi-allocatable GPU partition is allocated again while it is in use
      Given ResourceClaim "other" is already allocated
        | device     | consumedCapacity memory | shareID |
        | shared-gpu | 10Gi                    | s1      |
      And a ResourceClaim "c" with the request
        | request | deviceClassName | capacity memory |
        | r0      | shared          | 20Gi            |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device     | consumedCapacity memory | shareID |
        | r0      | shared-gpu | 20Gi                    | yes     |

    @case:whole-gpu-blocks-share
    @KEP-5075/allocation/partition-exclusive-alternatives
    Scenario: A multi-allocatable GPU partition is not allocated while the whole GPU is in use
      Given ResourceClaim "other" is already allocated
        | device    |
        | whole-gpu |
      And a ResourceClaim "c" requesting 10Gi of "memory"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of CounterExhausted

    @case:whole-gpu-and-share-in-one-claim
    @KEP-5075/allocation/partition-exclusive-alternatives
    Scenario: A ResourceClaim cannot get a whole GPU and its multi-allocatable partition
      Given a ResourceClaim "c" with the requests
        | request | deviceClassName |
        | r0      | shared          |
        | r1      | whole           |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of CounterExhausted

    @case:any-device-becomes-share
    @KEP-5075/allocation/partition-exclusive-alternatives
    Scenario: A request for any device shares a device with a request for a multi-allocatable device
      Given a ResourceClaim "c" with the requests
        | request | deviceClassName | capacity memory |
        | any     |                 | 10Gi            |
        | share   | shared          | 10Gi            |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device     | consumedCapacity memory |
        | any     | shared-gpu | 10Gi                    |
        | share   | shared-gpu | 10Gi                    |

  Rule: Counters, capacities and subrequests in one ResourceClaim

    Background:
      Given the counter sets
        | counterSet | counter units |
        | c1         | 4             |
        | c2         | 8             |
      And the devices
        | device | allowMultipleAllocations | consumesCounters c1 | consumesCounters c2 | capacity a | capacity b | requestPolicy b                 |
        | d1     | yes                      | units 2             | units 4             | 2          | 4          | default 2, min 2, step 2, max 4 |
        | d2     | yes                      | units 4             | units 4             | 4          | 4          | default 2, min 2, step 2, max 4 |
        | d3     | yes                      | units 2             | units 4             | 2          | 4          | default 2, min 2, step 2, max 4 |

    @case:second-subrequest-leaves-counters
    @KEP-5075/allocation/partition-in-same-claim
    Scenario: The second subrequest is chosen if the first leaves too few counters for another request
      Given a ResourceClaim "c" with the requests
        | request | subrequest  | capacity a | selector                                                          |
        | r0      |             | 1          |                                                                   |
        | r1      | large       | 1          | device.capacity["dra.example.com"].a.isGreaterThan(quantity("3")) |
        | r1      | small       | 1          | device.capacity["dra.example.com"].a.isGreaterThan(quantity("1")) |
        | r2      |             | 2          |                                                                   |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated one of
        | choice | request  | device | consumedCapacity a | consumedCapacity b |
        | 1      | r0       | d1     | 1                  | 2                  |
        | 1      | r1/small | d1     | 1                  | 2                  |
        | 1      | r2       | d3     | 2                  | 2                  |
        | 2      | r0       | d3     | 1                  | 2                  |
        | 2      | r1/small | d3     | 1                  | 2                  |
        | 2      | r2       | d1     | 2                  | 2                  |

    @case:first-subrequest-shares-device
    @KEP-5075/allocation/partition-in-same-claim
    Scenario: The first subrequest is chosen if another request can share its device
      Given a ResourceClaim "c" with the requests
        | request | subrequest  | capacity a | selector                                                          |
        | r0      | large       | 1          | device.capacity["dra.example.com"].a.isGreaterThan(quantity("3")) |
        | r0      | small       | 1          | device.capacity["dra.example.com"].a.isGreaterThan(quantity("1")) |
        | r1      |             | 1          |                                                                   |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request  | device | consumedCapacity a | consumedCapacity b |
        | r0/large | d2     | 1                  | 2                  |
        | r1       | d2     | 1                  | 2                  |

    @case:small-requests-move-together
    @KEP-5075/allocation/partition-in-same-claim
    Scenario: Two small requests share one partition so that a large request gets another partition
      Given a ResourceClaim "c" with the requests
        | request | capacity a | capacity b |
        | r0      | 1          | 2          |
        | r1      | 1          | 2          |
        | r2      | 2          | 4          |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated one of
        | choice | request | device | consumedCapacity a | consumedCapacity b |
        | 1      | r0      | d1     | 1                  | 2                  |
        | 1      | r1      | d1     | 1                  | 2                  |
        | 1      | r2      | d3     | 2                  | 4                  |
        | 2      | r0      | d3     | 1                  | 2                  |
        | 2      | r1      | d3     | 1                  | 2                  |
        | 2      | r2      | d1     | 2                  | 4                  |

    @case:no-combination-of-partitions
    @KEP-5075/allocation/partition-in-same-claim
    Scenario: A ResourceClaim fails if no combination of partitions satisfies its requests
      Given a ResourceClaim "c" with the requests
        | request | capacity a | capacity b |
        | r0      | 1          | 2          |
        | r1      | 3          | 2          |
        | r2      | 1          | 2          |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible
