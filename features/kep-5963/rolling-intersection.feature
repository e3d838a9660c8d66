Feature: Rolling intersection of compatibility groups
  All devices that are allocated on a counter set share at least one group. Each allocated device can narrow the
  groups that the next device may have.

  Background:
    Given the counter set
      | counterSet | counter units |
      | chip       | 100           |

  Rule: The intersection starts with the groups of all devices in use

    Background:
      Given the devices
        | device | consumesCounters chip | compatibilityGroups chip |
        | ab     | units 10              | a, b                     |
        | bc     | units 10              | b, c                     |
      And ResourceClaim "one" is already allocated
        | device | compatibilityGroups chip |
        | ab     | a, b                     |
      And ResourceClaim "two" is already allocated
        | device | compatibilityGroups chip |
        | bc     | b, c                     |

    @case:common-group-allocated
    @KEP-5963/rolling-intersection/seeded-from-allocated-devices
    Scenario Outline: A device that has the common compatibility group of all devices in use is allocated
      Given objects that the API server rejects, because the KEP does not say how many groups a device may have
      And the device
        | device | consumesCounters chip | compatibilityGroups chip |
        | new    | units 10              | <groups>                 |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | new    |

      Examples:
        | groups  |
        | b       |
        | b, d    |
        | a, b, c |

    @case:common-group-missing
    @KEP-5963/rolling-intersection/seeded-from-allocated-devices
    Scenario Outline: A device without the common compatibility group of all devices in use cannot be allocated
      Given the device
        | device | consumesCounters chip | compatibilityGroups chip |
        | new    | units 10              | <groups>                 |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

      Examples: a group of only one device in use
        | groups |
        | a      |
        | c      |

      @KEP-5963/rolling-intersection/pairwise-overlap-not-enough
      Examples: a group of each device in use, but not the common group
        | groups |
        | a, c   |

      Examples: no group of a device in use
        | groups |
        | d      |
        |        |

    @case:overlap-with-each-skipped
    @KEP-5963/rolling-intersection/pairwise-overlap-not-enough
    Scenario: A device that shares a group with each device in use, but no common group, is skipped
      Given the devices
        | device | consumesCounters chip | compatibilityGroups chip |
        | ac     | units 10              | a, c                     |
        | bd     | units 10              | b, d                     |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | bd     |

  Rule: Only devices in use count for the initial intersection

    @case:admin-access-ignored
    @KEP-5963/composition/admin-access-does-not-count
    Scenario: A device allocated only with adminAccess does not narrow the groups of its counter set
      Given the devices
        | device | consumesCounters chip | compatibilityGroups chip |
        | mig-0  | units 10              | mig                      |
        | vgpu-0 | units 10              | vgpu                     |
        | vgpu-1 | units 10              | vgpu                     |
      And ResourceClaim "admin" is already allocated
        | device | adminAccess | compatibilityGroups chip |
        | mig-0  | yes         | mig                      |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups chip |
        | vgpu-0 | vgpu                     |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | vgpu-1 |

  Rule: Each device narrows the intersection of its counter set

    @case:four-devices-share-group
    @KEP-5963/rolling-intersection/narrows-on-admission
    Scenario: A request for four devices succeeds if all four devices share one compatibility group
      Given objects that the API server rejects, because the KEP does not say how many groups a device may have
      And the devices
        | device | consumesCounters chip | compatibilityGroups chip |
        | abc    | units 10              | a, b, c                  |
        | bc     | units 10              | b, c                     |
        | cd     | units 10              | c, d                     |
        | c      | units 10              | c                        |
      And a ResourceClaim "c" requesting 4 devices
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | abc    |
        | r0      | bc     |
        | r0      | cd     |
        | r0      | c      |

    @case:fourth-device-lacks-common-group
    @KEP-5963/rolling-intersection/narrows-on-admission @KEP-5963/rolling-intersection/narrowed-state-refuses-earlier-overlap
    Scenario Outline: A request for four devices fails if the fourth lacks the common group of the first three
      Given objects that the API server rejects, because the KEP does not say how many groups a device may have
      And the devices
        | device | consumesCounters chip | compatibilityGroups chip |
        | abc    | units 10              | a, b, c                  |
        | bc     | units 10              | b, c                     |
        | cd     | units 10              | c, d                     |
        | last   | units 10              | <groups>                 |
      And a ResourceClaim "c" requesting 4 devices
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

      Examples:
        | groups  |
        | a       |
        | b       |
        | d       |
        | a, b, d |

    @case:three-devices-share-foobar
    @KEP-5963/rolling-intersection/narrows-on-admission
    Scenario: A request for three devices succeeds if they share only the compatibility group foobar
      Given the devices
        | device | consumesCounters chip | compatibilityGroups chip |
        | foo-0  | units 25              | foo, foobar              |
        | bar-0  | units 25              | bar, foobar              |
        | qux-0  | units 25              | qux, foobar              |
      And a ResourceClaim "c" requesting 3 devices
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | foo-0  |
        | r0      | bar-0  |
        | r0      | qux-0  |

    @case:group-outside-intersection
    @KEP-5963/rolling-intersection/narrowed-state-refuses-earlier-overlap
    Scenario Outline: A device is not allocated if it shares a group with only one of two devices in use
      Given the devices
        | device | consumesCounters chip | compatibilityGroups chip |
        | foo-0  | units 25              | foo, foobar              |
        | bar-0  | units 25              | bar, foobar              |
        | new    | units 25              | <groups>                 |
      And ResourceClaim "one" is already allocated
        | device | compatibilityGroups chip |
        | foo-0  | foo, foobar              |
      And ResourceClaim "two" is already allocated
        | device | compatibilityGroups chip |
        | bar-0  | bar, foobar              |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

      Examples:
        | groups   |
        | foo      |
        | bar      |
        | foo, bar |

    @case:group-in-intersection
    @KEP-5963/rolling-intersection/narrowed-state-refuses-earlier-overlap
    Scenario: A device with the only compatibility group left in the intersection is allocated
      Given the devices
        | device | consumesCounters chip | compatibilityGroups chip |
        | foo-0  | units 25              | foo, foobar              |
        | bar-0  | units 25              | bar, foobar              |
        | new    | units 25              | foobar                   |
      And ResourceClaim "one" is already allocated
        | device | compatibilityGroups chip |
        | foo-0  | foo, foobar              |
      And ResourceClaim "two" is already allocated
        | device | compatibilityGroups chip |
        | bar-0  | bar, foobar              |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | new    |

    @case:different-groups-of-device-in-use
    @KEP-5963/rolling-intersection/narrowed-state-refuses-earlier-overlap
    Scenario: A request for two devices fails if each shares a different group with the device in use
      Given the devices
        | device | consumesCounters chip | compatibilityGroups chip |
        | held   | units 10              | a, b                     |
        | d1     | units 10              | a                        |
        | d2     | units 10              | b                        |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups chip |
        | held   | a, b                     |
      And a ResourceClaim "c" requesting 2 devices
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

    @case:pairwise-overlap-three-requests
    @KEP-5963/rolling-intersection/pairwise-overlap-not-enough @KEP-5963/composition/same-claim-requests
    Scenario: Three requests fail if each pair of devices shares a group but all three do not
      Given the devices
        | device | consumesCounters chip | compatibilityGroups chip |
        | ab     | units 10              | a, b                     |
        | bc     | units 10              | b, c                     |
        | ac     | units 10              | a, c                     |
      And a ResourceClaim "c" with the requests
        | request |
        | r0      |
        | r1      |
        | r2      |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

    @case:pairwise-overlap-three-claims
    @KEP-5963/rolling-intersection/pairwise-overlap-not-enough @KEP-5963/composition/other-claim-of-same-pod
    Scenario: Three ResourceClaims fail if each pair of devices shares a group but all three do not
      Given the devices
        | device | consumesCounters chip | compatibilityGroups chip |
        | ab     | units 10              | a, b                     |
        | bc     | units 10              | b, c                     |
        | ac     | units 10              | a, c                     |
      And a ResourceClaim "x" requesting 1 device
      And a ResourceClaim "y" requesting 1 device
      And a ResourceClaim "z" requesting 1 device
      When allocation of the ResourceClaims "x, y, z" together is attempted
      Then no allocation is possible because of IncompatibleGroup

  Rule: A rejected candidate does not change the intersection

    @case:compatible-between-rejected
    @KEP-5963/rolling-intersection/refused-candidate-leaves-state
    Scenario: A rejected candidate does not prevent the allocation of the compatible device after it
      Given the devices
        | device | consumesCounters chip | compatibilityGroups chip |
        | held   | units 10              | mig                      |
        | d1     | units 10              | vgpu                     |
        | d2     | units 10              | mig                      |
        | d3     | units 10              | vgpu                     |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups chip |
        | held   | mig                      |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d2     |

    @case:rejected-groups-stay-rejected
    @KEP-5963/rolling-intersection/refused-candidate-leaves-state
    Scenario: A rejected candidate does not make later candidates with the same groups compatible
      Given the devices
        | device | consumesCounters chip | compatibilityGroups chip |
        | held   | units 10              | mig                      |
        | d1     | units 10              | vgpu                     |
        | d2     | units 10              | vgpu                     |
        | d3     | units 10              |                          |
        | d4     | units 10              |                          |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups chip |
        | held   | mig                      |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

    @case:rejected-on-one-set
    @KEP-5963/rolling-intersection/refused-candidate-leaves-state
    Scenario: A candidate rejected on one counter set does not narrow the groups of its second set
      Given the counter set
        | counterSet | counter units |
        | other      | 100           |
      And the devices
        | device | consumesCounters chip | compatibilityGroups chip | consumesCounters other | compatibilityGroups other |
        | ab     | units 10              | a, b                     |                        |                           |
        | x      |                       |                          | units 10               | x                         |
        | d1     | units 10              | a                        | units 10               | z                         |
        | d2     | units 10              | b                        |                        |                           |
        | d3     | units 10              | a                        | units 10               | z                         |
      And ResourceClaim "one" is already allocated
        | device | compatibilityGroups chip |
        | ab     | a, b                     |
      And ResourceClaim "two" is already allocated
        | device | compatibilityGroups other |
        | x      | x                         |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d2     |

    @case:rejected-by-counters
    @KEP-5963/rolling-intersection/refused-candidate-leaves-state @KEP-5963/composition/counters-still-apply
    Scenario: A device that exceeds the counters does not narrow the groups of a free counter set
      Given the devices
        | device | consumesCounters chip | compatibilityGroups chip |
        | d1     | units 101             | mig                      |
        | d2     | units 50              | vgpu                     |
        | d3     | units 101             |                          |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d2     |

  Rule: Conflicting devices in use admit no further device

    @case:mig-and-vgpu-in-use
    @KEP-5963/rolling-intersection/peers-already-in-conflict
    Scenario Outline: A device cannot be allocated on a counter set where mig and vgpu devices are both in use
      Given the devices
        | device | consumesCounters chip | compatibilityGroups chip |
        | mig-0  | units 10              | mig                      |
        | vgpu-0 | units 10              | vgpu                     |
        | new    | units 10              | <groups>                 |
      And ResourceClaim "one" is already allocated
        | device | compatibilityGroups chip |
        | mig-0  | mig                      |
      And ResourceClaim "two" is already allocated
        | device | compatibilityGroups chip |
        | vgpu-0 | vgpu                     |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

      Examples:
        | groups    |
        | mig       |
        | vgpu      |
        | mig, vgpu |
        |           |

    @case:no-common-group-in-use
    @KEP-5963/rolling-intersection/peers-already-in-conflict
    Scenario: A device with all groups is not allocated if the three devices in use share no group
      Given objects that the API server rejects, because the KEP does not say how many groups a device may have
      And the devices
        | device | consumesCounters chip | compatibilityGroups chip |
        | ab     | units 10              | a, b                     |
        | bc     | units 10              | b, c                     |
        | ac     | units 10              | a, c                     |
        | new    | units 10              | a, b, c                  |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups chip |
        | ab     | a, b                     |
        | bc     | b, c                     |
        | ac     | a, c                     |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

    @case:conflict-on-other-set
    @KEP-5963/rolling-intersection/peers-already-in-conflict
    Scenario: A conflict between devices in use on one counter set does not affect another counter set
      Given the counter set
        | counterSet | counter units |
        | other      | 100           |
      And the devices
        | device | consumesCounters chip | compatibilityGroups chip | consumesCounters other | compatibilityGroups other |
        | mig-0  | units 10              | mig                      |                        |                           |
        | vgpu-0 | units 10              | vgpu                     |                        |                           |
        | mig-1  | units 10              | mig                      |                        |                           |
        | mig-2  |                       |                          | units 10               | mig                       |
      And ResourceClaim "one" is already allocated
        | device | compatibilityGroups chip |
        | mig-0  | mig                      |
      And ResourceClaim "two" is already allocated
        | device | compatibilityGroups chip |
        | vgpu-0 | vgpu                     |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | mig-2  |

    @case:grouped-then-ungrouped-for-ungrouped
    @KEP-5963/rolling-intersection/peers-already-in-conflict
    Scenario: A third device, without groups, is not allocated after a grouped and an ungrouped device
      Given the devices
        | device  | consumesCounters chip | compatibilityGroups chip |
        | mig-0   | units 10              | mig                      |
        | plain-0 | units 10              |                          |
        | plain-1 | units 10              |                          |
      And ResourceClaim "one" is already allocated
        | device | compatibilityGroups chip |
        | mig-0  | mig                      |
      And ResourceClaim "two" is already allocated
        | device  |
        | plain-0 |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

    @case:grouped-then-ungrouped-for-grouped
    @KEP-5963/rolling-intersection/peers-already-in-conflict
    Scenario: A third device, with groups, is not allocated after a grouped and an ungrouped device
      Given the devices
        | device  | consumesCounters chip | compatibilityGroups chip |
        | mig-0   | units 10              | mig                      |
        | plain-0 | units 10              |                          |
        | mig-1   | units 10              | mig                      |
      And ResourceClaim "one" is already allocated
        | device | compatibilityGroups chip |
        | mig-0  | mig                      |
      And ResourceClaim "two" is already allocated
        | device  |
        | plain-0 |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup
      But since Kubernetes 1.37, because this release uses only the first of several conflicting devices in use: ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | mig-1  |

    @case:ungrouped-then-grouped-for-grouped
    @KEP-5963/rolling-intersection/peers-already-in-conflict
    Scenario: A third device, with groups, is not allocated after an ungrouped and a grouped device
      Given the devices
        | device  | consumesCounters chip | compatibilityGroups chip |
        | a-plain | units 10              |                          |
        | b-mig   | units 10              | mig                      |
        | c-mig   | units 10              | mig                      |
      And ResourceClaim "one" is already allocated
        | device  |
        | a-plain |
      And ResourceClaim "two" is already allocated
        | device | compatibilityGroups chip |
        | b-mig  | mig                      |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

    @case:ungrouped-then-grouped-for-ungrouped
    @KEP-5963/rolling-intersection/peers-already-in-conflict
    Scenario: A third device, without groups, is not allocated after an ungrouped and a grouped device
      Given the devices
        | device  | consumesCounters chip | compatibilityGroups chip |
        | a-plain | units 10              |                          |
        | b-mig   | units 10              | mig                      |
        | c-plain | units 10              |                          |
      And ResourceClaim "one" is already allocated
        | device  |
        | a-plain |
      And ResourceClaim "two" is already allocated
        | device | compatibilityGroups chip |
        | b-mig  | mig                      |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup
      But since Kubernetes 1.37, because this release uses only the first of several conflicting devices in use: ResourceClaim "c" is allocated exactly
        | request | device  |
        | r0      | c-plain |
