Feature: Effect of DRADeviceCompatibilityGroups on the scheduler
  With the gate off, the scheduler skips devices that declare groups and counter sets with recorded groups. All
  other devices are scheduled normally.

  Rule: Devices that declare groups are skipped with DRADeviceCompatibilityGroups off

    Background:
      Given the feature gate "DRADeviceCompatibilityGroups" is off
      And the counter sets
        | counterSet | counter units |
        | gpu-0      | 100           |
        | gpu-1      | 100           |

    @case:off-grouped-device-skipped
    @KEP-5963/feature-gate/off-skips-declaring-devices
    Scenario: A device with a group is not allocated with DRADeviceCompatibilityGroups off
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0  | units 20               | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

    @case:off-ungrouped-between-grouped
    @KEP-5963/feature-gate/off-skips-declaring-devices @KEP-5963/feature-gate/off-ungrouped-scheduled-normally
    Scenario: Only the device without groups is allocated with DRADeviceCompatibilityGroups off
      Given the devices
        | device  | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0   | units 20               | mig                       |
        | plain-0 | units 20               |                           |
        | vgpu-0  | units 20               | vgpu                      |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device  |
        | r0      | plain-0 |
      But since Kubernetes 1.37, because with the gate off this release ignores ResourceSlices with groups, so their pool is incomplete: no allocation is possible

    @case:off-group-on-one-of-two-sets
    @KEP-5963/feature-gate/off-skips-declaring-devices
    Scenario: A device with groups on one counter set is skipped with DRADeviceCompatibilityGroups off
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 | consumesCounters gpu-1 | compatibilityGroups gpu-1 |
        | half   | units 20               |                           | units 20               | x                         |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

    @case:off-all-mode-without-grouped
    @KEP-5963/feature-gate/off-skips-declaring-devices
    Scenario: With DRADeviceCompatibilityGroups off, allocationMode All gets no device with groups
      Given the devices
        | device  | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | plain-0 | units 20               |                           |
        | mig-0   | units 20               | mig                       |
      And a ResourceClaim "c" requesting all devices
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device  |
        | plain-0 |
      And allocation may also fail
      But since Kubernetes 1.37, because with the gate off this release ignores ResourceSlices with groups, so their pool is incomplete: nothing is allocated

    @case:off-count-skips-grouped
    @KEP-5963/feature-gate/off-skips-declaring-devices @KEP-5963/feature-gate/off-ungrouped-scheduled-normally
    Scenario: A request for two devices skips a grouped device with DRADeviceCompatibilityGroups off
      Given the devices
        | device  | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | plain-0 | units 20               |                           |
        | mig-0   | units 20               | mig                       |
        | plain-1 | units 20               |                           |
      And a ResourceClaim "c" requesting 2 devices
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device  |
        | r0      | plain-0 |
        | r0      | plain-1 |
      But since Kubernetes 1.37, because with the gate off this release ignores ResourceSlices with groups, so their pool is incomplete: no allocation is possible

    @case:off-too-few-ungrouped
    @KEP-5963/feature-gate/off-skips-declaring-devices
    Scenario: A request fails if too few devices have no groups and DRADeviceCompatibilityGroups is off
      Given the devices
        | device  | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | plain-0 | units 20               |                           |
        | mig-0   | units 20               | mig                       |
        | plain-1 | units 20               |                           |
      And a ResourceClaim "c" requesting 3 devices
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

    @case:off-groups-in-other-slice
    @KEP-5963/feature-gate/off-ungrouped-scheduled-normally
    Scenario: Groups in another ResourceSlice exclude no device with DRADeviceCompatibilityGroups off
      Given the devices
        | device  | slice | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0   | s1    | units 20               | mig                       |
        | plain-0 | s2    | units 20               |                           |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device  |
        | r0      | plain-0 |
      But since Kubernetes 1.37, because with the gate off this release ignores ResourceSlices with groups, so their pool is incomplete: no allocation is possible

    @case:off-groups-in-other-pool
    @KEP-5963/feature-gate/off-ungrouped-scheduled-normally
    Scenario: Groups in another pool exclude no device with DRADeviceCompatibilityGroups off
      Given the counter set
        | counterSet | pool   | counter units |
        | gpu-0      | pool-2 | 100           |
      And the devices
        | device  | pool   | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0   | pool-1 | units 20               | mig                       |
        | plain-0 | pool-2 | units 20               |                           |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device  | pool   |
        | r0      | plain-0 | pool-2 |

    @case:off-device-without-counters
    @KEP-5963/feature-gate/off-ungrouped-scheduled-normally
    Scenario: A device without counters is allocated with DRADeviceCompatibilityGroups off
      Given the devices
        | device  | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0   | units 20               | mig                       |
        | whole-0 |                        |                           |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device  |
        | r0      | whole-0 |
      But since Kubernetes 1.37, because with the gate off this release ignores ResourceSlices with groups, so their pool is incomplete: no allocation is possible

    @case:off-list-falls-back
    @KEP-5963/feature-gate/off-skips-declaring-devices
    Scenario: A prioritized list falls back to a device without groups while the feature gate is off
      Given the devices
        | device  | attribute type | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0   | string mig     | units 20               | mig                       |
        | plain-0 | string plain   | units 20               |                           |
      And a ResourceClaim "c" with the request
        | request | subrequest  | selector                                             |
        | gpu     | best        | device.attributes["dra.example.com"].type == "mig"   |
        | gpu     | second      | device.attributes["dra.example.com"].type == "plain" |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request    | device  |
        | gpu/second | plain-0 |
      But since Kubernetes 1.37, because with the gate off this release ignores ResourceSlices with groups, so their pool is incomplete: no allocation is possible

  Rule: Devices without groups are allocated with DRADeviceCompatibilityGroups off

    Background:
      Given the feature gate "DRADeviceCompatibilityGroups" is off
      And the counter set
        | counterSet | counter units |
        | gpu-0      | 100           |

    @case:off-ungrouped-on-free-set
    @KEP-5963/feature-gate/off-ungrouped-scheduled-normally
    Scenario: A device without groups is allocated on a free counter set while the feature gate is off
      Given the devices
        | device  | consumesCounters gpu-0 |
        | plain-0 | units 20               |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device  |
        | r0      | plain-0 |

    @case:off-ungrouped-pair
    @KEP-5963/feature-gate/off-ungrouped-scheduled-normally
    Scenario: Two devices without groups are allocated together while the feature gate is off
      Given the devices
        | device  | consumesCounters gpu-0 |
        | plain-0 | units 20               |
        | plain-1 | units 80               |
      And ResourceClaim "other" is already allocated
        | device  |
        | plain-0 |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device  |
        | r0      | plain-1 |

    @case:off-unrecorded-group
    @KEP-5963/feature-gate/off-ungrouped-scheduled-normally
    Scenario: A counter set without recorded groups is usable with DRADeviceCompatibilityGroups off
      Given the devices
        | device  | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0   | units 20               | mig                       |
        | plain-1 | units 20               |                           |
      And ResourceClaim "other" is already allocated
        | device |
        | mig-0  |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device  |
        | r0      | plain-1 |
      But since Kubernetes 1.37, because with the gate off this release ignores ResourceSlices with groups, so their pool is incomplete: no allocation is possible

  Rule: Counter sets with recorded groups are blocked with DRADeviceCompatibilityGroups off

    Background:
      Given the feature gate "DRADeviceCompatibilityGroups" is off
      And the counter sets
        | counterSet | counter units |
        | gpu-0      | 100           |
        | gpu-1      | 100           |

    @case:off-recorded-set-closed
    @KEP-5963/feature-gate/off-respects-recorded-groups @KEP-5963/rollback/to-1-37-gate-off
    Scenario Outline: A counter set with recorded groups admits no device with DRADeviceCompatibilityGroups off
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0  | units 20               | mig                       |
        | new    | units 20               | <groups>                  |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | mig-0  | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

      Examples:
        | groups |
        | mig    |
        | vgpu   |
        |        |

    @case:off-recorded-groups-left-slice
    @KEP-5963/feature-gate/off-respects-recorded-groups @KEP-5963/rollback/claims-with-snapshot-need-manual-deletion
    Scenario: With DRADeviceCompatibilityGroups off, recorded groups block a counter set after an update
      Given the devices
        | device  | consumesCounters gpu-0 |
        | plain-0 | units 20               |
        | plain-1 | units 20               |
      And ResourceClaim "other" is already allocated
        | device  | compatibilityGroups gpu-0 |
        | plain-0 | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible
      But since Kubernetes 1.33, because releases have no compatibilityGroups field in the allocation result: ResourceClaim "c" is allocated exactly
        | request | device  |
        | r0      | plain-1 |

    @case:off-recorded-device-left-slice
    @KEP-5963/feature-gate/off-respects-recorded-groups @KEP-5963/rollback/claims-with-snapshot-need-manual-deletion
    Scenario: With DRADeviceCompatibilityGroups off, a removed device's groups block their counter set
      Given the devices
        | device  | consumesCounters gpu-0 |
        | plain-1 | units 20               |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | gone   | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible
      But since Kubernetes 1.33, because releases have no compatibilityGroups field in the allocation result: ResourceClaim "c" is allocated exactly
        | request | device  |
        | r0      | plain-1 |

    @case:off-other-set-open
    @KEP-5963/feature-gate/off-respects-recorded-groups @KEP-5963/rollback/to-1-37-gate-off
    Scenario: Recorded groups do not block other counter sets with DRADeviceCompatibilityGroups off
      Given the devices
        | device  | consumesCounters gpu-0 | compatibilityGroups gpu-0 | consumesCounters gpu-1 |
        | mig-0   | units 20               | mig                       |                        |
        | plain-0 | units 20               |                           |                        |
        | plain-1 |                        |                           | units 20               |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | mig-0  | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device  |
        | r0      | plain-1 |
      But since Kubernetes 1.37, because with the gate off this release ignores ResourceSlices with groups, so their pool is incomplete: no allocation is possible

    @case:off-device-also-on-closed-set
    @KEP-5963/feature-gate/off-respects-recorded-groups
    Scenario: A device on one blocked counter set is skipped with DRADeviceCompatibilityGroups off
      Given the devices
        | device  | consumesCounters gpu-0 | compatibilityGroups gpu-0 | consumesCounters gpu-1 |
        | mig-0   | units 20               | mig                       |                        |
        | plain-0 | units 20               |                           | units 20               |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | mig-0  | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

    @case:off-same-set-name-other-pool
    @KEP-5963/feature-gate/off-respects-recorded-groups
    Scenario: Recorded groups block no counter set of another pool with DRADeviceCompatibilityGroups off
      Given the counter set
        | counterSet | pool   | counter units |
        | gpu-0      | pool-2 | 100           |
      And the devices
        | device  | pool   | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0   | pool-1 | units 20               | mig                       |
        | plain-0 | pool-2 | units 20               |                           |
      And ResourceClaim "other" is already allocated
        | device | pool   | compatibilityGroups gpu-0 |
        | mig-0  | pool-1 | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device  | pool   |
        | r0      | plain-0 | pool-2 |

    @case:off-record-for-one-of-two-sets
    @KEP-5963/feature-gate/off-respects-recorded-groups
    Scenario: With DRADeviceCompatibilityGroups off, recorded groups block only their own counter set
      Given the devices
        | device  | consumesCounters gpu-0 | compatibilityGroups gpu-0 | consumesCounters gpu-1 |
        | half    | units 20               | mig                       | units 20               |
        | plain-1 |                        |                           | units 20               |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | half   | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device  |
        | r0      | plain-1 |
      But since Kubernetes 1.37, because with the gate off this release ignores ResourceSlices with groups, so their pool is incomplete: no allocation is possible

    @case:off-record-for-both-sets
    @KEP-5963/feature-gate/off-respects-recorded-groups
    Scenario Outline: With DRADeviceCompatibilityGroups off, groups recorded for two counter sets block both
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 | consumesCounters gpu-1 | compatibilityGroups gpu-1 |
        | both   | units 20               | mig                       | units 20               | vgpu                      |
        | plain  | <gpu-0>                |                           | <gpu-1>                |                           |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 | compatibilityGroups gpu-1 |
        | both   | mig                       | vgpu                      |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

      Examples:
        | gpu-0    | gpu-1    |
        | units 20 |          |
        |          | units 20 |
