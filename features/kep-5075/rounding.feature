Feature: Rounding of capacity requests
  A driver can define the valid quantities of a capacity. A capacity request is rounded up to the nearest valid
  quantity and never rounded down. A device without such a quantity is not allocated.

  Rule: A validRange with min, step and max

    Background:
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth          |
        | eth1   | yes                      | 12                 | default 5, min 2, step 3, max 11 |

    @case:range-rounds-up
    Scenario Outline: A capacity request is rounded up to the nearest valid quantity of the validRange
      Given a ResourceClaim "c" requesting <request> of "bandwidth"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" consumes <consumed> of "bandwidth"

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

    @case:range-above-max
    @KEP-5075/rounding/above-max-refused
    Scenario: A capacity request above max is not allocated
      Given a ResourceClaim "c" requesting 12 of "bandwidth"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of CapacityPolicyViolation

    @case:rounded-above-remaining
    Scenario Outline: A capacity request fails if its rounded quantity exceeds the remaining capacity
      Given ResourceClaim "other" is already allocated
        | device | consumedCapacity bandwidth | shareID |
        | eth1   | <held>                     | s1      |
      And a ResourceClaim "c" requesting <request> of "bandwidth"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of InsufficientCapacity

      @KEP-5075/rounding/below-min-goes-to-min
      Examples: below min
        | held | request |
        | 11   | 1       |

      @KEP-5075/rounding/step-up
      Examples: between steps
        | held | request |
        | 8    | 3       |
        | 5    | 6       |

  Rule: Steps beyond max or beyond the capacity

    @case:rounded-beyond-max
    @KEP-5075/rounding/rounded-past-max-refused
    Scenario: A capacity request within max fails if its rounded quantity exceeds max
      Given objects that the API server rejects, because a quantity is rounded beyond max only if max is not on a step
      And the devices
        | device | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth         |
        | eth1   | yes                      | 10                 | default 2, min 2, step 3, max 6 |
      And a ResourceClaim "c" requesting 6 of "bandwidth"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of CapacityPolicyViolation

    @case:rounded-beyond-capacity
    @KEP-5075/rounding/rounded-past-capacity-refused
    Scenario: A capacity request fails if max is unset and its rounded quantity exceeds the capacity
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth  |
        | eth1   | yes                      | 10                 | default 1, min 1, step 4 |
      And a ResourceClaim "c" requesting 10 of "bandwidth"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of InsufficientCapacity

    @case:last-step-within-capacity
    @KEP-5075/rounding/rounded-past-capacity-refused
    Scenario: A capacity request equal to the last step within the capacity is not rounded
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth  |
        | eth1   | yes                      | 10                 | default 1, min 1, step 4 |
      And a ResourceClaim "c" requesting 9 of "bandwidth"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" consumes 9 of "bandwidth"

  Rule: A validRange without step

    @case:no-step-unchanged
    @KEP-5075/rounding/no-step-as-is
    Scenario Outline: A capacity request in a validRange without step is not rounded
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth |
        | eth1   | yes                      | 10                 | default 2, min 2, max 9 |
      And a ResourceClaim "c" requesting <request> of "bandwidth"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" consumes <request> of "bandwidth"

      Examples:
        | request |
        | 2500m   |
        | 7       |

  Rule: A requestPolicy with validValues

    Background:
      Given the devices
        | device | allowMultipleAllocations | capacity memory | requestPolicy memory      |
        | gpu    | yes                      | 16              | default 2, values 1 2 4 8 |

    @case:valid-values-round-up
    Scenario Outline: A capacity request is rounded up to the next entry of validValues
      Given a ResourceClaim "c" requesting <request> of "memory"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" consumes <consumed> of "memory"

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

    @case:below-all-valid-values
    @KEP-5075/rounding/valid-values-below-all
    Scenario: A capacity request below all validValues consumes the first entry
      Given a ResourceClaim "c" requesting 0 of "memory"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" consumes 1 of "memory"

    @case:above-all-valid-values
    @KEP-5075/rounding/valid-values-above-all-refused
    Scenario: A capacity request above all validValues fails although the device has enough capacity
      Given a ResourceClaim "c" requesting 9 of "memory"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of CapacityPolicyViolation

  Rule: Capacities without a validRange or validValues

    @case:no-policy-unchanged
    @KEP-5075/rounding/no-policy-as-is
    Scenario: A capacity request for a capacity without requestPolicy is not rounded
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth |
        | eth1   | yes                      | 10                 |
      And a ResourceClaim "c" requesting 1m of "bandwidth"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" consumes 1m of "bandwidth"

    @case:default-only-unchanged
    @KEP-5075/rounding/default-only-policy-as-is
    Scenario: A capacity request is not rounded if the requestPolicy has only a default
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth |
        | eth1   | yes                      | 10                 | default 4               |
      And a ResourceClaim "c" requesting 7 of "bandwidth"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" consumes 7 of "bandwidth"

  Rule: Devices with different request policies

    @case:above-max-of-first-device
    @KEP-5075/rounding/refusal-is-per-device
    Scenario: A capacity request above max of one device gets another device without max
      Given the devices
        | device | allowMultipleAllocations | capacity bandwidth | requestPolicy bandwidth |
        | eth1   | yes                      | 10                 | default 1, min 1, max 4 |
        | eth2   | yes                      | 10                 |                         |
      And a ResourceClaim "c" requesting 6 of "bandwidth"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity bandwidth | shareID |
        | r0      | eth2   | 6                          | yes     |

    @case:above-valid-values-of-first-device
    @KEP-5075/rounding/refusal-is-per-device
    Scenario: A capacity request above all validValues of one device gets another device
      Given the devices
        | device | allowMultipleAllocations | capacity memory | requestPolicy memory  |
        | gpu-1  | yes                      | 8               | default 1, values 1 2 |
        | gpu-2  | yes                      | 8               | default 2, values 2 4 |
      And a ResourceClaim "c" requesting 3 of "memory"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity memory | shareID |
        | r0      | gpu-2  | 4                       | yes     |
