Feature: Distinct attributes
  A distinctAttribute constraint demands that all devices of the requests it covers have an attribute and
  that no two of them have the same value. It keeps the shares of a claim on different devices.

  Rule: Devices with the same value do not go together

    @case:two-devices-with-different-values-are-allocated
    @KEP-5075/constraint/distinct-different-values
    Scenario: Two devices with different values are allocated under distinctAttribute
      Given the devices
        | device | shared | capacity bandwidth | attribute dra.example.com/name |
        | eth1   | yes    | 10                 | string eth1                    |
        | eth2   | yes    | 10                 | string eth2                    |
      And a claim "c" with the requests
        | request | capacity bandwidth |
        | r0      | 1                  |
        | r1      | 1                  |
      And claim "c" needs distinct "dra.example.com/name"
      When allocation of claim "c" is attempted
      Then claim "c" has the results
        | device | consumed bandwidth |
        | eth1   | 1                  |
        | eth2   | 1                  |

    @case:two-devices-with-the-same-value-are-refused-under
    @KEP-5075/constraint/distinct-different-values
    Scenario: Two devices with the same value are refused under distinctAttribute
      Given the devices
        | device | shared | capacity bandwidth | attribute dra.example.com/name |
        | eth1   | yes    | 10                 | string lan                     |
        | eth2   | yes    | 10                 | string lan                     |
      And a claim "c" with the requests
        | request | capacity bandwidth |
        | r0      | 1                  |
        | r1      | 1                  |
      And claim "c" needs distinct "dra.example.com/name"
      When allocation of claim "c" is attempted
      Then nothing fits because of ConstraintUnsatisfied

    @case:two-shares-of-one-device-are-refused-under
    @KEP-5075/constraint/distinct-prevents-same-device
    Scenario: Two shares of one device are refused under distinctAttribute
      Given the devices
        | device | shared | capacity bandwidth | attribute dra.example.com/name |
        | eth1   | yes    | 10                 | string eth1                    |
      And a claim "c" with the requests
        | request | capacity bandwidth |
        | r0      | 1                  |
        | r1      | 1                  |
      And claim "c" needs distinct "dra.example.com/name"
      When allocation of claim "c" is attempted
      Then nothing fits because of ConstraintUnsatisfied

    @case:two-shares-of-one-device-are-allocated-without
    @KEP-5075/constraint/distinct-prevents-same-device
    Scenario: Two shares of one device are allocated without distinctAttribute
      Given the devices
        | device | shared | capacity bandwidth | attribute dra.example.com/name |
        | eth1   | yes    | 10                 | string eth1                    |
      And a claim "c" with the requests
        | request | capacity bandwidth |
        | r0      | 1                  |
        | r1      | 1                  |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | consumed bandwidth | share |
        | r0      | eth1   | 1                  | yes   |
        | r1      | eth1   | 1                  | yes   |

    @case:distinctattribute-moves-the-second-share-to-another
    @KEP-5075/constraint/distinct-two-devices-chosen
    Scenario: distinctAttribute moves the second share to another device, although the first has room for both
      Given the devices
        | device | shared | capacity bandwidth | policy bandwidth                | attribute dra.example.com/name |
        | eth1   | yes    | 4                  | default 2, min 2, step 2, max 4 | string v1                      |
        | eth2   | yes    | 4                  | default 2, min 2, step 2, max 4 | string v2                      |
      And a claim "c" with the requests
        | request | capacity bandwidth |
        | r0      | 2                  |
        | r1      | 2                  |
      And claim "c" needs distinct "dra.example.com/name"
      When allocation of claim "c" is attempted
      Then claim "c" has the results
        | device | consumed bandwidth | share |
        | eth1   | 2                  | yes   |
        | eth2   | 2                  | yes   |

    @case:two-requests-under-distinctattribute-get-dedicated
    @KEP-5075/constraint/distinct-dedicated-devices
    Scenario: Two requests under distinctAttribute get dedicated devices of different cards
      Given the devices
        | device | attribute dra.example.com/card |
        | vf1    | string a                       |
        | vf2    | string a                       |
        | vf3    | string b                       |
      And a claim "c" with the requests
        | request |
        | r0      |
        | r1      |
      And claim "c" needs distinct "dra.example.com/card"
      When allocation of claim "c" is attempted
      Then claim "c" gets one of
        | choice | device |
        | 1      | vf1    |
        | 1      | vf3    |
        | 2      | vf2    |
        | 2      | vf3    |

    @case:two-requests-under-distinctattribute-are-refused
    @KEP-5075/constraint/distinct-dedicated-devices
    Scenario: Two requests under distinctAttribute are refused where all dedicated devices are of one card
      Given the devices
        | device | attribute dra.example.com/card |
        | vf1    | string a                       |
        | vf2    | string a                       |
      And a claim "c" with the requests
        | request |
        | r0      |
        | r1      |
      And claim "c" needs distinct "dra.example.com/card"
      When allocation of claim "c" is attempted
      Then nothing fits because of ConstraintUnsatisfied

    @case:the-string-1-and-the-int-1-are-distinct-values
    @KEP-5075/constraint/distinct-type-and-value
    Scenario: The string 1 and the int 1 are distinct values
      Given the devices
        | device | attribute dra.example.com/slot |
        | eth1   | string 1                       |
        | eth2   | int 1                          |
      And a claim "c" with the requests
        | request |
        | r0      |
        | r1      |
      And claim "c" needs distinct "dra.example.com/slot"
      When allocation of claim "c" is attempted
      Then claim "c" has the results
        | device |
        | eth1   |
        | eth2   |

  Rule: A device must have the attribute

    @case:even-a-single-device-is-refused-if-it-lacks-the
    @KEP-5075/constraint/distinct-missing-attribute
    Scenario: Even a single device is refused if it lacks the attribute of distinctAttribute
      Given the devices
        | device | shared |
        | eth1   | yes    |
      And a claim "c" requesting no capacity
      And claim "c" needs distinct "dra.example.com/name"
      When allocation of claim "c" is attempted
      Then nothing fits

    @case:of-two-devices-the-one-that-has-the-attribute-of
    @KEP-5075/constraint/distinct-missing-attribute
    Scenario: Of two devices the one that has the attribute of distinctAttribute is taken
      Given the devices
        | device | shared | attribute dra.example.com/name |
        | eth1   | yes    |                                |
        | eth2   | yes    | string eth2                    |
      And a claim "c" requesting no capacity
      And claim "c" needs distinct "dra.example.com/name"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | share |
        | r0      | eth2   | yes   |

    @case:two-requests-under-distinctattribute-are-refused-2
    @KEP-5075/constraint/distinct-missing-attribute
    Scenario: Two requests under distinctAttribute are refused where only one device has the attribute
      Given the devices
        | device | shared | attribute dra.example.com/name |
        | eth1   | yes    |                                |
        | eth2   | yes    |                                |
        | eth3   | yes    | string eth3                    |
      And a claim "c" with the requests
        | request |
        | r0      |
        | r1      |
      And claim "c" needs distinct "dra.example.com/name"
      When allocation of claim "c" is attempted
      Then nothing fits

  Rule: The constraint covers the requests that it lists, or all

    Background:
      Given the devices
        | device | shared | attribute dra.example.com/fast |
        | eth1   | yes    | bool true                      |
        | eth2   | yes    | bool false                     |
      And a claim "c" with the requests
        | request |
        | r0      |
        | r1      |
        | r2      |

    @case:a-request-that-distinctattribute-does-not-list-may
    @KEP-5075/constraint/distinct-only-listed-requests
    Scenario: A request that distinctAttribute does not list may use either device
      Given claim "c" needs distinct "dra.example.com/fast" among the requests "r0, r1"
      When allocation of claim "c" is attempted
      Then claim "c" gets one of
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

    @case:without-a-list-distinctattribute-covers-all-three
    @KEP-5075/constraint/distinct-only-listed-requests
    Scenario: Without a list distinctAttribute covers all three requests, which two values cannot satisfy
      Given claim "c" needs distinct "dra.example.com/fast"
      When allocation of claim "c" is attempted
      Then nothing fits because of ConstraintUnsatisfied

  Rule: distinctAttribute goes together with matchAttribute

    @case:two-different-cards-on-one-numa-node-satisfy
    @KEP-5075/constraint/match-and-distinct-together
    Scenario: Two different cards on one NUMA node satisfy distinct cards and a matching NUMA node
      Given the devices
        | device | attribute dra.example.com/numa | attribute dra.example.com/card |
        | nic1   | int 0                          | string a                       |
        | nic2   | int 0                          | string b                       |
        | nic3   | int 1                          | string c                       |
      And a claim "c" with the requests
        | request |
        | r0      |
        | r1      |
      And claim "c" needs matching "dra.example.com/numa"
      And claim "c" needs distinct "dra.example.com/card"
      When allocation of claim "c" is attempted
      Then claim "c" has the results
        | device |
        | nic1   |
        | nic2   |

    @case:two-different-cards-on-two-numa-nodes-do-not-satisfy
    @KEP-5075/constraint/match-and-distinct-together
    Scenario: Two different cards on two NUMA nodes do not satisfy distinct cards and a matching NUMA node
      Given the devices
        | device | attribute dra.example.com/numa | attribute dra.example.com/card |
        | nic1   | int 0                          | string a                       |
        | nic3   | int 1                          | string c                       |
      And a claim "c" with the requests
        | request |
        | r0      |
        | r1      |
      And claim "c" needs matching "dra.example.com/numa"
      And claim "c" needs distinct "dra.example.com/card"
      When allocation of claim "c" is attempted
      Then nothing fits because of ConstraintUnsatisfied

    @case:two-shares-of-one-device-satisfy-matchattribute
    @KEP-5075/constraint/match-same-shared-device
    Scenario: Two shares of one device satisfy matchAttribute
      Given the devices
        | device | shared | capacity bandwidth | attribute dra.example.com/numa |
        | eth1   | yes    | 10                 | int 0                          |
      And a claim "c" with the requests
        | request | capacity bandwidth |
        | r0      | 4                  |
        | r1      | 4                  |
      And claim "c" needs matching "dra.example.com/numa"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | consumed bandwidth | share |
        | r0      | eth1   | 4                  | yes   |
        | r1      | eth1   | 4                  | yes   |

  Rule: The constraint concerns one claim and the devices that have enough capacity left

    @case:two-claims-each-with-distinctattribute-get-shares-of
    @KEP-5075/constraint/distinct-per-claim
    Scenario: Two claims, each with distinctAttribute, get shares of the same two devices
      Given the devices
        | device | shared | capacity bandwidth | attribute dra.example.com/name |
        | eth1   | yes    | 10                 | string eth1                    |
        | eth2   | yes    | 10                 | string eth2                    |
      And a claim "a" with the requests
        | request | capacity bandwidth |
        | r0      | 3                  |
        | r1      | 3                  |
      And a claim "b" with the requests
        | request | capacity bandwidth |
        | r0      | 3                  |
        | r1      | 3                  |
      And claim "a" needs distinct "dra.example.com/name"
      And claim "b" needs distinct "dra.example.com/name"
      When allocation of the claims "a, b" together is attempted
      Then claim "a" has the results
        | device | consumed bandwidth |
        | eth1   | 3                  |
        | eth2   | 3                  |
      And claim "b" has the results
        | device | consumed bandwidth |
        | eth1   | 3                  |
        | eth2   | 3                  |

    @case:a-used-up-device-does-not-rule-out-another-with-the
    @KEP-5075/constraint/checked-after-capacity
    Scenario: A used-up device does not rule out another with the same value
      Given the devices
        | device | shared | capacity bandwidth | attribute dra.example.com/name |
        | eth1   | yes    | 10                 | string x                       |
        | eth2   | yes    | 10                 | string x                       |
        | eth3   | yes    | 10                 | string y                       |
      And claim "other" already holds
        | device | consumed bandwidth | share |
        | eth1   | 10                 | s1    |
      And a claim "c" with the requests
        | request | capacity bandwidth |
        | r0      | 2                  |
        | r1      | 2                  |
      And claim "c" needs distinct "dra.example.com/name"
      When allocation of claim "c" is attempted
      Then claim "c" has the results
        | device | consumed bandwidth |
        | eth2   | 2                  |
        | eth3   | 2                  |

    @case:the-small-request-gives-back-a-device-whose-distinct
    @KEP-5075/constraint/backtracking
    Scenario: The small request gives back a device whose distinct value the large request needs
      Given the devices
        | device | shared | capacity bandwidth | attribute dra.example.com/name |
        | eth1   | yes    | 10                 | string x                       |
        | eth2   | yes    | 2                  | string x                       |
        | eth3   | yes    | 2                  | string y                       |
      And a claim "c" with the requests
        | request | capacity bandwidth |
        | small   | 2                  |
        | large   | 5                  |
      And claim "c" needs distinct "dra.example.com/name"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | consumed bandwidth | share |
        | small   | eth3   | 2                  | yes   |
        | large   | eth1   | 5                  | yes   |
