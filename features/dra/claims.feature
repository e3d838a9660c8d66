Feature: Allocation of ResourceClaims
  A ResourceClaim is allocated devices for all of its requests or no device at all. An allocated device is not
  available to other ResourceClaims.

  Rule: Requests and their DeviceClasses

    Background:
      Given a DeviceClass "gpu" with the selector
        """
        device.driver == "gpu.example.com"
        """
      And a DeviceClass "nic" with the selector
        """
        device.driver == "nic.example.com"
        """

    @case:one-device-of-each-class
    @DRA/claim/requests-select-from-class
    Scenario: A ResourceClaim with requests for two DeviceClasses is allocated one device of each
      Given the devices
        | device | driver          | pool   |
        | gpu-0  | gpu.example.com | node-1 |
        | nic-0  | nic.example.com | node-1 |
      And a ResourceClaim "c" with the requests
        | request | deviceClassName |
        | compute | gpu             |
        | network | nic             |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | driver          |
        | compute | gpu-0  | gpu.example.com |
        | network | nic-0  | nic.example.com |

    @case:one-request-unmet
    @DRA/claim/requests-select-from-class
    Scenario: A ResourceClaim is not allocated if the only device for one of its two requests is in use
      Given the devices
        | device | driver          | pool   |
        | gpu-0  | gpu.example.com | node-1 |
        | nic-0  | nic.example.com | node-1 |
      And ResourceClaim "other" is already allocated
        | device | driver          | pool   |
        | nic-0  | nic.example.com | node-1 |
      And a ResourceClaim "c" with the requests
        | request | deviceClassName |
        | compute | gpu             |
        | network | nic             |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

    @case:one-class-without-devices
    @DRA/claim/requests-select-from-class
    Scenario: A ResourceClaim is not allocated if one of its two DeviceClasses has no devices
      Given the devices
        | device | driver          | pool   |
        | gpu-0  | gpu.example.com | node-1 |
        | gpu-1  | gpu.example.com | node-1 |
        | gpu-2  | gpu.example.com | node-1 |
      And a ResourceClaim "c" with the requests
        | request | deviceClassName |
        | compute | gpu             |
        | network | nic             |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

    @case:requests-met-on-different-nodes
    @DRA/claim/requests-select-from-class
    Scenario: A ResourceClaim is not allocated if the devices for its requests are on different nodes
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | driver          | pool   | node   |
        | gpu-0  | gpu.example.com | node-1 | node-1 |
        | nic-0  | nic.example.com | node-2 | node-2 |
      And a ResourceClaim "c" with the requests
        | request | deviceClassName |
        | compute | gpu             |
        | network | nic             |
      When allocation of ResourceClaim "c" on node "node-1" is attempted
      Then no allocation is possible

    @case:different-counts-per-request
    @DRA/claim/requests-select-from-class
    Scenario: Requests with different counts are each allocated their own number of devices
      Given the devices
        | device | driver          | pool   |
        | gpu-0  | gpu.example.com | node-1 |
        | gpu-1  | gpu.example.com | node-1 |
        | nic-0  | nic.example.com | node-1 |
      And a ResourceClaim "c" with the requests
        | request | deviceClassName | count |
        | compute | gpu             | 2     |
        | network | nic             | 1     |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | compute | gpu-0  |
        | compute | gpu-1  |
        | network | nic-0  |

    @case:claim-without-requests
    @DRA/class/required-and-existing
    Scenario: A ResourceClaim without requests is allocated without devices
      Given the devices
        | device | driver          | pool   |
        | gpu-0  | gpu.example.com | node-1 |
      And the objects
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: c}
        spec: {devices: {}}
        """
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated 0 devices

    @case:no-selector-any-device
    @DRA/claim/selectors-optional
    Scenario: A request without selectors is allocated any device of its DeviceClass
      Given the devices
        | device | driver          | pool   |
        | gpu-0  | gpu.example.com | node-1 |
        | gpu-1  | gpu.example.com | node-1 |
        | nic-0  | nic.example.com | node-1 |
      And a ResourceClaim "c" requesting 1 device of class "gpu"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated one of
        | choice | device |
        | 1      | gpu-0  |
        | 2      | gpu-1  |

    @case:no-selector-all-devices
    @DRA/claim/selectors-optional
    Scenario: A request with allocationMode: All and no selectors gets only devices of its DeviceClass
      Given the devices
        | device | driver          | pool   |
        | gpu-0  | gpu.example.com | node-1 |
        | gpu-1  | gpu.example.com | node-1 |
        | nic-0  | nic.example.com | node-1 |
      And a ResourceClaim "c" requesting all devices of class "gpu"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | gpu-0  |
        | gpu-1  |

    @case:no-selector-other-class
    @DRA/claim/requests-select-from-class
    Scenario: A request without selectors is not allocated a device of another DeviceClass
      Given the devices
        | device | driver          | pool   |
        | nic-0  | nic.example.com | node-1 |
      And a ResourceClaim "c" requesting 1 device of class "gpu"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of SelectorNotMatched

  Rule: Search for devices that satisfy all requests

    Background:
      Given the devices
        | device | capacity memory |
        | large  | 80Gi            |
        | small  | 10Gi            |
      And a DeviceClass "big" with the selector
        """
        device.capacity["dra.example.com"].memory.compareTo(quantity("40Gi")) >= 0
        """

    @case:any-before-specific
    @DRA/claim/requests-select-from-class
    Scenario: A request for any device leaves the large device to a later request that needs it
      Given a ResourceClaim "c" with the requests
        | request | deviceClassName |
        | any     |                 |
        | big     | big             |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | any     | small  |
        | big     | large  |

    @case:specific-before-any
    @DRA/claim/requests-select-from-class
    Scenario: A request for any device gets the small device after a request for the large device
      Given a ResourceClaim "c" with the requests
        | request | deviceClassName |
        | big     | big             |
        | any     |                 |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | big     | large  |
        | any     | small  |

    @case:two-requests-one-device
    @DRA/claim/requests-select-from-class
    Scenario: A ResourceClaim is not allocated if two of its requests need the same device
      Given a ResourceClaim "c" with the requests
        | request | deviceClassName |
        | one     | big             |
        | two     | big             |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

    @case:joint-allocation-order
    @DRA/workflow/all-claims-of-a-pod-together
    Scenario Outline: Two ResourceClaims allocated together each get a suitable device in either order
      Given a ResourceClaim "any" requesting 1 device
      And a ResourceClaim "big" requesting 1 device of class "big"
      When allocation of the ResourceClaims "<claims>" together is attempted
      Then ResourceClaim "any" is allocated exactly
        | device |
        | small  |
      And ResourceClaim "big" is allocated exactly
        | device |
        | large  |

      Examples:
        | claims   |
        | any, big |
        | big, any |

    @case:three-claims-two-devices
    @DRA/workflow/all-claims-of-a-pod-together
    Scenario: Three ResourceClaims allocated together fail if there are only two devices
      Given a ResourceClaim "a" requesting 1 device
      And a ResourceClaim "b" requesting 1 device
      And a ResourceClaim "c" requesting 1 device
      When allocation of the ResourceClaims "a, b, c" together is attempted
      Then no allocation is possible

    @case:two-claims-two-devices
    @DRA/workflow/all-claims-of-a-pod-together
    Scenario: Two ResourceClaims allocated together are allocated one device each
      Given a ResourceClaim "a" requesting 1 device
      And a ResourceClaim "b" requesting 1 device
      When allocation of the ResourceClaims "a, b" together is attempted
      Then ResourceClaim "a" is allocated 1 device
      And ResourceClaim "b" is allocated 1 device

  Rule: Exclusive allocation of devices

    @case:only-device-in-use
    @DRA/claim/exclusive-between-claims
    Scenario: A ResourceClaim is not allocated while another ResourceClaim uses the only device
      Given the devices
        | device |
        | d1     |
      And ResourceClaim "a" is already allocated
        | device |
        | d1     |
      And a ResourceClaim "b" requesting 1 device
      When allocation of ResourceClaim "b" is attempted
      Then no allocation is possible because of DeviceInUse

    @case:one-of-two-in-use
    @DRA/claim/exclusive-between-claims
    Scenario: A ResourceClaim for two devices is not allocated while one of the two is in use
      Given the devices
        | device |
        | d1     |
        | d2     |
      And ResourceClaim "a" is already allocated
        | device |
        | d1     |
      And a ResourceClaim "b" requesting 2 devices
      When allocation of ResourceClaim "b" is attempted
      Then no allocation is possible

    @case:free-device-chosen
    @DRA/claim/exclusive-between-claims
    Scenario: A ResourceClaim is allocated the device that no other ResourceClaim uses
      Given the devices
        | device |
        | d1     |
        | d2     |
      And ResourceClaim "a" is already allocated
        | device |
        | d1     |
      And a ResourceClaim "b" requesting 1 device
      When allocation of ResourceClaim "b" is attempted
      Then ResourceClaim "b" is allocated exactly
        | device |
        | d2     |

    @case:unallocated-claim-does-not-block
    @DRA/claim/exclusive-between-claims
    Scenario: An unallocated ResourceClaim does not make a device unavailable to another ResourceClaim
      Given the devices
        | device |
        | d1     |
      And a ResourceClaim "a" requesting 1 device
      And a ResourceClaim "b" requesting 1 device
      When allocation of ResourceClaim "b" is attempted
      Then ResourceClaim "b" is allocated exactly
        | device |
        | d1     |

    @case:exclusive-across-namespaces
    @DRA/claim/exclusive-between-claims
    Scenario: A device allocated in one namespace is not available in another namespace
      Given the devices
        | device |
        | d1     |
        | d2     |
      And ResourceClaim "team-a/c" is already allocated
        | device |
        | d1     |
      And a ResourceClaim "team-b/c" requesting 1 device
      When allocation of ResourceClaim "team-b/c" is attempted
      Then ResourceClaim "team-b/c" is allocated exactly
        | device |
        | d2     |

    @case:exclusive-between-joint-claims
    @DRA/claim/exclusive-between-claims
    Scenario: Two ResourceClaims allocated together cannot get the same device
      Given the devices
        | device |
        | d1     |
      And a ResourceClaim "a" requesting 1 device
      And a ResourceClaim "b" requesting 1 device
      When allocation of the ResourceClaims "a, b" together is attempted
      Then no allocation is possible

    @case:exclusive-between-requests
    @DRA/claim/exclusive-between-claims
    Scenario: Two requests of one ResourceClaim cannot get the same device
      Given the devices
        | device |
        | d1     |
      And a ResourceClaim "c" with the requests
        | request |
        | r0      |
        | r1      |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

    @case:exclusive-across-nodes
    @DRA/claim/exclusive-between-claims
    Scenario: A device that all nodes can access is in use on every node once it is allocated
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | node |
        | d1     | *    |
      And ResourceClaim "a" is already allocated
        | device |
        | d1     |
      And a ResourceClaim "b" requesting 1 device
      When allocation of ResourceClaim "b" on node "node-2" is attempted
      Then no allocation is possible because of DeviceInUse

  Rule: matchAttribute constraints

    @case:equal-attribute-pair
    @DRA/claim/constraints-limit-devices
    Scenario: A matchAttribute constraint selects two devices with the same attribute value
      Given the devices
        | device | attribute numa |
        | d1     | int 0          |
        | d2     | int 1          |
        | d3     | int 0          |
      And a ResourceClaim "c" requesting 2 devices
      And ResourceClaim "c" has the constraint matchAttribute "dra.example.com/numa"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d1     |
        | d3     |

    @case:equal-pair-comes-last
    @DRA/claim/constraints-limit-devices
    Scenario: matchAttribute selects two devices with the same value even if they are published last
      Given the devices
        | device | attribute numa |
        | d1     | int 0          |
        | d2     | int 1          |
        | d3     | int 2          |
        | d4     | int 3          |
        | d5     | int 3          |
      And a ResourceClaim "c" requesting 2 devices
      And ResourceClaim "c" has the constraint matchAttribute "dra.example.com/numa"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d4     |
        | d5     |

    @case:across-drivers
    @DRA/claim/constraints-limit-devices
    Scenario: A matchAttribute constraint applies to requests for devices of two drivers
      Given the devices
        | device | driver          | pool   | attribute example.org/numa |
        | gpu-0  | gpu.example.com | node-1 | int 0                      |
        | gpu-1  | gpu.example.com | node-1 | int 1                      |
        | nic-1  | nic.example.com | node-1 | int 1                      |
      And a ResourceClaim "c" with the requests
        | request | selector                           |
        | compute | device.driver == "gpu.example.com" |
        | network | device.driver == "nic.example.com" |
      And ResourceClaim "c" has the constraint matchAttribute "example.org/numa"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | compute | gpu-1  |
        | network | nic-1  |

    @case:limited-to-named-request
    @DRA/claim/constraints-limit-devices
    Scenario: A request that a matchAttribute constraint does not name can get any device
      Given the devices
        | device | attribute numa |
        | d1     | int 0          |
        | d2     | int 1          |
      And a ResourceClaim "c" with the requests
        | request |
        | r0      |
        | r1      |
      And ResourceClaim "c" has the constraint matchAttribute "dra.example.com/numa" for the requests "r0"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated 2 devices

    @case:unnamed-request-gets-other-device
    @DRA/claim/constraints-limit-devices
    Scenario: A request not named by a matchAttribute constraint gets the device with a different value
      Given the devices
        | device | attribute numa |
        | d1     | int 0          |
        | d2     | int 1          |
        | d3     | int 1          |
      And a ResourceClaim "c" with the requests
        | request |
        | r0      |
        | r1      |
        | r2      |
      And ResourceClaim "c" has the constraint matchAttribute "dra.example.com/numa" for the requests "r0, r2"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated at least
        | request | device |
        | r1      | d1     |

    @case:unnamed-request-without-attribute
    @DRA/claim/constraints-limit-devices
    Scenario: A request not named by a matchAttribute constraint can get a device without the attribute
      Given the devices
        | device | attribute numa |
        | d1     | int 0          |
        | d2     |                |
      And a ResourceClaim "c" with the requests
        | request |
        | r0      |
        | r1      |
      And ResourceClaim "c" has the constraint matchAttribute "dra.example.com/numa" for the requests "r1"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d2     |
        | r1      | d1     |

    @case:device-without-attribute
    @DRA/claim/constraints-limit-devices
    Scenario: A device that lacks the matchAttribute attribute is not allocated even to a single request
      Given the devices
        | device |
        | d1     |
      And a ResourceClaim "c" requesting 1 device
      And ResourceClaim "c" has the constraint matchAttribute "dra.example.com/numa"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

    @case:two-constraints-met
    @DRA/claim/constraints-limit-devices
    Scenario: A ResourceClaim with two matchAttribute constraints gets two devices that satisfy both
      Given the devices
        | device | attribute numa | attribute model |
        | d1     | int 0          | string a        |
        | d2     | int 0          | string b        |
        | d3     | int 1          | string b        |
        | d4     | int 0          | string b        |
      And a ResourceClaim "c" requesting 2 devices
      And ResourceClaim "c" has the constraint matchAttribute "dra.example.com/numa"
      And ResourceClaim "c" has the constraint matchAttribute "dra.example.com/model"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d2     |
        | d4     |

    @case:two-constraints-unmet
    @DRA/claim/constraints-limit-devices
    Scenario: A ResourceClaim with two matchAttribute constraints fails if no two devices satisfy both
      Given the devices
        | device | attribute numa | attribute model |
        | d1     | int 0          | string a        |
        | d2     | int 0          | string b        |
        | d3     | int 1          | string b        |
      And a ResourceClaim "c" requesting 2 devices
      And ResourceClaim "c" has the constraint matchAttribute "dra.example.com/numa"
      And ResourceClaim "c" has the constraint matchAttribute "dra.example.com/model"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of ConstraintUnsatisfied

    @case:failed-constraint-leaves-no-state
    @DRA/claim/constraints-limit-devices
    Scenario: A matchAttribute constraint ignores the value of a device excluded by another constraint
      Given the devices
        | device | attribute numa | attribute model |
        | d1     | int 0          |                 |
        | d2     | int 1          | string b        |
        | d3     | int 1          | string b        |
      And a ResourceClaim "c" requesting 2 devices
      And ResourceClaim "c" has the constraint matchAttribute "dra.example.com/numa"
      And ResourceClaim "c" has the constraint matchAttribute "dra.example.com/model"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d2     |
        | d3     |

    @case:constraint-of-other-claim
    @DRA/claim/constraints-limit-devices
    Scenario: A matchAttribute constraint of one ResourceClaim does not apply to another ResourceClaim
      Given the devices
        | device | attribute numa |
        | d1     | int 0          |
        | d2     | int 1          |
        | d3     | int 1          |
      And a ResourceClaim "a" requesting 2 devices
      And ResourceClaim "a" has the constraint matchAttribute "dra.example.com/numa"
      And a ResourceClaim "b" requesting 1 device
      When allocation of the ResourceClaims "b, a" together is attempted
      Then ResourceClaim "b" is allocated exactly
        | device |
        | d1     |
      And ResourceClaim "a" is allocated exactly
        | device |
        | d2     |
        | d3     |

    @case:all-mode-matching
    @DRA/claim/constraints-limit-devices
    Scenario: A request with allocationMode: All is allocated if all devices satisfy matchAttribute
      Given the devices
        | device | attribute numa |
        | d1     | int 1          |
        | d2     | int 1          |
      And a ResourceClaim "c" requesting all devices
      And ResourceClaim "c" has the constraint matchAttribute "dra.example.com/numa"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d1     |
        | d2     |

    @case:all-mode-not-matching
    @DRA/claim/constraints-limit-devices
    Scenario: A request with allocationMode: All fails if one device does not satisfy matchAttribute
      Given the devices
        | device | attribute numa |
        | d1     | int 1          |
        | d2     | int 0          |
        | d3     | int 1          |
      And a ResourceClaim "c" requesting all devices
      And ResourceClaim "c" has the constraint matchAttribute "dra.example.com/numa"
      When allocation of ResourceClaim "c" is attempted
      Then nothing is allocated because of ConstraintUnsatisfied
      But since Kubernetes 1.33, because releases report an error if a constraint excludes a device of allocationMode All: allocation fails with an error because of ConstraintUnsatisfied

    @case:empty-constraint
    @DRA/claim/constraints-limit-devices @profile:since-1.34
    Scenario: Allocation fails with an error since 1.34 if a constraint has no matchAttribute
      Given objects that the API server rejects, because a later release may know more constraints
      And the devices
        | device |
        | d1     |
      And a DeviceClass "nic"
      And the objects
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: c}
        spec:
          devices:
            requests:
              - name: r0
                exactly: {deviceClassName: nic}
            constraints:
              - requests: [r0]
        """
      When allocation of ResourceClaim "c" is attempted
      Then allocation fails with an error because of ConstraintInvalid
