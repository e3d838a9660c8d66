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

    @KEP-5963/feature-gate/off-skips-declaring-devices
    Scenario: The only device declares a group
      Given the devices
        | device | counters gpu-0 | groups gpu-0 |
        | mig-0  | units 20       | mig          |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then nothing fits

    @KEP-5963/feature-gate/off-skips-declaring-devices @KEP-5963/feature-gate/off-ungrouped-scheduled-normally
    Scenario: A device without groups between two that declare some
      Given the devices
        | device  | counters gpu-0 | groups gpu-0 |
        | mig-0   | units 20       | mig          |
        | plain-0 | units 20       |              |
        | vgpu-0  | units 20       | vgpu         |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device  |
        | r0      | plain-0 |
      But since Kubernetes 1.37, because with the gate off this release ignores slices with groups, and their pool is incomplete: nothing fits

    @KEP-5963/feature-gate/off-skips-declaring-devices
    Scenario: A device that declares a group on one of its two sets
      Given the devices
        | device | counters gpu-0 | groups gpu-0 | counters gpu-1 | groups gpu-1 |
        | half   | units 20       |              | units 20       | x            |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then nothing fits

    @KEP-5963/feature-gate/off-skips-declaring-devices
    Scenario: All devices, one of which declares a group
      Given the devices
        | device  | counters gpu-0 | groups gpu-0 |
        | plain-0 | units 20       |              |
        | mig-0   | units 20       | mig          |
      And a claim "c" asking all devices
      When allocation of claim "c" is attempted
      Then nothing is allocated

    @KEP-5963/feature-gate/off-skips-declaring-devices @KEP-5963/feature-gate/off-ungrouped-scheduled-normally
    Scenario: Two devices without groups beside one that declares a group
      Given the devices
        | device  | counters gpu-0 | groups gpu-0 |
        | plain-0 | units 20       |              |
        | mig-0   | units 20       | mig          |
        | plain-1 | units 20       |              |
      And a claim "c" asking 2 devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device  |
        | r0      | plain-0 |
        | r0      | plain-1 |
      But since Kubernetes 1.37, because with the gate off this release ignores slices with groups, and their pool is incomplete: nothing fits

    @KEP-5963/feature-gate/off-skips-declaring-devices
    Scenario: Three devices, where one of three declares a group
      Given the devices
        | device  | counters gpu-0 | groups gpu-0 |
        | plain-0 | units 20       |              |
        | mig-0   | units 20       | mig          |
        | plain-1 | units 20       |              |
      And a claim "c" asking 3 devices
      When allocation of claim "c" is attempted
      Then nothing fits

    @KEP-5963/feature-gate/off-ungrouped-scheduled-normally
    Scenario: Devices that declare groups in another slice of the pool
      Given the devices
        | device  | slice | counters gpu-0 | groups gpu-0 |
        | mig-0   | s1    | units 20       | mig          |
        | plain-0 | s2    | units 20       |              |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device  |
        | r0      | plain-0 |
      But since Kubernetes 1.37, because with the gate off this release ignores slices with groups, and their pool is incomplete: nothing fits

    @KEP-5963/feature-gate/off-ungrouped-scheduled-normally
    Scenario: Devices that declare groups in another pool
      Given the counter set
        | set   | pool   | counter units |
        | gpu-0 | pool-2 | 100           |
      And the devices
        | device  | pool   | counters gpu-0 | groups gpu-0 |
        | mig-0   | pool-1 | units 20       | mig          |
        | plain-0 | pool-2 | units 20       |              |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device  | pool   |
        | r0      | plain-0 | pool-2 |

    @KEP-5963/feature-gate/off-ungrouped-scheduled-normally
    Scenario: A device without counters beside one that declares a group
      Given the devices
        | device  | counters gpu-0 | groups gpu-0 |
        | mig-0   | units 20       | mig          |
        | whole-0 |                |              |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device  |
        | r0      | whole-0 |
      But since Kubernetes 1.37, because with the gate off this release ignores slices with groups, and their pool is incomplete: nothing fits

    @KEP-5963/feature-gate/off-skips-declaring-devices
    Scenario: A prioritized list falls back to a device without groups
      Given the devices
        | device  | attribute type | counters gpu-0 | groups gpu-0 |
        | mig-0   | string mig     | units 20       | mig          |
        | plain-0 | string plain   | units 20       |              |
      And a claim "c" with the request
        | request | alternative | selector                                             |
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

    @KEP-5963/feature-gate/off-ungrouped-scheduled-normally
    Scenario: A free counter set
      Given the devices
        | device  | counters gpu-0 |
        | plain-0 | units 20       |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device  |
        | r0      | plain-0 |

    @KEP-5963/feature-gate/off-ungrouped-scheduled-normally
    Scenario: A counter set with a held device without groups
      Given the devices
        | device  | counters gpu-0 |
        | plain-0 | units 20       |
        | plain-1 | units 80       |
      And claim "other" already holds
        | device  |
        | plain-0 |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device  |
        | r0      | plain-1 |

    @KEP-5963/feature-gate/off-ungrouped-scheduled-normally
    Scenario: Counters that do not suffice
      Given the devices
        | device  | counters gpu-0 |
        | plain-0 | units 20       |
        | plain-1 | units 81       |
      And claim "other" already holds
        | device  |
        | plain-0 |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of CounterExhausted
      But until Kubernetes 1.34, because these releases look for counter sets in the slice of the device only: claim "c" gets exactly
        | request | device  |
        | r0      | plain-1 |

    @KEP-5963/feature-gate/off-ungrouped-scheduled-normally
    Scenario: A held device got its groups after it was allocated
      Given the devices
        | device  | counters gpu-0 | groups gpu-0 |
        | mig-0   | units 20       | mig          |
        | plain-1 | units 20       |              |
      And claim "other" already holds
        | device |
        | mig-0  |
      And a claim "c" asking 1 device
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

    @KEP-5963/feature-gate/off-respects-recorded-groups @KEP-5963/rollback/to-1-37-gate-off
    Scenario Outline: A further device of the set
      Given the devices
        | device | counters gpu-0 | groups gpu-0 |
        | mig-0  | units 20       | mig          |
        | new    | units 20       | <groups>     |
      And claim "other" already holds
        | device | groups gpu-0 |
        | mig-0  | mig          |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then nothing fits

      Examples:
        | groups |
        | mig    |
        | vgpu   |
        |        |

    @KEP-5963/feature-gate/off-respects-recorded-groups @KEP-5963/rollback/claims-with-snapshot-need-manual-deletion
    Scenario: The slice declares no groups any more
      Given the devices
        | device  | counters gpu-0 |
        | plain-0 | units 20       |
        | plain-1 | units 20       |
      And claim "other" already holds
        | device  | groups gpu-0 |
        | plain-0 | mig          |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then nothing fits
      But since Kubernetes 1.33, because releases know no record of groups in claims: claim "c" gets exactly
        | request | device  |
        | r0      | plain-1 |

    @KEP-5963/feature-gate/off-respects-recorded-groups @KEP-5963/rollback/claims-with-snapshot-need-manual-deletion
    Scenario: The held device has left the slice
      Given the devices
        | device  | counters gpu-0 |
        | plain-1 | units 20       |
      And claim "other" already holds
        | device | groups gpu-0 |
        | gone   | mig          |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then nothing fits
      But since Kubernetes 1.33, because releases know no record of groups in claims: claim "c" gets exactly
        | request | device  |
        | r0      | plain-1 |

    @KEP-5963/feature-gate/off-respects-recorded-groups @KEP-5963/rollback/claims-with-snapshot-need-manual-deletion
    Scenario: The claim with the record was deleted
      Given the devices
        | device  | counters gpu-0 |
        | plain-1 | units 20       |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device  |
        | r0      | plain-1 |

    @KEP-5963/feature-gate/off-respects-recorded-groups @KEP-5963/rollback/to-1-37-gate-off
    Scenario: A device of another set
      Given the devices
        | device  | counters gpu-0 | groups gpu-0 | counters gpu-1 |
        | mig-0   | units 20       | mig          |                |
        | plain-0 | units 20       |              |                |
        | plain-1 |                |              | units 20       |
      And claim "other" already holds
        | device | groups gpu-0 |
        | mig-0  | mig          |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device  |
        | r0      | plain-1 |
      But since Kubernetes 1.37, because with the gate off this release ignores slices with groups, and their pool is incomplete: nothing fits

    @KEP-5963/feature-gate/off-respects-recorded-groups
    Scenario: A device that draws from the closed set and from a free one
      Given the devices
        | device  | counters gpu-0 | groups gpu-0 | counters gpu-1 |
        | mig-0   | units 20       | mig          |                |
        | plain-0 | units 20       |              | units 20       |
      And claim "other" already holds
        | device | groups gpu-0 |
        | mig-0  | mig          |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then nothing fits

    @KEP-5963/feature-gate/off-respects-recorded-groups
    Scenario: A set of the same name in another pool
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
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device  | pool   |
        | r0      | plain-0 | pool-2 |

    @KEP-5963/feature-gate/off-respects-recorded-groups
    Scenario: A set for which a device of two sets has no groups recorded
      Given the devices
        | device  | counters gpu-0 | groups gpu-0 | counters gpu-1 |
        | half    | units 20       | mig          | units 20       |
        | plain-1 |                |              | units 20       |
      And claim "other" already holds
        | device | groups gpu-0 |
        | half   | mig          |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device  |
        | r0      | plain-1 |
      But since Kubernetes 1.37, because with the gate off this release ignores slices with groups, and their pool is incomplete: nothing fits

  Rule: With the gate on again groups count as before

    @KEP-5963/feature-gate/enable-without-deleting-pods @KEP-5963/rollback/reenable-makes-declarations-effective
    Scenario: A device that declares a group, beside a pod that kept its device
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
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | mig-1  |
