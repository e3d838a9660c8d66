Feature: Compatibility groups across counter sets, pools, drivers and nodes
  Groups are compared on one counter set of one pool of one driver. Other counter sets, and counter sets with the
  same name in other pools, are not compared.

  Rule: Groups on different counter sets are not compared

    Background:
      Given the counter sets
        | counterSet | counter multiprocessors |
        | gpu-0      | 100                     |
        | gpu-1      | 100                     |

    @case:other-group-on-other-set
    @KEP-5963/compatibility/other-counter-set-never-compared
    Scenario: A device of another group is allocated if it consumes from another counter set
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 | consumesCounters gpu-1 | compatibilityGroups gpu-1 |
        | mig-0  | multiprocessors 20     | mig                       |                        |                           |
        | vgpu-1 |                        |                           | multiprocessors 50     | vgpu                      |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | mig-0  | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | vgpu-1 |

    @case:ungrouped-on-other-set
    @KEP-5963/compatibility/other-counter-set-never-compared
    Scenario: A device without groups is allocated while a device with groups uses another counter set
      Given the devices
        | device  | consumesCounters gpu-0 | compatibilityGroups gpu-0 | consumesCounters gpu-1 |
        | mig-0   | multiprocessors 20     | mig                       |                        |
        | plain-1 |                        |                           | multiprocessors 20     |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | mig-0  | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device  |
        | r0      | plain-1 |

    @case:device-without-counters
    @KEP-5963/compatibility/other-counter-set-never-compared
    Scenario: A device that consumes no counters is allocated while a device with groups is in use
      Given the devices
        | device  | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0   | multiprocessors 20     | mig                       |
        | whole-0 |                        |                           |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | mig-0  | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device  |
        | r0      | whole-0 |

    @case:two-groups-from-two-sets
    @KEP-5963/compatibility/other-counter-set-never-compared
    Scenario: A request for two devices gets devices of different groups from two counter sets
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 | consumesCounters gpu-1 | compatibilityGroups gpu-1 |
        | mig-0  | multiprocessors 20     | mig                       |                        |                           |
        | vgpu-1 |                        |                           | multiprocessors 50     | vgpu                      |
      And a ResourceClaim "c" requesting 2 devices
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | mig-0  |
        | r0      | vgpu-1 |

    @case:groups-match-on-both-sets
    @KEP-5963/rolling-intersection/one-state-per-counter-set
    Scenario: A device of two counter sets is allocated if it has the group in use on each counter set
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 | consumesCounters gpu-1 | compatibilityGroups gpu-1 |
        | d0     | multiprocessors 20     | a                         |                        |                           |
        | d1     |                        |                           | multiprocessors 20     | b                         |
        | wide   | multiprocessors 20     | a                         | multiprocessors 20     | b                         |
      And ResourceClaim "zero" is already allocated
        | device | compatibilityGroups gpu-0 |
        | d0     | a                         |
      And ResourceClaim "one" is already allocated
        | device | compatibilityGroups gpu-1 |
        | d1     | b                         |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | wide   |

    @case:groups-swapped-between-sets
    @KEP-5963/rolling-intersection/one-state-per-counter-set
    Scenario: A device with two counter sets is not allocated if its groups are in use on the wrong set
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 | consumesCounters gpu-1 | compatibilityGroups gpu-1 |
        | d0     | multiprocessors 20     | a                         |                        |                           |
        | d1     |                        |                           | multiprocessors 20     | b                         |
        | wide   | multiprocessors 20     | b                         | multiprocessors 20     | a                         |
      And ResourceClaim "zero" is already allocated
        | device | compatibilityGroups gpu-0 |
        | d0     | a                         |
      And ResourceClaim "one" is already allocated
        | device | compatibilityGroups gpu-1 |
        | d1     | b                         |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

    @case:both-sets-exclude-other-groups
    @KEP-5963/rolling-intersection/one-state-per-counter-set
    Scenario: A device in use on two counter sets excludes devices of other groups on each set
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 | consumesCounters gpu-1 | compatibilityGroups gpu-1 |
        | wide   | multiprocessors 20     | a                         | multiprocessors 20     | b                         |
        | d0     | multiprocessors 20     | b                         |                        |                           |
        | d1     |                        |                           | multiprocessors 20     | a                         |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 | compatibilityGroups gpu-1 |
        | wide   | a                         | b                         |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

  Rule: A device has its own groups on each counter set

    Background:
      Given the counter sets
        | counterSet | counter units |
        | gpu-0      | 100           |
        | fabric-0   | 100           |

    @case:own-group-per-set-allocated
    @KEP-5963/compatibility/groups-per-counter-set
    Scenario: Devices are allocated together if each has the group in use on its own counter set
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 | consumesCounters fabric-0 | compatibilityGroups fabric-0 |
        | both   | units 20               | mig                       | units 1                   | nvl                          |
        | mig-0  | units 20               | mig                       |                           |                              |
        | nvl-0  |                        |                           | units 1                   | nvl                          |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 | compatibilityGroups fabric-0 |
        | both   | mig                       | nvl                          |
      And a ResourceClaim "c" requesting 2 devices
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | mig-0  |
        | r0      | nvl-0  |

    @case:group-in-use-on-other-set
    @KEP-5963/compatibility/groups-per-counter-set
    Scenario Outline: A device cannot be allocated if its group is in use only on another counter set
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 | consumesCounters fabric-0 | compatibilityGroups fabric-0 |
        | both   | units 20               | mig                       | units 1                   | nvl                          |
        | d0     | <on gpu-0>             | <gpu-0>                   | <on fabric-0>             | <fabric-0>                   |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 | compatibilityGroups fabric-0 |
        | both   | mig                       | nvl                          |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

      Examples:
        | on gpu-0 | gpu-0 | on fabric-0 | fabric-0 |
        | units 20 | nvl   |             |          |
        |          |       | units 1     | mig      |

    @case:one-set-grouped-with-ungrouped
    @KEP-5963/compatibility/groups-per-counter-set
    Scenario: A device with groups on one set is compatible with devices without groups on the other
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 | consumesCounters fabric-0 |
        | plain  |                        |                           | units 1                   |
        | half   | units 20               | mig                       | units 1                   |
      And ResourceClaim "other" is already allocated
        | device |
        | plain  |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | half   |

    @case:one-set-grouped-with-grouped
    @KEP-5963/compatibility/groups-per-counter-set
    Scenario: A device with groups on one set only is incompatible with grouped devices on the other set
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 | consumesCounters fabric-0 | compatibilityGroups fabric-0 |
        | nvl-0  |                        |                           | units 1                   | nvl                          |
        | half   | units 20               | mig                       | units 1                   |                              |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups fabric-0 |
        | nvl-0  | nvl                          |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

  Rule: A counter set belongs to one pool of one driver

    @case:same-set-name-other-pool
    @KEP-5963/compatibility/same-set-name-in-other-pool
    Scenario Outline: A group in use in one pool does not affect a counter set of the same name in another pool
      Given the counter sets
        | counterSet | pool   | counter units |
        | gpu-0      | pool-1 | 100           |
        | gpu-0      | pool-2 | 100           |
      And the devices
        | device | pool   | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | d1     | pool-1 | units 20               | mig                       |
        | d2     | pool-2 | units 50               | <groups>                  |
      And ResourceClaim "other" is already allocated
        | device | pool   | compatibilityGroups gpu-0 |
        | d1     | pool-1 | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | pool   |
        | r0      | d2     | pool-2 |

      Examples:
        | groups |
        | vgpu   |
        |        |

    @case:same-pool-name-other-driver
    @KEP-5963/compatibility/same-set-name-in-other-pool
    Scenario Outline: A group in use does not affect a pool and counter set of the same name of another driver
      Given the counter sets
        | counterSet | driver    | counter units |
        | gpu-0      | a.example | 100           |
        | gpu-0      | b.example | 100           |
      And the devices
        | device | driver    | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | d1     | a.example | units 20               | mig                       |
        | d1     | b.example | units 50               | <groups>                  |
      And ResourceClaim "other" is already allocated
        | device | driver    | compatibilityGroups gpu-0 |
        | d1     | a.example | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | driver    |
        | r0      | d1     | b.example |

      Examples:
        | groups |
        | vgpu   |
        |        |

    @case:three-pools-one-request
    @KEP-5963/compatibility/same-set-name-in-other-pool
    Scenario: A request for three devices gets devices of different groups from three pools
      Given the counter sets
        | counterSet | driver    | pool   | counter units |
        | gpu-0      | a.example | pool-1 | 100           |
        | gpu-0      | a.example | pool-2 | 100           |
        | gpu-0      | b.example | pool-1 | 100           |
      And the devices
        | device | driver    | pool   | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | d1     | a.example | pool-1 | units 20               | mig                       |
        | d2     | a.example | pool-2 | units 20               | vgpu                      |
        | d3     | b.example | pool-1 | units 20               |                           |
      And a ResourceClaim "c" requesting 3 devices
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | driver    | pool   |
        | r0      | d1     | a.example | pool-1 |
        | r0      | d2     | a.example | pool-2 |
        | r0      | d3     | b.example | pool-1 |

    @case:each-pool-own-group
    @KEP-5963/compatibility/same-set-name-in-other-pool
    Scenario: Each of two pools admits only devices of the compatibility group in use in that pool
      Given the counter sets
        | counterSet | pool   | counter units |
        | gpu-0      | pool-1 | 100           |
        | gpu-0      | pool-2 | 100           |
      And the devices
        | device | pool   | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0  | pool-1 | units 20               | mig                       |
        | vgpu-0 | pool-1 | units 20               | vgpu                      |
        | mig-0  | pool-2 | units 20               | mig                       |
        | vgpu-0 | pool-2 | units 20               | vgpu                      |
        | vgpu-1 | pool-2 | units 20               | vgpu                      |
      And ResourceClaim "one" is already allocated
        | device | pool   | compatibilityGroups gpu-0 |
        | mig-0  | pool-1 | mig                       |
      And ResourceClaim "two" is already allocated
        | device | pool   | compatibilityGroups gpu-0 |
        | vgpu-0 | pool-2 | vgpu                      |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | pool   |
        | r0      | vgpu-1 | pool-2 |

    @case:same-device-name-two-drivers
    @KEP-5963/compatibility/same-set-name-in-other-pool
    Scenario: Groups in use are separate for each driver even if device and counter set names are equal
      Given the counter sets
        | counterSet | driver    | counter units |
        | gpu-0      | a.example | 100           |
        | gpu-0      | b.example | 100           |
      And the devices
        | device | driver    | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | d1     | a.example | units 20               | mig                       |
        | d2     | a.example | units 50               | vgpu                      |
        | d1     | b.example | units 20               | vgpu                      |
        | d2     | b.example | units 50               | mig                       |
      And ResourceClaim "other" is already allocated
        | device | driver    | compatibilityGroups gpu-0 |
        | d1     | a.example | mig                       |
        | d1     | b.example | vgpu                      |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

  Rule: Groups on one counter set are compared across nodes

    Background:
      Given a node "left"
      And a node "right"
      And the counter set
        | counterSet | node | counter units |
        | gpu-0      | *    | 100           |
      And the devices
        | device | slice | node  | attribute name | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0  | l     | left  | string mig-0   | units 20               | mig                       |
        | mig-1  | r     | right | string mig-1   | units 20               | mig                       |
        | vgpu-0 | r     | right | string vgpu-0  | units 20               | vgpu                      |

    @case:same-group-on-other-node
    @KEP-5963/compatibility/disjoint-groups-refused @KEP-5963/rolling-intersection/seeded-from-allocated-devices
    Scenario: On another node, a device of the group of the allocated device is allocated
      Given ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | mig-0  | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "right" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | mig-1  |

    @case:other-group-on-other-node
    @KEP-5963/compatibility/disjoint-groups-refused @KEP-5963/rolling-intersection/seeded-from-allocated-devices
    Scenario: A device of another group cannot be allocated on another node with the same counter set
      Given ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | mig-0  | mig                       |
        | mig-1  | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "right" is attempted
      Then no allocation is possible because of IncompatibleGroup

    @case:pod-on-other-node-takes-group @profile:kep @profile:since-1.37
    @KEP-5963/compatibility/disjoint-groups-refused @KEP-5963/composition/other-pod
    Scenario: A pod is Pending if a pod on another node got an incompatible device of the set
      Given the counter set
        | counterSet | node | counter units |
        | gpu-1      | *    | 100           |
      And the device
        | device  | slice | node  | attribute name | consumesCounters gpu-1 |
        | other-0 | o     | right | string other-0 | units 20               |
      And a ResourceClaim "other" with the request
        | selector                                               |
        | device.attributes["dra.example.com"].name == "other-0" |
      And a ResourceClaim "mig" with the request
        | selector                                             |
        | device.attributes["dra.example.com"].name == "mig-0" |
      And a ResourceClaim "vgpu" with the request
        | selector                                              |
        | device.attributes["dra.example.com"].name == "vgpu-0" |
      And a pod "first" that uses ResourceClaim "other"
      When the cluster reaches a steady state
      Then pod "first" is Running on node "right"
      When a pod "second" that uses ResourceClaim "mig" is created
      And the cluster reaches a steady state
      Then pod "second" is Running on node "left"
      When a pod "third" that uses ResourceClaim "vgpu" is created
      And the cluster reaches a steady state
      Then pod "third" is Pending
      And ResourceClaim "vgpu" is not allocated
