Feature: Capacity requests choose among devices
  A capacity request is a condition next to the selectors. A dedicated device satisfies it with its total, a
  shared device with what remains.

  Rule: A dedicated device needs at least the requested capacity and is taken whole

    @case:of-two-dedicated-devices-the-one-that-is-large
    @KEP-5075/filter/dedicated-greater-or-equal
    Scenario: Of two dedicated devices the one that is large enough is taken whole
      Given the devices
        | device | capacity memory |
        | gpu-1  | 4               |
        | gpu-2  | 16              |
      And a claim "c" requesting 8 of "memory"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | share |
        | r0      | gpu-2  | no    |

    @case:a-request-for-17-is-refused-where-the-largest
    @KEP-5075/filter/dedicated-greater-or-equal
    Scenario: A request for 17 is refused where the largest dedicated device has 16
      Given the devices
        | device | capacity memory |
        | gpu-1  | 4               |
        | gpu-2  | 16              |
      And a claim "c" requesting 17 of "memory"
      When allocation of claim "c" is attempted
      Then nothing fits because of InsufficientCapacity

    @case:a-claim-asking-takes-a-dedicated-device-whole
    @KEP-5075/filter/dedicated-policy-not-rounded
    Scenario Outline: A claim asking <what> takes a dedicated device whole, without rounding or a default
      Given the devices
        | device | capacity memory |
        | gpu    | 10              |
      And a claim "c" requesting <what>
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | share |
        | r0      | gpu    | no    |

      Examples:
        | what          |
        | no capacity   |
        | 3 of "memory" |

  Rule: A device must have every capacity that is asked for

    @case:is-refused-to-a-request-for-cores
    @KEP-5075/filter/unknown-capacity-ineligible
    Scenario Outline: <device> is refused to a request for cores
      Given the devices
        | device | shared   | capacity memory |
        | gpu    | <shared> | <memory>        |
      And a claim "c" requesting 1 of "cores"
      When allocation of claim "c" is attempted
      Then nothing fits because of CapacityNotDeclared

      Examples:
        | device                         | shared | memory |
        | A shared device with memory    | yes    | 16     |
        | A dedicated device with memory | no     | 16     |
        | A shared device without memory | yes    |        |

    @case:of-two-devices-the-one-that-declares-the-requested
    @KEP-5075/filter/unknown-capacity-ineligible
    Scenario: Of two devices the one that declares the requested capacity is taken
      Given the devices
        | device | shared | capacity memory | capacity cores |
        | gpu-1  | yes    | 16              |                |
        | gpu-2  | yes    |                 | 5              |
      And a claim "c" requesting 1 of "cores"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | consumed cores | share |
        | r0      | gpu-2  | 1              | yes   |

    @case:a-request-for-zero-of-a-capacity-is-refused-where
    @KEP-5075/filter/unknown-capacity-zero-request
    Scenario: A request for zero of a capacity is refused where the device does not declare it
      Given the devices
        | device | shared | capacity memory |
        | gpu    | yes    | 16              |
      And a claim "c" requesting 0 of "cores"
      When allocation of claim "c" is attempted
      Then nothing fits because of CapacityNotDeclared

    @case:a-request-for-zero-of-a-capacity-is-allocated-where
    @KEP-5075/filter/unknown-capacity-zero-request
    Scenario: A request for zero of a capacity is allocated where all of it is taken
      Given the devices
        | device | shared | capacity cores |
        | gpu    | yes    | 5              |
      And claim "other" already holds
        | device | consumed cores | share |
        | gpu    | 5              | s1    |
      And a claim "c" requesting 0 of "cores"
      When allocation of claim "c" is attempted
      Then claim "c" consumes 0 of "cores"

    @case:a-dedicated-device-with-enough-of-both-requested
    @KEP-5075/filter/several-names-all-needed
    Scenario: A dedicated device with enough of both requested capacities is taken
      Given the devices
        | device | capacity memory | capacity cores |
        | gpu    | 16              | 4              |
      And a claim "c" requesting 16 of "memory" and 4 of "cores"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | share |
        | r0      | gpu    | no    |

    @case:a-dedicated-device-with-16-of-memory-and-4-of-cores
    @KEP-5075/filter/several-names-all-needed
    Scenario Outline: A dedicated device with 16 of memory and 4 of cores is refused for 16 of memory, <amount> of <name>
      Given the devices
        | device | capacity memory | capacity cores |
        | gpu    | 16              | 4              |
      And a claim "c" requesting 16 of "memory" and <amount> of "<name>"
      When allocation of claim "c" is attempted
      Then nothing fits

      Examples:
        | amount | name  |
        | 5      | cores |
        | 1      | slots |

  Rule: Selectors and capacity must both be satisfied

    @case:a-claim-is-refused-where-the-selected-device-is-too
    @KEP-5075/filter/in-addition-to-selectors
    Scenario: A claim is refused where the selected device is too small and the large one is not selected
      Given the devices
        | device | capacity memory | attribute dra.example.com/model |
        | gpu-1  | 2               | string fast                     |
        | gpu-2  | 10              | string slow                     |
      And a claim "c" with the requests
        | request | selector                                             | capacity memory |
        | r0      | device.attributes["dra.example.com"].model == "fast" | 5               |
      When allocation of claim "c" is attempted
      Then nothing fits

    @case:of-two-large-devices-the-one-that-the-selector
    @KEP-5075/filter/in-addition-to-selectors
    Scenario: Of two large devices the one that the selector selects is taken
      Given the devices
        | device | capacity memory | attribute dra.example.com/model |
        | gpu-1  | 10              | string fast                     |
        | gpu-2  | 10              | string slow                     |
      And a claim "c" with the requests
        | request | selector                                             | capacity memory |
        | r0      | device.attributes["dra.example.com"].model == "fast" | 5               |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | gpu-1  |
