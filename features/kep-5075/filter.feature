Feature: Capacity requests as a filter for devices
  A capacity request is a condition in addition to the selectors. It is compared with the total capacity of an
  exclusive device and with the remaining capacity of a multi-allocatable device.

  Rule: Exclusive devices with a capacity

    @case:large-exclusive-device-chosen
    @KEP-5075/filter/dedicated-greater-or-equal
    Scenario: A capacity request gets the exclusive device with enough capacity
      Given the devices
        | device | capacity memory |
        | gpu-1  | 4               |
        | gpu-2  | 16              |
      And a ResourceClaim "c" requesting 8 of "memory"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | shareID |
        | r0      | gpu-2  | no      |

    @case:no-exclusive-device-large-enough
    @KEP-5075/filter/dedicated-greater-or-equal
    Scenario: A capacity request fails if no exclusive device has enough capacity
      Given the devices
        | device | capacity memory |
        | gpu-1  | 4               |
        | gpu-2  | 16              |
      And a ResourceClaim "c" requesting 17 of "memory"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of InsufficientCapacity

  Rule: Every requested capacity must be declared and sufficient

    @case:undeclared-capacity
    @KEP-5075/filter/unknown-capacity-ineligible
    Scenario Outline: A device that does not declare the requested capacity is not allocated
      Given the devices
        | device | allowMultipleAllocations | capacity memory |
        | gpu    | <shared>                 | <memory>        |
      And a ResourceClaim "c" requesting 1 of "cores"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of CapacityNotDeclared

      Examples:
        | kind                             | shared | memory |
        | multi-allocatable with memory    | yes    | 16     |
        | exclusive with memory            | no     | 16     |
        | multi-allocatable without memory | yes    |        |

    @case:declaring-device-chosen
    @KEP-5075/filter/unknown-capacity-ineligible
    Scenario: A capacity request gets the device that declares the capacity
      Given the devices
        | device | allowMultipleAllocations | capacity memory | capacity cores |
        | gpu-1  | yes                      | 16              |                |
        | gpu-2  | yes                      |                 | 5              |
      And a ResourceClaim "c" requesting 1 of "cores"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | consumedCapacity cores | shareID |
        | r0      | gpu-2  | 1                      | yes     |

    @case:zero-of-undeclared-capacity
    @KEP-5075/filter/unknown-capacity-zero-request
    Scenario: A capacity request for zero fails if the device does not declare the capacity
      Given the devices
        | device | allowMultipleAllocations | capacity memory |
        | gpu    | yes                      | 16              |
      And a ResourceClaim "c" requesting 0 of "cores"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of CapacityNotDeclared

    @case:zero-of-consumed-capacity
    @KEP-5075/filter/unknown-capacity-zero-request
    Scenario: A capacity request for zero is allocated although no capacity remains
      Given the devices
        | device | allowMultipleAllocations | capacity cores |
        | gpu    | yes                      | 5              |
      And ResourceClaim "other" is already allocated
        | device | consumedCapacity cores | shareID |
        | gpu    | 5                      | s1      |
      And a ResourceClaim "c" requesting 0 of "cores"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" consumes 0 of "cores"

    @case:exclusive-device-has-both
    @KEP-5075/filter/several-names-all-needed
    Scenario: A request for two capacities gets an exclusive device with enough of both capacities
      Given the devices
        | device | capacity memory | capacity cores |
        | gpu    | 16              | 4              |
      And a ResourceClaim "c" requesting 16 of "memory" and 4 of "cores"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | shareID |
        | r0      | gpu    | no      |

    @case:exclusive-device-lacks-one
    @KEP-5075/filter/several-names-all-needed
    Scenario Outline: A request for two capacities fails if the exclusive device has too little of one capacity
      Given the devices
        | device | capacity memory | capacity cores |
        | gpu    | 16              | 4              |
      And a ResourceClaim "c" requesting 16 of "memory" and <amount> of "<name>"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

      Examples:
        | amount | name  |
        | 5      | cores |
        | 1      | slots |

  Rule: Selectors together with capacity requests

    @case:selected-device-too-small
    @KEP-5075/filter/in-addition-to-selectors
    Scenario: A request fails if its selector matches only a device with too little capacity
      Given the devices
        | device | capacity memory | attribute dra.example.com/model |
        | gpu-1  | 2               | string fast                     |
        | gpu-2  | 10              | string slow                     |
      And a ResourceClaim "c" with the requests
        | request | selector                                             | capacity memory |
        | r0      | device.attributes["dra.example.com"].model == "fast" | 5               |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

    @case:selected-device-large-enough
    @KEP-5075/filter/in-addition-to-selectors
    Scenario: A request gets the device that matches its selector and has enough capacity
      Given the devices
        | device | capacity memory | attribute dra.example.com/model |
        | gpu-1  | 10              | string fast                     |
        | gpu-2  | 10              | string slow                     |
      And a ResourceClaim "c" with the requests
        | request | selector                                             | capacity memory |
        | r0      | device.attributes["dra.example.com"].model == "fast" | 5               |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | gpu-1  |
