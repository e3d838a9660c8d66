Feature: What users and operators see of shared devices

  Rule: The use of the feature can be read

    Background:
      Given the device
        | device | shared | capacity bandwidth |
        | eth1   | yes    | 10                 |
      And a claim "c" requesting 3 of "bandwidth"
      And a pod "p" that uses claim "c"

    @case:an-operator-reads-from-the-slice-that-a-device-is
    @KEP-5075/diagnostics/use-visible-in-slice
    Scenario: An operator reads from the slice that a device is shared
      When the ResourceSlice "pool-1-slice" is read
      Then it reads
        | field                                    | value |
        | spec.devices[0].allowMultipleAllocations | true  |

  Rule: What the gate is by default follows its stage

    Background:
      Given the device
        | device | capacity bandwidth |
        | eth1   | 10                 |

    @case:from-beta-on-a-device-becomes-shared-without-anybody
    @KEP-5075/feature-gate/default-by-stage @profile:since-1.36
    Scenario: From beta on, a device becomes shared without anybody turning the gate on
      When the ResourceSlice "pool-1-slice" is patched with
        """
        spec: {devices: [{name: eth1, allowMultipleAllocations: true, capacity: {bandwidth: {value: "10"}}}]}
        """
      Then the field "spec.devices[0].allowMultipleAllocations" is set to true
