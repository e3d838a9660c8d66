Feature: Defaults for what a request does not name
  A share always consumes an amount of every capacity of its device. Where the request names none, the
  policy's default is consumed, and without a policy the whole capacity.

  @case:a-request-without-capacity-consumes-all-of-a
  @KEP-5075/default/no-policy-no-request-full-capacity
  Scenario: A request without capacity consumes all of a capacity that has no policy
    Given the devices
      | device | shared | capacity bandwidth |
      | eth1   | yes    | 10                 |
    And a claim "c" requesting no capacity
    When allocation of claim "c" is attempted
    Then claim "c" consumes 10 of "bandwidth"

  @case:a-request-without-capacity-consumes-under-a-policy
  @KEP-5075/default/policy-default-used-when-absent
  Scenario Outline: A request without capacity consumes <default> under a policy of <policy>
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

  @case:the-default-is-consumed-even-where-the-least-share
  @KEP-5075/default/default-not-min
  Scenario: The default is consumed even where the least share is smaller
    Given the devices
      | device | shared | capacity bandwidth | policy bandwidth         |
      | eth1   | yes    | 12                 | default 8, min 2, step 3 |
    And a claim "c" requesting no capacity
    When allocation of claim "c" is attempted
    Then claim "c" consumes 8 of "bandwidth"

  @case:under-a-policy-without-a-default-a-request-without
  @KEP-5075/default/policy-without-default-full-capacity
  Scenario: Under a policy without a default a request without capacity consumes the whole capacity
    Given the devices
      | device | shared | capacity bandwidth | policy bandwidth |
      | eth1   | yes    | 10                 | empty            |
    And a claim "c" requesting no capacity
    When allocation of claim "c" is attempted
    Then claim "c" consumes 10 of "bandwidth"

  Rule: A request that names nothing is the same in every spelling

    Background:
      Given the devices
        | device | shared | capacity bandwidth | policy bandwidth |
        | eth1   | yes    | 10                 | default 3, min 1 |

    @case:a-request-without-a-capacity-object-consumes-the
    @KEP-5075/default/empty-requests-same-as-unset
    Scenario: A request without a capacity object consumes the default
      Given a claim "c" requesting no capacity
      When allocation of claim "c" is attempted
      Then claim "c" consumes 3 of "bandwidth"

    @case:a-request-with-an-empty-capacity-object-consumes-the
    @KEP-5075/default/empty-requests-same-as-unset
    Scenario: A request with an empty capacity object consumes the default
      Given a claim "c" requesting an empty capacity
      When allocation of claim "c" is attempted
      Then claim "c" consumes 3 of "bandwidth"

    @case:a-request-with-an-empty-map-capacity-requests
    @KEP-5075/default/empty-requests-same-as-unset
    Scenario: A request with an empty map capacity.requests consumes the default
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

    @case:a-claim-asking-is-refused-where-less-than-the
    @KEP-5075/default/empty-requests-same-as-unset @KEP-5075/default/exceeding-remaining-refused
    Scenario Outline: A claim asking <what> is refused where less than the default remains
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

    @case:a-smaller-named-amount-fits-where-the-default-does
    @KEP-5075/default/exceeding-remaining-refused
    Scenario: A smaller named amount fits where the default does not
      Given claim "other" already holds
        | device | consumed bandwidth | share |
        | eth1   | 8                  | s1    |
      And a claim "c" requesting 2 of "bandwidth"
      When allocation of claim "c" is attempted
      Then claim "c" consumes 2 of "bandwidth"

  Rule: The default is consumed by everyone who names nothing

    Background:
      Given the devices
        | device | shared | capacity bandwidth | policy bandwidth |
        | eth1   | yes    | 10                 | default 3, min 1 |

    @case:claims-without-capacity-consume-the-default-before
    @KEP-5075/default/always-consumed
    Scenario: Claims without capacity consume the default before and after a claim that names an amount
      Given a claim "a" requesting no capacity
      And a claim "b" requesting 4 of "bandwidth"
      And a claim "c" requesting no capacity
      When allocation of the claims "a, b, c" together is attempted
      Then claim "a" consumes 3 of "bandwidth"
      And claim "b" consumes 4 of "bandwidth"
      And claim "c" consumes 3 of "bandwidth"

    @case:three-claims-are-refused-together-where-the-default
    @KEP-5075/default/always-consumed
    Scenario: Three claims are refused together where the default does not remain for the last
      Given a claim "a" requesting no capacity
      And a claim "b" requesting 5 of "bandwidth"
      And a claim "c" requesting no capacity
      When allocation of the claims "a, b, c" together is attempted
      Then nothing fits because of InsufficientCapacity

  Rule: A whole capacity can be consumed only once

    @case:two-claims-without-capacity-are-refused-on-one
    @KEP-5075/default/full-default-blocks-sharing
    Scenario: Two claims without capacity are refused on one device without a policy
      Given the devices
        | device | shared | capacity bandwidth |
        | eth1   | yes    | 2                  |
      And a claim "a" requesting no capacity
      And a claim "b" requesting no capacity
      When allocation of the claims "a, b" together is attempted
      Then nothing fits because of InsufficientCapacity

    @case:a-claim-without-capacity-is-refused-beside-a-share
    @KEP-5075/default/full-default-blocks-sharing
    Scenario: A claim without capacity is refused beside a share of a device without a policy
      Given the devices
        | device | shared | capacity bandwidth |
        | eth1   | yes    | 2                  |
      And claim "a" already holds
        | device | consumed bandwidth | share |
        | eth1   | 1                  | s1    |
      And a claim "b" requesting no capacity
      When allocation of claim "b" is attempted
      Then nothing fits because of InsufficientCapacity

    @case:two-requests-without-capacity-get-two-devices
    @KEP-5075/default/full-default-blocks-sharing
    Scenario: Two requests without capacity get two devices without a policy
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

  Rule: Devices can be shared without limit

    @case:a-device-without-capacity-gives-shares-that-consume
    @KEP-5075/default/no-capacity-consumes-none
    Scenario: A device without capacity gives shares that consume nothing
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

    @case:a-default-of-zero-never-uses-the-device-up
    @KEP-5075/default/zero-default
    Scenario: A default of zero never uses the device up
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

    @case:a-request-for-1-of-slots-is-refused-where-zero-is
    @KEP-5075/rounding/zero-only-policy
    Scenario: A request for 1 of slots is refused where zero is the only valid amount
      Given the devices
        | device | shared | capacity slots | policy slots        |
        | eth1   | yes    | 1              | default 0, values 0 |
      And a claim "c" requesting 1 of "slots"
      When allocation of claim "c" is attempted
      Then nothing fits because of CapacityPolicyViolation

  Rule: Named and unnamed capacities go side by side

    Background:
      Given the devices
        | device | shared | capacity memory | policy memory            | capacity cores | policy cores     |
        | gpu    | yes    | 16              | default 4, min 4, step 4 | 8              | default 1, min 1 |

    @case:a-request-that-names-memory-consumes-cores-by
    @KEP-5075/default/partial-request
    Scenario: A request that names memory consumes cores by default
      Given a claim "c" requesting 6 of "memory"
      When allocation of claim "c" is attempted
      Then claim "c" has the result
        | device | consumed memory | consumed cores |
        | gpu    | 8               | 1              |

    @case:a-request-that-names-cores-consumes-memory-by
    @KEP-5075/default/partial-request
    Scenario: A request that names cores consumes memory by default
      Given a claim "c" requesting 3 of "cores"
      When allocation of claim "c" is attempted
      Then claim "c" has the result
        | device | consumed memory | consumed cores |
        | gpu    | 4               | 3              |

    @case:a-request-that-names-memory-is-refused-where-the
    @KEP-5075/default/partial-request
    Scenario: A request that names memory is refused where the default of cores does not remain
      Given claim "other" already holds
        | device | consumed memory | consumed cores | share |
        | gpu    | 4               | 8              | s1    |
      And a claim "c" requesting 6 of "memory"
      When allocation of claim "c" is attempted
      Then nothing fits because of InsufficientCapacity
