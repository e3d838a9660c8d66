Feature: Devices that go together
  Devices that draw from one counter set are allocated at the same time only if all of them have a group in
  common, or none of them has any group.

  Background:
    Given the counter set
      | set   | counter multiprocessors |
      | gpu-0 | 100                     |

  Rule: Grouped devices need a name in common

    @case:a-second-mig-device-is-allocated-beside-a-mig-device
    @KEP-5963/compatibility/shared-group-admits
    Scenario: A second MIG device is allocated beside a MIG device
      Given the devices
        | device | counters gpu-0     | groups gpu-0 |
        | mig-0  | multiprocessors 20 | mig          |
        | mig-1  | multiprocessors 20 | mig          |
      And claim "other" already holds
        | device | groups gpu-0 |
        | mig-0  | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | mig-1  |

    @case:a-vgpu-device-is-refused-beside-a-mig-device
    @KEP-5963/compatibility/disjoint-groups-refused @KEP-5963/compatibility/symmetric
    Scenario: A vGPU device is refused beside a MIG device, although the counters suffice
      Given the devices
        | device | counters gpu-0     | groups gpu-0 |
        | mig-0  | multiprocessors 20 | mig          |
        | vgpu-0 | multiprocessors 50 | vgpu         |
      And claim "other" already holds
        | device | groups gpu-0 |
        | mig-0  | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

    @case:a-mig-device-is-refused-beside-a-vgpu-device
    @KEP-5963/compatibility/disjoint-groups-refused @KEP-5963/compatibility/symmetric
    Scenario: A MIG device is refused beside a vGPU device, although the counters suffice
      Given the devices
        | device | counters gpu-0     | groups gpu-0 |
        | mig-0  | multiprocessors 20 | mig          |
        | vgpu-0 | multiprocessors 50 | vgpu         |
      And claim "other" already holds
        | device | groups gpu-0 |
        | vgpu-0 | vgpu         |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

    @case:a-device-with-groups-is-allocated-beside-one-with
    @KEP-5963/compatibility/shared-group-admits
    Scenario Outline: A device with groups [<asked>] is allocated beside one with [<held>]
      Given the devices
        | device | counters gpu-0     | groups gpu-0 |
        | d1     | multiprocessors 25 | <held>       |
        | d2     | multiprocessors 25 | <asked>      |
      And claim "other" already holds
        | device | groups gpu-0 |
        | d1     | <held>       |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d2     |

      Examples: some groups in common
        | held        | asked       |
        | foo, foobar | bar, foobar |
        | foobar      | foobar, baz |
        | a, b        | a, b        |

      @KEP-5963/compatibility/symmetric
      Examples: a pair in both orders
        | held        | asked       |
        | foo, foobar | foobar      |
        | foobar      | foo, foobar |

    @case:a-device-with-groups-is-refused-beside-one-with
    @KEP-5963/compatibility/disjoint-groups-refused
    Scenario Outline: A device with groups [<asked>] is refused beside one with [<held>]
      Given the devices
        | device | counters gpu-0     | groups gpu-0 |
        | d1     | multiprocessors 25 | <held>       |
        | d2     | multiprocessors 50 | <asked>      |
      And claim "other" already holds
        | device | groups gpu-0 |
        | d1     | <held>       |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

      Examples:
        | held        | asked       |
        | foo, foobar | baz         |
        | baz         | bar, foobar |
        | foo, bar    | baz, foobar |

  Rule: Devices without groups go with each other only

    @case:a-second-device-without-groups-is-allocated-beside-a
    @KEP-5963/compatibility/ungrouped-pair-admits
    Scenario: A second device without groups is allocated beside a first one
      Given the devices
        | device  | counters gpu-0     |
        | plain-0 | multiprocessors 20 |
        | plain-1 | multiprocessors 20 |
      And claim "other" already holds
        | device  |
        | plain-0 |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device  |
        | r0      | plain-1 |

    @case:a-fourth-device-without-groups-is-allocated-beside
    @KEP-5963/compatibility/ungrouped-pair-admits @KEP-5963/rolling-intersection/ungrouped-occupancy-sticks
    Scenario: A fourth device without groups is allocated beside three others
      Given the devices
        | device  | counters gpu-0     |
        | plain-0 | multiprocessors 20 |
        | plain-1 | multiprocessors 20 |
        | plain-2 | multiprocessors 20 |
        | plain-3 | multiprocessors 20 |
      And claim "other" already holds
        | device  |
        | plain-0 |
        | plain-1 |
        | plain-2 |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device  |
        | r0      | plain-3 |

    @case:a-device-without-groups-is-refused-beside-another
    @KEP-5963/compatibility/ungrouped-pair-admits
    Scenario: A device without groups is refused beside another where the counters do not suffice
      Given the devices
        | device  | counters gpu-0     |
        | plain-0 | multiprocessors 60 |
        | plain-1 | multiprocessors 41 |
      And claim "other" already holds
        | device  |
        | plain-0 |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of CounterExhausted
      But until Kubernetes 1.34, because these releases look for counter sets in the slice of the device only: claim "c" gets exactly
        | request | device  |
        | r0      | plain-1 |

    @case:a-device-without-groups-is-refused-beside-a-mig
    @KEP-5963/compatibility/ungrouped-candidate-beside-grouped-refused @KEP-5963/compatibility/symmetric
    Scenario: A device without groups is refused beside a MIG device
      Given the devices
        | device  | counters gpu-0     | groups gpu-0 |
        | mig-0   | multiprocessors 20 | mig          |
        | plain-0 | multiprocessors 20 |              |
      And claim "other" already holds
        | device | groups gpu-0 |
        | mig-0  | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

    @case:a-mig-device-is-refused-beside-a-device-without
    @KEP-5963/compatibility/grouped-candidate-beside-ungrouped-refused @KEP-5963/compatibility/symmetric
    Scenario: A MIG device is refused beside a device without groups
      Given the devices
        | device  | counters gpu-0     | groups gpu-0 |
        | mig-0   | multiprocessors 20 | mig          |
        | plain-0 | multiprocessors 20 |              |
      And claim "other" already holds
        | device  |
        | plain-0 |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

    @case:a-device-with-several-groups-is-refused-beside-three
    @KEP-5963/rolling-intersection/ungrouped-occupancy-sticks
    Scenario: A device with several groups is refused beside three devices without groups
      Given the devices
        | device  | counters gpu-0     | groups gpu-0 |
        | plain-0 | multiprocessors 20 |              |
        | plain-1 | multiprocessors 20 |              |
        | plain-2 | multiprocessors 20 |              |
        | both-0  | multiprocessors 20 | mig, vgpu    |
      And claim "other" already holds
        | device  |
        | plain-0 |
        | plain-1 |
        | plain-2 |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

  Rule: A driver names groups on each device that needs them

    Background:
      Given the devices
        | device | counters gpu-0     | groups gpu-0 |
        | mig-0  | multiprocessors 20 |              |
        | mig-1  | multiprocessors 20 |              |
        | vgpu-0 | multiprocessors 50 | vgpu         |

    @case:mig-devices-that-the-driver-left-without-groups-go
    @KEP-5963/driver-duty/declare-groups
    Scenario: MIG devices that the driver left without groups go together
      Given claim "other" already holds
        | device |
        | mig-0  |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | mig-1  |

    @case:mig-devices-that-the-driver-left-without-groups
    @KEP-5963/driver-duty/declare-groups
    Scenario: MIG devices that the driver left without groups exclude vGPU devices
      Given claim "other" already holds
        | device |
        | mig-0  |
        | mig-1  |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

    @case:a-vgpu-device-excludes-mig-devices-that-the-driver
    @KEP-5963/driver-duty/declare-groups
    Scenario: A vGPU device excludes MIG devices that the driver left without groups
      Given claim "other" already holds
        | device | groups gpu-0 |
        | vgpu-0 | vgpu         |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

  Rule: A free counter set takes any device

    @case:a-device-with-groups-is-allocated-on-a-free-counter
    @KEP-5963/compatibility/first-device-on-open-set
    Scenario Outline: A device with groups [<groups>] is allocated on a free counter set
      Given objects that the API server does not admit, because no document says how many groups a device may have
      And the devices
        | device | counters gpu-0     | groups gpu-0 |
        | d1     | multiprocessors 20 | <groups>     |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d1     |

      Examples:
        | groups        |
        | mig           |
        | foo, foobar   |
        | a, b, c, d, e |
        |               |

    @case:a-request-for-two-devices-is-refused-where-they-have
    @KEP-5963/compatibility/first-device-on-open-set
    Scenario Outline: A request for two devices is refused where they have groups [<first>] and [<second>]
      Given the devices
        | device | counters gpu-0     | groups gpu-0 |
        | d1     | multiprocessors 20 | <first>      |
        | d2     | multiprocessors 20 | <second>     |
      And a claim "c" requesting 2 devices
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

      Examples:
        | first       | second |
        | mig         | vgpu   |
        | foo, foobar | baz    |
        | mig         |        |
        |             | mig    |

  Rule: Group names are whole words without a meaning

    @case:a-device-of-group-is-refused-beside-one-of-group-mig
    @KEP-5963/compatibility/names-opaque
    Scenario Outline: A device of group <name> is refused beside one of group mig
      Given objects that the API server does not admit, because no document says of what characters a group is made
      And the devices
        | device | counters gpu-0     | groups gpu-0 |
        | d1     | multiprocessors 20 | mig          |
        | d2     | multiprocessors 20 | <name>       |
      And claim "other" already holds
        | device | groups gpu-0 |
        | d1     | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

      Examples:
        | name                |
        | mig-1g              |
        | mi                  |
        | MIG                 |
        | Mig                 |
        | m1g                 |
        | gpu.example.com/mig |
        | *                   |

    @case:groups-go-with-in-whatever-order-they-are-listed
    @KEP-5963/compatibility/names-opaque
    Scenario Outline: Groups [<asked>] go with [<held>] in whatever order they are listed
      Given objects that the API server does not admit, because no document says how many groups a device may have
      And the devices
        | device | counters gpu-0     | groups gpu-0 |
        | d1     | multiprocessors 20 | <held>       |
        | d2     | multiprocessors 20 | <asked>      |
      And claim "other" already holds
        | device | groups gpu-0 |
        | d1     | <held>       |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d2     |

      Examples:
        | held    | asked   |
        | a, b    | b, a    |
        | b, a    | c, b    |
        | c, b, a | e, d, c |

    @case:two-devices-with-different-attributes-go-together-in
    @KEP-5963/compatibility/names-opaque
    Scenario: Two devices with different attributes go together in one group
      Given the devices
        | device | attribute type | counters gpu-0     | groups gpu-0 |
        | d1     | string mig-1g  | multiprocessors 20 | x7           |
        | d2     | string vgpu    | multiprocessors 50 | x7           |
      And claim "other" already holds
        | device | groups gpu-0 |
        | d1     | x7           |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d2     |

    @case:two-devices-with-equal-attributes-and-different
    @KEP-5963/compatibility/names-opaque
    Scenario: Two devices with equal attributes and different groups do not go together
      Given the devices
        | device | attribute type | counters gpu-0     | groups gpu-0 |
        | d1     | string mig-1g  | multiprocessors 20 | x7           |
        | d2     | string mig-1g  | multiprocessors 20 | x8           |
      And claim "other" already holds
        | device | groups gpu-0 |
        | d1     | x7           |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup
