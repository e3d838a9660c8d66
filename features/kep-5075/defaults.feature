Feature: Consumed capacity without a capacity request
  A shared allocation consumes a quantity of every capacity of its device. If the request has no entry for a
  capacity, the default of the requestPolicy is consumed, or the full capacity if there is no requestPolicy.

  @case:no-policy-consumes-full-capacity
  @KEP-5075/default/no-policy-no-request-full-capacity
  Scenario: A request without capacity consumes the full capacity if there is no requestPolicy
    Given the devices
      | device | allowMultipleAllocations | capacity bandwidth |
      | eth1   | yes                      | 10                 |
    And a ResourceClaim "c" requesting no capacity
    When allocation of ResourceClaim "c" is attempted
    Then ResourceClaim "c" consumes 10 of "bandwidth"

  @case:policy-consumes-default
  @KEP-5075/default/policy-default-used-when-absent
  Scenario Outline: A request without capacity consumes the default of the requestPolicy
    Given the devices
      | device | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth |
      | eth1   | yes                      | 10Gi               | <policy>                |
    And a ResourceClaim "c" requesting no capacity
    When allocation of ResourceClaim "c" is attempted
    Then ResourceClaim "c" consumes <default> of "bandwidth"

    Examples:
      | policy                       | default |
      | default 4Gi                  | 4Gi     |
      | default 1Mi, min 1Mi, step 8 | 1Mi     |
      | default 2Gi, values 1Gi 2Gi  | 2Gi     |

  @case:default-above-min
  @KEP-5075/default/default-not-min
  Scenario: A request without capacity consumes the default even if min is smaller
    Given the devices
      | device | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth  |
      | eth1   | yes                      | 12                 | default 8, min 2, step 3 |
    And a ResourceClaim "c" requesting no capacity
    When allocation of ResourceClaim "c" is attempted
    Then ResourceClaim "c" consumes 8 of "bandwidth"

  @case:empty-policy-consumes-full-capacity
  @KEP-5075/default/policy-without-default-full-capacity
  Scenario: A request without capacity consumes the full capacity if the requestPolicy is empty
    Given the devices
      | device | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth |
      | eth1   | yes                      | 10                 | empty                   |
    And a ResourceClaim "c" requesting no capacity
    When allocation of ResourceClaim "c" is attempted
    Then ResourceClaim "c" consumes 10 of "bandwidth"

  Rule: Missing and empty capacity objects

    Background:
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth |
        | eth1   | yes                      | 10                 | default 3, min 1        |

    @case:missing-capacity-object
    @KEP-5075/default/empty-requests-same-as-unset
    Scenario: A request without a capacity object consumes the default of the requestPolicy
      Given a ResourceClaim "c" requesting no capacity
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" consumes 3 of "bandwidth"

    @case:empty-capacity-object
    @KEP-5075/default/empty-requests-same-as-unset
    Scenario: A request with an empty capacity object consumes the default of the requestPolicy
      Given a ResourceClaim "c" requesting an empty capacity
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" consumes 3 of "bandwidth"

    @case:empty-requests-map
    @KEP-5075/default/empty-requests-same-as-unset
    Scenario: A request with an empty capacity.requests map consumes the default of the requestPolicy
      Given a DeviceClass "any"
      And the objects
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: c, namespace: default}
        spec:
          devices:
            requests:
              - name: r0
                exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1, capacity: {requests: {}}}
        """
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" consumes 3 of "bandwidth"

    @case:default-above-remaining
    @KEP-5075/default/empty-requests-same-as-unset @KEP-5075/default/exceeding-remaining-refused
    Scenario Outline: A request without capacity fails if the default exceeds the remaining capacity
      Given ResourceClaim "other" is already allocated
        | device | consumedCapacity bandwidth | shareID |
        | eth1   | 8                          | s1      |
      And a ResourceClaim "c" requesting <what>
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of InsufficientCapacity

      Examples:
        | what              |
        | no capacity       |
        | an empty capacity |

    @case:request-below-default-fits
    @KEP-5075/default/exceeding-remaining-refused
    Scenario: A capacity request below the default is allocated even if the default does not fit
      Given ResourceClaim "other" is already allocated
        | device | consumedCapacity bandwidth | shareID |
        | eth1   | 8                          | s1      |
      And a ResourceClaim "c" requesting 2 of "bandwidth"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" consumes 2 of "bandwidth"

  Rule: The default for several ResourceClaims

    Background:
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth |
        | eth1   | yes                      | 10                 | default 3, min 1        |

    @case:default-before-and-after-request
    @KEP-5075/default/always-consumed
    Scenario: Requests without capacity consume the default regardless of other ResourceClaims
      Given a ResourceClaim "a" requesting no capacity
      And a ResourceClaim "b" requesting 4 of "bandwidth"
      And a ResourceClaim "c" requesting no capacity
      When allocation of the ResourceClaims "a, b, c" together is attempted
      Then ResourceClaim "a" consumes 3 of "bandwidth"
      And ResourceClaim "b" consumes 4 of "bandwidth"
      And ResourceClaim "c" consumes 3 of "bandwidth"

    @case:default-of-last-claim-missing
    @KEP-5075/default/always-consumed
    Scenario: Three ResourceClaims cannot all be allocated if the default for the third does not fit
      Given a ResourceClaim "a" requesting no capacity
      And a ResourceClaim "b" requesting 5 of "bandwidth"
      And a ResourceClaim "c" requesting no capacity
      When allocation of the ResourceClaims "a, b, c" together is attempted
      Then no allocation is possible because of InsufficientCapacity

  Rule: The full capacity that is consumed without a requestPolicy

    @case:two-full-capacities
    @KEP-5075/default/full-default-blocks-sharing
    Scenario: Two ResourceClaims without a capacity request cannot share a device without requestPolicy
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth |
        | eth1   | yes                      | 2                  |
      And a ResourceClaim "a" requesting no capacity
      And a ResourceClaim "b" requesting no capacity
      When allocation of the ResourceClaims "a, b" together is attempted
      Then no allocation is possible because of InsufficientCapacity

    @case:full-capacity-of-used-device
    @KEP-5075/default/full-default-blocks-sharing
    Scenario: A request without capacity fails on a partly consumed device without requestPolicy
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth |
        | eth1   | yes                      | 2                  |
      And ResourceClaim "a" is already allocated
        | device | consumedCapacity bandwidth | shareID |
        | eth1   | 1                          | s1      |
      And a ResourceClaim "b" requesting no capacity
      When allocation of ResourceClaim "b" is attempted
      Then no allocation is possible because of InsufficientCapacity

    @case:two-requests-two-devices
    @KEP-5075/default/full-default-blocks-sharing
    Scenario: Two requests without capacity get separate devices if there is no requestPolicy
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth |
        | eth1   | yes                      | 2                  |
        | eth2   | yes                      | 2                  |
      And a ResourceClaim "c" with the requests
        | request |
        | first   |
        | second  |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated at least
        | device | consumedCapacity bandwidth | shareID |
        | eth1   | 2                          | yes     |
        | eth2   | 2                          | yes     |

  Rule: Devices that can be shared without limit

    @case:device-without-capacity
    @KEP-5075/default/no-capacity-consumes-none
    Scenario: A multi-allocatable device without capacity is allocated to two ResourceClaims
      Given the devices
        | device | allowMultipleAllocations |
        | eth1   | yes                      |
      And a ResourceClaim "a" requesting no capacity
      And a ResourceClaim "b" requesting no capacity
      When allocation of the ResourceClaims "a, b" together is attempted
      Then ResourceClaim "a" is allocated at least
        | device | shareID |
        | eth1   | yes     |
      And ResourceClaim "b" is allocated at least
        | device | shareID |
        | eth1   | yes     |

    @case:default-zero-never-exhausts
    @KEP-5075/default/zero-default
    Scenario: A device with a default of zero is allocated again despite several shared allocations
      Given the devices
        | device | allowMultipleAllocations | capacity slots | requestPolicy slots |
        | eth1   | yes                      | 1              | default 0, values 0 |
      And ResourceClaim "other" is already allocated
        | device | request | consumedCapacity slots | shareID |
        | eth1   | r0      | 0                      | s1      |
        | eth1   | r1      | 0                      | s2      |
      And a ResourceClaim "a" requesting no capacity
      And a ResourceClaim "b" requesting no capacity
      When allocation of the ResourceClaims "a, b" together is attempted
      Then ResourceClaim "a" consumes 0 of "slots"
      And ResourceClaim "b" consumes 0 of "slots"

    @case:nonzero-request-above-zero-value
    @KEP-5075/rounding/zero-only-policy
    Scenario: A request above zero fails if zero is the only valid value
      Given the devices
        | device | allowMultipleAllocations | capacity slots | requestPolicy slots |
        | eth1   | yes                      | 1              | default 0, values 0 |
      And a ResourceClaim "c" requesting 1 of "slots"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of CapacityPolicyViolation

  Rule: Requested and unrequested capacities of one device

    Background:
      Given the devices
        | device | allowMultipleAllocations | capacity memory | requestPolicy memory     | capacity cores | requestPolicy cores |
        | gpu    | yes                      | 16              | default 4, min 4, step 4 | 8              | default 1, min 1    |

    @case:cores-by-default
    @KEP-5075/default/partial-request
    Scenario: A request for memory also consumes the default cores capacity
      Given a ResourceClaim "c" requesting 6 of "memory"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated at least
        | device | consumedCapacity memory | consumedCapacity cores |
        | gpu    | 8                       | 1                      |

    @case:memory-by-default
    @KEP-5075/default/partial-request
    Scenario: A request for cores also consumes the default memory capacity
      Given a ResourceClaim "c" requesting 3 of "cores"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated at least
        | device | consumedCapacity memory | consumedCapacity cores |
        | gpu    | 4                       | 3                      |

    @case:default-of-cores-missing
    @KEP-5075/default/partial-request
    Scenario: A request for memory fails if the default cores capacity does not fit
      Given ResourceClaim "other" is already allocated
        | device | consumedCapacity memory | consumedCapacity cores | shareID |
        | gpu    | 4                       | 8                      | s1      |
      And a ResourceClaim "c" requesting 6 of "memory"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of InsufficientCapacity
