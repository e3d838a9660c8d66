Feature: Accounting of shared capacity
  What remains of a device is its capacity less the consumed amounts of all shares, those of other claims
  and those that are being allocated. A share is given only if every capacity of the device remains in a
  sufficient amount.

  Rule: All shares of a device together stay within its capacity

    Background:
      Given the devices
        | device | shared | capacity bandwidth |
        | eth1   | yes    | 10                 |

    @case:two-claims-for-4-each-fit-on-a-device-with-a
    @KEP-5075/capacity-accounting/sum-within-value
    Scenario: Two claims for 4 each fit on a device with a capacity of 10
      Given a claim "a" requesting 4 of "bandwidth"
      And a claim "b" requesting 4 of "bandwidth"
      When allocation of the claims "a, b" together is attempted
      Then claim "a" consumes 4 of "bandwidth"
      And claim "b" consumes 4 of "bandwidth"

    @case:claims-for-4-4-and-3-do-not-fit-together-on-a-device
    @KEP-5075/capacity-accounting/sum-within-value
    Scenario: Claims for 4, 4 and 3 do not fit together on a device with a capacity of 10
      Given a claim "a" requesting 4 of "bandwidth"
      And a claim "b" requesting 4 of "bandwidth"
      And a claim "c" requesting 3 of "bandwidth"
      When allocation of the claims "a, b, c" together is attempted
      Then nothing fits because of InsufficientCapacity

    @case:a-share-may-use-up-exactly-what-remains
    @KEP-5075/capacity-accounting/exact-fill-allowed
    Scenario: A share may use up exactly what remains
      Given claim "other" already holds
        | device | consumed bandwidth | share |
        | eth1   | 6                  | s1    |
      And a claim "c" requesting 4 of "bandwidth"
      When allocation of claim "c" is attempted
      Then claim "c" consumes 4 of "bandwidth"

    @case:a-device-that-is-used-up-exactly-gives-no-further
    @KEP-5075/capacity-accounting/exact-fill-allowed
    Scenario: A device that is used up exactly gives no further share
      Given claim "other" already holds
        | device | request | consumed bandwidth | share |
        | eth1   | r0      | 6                  | s1    |
        | eth1   | r1      | 4                  | s2    |
      And a claim "c" requesting 1 of "bandwidth"
      When allocation of claim "c" is attempted
      Then nothing fits because of InsufficientCapacity

    @case:a-claim-for-is-refused-where-of-10-are-held
    @KEP-5075/filter/multi-allocatable-remaining
    Scenario Outline: A claim for <request> is refused where <held> of 10 are held
      Given claim "other" already holds
        | device | consumed bandwidth | share |
        | eth1   | <held>             | s1    |
      And a claim "c" requesting <request> of "bandwidth"
      When allocation of claim "c" is attempted
      Then nothing fits because of InsufficientCapacity

      @KEP-5075/capacity-accounting/one-over-refused
      Examples: more by the smallest amount
        | held | request |
        | 6    | 4001m   |

      Examples: more by whole units
        | held | request |
        | 7    | 4       |
        | 9    | 10      |

    @case:a-claim-for-3-is-allocated-where-7-of-10-are-held
    @KEP-5075/filter/multi-allocatable-remaining
    Scenario: A claim for 3 is allocated where 7 of 10 are held
      Given claim "other" already holds
        | device | consumed bandwidth | share |
        | eth1   | 7                  | s1    |
      And a claim "c" requesting 3 of "bandwidth"
      When allocation of claim "c" is attempted
      Then claim "c" consumes 3 of "bandwidth"

    @case:a-capacity-without-policy-is-shared-like-any-other
    @KEP-5075/capacity-accounting/dedicated-and-shared-mixed
    Scenario: A capacity without policy is shared like any other
      Given a claim "a" requesting 3 of "bandwidth"
      And a claim "b" requesting 7 of "bandwidth"
      When allocation of the claims "a, b" together is attempted
      Then claim "a" consumes 3 of "bandwidth"
      And claim "b" consumes 7 of "bandwidth"

    @case:claims-for-3-and-8-of-a-capacity-of-10-without
    @KEP-5075/capacity-accounting/dedicated-and-shared-mixed
    Scenario: Claims for 3 and 8 of a capacity of 10 without policy are refused together
      Given a claim "a" requesting 3 of "bandwidth"
      And a claim "b" requesting 8 of "bandwidth"
      When allocation of the claims "a, b" together is attempted
      Then nothing fits because of InsufficientCapacity

  Rule: Everything that is allocated counts

    Background:
      Given the devices
        | device | shared | capacity bandwidth |
        | eth1   | yes    | 10                 |

    @case:claims-of-every-namespace-count-and-a-third-one-fits
    @KEP-5075/capacity-accounting/aggregate-across-claims
    Scenario: Claims of every namespace count, and a third one fits
      Given claim "ns1/a" already holds
        | device | consumed bandwidth | share |
        | eth1   | 3                  | s1    |
      And claim "ns2/b" already holds
        | device | consumed bandwidth | share |
        | eth1   | 4                  | s2    |
      And a claim "ns3/c" requesting 3 of "bandwidth"
      When allocation of claim "ns3/c" is attempted
      Then claim "ns3/c" consumes 3 of "bandwidth"

    @case:claims-of-every-namespace-count-and-a-third-one-is
    @KEP-5075/capacity-accounting/aggregate-across-claims
    Scenario: Claims of every namespace count, and a third one is too large
      Given claim "ns1/a" already holds
        | device | consumed bandwidth | share |
        | eth1   | 3                  | s1    |
      And claim "ns2/b" already holds
        | device | consumed bandwidth | share |
        | eth1   | 4                  | s2    |
      And a claim "ns3/c" requesting 4 of "bandwidth"
      When allocation of claim "ns3/c" is attempted
      Then nothing fits because of InsufficientCapacity

    @case:claims-of-the-same-name-in-two-namespaces-both-count
    @KEP-5075/capacity-accounting/aggregate-across-claims
    Scenario: Claims of the same name in two namespaces both count against the capacity
      Given claim "ns1/a" already holds
        | device | consumed bandwidth | share |
        | eth1   | 3                  | s1    |
      And claim "ns2/a" already holds
        | device | consumed bandwidth | share |
        | eth1   | 4                  | s2    |
      And a claim "ns3/a" requesting 4 of "bandwidth"
      When allocation of claim "ns3/a" is attempted
      Then nothing fits because of InsufficientCapacity

    @case:beside-one-claim-with-shares-of-3-and-4-of-10-a
    @KEP-5075/capacity-accounting/aggregate-across-results-of-one-claim
    Scenario Outline: Beside one claim with shares of 3 and 4 of 10, a claim for <request> is allocated
      Given claim "other" already holds
        | device | request | consumed bandwidth | share |
        | eth1   | r0      | 3                  | s1    |
        | eth1   | r1      | 4                  | s2    |
      And a claim "c" requesting <request> of "bandwidth"
      When allocation of claim "c" is attempted
      Then claim "c" consumes <request> of "bandwidth"

      Examples:
        | request |
        | 1       |
        | 3       |

    @case:beside-one-claim-with-shares-of-3-and-4-of-10-a-2
    @KEP-5075/capacity-accounting/aggregate-across-results-of-one-claim
    Scenario: Beside one claim with shares of 3 and 4 of 10, a claim for 4 is refused
      Given claim "other" already holds
        | device | request | consumed bandwidth | share |
        | eth1   | r0      | 3                  | s1    |
        | eth1   | r1      | 4                  | s2    |
      And a claim "c" requesting 4 of "bandwidth"
      When allocation of claim "c" is attempted
      Then nothing fits because of InsufficientCapacity

    @case:claims-of-different-namespaces-share-a-device
    @KEP-5075/capacity-accounting/across-namespaces
    Scenario: Claims of different namespaces share a device
      Given a claim "ns1/a" requesting 5 of "bandwidth"
      And a claim "ns2/b" requesting 5 of "bandwidth"
      When allocation of the claims "ns1/a, ns2/b" together is attempted
      Then claim "ns1/a" has the result
        | device | consumed bandwidth | share |
        | eth1   | 5                  | yes   |
      And claim "ns2/b" has the result
        | device | consumed bandwidth | share |
        | eth1   | 5                  | yes   |

    @case:what-a-claim-of-one-namespace-holds-is-missing-for-a
    @KEP-5075/capacity-accounting/across-namespaces
    Scenario: What a claim of one namespace holds is missing for a claim of another
      Given claim "ns1/a" already holds
        | device | consumed bandwidth | share |
        | eth1   | 5                  | s1    |
      And a claim "ns2/a" requesting 6 of "bandwidth"
      When allocation of claim "ns2/a" is attempted
      Then nothing fits because of InsufficientCapacity

    @case:a-result-with-a-share-id-leaves-the-rest-of-the
    @KEP-5075/capacity-accounting/in-use-check-uses-shared-results
    Scenario: A result with a share ID leaves the rest of the device to other claims
      Given claim "other" already holds
        | device | consumed bandwidth | share |
        | eth1   | 4                  | s1    |
      And a claim "c" requesting 6 of "bandwidth"
      When allocation of claim "c" is attempted
      Then claim "c" consumes 6 of "bandwidth"

    @case:a-result-without-a-share-id-takes-the-whole-device
    @KEP-5075/capacity-accounting/in-use-check-uses-shared-results
    Scenario: A result without a share ID takes the whole device
      Given claim "other" already holds
        | device | share |
        | eth1   |       |
      And a claim "c" requesting 1 of "bandwidth"
      When allocation of claim "c" is attempted
      Then nothing fits because of DeviceInUse

  Rule: Everything that is being allocated counts

    Background:
      Given the devices
        | device | shared | capacity bandwidth |
        | eth1   | yes    | 10                 |

    @case:two-requests-of-one-claim-for-6-and-4-of-10-get
    @KEP-5075/capacity-accounting/within-claim
    Scenario: Two requests of one claim for 6 and 4 of 10 get shares of one device
      Given a claim "c" with the requests
        | request | capacity bandwidth |
        | r1      | 6                  |
        | r2      | 4                  |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | consumed bandwidth | share |
        | r1      | eth1   | 6                  | yes   |
        | r2      | eth1   | 4                  | yes   |

    @case:two-requests-of-one-claim-for-6-and-5-of-10-are
    @KEP-5075/capacity-accounting/within-claim
    Scenario: Two requests of one claim for 6 and 5 of 10 are refused together
      Given a claim "c" with the requests
        | request | capacity bandwidth |
        | r1      | 6                  |
        | r2      | 5                  |
      When allocation of claim "c" is attempted
      Then nothing fits because of InsufficientCapacity

    @case:two-claims-for-6-and-4-of-10-are-allocated-together
    @KEP-5075/capacity-accounting/across-claims-of-one-pod
    Scenario: Two claims for 6 and 4 of 10 are allocated together
      Given a claim "a" requesting 6 of "bandwidth"
      And a claim "b" requesting 4 of "bandwidth"
      When allocation of the claims "a, b" together is attempted
      Then claim "a" consumes 6 of "bandwidth"
      And claim "b" consumes 4 of "bandwidth"

    @case:of-two-claims-that-do-not-fit-together-neither-is
    @KEP-5075/capacity-accounting/across-claims-of-one-pod
    Scenario: Of two claims that do not fit together neither is allocated
      Given a claim "a" requesting 6 of "bandwidth"
      And a claim "b" requesting 5 of "bandwidth"
      When allocation of the claims "a, b" together is attempted
      Then nothing fits because of InsufficientCapacity

    @case:two-new-shares-of-4-and-3-fit-beside-a-held-share-of
    @KEP-5075/capacity-accounting/allocated-plus-allocating
    Scenario: Two new shares of 4 and 3 fit beside a held share of 3 of 10
      Given claim "other" already holds
        | device | consumed bandwidth | share |
        | eth1   | 3                  | s1    |
      And a claim "c" with the requests
        | request | capacity bandwidth |
        | r1      | 4                  |
        | r2      | 3                  |
      When allocation of claim "c" is attempted
      Then claim "c" has the results
        | request | consumed bandwidth |
        | r1      | 4                  |
        | r2      | 3                  |

    @case:two-new-shares-of-4-each-do-not-fit-beside-a-held
    @KEP-5075/capacity-accounting/allocated-plus-allocating
    Scenario: Two new shares of 4 each do not fit beside a held share of 3 of 10
      Given claim "other" already holds
        | device | consumed bandwidth | share |
        | eth1   | 3                  | s1    |
      And a claim "c" with the requests
        | request | capacity bandwidth |
        | r1      | 4                  |
        | r2      | 4                  |
      When allocation of claim "c" is attempted
      Then nothing fits because of InsufficientCapacity

  Rule: What is tried and taken back is free again

    @case:a-small-request-moves-to-the-small-device-so-that-a
    @KEP-5075/capacity-accounting/backtracking-restores @KEP-5075/capacity-accounting/add-remove-inverse
    Scenario: A small request moves to the small device so that a large one fits
      Given the devices
        | device | shared | capacity bandwidth |
        | eth1   | yes    | 10                 |
        | eth2   | yes    | 4                  |
      And a claim "c" with the requests
        | request | capacity bandwidth |
        | small   | 4                  |
        | large   | 8                  |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | consumed bandwidth | share |
        | small   | eth2   | 4                  | yes   |
        | large   | eth1   | 8                  | yes   |

    @case:a-share-that-is-tried-and-taken-back-does-not-free
    @KEP-5075/capacity-accounting/add-remove-inverse
    Scenario: A share that is tried and taken back does not free what other claims hold
      Given the devices
        | device | shared | capacity bandwidth |
        | eth1   | yes    | 10                 |
        | eth2   | yes    | 4                  |
      And claim "other" already holds
        | device | consumed bandwidth | share |
        | eth1   | 3                  | s1    |
      And a claim "c" with the requests
        | request | capacity bandwidth |
        | small   | 4                  |
        | large   | 8                  |
      When allocation of claim "c" is attempted
      Then nothing fits because of InsufficientCapacity

  Rule: Every capacity of the device has to remain

    @case:a-capacity-whose-default-does-not-remain-blocks-a
    @KEP-5075/capacity-accounting/every-capacity-must-fit
    Scenario: A capacity whose default does not remain blocks a claim for another capacity
      Given the devices
        | device | shared | capacity memory | capacity cores | policy cores     |
        | gpu    | yes    | 16              | 4              | default 1, min 1 |
      And claim "other" already holds
        | device | consumed memory | consumed cores | share |
        | gpu    | 2               | 4              | s1    |
      And a claim "c" requesting 1 of "memory"
      When allocation of claim "c" is attempted
      Then nothing fits because of InsufficientCapacity

    @case:a-claim-that-names-two-capacities-is-allocated-where
    @KEP-5075/capacity-accounting/every-capacity-must-fit
    Scenario: A claim that names two capacities is allocated where both remain
      Given the devices
        | device | shared | capacity memory | capacity cores |
        | gpu    | yes    | 16              | 4              |
      And claim "other" already holds
        | device | consumed memory | consumed cores | share |
        | gpu    | 8               | 1              | s1    |
      And a claim "c" requesting 8 of "memory" and 3 of "cores"
      When allocation of claim "c" is attempted
      Then claim "c" consumes 8 of "memory" and 3 of "cores"

    @case:a-claim-that-names-two-capacities-is-refused-where
    @KEP-5075/capacity-accounting/every-capacity-must-fit
    Scenario: A claim that names two capacities is refused where only one of them remains
      Given the devices
        | device | shared | capacity memory | capacity cores |
        | gpu    | yes    | 16              | 4              |
      And claim "other" already holds
        | device | consumed memory | consumed cores | share |
        | gpu    | 8               | 1              | s1    |
      And a claim "c" requesting 8 of "memory" and 4 of "cores"
      When allocation of claim "c" is attempted
      Then nothing fits because of InsufficientCapacity

    @case:a-capacity-without-policy-that-a-claim-does-not-name
    @KEP-5075/capacity-accounting/unrequested-capacity-without-policy-blocks
    Scenario: A capacity without policy that a claim does not name is consumed whole
      Given the devices
        | device | shared | capacity memory | capacity cores |
        | gpu    | yes    | 16              | 4              |
      And a claim "a" requesting 4 of "memory"
      When allocation of claim "a" is attempted
      Then claim "a" consumes 4 of "memory" and 4 of "cores"

    @case:a-second-claim-is-refused-where-the-first-consumes
    @KEP-5075/capacity-accounting/unrequested-capacity-without-policy-blocks
    Scenario: A second claim is refused where the first consumes the unnamed capacity whole
      Given the devices
        | device | shared | capacity memory | capacity cores |
        | gpu    | yes    | 16              | 4              |
      And a claim "a" requesting 4 of "memory"
      And a claim "b" requesting 4 of "memory"
      When allocation of the claims "a, b" together is attempted
      Then nothing fits because of InsufficientCapacity

  Rule: A request is served by one device, never by the sum of several

    Background:
      Given the devices
        | device | shared | capacity bandwidth |
        | eth1   | yes    | 10                 |
        | eth2   | yes    | 10                 |

    @case:a-request-for-15-is-refused-where-two-devices-have
    @KEP-5075/capacity-accounting/no-combination-of-devices
    Scenario: A request for 15 is refused where two devices have 10 each
      Given a claim "c" requesting 15 of "bandwidth"
      When allocation of claim "c" is attempted
      Then nothing fits because of InsufficientCapacity

    @case:a-request-for-two-devices-with-15-each-is-refused
    @KEP-5075/capacity-accounting/no-combination-of-devices
    Scenario: A request for two devices with 15 each is refused where two devices have 10 each
      Given a claim "c" with the requests
        | request | count | capacity bandwidth |
        | r0      | 2     | 15                 |
      When allocation of claim "c" is attempted
      Then nothing fits

    @case:a-request-for-two-devices-with-10-each-gets-two
    @KEP-5075/capacity-accounting/no-combination-of-devices
    Scenario: A request for two devices with 10 each gets two devices that have 10 each
      Given a claim "c" with the requests
        | request | count | capacity bandwidth |
        | r0      | 2     | 10                 |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | consumed bandwidth | share |
        | r0      | eth1   | 10                 | yes   |
        | r0      | eth2   | 10                 | yes   |
