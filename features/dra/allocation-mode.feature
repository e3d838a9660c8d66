Feature: How many devices
  A request asks for a number of devices, one if it does not say, or for all that the node has.

  Rule: A request that says nothing asks for one device

    Background:
      Given a device class "cat"
      And the objects
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: c}
        spec:
          devices:
            requests:
              - name: req-0
                exactly: {deviceClassName: cat}
        """

    @DRA/allocation-mode/default-is-one
    Scenario: A request without mode and count gets one of three devices
      Given the devices
        | device |
        | cat-1  |
        | cat-2  |
        | cat-3  |
      When allocation of claim "c" is attempted
      Then claim "c" gets 1 device

    @DRA/allocation-mode/default-is-one
    Scenario: A request without mode and count gets the one device that is left
      Given the devices
        | device |
        | cat-1  |
        | cat-2  |
      And claim "other" already holds
        | device |
        | cat-1  |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | req-0   | cat-2  |

    @DRA/allocation-mode/default-is-one
    Scenario: A request without mode and count gets nothing while the only device is in use
      Given the devices
        | device |
        | cat-1  |
      And claim "other" already holds
        | device |
        | cat-1  |
      When allocation of claim "c" is attempted
      Then nothing fits because of DeviceInUse

    @DRA/allocation-mode/default-is-one
    Scenario: A v1beta1 request without mode and count gets one of three devices
      Given the devices
        | device |
        | cat-1  |
        | cat-2  |
        | cat-3  |
      And the objects
        """
        apiVersion: resource.k8s.io/v1beta1
        kind: ResourceClaim
        metadata: {name: old}
        spec:
          devices:
            requests:
              - {name: req-0, deviceClassName: cat}
        """
      When allocation of claim "old" is attempted
      Then claim "old" gets 1 device

  Rule: A request for all devices gets every matching device of the node or nothing

    Background:
      Given a node "n1"
      And a node "n2"
      And a device class "black" that selects
        """
        device.attributes["dra.example.com"].?color.orValue("none") == "black"
        """

    @DRA/allocation-mode/all-on-a-node
    Scenario Outline: A request for all devices on node <node> gets <count> and none of another node
      Given the devices
        | device | node | pool |
        | d1     | n1   | p1   |
        | d2     | n1   | p1   |
        | d3     | n1   | p1   |
        | d4     | n2   | p2   |
      And a claim "c" requesting all devices
      When allocation of claim "c" on node "<node>" is attempted
      Then claim "c" gets <count> devices
      And claim "c" can be used on node "<node>" only

      Examples:
        | node | count |
        | n1   | 3     |
        | n2   | 1     |

    @DRA/allocation-mode/all-on-a-node
    Scenario: A request for all devices gets those of its class only
      Given the devices
        | device | node | attribute color |
        | d1     | n1   | string black    |
        | d2     | n1   | string black    |
        | d3     | n1   | string white    |
      And a claim "c" requesting all devices of class "black"
      When allocation of claim "c" on node "n1" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
        | d2     |

    @DRA/allocation-mode/all-on-a-node
    Scenario: A request for all devices gets those of every pool and driver
      Given the devices
        | device | driver    | pool | node |
        | d1     | a.example | p1   | n1   |
        | d2     | a.example | p2   | n1   |
        | d3     | b.example | p1   | *    |
      And a claim "c" requesting all devices
      When allocation of claim "c" on node "n1" is attempted
      Then claim "c" gets exactly
        | device | driver    | pool |
        | d1     | a.example | p1   |
        | d2     | a.example | p2   |
        | d3     | b.example | p1   |

    @DRA/allocation-mode/all-on-a-node
    Scenario: A request for all devices of a class is met beside a request for one device of another kind
      Given the devices
        | device | node | attribute color |
        | d1     | n1   | string black    |
        | d2     | n1   | string white    |
        | d3     | n1   | string black    |
      And a claim "c" with the requests
        | request | class | mode | selector                                              |
        | white   |       |      | device.attributes["dra.example.com"].color == "white" |
        | black   | black | All  |                                                       |
      When allocation of claim "c" on node "n1" is attempted
      Then claim "c" gets exactly
        | request | device |
        | white   | d2     |
        | black   | d1     |
        | black   | d3     |

    @DRA/allocation-mode/all-needs-every-device-free
    Scenario: A request for all devices gets nothing while one of them is in use
      Given the devices
        | device | node |
        | d1     | n1   |
        | d2     | n1   |
      And claim "other" already holds
        | device |
        | d1     |
      And a claim "c" requesting all devices
      When allocation of claim "c" on node "n1" is attempted
      Then nothing fits because of DeviceInUse

    @DRA/allocation-mode/all-needs-every-device-free
    Scenario: A request for all devices gets them while another claim asks for one but holds none
      Given the devices
        | device | node |
        | d1     | n1   |
        | d2     | n1   |
      And a claim "other" requesting 1 device
      And a claim "c" requesting all devices
      When allocation of claim "c" on node "n1" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
        | d2     |

    @DRA/allocation-mode/all-needs-every-device-free
    Scenario: A request for all devices of a class is met while a device outside the class is in use
      Given the devices
        | device | node | attribute color |
        | d1     | n1   | string white    |
        | d2     | n1   | string black    |
      And claim "other" already holds
        | device |
        | d1     |
      And a claim "c" requesting all devices of class "black"
      When allocation of claim "c" on node "n1" is attempted
      Then claim "c" gets exactly
        | device |
        | d2     |

    @DRA/allocation-mode/all-needs-every-device-free
    Scenario: A request for all devices is met while a device of another node is in use
      Given the devices
        | device | node | pool |
        | d1     | n1   | p1   |
        | d2     | n2   | p2   |
      And claim "other" already holds
        | device | pool |
        | d2     | p2   |
      And a claim "c" requesting all devices
      When allocation of claim "c" on node "n1" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |

    @DRA/allocation-mode/all-needs-every-device-free
    Scenario Outline: A claim with requests of mode <mode> and <another> for the same two devices gets nothing
      Given the devices
        | device | node |
        | d1     | n1   |
        | d2     | n1   |
      And a claim "c" with the requests
        | request  | mode      |
        | <first>  | <mode>    |
        | <second> | <another> |
      When allocation of claim "c" on node "n1" is attempted
      Then nothing fits

      Examples:
        | first | mode       | second | another    |
        | one   | ExactCount | all    | All        |
        | all   | All        | one    | ExactCount |

    @DRA/allocation-mode/all-needs-every-device-free
    Scenario: Two claims for all devices are not allocated together
      Given the devices
        | device | node |
        | d1     | n1   |
        | d2     | n1   |
      And a claim "a" requesting all devices
      And a claim "b" requesting all devices
      When allocation of the claims "a, b" together on node "n1" is attempted
      Then nothing fits

    @DRA/allocation-mode/all-needs-every-device-free
    Scenario: A request for any device leaves the only black one to a request for all black ones
      Given the devices
        | device | node | attribute color |
        | d1     | n1   | string black    |
        | d2     | n1   | string white    |
      And a claim "c" with the requests
        | request | class | mode |
        | one     |       |      |
        | all     | black | All  |
      When allocation of claim "c" on node "n1" is attempted
      Then claim "c" gets exactly
        | request | device |
        | one     | d2     |
        | all     | d1     |

    @DRA/allocation-mode/all-needs-at-least-one
    Scenario: A request for all devices gets nothing on a node without devices
      Given the devices
        | device | node |
        | d1     | n2   |
      And a claim "c" requesting all devices
      When allocation of claim "c" on node "n1" is attempted
      Then nothing fits

    @DRA/allocation-mode/all-needs-at-least-one
    Scenario: A request for all devices of a class gets nothing on a node without a device of the class
      Given the devices
        | device | node | attribute color |
        | d1     | n1   | string white    |
      And a claim "c" requesting all devices of class "black"
      When allocation of claim "c" on node "n1" is attempted
      Then nothing fits because of SelectorNotMatched

    @DRA/allocation-mode/all-needs-at-least-one
    Scenario: A request for all devices gets nothing in a cluster without ResourceSlices
      Given a claim "c" requesting all devices
      When allocation of claim "c" on node "n1" is attempted
      Then nothing fits

    @DRA/allocation-mode/all-needs-at-least-one
    Scenario: A request for all devices gets nothing from a ResourceSlice without devices
      Given the objects
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: s1}
        spec:
          driver: dra.example.com
          pool: {name: p1, generation: 1, resourceSliceCount: 1}
          nodeName: n1
          devices: []
        """
      And a claim "c" requesting all devices
      When allocation of claim "c" on node "n1" is attempted
      Then nothing fits

    @DRA/allocation-mode/all-needs-at-least-one
    Scenario: A request for all devices gets the only device of the node
      Given the devices
        | device | node |
        | d1     | n2   |
      And a claim "c" requesting all devices
      When allocation of claim "c" on node "n2" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |

  Rule: There is no other mode

    @DRA/allocation-mode/count-with-all
    Scenario: A request with an unknown allocation mode gets nothing
      Given objects that the API server does not admit, because a later release may know more modes
      And the devices
        | device |
        | d1     |
      And a claim "c" with the requests
        | request | mode |
        | r0      | Most |
      When allocation of claim "c" is attempted
      Then nothing is allocated
      But since Kubernetes 1.34, because releases end in an error for an unknown mode: the allocation ends in an error because of UnsupportedRequest
