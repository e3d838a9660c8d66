Feature: Compatibility groups and shared allocations of a device
  Shared allocations of a device consume its counters only once. The groups of the device apply as long as it has a
  shared allocation.

  Background:
    Given the counter set
      | counterSet | counter units |
      | gpu-0      | 100           |

  Rule: Compatibility groups apply to shared allocations

    Background:
      Given the devices
        | device   | allowMultipleAllocations | capacity memory | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | shared-0 | yes                      | 40              | units 40               | mig                       |
        | mig-0    | no                       | 10              | units 20               | mig                       |
        | vgpu-0   | no                       | 80              | units 20               | vgpu                      |

    @case:other-group-with-share-in-use
    @KEP-5963/compatibility/disjoint-groups-refused
    Scenario: A device cannot be allocated while a device of another group has a shared allocation
      Given ResourceClaim "other" is already allocated
        | device   | consumedCapacity memory | shareID | compatibilityGroups gpu-0 |
        | shared-0 | 10                      | s1      | mig                       |
      And a ResourceClaim "c" requesting 50 of "memory"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

    @case:share-with-other-group-in-use
    @KEP-5963/compatibility/disjoint-groups-refused
    Scenario: A shared allocation fails while a device of another compatibility group is in use
      Given ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | vgpu-0 | vgpu                      |
      And a ResourceClaim "c" requesting 30 of "memory"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

    @case:share-with-same-group-in-use
    @KEP-5963/compatibility/shared-group-admits
    Scenario: A shared allocation succeeds while a device of the same compatibility group is in use
      Given ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | mig-0  | mig                       |
      And a ResourceClaim "c" requesting 30 of "memory"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device   | consumedCapacity memory | shareID |
        | r0      | shared-0 | 30                      | yes     |

    @case:second-share
    @KEP-5963/compatibility/shared-group-admits
    Scenario: A second shared allocation of a device with compatibility groups succeeds
      Given ResourceClaim "other" is already allocated
        | device   | consumedCapacity memory | shareID | compatibilityGroups gpu-0 |
        | shared-0 | 10                      | s1      | mig                       |
      And a ResourceClaim "c" requesting 30 of "memory"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device   | consumedCapacity memory | shareID |
        | r0      | shared-0 | 30                      | yes     |

  Rule: Each shared allocation records the groups of its device

    @case:two-shares-record-groups
    @KEP-5963/snapshot/recorded-at-allocation
    Scenario: Two shared allocations of one device in a ResourceClaim each record its groups
      Given the device
        | device   | allowMultipleAllocations | capacity memory | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | shared-0 | yes                      | 40              | units 60               | foo, foobar               |
      And a ResourceClaim "c" with the requests
        | request | capacity memory |
        | r0      | 10              |
        | r1      | 30              |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device   | consumedCapacity memory | shareID | compatibilityGroups gpu-0 |
        | r0      | shared-0 | 10                      | yes     | foo, foobar               |
        | r1      | shared-0 | 30                      | yes     | foo, foobar               |
      But since Kubernetes 1.37, because this release does not record groups in the allocation result: ResourceClaim "c" is allocated exactly
        | request | device   | consumedCapacity memory | shareID |
        | r0      | shared-0 | 10                      | yes     |
        | r1      | shared-0 | 30                      | yes     |

    @case:second-share-records-groups
    @KEP-5963/snapshot/recorded-at-allocation
    Scenario: A second shared allocation of a device also records the compatibility groups of the device
      Given the device
        | device   | allowMultipleAllocations | capacity memory | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | shared-0 | yes                      | 40              | units 60               | mig                       |
      And ResourceClaim "other" is already allocated
        | device   | consumedCapacity memory | shareID | compatibilityGroups gpu-0 |
        | shared-0 | 10                      | s1      | mig                       |
      And a ResourceClaim "c" requesting 30 of "memory"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device   | consumedCapacity memory | shareID | compatibilityGroups gpu-0 |
        | r0      | shared-0 | 30                      | yes     | mig                       |
      But since Kubernetes 1.37, because this release does not record groups in the allocation result: ResourceClaim "c" is allocated exactly
        | request | device   | consumedCapacity memory | shareID |
        | r0      | shared-0 | 30                      | yes     |

  Rule: Shared allocations of several devices need one common group

    Background:
      Given the devices
        | device | allowMultipleAllocations | capacity memory | attribute name | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | ab     | yes                      | 40              | string ab      | units 20               | a, b                      |
        | bc     | yes                      | 40              | string bc      | units 20               | b, c                      |
        | a      | yes                      | 40              | string a       | units 20               | a                         |

    @case:more-shares-of-both
    @KEP-5963/rolling-intersection/narrows-on-admission
    Scenario: A shared allocation succeeds for each of two devices in use that share a group
      Given ResourceClaim "one" is already allocated
        | device | consumedCapacity memory | shareID | compatibilityGroups gpu-0 |
        | ab     | 10                      | s1      | a, b                      |
      And ResourceClaim "two" is already allocated
        | device | consumedCapacity memory | shareID | compatibilityGroups gpu-0 |
        | bc     | 10                      | s2      | b, c                      |
      And a ResourceClaim "c" with the requests
        | request | capacity memory | selector                                          |
        | r0      | 30              | device.attributes["dra.example.com"].name == "ab" |
        | r1      | 30              | device.attributes["dra.example.com"].name == "bc" |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity memory |
        | r0      | ab     | 30                      |
        | r1      | bc     | 30                      |

    @case:share-outside-intersection
    @KEP-5963/rolling-intersection/narrowed-state-refuses-earlier-overlap
    Scenario: A shared allocation fails if its device lacks the common group of the devices in use
      Given ResourceClaim "one" is already allocated
        | device | consumedCapacity memory | shareID | compatibilityGroups gpu-0 |
        | ab     | 40                      | s1      | a, b                      |
      And ResourceClaim "two" is already allocated
        | device | consumedCapacity memory | shareID | compatibilityGroups gpu-0 |
        | bc     | 40                      | s2      | b, c                      |
      And a ResourceClaim "c" requesting 10 of "memory"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

    @case:share-of-same-device
    @KEP-5963/backtracking/state-restored
    Scenario: The second request shares the device of the first request so that the third request fits
      Given a ResourceClaim "c" with the requests
        | request | capacity memory | selector                                                 |
        | r0      | 20              | device.attributes["dra.example.com"].name == "ab"        |
        | r1      | 20              | device.attributes["dra.example.com"].name in ["ab", "a"] |
        | r2      | 40              | device.attributes["dra.example.com"].name == "bc"        |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity memory |
        | r0      | ab     | 20                      |
        | r1      | ab     | 20                      |
        | r2      | bc     | 40                      |

    @case:share-of-conflicting-device
    @KEP-5963/rolling-intersection/peers-already-in-conflict
    Scenario: A further shared allocation fails if its device conflicts with another device in use
      Given the device
        | device | allowMultipleAllocations | capacity memory | attribute name | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | c      | yes                      | 40              | string c       | units 20               | c                         |
      And ResourceClaim "one" is already allocated
        | device | consumedCapacity memory | shareID | compatibilityGroups gpu-0 |
        | a      | 10                      | s1      | a                         |
      And ResourceClaim "two" is already allocated
        | device | consumedCapacity memory | shareID | compatibilityGroups gpu-0 |
        | c      | 10                      | s2      | c                         |
      And a ResourceClaim "x" with the request
        | request | capacity memory | selector                                         |
        | r0      | 10              | device.attributes["dra.example.com"].name == "a" |
      When allocation of ResourceClaim "x" is attempted
      Then no allocation is possible because of IncompatibleGroup
      But since Kubernetes 1.37, because this release does not check groups for further shared allocations of a device: ResourceClaim "x" is allocated 1 device
