Feature: Binding conditions and node binding of allocated devices
  A device may need preparation before a pod can use it, and may be attached to one node by being allocated. The
  allocation carries what the driver says about that.

  Rule: A device with bindsToNode limits its claim to the node

    Background:
      Given a node "n1" with the labels
        | label | value |
        | zone  | a     |
      And a node "n2" with the labels
        | label | value |
        | zone  | a     |

    @case:binds-to-node-node-selector
    @API/binding/limits-to-node
    Scenario: A bindsToNode device with a nodeSelector limits its claim to the chosen node
      Given the devices
        | device | node   | binds |
        | d1     | zone=a | yes   |
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "n2" is attempted
      Then claim "c" can be used on node "n2" only
