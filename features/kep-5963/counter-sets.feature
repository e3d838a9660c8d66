Feature: Counter sets and pools
  Groups are compared on one counter set of one pool of one driver. What happens on another set, or on a set of
  the same name elsewhere, plays no role.

  Rule: Devices of different counter sets are not compared

    Background:
      Given the counter sets
        | set   | counter multiprocessors |
        | gpu-0 | 100                     |
        | gpu-1 | 100                     |

    @case:a-device-of-another-group-is-allocated-on-another
    @KEP-5963/compatibility/other-counter-set-never-compared
    Scenario: A device of another group is allocated on another GPU of the same slice
      Given the devices
        | device | counters gpu-0     | groups gpu-0 | counters gpu-1     | groups gpu-1 |
        | mig-0  | multiprocessors 20 | mig          |                    |              |
        | vgpu-1 |                    |              | multiprocessors 50 | vgpu         |
      And claim "other" already holds
        | device | groups gpu-0 |
        | mig-0  | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | vgpu-1 |

    @case:a-device-without-groups-is-allocated-where-a-grouped
    @KEP-5963/compatibility/other-counter-set-never-compared
    Scenario: A device without groups is allocated where a grouped one is held on another GPU
      Given the devices
        | device  | counters gpu-0     | groups gpu-0 | counters gpu-1     |
        | mig-0   | multiprocessors 20 | mig          |                    |
        | plain-1 |                    |              | multiprocessors 20 |
      And claim "other" already holds
        | device | groups gpu-0 |
        | mig-0  | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device  |
        | r0      | plain-1 |

    @case:a-device-that-draws-from-no-counter-set-is-allocated
    @KEP-5963/compatibility/other-counter-set-never-compared
    Scenario: A device that draws from no counter set is allocated beside a grouped one
      Given the devices
        | device  | counters gpu-0     | groups gpu-0 |
        | mig-0   | multiprocessors 20 | mig          |
        | whole-0 |                    |              |
      And claim "other" already holds
        | device | groups gpu-0 |
        | mig-0  | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device  |
        | r0      | whole-0 |

    @case:one-claim-gets-devices-of-two-groups-from-two-gpus
    @KEP-5963/compatibility/other-counter-set-never-compared
    Scenario: One claim gets devices of two groups from two GPUs
      Given the devices
        | device | counters gpu-0     | groups gpu-0 | counters gpu-1     | groups gpu-1 |
        | mig-0  | multiprocessors 20 | mig          |                    |              |
        | vgpu-1 |                    |              | multiprocessors 50 | vgpu         |
      And a claim "c" requesting 2 devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | mig-0  |
        | r0      | vgpu-1 |

    @case:a-device-of-both-gpus-is-allocated-where-its-groups
    @KEP-5963/rolling-intersection/one-state-per-counter-set
    Scenario: A device of both GPUs is allocated where its groups fit what is held on each
      Given the devices
        | device | counters gpu-0     | groups gpu-0 | counters gpu-1     | groups gpu-1 |
        | d0     | multiprocessors 20 | a            |                    |              |
        | d1     |                    |              | multiprocessors 20 | b            |
        | wide   | multiprocessors 20 | a            | multiprocessors 20 | b            |
      And claim "zero" already holds
        | device | groups gpu-0 |
        | d0     | a            |
      And claim "one" already holds
        | device | groups gpu-1 |
        | d1     | b            |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | wide   |

    @case:a-device-of-both-gpus-is-refused-where-its-groups
    @KEP-5963/rolling-intersection/one-state-per-counter-set
    Scenario: A device of both GPUs is refused where its groups fit only with the GPUs exchanged
      Given the devices
        | device | counters gpu-0     | groups gpu-0 | counters gpu-1     | groups gpu-1 |
        | d0     | multiprocessors 20 | a            |                    |              |
        | d1     |                    |              | multiprocessors 20 | b            |
        | wide   | multiprocessors 20 | b            | multiprocessors 20 | a            |
      And claim "zero" already holds
        | device | groups gpu-0 |
        | d0     | a            |
      And claim "one" already holds
        | device | groups gpu-1 |
        | d1     | b            |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

    @case:a-device-of-both-gpus-closes-each-of-them-to-other
    @KEP-5963/rolling-intersection/one-state-per-counter-set
    Scenario: A device of both GPUs closes each of them to other groups
      Given the devices
        | device | counters gpu-0     | groups gpu-0 | counters gpu-1     | groups gpu-1 |
        | wide   | multiprocessors 20 | a            | multiprocessors 20 | b            |
        | d0     | multiprocessors 20 | b            |                    |              |
        | d1     |                    |              | multiprocessors 20 | a            |
      And claim "other" already holds
        | device | groups gpu-0 | groups gpu-1 |
        | wide   | a            | b            |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

  Rule: A device has its own groups on each of its counter sets

    Background:
      Given the counter sets
        | set      | counter units |
        | gpu-0    | 100           |
        | fabric-0 | 100           |

    @case:beside-a-device-of-mig-on-one-set-and-nvl-on-the
    @KEP-5963/compatibility/groups-per-counter-set
    Scenario: Beside a device of mig on one set and nvl on the other, devices of each fit on their set
      Given the devices
        | device | counters gpu-0 | groups gpu-0 | counters fabric-0 | groups fabric-0 |
        | both   | units 20       | mig          | units 1           | nvl             |
        | mig-0  | units 20       | mig          |                   |                 |
        | nvl-0  |                |              | units 1           | nvl             |
      And claim "other" already holds
        | device | groups gpu-0 | groups fabric-0 |
        | both   | mig          | nvl             |
      And a claim "c" requesting 2 devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | mig-0  |
        | r0      | nvl-0  |

    @case:a-device-of-group-is-refused-where-the-group-is-held
    @KEP-5963/compatibility/groups-per-counter-set
    Scenario Outline: A device of group <gpu-0><fabric-0> is refused where the group is held on another counter set only
      Given the devices
        | device | counters gpu-0 | groups gpu-0 | counters fabric-0 | groups fabric-0 |
        | both   | units 20       | mig          | units 1           | nvl             |
        | d0     | <on gpu-0>     | <gpu-0>      | <on fabric-0>     | <fabric-0>      |
      And claim "other" already holds
        | device | groups gpu-0 | groups fabric-0 |
        | both   | mig          | nvl             |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

      Examples:
        | on gpu-0 | gpu-0 | on fabric-0 | fabric-0 |
        | units 20 | nvl   |             |          |
        |          |       | units 1     | mig      |

    @case:a-device-with-groups-on-one-of-its-two-sets-is
    @KEP-5963/compatibility/groups-per-counter-set
    Scenario: A device with groups on one of its two sets is allocated beside one without groups on the other
      Given the devices
        | device | counters gpu-0 | groups gpu-0 | counters fabric-0 |
        | plain  |                |              | units 1           |
        | half   | units 20       | mig          | units 1           |
      And claim "other" already holds
        | device |
        | plain  |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | half   |

    @case:a-device-with-groups-on-one-of-its-two-sets-is-2
    @KEP-5963/compatibility/groups-per-counter-set
    Scenario: A device with groups on one of its two sets is refused beside a grouped one on the other
      Given the devices
        | device | counters gpu-0 | groups gpu-0 | counters fabric-0 | groups fabric-0 |
        | nvl-0  |                |              | units 1           | nvl             |
        | half   | units 20       | mig          | units 1           |                 |
      And claim "other" already holds
        | device | groups fabric-0 |
        | nvl-0  | nvl             |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

    @case:a-device-of-two-counter-sets-is-refused-where-only
    @KEP-5963/compatibility/every-consumed-set-must-admit
    Scenario: A device of two counter sets is refused where only one of them admits it
      Given the devices
        | device | counters gpu-0 | groups gpu-0 | counters fabric-0 | groups fabric-0 |
        | mig-0  | units 20       | mig          |                   |                 |
        | nvl-0  |                |              | units 1           | nvl             |
        | wide   | units 20       | mig          | units 1           | pcie            |
      And claim "zero" already holds
        | device | groups gpu-0 |
        | mig-0  | mig          |
      And claim "one" already holds
        | device | groups fabric-0 |
        | nvl-0  | nvl             |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

    @case:a-device-of-two-counter-sets-is-allocated-where-both
    @KEP-5963/compatibility/every-consumed-set-must-admit
    Scenario: A device of two counter sets is allocated where both admit it
      Given the devices
        | device | counters gpu-0 | groups gpu-0 | counters fabric-0 | groups fabric-0 |
        | mig-0  | units 20       | mig          |                   |                 |
        | nvl-0  |                |              | units 1           | nvl             |
        | wide   | units 20       | mig          | units 1           | nvl, pcie       |
      And claim "zero" already holds
        | device | groups gpu-0 |
        | mig-0  | mig          |
      And claim "one" already holds
        | device | groups fabric-0 |
        | nvl-0  | nvl             |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | wide   |

  Rule: A counter set belongs to one pool of one driver

    @case:a-device-with-groups-is-allocated-on-a-counter-set
    @KEP-5963/compatibility/same-set-name-in-other-pool
    Scenario Outline: A device with groups [<groups>] is allocated on a counter set of the same name in another pool
      Given the counter sets
        | set   | pool   | counter units |
        | gpu-0 | pool-1 | 100           |
        | gpu-0 | pool-2 | 100           |
      And the devices
        | device | pool   | counters gpu-0 | groups gpu-0 |
        | d1     | pool-1 | units 20       | mig          |
        | d2     | pool-2 | units 50       | <groups>     |
      And claim "other" already holds
        | device | pool   | groups gpu-0 |
        | d1     | pool-1 | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | pool   |
        | r0      | d2     | pool-2 |

      Examples:
        | groups |
        | vgpu   |
        |        |

    @case:a-device-with-groups-is-allocated-in-a-pool-of-the
    @KEP-5963/compatibility/same-set-name-in-other-pool
    Scenario Outline: A device with groups [<groups>] is allocated in a pool of the same name of another driver
      Given the counter sets
        | set   | driver    | counter units |
        | gpu-0 | a.example | 100           |
        | gpu-0 | b.example | 100           |
      And the devices
        | device | driver    | counters gpu-0 | groups gpu-0 |
        | d1     | a.example | units 20       | mig          |
        | d1     | b.example | units 50       | <groups>     |
      And claim "other" already holds
        | device | driver    | groups gpu-0 |
        | d1     | a.example | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | driver    |
        | r0      | d1     | b.example |

      Examples:
        | groups |
        | vgpu   |
        |        |

    @case:one-claim-gets-devices-of-mig-of-vgpu-and-without
    @KEP-5963/compatibility/same-set-name-in-other-pool
    Scenario: One claim gets devices of mig, of vgpu and without groups from three pools
      Given the counter sets
        | set   | driver    | pool   | counter units |
        | gpu-0 | a.example | pool-1 | 100           |
        | gpu-0 | a.example | pool-2 | 100           |
        | gpu-0 | b.example | pool-1 | 100           |
      And the devices
        | device | driver    | pool   | counters gpu-0 | groups gpu-0 |
        | d1     | a.example | pool-1 | units 20       | mig          |
        | d2     | a.example | pool-2 | units 20       | vgpu         |
        | d3     | b.example | pool-1 | units 20       |              |
      And a claim "c" requesting 3 devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | driver    | pool   |
        | r0      | d1     | a.example | pool-1 |
        | r0      | d2     | a.example | pool-2 |
        | r0      | d3     | b.example | pool-1 |

    @case:what-is-held-in-each-of-two-pools-excludes-other
    @KEP-5963/compatibility/same-set-name-in-other-pool
    Scenario: What is held in each of two pools excludes other groups in that pool only
      Given the counter sets
        | set   | pool   | counter units |
        | gpu-0 | pool-1 | 100           |
        | gpu-0 | pool-2 | 100           |
      And the devices
        | device | pool   | counters gpu-0 | groups gpu-0 |
        | mig-0  | pool-1 | units 20       | mig          |
        | vgpu-0 | pool-1 | units 20       | vgpu         |
        | mig-0  | pool-2 | units 20       | mig          |
        | vgpu-0 | pool-2 | units 20       | vgpu         |
        | vgpu-1 | pool-2 | units 20       | vgpu         |
      And claim "one" already holds
        | device | pool   | groups gpu-0 |
        | mig-0  | pool-1 | mig          |
      And claim "two" already holds
        | device | pool   | groups gpu-0 |
        | vgpu-0 | pool-2 | vgpu         |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | pool   |
        | r0      | vgpu-1 | pool-2 |

    @case:devices-of-the-same-name-held-from-two-drivers-each
    @KEP-5963/compatibility/same-set-name-in-other-pool
    Scenario: Devices of the same name held from two drivers each exclude other groups of their own driver
      Given the counter sets
        | set   | driver    | counter units |
        | gpu-0 | a.example | 100           |
        | gpu-0 | b.example | 100           |
      And the devices
        | device | driver    | counters gpu-0 | groups gpu-0 |
        | d1     | a.example | units 20       | mig          |
        | d2     | a.example | units 50       | vgpu         |
        | d1     | b.example | units 20       | vgpu         |
        | d2     | b.example | units 50       | mig          |
      And claim "other" already holds
        | device | driver    | groups gpu-0 |
        | d1     | a.example | mig          |
        | d1     | b.example | vgpu         |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

  Rule: Devices of one counter set on two nodes are compared

    Background:
      Given a node "left"
      And a node "right"
      And the counter set
        | set   | node | counter units |
        | gpu-0 | *    | 100           |
      And the devices
        | device | slice | node  | counters gpu-0 | groups gpu-0 |
        | mig-0  | l     | left  | units 20       | mig          |
        | mig-1  | r     | right | units 20       | mig          |
        | vgpu-0 | r     | right | units 20       | vgpu         |

    @case:a-device-of-the-held-group-is-taken-on-another-node
    @KEP-5963/compatibility/disjoint-groups-refused @KEP-5963/rolling-intersection/seeded-from-allocated-devices
    Scenario: A device of the held group is taken on another node that has the same counter set
      Given claim "other" already holds
        | device | groups gpu-0 |
        | mig-0  | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "right" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | mig-1  |

    @case:a-device-of-another-group-is-refused-on-another-node
    @KEP-5963/compatibility/disjoint-groups-refused @KEP-5963/rolling-intersection/seeded-from-allocated-devices
    Scenario: A device of another group is refused on another node that has the same counter set
      Given claim "other" already holds
        | device | groups gpu-0 |
        | mig-0  | mig          |
        | mig-1  | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "right" is attempted
      Then nothing fits because of IncompatibleGroup
