Feature: Compatibility groups in the allocator's backtracking search
  Incompatible groups reject one candidate only. The allocator tries other devices and other choices for earlier
  requests. A ResourceClaim stays unallocated only if no combination is left.

  Background:
    Given a DeviceClass "mig" with the selector
      """
      device.attributes["dra.example.com"].type == "mig"
      """
    And a DeviceClass "vgpu" with the selector
      """
      device.attributes["dra.example.com"].type == "vgpu"
      """
    And the counter sets
      | counterSet | counter units |
      | gpu-0      | 100           |
      | gpu-1      | 100           |

  Rule: Devices with incompatible groups are skipped

    @case:free-gpu-used
    @KEP-5963/backtracking/refusal-tries-next-device @KEP-5963/backtracking/unschedulable-only-when-exhausted
    Scenario: A vGPU device of a free GPU is allocated while a MIG device of another GPU is in use
      Given the devices
        | device | attribute type | consumesCounters gpu-0 | compatibilityGroups gpu-0 | consumesCounters gpu-1 | compatibilityGroups gpu-1 |
        | mig-0  | string mig     | units 20               | mig                       |                        |                           |
        | vgpu-0 | string vgpu    | units 50               | vgpu                      |                        |                           |
        | vgpu-1 | string vgpu    |                        |                           | units 50               | vgpu                      |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | mig-0  | mig                       |
      And a ResourceClaim "c" requesting 1 device of class "vgpu"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | vgpu-1 |

    @case:all-gpus-incompatible
    @KEP-5963/backtracking/unschedulable-only-when-exhausted
    Scenario: A vGPU device cannot be allocated while both GPUs have a MIG device in use
      Given the devices
        | device | attribute type | consumesCounters gpu-0 | compatibilityGroups gpu-0 | consumesCounters gpu-1 | compatibilityGroups gpu-1 |
        | mig-0  | string mig     | units 20               | mig                       |                        |                           |
        | mig-1  | string mig     |                        |                           | units 20               | mig                       |
        | vgpu-0 | string vgpu    | units 50               | vgpu                      |                        |                           |
        | vgpu-1 | string vgpu    |                        |                           | units 50               | vgpu                      |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 | compatibilityGroups gpu-1 |
        | mig-0  | mig                       |                           |
        | mig-1  |                           | mig                       |
      And a ResourceClaim "c" requesting 1 device of class "vgpu"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

    @case:compatible-between-incompatible
    @KEP-5963/backtracking/refusal-tries-next-device @KEP-5963/composition/violation-backtracks-like-a-constraint
    Scenario: A compatible device is allocated although incompatible devices come before and after it
      Given the devices
        | device | attribute type | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | d1     | string mig     | units 10               | vgpu                      |
        | d2     | string mig     | units 10               |                           |
        | d3     | string mig     | units 10               | mig, nvl                  |
        | d4     | string mig     | units 10               | nvl                       |
        | held   | string other   | units 10               | mig                       |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | held   | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d3     |

    @case:all-devices-incompatible
    @KEP-5963/composition/violation-backtracks-like-a-constraint @KEP-5963/backtracking/unschedulable-only-when-exhausted
    Scenario: A ResourceClaim stays unallocated, without an error, if every device is incompatible
      Given the devices
        | device | attribute type | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | d1     | string mig     | units 10               | vgpu                      |
        | d2     | string mig     | units 10               |                           |
        | d3     | string mig     | units 10               | nvl                       |
        | held   | string other   | units 10               | mig                       |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | held   | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

    @case:two-devices-one-gpu-fails
    @KEP-5963/backtracking/unschedulable-only-when-exhausted
    Scenario: A request for two devices fails if the GPU has only one MIG and one vGPU device
      Given the devices
        | device | attribute type | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0  | string mig     | units 20               | mig                       |
        | vgpu-0 | string vgpu    | units 50               | vgpu                      |
      And a ResourceClaim "c" requesting 2 devices
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

  Rule: The allocator changes its choice for an earlier request

    Background:
      Given the devices
        | device | attribute type | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0  | string mig     | units 20               | mig                       |
        | vgpu-0 | string vgpu    | units 50               | vgpu                      |
        | vgpu-1 | string vgpu    | units 50               | vgpu                      |

    @case:any-before-vgpu-request
    @KEP-5963/backtracking/refusal-tries-next-device @KEP-5963/backtracking/request-order-does-not-decide-feasibility
    Scenario: A request for any device gets a vGPU device if a later request needs a vGPU device
      Given a ResourceClaim "c" with the requests
        | request | deviceClassName |
        | any     |                 |
        | vgpu    | vgpu            |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated one of
        | choice | request | device |
        | 1      | any     | vgpu-0 |
        | 1      | vgpu    | vgpu-1 |
        | 2      | any     | vgpu-1 |
        | 2      | vgpu    | vgpu-0 |

    @case:any-after-vgpu-request
    @KEP-5963/backtracking/request-order-does-not-decide-feasibility
    Scenario: A request for any device gets a vGPU device if an earlier request needs a vGPU device
      Given a ResourceClaim "c" with the requests
        | request | deviceClassName |
        | vgpu    | vgpu            |
        | any     |                 |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated one of
        | choice | request | device |
        | 1      | any     | vgpu-0 |
        | 1      | vgpu    | vgpu-1 |
        | 2      | any     | vgpu-1 |
        | 2      | vgpu    | vgpu-0 |

    @case:mig-and-vgpu-requests-fail
    @KEP-5963/backtracking/request-order-does-not-decide-feasibility
    Scenario Outline: A MIG and a vGPU request of one ResourceClaim fail on one GPU in either order
      Given a ResourceClaim "c" with the requests
        | request | deviceClassName |
        | r1      | <first>         |
        | r2      | <second>        |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

      Examples:
        | first | second |
        | mig   | vgpu   |
        | vgpu  | mig    |

    @case:any-before-vgpu-claim
    @KEP-5963/backtracking/state-restored @KEP-5963/composition/other-claim-of-same-pod
    Scenario: A ResourceClaim for any device gets a vGPU if the next ResourceClaim requests a vGPU
      Given a ResourceClaim "a" requesting 1 device
      And a ResourceClaim "b" requesting 1 device of class "vgpu"
      When allocation of the ResourceClaims "a, b" together is attempted
      Then ResourceClaim "a" is allocated one of
        | choice | device |
        | 1      | vgpu-0 |
        | 2      | vgpu-1 |
      And ResourceClaim "b" is allocated one of
        | choice | device |
        | 1      | vgpu-0 |
        | 2      | vgpu-1 |

    @case:any-after-vgpu-claim
    @KEP-5963/backtracking/request-order-does-not-decide-feasibility @KEP-5963/composition/other-claim-of-same-pod
    Scenario: A ResourceClaim for any device gets a vGPU if an earlier ResourceClaim requests a vGPU
      Given a ResourceClaim "a" requesting 1 device of class "vgpu"
      And a ResourceClaim "b" requesting 1 device
      When allocation of the ResourceClaims "a, b" together is attempted
      Then ResourceClaim "b" is allocated one of
        | choice | device |
        | 1      | vgpu-0 |
        | 2      | vgpu-1 |

  Rule: A backtracked device does not affect the intersection of compatibility groups

    @case:second-request-decides-first
    @KEP-5963/backtracking/state-restored
    Scenario Outline: A request gets the device that is compatible with the only device for the next request
      Given the devices
        | device | attribute role | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | d1     | string left    | units 10               | <one>                     |
        | d2     | string left    | units 10               | <two>                     |
        | d3     | string right   | units 10               | <three>                   |
      And a ResourceClaim "c" with the requests
        | request | selector                                             |
        | r0      | device.attributes["dra.example.com"].role == "left"  |
        | r1      | device.attributes["dra.example.com"].role == "right" |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device  |
        | r0      | <taken> |
        | r1      | d3      |

      Examples:
        | one  | two  | three | taken |
        | a    | b    | b     | d2    |
        | b    | a    | b     | d1    |
        | a    |      |       | d2    |
        |      | b    | b     | d2    |
        | a, b | c, d | d     | d2    |

    @case:no-device-fits-next-request
    @KEP-5963/backtracking/state-restored
    Scenario Outline: Two requests fail if no device for the first is compatible with the device for the second
      Given the devices
        | device | attribute role | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | d1     | string left    | units 10               | <one>                     |
        | d2     | string left    | units 10               | <two>                     |
        | d3     | string right   | units 10               | <three>                   |
      And a ResourceClaim "c" with the requests
        | request | selector                                             |
        | r0      | device.attributes["dra.example.com"].role == "left"  |
        | r1      | device.attributes["dra.example.com"].role == "right" |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

      Examples:
        | one | two | three |
        | a   | b   | c     |
        | a   | b   |       |
        |     |     | c     |

    @case:third-request-decides-second
    @KEP-5963/backtracking/state-restored
    Scenario Outline: The second of three requests gets the device compatible with the device of the third
      Given the devices
        | device | attribute role | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | wide   | string first   | units 10               | a, b                      |
        | d1     | string second  | units 10               | <one>                     |
        | d2     | string second  | units 10               | <two>                     |
        | last   | string third   | units 10               | b                         |
      And a ResourceClaim "c" with the requests
        | request | selector                                              |
        | r0      | device.attributes["dra.example.com"].role == "first"  |
        | r1      | device.attributes["dra.example.com"].role == "second" |
        | r2      | device.attributes["dra.example.com"].role == "third"  |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device  |
        | r0      | wide    |
        | r1      | <taken> |
        | r2      | last    |

      Examples:
        | one | two  | taken |
        | a   | b    | d2    |
        | b   | a    | d1    |
        | a   | b, c | d2    |

    @case:backtracked-on-two-sets
    @KEP-5963/backtracking/state-restored
    Scenario Outline: The group intersections of two counter sets are restored when a device is backtracked
      Given the devices
        | device | attribute role | consumesCounters gpu-0 | compatibilityGroups gpu-0 | consumesCounters gpu-1 | compatibilityGroups gpu-1 |
        | d1     | string first   | units 10               | <gpu-0>                   | units 10               | <gpu-1>                   |
        | d2     | string first   | units 10               | b                         | units 10               | y                         |
        | d3     | string first   | units 10               | <gpu-0>                   | units 10               | <gpu-1>                   |
        | on-0   | string second  | units 10               | b                         |                        |                           |
        | on-1   | string third   |                        |                           | units 10               | y                         |
      And a ResourceClaim "c" with the requests
        | request | selector                                              |
        | r0      | device.attributes["dra.example.com"].role == "first"  |
        | r1      | device.attributes["dra.example.com"].role == "second" |
        | r2      | device.attributes["dra.example.com"].role == "third"  |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d2     |
        | r1      | on-0   |
        | r2      | on-1   |

      Examples:
        | gpu-0 | gpu-1 |
        | a     | x     |
        | b     | x     |
        | a     | y     |
        |       |       |

    @case:fourth-request-changes-three
    @KEP-5963/backtracking/state-restored
    Scenario: The first three requests get devices of group b because the fourth request needs group b
      Given the devices
        | device | attribute role | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | a1     | string r1      | units 10               | a                         |
        | b1     | string r1      | units 10               | b                         |
        | a2     | string r2      | units 10               | a                         |
        | b2     | string r2      | units 10               | b                         |
        | a3     | string r3      | units 10               | a                         |
        | b3     | string r3      | units 10               | b                         |
        | b4     | string r4      | units 10               | b                         |
      And a ResourceClaim "c" with the requests
        | request | selector                                          |
        | r1      | device.attributes["dra.example.com"].role == "r1" |
        | r2      | device.attributes["dra.example.com"].role == "r2" |
        | r3      | device.attributes["dra.example.com"].role == "r3" |
        | r4      | device.attributes["dra.example.com"].role == "r4" |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r1      | b1     |
        | r2      | b2     |
        | r3      | b3     |
        | r4      | b4     |

    @case:groups-and-counters-for-next-request
    @KEP-5963/backtracking/state-restored @KEP-5963/composition/counters-still-apply
    Scenario: A request gets the device whose groups and counters leave a device for the next request
      Given the devices
        | device | attribute role | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | d1     | string first   | units 80               | mig                       |
        | d2     | string first   | units 10               | vgpu                      |
        | d3     | string first   | units 10               | mig, vgpu                 |
        | last   | string second  | units 50               | mig                       |
      And a ResourceClaim "c" with the requests
        | request | selector                                              |
        | r0      | device.attributes["dra.example.com"].role == "first"  |
        | r1      | device.attributes["dra.example.com"].role == "second" |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d3     |
        | r1      | last   |

  Rule: The next subrequest of a prioritized list is tried if devices are incompatible

    Background:
      Given the devices
        | device | attribute type | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0  | string mig     | units 20               | mig                       |
        | mig-1  | string mig     | units 20               | mig                       |
        | vgpu-0 | string vgpu    | units 40               | vgpu                      |
        | vgpu-1 | string vgpu    | units 40               | vgpu                      |

    @case:second-subrequest-for-device-in-use
    @KEP-5963/backtracking/refusal-tries-next-device
    Scenario: The second subrequest is used if a device in use is incompatible with the first
      Given ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | mig-0  | mig                       |
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName |
        | gpu     | best       | vgpu            |
        | gpu     | second     | mig             |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request    | device |
        | gpu/second | mig-1  |

    @case:first-subrequest-on-free-set
    @KEP-5963/compatibility/first-device-on-open-set @KEP-5963/compatibility/shared-group-admits
    Scenario: The first subrequest gets two devices of one compatibility group on a free counter set
      Given a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName | count |
        | gpu     | best       | vgpu            | 2     |
        | gpu     | second     | mig             | 1     |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request  | device |
        | gpu/best | vgpu-0 |
        | gpu/best | vgpu-1 |

    @case:second-subrequest-for-other-request
    @KEP-5963/backtracking/refusal-tries-next-device @KEP-5963/backtracking/state-restored
    Scenario: The second subrequest is used if the first is incompatible with another request's device
      Given a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName | count |
        | gpu     | best       | vgpu            | 2     |
        | gpu     | second     | mig             | 1     |
        | fixed   |            | mig             | 1     |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated one of
        | choice | request    | device |
        | 1      | gpu/second | mig-0  |
        | 1      | fixed      | mig-1  |
        | 2      | gpu/second | mig-1  |
        | 2      | fixed      | mig-0  |

    @case:no-subrequest-compatible
    @KEP-5963/composition/same-claim-requests
    Scenario: A ResourceClaim fails if no subrequest is compatible with the device of another request
      Given a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName | count |
        | gpu     | best       | vgpu            | 2     |
        | gpu     | second     | vgpu            | 1     |
        | fixed   |            | mig             | 1     |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

    @case:all-mode-subrequest-skipped
    @KEP-5963/backtracking/refusal-tries-next-device @KEP-5963/backtracking/all-mode-needs-one-common-group
    Scenario: A subrequest with allocationMode All is skipped if the devices have different groups
      Given a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName | allocationMode | count |
        | gpu     | all        |                 | All            |       |
        | gpu     | two        | mig             |                | 2     |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | gpu/two | mig-0  |
        | gpu/two | mig-1  |

  Rule: A node with incompatible devices is skipped

    Background:
      Given a node "left"
      And a node "right"
      And the counter sets
        | counterSet | pool  | node  | counter units |
        | gpu-0      | left  | left  | 100           |
        | gpu-0      | right | right | 100           |
      And the devices
        | device | pool  | node  | attribute type | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0  | left  | left  | string mig     | units 20               | mig                       |
        | vgpu-0 | left  | left  | string vgpu    | units 20               | vgpu                      |
        | mig-0  | right | right | string mig     | units 20               | mig                       |
        | vgpu-0 | right | right | string vgpu    | units 20               | vgpu                      |
      And ResourceClaim "other" is already allocated
        | device | pool | compatibilityGroups gpu-0 |
        | mig-0  | left | mig                       |
      And a ResourceClaim "c" requesting 1 device of class "vgpu"

    @case:node-with-mig-in-use-fails
    @KEP-5963/compatibility/disjoint-groups-refused
    Scenario: A vGPU device cannot be allocated on a node whose GPU has a MIG device in use
      When allocation of ResourceClaim "c" on node "left" is attempted
      Then no allocation is possible because of IncompatibleGroup

    @case:node-with-free-gpu
    @KEP-5963/backtracking/other-node-tried
    Scenario: A vGPU device is allocated on a node whose GPU is free
      When allocation of ResourceClaim "c" on node "right" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | pool  |
        | r0      | vgpu-0 | right |
