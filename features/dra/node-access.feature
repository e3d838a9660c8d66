Feature: Which nodes have a device
  A slice says which nodes can access its devices: all of them, one by its name, or those with certain labels. An
  allocation says on which nodes the claim can be used.

  Rule: All nodes

    @DRA/node-access/all-nodes
    Scenario Outline: A device for all nodes is had on each and binds the claim to none
      Given a node "n1"
      And a node "n2"
      And a node "n3"
      And the devices
        | device | node |
        | d1     | *    |
      And a claim "c" asking 1 device
      When allocation of claim "c" on node "<node>" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
      And claim "c" can be used on nodes "n1, n2, n3" only

      Examples:
        | node |
        | n1   |
        | n3   |

  Rule: One node by its name

    @DRA/node-access/node-name @DRA/workflow/pod-lands-where-device-is
    Scenario: A device of the node
      Given a node "worker-1"
      And a node "worker-2"
      And the devices
        | device | node     |
        | d1     | worker-1 |
      And a claim "c" asking 1 device
      When allocation of claim "c" on node "worker-1" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
      And claim "c" can be used on node "worker-1" only

    @DRA/node-access/node-name
    Scenario: A device of another node
      Given a node "worker-1"
      And a node "worker-2"
      And the devices
        | device | node     |
        | d1     | worker-1 |
      And a claim "c" asking 1 device
      When allocation of claim "c" on node "worker-2" is attempted
      Then nothing fits because of NodeMismatch

    @DRA/node-access/node-name
    Scenario: A device of a node that does not exist
      Given a node "worker-1"
      And the devices
        | device | node     |
        | d1     | worker-9 |
      And a claim "c" asking 1 device
      When allocation of claim "c" on node "worker-1" is attempted
      Then nothing fits because of NodeMismatch

    @DRA/node-access/node-name
    Scenario: The name counts and not a label that repeats it
      Given a node "worker-1" with the labels
        | label                  | value    |
        | kubernetes.io/hostname | worker-2 |
      And the devices
        | device | node     |
        | d2     | worker-2 |
      And a claim "c" asking 1 device
      When allocation of claim "c" on node "worker-1" is attempted
      Then nothing fits because of NodeMismatch

  Rule: Nodes by their labels

    @DRA/node-access/node-selector
    Scenario: A node with the label
      Given a node "n1" with the labels
        | label | value |
        | zone  | a     |
      And a node "n2" with the labels
        | label | value |
        | zone  | b     |
      And a node "n3" with the labels
        | label | value |
        | zone  | a     |
      And the devices
        | device | node   |
        | d1     | zone=a |
      And a claim "c" asking 1 device
      When allocation of claim "c" on node "n1" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
      And claim "c" can be used on nodes "n1, n3" only

    @DRA/node-access/node-selector
    Scenario Outline: A node with <what>
      Given a node "n1" with the labels
        | label   | value   |
        | <label> | <value> |
      And the devices
        | device | node   |
        | d1     | zone=a |
      And a claim "c" asking 1 device
      When allocation of claim "c" on node "n1" is attempted
      Then nothing fits because of NodeMismatch

      Examples:
        | what          | label | value |
        | another value | zone  | b     |
        | another label | area  | a     |
        | another case  | zone  | A     |

    @DRA/node-access/node-selector
    Scenario: A node without labels
      Given a node "n1"
      And the devices
        | device | node   |
        | d1     | zone=a |
      And a claim "c" asking 1 device
      When allocation of claim "c" on node "n1" is attempted
      Then nothing fits because of NodeMismatch

    @DRA/node-access/node-selector
    Scenario: All the labels are needed
      Given a node "n1" with the labels
        | label | value |
        | zone  | a     |
      And a node "n2" with the labels
        | label | value |
        | zone  | a     |
        | disk  | ssd   |
      And the devices
        | device | node             |
        | d1     | zone=a, disk=ssd |
      And a claim "c" asking 1 device
      When allocation of claim "c" on node "n1" is attempted
      Then nothing fits because of NodeMismatch

    @DRA/node-access/node-selector
    Scenario: All the labels are there
      Given a node "n1" with the labels
        | label | value |
        | zone  | a     |
      And a node "n2" with the labels
        | label | value |
        | zone  | a     |
        | disk  | ssd   |
      And the devices
        | device | node             |
        | d1     | zone=a, disk=ssd |
      And a claim "c" asking 1 device
      When allocation of claim "c" on node "n2" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
      And claim "c" can be used on node "n2" only

    @DRA/node-access/node-selector
    Scenario: Labels that cannot be compared
      Given a node "n1" with the labels
        | label | value |
        | cores | 8     |
      And the objects
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: s1}
        spec:
          driver: dra.example.com
          pool: {name: p1, generation: 1, resourceSliceCount: 1}
          nodeSelector:
            nodeSelectorTerms:
              - matchExpressions: [{key: cores, operator: Gt, values: [many]}]
          devices: [{name: d1}]
        """
      And a claim "c" asking 1 device
      When allocation of claim "c" on node "n1" is attempted
      Then nothing is allocated
      But since Kubernetes 1.34, because releases end in an error for a node selector that cannot be read: the allocation ends in an error because of FieldInvalid

    @DRA/node-access/node-selector @profile:since-1.34
    Scenario: Releases report a node selector of two terms once its device is chosen
      Given a node "n1" with the labels
        | label | value |
        | zone  | a     |
      And the objects
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: s1}
        spec:
          driver: dra.example.com
          pool: {name: p1, generation: 1, resourceSliceCount: 1}
          nodeSelector:
            nodeSelectorTerms:
              - matchExpressions: [{key: zone, operator: In, values: [a]}]
              - matchExpressions: [{key: zone, operator: In, values: [b]}]
          devices: [{name: d1}]
        """
      And a claim "c" asking 1 device
      When allocation of claim "c" on node "n1" is attempted
      Then the allocation ends in an error

  Rule: Several devices need a node that has them all

    Background:
      Given a node "n1" with the labels
        | label | value |
        | zone  | a     |
      And a node "n2" with the labels
        | label | value |
        | zone  | a     |
        | disk  | ssd   |
      And a node "n3" with the labels
        | label | value |
        | disk  | ssd   |

    @DRA/node-access/several-devices-intersect
    Scenario: A device of the node beside one for all
      Given the devices
        | device | node | slice |
        | d1     | n1   | s1    |
        | d2     | *    | s2    |
      And a claim "c" asking 2 devices
      When allocation of claim "c" on node "n1" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
        | d2     |
      And claim "c" can be used on node "n1" only

    @DRA/node-access/several-devices-intersect
    Scenario: The device for all nodes does not bring the other one along
      Given the devices
        | device | node | slice |
        | d1     | n1   | s1    |
        | d2     | *    | s2    |
      And a claim "c" asking 2 devices
      When allocation of claim "c" on node "n2" is attempted
      Then nothing fits because of NodeMismatch

    @DRA/node-access/several-devices-intersect
    Scenario Outline: Devices of two nodes are never together
      Given the devices
        | device | node | pool |
        | d1     | n1   | p1   |
        | d2     | n2   | p2   |
      And a claim "c" asking 2 devices
      When allocation of claim "c" on node "<node>" is attempted
      Then nothing fits

      Examples:
        | node |
        | n1   |
        | n2   |
        | n3   |

    @DRA/node-access/several-devices-intersect
    Scenario: Two devices by different labels, on the node that has both
      Given the devices
        | device | node     | pool |
        | d1     | zone=a   | p1   |
        | d2     | disk=ssd | p2   |
      And a claim "c" asking 2 devices
      When allocation of claim "c" on node "n2" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
        | d2     |
      And claim "c" can be used on node "n2" only

    @DRA/node-access/several-devices-intersect
    Scenario Outline: Two devices by different labels, on a node that has one of them
      Given the devices
        | device | node     | pool |
        | d1     | zone=a   | p1   |
        | d2     | disk=ssd | p2   |
      And a claim "c" asking 2 devices
      When allocation of claim "c" on node "<node>" is attempted
      Then nothing fits because of NodeMismatch

      Examples:
        | node |
        | n1   |
        | n3   |

    @DRA/node-access/several-devices-intersect
    Scenario: Two devices by the same label leave all nodes with it
      Given the devices
        | device | node   | pool |
        | d1     | zone=a | p1   |
        | d2     | zone=a | p2   |
      And a claim "c" asking 2 devices
      When allocation of claim "c" on node "n1" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
        | d2     |
      And claim "c" can be used on nodes "n1, n2" only

    @DRA/node-access/several-devices-intersect
    Scenario: A device of the node beside one by a label
      Given the devices
        | device | node   | pool |
        | d1     | zone=a | p1   |
        | d2     | n2     | p2   |
      And a claim "c" asking 2 devices
      When allocation of claim "c" on node "n2" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
        | d2     |
      And claim "c" can be used on node "n2" only

    @DRA/node-access/several-devices-intersect @DRA/workflow/all-claims-of-a-pod-together
    Scenario: Each claim is bound by its own devices
      Given the devices
        | device | driver    | node     | pool |
        | d1     | a.example | zone=a   | p1   |
        | d2     | b.example | disk=ssd | p2   |
      And a device class "a" that selects
        """
        device.driver == "a.example"
        """
      And a device class "b" that selects
        """
        device.driver == "b.example"
        """
      And a claim "zone" asking 1 device of class "a"
      And a claim "disk" asking 1 device of class "b"
      When allocation of the claims "zone, disk" together on node "n2" is attempted
      Then claim "zone" gets exactly
        | device |
        | d1     |
      And claim "zone" can be used on nodes "n1, n2" only
      And claim "disk" gets exactly
        | device |
        | d2     |
      And claim "disk" can be used on nodes "n2, n3" only

    @DRA/workflow/all-claims-of-a-pod-together
    Scenario Outline: A node that can meet one of two claims meets none
      Given the devices
        | device | driver    | node | pool |
        | d1     | a.example | n1   | p1   |
        | d2     | b.example | n3   | p2   |
      And a device class "a" that selects
        """
        device.driver == "a.example"
        """
      And a device class "b" that selects
        """
        device.driver == "b.example"
        """
      And a claim "one" asking 1 device of class "a"
      And a claim "two" asking 1 device of class "b"
      When allocation of the claims "one, two" together on node "<node>" is attempted
      Then nothing fits

      Examples:
        | node |
        | n1   |
        | n3   |

  Rule: Devices may choose their nodes themselves

    Background:
      Given a node "n1" with the labels
        | label | value |
        | zone  | a     |
      And a node "n2" with the labels
        | label | value |
        | zone  | b     |

    @DRA/node-access/node-name
    Scenario Outline: A slice with a device for each node
      Given the devices
        | device | on |
        | d1     | n1 |
        | d2     | n2 |
      And a claim "c" asking 1 device
      When allocation of claim "c" on node "<node>" is attempted
      Then claim "c" gets exactly
        | device   |
        | <device> |
      And claim "c" can be used on node "<node>" only

      Examples:
        | node | device |
        | n1   | d1     |
        | n2   | d2     |

    @DRA/node-access/node-name
    Scenario: The slice reaches the node with another device than the one that is asked for
      Given the devices
        | device | on | attribute color |
        | d1     | n1 | string black    |
        | d2     | n2 | string white    |
      And a claim "c" with the requests
        | request | selector                                              |
        | r0      | device.attributes["dra.example.com"].color == "white" |
      When allocation of claim "c" on node "n1" is attempted
      Then nothing fits

    @DRA/node-access/node-selector
    Scenario: A device by a label in such a slice
      Given the devices
        | device | on     |
        | d1     | zone=a |
        | d2     | zone=b |
      And a claim "c" asking all devices
      When allocation of claim "c" on node "n2" is attempted
      Then claim "c" gets exactly
        | device |
        | d2     |
      And claim "c" can be used on node "n2" only

    @DRA/node-access/all-nodes
    Scenario: A device for all nodes in such a slice
      Given the devices
        | device | on |
        | d1     | n1 |
        | d2     | *  |
      And a claim "c" asking 1 device
      When allocation of claim "c" on node "n2" is attempted
      Then claim "c" gets exactly
        | device |
        | d2     |
      And claim "c" can be used on nodes "n1, n2" only

    @DRA/node-access/several-devices-intersect
    Scenario: Devices with different choices in one claim
      Given the devices
        | device | on     |
        | d1     | zone=a |
        | d2     | *      |
      And a claim "c" asking 2 devices
      When allocation of claim "c" on node "n1" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
        | d2     |
      And claim "c" can be used on node "n1" only
