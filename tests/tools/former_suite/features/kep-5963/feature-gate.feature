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
