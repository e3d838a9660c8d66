@profile:kep @profile:since-1.34
Feature: Capacity of allocations in flight
  Between Reserve and the write of the allocation, only the scheduler knows what a ResourceClaim consumes. The
  consumed capacity counts for the next pods as if it were written.

  Background:
    Given a pod "p" that uses ResourceClaim "a"
    And a pod "q" that uses ResourceClaim "b"
    And a pod "r" that uses ResourceClaim "c"

  @case:two-claims-in-flight
  @KEP-5075/capacity-accounting/allocated-plus-allocating
  Scenario Outline: The capacity of two ResourceClaims in flight adds up
    Given the device
      | device | allowMultipleAllocations | capacity bw |
      | eth1   | yes                      | 10          |
    And a ResourceClaim "a" requesting 4 of "bw"
    And a ResourceClaim "b" requesting 4 of "bw"
    And a ResourceClaim "c" requesting <amount> of "bw"
    When scheduling of pod "p" up to Reserve is attempted
    And scheduling of pod "q" up to Reserve is attempted
    Then after Reserve only ResourceClaims "a, b" are in flight
    When scheduling of pod "r" up to Reserve is attempted
    Then <what>

    Examples:
      | amount | what                                                      |
      | 2      | after Reserve only ResourceClaims "a, b, c" are in flight |
      | 3      | Reserve is not reached                                    |

  @case:written-and-in-flight
  @KEP-5075/capacity-accounting/allocated-plus-allocating
  Scenario Outline: The capacities of a written allocation and of an allocation in flight add up
    Given the device
      | device | allowMultipleAllocations | capacity bw |
      | eth1   | yes                      | 10          |
    And a ResourceClaim "a" requesting 4 of "bw"
    And a ResourceClaim "b" requesting 4 of "bw"
    And a ResourceClaim "c" requesting <amount> of "bw"
    When scheduling of pod "p" is attempted
    Then Bind returns Success
    When scheduling of pod "q" up to Reserve is attempted
    Then after Reserve only ResourceClaim "b" is in flight
    When scheduling of pod "r" up to Reserve is attempted
    Then <what>

    Examples:
      | amount | what                                                   |
      | 2      | after Reserve only ResourceClaims "b, c" are in flight |
      | 3      | Reserve is not reached                                 |

  @case:written-by-binding-cycle
  @KEP-5075/capacity-accounting/allocated-plus-allocating
  Scenario Outline: Capacity in flight counts once after the binding cycle has written it
    Given the device
      | device | allowMultipleAllocations | capacity bw |
      | eth1   | yes                      | 10          |
    And a ResourceClaim "a" requesting 4 of "bw"
    And a ResourceClaim "b" requesting <amount> of "bw"
    When scheduling of pod "p" up to Reserve is attempted
    And the binding cycle of pod "p" runs
    Then Bind returns Success
    When scheduling of pod "q" up to Reserve is attempted
    Then <what>

    Examples:
      | amount | what                                            |
      | 6      | after Reserve only ResourceClaim "b" is in flight |
      | 7      | Reserve is not reached                          |

  @case:rounded-capacity-in-flight
  @KEP-5075/capacity-accounting/rounded-amount-counts @KEP-5075/capacity-accounting/allocated-plus-allocating
  Scenario Outline: The rounded capacity of a ResourceClaim in flight counts, not the requested capacity
    Given the device
      | device | allowMultipleAllocations | capacity bw | requestPolicy bw                 |
      | eth1   | yes                      | 10          | default 4, min 4, max 10, step 2 |
    And a ResourceClaim "a" requesting <first>
    And a ResourceClaim "b" requesting <second> of "bw"
    When scheduling of pod "p" up to Reserve is attempted
    And scheduling of pod "q" up to Reserve is attempted
    Then <what>

    Examples: rounded up to min
      | first       | second | what                                                   |
      | 1 of "bw"   | 6      | after Reserve only ResourceClaims "a, b" are in flight |
      | 1 of "bw"   | 7      | Reserve is not reached                                 |

    Examples: rounded up by step
      | first       | second | what                                                   |
      | 5 of "bw"   | 4      | after Reserve only ResourceClaims "a, b" are in flight |
      | 5 of "bw"   | 5      | Reserve is not reached                                 |

    Examples: the default
      | first       | second | what                                                   |
      | no capacity | 6      | after Reserve only ResourceClaims "a, b" are in flight |
      | no capacity | 7      | Reserve is not reached                                 |

  @case:full-capacity-in-flight
  @KEP-5075/default/full-default-blocks-sharing
  Scenario: Without requestPolicy, a claim in flight with no capacity request consumes all capacity
    Given the device
      | device | allowMultipleAllocations | capacity bw |
      | eth1   | yes                      | 10          |
    And a ResourceClaim "a" requesting no capacity
    And a ResourceClaim "b" requesting 1 of "bw"
    When scheduling of pod "p" up to Reserve is attempted
    Then after Reserve only ResourceClaim "a" is in flight
    When scheduling of pod "q" up to Reserve is attempted
    Then Reserve is not reached

  @case:second-capacity-in-flight
  @KEP-5075/capacity-accounting/every-capacity-must-fit
  Scenario Outline: An allocation in flight consumes both requested capacities of its device
    Given the device
      | device | allowMultipleAllocations | capacity bw | capacity mem | requestPolicy mem |
      | eth1   | yes                      | 10          | 8Gi          | default 0         |
    And a ResourceClaim "a" requesting 3 of "bw" and 5Gi of "mem"
    And a ResourceClaim "b" requesting <amounts>
    When scheduling of pod "p" up to Reserve is attempted
    And scheduling of pod "q" up to Reserve is attempted
    Then <what>

    Examples:
      | amounts                      | what                                                   |
      | 7 of "bw" and 3Gi of "mem"   | after Reserve only ResourceClaims "a, b" are in flight |
      | 7 of "bw" and 3073Mi of "mem" | Reserve is not reached                                 |
      | 8 of "bw" and 3Gi of "mem"   | Reserve is not reached                                 |

  @case:capacity-of-aborted-attempt
  @KEP-5075/capacity-accounting/backtracking-restores
  Scenario: Only the capacity of the aborted scheduling attempt is available to the next pod
    Given the device
      | device | allowMultipleAllocations | capacity bw |
      | eth1   | yes                      | 10          |
    And a ResourceClaim "a" requesting 4 of "bw"
    And a ResourceClaim "b" requesting 4 of "bw"
    And a ResourceClaim "c" requesting 6 of "bw"
    When scheduling of pod "p" up to Reserve is attempted
    And scheduling of pod "q" up to Reserve is attempted
    And the scheduling attempt of pod "p" is aborted
    Then after Unreserve only ResourceClaim "b" is in flight
    When scheduling of pod "r" up to Reserve is attempted
    Then after Reserve only ResourceClaims "b, c" are in flight

  @case:other-driver-in-flight
  @KEP-5075/capacity-accounting/allocated-plus-allocating
  Scenario: Capacity in flight does not count for a device of that name in another driver or pool
    Given the devices
      | driver    | pool   | device | allowMultipleAllocations | capacity bw |
      | a.example | pool-1 | eth1   | yes                      | 10          |
      | b.example | pool-1 | eth1   | yes                      | 9           |
      | a.example | pool-2 | eth1   | yes                      | 8           |
    And a ResourceClaim "a" requesting 10 of "bw"
    And a ResourceClaim "b" requesting 9 of "bw"
    And a ResourceClaim "c" requesting 8 of "bw"
    When scheduling of pod "p" up to Reserve is attempted
    And scheduling of pod "q" up to Reserve is attempted
    And scheduling of pod "r" up to Reserve is attempted
    Then after Reserve only ResourceClaims "a, b, c" are in flight

  @case:no-capacity-in-flight
  Scenario Outline: A device in flight whose allocation consumes no capacity stays available to other pods
    Given the device
      | device | allowMultipleAllocations | capacity bw | requestPolicy bw |
      | eth1   | yes                      | <capacity>  | <policy>         |
    And a ResourceClaim "a" requesting no capacity
    And a ResourceClaim "b" requesting no capacity
    When scheduling of pod "p" up to Reserve is attempted
    And scheduling of pod "q" up to Reserve is attempted
    Then after Reserve only ResourceClaims "a, b" are in flight

    @KEP-5075/allocation/infinite-sharing-without-capacity
    Examples:
      | capacity | policy |
      |          |        |

    @KEP-5075/default/zero-default
    Examples:
      | capacity | policy    |
      | 10       | default 0 |

  @case:devices-exclusive-in-flight
  @KEP-5075/allocation/dedicated-only-once
  Scenario: An exclusive device in flight is not available, whatever its capacity
    Given the device
      | device | capacity bw |
      | eth1   | 10          |
    And a ResourceClaim "a" requesting 1 of "bw"
    And a ResourceClaim "b" requesting 1 of "bw"
    When scheduling of pod "p" up to Reserve is attempted
    Then after Reserve only ResourceClaim "a" is in flight
    When scheduling of pod "q" up to Reserve is attempted
    Then Reserve is not reached
