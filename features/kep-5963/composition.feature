Feature: Groups beside everything else a claim says
  Groups are the driver's. Whatever a claim asks for, and whoever holds a device, they count in the same way and
  together with counters and constraints.

  Background:
    Given a device class "mig" that selects
      """
      device.attributes["dra.example.com"].type == "mig"
      """
    And a device class "vgpu" that selects
      """
      device.attributes["dra.example.com"].type == "vgpu"
      """
    And the counter sets
      | set   | counter multiprocessors |
      | gpu-0 | 100                     |
      | gpu-1 | 100                     |

  Rule: Requests of one claim see each other

    @case:a-claim-for-a-mig-and-a-vgpu-device-is-refused-on
    @KEP-5963/composition/same-claim-requests
    Scenario: A claim for a MIG and a vGPU device is refused on one GPU
      Given the devices
        | device | attribute type | counters gpu-0     | groups gpu-0 |
        | mig-0  | string mig     | multiprocessors 20 | mig          |
        | vgpu-0 | string vgpu    | multiprocessors 50 | vgpu         |
      And a claim "c" with the requests
        | request | class |
        | r0      | mig   |
        | r1      | vgpu  |
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

    @case:a-claim-for-two-mig-devices-gets-them-from-one-gpu
    @KEP-5963/composition/same-claim-requests
    Scenario: A claim for two MIG devices gets them from one GPU
      Given the devices
        | device | attribute type | counters gpu-0     | groups gpu-0 |
        | mig-0  | string mig     | multiprocessors 20 | mig          |
        | mig-1  | string mig     | multiprocessors 20 | mig          |
        | vgpu-0 | string vgpu    | multiprocessors 50 | vgpu         |
      And a claim "c" with the requests
        | request | class |
        | r0      | mig   |
        | r1      | mig   |
      When allocation of claim "c" is attempted
      Then claim "c" has the results
        | device |
        | mig-0  |
        | mig-1  |

    @case:a-claim-for-a-mig-and-a-vgpu-device-gets-them-from
    @KEP-5963/composition/same-claim-requests
    Scenario: A claim for a MIG and a vGPU device gets them from two GPUs
      Given the devices
        | device | attribute type | counters gpu-0     | groups gpu-0 | counters gpu-1     | groups gpu-1 |
        | mig-0  | string mig     | multiprocessors 20 | mig          |                    |              |
        | mig-1  | string mig     |                    |              | multiprocessors 20 | mig          |
        | vgpu-0 | string vgpu    | multiprocessors 50 | vgpu         |                    |              |
        | vgpu-1 | string vgpu    |                    |              | multiprocessors 50 | vgpu         |
      And a claim "c" with the requests
        | request | class |
        | r0      | mig   |
        | r1      | vgpu  |
      When allocation of claim "c" is attempted
      Then claim "c" gets one of
        | choice | request | device |
        | 1      | r0      | mig-0  |
        | 1      | r1      | vgpu-1 |
        | 2      | r0      | mig-1  |
        | 2      | r1      | vgpu-0 |

  Rule: Claims that are allocated together see each other

    Background:
      Given the devices
        | device | attribute type | counters gpu-0     | groups gpu-0 |
        | mig-0  | string mig     | multiprocessors 20 | mig          |
        | mig-1  | string mig     | multiprocessors 20 | mig          |
        | vgpu-0 | string vgpu    | multiprocessors 50 | vgpu         |

    @case:a-claim-for-a-mig-device-and-then-one-for-a-vgpu
    @KEP-5963/composition/other-claim-of-same-pod
    Scenario: A claim for a MIG device and then one for a vGPU device are refused on one GPU
      Given a claim "a" requesting 1 device of class "mig"
      And a claim "b" requesting 1 device of class "vgpu"
      When allocation of the claims "a, b" together is attempted
      Then nothing fits because of IncompatibleGroup

    @case:a-claim-for-a-vgpu-device-and-then-one-for-a-mig
    @KEP-5963/composition/other-claim-of-same-pod
    Scenario: A claim for a vGPU device and then one for a MIG device are refused on one GPU
      Given a claim "a" requesting 1 device of class "vgpu"
      And a claim "b" requesting 1 device of class "mig"
      When allocation of the claims "a, b" together is attempted
      Then nothing fits because of IncompatibleGroup

    @case:two-claims-for-mig-devices-are-allocated-together-on
    @KEP-5963/composition/other-claim-of-same-pod
    Scenario: Two claims for MIG devices are allocated together on one GPU
      Given a claim "a" requesting 1 device of class "mig"
      And a claim "b" requesting 1 device of class "mig"
      When allocation of the claims "a, b" together is attempted
      Then claim "a" gets one of
        | choice | device |
        | 1      | mig-0  |
        | 2      | mig-1  |
      And claim "b" gets one of
        | choice | device |
        | 1      | mig-0  |
        | 2      | mig-1  |

    @case:a-vgpu-device-is-refused-beside-the-mig-device-of-a
    @KEP-5963/composition/other-pod
    Scenario: A vGPU device is refused beside the MIG device of a claim in another namespace
      Given claim "team-a/gpu" already holds
        | device | groups gpu-0 |
        | mig-0  | mig          |
      And a claim "team-b/gpu" requesting 1 device of class "vgpu"
      When allocation of claim "team-b/gpu" is attempted
      Then nothing fits because of IncompatibleGroup

    @case:a-mig-device-is-allocated-beside-the-mig-device-of-a
    @KEP-5963/composition/other-pod
    Scenario: A MIG device is allocated beside the MIG device of a claim in another namespace
      Given claim "team-a/gpu" already holds
        | device | groups gpu-0 |
        | mig-0  | mig          |
      And a claim "team-b/gpu" requesting 1 device
      When allocation of claim "team-b/gpu" is attempted
      Then claim "team-b/gpu" gets exactly
        | request | device |
        | r0      | mig-1  |

  Rule: Constraints of the claim must hold as well

    @case:of-four-devices-the-two-with-one-numa-node-and-one
    @KEP-5963/composition/conjunction-with-matchattribute
    Scenario: Of four devices the two with one NUMA node and one group are allocated
      Given the devices
        | device | attribute dra.example.com/numa | counters gpu-0     | groups gpu-0 |
        | d1     | int 0                          | multiprocessors 20 | mig          |
        | d2     | int 1                          | multiprocessors 20 | mig          |
        | d3     | int 0                          | multiprocessors 20 | vgpu         |
        | d4     | int 0                          | multiprocessors 20 | mig          |
      And a claim "c" requesting 2 devices
      And claim "c" needs matching "dra.example.com/numa"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d1     |
        | r0      | d4     |

    @case:two-devices-of-one-group-are-refused-where-their
    @KEP-5963/composition/conjunction-with-matchattribute
    Scenario: Two devices of one group are refused where their NUMA nodes must match and do not
      Given the devices
        | device | attribute dra.example.com/numa | counters gpu-0     | groups gpu-0 |
        | d1     | int 0                          | multiprocessors 20 | mig          |
        | d2     | int 1                          | multiprocessors 20 | mig          |
      And a claim "c" requesting 2 devices
      And claim "c" needs matching "dra.example.com/numa"
      When allocation of claim "c" is attempted
      Then nothing fits because of ConstraintUnsatisfied

    @case:two-devices-whose-numa-nodes-match-are-refused
    @KEP-5963/composition/conjunction-with-matchattribute
    Scenario: Two devices whose NUMA nodes match are refused because of different groups
      Given the devices
        | device | attribute dra.example.com/numa | counters gpu-0     | groups gpu-0 |
        | d1     | int 0                          | multiprocessors 20 | mig          |
        | d2     | int 0                          | multiprocessors 20 | vgpu         |
      And a claim "c" requesting 2 devices
      And claim "c" needs matching "dra.example.com/numa"
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

    @case:the-search-goes-on-after-refusals-by-groups-and-by
    @KEP-5963/composition/conjunction-with-matchattribute @KEP-5963/composition/violation-backtracks-like-a-constraint
    Scenario: The search goes on after refusals by groups and by matchAttribute until both hold
      Given the devices
        | device | attribute dra.example.com/numa | counters gpu-0     | groups gpu-0 |
        | d1     | int 0                          | multiprocessors 20 | vgpu         |
        | d2     | int 1                          | multiprocessors 20 | mig          |
        | d3     | int 0                          | multiprocessors 20 | mig          |
        | d4     | int 1                          | multiprocessors 20 | vgpu         |
        | d5     | int 1                          | multiprocessors 20 | nvl          |
        | d6     | int 2                          | multiprocessors 20 | nvl, mig     |
        | d7     | int 2                          | multiprocessors 20 | mig, vgpu    |
      And a claim "c" with the requests
        | request |
        | r0      |
        | r1      |
      And claim "c" needs matching "dra.example.com/numa"
      When allocation of claim "c" is attempted
      Then claim "c" has the results
        | device |
        | d6     |
        | d7     |

    @case:without-a-constraint-devices-of-one-group-may-be-on
    @KEP-5963/composition/driver-cannot-force-matchattribute
    Scenario: Without a constraint devices of one group may be on different NUMA nodes
      Given the devices
        | device | attribute dra.example.com/numa | counters gpu-0     | groups gpu-0 |
        | d1     | int 0                          | multiprocessors 20 | mig          |
        | d2     | int 1                          | multiprocessors 20 | mig          |
      And a claim "c" requesting 2 devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d1     |
        | r0      | d2     |

  Rule: Counters must suffice as well

    @case:a-device-that-draws-of-100-is-allocated-beside-one
    @KEP-5963/composition/counters-still-apply
    Scenario Outline: A device that draws <asked> of 100 is allocated beside one of its group that draws <held>
      Given the devices
        | device | counters gpu-0          | groups gpu-0 |
        | d1     | multiprocessors <held>  | mig          |
        | d2     | multiprocessors <asked> | mig          |
      And claim "other" already holds
        | device | groups gpu-0 |
        | d1     | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d2     |

      Examples:
        | held | asked |
        | 20   | 80    |
        | 50   | 50    |
        | 100  | 0     |

    @case:a-sixth-mig-device-is-refused-where-five-use-up-the
    @KEP-5963/composition/counters-still-apply
    Scenario: A sixth MIG device is refused where five use up the counter
      Given the devices
        | device | counters gpu-0     | groups gpu-0 |
        | mig-0  | multiprocessors 20 | mig          |
        | mig-1  | multiprocessors 20 | mig          |
        | mig-2  | multiprocessors 20 | mig          |
        | mig-3  | multiprocessors 20 | mig          |
        | mig-4  | multiprocessors 20 | mig          |
        | mig-5  | multiprocessors 20 | mig          |
      And claim "other" already holds
        | device | groups gpu-0 |
        | mig-0  | mig          |
        | mig-1  | mig          |
        | mig-2  | mig          |
        | mig-3  | mig          |
        | mig-4  | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of CounterExhausted

    @case:a-third-vgpu-device-is-refused-where-two-use-up-the
    @KEP-5963/composition/counters-still-apply
    Scenario: A third vGPU device is refused where two use up the counter
      Given the devices
        | device | counters gpu-0     | groups gpu-0 |
        | vgpu-0 | multiprocessors 50 | vgpu         |
        | vgpu-1 | multiprocessors 50 | vgpu         |
        | vgpu-2 | multiprocessors 50 | vgpu         |
      And claim "other" already holds
        | device | groups gpu-0 |
        | vgpu-0 | vgpu         |
        | vgpu-1 | vgpu         |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of CounterExhausted

    @case:a-device-is-refused-that-neither-the-counters-nor
    @KEP-5963/composition/counters-still-apply
    Scenario: A device is refused that neither the counters nor the groups admit
      Given the devices
        | device | counters gpu-0     | groups gpu-0 |
        | mig-0  | multiprocessors 80 | mig          |
        | vgpu-0 | multiprocessors 50 | vgpu         |
      And claim "other" already holds
        | device | groups gpu-0 |
        | mig-0  | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits

  Rule: A claim cannot lift the groups

    Background:
      Given the devices
        | device | attribute type | counters gpu-0     | groups gpu-0 |
        | mig-0  | string mig     | multiprocessors 20 | mig          |
        | vgpu-0 | string vgpu    | multiprocessors 50 | vgpu         |
      And claim "other" already holds
        | device | groups gpu-0 |
        | mig-0  | mig          |

    @case:a-claim-cannot-lift-the-groups-of-devices-with-a
    @KEP-5963/composition/claim-cannot-relax
    Scenario: A claim cannot lift the groups of devices with a selector
      Given a claim "c" with the request
        | request | class | selector                                            |
        | r0      | vgpu  | device.attributes["dra.example.com"].type == "vgpu" |
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

    @case:a-claim-cannot-lift-the-groups-of-devices-with
    @KEP-5963/composition/claim-cannot-relax
    Scenario: A claim cannot lift the groups of devices with tolerations for every taint
      Given a claim "c" with the request
        | request | class | tolerations |
        | r0      | vgpu  | *           |
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

    @case:a-claim-cannot-lift-the-groups-of-devices-with-a-2
    @KEP-5963/composition/claim-cannot-relax
    Scenario: A claim cannot lift the groups of devices with a request for all devices of the class
      Given a claim "c" with the request
        | request | class | mode |
        | r0      | vgpu  | All  |
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

    @case:a-claim-cannot-lift-the-groups-of-devices-with-2
    @KEP-5963/composition/claim-cannot-relax
    Scenario: A claim cannot lift the groups of devices with configuration for the driver
      Given a claim "c" requesting 1 device of class "vgpu"
      And claim "c" is configured with "compatibilityGroups=mig"
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

  Rule: Administrative access reaches a device in use

    @case:administrative-access-reaches-a-grouped-device-that
    @KEP-5963/compatibility/shared-group-admits
    Scenario: Administrative access reaches a grouped device that another claim holds
      Given the devices
        | device | counters gpu-0     | groups gpu-0 |
        | mig-0  | multiprocessors 20 | mig          |
      And claim "other" already holds
        | device | groups gpu-0 |
        | mig-0  | mig          |
      And a claim "c" with the request
        | request | admin |
        | r0      | yes   |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | admin |
        | r0      | mig-0  | yes   |

    @case:a-device-held-with-administrative-access-excludes-no
    @KEP-5963/rolling-intersection/seeded-from-allocated-devices
    Scenario: A device held with administrative access excludes no device of another group
      Given the devices
        | device | attribute type | counters gpu-0     | groups gpu-0 |
        | mig-0  | string mig     | multiprocessors 20 | mig          |
        | vgpu-0 | string vgpu    | multiprocessors 50 | vgpu         |
      And claim "admin" already holds
        | device | admin | groups gpu-0 |
        | mig-0  | yes   | mig          |
      And a claim "c" requesting 1 device of class "vgpu"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | vgpu-0 |
