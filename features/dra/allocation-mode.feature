Feature: How many devices
  A request asks for a number of devices, one if it does not say, or for all that the node has.

  Rule: One device if nothing is said

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
    Scenario: One of three
      Given the devices
        | device |
        | cat-1  |
        | cat-2  |
        | cat-3  |
      When allocation of claim "c" is attempted
      Then claim "c" gets 1 device

    @DRA/allocation-mode/default-is-one
    Scenario: One that is left
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
    Scenario: None that is left
      Given the devices
        | device |
        | cat-1  |
      And claim "other" already holds
        | device |
        | cat-1  |
      When allocation of claim "c" is attempted
      Then nothing fits because of DeviceInUse

    @DRA/allocation-mode/default-is-one
    Scenario: The same in v1beta1, where the request has its fields beside its name
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

  Rule: All devices of the node

    Background:
      Given a node "n1"
      And a node "n2"
      And a device class "black" that selects
        """
        device.attributes["dra.example.com"].?color.orValue("none") == "black"
        """

    @DRA/allocation-mode/all-on-a-node
    Scenario Outline: Those of another node do not count
      Given the devices
        | device | node | pool |
        | d1     | n1   | p1   |
        | d2     | n1   | p1   |
        | d3     | n1   | p1   |
        | d4     | n2   | p2   |
      And a claim "c" asking all devices
      When allocation of claim "c" on node "<node>" is attempted
      Then claim "c" gets <count> devices
      And claim "c" can be used on node "<node>" only

      Examples:
        | node | count |
        | n1   | 3     |
        | n2   | 1     |

    @DRA/allocation-mode/all-on-a-node
    Scenario: Those that match
      Given the devices
        | device | node | attribute color |
        | d1     | n1   | string black    |
        | d2     | n1   | string black    |
        | d3     | n1   | string white    |
      And a claim "c" asking all devices of class "black"
      When allocation of claim "c" on node "n1" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
        | d2     |

    @DRA/allocation-mode/all-on-a-node
    Scenario: Those of all pools and drivers
      Given the devices
        | device | driver    | pool | node |
        | d1     | a.example | p1   | n1   |
        | d2     | a.example | p2   | n1   |
        | d3     | b.example | p1   | *    |
      And a claim "c" asking all devices
      When allocation of claim "c" on node "n1" is attempted
      Then claim "c" gets exactly
        | device | driver    | pool |
        | d1     | a.example | p1   |
        | d2     | a.example | p2   |
        | d3     | b.example | p1   |

    @DRA/allocation-mode/all-on-a-node
    Scenario: Beside a request for one device of another kind
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
    Scenario: A matching device is in use
      Given the devices
        | device | node |
        | d1     | n1   |
        | d2     | n1   |
      And claim "other" already holds
        | device |
        | d1     |
      And a claim "c" asking all devices
      When allocation of claim "c" on node "n1" is attempted
      Then nothing fits because of DeviceInUse

    @DRA/allocation-mode/all-needs-every-device-free
    Scenario: The device has been released
      Given the devices
        | device | node |
        | d1     | n1   |
        | d2     | n1   |
      And a claim "other" asking 1 device
      And a claim "c" asking all devices
      When allocation of claim "c" on node "n1" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
        | d2     |

    @DRA/allocation-mode/all-needs-every-device-free
    Scenario: A device in use that does not match is no obstacle
      Given the devices
        | device | node | attribute color |
        | d1     | n1   | string white    |
        | d2     | n1   | string black    |
      And claim "other" already holds
        | device |
        | d1     |
      And a claim "c" asking all devices of class "black"
      When allocation of claim "c" on node "n1" is attempted
      Then claim "c" gets exactly
        | device |
        | d2     |

    @DRA/allocation-mode/all-needs-every-device-free
    Scenario: A device in use on another node is no obstacle
      Given the devices
        | device | node | pool |
        | d1     | n1   | p1   |
        | d2     | n2   | p2   |
      And claim "other" already holds
        | device | pool |
        | d2     | p2   |
      And a claim "c" asking all devices
      When allocation of claim "c" on node "n1" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |

    @DRA/allocation-mode/all-needs-every-device-free
    Scenario Outline: Another request of the claim has taken one of all devices
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
    Scenario: Two claims for all devices
      Given the devices
        | device | node |
        | d1     | n1   |
        | d2     | n1   |
      And a claim "a" asking all devices
      And a claim "b" asking all devices
      When allocation of the claims "a, b" together on node "n1" is attempted
      Then nothing fits

    @DRA/allocation-mode/all-needs-every-device-free
    Scenario: The one device that the other request can leave alone
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
    Scenario: A node without devices
      Given the devices
        | device | node |
        | d1     | n2   |
      And a claim "c" asking all devices
      When allocation of claim "c" on node "n1" is attempted
      Then nothing fits

    @DRA/allocation-mode/all-needs-at-least-one
    Scenario: A node without a device that matches
      Given the devices
        | device | node | attribute color |
        | d1     | n1   | string white    |
      And a claim "c" asking all devices of class "black"
      When allocation of claim "c" on node "n1" is attempted
      Then nothing fits because of SelectorNotMatched

    @DRA/allocation-mode/all-needs-at-least-one
    Scenario: A cluster without slices
      Given a claim "c" asking all devices
      When allocation of claim "c" on node "n1" is attempted
      Then nothing fits

    @DRA/allocation-mode/all-needs-at-least-one
    Scenario: A slice without devices
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
      And a claim "c" asking all devices
      When allocation of claim "c" on node "n1" is attempted
      Then nothing fits

    @DRA/allocation-mode/all-needs-at-least-one
    Scenario: A node with one device
      Given the devices
        | device | node |
        | d1     | n2   |
      And a claim "c" asking all devices
      When allocation of claim "c" on node "n2" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |

  Rule: There is no other mode

    @DRA/allocation-mode/count-with-all
    Scenario: An unknown mode
      Given the devices
        | device |
        | d1     |
      And a claim "c" with the requests
        | request | mode |
        | r0      | Most |
      When allocation of claim "c" is attempted
      Then nothing is allocated
      But since Kubernetes 1.34, because releases end in an error for an unknown mode: the allocation ends in an error because of UnsupportedRequest
