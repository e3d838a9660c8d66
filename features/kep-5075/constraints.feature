Feature: Constraints with distinctAttribute
  A distinctAttribute constraint requires that all devices of the covered requests have the attribute and
  that no two of these devices have the same value. With the constraint, a ResourceClaim cannot get two shared
  allocations of one device.

  Rule: Attribute values that satisfy distinctAttribute

    @case:two-values-on-two-devices
    @KEP-5075/constraint/distinct-different-values
    Scenario: Two devices with different values satisfy distinctAttribute
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth | attribute dra.example.com/name |
        | eth1   | yes                      | 10                 | string eth1                    |
        | eth2   | yes                      | 10                 | string eth2                    |
      And a ResourceClaim "c" with the requests
        | request | capacity bandwidth |
        | r0      | 1                  |
        | r1      | 1                  |
      And ResourceClaim "c" has the constraint distinctAttribute "dra.example.com/name"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated at least
        | device | consumedCapacity bandwidth |
        | eth1   | 1                          |
        | eth2   | 1                          |

    @case:one-value-on-two-devices
    @KEP-5075/constraint/distinct-different-values
    Scenario: Two devices with the same value do not satisfy distinctAttribute
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth | attribute dra.example.com/name |
        | eth1   | yes                      | 10                 | string lan                     |
        | eth2   | yes                      | 10                 | string lan                     |
      And a ResourceClaim "c" with the requests
        | request | capacity bandwidth |
        | r0      | 1                  |
        | r1      | 1                  |
      And ResourceClaim "c" has the constraint distinctAttribute "dra.example.com/name"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of ConstraintUnsatisfied

    @case:one-device-for-two-requests
    @KEP-5075/constraint/distinct-prevents-same-device
    Scenario: Two shared allocations of one device do not satisfy distinctAttribute
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth | attribute dra.example.com/name |
        | eth1   | yes                      | 10                 | string eth1                    |
      And a ResourceClaim "c" with the requests
        | request | capacity bandwidth |
        | r0      | 1                  |
        | r1      | 1                  |
      And ResourceClaim "c" has the constraint distinctAttribute "dra.example.com/name"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of ConstraintUnsatisfied

    @case:one-device-without-constraint
    @KEP-5075/constraint/distinct-prevents-same-device
    Scenario: Two requests without distinctAttribute share the only device
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth | attribute dra.example.com/name |
        | eth1   | yes                      | 10                 | string eth1                    |
      And a ResourceClaim "c" with the requests
        | request | capacity bandwidth |
        | r0      | 1                  |
        | r1      | 1                  |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity bandwidth | shareID |
        | r0      | eth1   | 1                          | yes     |
        | r1      | eth1   | 1                          | yes     |

    @case:second-device-chosen
    @KEP-5075/constraint/distinct-two-devices-chosen
    Scenario: Requests with distinctAttribute get two devices although one device has enough capacity
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth         | attribute dra.example.com/name |
        | eth1   | yes                      | 4                  | default 2, min 2, step 2, max 4 | string v1                      |
        | eth2   | yes                      | 4                  | default 2, min 2, step 2, max 4 | string v2                      |
      And a ResourceClaim "c" with the requests
        | request | capacity bandwidth |
        | r0      | 2                  |
        | r1      | 2                  |
      And ResourceClaim "c" has the constraint distinctAttribute "dra.example.com/name"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated at least
        | device | consumedCapacity bandwidth | shareID |
        | eth1   | 2                          | yes     |
        | eth2   | 2                          | yes     |

    @case:exclusive-devices-of-two-cards
    @KEP-5075/constraint/distinct-dedicated-devices
    Scenario: Two requests with distinctAttribute get exclusive devices with different card attributes
      Given the devices
        | device | attribute dra.example.com/card |
        | vf1    | string a                       |
        | vf2    | string a                       |
        | vf3    | string b                       |
      And a ResourceClaim "c" with the requests
        | request |
        | r0      |
        | r1      |
      And ResourceClaim "c" has the constraint distinctAttribute "dra.example.com/card"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated one of
        | choice | device |
        | 1      | vf1    |
        | 1      | vf3    |
        | 2      | vf2    |
        | 2      | vf3    |

    @case:exclusive-devices-of-one-card
    @KEP-5075/constraint/distinct-dedicated-devices
    Scenario: Two requests with distinctAttribute fail if all exclusive devices have the same card value
      Given the devices
        | device | attribute dra.example.com/card |
        | vf1    | string a                       |
        | vf2    | string a                       |
      And a ResourceClaim "c" with the requests
        | request |
        | r0      |
        | r1      |
      And ResourceClaim "c" has the constraint distinctAttribute "dra.example.com/card"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of ConstraintUnsatisfied

    @case:string-and-int-differ
    @KEP-5075/constraint/distinct-type-and-value
    Scenario: The string 1 and the int 1 are different values for distinctAttribute
      Given the devices
        | device | attribute dra.example.com/slot |
        | eth1   | string 1                       |
        | eth2   | int 1                          |
      And a ResourceClaim "c" with the requests
        | request |
        | r0      |
        | r1      |
      And ResourceClaim "c" has the constraint distinctAttribute "dra.example.com/slot"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated at least
        | device |
        | eth1   |
        | eth2   |

  Rule: Devices that lack the attribute that distinctAttribute names

    @case:single-device-without-attribute
    @KEP-5075/constraint/distinct-missing-attribute
    Scenario: A single request with distinctAttribute fails if the device lacks the attribute
      Given the devices
        | device | allowMultipleAllocations |
        | eth1   | yes                      |
      And a ResourceClaim "c" requesting no capacity
      And ResourceClaim "c" has the constraint distinctAttribute "dra.example.com/name"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

    @case:device-with-attribute-chosen
    @KEP-5075/constraint/distinct-missing-attribute
    Scenario: A request with distinctAttribute gets the device that has the attribute
      Given the devices
        | device | allowMultipleAllocations | attribute dra.example.com/name |
        | eth1   | yes                      |                                |
        | eth2   | yes                      | string eth2                    |
      And a ResourceClaim "c" requesting no capacity
      And ResourceClaim "c" has the constraint distinctAttribute "dra.example.com/name"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | shareID |
        | r0      | eth2   | yes     |

    @case:one-of-three-has-attribute
    @KEP-5075/constraint/distinct-missing-attribute
    Scenario: Two requests with distinctAttribute fail if only one device has the attribute
      Given the devices
        | device | allowMultipleAllocations | attribute dra.example.com/name |
        | eth1   | yes                      |                                |
        | eth2   | yes                      |                                |
        | eth3   | yes                      | string eth3                    |
      And a ResourceClaim "c" with the requests
        | request |
        | r0      |
        | r1      |
      And ResourceClaim "c" has the constraint distinctAttribute "dra.example.com/name"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

  Rule: Requests that a distinctAttribute constraint lists

    Background:
      Given the devices
        | device | allowMultipleAllocations | attribute dra.example.com/fast |
        | eth1   | yes                      | bool true                      |
        | eth2   | yes                      | bool false                     |
      And a ResourceClaim "c" with the requests
        | request |
        | r0      |
        | r1      |
        | r2      |

    @case:unlisted-request-is-free
    @KEP-5075/constraint/distinct-only-listed-requests
    Scenario: A request that a distinctAttribute constraint does not list can get either of two devices
      Given ResourceClaim "c" has the constraint distinctAttribute "dra.example.com/fast" for the requests "r0, r1"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated one of
        | choice | request | device |
        | 1      | r0      | eth1   |
        | 1      | r1      | eth2   |
        | 1      | r2      | eth1   |
        | 2      | r0      | eth1   |
        | 2      | r1      | eth2   |
        | 2      | r2      | eth2   |
        | 3      | r0      | eth2   |
        | 3      | r1      | eth1   |
        | 3      | r2      | eth1   |
        | 4      | r0      | eth2   |
        | 4      | r1      | eth1   |
        | 4      | r2      | eth2   |

    @case:no-list-covers-all-requests
    @KEP-5075/constraint/distinct-only-listed-requests
    Scenario: distinctAttribute without a request list fails if three devices have only two values
      Given ResourceClaim "c" has the constraint distinctAttribute "dra.example.com/fast"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of ConstraintUnsatisfied

  Rule: Constraints with distinctAttribute and matchAttribute

    @case:two-cards-on-one-numa-node
    @KEP-5075/constraint/match-and-distinct-together
    Scenario: Two cards on one NUMA node satisfy distinctAttribute for cards and matchAttribute for NUMA
      Given the devices
        | device | attribute dra.example.com/numa | attribute dra.example.com/card |
        | nic1   | int 0                          | string a                       |
        | nic2   | int 0                          | string b                       |
        | nic3   | int 1                          | string c                       |
      And a ResourceClaim "c" with the requests
        | request |
        | r0      |
        | r1      |
      And ResourceClaim "c" has the constraint matchAttribute "dra.example.com/numa"
      And ResourceClaim "c" has the constraint distinctAttribute "dra.example.com/card"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated at least
        | device |
        | nic1   |
        | nic2   |

    @case:two-cards-on-two-numa-nodes
    @KEP-5075/constraint/match-and-distinct-together
    Scenario: Two cards on two NUMA nodes do not satisfy matchAttribute together with distinctAttribute
      Given the devices
        | device | attribute dra.example.com/numa | attribute dra.example.com/card |
        | nic1   | int 0                          | string a                       |
        | nic3   | int 1                          | string c                       |
      And a ResourceClaim "c" with the requests
        | request |
        | r0      |
        | r1      |
      And ResourceClaim "c" has the constraint matchAttribute "dra.example.com/numa"
      And ResourceClaim "c" has the constraint distinctAttribute "dra.example.com/card"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of ConstraintUnsatisfied

    @case:two-shares-satisfy-match
    @KEP-5075/constraint/match-same-shared-device
    Scenario: Two shared allocations of one device satisfy matchAttribute
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth | attribute dra.example.com/numa |
        | eth1   | yes                      | 10                 | int 0                          |
      And a ResourceClaim "c" with the requests
        | request | capacity bandwidth |
        | r0      | 4                  |
        | r1      | 4                  |
      And ResourceClaim "c" has the constraint matchAttribute "dra.example.com/numa"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity bandwidth | shareID |
        | r0      | eth1   | 4                          | yes     |
        | r1      | eth1   | 4                          | yes     |

  Rule: ResourceClaims, used-up devices and backtracking with distinctAttribute

    @case:two-claims-share-two-devices
    @KEP-5075/constraint/distinct-per-claim
    Scenario: Two ResourceClaims, each with distinctAttribute, share the same two devices
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth | attribute dra.example.com/name |
        | eth1   | yes                      | 10                 | string eth1                    |
        | eth2   | yes                      | 10                 | string eth2                    |
      And a ResourceClaim "a" with the requests
        | request | capacity bandwidth |
        | r0      | 3                  |
        | r1      | 3                  |
      And a ResourceClaim "b" with the requests
        | request | capacity bandwidth |
        | r0      | 3                  |
        | r1      | 3                  |
      And ResourceClaim "a" has the constraint distinctAttribute "dra.example.com/name"
      And ResourceClaim "b" has the constraint distinctAttribute "dra.example.com/name"
      When allocation of the ResourceClaims "a, b" together is attempted
      Then ResourceClaim "a" is allocated at least
        | device | consumedCapacity bandwidth |
        | eth1   | 3                          |
        | eth2   | 3                          |
      And ResourceClaim "b" is allocated at least
        | device | consumedCapacity bandwidth |
        | eth1   | 3                          |
        | eth2   | 3                          |

    @case:full-device-does-not-count
    @KEP-5075/constraint/checked-after-capacity
    Scenario: A used-up device does not exclude its attribute value from distinctAttribute
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth | attribute dra.example.com/name |
        | eth1   | yes                      | 10                 | string x                       |
        | eth2   | yes                      | 10                 | string x                       |
        | eth3   | yes                      | 10                 | string y                       |
      And ResourceClaim "other" is already allocated
        | device | consumedCapacity bandwidth | shareID |
        | eth1   | 10                         | s1      |
      And a ResourceClaim "c" with the requests
        | request | capacity bandwidth |
        | r0      | 2                  |
        | r1      | 2                  |
      And ResourceClaim "c" has the constraint distinctAttribute "dra.example.com/name"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated at least
        | device | consumedCapacity bandwidth |
        | eth2   | 2                          |
        | eth3   | 2                          |

    @case:backtracked-value-reused
    @KEP-5075/constraint/backtracking
    Scenario: A value of a backtracked request is available to the next request with distinctAttribute
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth | attribute dra.example.com/name |
        | eth1   | yes                      | 10                 | string x                       |
        | eth2   | yes                      | 2                  | string x                       |
        | eth3   | yes                      | 2                  | string y                       |
      And a ResourceClaim "c" with the requests
        | request | capacity bandwidth |
        | small   | 2                  |
        | large   | 5                  |
      And ResourceClaim "c" has the constraint distinctAttribute "dra.example.com/name"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity bandwidth | shareID |
        | small   | eth3   | 2                          | yes     |
        | large   | eth1   | 5                          | yes     |
