Feature: The examples of the document
  A GPU with MIG partitions and vGPU profiles, and a device with partitions foo, bar and baz. Device names,
  groups and amounts are those of the document; selectors are written as the API has them.

  Rule: Example 1, without groups counters alone decide

    Background:
      Given a device class "gpu.example.com" that selects
        """
        device.driver == 'gpu.example.com'
        """
      And the counter set
        | set            | driver          | pool        | slice                 | counter multiprocessors |
        | gpu-0-counters | gpu.example.com | node-1-pool | node-1-gpu-0-counters | 100                     |
      And the devices
        | device         | driver          | pool        | slice                | attribute type | counters gpu-0-counters |
        | gpu-0-mig-1g-0 | gpu.example.com | node-1-pool | node-1-gpu-0-devices | string mig-1g  | multiprocessors 20      |
        | gpu-0-mig-1g-1 | gpu.example.com | node-1-pool | node-1-gpu-0-devices | string mig-1g  | multiprocessors 20      |
        | gpu-0-mig-1g-2 | gpu.example.com | node-1-pool | node-1-gpu-0-devices | string mig-1g  | multiprocessors 20      |

    @case:in-example-1-of-kep-5963-two-claims-get-two-mig
    @KEP-5963/compatibility/example-1-one-scheme @KEP-5963/compatibility/ungrouped-pair-admits
    Scenario: In example 1 of KEP-5963 two claims get two MIG partitions
      Given a claim "pod-a-gpu" with the request
        | request | class           | selector                                              |
        | gpu     | gpu.example.com | device.attributes["gpu.example.com"].type == "mig-1g" |
      And a claim "pod-b-gpu" with the request
        | request | class           | selector                                              |
        | gpu     | gpu.example.com | device.attributes["gpu.example.com"].type == "mig-1g" |
      When allocation of the claims "pod-a-gpu, pod-b-gpu" together is attempted
      Then claim "pod-a-gpu" gets 1 device
      And claim "pod-b-gpu" gets 1 device

    @case:in-example-1-of-kep-5963-a-third-mig-partition-is
    @KEP-5963/compatibility/example-1-one-scheme @KEP-5963/compatibility/ungrouped-pair-admits
    Scenario: In example 1 of KEP-5963 a third MIG partition is allocated beside two
      Given claim "pod-a-gpu" already holds
        | request | device         | driver          | pool        |
        | gpu     | gpu-0-mig-1g-0 | gpu.example.com | node-1-pool |
      And claim "pod-b-gpu" already holds
        | request | device         | driver          | pool        |
        | gpu     | gpu-0-mig-1g-1 | gpu.example.com | node-1-pool |
      And a claim "pod-c-gpu" with the request
        | request | class           | selector                                              |
        | gpu     | gpu.example.com | device.attributes["gpu.example.com"].type == "mig-1g" |
      When allocation of claim "pod-c-gpu" is attempted
      Then claim "pod-c-gpu" gets exactly
        | request | device         | driver          | pool        |
        | gpu     | gpu-0-mig-1g-2 | gpu.example.com | node-1-pool |

    @case:in-example-1-of-kep-5963-the-selector-as-printed
    @KEP-5963/compatibility/example-1-one-scheme @profile:since-1.34
    Scenario: In example 1 of KEP-5963 the selector as printed ends in an error in releases
      Given a claim "pod-a-gpu" with the request
        | request | class           | selector                                     |
        | gpu     | gpu.example.com | device.attributes['type'].string == 'mig-1g' |
      When allocation of claim "pod-a-gpu" is attempted
      Then the allocation ends in an error because of SelectorRuntimeError

  Rule: Example 2, without groups MIG and vGPU go together as far as the counters suffice

    Background:
      Given a device class "gpu.example.com" that selects
        """
        device.driver == 'gpu.example.com'
        """
      And the counter set
        | set            | driver          | pool        | slice                 | counter multiprocessors |
        | gpu-0-counters | gpu.example.com | node-1-pool | node-1-gpu-0-counters | 100                     |
      And the devices
        | device         | driver          | pool        | slice                | attribute type | counters gpu-0-counters |
        | gpu-0-mig-1g-0 | gpu.example.com | node-1-pool | node-1-gpu-0-devices | string mig-1g  | multiprocessors 20      |
        | gpu-0-mig-1g-1 | gpu.example.com | node-1-pool | node-1-gpu-0-devices | string mig-1g  | multiprocessors 20      |
        | gpu-0-vgpu-0   | gpu.example.com | node-1-pool | node-1-gpu-0-devices | string vgpu    | multiprocessors 50      |
        | gpu-0-vgpu-1   | gpu.example.com | node-1-pool | node-1-gpu-0-devices | string vgpu    | multiprocessors 50      |

    @case:in-example-2-of-kep-5963-a-vgpu-profile-is-allocated
    @KEP-5963/compatibility/example-2-counters-not-enough
    Scenario: In example 2 of KEP-5963 a vGPU profile is allocated beside a MIG partition without groups
      Given claim "pod-a-gpu" already holds
        | request | device         | driver          | pool        |
        | gpu     | gpu-0-mig-1g-0 | gpu.example.com | node-1-pool |
      And a claim "pod-b-gpu" with the request
        | request | class           | selector                                            |
        | gpu     | gpu.example.com | device.attributes["gpu.example.com"].type == "vgpu" |
      When allocation of claim "pod-b-gpu" is attempted
      Then claim "pod-b-gpu" gets one of
        | choice | device       |
        | 1      | gpu-0-vgpu-0 |
        | 2      | gpu-0-vgpu-1 |

    @case:in-example-2-of-kep-5963-the-counters-refuse-a-mig
    @KEP-5963/compatibility/example-2-counters-not-enough
    Scenario: In example 2 of KEP-5963 the counters refuse a MIG partition beside two vGPU profiles
      Given claim "pod-a-gpu" already holds
        | request | device       | driver          | pool        |
        | gpu     | gpu-0-vgpu-0 | gpu.example.com | node-1-pool |
        | gpu     | gpu-0-vgpu-1 | gpu.example.com | node-1-pool |
      And a claim "pod-b-gpu" with the request
        | request | class           | selector                                              |
        | gpu     | gpu.example.com | device.attributes["gpu.example.com"].type == "mig-1g" |
      When allocation of claim "pod-b-gpu" is attempted
      Then nothing fits because of CounterExhausted
      But until Kubernetes 1.34, because these releases look for counter sets in the slice of the device only: claim "pod-b-gpu" gets 1 device

  Rule: Example 3, the groups mig and vgpu exclude each other

    Background:
      Given a device class "gpu.example.com" that selects
        """
        device.driver == 'gpu.example.com'
        """
      And the counter set
        | set            | driver          | pool        | slice                 | counter multiprocessors |
        | gpu-0-counters | gpu.example.com | node-1-pool | node-1-gpu-0-counters | 100                     |
      And the devices
        | device         | driver          | pool        | slice                | attribute type | counters gpu-0-counters | groups gpu-0-counters |
        | gpu-0-mig-1g-0 | gpu.example.com | node-1-pool | node-1-gpu-0-devices | string mig-1g  | multiprocessors 20      | mig                   |
        | gpu-0-mig-1g-1 | gpu.example.com | node-1-pool | node-1-gpu-0-devices | string mig-1g  | multiprocessors 20      | mig                   |
        | gpu-0-vgpu-0   | gpu.example.com | node-1-pool | node-1-gpu-0-devices | string vgpu    | multiprocessors 50      | vgpu                  |
        | gpu-0-vgpu-1   | gpu.example.com | node-1-pool | node-1-gpu-0-devices | string vgpu    | multiprocessors 50      | vgpu                  |

    @case:in-example-3-of-kep-5963-the-first-mig-partition-has
    @KEP-5963/compatibility/example-3-mig-vgpu @KEP-5963/snapshot/recorded-at-allocation @KEP-5963/diagnostics/visible-in-allocation-result
    Scenario: In example 3 of KEP-5963 the first MIG partition has its group recorded
      Given a claim "pod-a-gpu" with the request
        | request | class           | selector                                              |
        | gpu     | gpu.example.com | device.attributes["gpu.example.com"].type == "mig-1g" |
      When allocation of claim "pod-a-gpu" is attempted
      Then claim "pod-a-gpu" gets one of
        | choice | request | device         | groups gpu-0-counters |
        | 1      | gpu     | gpu-0-mig-1g-0 | mig                   |
        | 2      | gpu     | gpu-0-mig-1g-1 | mig                   |
      But since Kubernetes 1.37, because this release keeps no record of groups in claims: claim "pod-a-gpu" gets one of
        | choice | request | device         |
        | 1      | gpu     | gpu-0-mig-1g-0 |
        | 2      | gpu     | gpu-0-mig-1g-1 |

    @case:in-example-3-of-kep-5963-a-vgpu-profile-is-refused
    @KEP-5963/compatibility/example-3-mig-vgpu @KEP-5963/compatibility/disjoint-groups-refused
    Scenario: In example 3 of KEP-5963 a vGPU profile is refused beside a MIG partition
      Given claim "pod-a-gpu" already holds
        | request | device         | driver          | pool        | groups gpu-0-counters |
        | gpu     | gpu-0-mig-1g-0 | gpu.example.com | node-1-pool | mig                   |
      And a claim "pod-b-gpu" with the request
        | request | class           | selector                                            |
        | gpu     | gpu.example.com | device.attributes["gpu.example.com"].type == "vgpu" |
      When allocation of claim "pod-b-gpu" is attempted
      Then nothing fits because of IncompatibleGroup

    @case:in-example-3-of-kep-5963-a-mig-partition-is-refused
    @KEP-5963/compatibility/example-3-mig-vgpu @KEP-5963/compatibility/disjoint-groups-refused @KEP-5963/compatibility/symmetric
    Scenario: In example 3 of KEP-5963 a MIG partition is refused beside a vGPU profile
      Given claim "pod-a-gpu" already holds
        | request | device       | driver          | pool        | groups gpu-0-counters |
        | gpu     | gpu-0-vgpu-0 | gpu.example.com | node-1-pool | vgpu                  |
      And a claim "pod-b-gpu" with the request
        | request | class           | selector                                              |
        | gpu     | gpu.example.com | device.attributes["gpu.example.com"].type == "mig-1g" |
      When allocation of claim "pod-b-gpu" is attempted
      Then nothing fits because of IncompatibleGroup

    @case:in-example-3-of-kep-5963-a-second-mig-partition-is
    @KEP-5963/compatibility/example-3-mig-vgpu @KEP-5963/compatibility/shared-group-admits
    Scenario: In example 3 of KEP-5963 a second MIG partition is allocated beside the first
      Given claim "pod-a-gpu" already holds
        | request | device         | driver          | pool        | groups gpu-0-counters |
        | gpu     | gpu-0-mig-1g-0 | gpu.example.com | node-1-pool | mig                   |
      And a claim "pod-b-gpu" with the request
        | request | class           | selector                                              |
        | gpu     | gpu.example.com | device.attributes["gpu.example.com"].type == "mig-1g" |
      When allocation of claim "pod-b-gpu" is attempted
      Then claim "pod-b-gpu" gets exactly
        | request | device         |
        | gpu     | gpu-0-mig-1g-1 |

    @case:in-example-3-of-kep-5963-a-second-vgpu-profile-is
    @KEP-5963/compatibility/example-3-mig-vgpu @KEP-5963/compatibility/shared-group-admits
    Scenario: In example 3 of KEP-5963 a second vGPU profile is allocated beside the first
      Given claim "pod-a-gpu" already holds
        | request | device       | driver          | pool        | groups gpu-0-counters |
        | gpu     | gpu-0-vgpu-0 | gpu.example.com | node-1-pool | vgpu                  |
      And a claim "pod-b-gpu" with the request
        | request | class           | selector                                            |
        | gpu     | gpu.example.com | device.attributes["gpu.example.com"].type == "vgpu" |
      When allocation of claim "pod-b-gpu" is attempted
      Then claim "pod-b-gpu" gets exactly
        | request | device       |
        | gpu     | gpu-0-vgpu-1 |

    @case:in-example-3-of-kep-5963-a-request-for-any-device
    @KEP-5963/compatibility/example-3-mig-vgpu
    Scenario: In example 3 of KEP-5963 a request for any device takes the second MIG partition beside the first
      Given claim "pod-a-gpu" already holds
        | request | device         | driver          | pool        | groups gpu-0-counters |
        | gpu     | gpu-0-mig-1g-0 | gpu.example.com | node-1-pool | mig                   |
      And a claim "pod-b-gpu" with the request
        | request | class           |
        | gpu     | gpu.example.com |
      When allocation of claim "pod-b-gpu" is attempted
      Then claim "pod-b-gpu" gets exactly
        | request | device         |
        | gpu     | gpu-0-mig-1g-1 |

    @case:in-example-3-of-kep-5963-a-vgpu-profile-is-refused-2
    @KEP-5963/compatibility/example-3-mig-vgpu @KEP-5963/lifecycle/scheme-changes-only-after-full-release
    Scenario: In example 3 of KEP-5963 a vGPU profile is refused while one of two MIG partitions is still held
      Given claim "pod-b-gpu" already holds
        | request | device         | driver          | pool        | groups gpu-0-counters |
        | gpu     | gpu-0-mig-1g-1 | gpu.example.com | node-1-pool | mig                   |
      And a claim "pod-c-gpu" with the request
        | request | class           | selector                                            |
        | gpu     | gpu.example.com | device.attributes["gpu.example.com"].type == "vgpu" |
      When allocation of claim "pod-c-gpu" is attempted
      Then nothing fits because of IncompatibleGroup

    @case:in-example-3-of-kep-5963-a-vgpu-profile-is-allocated
    @KEP-5963/compatibility/example-3-mig-vgpu @KEP-5963/lifecycle/scheme-changes-only-after-full-release
    Scenario: In example 3 of KEP-5963 a vGPU profile is allocated where no MIG partition is held
      Given a claim "pod-c-gpu" with the request
        | request | class           | selector                                            |
        | gpu     | gpu.example.com | device.attributes["gpu.example.com"].type == "vgpu" |
      When allocation of claim "pod-c-gpu" is attempted
      Then claim "pod-c-gpu" gets one of
        | choice | device       |
        | 1      | gpu-0-vgpu-0 |
        | 2      | gpu-0-vgpu-1 |

  Rule: Example 4, devices with several groups go together through any of them

    Background:
      Given a device class "device.example.com" that selects
        """
        device.driver == 'device.example.com'
        """
      And the counter set
        | set               | driver             | pool        | slice                    | counter units |
        | device-0-counters | device.example.com | node-1-pool | node-1-device-0-counters | 100           |
      And the devices
        | device         | driver             | pool        | slice                   | attribute type | counters device-0-counters | groups device-0-counters |
        | device-0-foo-0 | device.example.com | node-1-pool | node-1-device-0-devices | string foo     | units 25                   | foo, foobar              |
        | device-0-bar-0 | device.example.com | node-1-pool | node-1-device-0-devices | string bar     | units 25                   | bar, foobar              |
        | device-0-baz-0 | device.example.com | node-1-pool | node-1-device-0-devices | string baz     | units 50                   | baz                      |

    @case:in-example-4-of-kep-5963-the-bar-partition-is
    @KEP-5963/compatibility/example-4-multiple-groups @KEP-5963/compatibility/shared-group-admits
    Scenario: In example 4 of KEP-5963 the bar partition is allocated beside the foo partition
      Given claim "pod-a" already holds
        | request | device         | driver             | pool        | groups device-0-counters |
        | device  | device-0-foo-0 | device.example.com | node-1-pool | foo, foobar              |
      And a claim "pod-b" with the request
        | request | class              | selector                                              |
        | device  | device.example.com | device.attributes["device.example.com"].type == "bar" |
      When allocation of claim "pod-b" is attempted
      Then claim "pod-b" gets exactly
        | request | device         |
        | device  | device-0-bar-0 |

    @case:in-example-4-of-kep-5963-the-partition-is-refused
    @KEP-5963/compatibility/example-4-multiple-groups @KEP-5963/compatibility/disjoint-groups-refused
    Scenario Outline: In example 4 of KEP-5963 the <asked> partition is refused beside device-0-<held>
      Given claim "pod-a" already holds
        | request | device          | driver             | pool        | groups device-0-counters |
        | device  | device-0-<held> | device.example.com | node-1-pool | <groups>                 |
      And a claim "pod-b" with the request
        | request | class              | selector                                                  |
        | device  | device.example.com | device.attributes["device.example.com"].type == "<asked>" |
      When allocation of claim "pod-b" is attempted
      Then nothing fits because of IncompatibleGroup

      Examples:
        | held  | groups      | asked |
        | foo-0 | foo, foobar | baz   |
        | bar-0 | bar, foobar | baz   |
        | baz-0 | baz         | foo   |
        | baz-0 | baz         | bar   |

    @case:in-example-4-of-kep-5963-the-baz-partition-is
    @KEP-5963/compatibility/example-4-multiple-groups @KEP-5963/compatibility/disjoint-groups-refused
    Scenario: In example 4 of KEP-5963 the baz partition is refused beside both others, although counters suffice
      Given claim "pod-a" already holds
        | request | device         | driver             | pool        | groups device-0-counters |
        | device  | device-0-foo-0 | device.example.com | node-1-pool | foo, foobar              |
        | device  | device-0-bar-0 | device.example.com | node-1-pool | bar, foobar              |
      And a claim "pod-b" with the request
        | request | class              |
        | device  | device.example.com |
      When allocation of claim "pod-b" is attempted
      Then nothing fits because of IncompatibleGroup

    @case:in-example-4-of-kep-5963-two-requests-of-one-claim
    @KEP-5963/compatibility/example-4-multiple-groups @KEP-5963/composition/same-claim-requests
    Scenario: In example 4 of KEP-5963 two requests of one claim get the foo and the bar partition
      Given a claim "pod-a" with the requests
        | request | class              | selector                                              |
        | foo     | device.example.com | device.attributes["device.example.com"].type == "foo" |
        | bar     | device.example.com | device.attributes["device.example.com"].type == "bar" |
      When allocation of claim "pod-a" is attempted
      Then claim "pod-a" gets exactly
        | request | device         |
        | foo     | device-0-foo-0 |
        | bar     | device-0-bar-0 |

    @case:in-example-4-of-kep-5963-a-request-for-two-devices
    @KEP-5963/compatibility/example-4-multiple-groups
    Scenario: In example 4 of KEP-5963 a request for two devices gets the foo and the bar partition
      Given a claim "pod-a" with the request
        | request | class              | count |
        | device  | device.example.com | 2     |
      When allocation of claim "pod-a" is attempted
      Then claim "pod-a" gets exactly
        | request | device         |
        | device  | device-0-foo-0 |
        | device  | device-0-bar-0 |

    @case:in-example-4-of-kep-5963-a-request-for-three-devices
    @KEP-5963/compatibility/example-4-multiple-groups
    Scenario: In example 4 of KEP-5963 a request for three devices is refused
      Given a claim "pod-a" with the request
        | request | class              | count |
        | device  | device.example.com | 3     |
      When allocation of claim "pod-a" is attempted
      Then nothing fits because of IncompatibleGroup

    @case:in-example-4-of-kep-5963-the-class-of-the-other
    @KEP-5963/compatibility/example-4-multiple-groups
    Scenario: In example 4 of KEP-5963 the class of the other examples selects no device
      Given a device class "gpu.example.com" that selects
        """
        device.driver == 'gpu.example.com'
        """
      And a claim "pod-a" with the request
        | request | class           |
        | device  | gpu.example.com |
      When allocation of claim "pod-a" is attempted
      Then nothing fits
