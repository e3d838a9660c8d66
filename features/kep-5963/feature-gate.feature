Feature: The feature gate DRADeviceCompatibilityGroups
  With the gate off the scheduler leaves alone what it cannot check: devices that declare groups, and counter
  sets for which groups are recorded. Everything else goes on as before.

  Rule: Devices that declare groups are skipped

    Background:
      Given the feature gate "DRADeviceCompatibilityGroups" is off
      And the counter sets
        | set   | counter units |
        | gpu-0 | 100           |
        | gpu-1 | 100           |

    @case:with-dradevicecompatibilitygroups-off-a-device-that
    @KEP-5963/feature-gate/off-skips-declaring-devices
    Scenario: With DRADeviceCompatibilityGroups off, a device that declares a group is not allocated
      Given the devices
        | device | counters gpu-0 | groups gpu-0 |
        | mig-0  | units 20       | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits

    @case:with-dradevicecompatibilitygroups-off-a-device
    @KEP-5963/feature-gate/off-skips-declaring-devices @KEP-5963/feature-gate/off-ungrouped-scheduled-normally
    Scenario: With DRADeviceCompatibilityGroups off, a device without groups is taken between two with groups
      Given the devices
        | device  | counters gpu-0 | groups gpu-0 |
        | mig-0   | units 20       | mig          |
        | plain-0 | units 20       |              |
        | vgpu-0  | units 20       | vgpu         |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device  |
        | r0      | plain-0 |
      But since Kubernetes 1.37, because with the gate off this release ignores slices with groups, and their pool is incomplete: nothing fits

    @case:with-dradevicecompatibilitygroups-off-a-device-with
    @KEP-5963/feature-gate/off-skips-declaring-devices
    Scenario: With DRADeviceCompatibilityGroups off, a device with a group on one of its two sets is not allocated
      Given the devices
        | device | counters gpu-0 | groups gpu-0 | counters gpu-1 | groups gpu-1 |
        | half   | units 20       |              | units 20       | x            |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits

    @case:with-dradevicecompatibilitygroups-off-a-request-for
    @KEP-5963/feature-gate/off-skips-declaring-devices
    Scenario: With DRADeviceCompatibilityGroups off, a request for all devices never gets one that declares a group
      Given the devices
        | device  | counters gpu-0 | groups gpu-0 |
        | plain-0 | units 20       |              |
        | mig-0   | units 20       | mig          |
      And a claim "c" requesting all devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device  |
        | plain-0 |
      And it may also be refused
      But since Kubernetes 1.37, because with the gate off this release ignores slices with groups, and their pool is incomplete: nothing is allocated

    @case:with-dradevicecompatibilitygroups-off-a-request-for-2
    @KEP-5963/feature-gate/off-skips-declaring-devices @KEP-5963/feature-gate/off-ungrouped-scheduled-normally
    Scenario: With DRADeviceCompatibilityGroups off, a request for two devices skips one that declares a group
      Given the devices
        | device  | counters gpu-0 | groups gpu-0 |
        | plain-0 | units 20       |              |
        | mig-0   | units 20       | mig          |
        | plain-1 | units 20       |              |
      And a claim "c" requesting 2 devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device  |
        | r0      | plain-0 |
        | r0      | plain-1 |
      But since Kubernetes 1.37, because with the gate off this release ignores slices with groups, and their pool is incomplete: nothing fits

    @case:with-dradevicecompatibilitygroups-off-a-request-for-3
    @KEP-5963/feature-gate/off-skips-declaring-devices
    Scenario: With DRADeviceCompatibilityGroups off, a request for three devices fails if one declares a group
      Given the devices
        | device  | counters gpu-0 | groups gpu-0 |
        | plain-0 | units 20       |              |
        | mig-0   | units 20       | mig          |
        | plain-1 | units 20       |              |
      And a claim "c" requesting 3 devices
      When allocation of claim "c" is attempted
      Then nothing fits

    @case:with-dradevicecompatibilitygroups-off-groups-in
    @KEP-5963/feature-gate/off-ungrouped-scheduled-normally
    Scenario: With DRADeviceCompatibilityGroups off, groups in another slice do not exclude a device
      Given the devices
        | device  | slice | counters gpu-0 | groups gpu-0 |
        | mig-0   | s1    | units 20       | mig          |
        | plain-0 | s2    | units 20       |              |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device  |
        | r0      | plain-0 |
      But since Kubernetes 1.37, because with the gate off this release ignores slices with groups, and their pool is incomplete: nothing fits

    @case:with-dradevicecompatibilitygroups-off-groups-in-2
    @KEP-5963/feature-gate/off-ungrouped-scheduled-normally
    Scenario: With DRADeviceCompatibilityGroups off, groups in another pool do not exclude a device
      Given the counter set
        | set   | pool   | counter units |
        | gpu-0 | pool-2 | 100           |
      And the devices
        | device  | pool   | counters gpu-0 | groups gpu-0 |
        | mig-0   | pool-1 | units 20       | mig          |
        | plain-0 | pool-2 | units 20       |              |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device  | pool   |
        | r0      | plain-0 | pool-2 |

    @case:with-dradevicecompatibilitygroups-off-a-device-2
    @KEP-5963/feature-gate/off-ungrouped-scheduled-normally
    Scenario: With DRADeviceCompatibilityGroups off, a device without counters is taken, not one with a group
      Given the devices
        | device  | counters gpu-0 | groups gpu-0 |
        | mig-0   | units 20       | mig          |
        | whole-0 |                |              |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device  |
        | r0      | whole-0 |
      But since Kubernetes 1.37, because with the gate off this release ignores slices with groups, and their pool is incomplete: nothing fits

    @case:with-dradevicecompatibilitygroups-off-a-prioritized
    @KEP-5963/feature-gate/off-skips-declaring-devices
    Scenario: With DRADeviceCompatibilityGroups off, a prioritized list falls back to a device without groups
      Given the devices
        | device  | attribute type | counters gpu-0 | groups gpu-0 |
        | mig-0   | string mig     | units 20       | mig          |
        | plain-0 | string plain   | units 20       |              |
      And a claim "c" with the request
        | request | subrequest  | selector                                             |
        | gpu     | best        | device.attributes["dra.example.com"].type == "mig"   |
        | gpu     | second      | device.attributes["dra.example.com"].type == "plain" |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request    | device  |
        | gpu/second | plain-0 |
      But since Kubernetes 1.37, because with the gate off this release ignores slices with groups, and their pool is incomplete: nothing fits

  Rule: Devices without groups are allocated as before

    Background:
      Given the feature gate "DRADeviceCompatibilityGroups" is off
      And the counter set
        | set   | counter units |
        | gpu-0 | 100           |

    @case:with-dradevicecompatibilitygroups-off-a-device-3
    @KEP-5963/feature-gate/off-ungrouped-scheduled-normally
    Scenario: With DRADeviceCompatibilityGroups off, a device without groups is allocated on a free counter set
      Given the devices
        | device  | counters gpu-0 |
        | plain-0 | units 20       |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device  |
        | r0      | plain-0 |

    @case:with-dradevicecompatibilitygroups-off-a-device-4
    @KEP-5963/feature-gate/off-ungrouped-scheduled-normally
    Scenario: With DRADeviceCompatibilityGroups off, a device without groups is allocated beside another
      Given the devices
        | device  | counters gpu-0 |
        | plain-0 | units 20       |
        | plain-1 | units 80       |
      And claim "other" already holds
        | device  |
        | plain-0 |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device  |
        | r0      | plain-1 |

    @case:with-dradevicecompatibilitygroups-off-a-device-is
    @KEP-5963/feature-gate/off-ungrouped-scheduled-normally
    Scenario: With DRADeviceCompatibilityGroups off, a device is refused where the counters do not suffice
      Given the devices
        | device  | counters gpu-0 |
        | plain-0 | units 20       |
        | plain-1 | units 81       |
      And claim "other" already holds
        | device  |
        | plain-0 |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of CounterExhausted
      But until Kubernetes 1.34, because these releases look for counter sets in the slice of the device only: claim "c" gets exactly
        | request | device  |
        | r0      | plain-1 |

    @case:with-dradevicecompatibilitygroups-off-groups-that-a
    @KEP-5963/feature-gate/off-ungrouped-scheduled-normally
    Scenario: With DRADeviceCompatibilityGroups off, groups that a held device declares later do not close its set
      Given the devices
        | device  | counters gpu-0 | groups gpu-0 |
        | mig-0   | units 20       | mig          |
        | plain-1 | units 20       |              |
      And claim "other" already holds
        | device |
        | mig-0  |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device  |
        | r0      | plain-1 |
      But since Kubernetes 1.37, because with the gate off this release ignores slices with groups, and their pool is incomplete: nothing fits

  Rule: Counter sets with recorded groups are closed

    Background:
      Given the feature gate "DRADeviceCompatibilityGroups" is off
      And the counter sets
        | set   | counter units |
        | gpu-0 | 100           |
        | gpu-1 | 100           |

    @case:with-dradevicecompatibilitygroups-off-a-device-of-is
    @KEP-5963/feature-gate/off-respects-recorded-groups @KEP-5963/rollback/to-1-37-gate-off
    Scenario Outline: With DRADeviceCompatibilityGroups off, a device of [<groups>] is refused on a set with recorded groups
      Given the devices
        | device | counters gpu-0 | groups gpu-0 |
        | mig-0  | units 20       | mig          |
        | new    | units 20       | <groups>     |
      And claim "other" already holds
        | device | groups gpu-0 |
        | mig-0  | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits

      Examples:
        | groups |
        | mig    |
        | vgpu   |
        |        |

    @case:with-dradevicecompatibilitygroups-off-recorded
    @KEP-5963/feature-gate/off-respects-recorded-groups @KEP-5963/rollback/claims-with-snapshot-need-manual-deletion
    Scenario: With DRADeviceCompatibilityGroups off, recorded groups close a set after the slice drops them
      Given the devices
        | device  | counters gpu-0 |
        | plain-0 | units 20       |
        | plain-1 | units 20       |
      And claim "other" already holds
        | device  | groups gpu-0 |
        | plain-0 | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits
      But since Kubernetes 1.33, because releases know no record of groups in claims: claim "c" gets exactly
        | request | device  |
        | r0      | plain-1 |

    @case:with-dradevicecompatibilitygroups-off-recorded-2
    @KEP-5963/feature-gate/off-respects-recorded-groups @KEP-5963/rollback/claims-with-snapshot-need-manual-deletion
    Scenario: With DRADeviceCompatibilityGroups off, recorded groups close a set after the device leaves the slice
      Given the devices
        | device  | counters gpu-0 |
        | plain-1 | units 20       |
      And claim "other" already holds
        | device | groups gpu-0 |
        | gone   | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits
      But since Kubernetes 1.33, because releases know no record of groups in claims: claim "c" gets exactly
        | request | device  |
        | r0      | plain-1 |

    @case:with-dradevicecompatibilitygroups-off-a-set-is-open
    @KEP-5963/feature-gate/off-respects-recorded-groups @KEP-5963/rollback/claims-with-snapshot-need-manual-deletion
    Scenario: With DRADeviceCompatibilityGroups off, a set is open once the claim with the record is deleted
      Given the devices
        | device  | counters gpu-0 |
        | plain-1 | units 20       |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device  |
        | r0      | plain-1 |

    @case:with-dradevicecompatibilitygroups-off-recorded-3
    @KEP-5963/feature-gate/off-respects-recorded-groups @KEP-5963/rollback/to-1-37-gate-off
    Scenario: With DRADeviceCompatibilityGroups off, recorded groups leave other counter sets open
      Given the devices
        | device  | counters gpu-0 | groups gpu-0 | counters gpu-1 |
        | mig-0   | units 20       | mig          |                |
        | plain-0 | units 20       |              |                |
        | plain-1 |                |              | units 20       |
      And claim "other" already holds
        | device | groups gpu-0 |
        | mig-0  | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device  |
        | r0      | plain-1 |
      But since Kubernetes 1.37, because with the gate off this release ignores slices with groups, and their pool is incomplete: nothing fits

    @case:with-dradevicecompatibilitygroups-off-a-device-that-2
    @KEP-5963/feature-gate/off-respects-recorded-groups
    Scenario: With DRADeviceCompatibilityGroups off, a device that also draws from a closed set is refused
      Given the devices
        | device  | counters gpu-0 | groups gpu-0 | counters gpu-1 |
        | mig-0   | units 20       | mig          |                |
        | plain-0 | units 20       |              | units 20       |
      And claim "other" already holds
        | device | groups gpu-0 |
        | mig-0  | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits

    @case:with-dradevicecompatibilitygroups-off-recorded-4
    @KEP-5963/feature-gate/off-respects-recorded-groups
    Scenario: With DRADeviceCompatibilityGroups off, recorded groups leave a set of that name in another pool open
      Given the counter set
        | set   | pool   | counter units |
        | gpu-0 | pool-2 | 100           |
      And the devices
        | device  | pool   | counters gpu-0 | groups gpu-0 |
        | mig-0   | pool-1 | units 20       | mig          |
        | plain-0 | pool-2 | units 20       |              |
      And claim "other" already holds
        | device | pool   | groups gpu-0 |
        | mig-0  | pool-1 | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device  | pool   |
        | r0      | plain-0 | pool-2 |

    @case:with-dradevicecompatibilitygroups-off-a-record-for
    @KEP-5963/feature-gate/off-respects-recorded-groups
    Scenario: With DRADeviceCompatibilityGroups off, a record for one of a device's two sets leaves the other open
      Given the devices
        | device  | counters gpu-0 | groups gpu-0 | counters gpu-1 |
        | half    | units 20       | mig          | units 20       |
        | plain-1 |                |              | units 20       |
      And claim "other" already holds
        | device | groups gpu-0 |
        | half   | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device  |
        | r0      | plain-1 |
      But since Kubernetes 1.37, because with the gate off this release ignores slices with groups, and their pool is incomplete: nothing fits

  Rule: With the gate on again groups count as before

    @case:with-dradevicecompatibilitygroups-on-again-a-device
    @KEP-5963/feature-gate/enable-without-deleting-pods @KEP-5963/rollback/reenable-makes-declarations-effective
    Scenario: With DRADeviceCompatibilityGroups on again, a device of the held group is allocated
      Given the feature gate "DRADeviceCompatibilityGroups" is on
      And the counter set
        | set   | counter units |
        | gpu-0 | 100           |
      And the devices
        | device | counters gpu-0 | groups gpu-0 |
        | mig-0  | units 20       | mig          |
        | vgpu-0 | units 50       | vgpu         |
        | mig-1  | units 20       | mig          |
      And claim "other" already holds
        | device | groups gpu-0 |
        | mig-0  | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | mig-1  |
