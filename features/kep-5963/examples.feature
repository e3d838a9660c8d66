Feature: Examples of KEP-5963
  A GPU with MIG partitions and vGPU profiles, and a device with the partitions foo, bar and baz. Device names,
  groups and quantities are those of the KEP. Selectors are written in the syntax of the API.

  Rule: KEP example 1: without groups, only the counters limit the allocation

    Background:
      Given a DeviceClass "gpu.example.com" with the selector
        """
        device.driver == 'gpu.example.com'
        """
      And the counter set
        | counterSet     | driver          | pool        | slice                 | counter multiprocessors |
        | gpu-0-counters | gpu.example.com | node-1-pool | node-1-gpu-0-counters | 100                     |
      And the devices
        | device         | driver          | pool        | slice                | attribute type | consumesCounters gpu-0-counters |
        | gpu-0-mig-1g-0 | gpu.example.com | node-1-pool | node-1-gpu-0-devices | string mig-1g  | multiprocessors 20              |
        | gpu-0-mig-1g-1 | gpu.example.com | node-1-pool | node-1-gpu-0-devices | string mig-1g  | multiprocessors 20              |
        | gpu-0-mig-1g-2 | gpu.example.com | node-1-pool | node-1-gpu-0-devices | string mig-1g  | multiprocessors 20              |

    @case:example-1-two-claims
    @KEP-5963/compatibility/example-1-one-scheme @KEP-5963/compatibility/ungrouped-pair-admits
    Scenario: KEP example 1: Two ResourceClaims get two MIG partitions without groups
      Given a ResourceClaim "pod-a-gpu" with the request
        | request | deviceClassName | selector                                              |
        | gpu     | gpu.example.com | device.attributes["gpu.example.com"].type == "mig-1g" |
      And a ResourceClaim "pod-b-gpu" with the request
        | request | deviceClassName | selector                                              |
        | gpu     | gpu.example.com | device.attributes["gpu.example.com"].type == "mig-1g" |
      When allocation of the ResourceClaims "pod-a-gpu, pod-b-gpu" together is attempted
      Then ResourceClaim "pod-a-gpu" is allocated 1 device
      And ResourceClaim "pod-b-gpu" is allocated 1 device

    @case:example-1-third-partition
    @KEP-5963/compatibility/example-1-one-scheme @KEP-5963/compatibility/ungrouped-pair-admits
    Scenario: KEP example 1: A third MIG partition is allocated while two MIG partitions are in use
      Given ResourceClaim "pod-a-gpu" is already allocated
        | request | device         | driver          | pool        |
        | gpu     | gpu-0-mig-1g-0 | gpu.example.com | node-1-pool |
      And ResourceClaim "pod-b-gpu" is already allocated
        | request | device         | driver          | pool        |
        | gpu     | gpu-0-mig-1g-1 | gpu.example.com | node-1-pool |
      And a ResourceClaim "pod-c-gpu" with the request
        | request | deviceClassName | selector                                              |
        | gpu     | gpu.example.com | device.attributes["gpu.example.com"].type == "mig-1g" |
      When allocation of ResourceClaim "pod-c-gpu" is attempted
      Then ResourceClaim "pod-c-gpu" is allocated exactly
        | request | device         | driver          | pool        |
        | gpu     | gpu-0-mig-1g-2 | gpu.example.com | node-1-pool |

    @case:example-1-printed-selector
    @KEP-5963/compatibility/example-1-one-scheme @profile:since-1.34
    Scenario: KEP example 1: Since Kubernetes 1.34 the selector printed in the KEP fails with an error
      Given a ResourceClaim "pod-a-gpu" with the request
        | request | deviceClassName | selector                                     |
        | gpu     | gpu.example.com | device.attributes['type'].string == 'mig-1g' |
      When allocation of ResourceClaim "pod-a-gpu" is attempted
      Then allocation fails with an error because of SelectorRuntimeError

  Rule: KEP example 2: without groups, MIG and vGPU are allocated together

    Background:
      Given a DeviceClass "gpu.example.com" with the selector
        """
        device.driver == 'gpu.example.com'
        """
      And the counter set
        | counterSet     | driver          | pool        | slice                 | counter multiprocessors |
        | gpu-0-counters | gpu.example.com | node-1-pool | node-1-gpu-0-counters | 100                     |
      And the devices
        | device         | driver          | pool        | slice                | attribute type | consumesCounters gpu-0-counters |
        | gpu-0-mig-1g-0 | gpu.example.com | node-1-pool | node-1-gpu-0-devices | string mig-1g  | multiprocessors 20              |
        | gpu-0-mig-1g-1 | gpu.example.com | node-1-pool | node-1-gpu-0-devices | string mig-1g  | multiprocessors 20              |
        | gpu-0-vgpu-0   | gpu.example.com | node-1-pool | node-1-gpu-0-devices | string vgpu    | multiprocessors 50              |
        | gpu-0-vgpu-1   | gpu.example.com | node-1-pool | node-1-gpu-0-devices | string vgpu    | multiprocessors 50              |

    @case:example-2-vgpu-with-mig
    @KEP-5963/compatibility/example-2-counters-not-enough
    Scenario: KEP example 2: A vGPU profile is allocated while a MIG partition is in use
      Given ResourceClaim "pod-a-gpu" is already allocated
        | request | device         | driver          | pool        |
        | gpu     | gpu-0-mig-1g-0 | gpu.example.com | node-1-pool |
      And a ResourceClaim "pod-b-gpu" with the request
        | request | deviceClassName | selector                                            |
        | gpu     | gpu.example.com | device.attributes["gpu.example.com"].type == "vgpu" |
      When allocation of ResourceClaim "pod-b-gpu" is attempted
      Then ResourceClaim "pod-b-gpu" is allocated one of
        | choice | device       |
        | 1      | gpu-0-vgpu-0 |
        | 2      | gpu-0-vgpu-1 |

    @case:example-2-counters-exhausted
    @KEP-5963/compatibility/example-2-counters-not-enough
    Scenario: KEP example 2: A MIG partition cannot be allocated if two vGPU profiles use up the counter
      Given ResourceClaim "pod-a-gpu" is already allocated
        | request | device       | driver          | pool        |
        | gpu     | gpu-0-vgpu-0 | gpu.example.com | node-1-pool |
        | gpu     | gpu-0-vgpu-1 | gpu.example.com | node-1-pool |
      And a ResourceClaim "pod-b-gpu" with the request
        | request | deviceClassName | selector                                              |
        | gpu     | gpu.example.com | device.attributes["gpu.example.com"].type == "mig-1g" |
      When allocation of ResourceClaim "pod-b-gpu" is attempted
      Then no allocation is possible because of CounterExhausted
      But until Kubernetes 1.34, because these releases look for counter sets only in the ResourceSlice of the device: ResourceClaim "pod-b-gpu" is allocated 1 device

  Rule: KEP example 3: the groups mig and vgpu exclude each other

    Background:
      Given a DeviceClass "gpu.example.com" with the selector
        """
        device.driver == 'gpu.example.com'
        """
      And the counter set
        | counterSet     | driver          | pool        | slice                 | counter multiprocessors |
        | gpu-0-counters | gpu.example.com | node-1-pool | node-1-gpu-0-counters | 100                     |
      And the devices
        | device         | driver          | pool        | slice                | attribute type | consumesCounters gpu-0-counters | compatibilityGroups gpu-0-counters |
        | gpu-0-mig-1g-0 | gpu.example.com | node-1-pool | node-1-gpu-0-devices | string mig-1g  | multiprocessors 20              | mig                                |
        | gpu-0-mig-1g-1 | gpu.example.com | node-1-pool | node-1-gpu-0-devices | string mig-1g  | multiprocessors 20              | mig                                |
        | gpu-0-vgpu-0   | gpu.example.com | node-1-pool | node-1-gpu-0-devices | string vgpu    | multiprocessors 50              | vgpu                               |
        | gpu-0-vgpu-1   | gpu.example.com | node-1-pool | node-1-gpu-0-devices | string vgpu    | multiprocessors 50              | vgpu                               |

    @case:example-3-snapshot
    @KEP-5963/compatibility/example-3-mig-vgpu @KEP-5963/snapshot/recorded-at-allocation @KEP-5963/diagnostics/visible-in-allocation-result
    Scenario: KEP example 3: The allocation result of a MIG partition records its compatibility group
      Given a ResourceClaim "pod-a-gpu" with the request
        | request | deviceClassName | selector                                              |
        | gpu     | gpu.example.com | device.attributes["gpu.example.com"].type == "mig-1g" |
      When allocation of ResourceClaim "pod-a-gpu" is attempted
      Then ResourceClaim "pod-a-gpu" is allocated one of
        | choice | request | device         | compatibilityGroups gpu-0-counters |
        | 1      | gpu     | gpu-0-mig-1g-0 | mig                                |
        | 2      | gpu     | gpu-0-mig-1g-1 | mig                                |
      But since Kubernetes 1.37, because this release does not record groups in the allocation result: ResourceClaim "pod-a-gpu" is allocated one of
        | choice | request | device         |
        | 1      | gpu     | gpu-0-mig-1g-0 |
        | 2      | gpu     | gpu-0-mig-1g-1 |

    @case:example-3-vgpu-with-mig
    @KEP-5963/compatibility/example-3-mig-vgpu @KEP-5963/compatibility/disjoint-groups-refused
    Scenario: KEP example 3: A vGPU profile cannot be allocated while a MIG partition is in use
      Given ResourceClaim "pod-a-gpu" is already allocated
        | request | device         | driver          | pool        | compatibilityGroups gpu-0-counters |
        | gpu     | gpu-0-mig-1g-0 | gpu.example.com | node-1-pool | mig                                |
      And a ResourceClaim "pod-b-gpu" with the request
        | request | deviceClassName | selector                                            |
        | gpu     | gpu.example.com | device.attributes["gpu.example.com"].type == "vgpu" |
      When allocation of ResourceClaim "pod-b-gpu" is attempted
      Then no allocation is possible because of IncompatibleGroup

    @case:example-3-mig-with-vgpu
    @KEP-5963/compatibility/example-3-mig-vgpu @KEP-5963/compatibility/disjoint-groups-refused @KEP-5963/compatibility/symmetric
    Scenario: KEP example 3: A MIG partition cannot be allocated while a vGPU profile is in use
      Given ResourceClaim "pod-a-gpu" is already allocated
        | request | device       | driver          | pool        | compatibilityGroups gpu-0-counters |
        | gpu     | gpu-0-vgpu-0 | gpu.example.com | node-1-pool | vgpu                               |
      And a ResourceClaim "pod-b-gpu" with the request
        | request | deviceClassName | selector                                              |
        | gpu     | gpu.example.com | device.attributes["gpu.example.com"].type == "mig-1g" |
      When allocation of ResourceClaim "pod-b-gpu" is attempted
      Then no allocation is possible because of IncompatibleGroup

    @case:example-3-second-mig
    @KEP-5963/compatibility/example-3-mig-vgpu @KEP-5963/compatibility/shared-group-admits
    Scenario: KEP example 3: A second MIG partition is allocated while the first MIG partition is in use
      Given ResourceClaim "pod-a-gpu" is already allocated
        | request | device         | driver          | pool        | compatibilityGroups gpu-0-counters |
        | gpu     | gpu-0-mig-1g-0 | gpu.example.com | node-1-pool | mig                                |
      And a ResourceClaim "pod-b-gpu" with the request
        | request | deviceClassName | selector                                              |
        | gpu     | gpu.example.com | device.attributes["gpu.example.com"].type == "mig-1g" |
      When allocation of ResourceClaim "pod-b-gpu" is attempted
      Then ResourceClaim "pod-b-gpu" is allocated exactly
        | request | device         |
        | gpu     | gpu-0-mig-1g-1 |

    @case:example-3-second-vgpu
    @KEP-5963/compatibility/example-3-mig-vgpu @KEP-5963/compatibility/shared-group-admits
    Scenario: KEP example 3: A second vGPU profile is allocated while the first vGPU profile is in use
      Given ResourceClaim "pod-a-gpu" is already allocated
        | request | device       | driver          | pool        | compatibilityGroups gpu-0-counters |
        | gpu     | gpu-0-vgpu-0 | gpu.example.com | node-1-pool | vgpu                               |
      And a ResourceClaim "pod-b-gpu" with the request
        | request | deviceClassName | selector                                            |
        | gpu     | gpu.example.com | device.attributes["gpu.example.com"].type == "vgpu" |
      When allocation of ResourceClaim "pod-b-gpu" is attempted
      Then ResourceClaim "pod-b-gpu" is allocated exactly
        | request | device       |
        | gpu     | gpu-0-vgpu-1 |

    @case:example-3-any-device
    @KEP-5963/compatibility/example-3-mig-vgpu
    Scenario: KEP example 3: A request for any device gets a partition while another partition is in use
      Given ResourceClaim "pod-a-gpu" is already allocated
        | request | device         | driver          | pool        | compatibilityGroups gpu-0-counters |
        | gpu     | gpu-0-mig-1g-0 | gpu.example.com | node-1-pool | mig                                |
      And a ResourceClaim "pod-b-gpu" with the request
        | request | deviceClassName |
        | gpu     | gpu.example.com |
      When allocation of ResourceClaim "pod-b-gpu" is attempted
      Then ResourceClaim "pod-b-gpu" is allocated exactly
        | request | device         |
        | gpu     | gpu-0-mig-1g-1 |

    @case:example-3-vgpu-on-free-gpu
    @KEP-5963/compatibility/example-3-mig-vgpu @KEP-5963/compatibility/first-device-on-open-set
    Scenario: KEP example 3: A vGPU profile is allocated if no MIG partition is in use
      Given a ResourceClaim "pod-c-gpu" with the request
        | request | deviceClassName | selector                                            |
        | gpu     | gpu.example.com | device.attributes["gpu.example.com"].type == "vgpu" |
      When allocation of ResourceClaim "pod-c-gpu" is attempted
      Then ResourceClaim "pod-c-gpu" is allocated one of
        | choice | device       |
        | 1      | gpu-0-vgpu-0 |
        | 2      | gpu-0-vgpu-1 |

  Rule: KEP example 4: one common group is enough

    Background:
      Given a DeviceClass "device.example.com" with the selector
        """
        device.driver == 'device.example.com'
        """
      And the counter set
        | counterSet        | driver             | pool        | slice                    | counter units |
        | device-0-counters | device.example.com | node-1-pool | node-1-device-0-counters | 100           |
      And the devices
        | device         | driver             | pool        | slice                   | attribute type | consumesCounters device-0-counters | compatibilityGroups device-0-counters |
        | device-0-foo-0 | device.example.com | node-1-pool | node-1-device-0-devices | string foo     | units 25                           | foo, foobar                           |
        | device-0-bar-0 | device.example.com | node-1-pool | node-1-device-0-devices | string bar     | units 25                           | bar, foobar                           |
        | device-0-baz-0 | device.example.com | node-1-pool | node-1-device-0-devices | string baz     | units 50                           | baz                                   |

    @case:example-4-bar-with-foo
    @KEP-5963/compatibility/example-4-multiple-groups @KEP-5963/compatibility/shared-group-admits
    Scenario: KEP example 4: The bar partition is allocated while the foo partition is in use
      Given ResourceClaim "pod-a" is already allocated
        | request | device         | driver             | pool        | compatibilityGroups device-0-counters |
        | device  | device-0-foo-0 | device.example.com | node-1-pool | foo, foobar                           |
      And a ResourceClaim "pod-b" with the request
        | request | deviceClassName    | selector                                              |
        | device  | device.example.com | device.attributes["device.example.com"].type == "bar" |
      When allocation of ResourceClaim "pod-b" is attempted
      Then ResourceClaim "pod-b" is allocated exactly
        | request | device         |
        | device  | device-0-bar-0 |

    @case:example-4-no-common-group
    @KEP-5963/compatibility/example-4-multiple-groups @KEP-5963/compatibility/disjoint-groups-refused
    Scenario Outline: KEP example 4: A partition without the group of the partition in use is not allocated
      Given ResourceClaim "pod-a" is already allocated
        | request | device          | driver             | pool        | compatibilityGroups device-0-counters |
        | device  | device-0-<held> | device.example.com | node-1-pool | <groups>                              |
      And a ResourceClaim "pod-b" with the request
        | request | deviceClassName    | selector                                                  |
        | device  | device.example.com | device.attributes["device.example.com"].type == "<asked>" |
      When allocation of ResourceClaim "pod-b" is attempted
      Then no allocation is possible because of IncompatibleGroup

      Examples:
        | held  | groups      | asked |
        | foo-0 | foo, foobar | baz   |
        | bar-0 | bar, foobar | baz   |
        | baz-0 | baz         | foo   |
        | baz-0 | baz         | bar   |

    @case:example-4-baz-with-foo-and-bar
    @KEP-5963/compatibility/example-4-multiple-groups @KEP-5963/compatibility/disjoint-groups-refused
    Scenario: KEP example 4: The baz partition is not allocated while foo and bar partitions are in use
      Given ResourceClaim "pod-a" is already allocated
        | request | device         | driver             | pool        | compatibilityGroups device-0-counters |
        | device  | device-0-foo-0 | device.example.com | node-1-pool | foo, foobar                           |
        | device  | device-0-bar-0 | device.example.com | node-1-pool | bar, foobar                           |
      And a ResourceClaim "pod-b" with the request
        | request | deviceClassName    |
        | device  | device.example.com |
      When allocation of ResourceClaim "pod-b" is attempted
      Then no allocation is possible because of IncompatibleGroup

    @case:example-4-two-requests
    @KEP-5963/compatibility/example-4-multiple-groups @KEP-5963/composition/same-claim-requests
    Scenario: KEP example 4: A prioritized list falls back from baz to bar if another request needs foo
      Given a ResourceClaim "pod-a" with the requests
        | request | subrequest | deviceClassName    | selector                                              |
        | foo     |            | device.example.com | device.attributes["device.example.com"].type == "foo" |
        | other   | baz        | device.example.com | device.attributes["device.example.com"].type == "baz" |
        | other   | bar        | device.example.com | device.attributes["device.example.com"].type == "bar" |
      When allocation of ResourceClaim "pod-a" is attempted
      Then ResourceClaim "pod-a" is allocated exactly
        | request   | device         |
        | foo       | device-0-foo-0 |
        | other/bar | device-0-bar-0 |

    @case:example-4-count-three
    @KEP-5963/compatibility/example-4-multiple-groups
    Scenario: KEP example 4: A request for all three partitions fails without a common group
      Given a ResourceClaim "pod-a" with the request
        | request | deviceClassName    | count |
        | device  | device.example.com | 3     |
      When allocation of ResourceClaim "pod-a" is attempted
      Then no allocation is possible because of IncompatibleGroup
