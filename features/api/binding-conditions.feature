Feature: Binding conditions and node binding of allocated devices
  A device may need preparation before a pod can use it, and may be attached to one node by being allocated. The
  allocation carries what the driver says about that.

  Rule: An allocation records the binding conditions of its devices

    @case:conditions-recorded
    @API/binding/recorded
    Scenario: An allocation records the binding and binding failure conditions of its device
      Given the devices
        | device | bindingConditions     | bindingFailureConditions |
        | d1     | attached, initialized | attaching-failed, gone   |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device | bindingConditions     | bindingFailureConditions |
        | d1     | attached, initialized | attaching-failed, gone   |

    @case:two-devices-own-conditions
    @API/binding/recorded
    Scenario: An allocation records the binding conditions of each of its two devices
      Given the devices
        | device | bindingConditions | bindingFailureConditions |
        | d1     | attached          | broken                   |
        | d2     | initialized       | failed                   |
      And a ResourceClaim "c" requesting 2 devices
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device | bindingConditions | bindingFailureConditions |
        | d1     | attached          | broken                   |
        | d2     | initialized       | failed                   |

    @case:with-and-without-conditions
    @API/binding/recorded
    Scenario: A device without binding conditions is allocated together with a device that has them
      Given the devices
        | device | pool | bindingConditions | bindingFailureConditions |
        | d1     | p1   | attached          | broken                   |
        | d2     | p2   |                   |                          |
      And a ResourceClaim "c" requesting 2 devices
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device | bindingConditions | bindingFailureConditions |
        | d1     | attached          | broken                   |
        | d2     |                   |                          |

    @case:conditions-while-other-in-use
    @API/binding/recorded
    Scenario: A device with bindingConditions is allocated if the only other device is in use
      Given the devices
        | device | pool | bindingConditions | bindingFailureConditions |
        | d1     | p1   | attached          | broken                   |
        | d2     | p2   |                   |                          |
      And ResourceClaim "other" is already allocated
        | device | pool |
        | d2     | p2   |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device | bindingConditions | bindingFailureConditions |
        | d1     | attached          | broken                   |

    @case:conditions-gate-off
    @API/binding/needs-its-gates
    Scenario: A device with binding conditions is not allocated with DRADeviceBindingConditions off
      Given the feature gate "DRADeviceBindingConditions" is off
      And the devices
        | device | bindingConditions | bindingFailureConditions |
        | d1     | attached          | broken                   |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

    @case:no-conditions-gate-off
    @API/binding/needs-its-gates
    Scenario: A device without bindingConditions is allocated with DRADeviceBindingConditions off
      Given the feature gate "DRADeviceBindingConditions" is off
      And the devices
        | device | bindingConditions | bindingFailureConditions |
        | d1     | attached          | broken                   |
        | d2     |                   |                          |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d2     |

  Rule: A device with bindsToNode limits its ResourceClaim to the chosen node

    Background:
      Given a node "n1" with the labels
        | label | value |
        | zone  | a     |
      And a node "n2" with the labels
        | label | value |
        | zone  | a     |

    @case:binds-to-node-all-nodes
    @API/binding/limits-to-node
    Scenario Outline: A bindsToNode device available on all nodes limits its ResourceClaim to the chosen node
      Given the devices
        | device | node | bindsToNode |
        | d1     | *    | yes         |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "<node>" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d1     |
      And ResourceClaim "c" is available only on node "<node>"

      Examples:
        | node |
        | n1   |
        | n2   |

    @case:binds-to-node-node-selector
    @API/binding/limits-to-node
    Scenario: A bindsToNode device with a nodeSelector limits its ResourceClaim to the chosen node
      Given the devices
        | device | node   | bindsToNode |
        | d1     | zone=a | yes         |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "n2" is attempted
      Then ResourceClaim "c" is available only on node "n2"

    @case:binds-to-node-shared
    @API/binding/limits-to-node
    Scenario: A shared bindsToNode device limits its ResourceClaim to the chosen node
      Given the devices
        | device | node | bindsToNode | allowMultipleAllocations |
        | d1     | *    | yes         | yes                      |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "n2" is attempted
      Then ResourceClaim "c" is available only on node "n2"

    @case:binds-to-node-per-device-nodes
    @API/binding/limits-to-node
    Scenario: A bindsToNode device with perDeviceNodeSelection limits its claim to the chosen node
      Given the devices
        | device | on | bindsToNode |
        | d1     | *  | yes         |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "n2" is attempted
      Then ResourceClaim "c" is available only on node "n2"

    @case:binds-to-node-one-of-two
    @API/binding/limits-to-node
    Scenario: One bindsToNode device among two limits the ResourceClaim to the chosen node
      Given the devices
        | device | node | bindsToNode |
        | d1     | *    | no          |
        | d2     | *    | yes         |
      And a ResourceClaim "c" requesting 2 devices
      When allocation of ResourceClaim "c" on node "n2" is attempted
      Then ResourceClaim "c" is available only on node "n2"

    @case:binds-to-node-false
    @API/binding/limits-to-node
    Scenario: A device with bindsToNode false does not limit its ResourceClaim to the chosen node
      Given the devices
        | device | node | bindsToNode |
        | d1     | *    | no          |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "n2" is attempted
      Then ResourceClaim "c" is available only on nodes "n1, n2"

    @case:binds-to-node-gate-off
    @API/binding/limits-to-node @profile:since-1.36
    Scenario: bindsToNode limits a ResourceClaim to one node even with DRADeviceBindingConditions off
      Given the feature gate "DRADeviceBindingConditions" is off
      And the devices
        | device | node | bindsToNode |
        | d1     | *    | yes         |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "n2" is attempted
      Then ResourceClaim "c" is available only on node "n2"
