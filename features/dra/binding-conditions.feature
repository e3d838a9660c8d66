Feature: Devices that are prepared after allocation
  A device may need preparation before a pod can use it, and may be attached to one node by being allocated. The
  allocation carries what the driver says about that.

  Rule: Conditions are recorded

    @DRA/workflow/allocation-identifies-device
    Scenario: Binding conditions and binding failure conditions of a device
      Given the devices
        | device | binding               | failure          |
        | d1     | attached, initialized | attaching-failed |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | binding               | failure          |
        | d1     | attached, initialized | attaching-failed |

    @DRA/workflow/allocation-identifies-device
    Scenario: Each device has its own
      Given the devices
        | device | binding     | failure |
        | d1     | attached    | broken  |
        | d2     | initialized | failed  |
      And a claim "c" asking 2 devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | binding     | failure |
        | d1     | attached    | broken  |
        | d2     | initialized | failed  |

    @DRA/workflow/allocation-identifies-device
    Scenario: A device without conditions beside one with them
      Given the devices
        | device | pool | binding  | failure |
        | d1     | p1   | attached | broken  |
        | d2     | p2   |          |         |
      And a claim "c" asking 2 devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | binding  | failure |
        | d1     | attached | broken  |
        | d2     |          |         |

    @DRA/workflow/allocation-identifies-device
    Scenario: A device without binding conditions in use does not keep one with them from being used
      Given the devices
        | device | pool | binding  | failure |
        | d1     | p1   | attached | broken  |
        | d2     | p2   |          |         |
      And claim "other" already holds
        | device | pool |
        | d2     | p2   |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | binding  | failure |
        | d1     | attached | broken  |

    @DRA/workflow/allocation-identifies-device
    Scenario: With the feature off a device with binding conditions is not used
      Given the feature gate "DRADeviceBindingConditions" is off
      And the devices
        | device | binding  | failure |
        | d1     | attached | broken  |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then nothing fits

    @DRA/workflow/allocation-identifies-device
    Scenario: With the feature off another device is used
      Given the feature gate "DRADeviceBindingConditions" is off
      And the devices
        | device | binding  | failure |
        | d1     | attached | broken  |
        | d2     |          |         |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | d2     |

  Rule: A device that binds to the node stays there

    Background:
      Given a node "n1" with the labels
        | label | value |
        | zone  | a     |
      And a node "n2" with the labels
        | label | value |
        | zone  | a     |

    @DRA/workflow/pod-lands-where-device-is
    Scenario Outline: A device of all nodes is bound to the one it is allocated on
      Given the devices
        | device | node | binds |
        | d1     | *    | yes   |
      And a claim "c" asking 1 device
      When allocation of claim "c" on node "<node>" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
      And claim "c" can be used on node "<node>" only

      Examples:
        | node |
        | n1   |
        | n2   |

    @DRA/workflow/pod-lands-where-device-is
    Scenario: A device of labelled nodes is bound to the one it is allocated on
      Given the devices
        | device | node   | binds |
        | d1     | zone=a | yes   |
      And a claim "c" asking 1 device
      When allocation of claim "c" on node "n2" is attempted
      Then claim "c" can be used on node "n2" only

    @DRA/workflow/pod-lands-where-device-is
    Scenario: One device that binds is enough
      Given the devices
        | device | node | binds |
        | d1     | *    | no    |
        | d2     | *    | yes   |
      And a claim "c" asking 2 devices
      When allocation of claim "c" on node "n2" is attempted
      Then claim "c" can be used on node "n2" only

    @DRA/workflow/pod-lands-where-device-is
    Scenario: A device that says it does not bind leaves the claim free
      Given the devices
        | device | node | binds |
        | d1     | *    | no    |
      And a claim "c" asking 1 device
      When allocation of claim "c" on node "n2" is attempted
      Then claim "c" can be used on nodes "n1, n2" only

    @DRA/workflow/pod-lands-where-device-is @profile:since-1.36
    Scenario: In 1.36 and 1.37 a device binds with the feature off as well
      Given the feature gate "DRADeviceBindingConditions" is off
      And the devices
        | device | node | binds |
        | d1     | *    | yes   |
      And a claim "c" asking 1 device
      When allocation of claim "c" on node "n2" is attempted
      Then claim "c" can be used on node "n2" only
