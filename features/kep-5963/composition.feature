Feature: Compatibility groups together with requests, constraints and counters
  Drivers declare compatibility groups. The groups apply in the same way to every request and every
  ResourceClaim, together with counters and constraints.

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
      | counterSet | counter multiprocessors |
      | gpu-0      | 100                     |
      | gpu-1      | 100                     |

  Rule: Requests of one ResourceClaim must get compatible devices

    @case:mig-and-vgpu-one-gpu
    @KEP-5963/composition/same-claim-requests
    Scenario: A ResourceClaim for a MIG and a vGPU device fails if all devices are on one GPU
      Given the devices
        | device | attribute type | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0  | string mig     | multiprocessors 20     | mig                       |
        | vgpu-0 | string vgpu    | multiprocessors 50     | vgpu                      |
      And a ResourceClaim "c" with the requests
        | request | deviceClassName |
        | r0      | mig             |
        | r1      | vgpu            |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

    @case:two-mig-one-gpu
    @KEP-5963/composition/same-claim-requests
    Scenario: A ResourceClaim for two MIG devices gets both devices from one GPU
      Given the devices
        | device | attribute type | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0  | string mig     | multiprocessors 20     | mig                       |
        | mig-1  | string mig     | multiprocessors 20     | mig                       |
        | vgpu-0 | string vgpu    | multiprocessors 50     | vgpu                      |
      And a ResourceClaim "c" with the requests
        | request | deviceClassName |
        | r0      | mig             |
        | r1      | mig             |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated at least
        | device |
        | mig-0  |
        | mig-1  |

    @case:mig-and-vgpu-two-gpus
    @KEP-5963/composition/same-claim-requests
    Scenario: A ResourceClaim for a MIG and a vGPU device gets the devices from two GPUs
      Given the devices
        | device | attribute type | consumesCounters gpu-0 | compatibilityGroups gpu-0 | consumesCounters gpu-1 | compatibilityGroups gpu-1 |
        | mig-0  | string mig     | multiprocessors 20     | mig                       |                        |                           |
        | mig-1  | string mig     |                        |                           | multiprocessors 20     | mig                       |
        | vgpu-0 | string vgpu    | multiprocessors 50     | vgpu                      |                        |                           |
        | vgpu-1 | string vgpu    |                        |                           | multiprocessors 50     | vgpu                      |
      And a ResourceClaim "c" with the requests
        | request | deviceClassName |
        | r0      | mig             |
        | r1      | vgpu            |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated one of
        | choice | request | device |
        | 1      | r0      | mig-0  |
        | 1      | r1      | vgpu-1 |
        | 2      | r0      | mig-1  |
        | 2      | r1      | vgpu-0 |

  Rule: Different ResourceClaims must get compatible devices

    Background:
      Given the devices
        | device | attribute type | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0  | string mig     | multiprocessors 20     | mig                       |
        | mig-1  | string mig     | multiprocessors 20     | mig                       |
        | vgpu-0 | string vgpu    | multiprocessors 50     | vgpu                      |

    @case:mig-claim-then-vgpu-claim
    @KEP-5963/composition/other-claim-of-same-pod
    Scenario: ResourceClaims for a MIG and then a vGPU device cannot be allocated together on one GPU
      Given a ResourceClaim "a" requesting 1 device of class "mig"
      And a ResourceClaim "b" requesting 1 device of class "vgpu"
      When allocation of the ResourceClaims "a, b" together is attempted
      Then no allocation is possible because of IncompatibleGroup

    @case:vgpu-claim-then-mig-claim
    @KEP-5963/composition/other-claim-of-same-pod
    Scenario: ResourceClaims for a vGPU and then a MIG device cannot be allocated together on one GPU
      Given a ResourceClaim "a" requesting 1 device of class "vgpu"
      And a ResourceClaim "b" requesting 1 device of class "mig"
      When allocation of the ResourceClaims "a, b" together is attempted
      Then no allocation is possible because of IncompatibleGroup

    @case:two-mig-claims
    @KEP-5963/composition/other-claim-of-same-pod
    Scenario: Two ResourceClaims for MIG devices are allocated together on one GPU
      Given a ResourceClaim "a" requesting 1 device of class "mig"
      And a ResourceClaim "b" requesting 1 device of class "mig"
      When allocation of the ResourceClaims "a, b" together is attempted
      Then ResourceClaim "a" is allocated one of
        | choice | device |
        | 1      | mig-0  |
        | 2      | mig-1  |
      And ResourceClaim "b" is allocated one of
        | choice | device |
        | 1      | mig-0  |
        | 2      | mig-1  |

    @case:vgpu-with-mig-in-other-namespace
    @KEP-5963/composition/other-pod
    Scenario: A vGPU device cannot be allocated if a ResourceClaim in another namespace has a MIG device
      Given ResourceClaim "team-a/gpu" is already allocated
        | device | compatibilityGroups gpu-0 |
        | mig-0  | mig                       |
      And a ResourceClaim "team-b/gpu" requesting 1 device of class "vgpu"
      When allocation of ResourceClaim "team-b/gpu" is attempted
      Then no allocation is possible because of IncompatibleGroup

    @case:mig-with-mig-in-other-namespace
    @KEP-5963/composition/other-pod
    Scenario: A MIG device is allocated while a ResourceClaim in another namespace has a MIG device
      Given ResourceClaim "team-a/gpu" is already allocated
        | device | compatibilityGroups gpu-0 |
        | mig-0  | mig                       |
      And a ResourceClaim "team-b/gpu" requesting 1 device
      When allocation of ResourceClaim "team-b/gpu" is attempted
      Then ResourceClaim "team-b/gpu" is allocated exactly
        | request | device |
        | r0      | mig-1  |

  Rule: Constraints of the ResourceClaim must hold in addition to compatibility groups

    @case:same-numa-and-group
    @KEP-5963/composition/conjunction-with-matchattribute
    Scenario: A ResourceClaim with matchAttribute gets two devices with the same NUMA node and group
      Given the devices
        | device | attribute dra.example.com/numa | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | d1     | int 0                          | multiprocessors 20     | mig                       |
        | d2     | int 1                          | multiprocessors 20     | mig                       |
        | d3     | int 0                          | multiprocessors 20     | vgpu                      |
        | d4     | int 0                          | multiprocessors 20     | mig                       |
      And a ResourceClaim "c" requesting 2 devices
      And ResourceClaim "c" has the constraint matchAttribute "dra.example.com/numa"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d1     |
        | r0      | d4     |

    @case:same-group-other-numa
    @KEP-5963/composition/conjunction-with-matchattribute
    Scenario: Two devices of one group on different NUMA nodes do not satisfy matchAttribute
      Given the devices
        | device | attribute dra.example.com/numa | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | d1     | int 0                          | multiprocessors 20     | mig                       |
        | d2     | int 1                          | multiprocessors 20     | mig                       |
      And a ResourceClaim "c" requesting 2 devices
      And ResourceClaim "c" has the constraint matchAttribute "dra.example.com/numa"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of ConstraintUnsatisfied

    @case:same-numa-other-group
    @KEP-5963/composition/conjunction-with-matchattribute
    Scenario: Two devices on one NUMA node cannot be allocated together if their groups differ
      Given the devices
        | device | attribute dra.example.com/numa | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | d1     | int 0                          | multiprocessors 20     | mig                       |
        | d2     | int 0                          | multiprocessors 20     | vgpu                      |
      And a ResourceClaim "c" requesting 2 devices
      And ResourceClaim "c" has the constraint matchAttribute "dra.example.com/numa"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

    @case:search-until-both-hold
    @KEP-5963/composition/conjunction-with-matchattribute @KEP-5963/composition/violation-backtracks-like-a-constraint
    Scenario: The allocator searches until two devices satisfy matchAttribute and share a group
      Given the devices
        | device | attribute dra.example.com/numa | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | d1     | int 0                          | multiprocessors 20     | vgpu                      |
        | d2     | int 1                          | multiprocessors 20     | mig                       |
        | d3     | int 0                          | multiprocessors 20     | mig                       |
        | d4     | int 1                          | multiprocessors 20     | vgpu                      |
        | d5     | int 1                          | multiprocessors 20     | nvl                       |
        | d6     | int 2                          | multiprocessors 20     | nvl, mig                  |
        | d7     | int 2                          | multiprocessors 20     | mig, vgpu                 |
      And a ResourceClaim "c" with the requests
        | request |
        | r0      |
        | r1      |
      And ResourceClaim "c" has the constraint matchAttribute "dra.example.com/numa"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated at least
        | device |
        | d6     |
        | d7     |

    @case:no-constraint-different-numa
    @KEP-5963/composition/driver-cannot-force-matchattribute
    Scenario: Devices of one group on different NUMA nodes are allocated if there is no constraint
      Given the devices
        | device | attribute dra.example.com/numa | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | d1     | int 0                          | multiprocessors 20     | mig                       |
        | d2     | int 1                          | multiprocessors 20     | mig                       |
      And a ResourceClaim "c" requesting 2 devices
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d1     |
        | r0      | d2     |

  Rule: Counters must be large enough in addition to compatibility groups

    @case:counters-suffice
    @KEP-5963/composition/counters-still-apply
    Scenario Outline: A device of the group in use is allocated if the remaining counter is large enough
      Given the devices
        | device | consumesCounters gpu-0  | compatibilityGroups gpu-0 |
        | d1     | multiprocessors <held>  | mig                       |
        | d2     | multiprocessors <asked> | mig                       |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | d1     | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d2     |

      Examples:
        | held | asked |
        | 20   | 80    |
        | 50   | 50    |
        | 100  | 0     |

    @case:sixth-mig-counters-exhausted
    @KEP-5963/composition/counters-still-apply
    Scenario: A sixth MIG device cannot be allocated if five MIG devices exhaust the counter
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0  | multiprocessors 20     | mig                       |
        | mig-1  | multiprocessors 20     | mig                       |
        | mig-2  | multiprocessors 20     | mig                       |
        | mig-3  | multiprocessors 20     | mig                       |
        | mig-4  | multiprocessors 20     | mig                       |
        | mig-5  | multiprocessors 20     | mig                       |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | mig-0  | mig                       |
        | mig-1  | mig                       |
        | mig-2  | mig                       |
        | mig-3  | mig                       |
        | mig-4  | mig                       |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of CounterExhausted

    @case:third-vgpu-counters-exhausted
    @KEP-5963/composition/counters-still-apply
    Scenario: A third vGPU device cannot be allocated if two vGPU devices exhaust the counter
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | vgpu-0 | multiprocessors 50     | vgpu                      |
        | vgpu-1 | multiprocessors 50     | vgpu                      |
        | vgpu-2 | multiprocessors 50     | vgpu                      |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | vgpu-0 | vgpu                      |
        | vgpu-1 | vgpu                      |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of CounterExhausted

  Rule: A ResourceClaim cannot relax compatibility groups

    Background:
      Given the devices
        | device | attribute type | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0  | string mig     | multiprocessors 20     | mig                       |
        | vgpu-0 | string vgpu    | multiprocessors 50     | vgpu                      |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | mig-0  | mig                       |

    @case:selector-cannot-relax
    @KEP-5963/composition/claim-cannot-relax
    Scenario: A ResourceClaim whose selector matches an incompatible device does not get the device
      Given a ResourceClaim "c" with the request
        | request | deviceClassName | selector                                            |
        | r0      | vgpu            | device.attributes["dra.example.com"].type == "vgpu" |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

    @case:tolerations-cannot-relax
    @KEP-5963/composition/claim-cannot-relax
    Scenario: A ResourceClaim that tolerates every taint does not get an incompatible device
      Given a ResourceClaim "c" with the request
        | request | deviceClassName | tolerations |
        | r0      | vgpu            | *           |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

    @case:all-mode-cannot-relax
    @KEP-5963/composition/claim-cannot-relax
    Scenario: A ResourceClaim with allocationMode All does not get an incompatible device
      Given a ResourceClaim "c" with the request
        | request | deviceClassName | allocationMode |
        | r0      | vgpu            | All            |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

    @case:config-cannot-relax
    @KEP-5963/composition/claim-cannot-relax
    Scenario: A ResourceClaim with driver configuration does not get an incompatible device
      Given a ResourceClaim "c" requesting 1 device of class "vgpu"
      And ResourceClaim "c" is configured with profile "compatibilityGroups=mig"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of IncompatibleGroup

  Rule: Admin access to devices with groups

    @case:admin-access-to-device-in-use
    @KEP-5963/compatibility/shared-group-admits
    Scenario: A ResourceClaim with adminAccess gets a device with compatibility groups that is in use
      Given the devices
        | device | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0  | multiprocessors 20     | mig                       |
      And ResourceClaim "other" is already allocated
        | device | compatibilityGroups gpu-0 |
        | mig-0  | mig                       |
      And a ResourceClaim "c" with the request
        | request | adminAccess |
        | r0      | yes         |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | adminAccess |
        | r0      | mig-0  | yes         |

    @case:admin-access-excludes-nothing
    @KEP-5963/composition/admin-access-does-not-count
    Scenario: A device allocated only with adminAccess does not exclude devices of another group
      Given the devices
        | device | attribute type | consumesCounters gpu-0 | compatibilityGroups gpu-0 |
        | mig-0  | string mig     | multiprocessors 20     | mig                       |
        | vgpu-0 | string vgpu    | multiprocessors 50     | vgpu                      |
      And ResourceClaim "admin" is already allocated
        | device | adminAccess | compatibilityGroups gpu-0 |
        | mig-0  | yes         | mig                       |
      And a ResourceClaim "c" requesting 1 device of class "vgpu"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | vgpu-0 |
