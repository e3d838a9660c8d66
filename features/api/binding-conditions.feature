Feature: Devices that are prepared after allocation
  A device may need preparation before a pod can use it, and may be attached to one node by being allocated. The
  allocation carries what the driver says about that.

  Rule: The allocation records the binding conditions of its devices

    @API/binding/recorded
    Scenario: The allocation lists the binding conditions and binding failure conditions of the device
      Given the devices
        | device | binding               | failure                |
        | d1     | attached, initialized | attaching-failed, gone |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | binding               | failure                |
        | d1     | attached, initialized | attaching-failed, gone |

    @API/binding/recorded
    Scenario: Each of two allocated devices has its own binding conditions
      Given the devices
        | device | binding     | failure |
        | d1     | attached    | broken  |
        | d2     | initialized | failed  |
      And a claim "c" requesting 2 devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | binding     | failure |
        | d1     | attached    | broken  |
        | d2     | initialized | failed  |

    @API/binding/recorded
    Scenario: A device without binding conditions is allocated beside one with them
      Given the devices
        | device | pool | binding  | failure |
        | d1     | p1   | attached | broken  |
        | d2     | p2   |          |         |
      And a claim "c" requesting 2 devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | binding  | failure |
        | d1     | attached | broken  |
        | d2     |          |         |

    @API/binding/recorded
    Scenario: A device with binding conditions is allocated while one without them is in use
      Given the devices
        | device | pool | binding  | failure |
        | d1     | p1   | attached | broken  |
        | d2     | p2   |          |         |
      And claim "other" already holds
        | device | pool |
        | d2     | p2   |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | binding  | failure |
        | d1     | attached | broken  |

    @API/binding/needs-its-gates
    Scenario: A device with binding conditions is not allocated while DRADeviceBindingConditions is off
      Given the feature gate "DRADeviceBindingConditions" is off
      And the devices
        | device | binding  | failure |
        | d1     | attached | broken  |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits

    @API/binding/needs-its-gates
    Scenario: A device without binding conditions is allocated while DRADeviceBindingConditions is off
      Given the feature gate "DRADeviceBindingConditions" is off
      And the devices
        | device | binding  | failure |
        | d1     | attached | broken  |
        | d2     |          |         |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | d2     |

  Rule: A device that binds to its node keeps the claim there

    Background:
      Given a node "n1" with the labels
        | label | value |
        | zone  | a     |
      And a node "n2" with the labels
        | label | value |
        | zone  | a     |

    @API/binding/limits-to-node
    Scenario Outline: A device of all nodes that binds to its node limits the claim to node <node>
      Given the devices
        | device | node | binds |
        | d1     | *    | yes   |
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "<node>" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
      And claim "c" can be used on node "<node>" only

      Examples:
        | node |
        | n1   |
        | n2   |

    @API/binding/limits-to-node
    Scenario: A device of labelled nodes that binds to its node limits the claim to that node
      Given the devices
        | device | node   | binds |
        | d1     | zone=a | yes   |
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "n2" is attempted
      Then claim "c" can be used on node "n2" only

    @API/binding/limits-to-node
    Scenario: A shared device of all nodes that binds to its node limits the claim to that node
      Given the devices
        | device | node | binds | shared |
        | d1     | *    | yes   | yes    |
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "n2" is attempted
      Then claim "c" can be used on node "n2" only

    @API/binding/limits-to-node
    Scenario: A device that chooses all nodes itself and binds to its node limits the claim to that node
      Given the devices
        | device | on | binds |
        | d1     | *  | yes   |
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "n2" is attempted
      Then claim "c" can be used on node "n2" only

    @API/binding/limits-to-node
    Scenario: One of two devices that binds to its node is enough to limit the claim to that node
      Given the devices
        | device | node | binds |
        | d1     | *    | no    |
        | d2     | *    | yes   |
      And a claim "c" requesting 2 devices
      When allocation of claim "c" on node "n2" is attempted
      Then claim "c" can be used on node "n2" only

    @API/binding/limits-to-node
    Scenario: A device with bindsToNode false leaves the claim to all nodes
      Given the devices
        | device | node | binds |
        | d1     | *    | no    |
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "n2" is attempted
      Then claim "c" can be used on nodes "n1, n2" only

    @API/binding/limits-to-node @profile:since-1.36
    Scenario: A device binds to its node even while DRADeviceBindingConditions is off, in 1.36 and 1.37
      Given the feature gate "DRADeviceBindingConditions" is off
      And the devices
        | device | node | binds |
        | d1     | *    | yes   |
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "n2" is attempted
      Then claim "c" can be used on node "n2" only
