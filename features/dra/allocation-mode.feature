Feature: Allocation modes of requests
  A request asks for an exact number of devices, one by default, or for all matching devices of the node.

  Rule: Default allocationMode and count of a request

    Background:
      Given a DeviceClass "cat"
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

    @case:default-is-one-device
    @DRA/allocation-mode/default-is-one
    Scenario: A request without allocationMode and count is allocated exactly one device
      Given the devices
        | device |
        | cat-1  |
        | cat-2  |
        | cat-3  |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated 1 device

    @case:default-gets-free-device
    @DRA/allocation-mode/default-is-one
    Scenario: A request without allocationMode and count is allocated the only free device
      Given the devices
        | device |
        | cat-1  |
        | cat-2  |
      And ResourceClaim "other" is already allocated
        | device |
        | cat-1  |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | req-0   | cat-2  |

    @case:default-no-free-device
    @DRA/claim/exclusive-between-claims
    Scenario: A request without allocationMode and count is not allocated while every device is in use
      Given the devices
        | device |
        | cat-1  |
      And ResourceClaim "other" is already allocated
        | device |
        | cat-1  |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of DeviceInUse

    @case:v1beta1-default-is-one-device
    @DRA/allocation-mode/default-is-one
    Scenario: A v1beta1 request without allocationMode and count is allocated exactly one device
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
      When allocation of ResourceClaim "old" is attempted
      Then ResourceClaim "old" is allocated 1 device

  Rule: Requests with allocationMode: All

    Background:
      Given a node "n1"
      And a node "n2"
      And a DeviceClass "black" with the selector
        """
        device.attributes["dra.example.com"].?color.orValue("none") == "black"
        """

    @case:all-of-the-node
    @DRA/allocation-mode/all-on-a-node
    Scenario Outline: A request with allocationMode: All gets every device of the node and no other device
      Given the devices
        | device | node | pool |
        | d1     | n1   | p1   |
        | d2     | n1   | p1   |
        | d3     | n1   | p1   |
        | d4     | n2   | p2   |
      And a ResourceClaim "c" requesting all devices
      When allocation of ResourceClaim "c" on node "<node>" is attempted
      Then ResourceClaim "c" is allocated <count> devices
      And ResourceClaim "c" is available only on node "<node>"

      Examples:
        | node | count |
        | n1   | 3     |
        | n2   | 1     |

    @case:all-of-the-class
    @DRA/allocation-mode/all-on-a-node
    Scenario: A request with allocationMode: All is allocated only devices of its DeviceClass
      Given the devices
        | device | node | attribute color |
        | d1     | n1   | string black    |
        | d2     | n1   | string black    |
        | d3     | n1   | string white    |
      And a ResourceClaim "c" requesting all devices of class "black"
      When allocation of ResourceClaim "c" on node "n1" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d1     |
        | d2     |

    @case:all-pools-and-drivers
    @DRA/allocation-mode/all-on-a-node
    Scenario: A request with allocationMode: All is allocated the devices of every pool and driver
      Given the devices
        | device | driver    | pool | node |
        | d1     | a.example | p1   | n1   |
        | d2     | a.example | p2   | n1   |
        | d3     | b.example | p1   | *    |
      And a ResourceClaim "c" requesting all devices
      When allocation of ResourceClaim "c" on node "n1" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device | driver    | pool |
        | d1     | a.example | p1   |
        | d2     | a.example | p2   |
        | d3     | b.example | p1   |

    @case:all-with-other-request
    @DRA/allocation-mode/all-on-a-node
    Scenario: A request for all devices and an ExactCount request for other devices are both allocated
      Given the devices
        | device | node | attribute color |
        | d1     | n1   | string black    |
        | d2     | n1   | string white    |
        | d3     | n1   | string black    |
      And a ResourceClaim "c" with the requests
        | request | deviceClassName | allocationMode | selector                                              |
        | white   |                 |                | device.attributes["dra.example.com"].color == "white" |
        | black   | black           | All            |                                                       |
      When allocation of ResourceClaim "c" on node "n1" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | white   | d2     |
        | black   | d1     |
        | black   | d3     |

    @case:all-device-in-use
    @DRA/allocation-mode/all-needs-every-device-free
    Scenario: A request with allocationMode: All is not allocated while a matching device is in use
      Given the devices
        | device | node |
        | d1     | n1   |
        | d2     | n1   |
      And ResourceClaim "other" is already allocated
        | device |
        | d1     |
      And a ResourceClaim "c" requesting all devices
      When allocation of ResourceClaim "c" on node "n1" is attempted
      Then no allocation is possible because of DeviceInUse

    @case:all-with-unallocated-claim
    @DRA/allocation-mode/all-needs-every-device-free
    Scenario: An unallocated ResourceClaim does not block a request with allocationMode: All
      Given the devices
        | device | node |
        | d1     | n1   |
        | d2     | n1   |
      And a ResourceClaim "other" requesting 1 device
      And a ResourceClaim "c" requesting all devices
      When allocation of ResourceClaim "c" on node "n1" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d1     |
        | d2     |

    @case:all-unmatched-device-in-use
    @DRA/allocation-mode/all-needs-every-device-free
    Scenario: A device in use outside the DeviceClass does not block a request with allocationMode: All
      Given the devices
        | device | node | attribute color |
        | d1     | n1   | string white    |
        | d2     | n1   | string black    |
      And ResourceClaim "other" is already allocated
        | device |
        | d1     |
      And a ResourceClaim "c" requesting all devices of class "black"
      When allocation of ResourceClaim "c" on node "n1" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d2     |

    @case:all-other-node-device-in-use
    @DRA/allocation-mode/all-needs-every-device-free
    Scenario: A device in use on another node does not block a request with allocationMode: All
      Given the devices
        | device | node | pool |
        | d1     | n1   | p1   |
        | d2     | n2   | p2   |
      And ResourceClaim "other" is already allocated
        | device | pool |
        | d2     | p2   |
      And a ResourceClaim "c" requesting all devices
      When allocation of ResourceClaim "c" on node "n1" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d1     |

    @case:all-overlaps-other-request
    @DRA/allocation-mode/all-needs-every-device-free
    Scenario Outline: A claim fails if an ExactCount and an allocationMode: All request need the same device
      Given the devices
        | device | node |
        | d1     | n1   |
        | d2     | n1   |
      And a ResourceClaim "c" with the requests
        | request  | allocationMode |
        | <first>  | <mode>         |
        | <second> | <another>      |
      When allocation of ResourceClaim "c" on node "n1" is attempted
      Then no allocation is possible

      Examples:
        | first | mode       | second | another    |
        | one   | ExactCount | all    | All        |
        | all   | All        | one    | ExactCount |

    @case:two-all-claims-together
    @DRA/allocation-mode/all-needs-every-device-free
    Scenario: Two ResourceClaims with allocationMode: All for the same devices cannot both be allocated
      Given the devices
        | device | node |
        | d1     | n1   |
        | d2     | n1   |
      And a ResourceClaim "a" requesting all devices
      And a ResourceClaim "b" requesting all devices
      When allocation of the ResourceClaims "a, b" together on node "n1" is attempted
      Then no allocation is possible

    @case:all-leaves-no-choice-to-any
    @DRA/allocation-mode/all-needs-every-device-free
    Scenario: A request for any device leaves the only black device to a request for all black devices
      Given the devices
        | device | node | attribute color |
        | d1     | n1   | string black    |
        | d2     | n1   | string white    |
      And a ResourceClaim "c" with the requests
        | request | deviceClassName | allocationMode |
        | one     |                 |                |
        | all     | black           | All            |
      When allocation of ResourceClaim "c" on node "n1" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | one     | d2     |
        | all     | d1     |

    @case:all-on-empty-node
    @DRA/allocation-mode/all-needs-at-least-one
    Scenario: A request with allocationMode: All is not allocated on a node without devices
      Given the devices
        | device | node |
        | d1     | n2   |
      And a ResourceClaim "c" requesting all devices
      When allocation of ResourceClaim "c" on node "n1" is attempted
      Then no allocation is possible

    @case:all-without-matching-device
    @DRA/allocation-mode/all-needs-at-least-one
    Scenario: A request with allocationMode: All is not allocated if no device is in its DeviceClass
      Given the devices
        | device | node | attribute color |
        | d1     | n1   | string white    |
      And a ResourceClaim "c" requesting all devices of class "black"
      When allocation of ResourceClaim "c" on node "n1" is attempted
      Then no allocation is possible because of SelectorNotMatched

    @case:all-without-slices
    @DRA/allocation-mode/all-needs-at-least-one
    Scenario: A request with allocationMode: All is not allocated in a cluster without ResourceSlices
      Given a ResourceClaim "c" requesting all devices
      When allocation of ResourceClaim "c" on node "n1" is attempted
      Then no allocation is possible

    @case:all-with-empty-slice
    @DRA/allocation-mode/all-needs-at-least-one
    Scenario: A request with allocationMode: All is not allocated from a ResourceSlice without devices
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
      And a ResourceClaim "c" requesting all devices
      When allocation of ResourceClaim "c" on node "n1" is attempted
      Then no allocation is possible

    @case:all-with-single-device
    @DRA/allocation-mode/all-needs-at-least-one
    Scenario: A request with allocationMode: All is allocated the only device of the node
      Given the devices
        | device | node |
        | d1     | n2   |
      And a ResourceClaim "c" requesting all devices
      When allocation of ResourceClaim "c" on node "n2" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d1     |

  Rule: Unknown allocation modes

    @case:unknown-mode
    @DRA/allocation-mode/count-with-all
    Scenario: A request with an unknown allocationMode is not allocated
      Given objects that the API server rejects, because a later release may know more modes
      And the devices
        | device |
        | d1     |
      And a ResourceClaim "c" with the requests
        | request | allocationMode |
        | r0      | Most           |
      When allocation of ResourceClaim "c" is attempted
      Then nothing is allocated
      But since Kubernetes 1.34, because releases report an error for an unknown allocationMode: allocation fails with an error because of UnsupportedRequest
