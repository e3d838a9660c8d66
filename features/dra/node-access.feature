Feature: Node access of devices
  A ResourceSlice says which nodes can access its devices: all nodes, one node by its name, or nodes with
  certain labels. The allocation says on which nodes the ResourceClaim can be used.

  Rule: Devices with allNodes

    @case:all-nodes
    @DRA/node-access/all-nodes
    Scenario Outline: A device with allNodes can be allocated on each node and used on all nodes
      Given a node "n1"
      And a node "n2"
      And a node "n3"
      And the devices
        | device | node |
        | d1     | *    |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "<node>" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d1     |
      And ResourceClaim "c" is available only on nodes "n1, n2, n3"

      Examples:
        | node |
        | n1   |
        | n3   |

  Rule: Devices with nodeName

    @case:node-name-matches
    @DRA/node-access/node-name @DRA/workflow/pod-lands-where-device-is
    Scenario: A device with nodeName is allocated on that node and can be used only there
      Given a node "worker-1"
      And a node "worker-2"
      And the devices
        | device | node     |
        | d1     | worker-1 |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "worker-1" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d1     |
      And ResourceClaim "c" is available only on node "worker-1"

    @case:node-name-of-other-node
    @DRA/node-access/node-name
    Scenario: A device with the nodeName of another node is not allocated
      Given a node "worker-1"
      And a node "worker-2"
      And the devices
        | device | node     |
        | d1     | worker-1 |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "worker-2" is attempted
      Then no allocation is possible because of NodeMismatch

    @case:node-name-of-missing-node
    @DRA/node-access/node-name
    Scenario: A device with the nodeName of a node that does not exist is not allocated
      Given a node "worker-1"
      And the devices
        | device | node     |
        | d1     | worker-9 |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "worker-1" is attempted
      Then no allocation is possible because of NodeMismatch

    @case:node-name-as-hostname-label
    @DRA/node-access/node-name
    Scenario: A device with nodeName is not allocated on a node that has that name only as a label
      Given a node "worker-1" with the labels
        | label                  | value    |
        | kubernetes.io/hostname | worker-2 |
      And the devices
        | device | node     |
        | d2     | worker-2 |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "worker-1" is attempted
      Then no allocation is possible because of NodeMismatch

  Rule: Devices with a nodeSelector

    @case:selector-several-nodes
    @DRA/node-access/node-selector
    Scenario: A device with a nodeSelector can be used on every node that the selector matches
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
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "n1" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d1     |
      And ResourceClaim "c" is available only on nodes "n1, n3"

    @case:selector-not-matched
    @DRA/node-access/node-selector
    Scenario Outline: A device is not allocated on a node whose label differs from its nodeSelector
      Given a node "n1" with the labels
        | label   | value   |
        | <label> | <value> |
      And the devices
        | device | node   |
        | d1     | zone=a |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "n1" is attempted
      Then no allocation is possible because of NodeMismatch

      Examples:
        | what          | label | value |
        | another value | zone  | b     |
        | another label | area  | a     |
        | another case  | zone  | A     |

    @case:selector-node-without-labels
    @DRA/node-access/node-selector
    Scenario: A device with a nodeSelector is not allocated on a node without labels
      Given a node "n1"
      And the devices
        | device | node   |
        | d1     | zone=a |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "n1" is attempted
      Then no allocation is possible because of NodeMismatch

    @case:selector-one-of-two-labels
    @DRA/node-access/node-selector
    Scenario: A device is not allocated on a node with only one of two labels of its nodeSelector
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
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "n1" is attempted
      Then no allocation is possible because of NodeMismatch

    @case:selector-both-labels
    @DRA/node-access/node-selector
    Scenario: A device is allocated on a node with both labels of its nodeSelector
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
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "n2" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d1     |
      And ResourceClaim "c" is available only on node "n2"

    @case:selector-gt-non-numeric
    @DRA/node-access/node-selector
    Scenario: A device whose nodeSelector has a non-numeric value for the operator Gt is not allocated
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
              - matchExpressions: [{key: cores, operator: Exists}, {key: cores, operator: Gt, values: [many]}]
          devices: [{name: d1}]
        """
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "n1" is attempted
      Then nothing is allocated
      But since Kubernetes 1.34, because releases report an error for a node selector that they cannot parse: allocation fails with an error because of FieldInvalid

    @case:selector-two-terms
    @DRA/node-access/node-selector @profile:since-1.34
    Scenario: Allocation fails with an error since 1.34 if a nodeSelector has two terms
      Given objects that the API server rejects, because the semantics of node selectors cover several terms
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
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "n1" is attempted
      Then allocation fails with an error

  Rule: ResourceClaims whose devices have different node access

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

    @case:one-node-and-all-nodes
    @DRA/node-access/several-devices-intersect
    Scenario: A device with nodeName and a device with allNodes limit their ResourceClaim to one node
      Given the devices
        | device | node | slice |
        | d1     | n1   | s1    |
        | d2     | *    | s2    |
      And a ResourceClaim "c" requesting 2 devices
      When allocation of ResourceClaim "c" on node "n1" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d1     |
        | d2     |
      And ResourceClaim "c" is available only on node "n1"

    @case:one-node-and-all-nodes-elsewhere
    @DRA/node-access/several-devices-intersect
    Scenario: A ResourceClaim is not allocated on a node that can access only one of its two devices
      Given the devices
        | device | node | slice |
        | d1     | n1   | s1    |
        | d2     | *    | s2    |
      And a ResourceClaim "c" requesting 2 devices
      When allocation of ResourceClaim "c" on node "n2" is attempted
      Then no allocation is possible because of NodeMismatch

    @case:two-different-nodes
    @DRA/node-access/several-devices-intersect
    Scenario Outline: Two devices of different nodes are not allocated together on any node
      Given the devices
        | device | node | pool |
        | d1     | n1   | p1   |
        | d2     | n2   | p2   |
      And a ResourceClaim "c" requesting 2 devices
      When allocation of ResourceClaim "c" on node "<node>" is attempted
      Then no allocation is possible

      Examples:
        | node |
        | n1   |
        | n2   |
        | n3   |

    @case:two-node-labels
    @DRA/node-access/several-devices-intersect
    Scenario: Two devices with different nodeSelectors are allocated on a node that matches both
      Given the devices
        | device | node     | pool |
        | d1     | zone=a   | p1   |
        | d2     | disk=ssd | p2   |
      And a ResourceClaim "c" requesting 2 devices
      When allocation of ResourceClaim "c" on node "n2" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d1     |
        | d2     |
      And ResourceClaim "c" is available only on node "n2"

    @case:one-of-two-node-labels
    @DRA/node-access/several-devices-intersect
    Scenario Outline: Two devices with different nodeSelectors are not allocated on a node that matches only one
      Given the devices
        | device | node     | pool |
        | d1     | zone=a   | p1   |
        | d2     | disk=ssd | p2   |
      And a ResourceClaim "c" requesting 2 devices
      When allocation of ResourceClaim "c" on node "<node>" is attempted
      Then no allocation is possible because of NodeMismatch

      Examples:
        | node |
        | n1   |
        | n3   |

    @case:same-node-label
    @DRA/node-access/several-devices-intersect
    Scenario: Two devices with the same nodeSelector can be used on every node that it matches
      Given the devices
        | device | node   | pool |
        | d1     | zone=a | p1   |
        | d2     | zone=a | p2   |
      And a ResourceClaim "c" requesting 2 devices
      When allocation of ResourceClaim "c" on node "n1" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d1     |
        | d2     |
      And ResourceClaim "c" is available only on nodes "n1, n2"

    @case:one-node-and-node-label
    @DRA/node-access/several-devices-intersect
    Scenario: A device with nodeName and one with nodeSelector limit the ResourceClaim to one node
      Given the devices
        | device | node   | pool |
        | d1     | zone=a | p1   |
        | d2     | n2     | p2   |
      And a ResourceClaim "c" requesting 2 devices
      When allocation of ResourceClaim "c" on node "n2" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d1     |
        | d2     |
      And ResourceClaim "c" is available only on node "n2"

    @case:two-claims-different-nodes
    @DRA/node-access/several-devices-intersect @DRA/workflow/all-claims-of-a-pod-together
    Scenario: ResourceClaims allocated together can each be used on the nodes of their own devices
      Given the devices
        | device | driver    | node     | pool |
        | d1     | a.example | zone=a   | p1   |
        | d2     | b.example | disk=ssd | p2   |
      And a DeviceClass "a" with the selector
        """
        device.driver == "a.example"
        """
      And a DeviceClass "b" with the selector
        """
        device.driver == "b.example"
        """
      And a ResourceClaim "zone" requesting 1 device of class "a"
      And a ResourceClaim "disk" requesting 1 device of class "b"
      When allocation of the ResourceClaims "zone, disk" together on node "n2" is attempted
      Then ResourceClaim "zone" is allocated exactly
        | device |
        | d1     |
      And ResourceClaim "zone" is available only on nodes "n1, n2"
      And ResourceClaim "disk" is allocated exactly
        | device |
        | d2     |
      And ResourceClaim "disk" is available only on nodes "n2, n3"

    @case:two-claims-one-unmet
    @DRA/workflow/all-claims-of-a-pod-together
    Scenario Outline: Two ResourceClaims of a pod fail on a node with a device for only one of them
      Given the devices
        | device | driver    | node | pool |
        | d1     | a.example | n1   | p1   |
        | d2     | b.example | n3   | p2   |
      And a DeviceClass "a" with the selector
        """
        device.driver == "a.example"
        """
      And a DeviceClass "b" with the selector
        """
        device.driver == "b.example"
        """
      And a ResourceClaim "one" requesting 1 device of class "a"
      And a ResourceClaim "two" requesting 1 device of class "b"
      When allocation of the ResourceClaims "one, two" together on node "<node>" is attempted
      Then no allocation is possible

      Examples:
        | node |
        | n1   |
        | n3   |

  Rule: Devices with their own node access (perDeviceNodeSelection)

    Background:
      Given a node "n1" with the labels
        | label | value |
        | zone  | a     |
      And a node "n2" with the labels
        | label | value |
        | zone  | b     |

    @case:per-device-node-name
    @DRA/node-access/node-name
    Scenario Outline: A device with perDeviceNodeSelection and nodeName is available only on that node
      Given the devices
        | device | on |
        | d1     | n1 |
        | d2     | n2 |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "<node>" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device   |
        | <device> |
      And ResourceClaim "c" is available only on node "<node>"

      Examples:
        | node | device |
        | n1   | d1     |
        | n2   | d2     |

    @case:per-device-other-node
    @DRA/node-access/node-name
    Scenario: A device with perDeviceNodeSelection and nodeName is not allocated on another node
      Given the devices
        | device | on | attribute color |
        | d1     | n1 | string black    |
        | d2     | n2 | string white    |
      And a ResourceClaim "c" with the requests
        | request | selector                                              |
        | r0      | device.attributes["dra.example.com"].color == "white" |
      When allocation of ResourceClaim "c" on node "n1" is attempted
      Then no allocation is possible

    @case:per-device-node-selector
    @DRA/node-access/node-selector
    Scenario: allocationMode: All includes only devices whose own nodeSelector matches the node
      Given the devices
        | device | on     |
        | d1     | zone=a |
        | d2     | zone=b |
      And a ResourceClaim "c" requesting all devices
      When allocation of ResourceClaim "c" on node "n2" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d2     |
      And ResourceClaim "c" is available only on node "n2"

    @case:per-device-all-nodes
    @DRA/node-access/all-nodes
    Scenario: A device's own allNodes applies although its ResourceSlice has a device with nodeName
      Given the devices
        | device | on |
        | d1     | n1 |
        | d2     | *  |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "n2" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d2     |
      And ResourceClaim "c" is available only on nodes "n1, n2"

    @case:per-device-two-devices
    @DRA/node-access/several-devices-intersect
    Scenario: Two devices with perDeviceNodeSelection are allocated on a node that can access both
      Given the devices
        | device | on     |
        | d1     | zone=a |
        | d2     | *      |
      And a ResourceClaim "c" requesting 2 devices
      When allocation of ResourceClaim "c" on node "n1" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d1     |
        | d2     |
      And ResourceClaim "c" is available only on node "n1"
