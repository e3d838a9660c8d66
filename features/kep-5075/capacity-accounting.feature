Feature: Accounting of consumed capacity
  The remaining capacity of a device is its capacity minus the consumed capacity of all its shared allocations:
  those of other ResourceClaims and those of the current attempt. A device is allocated only if enough of each of
  its capacities remains.

  Rule: Sum of all shared allocations of a device

    Background:
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth |
        | eth1   | yes                      | 10                 |

    @case:two-claims-below-capacity
    @KEP-5075/capacity-accounting/sum-within-value
    Scenario: Two ResourceClaims that together request less than a device's capacity share the device
      Given a ResourceClaim "a" requesting 4 of "bandwidth"
      And a ResourceClaim "b" requesting 4 of "bandwidth"
      When allocation of the ResourceClaims "a, b" together is attempted
      Then ResourceClaim "a" consumes 4 of "bandwidth"
      And ResourceClaim "b" consumes 4 of "bandwidth"

    @case:three-claims-above-capacity
    @KEP-5075/capacity-accounting/sum-within-value
    Scenario: Three ResourceClaims cannot all be allocated if their sum exceeds the device's capacity
      Given a ResourceClaim "a" requesting 4 of "bandwidth"
      And a ResourceClaim "b" requesting 4 of "bandwidth"
      And a ResourceClaim "c" requesting 3 of "bandwidth"
      When allocation of the ResourceClaims "a, b, c" together is attempted
      Then no allocation is possible because of InsufficientCapacity

    @case:remaining-capacity-used-up
    @KEP-5075/capacity-accounting/exact-fill-allowed @KEP-5075/filter/multi-allocatable-remaining
    @KEP-5075/capacity-accounting/in-use-check-uses-shared-results
    Scenario: A request that uses up the remaining capacity exactly is allocated
      Given ResourceClaim "other" is already allocated
        | device | consumedCapacity bandwidth | shareID |
        | eth1   | 6                          | s1      |
      And a ResourceClaim "c" requesting 4 of "bandwidth"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" consumes 4 of "bandwidth"

    @case:no-capacity-remains
    @KEP-5075/capacity-accounting/one-over-refused
    Scenario: A device without remaining capacity is not allocated again
      Given ResourceClaim "other" is already allocated
        | device | request | consumedCapacity bandwidth | shareID |
        | eth1   | r0      | 6                          | s1      |
        | eth1   | r1      | 4                          | s2      |
      And a ResourceClaim "c" requesting 1 of "bandwidth"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of InsufficientCapacity

    @case:request-above-remaining
    @KEP-5075/filter/multi-allocatable-remaining
    Scenario Outline: A request that exceeds the remaining capacity is not allocated
      Given ResourceClaim "other" is already allocated
        | device | consumedCapacity bandwidth | shareID |
        | eth1   | <held>                     | s1      |
      And a ResourceClaim "c" requesting <request> of "bandwidth"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of InsufficientCapacity

      @KEP-5075/capacity-accounting/one-over-refused
      Examples: one thousandth more than remains
        | held | request |
        | 6    | 4001m   |

      Examples: whole units more than remain
        | held | request |
        | 7    | 4       |
        | 9    | 10      |

  Rule: Capacity consumed by allocated ResourceClaims

    Background:
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth |
        | eth1   | yes                      | 10                 |

    @case:other-namespaces-leave-enough
    @KEP-5075/capacity-accounting/aggregate-across-claims
    Scenario: Capacity that ResourceClaims in other namespaces leave free is allocated
      Given ResourceClaim "ns1/a" is already allocated
        | device | consumedCapacity bandwidth | shareID |
        | eth1   | 3                          | s1      |
      And ResourceClaim "ns2/b" is already allocated
        | device | consumedCapacity bandwidth | shareID |
        | eth1   | 4                          | s2      |
      And a ResourceClaim "ns3/c" requesting 3 of "bandwidth"
      When allocation of ResourceClaim "ns3/c" is attempted
      Then ResourceClaim "ns3/c" consumes 3 of "bandwidth"

    @case:other-namespaces-leave-too-little
    @KEP-5075/capacity-accounting/aggregate-across-claims @KEP-5075/capacity-accounting/across-namespaces
    Scenario: Capacity that ResourceClaims in other namespaces consume is not allocated again
      Given ResourceClaim "ns1/a" is already allocated
        | device | consumedCapacity bandwidth | shareID |
        | eth1   | 3                          | s1      |
      And ResourceClaim "ns2/b" is already allocated
        | device | consumedCapacity bandwidth | shareID |
        | eth1   | 4                          | s2      |
      And a ResourceClaim "ns3/c" requesting 4 of "bandwidth"
      When allocation of ResourceClaim "ns3/c" is attempted
      Then no allocation is possible because of InsufficientCapacity

    @case:two-results-leave-enough
    @KEP-5075/capacity-accounting/aggregate-across-results-of-one-claim
    Scenario Outline: Capacity that two shared allocations of a ResourceClaim leave free is allocated
      Given ResourceClaim "other" is already allocated
        | device | request | consumedCapacity bandwidth | shareID |
        | eth1   | r0      | 3                          | s1      |
        | eth1   | r1      | 4                          | s2      |
      And a ResourceClaim "c" requesting <request> of "bandwidth"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" consumes <request> of "bandwidth"

      Examples:
        | request |
        | 1       |
        | 3       |

    @case:two-results-leave-too-little
    @KEP-5075/capacity-accounting/aggregate-across-results-of-one-claim
    Scenario: Capacity consumed by two shared allocations of one ResourceClaim is not allocated again
      Given ResourceClaim "other" is already allocated
        | device | request | consumedCapacity bandwidth | shareID |
        | eth1   | r0      | 3                          | s1      |
        | eth1   | r1      | 4                          | s2      |
      And a ResourceClaim "c" requesting 4 of "bandwidth"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of InsufficientCapacity

    @case:two-namespaces-share-device
    @KEP-5075/capacity-accounting/across-namespaces
    Scenario: ResourceClaims in two namespaces share a device
      Given a ResourceClaim "ns1/a" requesting 5 of "bandwidth"
      And a ResourceClaim "ns2/b" requesting 5 of "bandwidth"
      When allocation of the ResourceClaims "ns1/a, ns2/b" together is attempted
      Then ResourceClaim "ns1/a" is allocated at least
        | device | consumedCapacity bandwidth | shareID |
        | eth1   | 5                          | yes     |
      And ResourceClaim "ns2/b" is allocated at least
        | device | consumedCapacity bandwidth | shareID |
        | eth1   | 5                          | yes     |

    @case:result-without-share-id-blocks
    @KEP-5075/capacity-accounting/in-use-check-uses-shared-results
    Scenario: An allocation result without a shareID makes the whole device unavailable
      Given ResourceClaim "other" is already allocated
        | device | shareID |
        | eth1   |         |
      And a ResourceClaim "c" requesting 1 of "bandwidth"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of DeviceInUse

  Rule: Capacity consumed in the current allocation attempt

    Background:
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth |
        | eth1   | yes                      | 10                 |

    @case:two-requests-fill-device
    @KEP-5075/capacity-accounting/within-claim
    Scenario: Two requests of a ResourceClaim share a device if they use up its capacity exactly
      Given a ResourceClaim "c" with the requests
        | request | capacity bandwidth |
        | r1      | 6                  |
        | r2      | 4                  |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity bandwidth | shareID |
        | r1      | eth1   | 6                          | yes     |
        | r2      | eth1   | 4                          | yes     |

    @case:two-requests-exceed-device
    @KEP-5075/capacity-accounting/within-claim
    Scenario: Two requests of a ResourceClaim fail if their sum exceeds the capacity of the device
      Given a ResourceClaim "c" with the requests
        | request | capacity bandwidth |
        | r1      | 6                  |
        | r2      | 5                  |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of InsufficientCapacity

    @case:two-claims-fill-device
    @KEP-5075/capacity-accounting/across-claims-of-one-pod @KEP-5075/capacity-accounting/dedicated-and-shared-mixed
    Scenario: Two ResourceClaims allocated together share a device if they use up its capacity exactly
      Given a ResourceClaim "a" requesting 6 of "bandwidth"
      And a ResourceClaim "b" requesting 4 of "bandwidth"
      When allocation of the ResourceClaims "a, b" together is attempted
      Then ResourceClaim "a" consumes 6 of "bandwidth"
      And ResourceClaim "b" consumes 4 of "bandwidth"

    @case:two-claims-exceed-device
    @KEP-5075/capacity-accounting/across-claims-of-one-pod @KEP-5075/capacity-accounting/dedicated-and-shared-mixed
    Scenario: Two ResourceClaims allocated together both fail if their sum exceeds the device's capacity
      Given a ResourceClaim "a" requesting 6 of "bandwidth"
      And a ResourceClaim "b" requesting 5 of "bandwidth"
      When allocation of the ResourceClaims "a, b" together is attempted
      Then no allocation is possible because of InsufficientCapacity

    @case:two-requests-within-remaining
    @KEP-5075/capacity-accounting/allocated-plus-allocating
    Scenario: Two requests that use up the remaining capacity exactly are allocated
      Given ResourceClaim "other" is already allocated
        | device | consumedCapacity bandwidth | shareID |
        | eth1   | 3                          | s1      |
      And a ResourceClaim "c" with the requests
        | request | capacity bandwidth |
        | r1      | 4                  |
        | r2      | 3                  |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated at least
        | request | consumedCapacity bandwidth |
        | r1      | 4                          |
        | r2      | 3                          |

    @case:two-requests-above-remaining
    @KEP-5075/capacity-accounting/allocated-plus-allocating
    Scenario: Two requests that together exceed the remaining capacity are not allocated
      Given ResourceClaim "other" is already allocated
        | device | consumedCapacity bandwidth | shareID |
        | eth1   | 3                          | s1      |
      And a ResourceClaim "c" with the requests
        | request | capacity bandwidth |
        | r1      | 4                  |
        | r2      | 4                  |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of InsufficientCapacity

  Rule: Capacity released by backtracking

    @case:backtracked-capacity-reused
    @KEP-5075/capacity-accounting/backtracking-restores @KEP-5075/capacity-accounting/add-remove-inverse
    Scenario: Capacity of a backtracked small request is available to a large request
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth |
        | eth1   | yes                      | 10                 |
        | eth2   | yes                      | 4                  |
      And a ResourceClaim "c" with the requests
        | request | capacity bandwidth |
        | small   | 4                  |
        | large   | 8                  |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity bandwidth | shareID |
        | small   | eth2   | 4                          | yes     |
        | large   | eth1   | 8                          | yes     |

    @case:backtracking-keeps-other-claims
    @KEP-5075/capacity-accounting/add-remove-inverse
    Scenario: Backtracking does not free the capacity that other ResourceClaims consume
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth |
        | eth1   | yes                      | 10                 |
        | eth2   | yes                      | 4                  |
      And ResourceClaim "other" is already allocated
        | device | consumedCapacity bandwidth | shareID |
        | eth1   | 3                          | s1      |
      And a ResourceClaim "c" with the requests
        | request | capacity bandwidth |
        | small   | 4                  |
        | large   | 8                  |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of InsufficientCapacity

  Rule: Devices with two capacities

    @case:unrequested-default-missing
    @KEP-5075/capacity-accounting/every-capacity-must-fit
    Scenario: A request is not allocated if the default of an unrequested capacity does not fit
      Given the devices
        | device | allowMultipleAllocations | capacity memory | capacity cores | requestPolicy cores |
        | gpu    | yes                      | 16              | 4              | default 1, min 1    |
      And ResourceClaim "other" is already allocated
        | device | consumedCapacity memory | consumedCapacity cores | shareID |
        | gpu    | 2                       | 4                      | s1      |
      And a ResourceClaim "c" requesting 1 of "memory"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of InsufficientCapacity

    @case:both-capacities-remain
    @KEP-5075/capacity-accounting/every-capacity-must-fit
    Scenario: A request for two capacities is allocated if enough of both capacities remains
      Given the devices
        | device | allowMultipleAllocations | capacity memory | capacity cores |
        | gpu    | yes                      | 16              | 4              |
      And ResourceClaim "other" is already allocated
        | device | consumedCapacity memory | consumedCapacity cores | shareID |
        | gpu    | 8                       | 1                      | s1      |
      And a ResourceClaim "c" requesting 8 of "memory" and 3 of "cores"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" consumes 8 of "memory" and 3 of "cores"

    @case:one-of-two-capacities-missing
    @KEP-5075/capacity-accounting/every-capacity-must-fit
    Scenario: A request for two capacities is not allocated if too little of one capacity remains
      Given the devices
        | device | allowMultipleAllocations | capacity memory | capacity cores |
        | gpu    | yes                      | 16              | 4              |
      And ResourceClaim "other" is already allocated
        | device | consumedCapacity memory | consumedCapacity cores | shareID |
        | gpu    | 8                       | 1                      | s1      |
      And a ResourceClaim "c" requesting 8 of "memory" and 4 of "cores"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of InsufficientCapacity

    @case:unrequested-capacity-consumed-whole
    @KEP-5075/capacity-accounting/unrequested-capacity-without-policy-blocks
    Scenario: An unrequested capacity without requestPolicy is consumed in full
      Given the devices
        | device | allowMultipleAllocations | capacity memory | capacity cores |
        | gpu    | yes                      | 16              | 4              |
      And a ResourceClaim "a" requesting 4 of "memory"
      When allocation of ResourceClaim "a" is attempted
      Then ResourceClaim "a" consumes 4 of "memory" and 4 of "cores"

    @case:unrequested-capacity-blocks-sharing
    @KEP-5075/capacity-accounting/unrequested-capacity-without-policy-blocks
    Scenario: An unrequested capacity without requestPolicy prevents a second allocation of the device
      Given the devices
        | device | allowMultipleAllocations | capacity memory | capacity cores |
        | gpu    | yes                      | 16              | 4              |
      And a ResourceClaim "a" requesting 4 of "memory"
      And a ResourceClaim "b" requesting 4 of "memory"
      When allocation of the ResourceClaims "a, b" together is attempted
      Then no allocation is possible because of InsufficientCapacity

  Rule: Each request must fit into the capacity of one device

    Background:
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth |
        | eth1   | yes                      | 10                 |
        | eth2   | yes                      | 10                 |

    @case:no-sum-of-two-devices
    @KEP-5075/capacity-accounting/no-combination-of-devices
    Scenario: A request that exceeds the capacity of each device is not allocated from two devices
      Given a ResourceClaim "c" requesting 15 of "bandwidth"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of InsufficientCapacity

    @case:count-two-devices-too-small
    @KEP-5075/capacity-accounting/no-combination-of-devices
    Scenario: A request for two devices fails if the requested capacity exceeds each device
      Given a ResourceClaim "c" with the requests
        | request | count | capacity bandwidth |
        | r0      | 2     | 15                 |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

    @case:count-two-devices-large-enough
    @KEP-5075/capacity-accounting/no-combination-of-devices
    Scenario: A request for two devices gets the requested capacity from each of two devices
      Given a ResourceClaim "c" with the requests
        | request | count | capacity bandwidth |
        | r0      | 2     | 10                 |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity bandwidth | shareID |
        | r0      | eth1   | 10                         | yes     |
        | r0      | eth2   | 10                         | yes     |
