Feature: Which nodes have a device
  A slice says which nodes can access its devices: all of them, one by its name, or those with certain labels. An
  allocation says on which nodes the claim can be used.

  Rule: A slice for all nodes gives its devices on each of them

    @DRA/node-access/all-nodes
    Scenario Outline: A device of all nodes is allocated on node <node> and can be used on every node
      Given a node "n1"
      And a node "n2"
      And a node "n3"
      And the devices
        | device | node |
        | d1     | *    |
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "<node>" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
      And claim "c" can be used on nodes "n1, n2, n3" only

      Examples:
        | node |
        | n1   |
        | n3   |

  Rule: A slice with a node name gives its devices on that node only

    @DRA/node-access/node-name @DRA/workflow/pod-lands-where-device-is
    Scenario: A device with the nodeName of the node is allocated and can be used there only
      Given a node "worker-1"
      And a node "worker-2"
      And the devices
        | device | node     |
        | d1     | worker-1 |
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "worker-1" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
      And claim "c" can be used on node "worker-1" only

    @DRA/node-access/node-name
    Scenario: A device with the nodeName of another node is not allocated
      Given a node "worker-1"
      And a node "worker-2"
      And the devices
        | device | node     |
        | d1     | worker-1 |
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "worker-2" is attempted
      Then nothing fits because of NodeMismatch

    @DRA/node-access/node-name
    Scenario: A device with the nodeName of a node that does not exist is not allocated
      Given a node "worker-1"
      And the devices
        | device | node     |
        | d1     | worker-9 |
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "worker-1" is attempted
      Then nothing fits because of NodeMismatch

    @DRA/node-access/node-name
    Scenario: A device is not allocated on a node that has its nodeName only as a hostname label
      Given a node "worker-1" with the labels
        | label                  | value    |
        | kubernetes.io/hostname | worker-2 |
      And the devices
        | device | node     |
        | d2     | worker-2 |
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "worker-1" is attempted
      Then nothing fits because of NodeMismatch

  Rule: A slice with a node selector gives its devices on nodes with the labels

    @DRA/node-access/node-selector
    Scenario: A device of labelled nodes is allocated on one of them and can be used on all of them
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
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "n1" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
      And claim "c" can be used on nodes "n1, n3" only

    @DRA/node-access/node-selector
    Scenario Outline: A device of nodes labelled zone=a is not allocated on a node labelled <label>=<value>
      Given a node "n1" with the labels
        | label   | value   |
        | <label> | <value> |
      And the devices
        | device | node   |
        | d1     | zone=a |
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "n1" is attempted
      Then nothing fits because of NodeMismatch

      Examples:
        | what          | label | value |
        | another value | zone  | b     |
        | another label | area  | a     |
        | another case  | zone  | A     |

    @DRA/node-access/node-selector
    Scenario: A device of labelled nodes is not allocated on a node without labels
      Given a node "n1"
      And the devices
        | device | node   |
        | d1     | zone=a |
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "n1" is attempted
      Then nothing fits because of NodeMismatch

    @DRA/node-access/node-selector
    Scenario: A device of nodes with two labels is not allocated on a node that has one of them
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
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "n1" is attempted
      Then nothing fits because of NodeMismatch

    @DRA/node-access/node-selector
    Scenario: A device of nodes with two labels is allocated on the node that has both
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
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "n2" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
      And claim "c" can be used on node "n2" only

    @DRA/node-access/node-selector
    Scenario: A device whose node selector wants a label greater than a word is not allocated
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
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "n1" is attempted
      Then nothing is allocated
      But since Kubernetes 1.34, because releases end in an error for a node selector that cannot be read: the allocation ends in an error because of FieldInvalid

    @DRA/node-access/node-selector @profile:since-1.34
    Scenario: A node selector with two terms ends the allocation of its device in an error in releases
      Given objects that the API server does not admit, because what a node selector means is said for several terms
      And a node "n1" with the labels
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
      And a claim "c" requesting 1 device
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
    Scenario: A claim that gets a device of one node and one of all nodes can be used on that one node only
      Given the devices
        | device | node | slice |
        | d1     | n1   | s1    |
        | d2     | *    | s2    |
      And a claim "c" requesting 2 devices
      When allocation of claim "c" on node "n1" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
        | d2     |
      And claim "c" can be used on node "n1" only

    @DRA/node-access/several-devices-intersect
    Scenario: A claim for a device of one node and one of all nodes gets nothing on another node
      Given the devices
        | device | node | slice |
        | d1     | n1   | s1    |
        | d2     | *    | s2    |
      And a claim "c" requesting 2 devices
      When allocation of claim "c" on node "n2" is attempted
      Then nothing fits because of NodeMismatch

    @DRA/node-access/several-devices-intersect
    Scenario Outline: Two devices, one of node n1 and one of node n2, are not allocated together on node <node>
      Given the devices
        | device | node | pool |
        | d1     | n1   | p1   |
        | d2     | n2   | p2   |
      And a claim "c" requesting 2 devices
      When allocation of claim "c" on node "<node>" is attempted
      Then nothing fits

      Examples:
        | node |
        | n1   |
        | n2   |
        | n3   |

    @DRA/node-access/several-devices-intersect
    Scenario: Two devices of differently labelled nodes are allocated on the node that has both labels
      Given the devices
        | device | node     | pool |
        | d1     | zone=a   | p1   |
        | d2     | disk=ssd | p2   |
      And a claim "c" requesting 2 devices
      When allocation of claim "c" on node "n2" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
        | d2     |
      And claim "c" can be used on node "n2" only

    @DRA/node-access/several-devices-intersect
    Scenario Outline: Two devices of differently labelled nodes are not allocated on node <node>, which has one label
      Given the devices
        | device | node     | pool |
        | d1     | zone=a   | p1   |
        | d2     | disk=ssd | p2   |
      And a claim "c" requesting 2 devices
      When allocation of claim "c" on node "<node>" is attempted
      Then nothing fits because of NodeMismatch

      Examples:
        | node |
        | n1   |
        | n3   |

    @DRA/node-access/several-devices-intersect
    Scenario: A claim that gets two devices of nodes with the same label can be used on all of these nodes
      Given the devices
        | device | node   | pool |
        | d1     | zone=a | p1   |
        | d2     | zone=a | p2   |
      And a claim "c" requesting 2 devices
      When allocation of claim "c" on node "n1" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
        | d2     |
      And claim "c" can be used on nodes "n1, n2" only

    @DRA/node-access/several-devices-intersect
    Scenario: A claim that gets a device of one node and one of labelled nodes can be used on that one node only
      Given the devices
        | device | node   | pool |
        | d1     | zone=a | p1   |
        | d2     | n2     | p2   |
      And a claim "c" requesting 2 devices
      When allocation of claim "c" on node "n2" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
        | d2     |
      And claim "c" can be used on node "n2" only

    @DRA/node-access/several-devices-intersect @DRA/workflow/all-claims-of-a-pod-together
    Scenario: Two claims allocated together can each be used on the nodes of their own devices
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
      And a claim "zone" requesting 1 device of class "a"
      And a claim "disk" requesting 1 device of class "b"
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
    Scenario Outline: Two claims get nothing on node <node>, which has a device for one of them only
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
      And a claim "one" requesting 1 device of class "a"
      And a claim "two" requesting 1 device of class "b"
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
    Scenario Outline: A slice whose devices each name a node gives device <device> on node <node>
      Given the devices
        | device | on |
        | d1     | n1 |
        | d2     | n2 |
      And a claim "c" requesting 1 device
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
    Scenario: A device that is asked for is not allocated on the node of another device of its slice
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
    Scenario: Of two devices that choose nodes by labels the one that chooses the node is allocated
      Given the devices
        | device | on     |
        | d1     | zone=a |
        | d2     | zone=b |
      And a claim "c" requesting all devices
      When allocation of claim "c" on node "n2" is attempted
      Then claim "c" gets exactly
        | device |
        | d2     |
      And claim "c" can be used on node "n2" only

    @DRA/node-access/all-nodes
    Scenario: A device that chooses all nodes is allocated where another device of its slice cannot be used
      Given the devices
        | device | on |
        | d1     | n1 |
        | d2     | *  |
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "n2" is attempted
      Then claim "c" gets exactly
        | device |
        | d2     |
      And claim "c" can be used on nodes "n1, n2" only

    @DRA/node-access/several-devices-intersect
    Scenario: Two devices with different choices of nodes are allocated on a node that both choose
      Given the devices
        | device | on     |
        | d1     | zone=a |
        | d2     | *      |
      And a claim "c" requesting 2 devices
      When allocation of claim "c" on node "n1" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
        | d2     |
      And claim "c" can be used on node "n1" only
