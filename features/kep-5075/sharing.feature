Feature: Allocation of multi-allocatable and exclusive devices
  A multi-allocatable device has allowMultipleAllocations set to true. It can be allocated to any number of requests,
  in one ResourceClaim or in several. Any other device is exclusive: it is allocated to one request at a time.

  Rule: Multi-allocatable devices are shared

    @case:two-claims-by-default
    @KEP-5075/allocation/multi-allocatable-many-times
    Scenario: Two ResourceClaims without capacity share a device whose default is half its capacity
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth         |
        | eth1   | yes                      | 4                  | default 2, min 2, step 2, max 4 |
      And a ResourceClaim "a" requesting no capacity
      And a ResourceClaim "b" requesting no capacity
      When allocation of the ResourceClaims "a, b" together is attempted
      Then ResourceClaim "a" is allocated exactly
        | request | device | consumedCapacity bandwidth | shareID |
        | r0      | eth1   | 2                          | yes     |
      And ResourceClaim "b" is allocated exactly
        | request | device | consumedCapacity bandwidth | shareID |
        | r0      | eth1   | 2                          | yes     |

    @case:defaults-used-up
    @KEP-5075/capacity-accounting/aggregate-across-results-of-one-claim
    @KEP-5075/default/policy-default-used-when-absent
    Scenario: A request without capacity fails if two allocations of the default use up the device
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth         |
        | eth1   | yes                      | 4                  | default 2, min 2, step 2, max 4 |
      And ResourceClaim "other" is already allocated
        | device | request | consumedCapacity bandwidth | shareID |
        | eth1   | r0      | 2                          | s1      |
        | eth1   | r1      | 2                          | s2      |
      And a ResourceClaim "c" requesting no capacity
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of InsufficientCapacity

    @case:two-requests-share-device
    @KEP-5075/allocation/same-claim-two-requests-same-device
    @KEP-5075/status/share-id-unique-per-device @KEP-5075/status/several-results-same-device
    Scenario: Two requests of a ResourceClaim share a multi-allocatable device
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth |
        | eth1   | yes                      | 10                 |
      And a ResourceClaim "c" with the requests
        | request | capacity bandwidth |
        | r1      | 4                  |
        | r2      | 6                  |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity bandwidth | shareID |
        | r1      | eth1   | 4                          | yes     |
        | r2      | eth1   | 6                          | yes     |

    @case:two-requests-exclusive-device
    @KEP-5075/allocation/dedicated-only-once
    Scenario: Two requests of a ResourceClaim do not share an exclusive device
      Given the devices
        | device | capacity bandwidth |
        | eth1   | 10                 |
      And a ResourceClaim "c" with the requests
        | request | capacity bandwidth |
        | r1      | 4                  |
        | r2      | 6                  |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

    @case:no-constraint-same-device
    @KEP-5075/allocation/no-implicit-distinctness
    Scenario: A ResourceClaim without constraints can get two shared allocations of its only device
      Given the devices
        | device | allowMultipleAllocations | capacity memory |
        | gpu    | yes                      | 8Gi             |
      And a ResourceClaim "c" with the requests
        | request | capacity memory |
        | vgpu-1  | 4Gi             |
        | vgpu-2  | 4Gi             |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity memory | shareID |
        | vgpu-1  | gpu    | 4Gi                     | yes     |
        | vgpu-2  | gpu    | 4Gi                     | yes     |

    @case:no-constraint-any-placement
    @KEP-5075/allocation/no-implicit-distinctness
    Scenario: Two requests without constraints can get shared allocations of one or two devices
      Given the devices
        | device | allowMultipleAllocations | capacity memory |
        | gpu-1  | yes                      | 8Gi             |
        | gpu-2  | yes                      | 8Gi             |
      And a ResourceClaim "c" with the requests
        | request | capacity memory |
        | vgpu-1  | 4Gi             |
        | vgpu-2  | 4Gi             |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated one of
        | choice | request | device | consumedCapacity memory |
        | 1      | vgpu-1  | gpu-1  | 4Gi                     |
        | 1      | vgpu-2  | gpu-1  | 4Gi                     |
        | 2      | vgpu-1  | gpu-1  | 4Gi                     |
        | 2      | vgpu-2  | gpu-2  | 4Gi                     |
        | 3      | vgpu-1  | gpu-2  | 4Gi                     |
        | 3      | vgpu-2  | gpu-1  | 4Gi                     |
        | 4      | vgpu-1  | gpu-2  | 4Gi                     |
        | 4      | vgpu-2  | gpu-2  | 4Gi                     |

  Rule: Exclusive devices are not shared

    @case:exclusive-device-in-use
    @KEP-5075/allocation/dedicated-only-once @KEP-5075/allocation/unset-equals-false
    Scenario Outline: An exclusive device in use is not allocated, with or without a capacity request
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth |
        | eth1   | <shared>                 | 10                 |
      And ResourceClaim "other" is already allocated
        | device |
        | eth1   |
      And a ResourceClaim "c" requesting <what>
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of DeviceInUse

      Examples:
        | flag  | shared | what             |
        | false | no     | 1 of "bandwidth" |
        | unset |        | 1 of "bandwidth" |
        | false | no     | no capacity      |
        | unset |        | no capacity      |

    @case:two-claims-exclusive-device
    @KEP-5075/allocation/dedicated-only-once
    Scenario Outline: Two ResourceClaims do not share an exclusive device
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth |
        | eth1   | <shared>                 | 10                 |
      And a ResourceClaim "a" requesting 1 of "bandwidth"
      And a ResourceClaim "b" requesting 1 of "bandwidth"
      When allocation of the ResourceClaims "a, b" together is attempted
      Then no allocation is possible

      Examples:
        | shared | flag  |
        | no     | false |
        |        | unset |

    @case:two-claims-two-exclusive-devices
    @KEP-5075/allocation/dedicated-only-once
    Scenario: Two ResourceClaims get two exclusive devices
      Given the devices
        | device | capacity bandwidth |
        | eth1   | 10                 |
        | eth2   | 10                 |
      And a ResourceClaim "a" requesting 1 of "bandwidth"
      And a ResourceClaim "b" requesting 1 of "bandwidth"
      When allocation of the ResourceClaims "a, b" together is attempted
      Then ResourceClaim "a" is allocated 1 device
      And ResourceClaim "b" is allocated 1 device

    @case:exclusive-device-allocated-whole
    @KEP-5075/allocation/unset-equals-false @KEP-5075/status/consumed-capacity-only-for-shared
    Scenario Outline: A capacity request gets an exclusive device as a whole, without a shareID
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth |
        | eth1   | <shared>                 | 10                 |
      And a ResourceClaim "c" requesting 4 of "bandwidth"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | shareID |
        | r0      | eth1   | no      |

      Examples:
        | shared | flag  |
        | no     | false |
        |        | unset |

  Rule: Multi-allocatable devices without capacity

    Background:
      Given the devices
        | device | allowMultipleAllocations | attribute dra.example.com/lan |
        | eth1   | yes                      | string blue                   |

    @case:no-capacity-three-claims
    @KEP-5075/allocation/infinite-sharing-without-capacity
    Scenario: Three ResourceClaims share a multi-allocatable device without capacity
      Given a ResourceClaim "a" requesting no capacity
      And a ResourceClaim "b" requesting no capacity
      And a ResourceClaim "c" requesting no capacity
      When allocation of the ResourceClaims "a, b, c" together is attempted
      Then ResourceClaim "a" is allocated at least
        | device | shareID |
        | eth1   | yes     |
      And ResourceClaim "b" is allocated at least
        | device | shareID |
        | eth1   | yes     |
      And ResourceClaim "c" is allocated at least
        | device | shareID |
        | eth1   | yes     |

    @case:no-capacity-selector-mismatch
    @KEP-5075/allocation/infinite-sharing-without-capacity
    Scenario: A device without capacity is not allocated if the selector does not match
      Given a ResourceClaim "c" with the requests
        | request | selector                                            |
        | r0      | device.attributes["dra.example.com"].lan == "green" |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of SelectorNotMatched

    @case:no-capacity-other-node
    @KEP-5075/allocation/infinite-sharing-without-capacity
    Scenario: A device without capacity is not allocated on a node without access to the device
      Given a node "node-1"
      And a node "node-2"
      And a ResourceClaim "c" requesting no capacity
      When allocation of ResourceClaim "c" on node "node-2" is attempted
      Then no allocation is possible

  Rule: Search for the next device with enough capacity

    @case:used-up-device-skipped
    @KEP-5075/allocation/next-device-when-exhausted
    Scenario: A request gets the next device if the first has no remaining capacity
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth |
        | eth1   | yes                      | 2                  |
        | eth2   | yes                      | 2                  |
      And ResourceClaim "other" is already allocated
        | device | consumedCapacity bandwidth | shareID |
        | eth1   | 2                          | s1      |
      And a ResourceClaim "c" requesting 2 of "bandwidth"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity bandwidth | shareID |
        | r0      | eth2   | 2                          | yes     |

    @case:too-small-device-skipped
    @KEP-5075/allocation/next-device-when-exhausted
    Scenario Outline: A request gets the device with enough capacity whether the device is first or second
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth |
        | eth1   | yes                      | <first>            |
        | eth2   | yes                      | <second>           |
      And a ResourceClaim "c" requesting 3 of "bandwidth"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device   | consumedCapacity bandwidth | shareID |
        | r0      | <device> | 3                          | yes     |

      Examples:
        | first | second | device |
        | 1     | 4      | eth2   |
        | 4     | 1      | eth1   |

    @case:next-slice-pool-or-driver
    @KEP-5075/allocation/next-pool-or-slice
    Scenario Outline: A request finds a device in another ResourceSlice, pool or driver if the first is used up
      Given the devices
        | device | driver          | pool   | slice   | allowMultipleAllocations | capacity bandwidth |
        | eth1   | net.example.com | pool-1 | slice-1 | yes                      | 2                  |
        | eth2   | <driver>        | <pool> | slice-2 | yes                      | 2                  |
      And ResourceClaim "other" is already allocated
        | device | driver          | pool   | consumedCapacity bandwidth | shareID |
        | eth1   | net.example.com | pool-1 | 2                          | s1      |
      And a ResourceClaim "c" requesting 2 of "bandwidth"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | driver   | pool   | device | consumedCapacity bandwidth | shareID |
        | r0      | <driver> | <pool> | eth2   | 2                          | yes     |

      Examples: another slice, another pool, another driver
        | driver          | pool   |
        | net.example.com | pool-1 |
        | net.example.com | pool-2 |
        | nic.example.com | pool-1 |

  Rule: Requests with a count

    @case:count-two-consumes-each
    @KEP-5075/allocation/count-applies-per-device
    Scenario: A request for two devices consumes the requested capacity of each device
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth |
        | eth1   | yes                      | 10                 |
        | eth2   | yes                      | 10                 |
      And a ResourceClaim "c" with the requests
        | request | count | capacity bandwidth |
        | r0      | 2     | 6                  |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity bandwidth | shareID |
        | r0      | eth1   | 6                          | yes     |
        | r0      | eth2   | 6                          | yes     |

    @case:count-two-skips-device
    @KEP-5075/allocation/count-applies-per-device
    Scenario: A request for two devices skips a device with too little remaining capacity
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth |
        | eth1   | yes                      | 10                 |
        | eth2   | yes                      | 10                 |
        | eth3   | yes                      | 10                 |
      And ResourceClaim "other" is already allocated
        | device | consumedCapacity bandwidth | shareID |
        | eth2   | 5                          | s1      |
      And a ResourceClaim "c" with the requests
        | request | count | capacity bandwidth |
        | r0      | 2     | 6                  |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity bandwidth | shareID |
        | r0      | eth1   | 6                          | yes     |
        | r0      | eth3   | 6                          | yes     |

    @case:count-two-one-large-enough
    @KEP-5075/allocation/count-applies-per-device
    Scenario: A request for two devices fails if only one device has enough remaining capacity
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth |
        | eth1   | yes                      | 10                 |
        | eth2   | yes                      | 10                 |
      And ResourceClaim "other" is already allocated
        | device | consumedCapacity bandwidth | shareID |
        | eth2   | 5                          | s1      |
      And a ResourceClaim "c" with the requests
        | request | count | capacity bandwidth |
        | r0      | 2     | 6                  |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

    @case:count-two-on-one-device
    @KEP-5075/allocation/count-needs-different-devices
    Scenario: A request for two devices fails on a single device with enough capacity for both
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth |
        | eth1   | yes                      | 10                 |
      And a ResourceClaim "c" with the requests
        | request | count | capacity bandwidth |
        | r0      | 2     | 4                  |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible
      But from Kubernetes 1.34 to 1.35, because these releases start at the first device for each device of a request and may allocate it twice: ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity bandwidth | shareID |
        | r0      | eth1   | 4                          | yes     |
        | r0      | eth1   | 4                          | yes     |
      But from Kubernetes 1.34 to 1.35, because these releases start at the first device for each device of a request and may allocate it twice: allocation may also fail

    @case:two-requests-of-one-device-each
    @KEP-5075/allocation/count-needs-different-devices
    Scenario: Two requests for one device each can get the same device
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth |
        | eth1   | yes                      | 10                 |
      And a ResourceClaim "c" with the requests
        | request | count | capacity bandwidth |
        | r0      | 1     | 4                  |
        | r1      | 1     | 4                  |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated 2 devices

  Rule: Devices that became exclusive while shared allocations remain

    @case:became-exclusive-with-shares
    @KEP-5075/device-update/shared-to-dedicated-blocked
    Scenario: A device that became exclusive is not allocated while shared allocations remain
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth |
        | eth1   | no                       | 10                 |
      And ResourceClaim "other" is already allocated
        | device | consumedCapacity bandwidth | shareID |
        | eth1   | 2                          | s1      |
      And a ResourceClaim "c" requesting 5 of "bandwidth"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible
      But from Kubernetes 1.34 to 1.37, because these releases allocate a device that became exclusive if enough of its capacity remains: ResourceClaim "c" is allocated exactly
        | request | device | shareID |
        | r0      | eth1   | no      |
