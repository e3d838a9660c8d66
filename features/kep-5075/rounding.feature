Feature: Rounding a requested amount
  A driver can say which amounts of a capacity it is able to reserve. A request is rounded up to the nearest
  such amount, is never rounded down, and is refused if there is no such amount.

  Rule: A range has a least share, steps that count from it, and a largest share

    Background:
      Given the devices
        | device | shared | capacity bandwidth | policy bandwidth                 |
        | eth1   | yes    | 12                 | default 5, min 2, step 3, max 11 |

    @case:with-min-2-step-3-and-max-11-a-request-for-consumes
    Scenario Outline: With min 2, step 3 and max 11 a request for <request> consumes <consumed>
      Given a claim "c" requesting <request> of "bandwidth"
      When allocation of claim "c" is attempted
      Then claim "c" consumes <consumed> of "bandwidth"

      @KEP-5075/rounding/below-min-goes-to-min
      Examples: below min
        | request | consumed |
        | 0       | 2        |
        | 1       | 2        |

      @KEP-5075/rounding/equal-min-unchanged
      Examples: at min
        | request | consumed |
        | 2       | 2        |

      @KEP-5075/rounding/step-up
      Examples: between min and the next step
        | request | consumed |
        | 3       | 5        |

      @KEP-5075/rounding/on-step-unchanged
      Examples: on a step
        | request | consumed |
        | 5       | 5        |

      @KEP-5075/rounding/step-up
      Examples: between two steps
        | request | consumed |
        | 6       | 8        |

      @KEP-5075/rounding/step-up @KEP-5075/rounding/round-up-lands-on-max
      Examples: between the last step and max
        | request | consumed |
        | 10      | 11       |

      @KEP-5075/rounding/equal-max-allowed
      Examples: at max
        | request | consumed |
        | 11      | 11       |

    @case:more-than-the-largest-share-is-refused-not-cut-down
    @KEP-5075/rounding/above-max-refused
    Scenario: More than the largest share is refused, not cut down to it
      Given a claim "c" requesting 12 of "bandwidth"
      When allocation of claim "c" is attempted
      Then nothing fits because of CapacityPolicyViolation

    @case:where-of-12-are-held-a-request-for-is-refused
    Scenario Outline: Where <held> of 12 are held, a request for <request> is refused because its rounded amount does not fit
      Given claim "other" already holds
        | device | consumed bandwidth | share |
        | eth1   | <held>             | s1    |
      And a claim "c" requesting <request> of "bandwidth"
      When allocation of claim "c" is attempted
      Then nothing fits because of InsufficientCapacity

      @KEP-5075/rounding/below-min-goes-to-min
      Examples: below min
        | held | request |
        | 11   | 1       |

      @KEP-5075/rounding/step-up
      Examples: between steps
        | held | request |
        | 8    | 3       |
        | 5    | 6       |

  Rule: A range whose max is no step ends at its last step

    @case:a-request-within-max-that-rounds-beyond-it-is
    @KEP-5075/rounding/rounded-past-max-refused
    Scenario: A request within max that rounds beyond it is refused
      Given objects that the API server does not admit, because only an amount that steps past a max off the steps is rounded past it
      And the devices
        | device | shared | capacity bandwidth | policy bandwidth                |
        | eth1   | yes    | 10                 | default 2, min 2, step 3, max 6 |
      And a claim "c" requesting 6 of "bandwidth"
      When allocation of claim "c" is attempted
      Then nothing fits because of CapacityPolicyViolation

    @case:without-a-max-a-request-that-rounds-beyond-the
    @KEP-5075/rounding/rounded-past-capacity-refused
    Scenario: Without a max a request that rounds beyond the capacity is refused
      Given the devices
        | device | shared | capacity bandwidth | policy bandwidth         |
        | eth1   | yes    | 10                 | default 1, min 1, step 4 |
      And a claim "c" requesting 10 of "bandwidth"
      When allocation of claim "c" is attempted
      Then nothing fits because of InsufficientCapacity

    @case:a-request-for-the-last-step-within-the-capacity
    @KEP-5075/rounding/rounded-past-capacity-refused
    Scenario: A request for the last step within the capacity consumes it
      Given the devices
        | device | shared | capacity bandwidth | policy bandwidth         |
        | eth1   | yes    | 10                 | default 1, min 1, step 4 |
      And a claim "c" requesting 9 of "bandwidth"
      When allocation of claim "c" is attempted
      Then claim "c" consumes 9 of "bandwidth"

  Rule: Without a step every amount of the range is valid

    @case:without-a-step-a-request-for-consumes
    @KEP-5075/rounding/no-step-as-is
    Scenario Outline: Without a step a request for <request> consumes <request>
      Given the devices
        | device | shared | capacity bandwidth | policy bandwidth        |
        | eth1   | yes    | 10                 | default 2, min 2, max 9 |
      And a claim "c" requesting <request> of "bandwidth"
      When allocation of claim "c" is attempted
      Then claim "c" consumes <request> of "bandwidth"

      Examples:
        | request |
        | 2500m   |
        | 7       |

  Rule: A list has the amounts that it names and no others

    Background:
      Given the devices
        | device | shared | capacity memory | policy memory             |
        | gpu    | yes    | 16              | default 2, values 1 2 4 8 |

    @case:with-valid-values-1-2-4-and-8-a-request-for-consumes
    Scenario Outline: With valid values 1, 2, 4 and 8 a request for <request> consumes <consumed>
      Given a claim "c" requesting <request> of "memory"
      When allocation of claim "c" is attempted
      Then claim "c" consumes <consumed> of "memory"

      @KEP-5075/rounding/valid-values-exact
      Examples: the first valid value
        | request | consumed |
        | 1       | 1        |

      @KEP-5075/rounding/valid-values-between
      Examples: between two valid values
        | request | consumed |
        | 1500m   | 2        |
        | 3       | 4        |

      @KEP-5075/rounding/valid-values-exact
      Examples: another valid value
        | request | consumed |
        | 4       | 4        |

      @KEP-5075/rounding/valid-values-between
      Examples: below the last valid value
        | request | consumed |
        | 5       | 8        |

    @case:a-request-below-all-listed-amounts-becomes-the-first
    @KEP-5075/rounding/valid-values-below-all
    Scenario: A request below all listed amounts becomes the first of them
      Given a claim "c" requesting 0 of "memory"
      When allocation of claim "c" is attempted
      Then claim "c" consumes 1 of "memory"

    @case:a-request-above-all-listed-amounts-is-refused
    @KEP-5075/rounding/valid-values-above-all-refused
    Scenario: A request above all listed amounts is refused, however large the device
      Given a claim "c" requesting 9 of "memory"
      When allocation of claim "c" is attempted
      Then nothing fits because of CapacityPolicyViolation

  Rule: Without a policy any amount is valid

    @case:without-a-policy-a-request-for-1m-consumes-1m
    @KEP-5075/rounding/no-policy-as-is
    Scenario: Without a policy a request for 1m consumes 1m
      Given the devices
        | device | shared | capacity bandwidth |
        | eth1   | yes    | 10                 |
      And a claim "c" requesting 1m of "bandwidth"
      When allocation of claim "c" is attempted
      Then claim "c" consumes 1m of "bandwidth"

    @case:a-policy-with-only-a-default-leaves-requests
    @KEP-5075/rounding/default-only-policy-as-is
    Scenario: A policy with only a default leaves requests unchanged
      Given the devices
        | device | shared | capacity bandwidth | policy bandwidth |
        | eth1   | yes    | 10                 | default 4        |
      And a claim "c" requesting 7 of "bandwidth"
      When allocation of claim "c" is attempted
      Then claim "c" consumes 7 of "bandwidth"

  Rule: An amount that one device refuses may suit another

    @case:a-request-above-the-max-of-one-device-gets-another
    @KEP-5075/rounding/refusal-is-per-device
    Scenario: A request above the max of one device gets another device without a max
      Given the devices
        | device | shared | capacity bandwidth | policy bandwidth        |
        | eth1   | yes    | 10                 | default 1, min 1, max 4 |
        | eth2   | yes    | 10                 |                         |
      And a claim "c" requesting 6 of "bandwidth"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | consumed bandwidth | share |
        | r0      | eth2   | 6                  | yes   |

    @case:a-request-above-the-valid-values-of-one-device-gets
    @KEP-5075/rounding/refusal-is-per-device
    Scenario: A request above the valid values of one device gets another with a larger one
      Given the devices
        | device | shared | capacity memory | policy memory         |
        | gpu-1  | yes    | 8               | default 1, values 1 2 |
        | gpu-2  | yes    | 8               | default 2, values 2 4 |
      And a claim "c" requesting 3 of "memory"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | consumed memory | share |
        | r0      | gpu-2  | 4               | yes   |
