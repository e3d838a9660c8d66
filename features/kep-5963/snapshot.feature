Feature: Snapshot of compatibility groups in the allocation result
  The allocation result of a device records its groups for each counter set. Later allocations use this snapshot,
  even after the ResourceSlice has changed.

  Background:
    Given the counter sets
      | counterSet | counter units |
      | gpu-0      | 100           |
      | fabric-0   | 100           |

  Rule: The recorded groups are those that the ResourceSlice declares

    @case:group-recorded-for-set
    @KEP-5963/snapshot/recorded-at-allocation @KEP-5963/snapshot/keyed-by-counter-set @KEP-5963/snapshot/unconsumed-sets-absent
    Scenario: The allocation result of a MIG device records its compatibility group for its counter set
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0  | units 20               | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | compatibilityGroups gpu-0 |
        | r0      | mig-0  | mig                       |
      But since Kubernetes 1.37, because this release does not record groups in the allocation result: ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | mig-0  |

    @case:each-device-own-groups
    @KEP-5963/snapshot/recorded-at-allocation
    Scenario: Two devices of one ResourceClaim each have their own compatibility groups recorded
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | foo-0  | units 25               | foo, foobar               |
        | bar-0  | units 25               | bar, foobar               |
      And a ResourceClaim "c" requesting 2 devices
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | compatibilityGroups gpu-0 |
        | r0      | foo-0  | foo, foobar               |
        | r0      | bar-0  | bar, foobar               |
      But since Kubernetes 1.37, because this release does not record groups in the allocation result: ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | foo-0  |
        | r0      | bar-0  |

    @case:each-claim-own-groups
    @KEP-5963/snapshot/recorded-at-allocation
    Scenario: Two ResourceClaims allocated together each record the groups of their own device
      Given the devices
        | device | attribute kind | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | foo-0  | string foo     | units 25               | foo, foobar               |
        | bar-0  | string bar     | units 25               | bar, foobar               |
      And a ResourceClaim "a" with the request
        | request | selector                                           |
        | r0      | device.attributes["dra.example.com"].kind == "foo" |
      And a ResourceClaim "b" with the request
        | request | selector                                           |
        | r0      | device.attributes["dra.example.com"].kind == "bar" |
      When allocation of the ResourceClaims "a, b" together is attempted
      Then ResourceClaim "a" is allocated exactly
        | request | device | compatibilityGroups gpu-0 |
        | r0      | foo-0  | foo, foobar               |
      And ResourceClaim "b" is allocated exactly
        | request | device | compatibilityGroups gpu-0 |
        | r0      | bar-0  | bar, foobar               |
      But since Kubernetes 1.37, because this release does not record groups in the allocation result: ResourceClaim "a" is allocated exactly
        | request | device |
        | r0      | foo-0  |
      And since Kubernetes 1.37, because this release does not record groups in the allocation result: ResourceClaim "b" is allocated exactly
        | request | device |
        | r0      | bar-0  |

    @case:recorded-for-each-set
    @KEP-5963/snapshot/keyed-by-counter-set
    Scenario: The allocation result of a device with two counter sets records the groups of each set
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 | consumesCounters fabric-0 | compatibilityGroups fabric-0 |
        | both   | units 20               | mig                       | units 1                   | nvl                          |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | compatibilityGroups gpu-0 | compatibilityGroups fabric-0 |
        | r0      | both   | mig                       | nvl                          |
      But since Kubernetes 1.37, because this release does not record groups in the allocation result: ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | both   |

    @case:newest-generation-recorded
    @KEP-5963/snapshot/recorded-at-allocation
    Scenario: The allocation result records the compatibility groups of the newest pool generation
      Given the devices
        | device | generation | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | d1     | 1          | units 20               | mig                       |
        | d1     | 2          | units 20               | vgpu                      |
      And the counter sets
        | counterSet | generation | counter units |
        | gpu-0      | 2          | 100           |
        | fabric-0   | 2          | 100           |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | compatibilityGroups gpu-0 |
        | r0      | d1     | vgpu                      |
      But since Kubernetes 1.37, because this release does not record groups in the allocation result: ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d1     |

  Rule: A consumed counter set without recorded groups counts as ungrouped

    Background:
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 | consumesCounters fabric-0 | compatibilityGroups fabric-0 |
        | half   | units 20               | mig                       | units 1                   |                              |
        | nvl-0  |                        |                           | units 1                   | nvl                          |
        | plain  |                        |                           | units 1                   |                              |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | half   | mig                       |

    @case:ungrouped-on-unrecorded-set
    @KEP-5963/snapshot/consumed-but-ungrouped-set
    Scenario: A device without groups is allocated if the device in use recorded no groups
      Given a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | plain  |

    @case:grouped-on-unrecorded-set
    @KEP-5963/snapshot/consumed-but-ungrouped-set
    Scenario: A grouped device is not allocated on a counter set if the device in use recorded no groups
      Given ResourceClaim "second" is already allocated
        | device |
        | plain  |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

  Rule: Recorded groups count after the ResourceSlice has changed

    @case:recorded-group-allocated
    @KEP-5963/snapshot/authoritative-over-changed-slice
    Scenario: A device of the recorded group is allocated after the ResourceSlice changes the group
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | d1     | units 20               | vgpu                      |
        | mig-1  | units 20               | mig                       |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | d1     | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | mig-1  |
      But since Kubernetes 1.37, because this release reads the groups of devices in use from the ResourceSlice: no allocation is possible

    @case:changed-group-not-allocated
    @KEP-5963/snapshot/authoritative-over-changed-slice
    Scenario: A device in use keeps its recorded group after its ResourceSlice changes the group
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | d1     | units 20               | vgpu                      |
        | vgpu-1 | units 20               | vgpu                      |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | d1     | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup
      But since Kubernetes 1.37, because this release reads the groups of devices in use from the ResourceSlice: ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | vgpu-1 |

    @case:dropped-group-still-admits
    @KEP-5963/snapshot/authoritative-over-changed-slice
    Scenario: A device is allocated if it shares a recorded group that the driver has since removed
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | d1     | units 20               | a                         |
        | d2     | units 20               | b                         |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | d1     | a, b                      |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d2     |
      But since Kubernetes 1.37, because this release reads the groups of devices in use from the ResourceSlice: no allocation is possible

    @case:added-group-admits-nothing
    @KEP-5963/snapshot/authoritative-over-changed-slice
    Scenario: A device is not allocated if it shares only a group added after the other allocation
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | d1     | units 20               | a, b                      |
        | d2     | units 20               | b                         |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | d1     | a                         |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup
      But since Kubernetes 1.37, because this release reads the groups of devices in use from the ResourceSlice: ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d2     |

    @case:recorded-group-after-removal
    @KEP-5963/snapshot/authoritative-over-removed-groups
    Scenario: A device of the recorded group is allocated after the ResourceSlice drops all groups
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | d1     | units 20               |                           |
        | mig-1  | units 20               | mig                       |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | d1     | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | mig-1  |
      But since Kubernetes 1.37, because this release reads the groups of devices in use from the ResourceSlice: no allocation is possible

    @case:ungrouped-after-removal
    @KEP-5963/snapshot/authoritative-over-removed-groups
    Scenario: A device without groups is not allocated after the ResourceSlice drops a recorded group
      Given the devices
        | device | consumesCounters gpu-0 |
        | d1     | units 20               |
        | d2     | units 20               |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | d1     | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup
      But since Kubernetes 1.33, because releases have no compatibilityGroups field in the allocation result: ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d2     |

    @case:other-group-after-counters-removed
    @KEP-5963/snapshot/authoritative-over-removed-groups
    Scenario: A device in use that no longer consumes a counter set still blocks devices of other groups
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | d1     |                        |                           |
        | vgpu-1 | units 20               | vgpu                      |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | d1     | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup
      But since Kubernetes 1.37, because this release reads the groups of devices in use from the ResourceSlice: ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | vgpu-1 |

    @case:other-group-after-device-removed
    @KEP-5963/snapshot/authoritative-over-removed-groups
    Scenario: A device in use that has left the ResourceSlice still excludes other compatibility groups
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | vgpu-1 | units 20               | vgpu                      |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | gone   | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup
      But since Kubernetes 1.37, because this release ignores the groups of a device that is no longer in a ResourceSlice: ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | vgpu-1 |

    @case:recorded-group-after-device-removed
    @KEP-5963/snapshot/authoritative-over-removed-groups
    Scenario: A device of the recorded group is allocated after the device in use left the ResourceSlice
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-1  | units 20               | mig                       |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | gone   | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | mig-1  |

    @case:removed-device-own-pool-only
    @KEP-5963/snapshot/authoritative-over-removed-groups @KEP-5963/compatibility/same-set-name-in-other-pool
    Scenario: A device in use that has left its pool affects counter sets of that pool only
      Given the counter set
        | counterSet | pool   | counter units |
        | gpu-0      | pool-2 | 100           |
      And the devices
        | device | pool   | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | vgpu-1 | pool-2 | units 20               | vgpu                      |
      And ResourceClaim "other" is already allocated
        | device | pool   | compatibilityGroups gpu-0 |
        | gone   | pool-1 | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | pool   |
        | r0      | vgpu-1 | pool-2 |

  Rule: Candidates are checked with the groups of the current ResourceSlice

    @case:joins-group-in-new-generation
    @KEP-5963/snapshot/candidates-use-current-slice
    Scenario: A device whose new pool generation adds the compatibility group in use is allocated
      Given the counter set
        | counterSet | pool   | generation | counter units |
        | gpu-0      | pool-2 | 1          | 100           |
        | gpu-0      | pool-2 | 2          | 100           |
      And the devices
        | device | pool   | generation | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | a      | pool-2 | 1          | units 20               | mig                       |
        | b      | pool-2 | 1          | units 20               | vgpu                      |
        | a      | pool-2 | 2          | units 20               | mig                       |
        | b      | pool-2 | 2          | units 20               | mig                       |
      And ResourceClaim "other" is already allocated
        | device | pool   | compatibilityGroups gpu-0 |
        | a      | pool-2 | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | b      |

    @case:leaves-group-in-new-generation
    @KEP-5963/snapshot/candidates-use-current-slice
    Scenario: A device whose new pool generation drops the compatibility group in use is not allocated
      Given the counter set
        | counterSet | pool   | generation | counter units |
        | gpu-0      | pool-2 | 1          | 100           |
        | gpu-0      | pool-2 | 2          | 100           |
      And the devices
        | device | pool   | generation | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | a      | pool-2 | 1          | units 20               | mig                       |
        | b      | pool-2 | 1          | units 20               | mig                       |
        | a      | pool-2 | 2          | units 20               | mig                       |
        | b      | pool-2 | 2          | units 20               | vgpu                      |
      And ResourceClaim "other" is already allocated
        | device | pool   | compatibilityGroups gpu-0 |
        | a      | pool-2 | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

    @case:current-groups-recorded
    @KEP-5963/snapshot/recorded-at-allocation
    Scenario: The allocation result records all groups of a device, including those not in use
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0  | units 20               | mig                       |
        | d1     | units 20               | mig, vgpu                 |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | mig-0  | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | compatibilityGroups gpu-0 |
        | r0      | d1     | mig, vgpu                 |
      But since Kubernetes 1.37, because this release does not record groups in the allocation result: ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d1     |

  Rule: A device in use without recorded groups counts as ungrouped

    @case:grouped-with-unrecorded
    @KEP-5963/rolling-intersection/peer-without-snapshot @KEP-5963/snapshot/authoritative-over-changed-slice
    Scenario: A device with a group is not allocated while a device without recorded groups is in use
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | d1     | units 20               | mig                       |
        | mig-1  | units 20               | mig                       |
      And ResourceClaim "other" is already allocated
        | device |
        | d1     |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup
      But since Kubernetes 1.37, because this release reads the groups of devices in use from the ResourceSlice: ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | mig-1  |

    @case:ungrouped-with-unrecorded
    @KEP-5963/rolling-intersection/peer-without-snapshot
    Scenario: A device without groups is allocated while a device without recorded groups is in use
      Given the devices
        | device  | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | d1      | units 20               | mig                       |
        | plain-1 | units 20               |                           |
      And ResourceClaim "other" is already allocated
        | device |
        | d1     |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device  |
        | r0      | plain-1 |
      But since Kubernetes 1.37, because this release reads the groups of devices in use from the ResourceSlice: no allocation is possible

    @case:grouped-on-set-missing-in-snapshot
    @KEP-5963/rolling-intersection/peer-without-snapshot
    Scenario: A device is not allocated if the group that it shares with a device in use is not recorded
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 | consumesCounters fabric-0 | compatibilityGroups fabric-0 |
        | both   | units 20               | mig                       | units 1                   | nvl                          |
        | nvl-0  |                        |                           | units 1                   | nvl                          |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | both   | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup
      But since Kubernetes 1.37, because this release reads the groups of devices in use from the ResourceSlice: ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | nvl-0  |

    @case:unrecorded-on-other-set
    @KEP-5963/rolling-intersection/peer-without-snapshot @KEP-5963/compatibility/other-counter-set-never-compared
    Scenario: A device is allocated if the device without recorded groups uses another counter set
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 | consumesCounters fabric-0 | compatibilityGroups fabric-0 |
        | d1     | units 20               | mig                       |                           |                              |
        | nvl-0  |                        |                           | units 1                   | nvl                          |
        | mig-1  | units 20               | mig                       |                           |                              |
      And ResourceClaim "other" is already allocated
        | device |
        | d1     |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | nvl-0  |
      But since Kubernetes 1.37, because this release reads the groups of devices in use from the ResourceSlice: ResourceClaim "c" is allocated 1 device

    @case:other-group-with-partly-recorded
    @KEP-5963/rolling-intersection/peers-already-in-conflict
    Scenario Outline: A device of another or no group is excluded if one of two allocations records a group
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | d1     | units 20               | mig                       |
        | d2     | units 20               | mig                       |
        | d3     | units 20               | <groups>                  |
      And ResourceClaim "one" is already allocated
        | device | compatibilityGroups gpu-0 |
        | d1     | mig                       |
      And ResourceClaim "two" is already allocated
        | device |
        | d2     |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

      Examples:
        | groups |
        | vgpu   |
        |        |

    @case:recorded-group-with-partly-recorded
    @KEP-5963/rolling-intersection/peers-already-in-conflict
    Scenario: A device of group mig is not allocated if only one of two allocations records mig
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | d1     | units 20               | mig                       |
        | d2     | units 20               | mig                       |
        | d3     | units 20               | mig                       |
      And ResourceClaim "one" is already allocated
        | device | compatibilityGroups gpu-0 |
        | d1     | mig                       |
      And ResourceClaim "two" is already allocated
        | device |
        | d2     |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup
      But since Kubernetes 1.37, because this release reads the groups of devices in use from the ResourceSlice: ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d3     |
