Feature: What an allocation records
  Each result on a shared device has a share ID and the consumed amounts. Results on dedicated devices have
  neither.

  Rule: A share is known by its share ID

    @case:a-share-of-a-device-with-capacity-has-a-share-id-and
    @KEP-5075/status/share-id-set-for-shared @KEP-5075/status/share-id-is-uid
    Scenario: A share of a device with capacity has a share ID and the consumed amount
      Given the devices
        | device | shared | capacity bandwidth |
        | eth1   | yes    | 10                 |
      And a claim "c" requesting 4 of "bandwidth"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | consumed bandwidth | share |
        | r0      | eth1   | 4                  | yes   |

    @case:a-share-of-a-device-without-capacity-has-a-share-id
    @KEP-5075/status/share-id-set-for-shared
    Scenario: A share of a device without capacity has a share ID
      Given the devices
        | device | shared |
        | eth1   | yes    |
      And a claim "c" requesting no capacity
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | share |
        | r0      | eth1   | yes   |

    @case:a-claim-asking-has-no-share-id-and-no-consumed
    @KEP-5075/status/share-id-absent-for-dedicated @KEP-5075/status/consumed-capacity-only-for-shared
    Scenario Outline: A claim asking <what> has no share ID and no consumed amounts on a dedicated device
      Given the devices
        | device | capacity bandwidth |
        | eth1   | 10                 |
      And a claim "c" requesting <what>
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | share |
        | r0      | eth1   | no    |

      Examples:
        | what             |
        | 4 of "bandwidth" |
        | no capacity      |

    @case:only-the-share-has-consumed-amounts-where-one-claim
    @KEP-5075/status/consumed-capacity-only-for-shared
    Scenario: Only the share has consumed amounts where one claim gets a share and a dedicated device
      Given the devices
        | device | shared | capacity bandwidth | capacity memory |
        | eth1   | yes    | 10                 |                 |
        | gpu    | no     |                    | 10              |
      And a claim "c" with the requests
        | request | capacity bandwidth | capacity memory |
        | nic     | 4                  |                 |
        | gpu     |                    | 4               |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | consumed bandwidth | share |
        | nic     | eth1   | 4                  | yes   |
        | gpu     | gpu    |                    | no    |

    @case:shares-of-three-claims-have-three-share-ids
    @KEP-5075/status/share-id-unique-per-device
    Scenario: Shares of three claims have three share IDs
      Given the devices
        | device | shared | capacity bandwidth |
        | eth1   | yes    | 10                 |
      And claim "other" already holds
        | device | consumed bandwidth | share |
        | eth1   | 1                  | s1    |
      And a claim "a" requesting 3 of "bandwidth"
      And a claim "b" requesting 3 of "bandwidth"
      And a claim "c" requesting 3 of "bandwidth"
      When allocation of the claims "a, b, c" together is attempted
      Then claim "a" consumes 3 of "bandwidth"
      And claim "b" consumes 3 of "bandwidth"
      And claim "c" consumes 3 of "bandwidth"

    @case:two-results-of-one-claim-on-one-device-differ-in
    @KEP-5075/status/share-id-unique-per-device @KEP-5075/status/several-results-same-device
    Scenario: Two results of one claim on one device differ in their share IDs
      Given the devices
        | device | shared | capacity bandwidth |
        | eth1   | yes    | 10                 |
      And a claim "c" with the requests
        | request | capacity bandwidth |
        | r1      | 4                  |
        | r2      | 6                  |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | consumed bandwidth | share |
        | r1      | eth1   | 4                  | yes   |
        | r2      | eth1   | 6                  | yes   |

  Rule: The consumed amounts are recorded in the results

    @case:the-rounded-amount-of-a-request-is-recorded-as
    @KEP-5075/status/consumed-capacity-recorded
    Scenario: The rounded amount of a request is recorded as consumed
      Given the devices
        | device | shared | capacity bandwidth | policy bandwidth                 |
        | eth1   | yes    | 12                 | default 5, min 2, step 3, max 11 |
      And a claim "c" requesting 3 of "bandwidth"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | consumed bandwidth | share |
        | r0      | eth1   | 5                  | yes   |

    @case:without-a-policy-the-requested-amount-is-recorded-as
    @KEP-5075/status/consumed-capacity-recorded @KEP-5075/status/location-of-consumed-capacity
    Scenario: Without a policy the requested amount is recorded as consumed
      Given the devices
        | device | shared | capacity bandwidth |
        | eth1   | yes    | 10                 |
      And a claim "c" requesting 4 of "bandwidth"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | consumed bandwidth | share |
        | r0      | eth1   | 4                  | yes   |

    @case:the-default-is-recorded-as-consumed-where-a-request
    @KEP-5075/status/consumed-capacity-recorded
    Scenario: The default is recorded as consumed where a request names no amount
      Given the devices
        | device | shared | capacity bandwidth | policy bandwidth |
        | eth1   | yes    | 10                 | default 3, min 1 |
      And a claim "c" requesting no capacity
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | consumed bandwidth | share |
        | r0      | eth1   | 3                  | yes   |

    @case:every-capacity-of-the-device-is-recorded-requested
    @KEP-5075/status/consumed-capacity-all-entries
    Scenario: Every capacity of the device is recorded, requested or not
      Given the devices
        | device | shared | capacity memory | capacity cores | policy cores     | capacity slots |
        | gpu    | yes    | 16              | 8              | default 1, min 1 | 4              |
      And a claim "c" requesting 4 of "memory"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | consumed memory | consumed cores | consumed slots | share |
        | r0      | gpu    | 4               | 1              | 4              | yes   |

    @case:a-consumed-amount-of-zero-is-recorded
    @KEP-5075/status/consumed-capacity-zero-entries
    Scenario: A consumed amount of zero is recorded
      Given the devices
        | device | shared | capacity slots | policy slots        |
        | eth1   | yes    | 1              | default 0, values 0 |
      And a claim "c" requesting no capacity
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | consumed slots | share |
        | r0      | eth1   | 0              | yes   |

    @case:a-consumed-amount-of-zero-is-recorded-beside-another
    @KEP-5075/status/consumed-capacity-zero-entries
    Scenario: A consumed amount of zero is recorded beside another amount
      Given the devices
        | device | shared | capacity memory | capacity slots | policy slots        |
        | gpu    | yes    | 16              | 1              | default 0, values 0 |
      And a claim "c" requesting 4 of "memory"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | consumed memory | consumed slots | share |
        | r0      | gpu    | 4               | 0              | yes   |

    @case:a-capacity-that-the-slice-calls-is-recorded-under
    @KEP-5075/status/consumed-capacity-names-from-device
    Scenario Outline: A capacity that the slice calls <name> is recorded under that name
      Given the devices
        | device | shared | capacity <name> |
        | eth1   | yes    | 10              |
      And a claim "c" requesting no capacity
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | consumed <name> | share |
        | r0      | eth1   | 10              | yes   |

      Examples:
        | name                      |
        | bandwidth                 |
        | net.example.com/bandwidth |

    @case:on-the-example-device-of-kep-5075-a-claim-asking
    @KEP-5075/status/seed-example-amount
    Scenario Outline: On the example device of KEP-5075 a claim asking <what> consumes <consumed>
      Given the devices
        | device | driver                                 | shared | capacity bandwidth | policy bandwidth             |
        | eth1   | guaranteed-cni.dra.networking.x-k8s.io | yes    | 10Gi               | default 1Mi, min 1Mi, step 8 |
      And a claim "c" requesting <what>
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | consumed bandwidth | share |
        | r0      | eth1   | <consumed>         | yes   |

      Examples:
        | what               | consumed |
        | 5Gi of "bandwidth" | 5Gi      |
        | no capacity        | 1Mi      |
