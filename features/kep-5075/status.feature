Feature: shareID and consumedCapacity in allocation results
  Each result for a multi-allocatable device has a shareID and the consumed capacity. Results for exclusive devices
  have neither.

  Rule: Share IDs

    @case:share-with-capacity
    @KEP-5075/status/share-id-set-for-shared @KEP-5075/status/share-id-is-uid
    Scenario: An allocation of a multi-allocatable device records a shareID and consumedCapacity
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth |
        | eth1   | yes                      | 10                 |
      And a ResourceClaim "c" requesting 4 of "bandwidth"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity bandwidth | shareID |
        | r0      | eth1   | 4                          | yes     |

    @case:share-without-capacity
    @KEP-5075/status/share-id-set-for-shared
    Scenario: An allocation of a multi-allocatable device without capacity records a shareID
      Given the devices
        | device | allowMultipleAllocations |
        | eth1   | yes                      |
      And a ResourceClaim "c" requesting no capacity
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | shareID |
        | r0      | eth1   | yes     |

    @case:exclusive-device
    @KEP-5075/status/share-id-absent-for-dedicated @KEP-5075/status/consumed-capacity-only-for-shared
    Scenario Outline: An allocation of an exclusive device records neither shareID nor consumedCapacity
      Given the devices
        | device | capacity bandwidth |
        | eth1   | 10                 |
      And a ResourceClaim "c" requesting <what>
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | shareID |
        | r0      | eth1   | no      |

      Examples:
        | what             |
        | 4 of "bandwidth" |
        | no capacity      |

    @case:share-and-exclusive-device
    @KEP-5075/status/consumed-capacity-only-for-shared
    Scenario: Only the multi-allocatable of two allocated devices has consumedCapacity in its result
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth | capacity memory |
        | eth1   | yes                      | 10                 |                 |
        | gpu    | no                       |                    | 10              |
      And a ResourceClaim "c" with the requests
        | request | capacity bandwidth | capacity memory |
        | nic     | 4                  |                 |
        | gpu     |                    | 4               |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity bandwidth | shareID |
        | nic     | eth1   | 4                          | yes     |
        | gpu     | gpu    |                            | no      |

    @case:share-ids-of-three-claims
    @KEP-5075/status/share-id-unique-per-device
    Scenario: Shared allocations of three ResourceClaims on one device have different share IDs
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth |
        | eth1   | yes                      | 10                 |
      And ResourceClaim "other" is already allocated
        | device | consumedCapacity bandwidth | shareID |
        | eth1   | 1                          | s1      |
      And a ResourceClaim "a" requesting 3 of "bandwidth"
      And a ResourceClaim "b" requesting 3 of "bandwidth"
      And a ResourceClaim "c" requesting 3 of "bandwidth"
      When allocation of the ResourceClaims "a, b, c" together is attempted
      Then ResourceClaim "a" consumes 3 of "bandwidth"
      And ResourceClaim "b" consumes 3 of "bandwidth"
      And ResourceClaim "c" consumes 3 of "bandwidth"

    @case:share-ids-of-one-claim
    @KEP-5075/status/share-id-unique-per-device @KEP-5075/status/several-results-same-device
    Scenario: Two shared allocations of one device in one ResourceClaim have different share IDs
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

  Rule: Consumed capacity

    @case:rounded-quantity-recorded
    @KEP-5075/status/consumed-capacity-recorded
    Scenario: The rounded quantity of a capacity request is recorded as consumed
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth          |
        | eth1   | yes                      | 12                 | default 5, min 2, step 3, max 11 |
      And a ResourceClaim "c" requesting 3 of "bandwidth"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity bandwidth | shareID |
        | r0      | eth1   | 5                          | yes     |

    @case:requested-quantity-recorded
    @KEP-5075/status/consumed-capacity-recorded @KEP-5075/status/location-of-consumed-capacity
    Scenario: The requested quantity is recorded as consumed if there is no requestPolicy
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth |
        | eth1   | yes                      | 10                 |
      And a ResourceClaim "c" requesting 4 of "bandwidth"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity bandwidth | shareID |
        | r0      | eth1   | 4                          | yes     |

    @case:default-recorded
    @KEP-5075/status/consumed-capacity-recorded
    Scenario: The default is recorded as consumed if the request has no capacity
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth |
        | eth1   | yes                      | 10                 | default 3, min 1        |
      And a ResourceClaim "c" requesting no capacity
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity bandwidth | shareID |
        | r0      | eth1   | 3                          | yes     |

    @case:every-capacity-recorded
    @KEP-5075/status/consumed-capacity-all-entries
    Scenario: Every capacity of the device is recorded as consumed, requested or not
      Given the devices
        | device | allowMultipleAllocations | capacity memory | capacity cores | requestPolicy cores | capacity slots |
        | gpu    | yes                      | 16              | 8              | default 1, min 1    | 4              |
      And a ResourceClaim "c" requesting 4 of "memory"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity memory | consumedCapacity cores | consumedCapacity slots | shareID |
        | r0      | gpu    | 4                       | 1                      | 4                      | yes     |

    @case:zero-recorded
    @KEP-5075/status/consumed-capacity-zero-entries
    Scenario: A consumed quantity of zero is recorded
      Given the devices
        | device | allowMultipleAllocations | capacity slots | requestPolicy slots |
        | eth1   | yes                      | 1              | default 0, values 0 |
      And a ResourceClaim "c" requesting no capacity
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity slots | shareID |
        | r0      | eth1   | 0                      | yes     |

    @case:zero-recorded-with-other-capacity
    @KEP-5075/status/consumed-capacity-zero-entries
    Scenario: A consumed quantity of zero is recorded together with another capacity
      Given the devices
        | device | allowMultipleAllocations | capacity memory | capacity slots | requestPolicy slots |
        | gpu    | yes                      | 16              | 1              | default 0, values 0 |
      And a ResourceClaim "c" requesting 4 of "memory"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity memory | consumedCapacity slots | shareID |
        | r0      | gpu    | 4                       | 0                      | yes     |

    @case:capacity-name-of-slice
    @KEP-5075/status/consumed-capacity-names-from-device
    Scenario Outline: A consumed capacity is recorded under its name in the ResourceSlice
      Given the devices
        | device | allowMultipleAllocations | capacity <name> |
        | eth1   | yes                      | 10              |
      And a ResourceClaim "c" requesting no capacity
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity <name> | shareID |
        | r0      | eth1   | 10                      | yes     |

      Examples:
        | name                      |
        | bandwidth                 |
        | net.example.com/bandwidth |

    @case:kep-example-quantities
    @KEP-5075/status/seed-example-amount
    Scenario Outline: The KEP's example device records the requested quantity or else the default as consumed
      Given the devices
        | device | driver                                 | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth      |
        | eth1   | guaranteed-cni.dra.networking.x-k8s.io | yes                      | 10Gi               | default 1Mi, min 1Mi, step 8 |
      And a ResourceClaim "c" requesting <what>
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity bandwidth | shareID |
        | r0      | eth1   | <consumed>                 | yes     |

      Examples:
        | what               | consumed |
        | 5Gi of "bandwidth" | 5Gi      |
        | no capacity        | 1Mi      |
