Feature: Compatibility of devices on one counter set
  Devices that consume from the same counter set are allocated at the same time only if all of them share a
  group, or none of them has a group.

  Background:
    Given the counter set
      | counterSet | counter multiprocessors |
      | gpu-0      | 100                     |

  Rule: Devices with groups need a common group

    @case:second-mig-allocated
    @KEP-5963/compatibility/shared-group-admits
    Scenario: A MIG device is allocated on a counter set with a MIG device in use
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0  | multiprocessors 20     | mig                       |
        | mig-1  | multiprocessors 20     | mig                       |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | mig-0  | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | mig-1  |

    @case:vgpu-with-mig-in-use
    @KEP-5963/compatibility/disjoint-groups-refused @KEP-5963/compatibility/symmetric
    Scenario: A vGPU device cannot be allocated on a counter set with a MIG device in use
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0  | multiprocessors 20     | mig                       |
        | vgpu-0 | multiprocessors 50     | vgpu                      |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | mig-0  | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

    @case:mig-with-vgpu-in-use
    @KEP-5963/compatibility/disjoint-groups-refused @KEP-5963/compatibility/symmetric
    Scenario: A MIG device cannot be allocated on a counter set with a vGPU device in use
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0  | multiprocessors 20     | mig                       |
        | vgpu-0 | multiprocessors 50     | vgpu                      |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | vgpu-0 | vgpu                      |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

    @case:common-group-allocated
    @KEP-5963/compatibility/shared-group-admits
    Scenario Outline: A device that shares a compatibility group with the device in use is allocated
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | d1     | multiprocessors 25     | <held>                    |
        | d2     | multiprocessors 25     | <asked>                   |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | d1     | <held>                    |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d2     |

      Examples: two lists with a common group
        | held        | asked       |
        | foo, foobar | bar, foobar |
        | foobar      | foobar, baz |
        | a, b        | a, b        |

      @KEP-5963/compatibility/symmetric
      Examples: the same pair in both orders
        | held        | asked       |
        | foo, foobar | foobar      |
        | foobar      | foo, foobar |

    @case:no-common-group-fails
    @KEP-5963/compatibility/disjoint-groups-refused
    Scenario Outline: A device that shares no compatibility group with the device in use cannot be allocated
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | d1     | multiprocessors 25     | <held>                    |
        | d2     | multiprocessors 50     | <asked>                   |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | d1     | <held>                    |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

      Examples:
        | held        | asked       |
        | foo, foobar | baz         |
        | baz         | bar, foobar |
        | foo, bar    | baz, foobar |

  Rule: Devices without groups are compatible only with each other

    @case:second-ungrouped-allocated
    @KEP-5963/compatibility/ungrouped-pair-admits
    Scenario: A device without groups is allocated while another device without groups is in use
      Given the devices
        | device  | consumesCounters gpu-0 |
        | plain-0 | multiprocessors 20     |
        | plain-1 | multiprocessors 20     |
      And ResourceClaim "other" is already allocated
        | device  |
        | plain-0 |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device  |
        | r0      | plain-1 |

    @case:fourth-ungrouped-allocated
    @KEP-5963/compatibility/ungrouped-pair-admits @KEP-5963/rolling-intersection/ungrouped-occupancy-sticks
    Scenario: A fourth device without groups is allocated while three such devices are in use
      Given the devices
        | device  | consumesCounters gpu-0 |
        | plain-0 | multiprocessors 20     |
        | plain-1 | multiprocessors 20     |
        | plain-2 | multiprocessors 20     |
        | plain-3 | multiprocessors 20     |
      And ResourceClaim "other" is already allocated
        | device  |
        | plain-0 |
        | plain-1 |
        | plain-2 |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device  |
        | r0      | plain-3 |

    @case:ungrouped-counters-exhausted
    @KEP-5963/compatibility/ungrouped-pair-admits
    Scenario: A device without groups cannot be allocated if the remaining counter value is too small
      Given the devices
        | device  | consumesCounters gpu-0 |
        | plain-0 | multiprocessors 60     |
        | plain-1 | multiprocessors 41     |
      And ResourceClaim "other" is already allocated
        | device  |
        | plain-0 |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of CounterExhausted
      But until Kubernetes 1.34, because these releases look for counter sets only in the ResourceSlice of the device: ResourceClaim "c" is allocated exactly
        | request | device  |
        | r0      | plain-1 |

    @case:ungrouped-with-mig-in-use
    @KEP-5963/compatibility/ungrouped-candidate-beside-grouped-refused @KEP-5963/compatibility/symmetric
    Scenario: A device without compatibility groups cannot be allocated while a MIG device is in use
      Given the devices
        | device  | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0   | multiprocessors 20     | mig                       |
        | plain-0 | multiprocessors 20     |                           |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | mig-0  | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

    @case:mig-with-ungrouped-in-use
    @KEP-5963/compatibility/grouped-candidate-beside-ungrouped-refused @KEP-5963/compatibility/symmetric
    Scenario: A MIG device cannot be allocated while a device without compatibility groups is in use
      Given the devices
        | device  | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0   | multiprocessors 20     | mig                       |
        | plain-0 | multiprocessors 20     |                           |
      And ResourceClaim "other" is already allocated
        | device  |
        | plain-0 |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

    @case:two-groups-with-ungrouped-in-use
    @KEP-5963/rolling-intersection/ungrouped-occupancy-sticks
    Scenario: A device with two groups cannot be allocated while three devices without groups are in use
      Given the devices
        | device  | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | plain-0 | multiprocessors 20     |                           |
        | plain-1 | multiprocessors 20     |                           |
        | plain-2 | multiprocessors 20     |                           |
        | both-0  | multiprocessors 20     | mig, vgpu                 |
      And ResourceClaim "other" is already allocated
        | device  |
        | plain-0 |
        | plain-1 |
        | plain-2 |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

  Rule: A driver must declare groups on each device that needs them

    Background:
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0  | multiprocessors 20     |                           |
        | mig-1  | multiprocessors 20     |                           |
        | vgpu-0 | multiprocessors 50     | vgpu                      |

    @case:undeclared-mig-pair
    @KEP-5963/driver-duty/declare-groups
    Scenario: MIG devices for which the driver declares no compatibility groups are allocated together
      Given ResourceClaim "other" is already allocated
        | device |
        | mig-0  |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | mig-1  |

    @case:vgpu-with-undeclared-mig-in-use
    @KEP-5963/driver-duty/declare-groups
    Scenario: A vGPU device cannot be allocated while MIG devices without declared groups are in use
      Given ResourceClaim "other" is already allocated
        | device |
        | mig-0  |
        | mig-1  |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

    @case:undeclared-mig-with-vgpu-in-use
    @KEP-5963/driver-duty/declare-groups
    Scenario: A MIG device without declared groups cannot be allocated while a vGPU device is in use
      Given ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | vgpu-0 | vgpu                      |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

  Rule: A free counter set admits any device

    @case:any-groups-on-free-set
    @KEP-5963/compatibility/first-device-on-open-set
    Scenario Outline: A device with any groups, or without groups, is allocated on a free counter set
      Given objects that the API server rejects, because the KEP does not say how many groups a device may have
      And the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | d1     | multiprocessors 20     | <groups>                  |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d1     |

      Examples:
        | groups        |
        | mig           |
        | foo, foobar   |
        | a, b, c, d, e |
        |               |

    @case:incompatible-pair-on-free-set
    @KEP-5963/compatibility/disjoint-groups-refused
    Scenario Outline: A request for two devices fails on a free counter set if the devices are incompatible
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | d1     | multiprocessors 20     | <first>                   |
        | d2     | multiprocessors 20     | <second>                  |
      And a ResourceClaim "c" requesting 2 devices
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

      Examples:
        | first       | second |
        | mig         | vgpu   |
        | foo, foobar | baz    |
        | mig         |        |
        |             | mig    |

  Rule: Group names are compared as whole, opaque strings

    @case:similar-name-is-other-group
    @KEP-5963/compatibility/names-opaque
    Scenario Outline: A device whose group name only resembles that of the device in use cannot be allocated
      Given objects that the API server rejects, because the KEP does not say which characters a group name may have
      And the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | d1     | multiprocessors 20     | mig                       |
        | d2     | multiprocessors 20     | <name>                    |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | d1     | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

      Examples:
        | name                |
        | mig-1g              |
        | mi                  |
        | MIG                 |
        | Mig                 |
        | m1g                 |
        | gpu.example.com/mig |
        | *                   |

    @case:list-order-ignored
    @KEP-5963/compatibility/names-opaque
    Scenario Outline: A device that shares a group is allocated whatever the order of the names in its list
      Given objects that the API server rejects, because the KEP does not say how many groups a device may have
      And the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | d1     | multiprocessors 20     | <held>                    |
        | d2     | multiprocessors 20     | <asked>                   |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | d1     | <held>                    |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d2     |

      Examples:
        | held    | asked   |
        | a, b    | b, a    |
        | b, a    | c, b    |
        | c, b, a | e, d, c |

    @case:attributes-differ-group-common
    @KEP-5963/compatibility/names-opaque
    Scenario: Devices with different attributes and a common compatibility group are allocated together
      Given the devices
        | device | attribute type | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | d1     | string mig-1g  | multiprocessors 20     | x7                        |
        | d2     | string vgpu    | multiprocessors 50     | x7                        |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | d1     | x7                        |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d2     |

    @case:attributes-equal-groups-differ
    @KEP-5963/compatibility/names-opaque
    Scenario: Devices with equal attributes and different groups are not allocated together
      Given the devices
        | device | attribute type | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | d1     | string mig-1g  | multiprocessors 20     | x7                        |
        | d2     | string mig-1g  | multiprocessors 20     | x8                        |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | d1     | x7                        |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup
