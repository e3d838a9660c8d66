Feature: Consumed capacity without a capacity request
  A shared allocation consumes a quantity of every capacity of its device. If the request has no entry for a
  capacity, the default of the requestPolicy is consumed, or the full capacity if there is no requestPolicy.

  @case:no-policy-consumes-full-capacity
  @KEP-5075/default/no-policy-no-request-full-capacity
  Scenario: A request without capacity consumes the full capacity if there is no requestPolicy
    Given the devices
      | device | shared | capacity bandwidth |
      | eth1   | yes    | 10                 |
    And a claim "c" requesting no capacity
    When allocation of claim "c" is attempted
    Then claim "c" consumes 10 of "bandwidth"

  @case:policy-consumes-default
  @KEP-5075/default/policy-default-used-when-absent
  Scenario Outline: A request without capacity consumes the default of the requestPolicy
    Given the devices
      | device | shared | capacity bandwidth | policy bandwidth |
      | eth1   | yes    | 10Gi               | <policy>         |
    And a claim "c" requesting no capacity
    When allocation of claim "c" is attempted
    Then claim "c" consumes <default> of "bandwidth"

    Examples:
      | policy                       | default |
      | default 4Gi                  | 4Gi     |
      | default 1Mi, min 1Mi, step 8 | 1Mi     |
      | default 2Gi, values 1Gi 2Gi  | 2Gi     |

  @case:default-above-min
  @KEP-5075/default/default-not-min
  Scenario: A request without capacity consumes the default even if min is smaller
    Given the devices
      | device | shared | capacity bandwidth | policy bandwidth         |
      | eth1   | yes    | 12                 | default 8, min 2, step 3 |
    And a claim "c" requesting no capacity
    When allocation of claim "c" is attempted
    Then claim "c" consumes 8 of "bandwidth"

  @case:empty-policy-consumes-full-capacity
  @KEP-5075/default/policy-without-default-full-capacity
  Scenario: A request without capacity consumes the full capacity if the requestPolicy is empty
    Given the devices
      | device | shared | capacity bandwidth | policy bandwidth |
      | eth1   | yes    | 10                 | empty            |
    And a claim "c" requesting no capacity
    When allocation of claim "c" is attempted
    Then claim "c" consumes 10 of "bandwidth"

  Rule: Missing and empty capacity objects

    Background:
      Given the devices
        | device | shared | capacity bandwidth | policy bandwidth |
        | eth1   | yes    | 10                 | default 3, min 1 |

    @case:missing-capacity-object
    @KEP-5075/default/empty-requests-same-as-unset
    Scenario: A request without a capacity object consumes the default
      Given a claim "c" requesting no capacity
      When allocation of claim "c" is attempted
      Then claim "c" consumes 3 of "bandwidth"

    @case:empty-capacity-object
    @KEP-5075/default/empty-requests-same-as-unset
    Scenario: A request with an empty capacity object consumes the default
      Given a claim "c" requesting an empty capacity
      When allocation of claim "c" is attempted
      Then claim "c" consumes 3 of "bandwidth"

    @case:empty-requests-map
    @KEP-5075/default/empty-requests-same-as-unset
    Scenario: A request with an empty capacity.requests map consumes the default
      Given a device class "any"
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
      When allocation of claim "c" is attempted
      Then claim "c" consumes 3 of "bandwidth"

    @case:default-above-remaining
    @KEP-5075/default/empty-requests-same-as-unset @KEP-5075/default/exceeding-remaining-refused
    Scenario Outline: A request without capacity fails if the default exceeds the remaining capacity
      Given claim "other" already holds
        | device | consumed bandwidth | share |
        | eth1   | 8                  | s1    |
      And a claim "c" requesting <what>
      When allocation of claim "c" is attempted
      Then nothing fits because of InsufficientCapacity

      Examples:
        | what              |
        | no capacity       |
        | an empty capacity |

    @case:request-below-default-fits
    @KEP-5075/default/exceeding-remaining-refused
    Scenario: A request for less than the default is allocated where the default does not fit
      Given claim "other" already holds
        | device | consumed bandwidth | share |
        | eth1   | 8                  | s1    |
      And a claim "c" requesting 2 of "bandwidth"
      When allocation of claim "c" is attempted
      Then claim "c" consumes 2 of "bandwidth"

  Rule: The default for several ResourceClaims

    Background:
      Given the devices
        | device | shared | capacity bandwidth | policy bandwidth |
        | eth1   | yes    | 10                 | default 3, min 1 |

    @case:default-before-and-after-request
    @KEP-5075/default/always-consumed
    Scenario: Requests without capacity consume the default whatever other ResourceClaims request
      Given a claim "a" requesting no capacity
      And a claim "b" requesting 4 of "bandwidth"
      And a claim "c" requesting no capacity
      When allocation of the claims "a, b, c" together is attempted
      Then claim "a" consumes 3 of "bandwidth"
      And claim "b" consumes 4 of "bandwidth"
      And claim "c" consumes 3 of "bandwidth"

    @case:default-of-last-claim-missing
    @KEP-5075/default/always-consumed
    Scenario: Three ResourceClaims cannot be allocated if the default of the last one does not fit
      Given a claim "a" requesting no capacity
      And a claim "b" requesting 5 of "bandwidth"
      And a claim "c" requesting no capacity
      When allocation of the claims "a, b, c" together is attempted
      Then nothing fits because of InsufficientCapacity

  Rule: The full capacity as default

    @case:two-full-capacities
    @KEP-5075/default/full-default-blocks-sharing
    Scenario: Two ResourceClaims without capacity cannot share a device without requestPolicy
      Given the devices
        | device | shared | capacity bandwidth |
        | eth1   | yes    | 2                  |
      And a claim "a" requesting no capacity
      And a claim "b" requesting no capacity
      When allocation of the claims "a, b" together is attempted
      Then nothing fits because of InsufficientCapacity

    @case:full-capacity-of-used-device
    @KEP-5075/default/full-default-blocks-sharing
    Scenario: A request without capacity fails on a partly consumed device without requestPolicy
      Given the devices
        | device | shared | capacity bandwidth |
        | eth1   | yes    | 2                  |
      And claim "a" already holds
        | device | consumed bandwidth | share |
        | eth1   | 1                  | s1    |
      And a claim "b" requesting no capacity
      When allocation of claim "b" is attempted
      Then nothing fits because of InsufficientCapacity

    @case:two-requests-two-devices
    @KEP-5075/default/full-default-blocks-sharing
    Scenario: Two requests without capacity get two devices without requestPolicy
      Given the devices
        | device | shared | capacity bandwidth |
        | eth1   | yes    | 2                  |
        | eth2   | yes    | 2                  |
      And a claim "c" with the requests
        | request |
        | first   |
        | second  |
      When allocation of claim "c" is attempted
      Then claim "c" has the results
        | device | consumed bandwidth | share |
        | eth1   | 2                  | yes   |
        | eth2   | 2                  | yes   |

  Rule: Devices that can be shared without limit

    @case:device-without-capacity
    @KEP-5075/default/no-capacity-consumes-none
    Scenario: A multi-allocatable device without capacity is allocated to two ResourceClaims
      Given the devices
        | device | shared |
        | eth1   | yes    |
      And a claim "a" requesting no capacity
      And a claim "b" requesting no capacity
      When allocation of the claims "a, b" together is attempted
      Then claim "a" has the result
        | device | share |
        | eth1   | yes   |
      And claim "b" has the result
        | device | share |
        | eth1   | yes   |

    @case:default-zero-never-exhausts
    @KEP-5075/default/zero-default
    Scenario: A device with a default of zero is allocated again despite several shared allocations
      Given the devices
        | device | shared | capacity slots | policy slots        |
        | eth1   | yes    | 1              | default 0, values 0 |
      And claim "other" already holds
        | device | request | consumed slots | share |
        | eth1   | r0      | 0              | s1    |
        | eth1   | r1      | 0              | s2    |
      And a claim "a" requesting no capacity
      And a claim "b" requesting no capacity
      When allocation of the claims "a, b" together is attempted
      Then claim "a" consumes 0 of "slots"
      And claim "b" consumes 0 of "slots"

    @case:nonzero-request-above-zero-value
    @KEP-5075/rounding/zero-only-policy
    Scenario: A request above zero fails if zero is the only valid value
      Given the devices
        | device | shared | capacity slots | policy slots        |
        | eth1   | yes    | 1              | default 0, values 0 |
      And a claim "c" requesting 1 of "slots"
      When allocation of claim "c" is attempted
      Then nothing fits because of CapacityPolicyViolation

  Rule: Requested and unrequested capacities of one device

    Background:
      Given the devices
        | device | shared | capacity memory | policy memory            | capacity cores | policy cores     |
        | gpu    | yes    | 16              | default 4, min 4, step 4 | 8              | default 1, min 1 |

    @case:cores-by-default
    @KEP-5075/default/partial-request
    Scenario: A request for memory consumes the default of cores
      Given a claim "c" requesting 6 of "memory"
      When allocation of claim "c" is attempted
      Then claim "c" has the result
        | device | consumed memory | consumed cores |
        | gpu    | 8               | 1              |

    @case:memory-by-default
    @KEP-5075/default/partial-request
    Scenario: A request for cores consumes the default of memory
      Given a claim "c" requesting 3 of "cores"
      When allocation of claim "c" is attempted
      Then claim "c" has the result
        | device | consumed memory | consumed cores |
        | gpu    | 4               | 3              |

    @case:default-of-cores-missing
    @KEP-5075/default/partial-request
    Scenario: A request for memory fails if the default of cores does not fit
      Given claim "other" already holds
        | device | consumed memory | consumed cores | share |
        | gpu    | 4               | 8              | s1    |
      And a claim "c" requesting 6 of "memory"
      When allocation of claim "c" is attempted
      Then nothing fits because of InsufficientCapacity
