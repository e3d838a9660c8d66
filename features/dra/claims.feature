Feature: Resource claims
  A claim gets devices for all of its requests or nothing at all. What it got is not given to anybody else.

  Rule: Every request is met from its class

    Background:
      Given a device class "gpu" that selects
        """
        device.driver == "gpu.example.com"
        """
      And a device class "nic" that selects
        """
        device.driver == "nic.example.com"
        """

    @DRA/claim/requests-select-from-class
    Scenario: A claim with a request for each of two classes gets one device of each
      Given the devices
        | device | driver          | pool   |
        | gpu-0  | gpu.example.com | node-1 |
        | nic-0  | nic.example.com | node-1 |
      And a claim "c" with the requests
        | request | class |
        | compute | gpu   |
        | network | nic   |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | driver          |
        | compute | gpu-0  | gpu.example.com |
        | network | nic-0  | nic.example.com |

    @DRA/claim/requests-select-from-class
    Scenario: A claim gets nothing when one of its two requests cannot be met
      Given the devices
        | device | driver          | pool   |
        | gpu-0  | gpu.example.com | node-1 |
        | nic-0  | nic.example.com | node-1 |
      And claim "other" already holds
        | device | driver          | pool   |
        | nic-0  | nic.example.com | node-1 |
      And a claim "c" with the requests
        | request | class |
        | compute | gpu   |
        | network | nic   |
      When allocation of claim "c" is attempted
      Then nothing fits

    @DRA/claim/requests-select-from-class
    Scenario: A claim for two classes gets nothing when there are devices of one only
      Given the devices
        | device | driver          | pool   |
        | gpu-0  | gpu.example.com | node-1 |
        | gpu-1  | gpu.example.com | node-1 |
        | gpu-2  | gpu.example.com | node-1 |
      And a claim "c" with the requests
        | request | class |
        | compute | gpu   |
        | network | nic   |
      When allocation of claim "c" is attempted
      Then nothing fits

    @DRA/claim/requests-select-from-class
    Scenario: A claim gets nothing when its two requests can be met on different nodes only
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | driver          | pool   | node   |
        | gpu-0  | gpu.example.com | node-1 | node-1 |
        | nic-0  | nic.example.com | node-2 | node-2 |
      And a claim "c" with the requests
        | request | class |
        | compute | gpu   |
        | network | nic   |
      When allocation of claim "c" on node "node-1" is attempted
      Then nothing fits

    @DRA/claim/requests-select-from-class
    Scenario: A claim with requests for two GPUs and one NIC gets two GPUs and one NIC
      Given the devices
        | device | driver          | pool   |
        | gpu-0  | gpu.example.com | node-1 |
        | gpu-1  | gpu.example.com | node-1 |
        | nic-0  | nic.example.com | node-1 |
      And a claim "c" with the requests
        | request | class | count |
        | compute | gpu   | 2     |
        | network | nic   | 1     |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | compute | gpu-0  |
        | compute | gpu-1  |
        | network | nic-0  |

    @DRA/class/required-and-existing
    Scenario: A claim without requests is allocated without devices
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
      When allocation of claim "c" is attempted
      Then claim "c" gets 0 devices

    @DRA/claim/selectors-optional
    Scenario: A request without a selector gets any device of its class
      Given the devices
        | device | driver          | pool   |
        | gpu-0  | gpu.example.com | node-1 |
        | gpu-1  | gpu.example.com | node-1 |
        | nic-0  | nic.example.com | node-1 |
      And a claim "c" requesting 1 device of class "gpu"
      When allocation of claim "c" is attempted
      Then claim "c" gets one of
        | choice | device |
        | 1      | gpu-0  |
        | 2      | gpu-1  |

    @DRA/claim/selectors-optional
    Scenario: A request without a selector for all devices gets those of its class only
      Given the devices
        | device | driver          | pool   |
        | gpu-0  | gpu.example.com | node-1 |
        | gpu-1  | gpu.example.com | node-1 |
        | nic-0  | nic.example.com | node-1 |
      And a claim "c" requesting all devices of class "gpu"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | gpu-0  |
        | gpu-1  |

    @DRA/claim/selectors-optional
    Scenario: A request without a selector does not get a device of another class
      Given the devices
        | device | driver          | pool   |
        | nic-0  | nic.example.com | node-1 |
      And a claim "c" requesting 1 device of class "gpu"
      When allocation of claim "c" is attempted
      Then nothing fits because of SelectorNotMatched

  Rule: A solution is found if there is one

    Background:
      Given the devices
        | device | capacity memory |
        | large  | 80Gi            |
        | small  | 10Gi            |
      And a device class "big" that selects
        """
        device.capacity["dra.example.com"].memory.compareTo(quantity("40Gi")) >= 0
        """

    @DRA/claim/requests-select-from-class
    Scenario: A request that any device meets leaves the large one to a later request that needs it
      Given a claim "c" with the requests
        | request | class |
        | any     |       |
        | big     | big   |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | any     | small  |
        | big     | large  |

    @DRA/claim/requests-select-from-class
    Scenario: A request that any device meets gets the small one when an earlier request needs the large one
      Given a claim "c" with the requests
        | request | class |
        | big     | big   |
        | any     |       |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | big     | large  |
        | any     | small  |

    @DRA/claim/requests-select-from-class
    Scenario: A claim gets nothing when two of its requests need the only large device
      Given a claim "c" with the requests
        | request | class |
        | one     | big   |
        | two     | big   |
      When allocation of claim "c" is attempted
      Then nothing fits

    @DRA/workflow/all-claims-of-a-pod-together
    Scenario Outline: Of the claims <claims>, allocated together in this order, big gets the large device
      Given a claim "any" requesting 1 device
      And a claim "big" requesting 1 device of class "big"
      When allocation of the claims "<claims>" together is attempted
      Then claim "any" gets exactly
        | device |
        | small  |
      And claim "big" gets exactly
        | device |
        | large  |

      Examples:
        | claims   |
        | any, big |
        | big, any |

    @DRA/workflow/all-claims-of-a-pod-together
    Scenario: Three claims allocated together get nothing where there are two devices
      Given a claim "a" requesting 1 device
      And a claim "b" requesting 1 device
      And a claim "c" requesting 1 device
      When allocation of the claims "a, b, c" together is attempted
      Then nothing fits

    @DRA/workflow/all-claims-of-a-pod-together
    Scenario: Two claims allocated together get one device each where there are two
      Given a claim "a" requesting 1 device
      And a claim "b" requesting 1 device
      When allocation of the claims "a, b" together is attempted
      Then claim "a" gets 1 device
      And claim "b" gets 1 device

  Rule: A device has one user

    @DRA/claim/exclusive-between-claims
    Scenario: A claim does not get the only device while another claim holds it
      Given the devices
        | device |
        | d1     |
      And claim "a" already holds
        | device |
        | d1     |
      And a claim "b" requesting 1 device
      When allocation of claim "b" is attempted
      Then nothing fits because of DeviceInUse

    @DRA/claim/exclusive-between-claims
    Scenario: A claim for two devices gets nothing while another claim holds one of the two
      Given the devices
        | device |
        | d1     |
        | d2     |
      And claim "a" already holds
        | device |
        | d1     |
      And a claim "b" requesting 2 devices
      When allocation of claim "b" is attempted
      Then nothing fits

    @DRA/claim/exclusive-between-claims
    Scenario: A claim gets the one of two devices that no other claim holds
      Given the devices
        | device |
        | d1     |
        | d2     |
      And claim "a" already holds
        | device |
        | d1     |
      And a claim "b" requesting 1 device
      When allocation of claim "b" is attempted
      Then claim "b" gets exactly
        | device |
        | d2     |

    @DRA/claim/exclusive-between-claims
    Scenario: A claim gets the only device while another claim asks for it but holds nothing
      Given the devices
        | device |
        | d1     |
      And a claim "a" requesting 1 device
      And a claim "b" requesting 1 device
      When allocation of claim "b" is attempted
      Then claim "b" gets exactly
        | device |
        | d1     |

    @DRA/claim/exclusive-between-claims
    Scenario: A claim does not get a device that a claim of another namespace holds
      Given the devices
        | device |
        | d1     |
        | d2     |
      And claim "team-a/c" already holds
        | device |
        | d1     |
      And a claim "team-b/c" requesting 1 device
      When allocation of claim "team-b/c" is attempted
      Then claim "team-b/c" gets exactly
        | device |
        | d2     |

    @DRA/claim/exclusive-between-claims
    Scenario: Two claims that are allocated together do not get the same device
      Given the devices
        | device |
        | d1     |
      And a claim "a" requesting 1 device
      And a claim "b" requesting 1 device
      When allocation of the claims "a, b" together is attempted
      Then nothing fits

    @DRA/claim/exclusive-between-claims
    Scenario: Two requests of one claim do not get the same device
      Given the devices
        | device |
        | d1     |
      And a claim "c" with the requests
        | request |
        | r0      |
        | r1      |
      When allocation of claim "c" is attempted
      Then nothing fits

    @DRA/claim/exclusive-between-claims
    Scenario: A device of all nodes is not allocated on a second node while another claim holds it
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | node |
        | d1     | *    |
      And claim "a" already holds
        | device |
        | d1     |
      And a claim "b" requesting 1 device
      When allocation of claim "b" on node "node-2" is attempted
      Then nothing fits because of DeviceInUse

  Rule: Constraints limit which devices go together

    @DRA/claim/constraints-limit-devices
    Scenario: A claim that needs one NUMA node gets two devices of the same NUMA node
      Given the devices
        | device | attribute numa |
        | d1     | int 0          |
        | d2     | int 1          |
        | d3     | int 0          |
      And a claim "c" requesting 2 devices
      And claim "c" needs matching "dra.example.com/numa"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
        | d3     |

    @DRA/claim/constraints-limit-devices
    Scenario: A claim that needs one NUMA node gets nothing when no two devices have the same
      Given the devices
        | device | attribute numa |
        | d1     | int 0          |
        | d2     | int 1          |
      And a claim "c" requesting 2 devices
      And claim "c" needs matching "dra.example.com/numa"
      When allocation of claim "c" is attempted
      Then nothing fits because of ConstraintUnsatisfied

    @DRA/claim/constraints-limit-devices
    Scenario: A claim that needs one NUMA node gets the matching pair even if it comes last
      Given the devices
        | device | attribute numa |
        | d1     | int 0          |
        | d2     | int 1          |
        | d3     | int 2          |
        | d4     | int 3          |
        | d5     | int 3          |
      And a claim "c" requesting 2 devices
      And claim "c" needs matching "dra.example.com/numa"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | d4     |
        | d5     |

    @DRA/claim/constraints-limit-devices
    Scenario: A constraint gives two requests devices of two drivers on the same NUMA node
      Given the devices
        | device | driver          | pool   | attribute example.org/numa |
        | gpu-0  | gpu.example.com | node-1 | int 0                      |
        | gpu-1  | gpu.example.com | node-1 | int 1                      |
        | nic-1  | nic.example.com | node-1 | int 1                      |
      And a claim "c" with the requests
        | request | selector                           |
        | compute | device.driver == "gpu.example.com" |
        | network | device.driver == "nic.example.com" |
      And claim "c" needs matching "example.org/numa"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | compute | gpu-1  |
        | network | nic-1  |

    @DRA/claim/constraints-limit-devices
    Scenario: A constraint that names one of two requests does not limit the other
      Given the devices
        | device | attribute numa |
        | d1     | int 0          |
        | d2     | int 1          |
      And a claim "c" with the requests
        | request |
        | r0      |
        | r1      |
      And claim "c" needs matching "dra.example.com/numa" among the requests "r0"
      When allocation of claim "c" is attempted
      Then claim "c" gets 2 devices

    @DRA/claim/constraints-limit-devices
    Scenario: Of three requests the one that the constraint does not name gets the device that does not match
      Given the devices
        | device | attribute numa |
        | d1     | int 0          |
        | d2     | int 1          |
        | d3     | int 1          |
      And a claim "c" with the requests
        | request |
        | r0      |
        | r1      |
        | r2      |
      And claim "c" needs matching "dra.example.com/numa" among the requests "r0, r2"
      When allocation of claim "c" is attempted
      Then claim "c" has the result
        | request | device |
        | r1      | d1     |

    @DRA/claim/constraints-limit-devices
    Scenario: A request that the constraint does not name gets a device without the attribute
      Given the devices
        | device | attribute numa |
        | d1     | int 0          |
        | d2     |                |
      And a claim "c" with the requests
        | request |
        | r0      |
        | r1      |
      And claim "c" needs matching "dra.example.com/numa" among the requests "r1"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d2     |
        | r1      | d1     |

    @DRA/claim/constraints-limit-devices
    Scenario: A device without the attribute of the constraint is not allocated, not even alone
      Given the devices
        | device |
        | d1     |
      And a claim "c" requesting 1 device
      And claim "c" needs matching "dra.example.com/numa"
      When allocation of claim "c" is attempted
      Then nothing fits

    @DRA/claim/constraints-limit-devices
    Scenario: A claim with two constraints gets the two devices that meet both
      Given the devices
        | device | attribute numa | attribute model |
        | d1     | int 0          | string a        |
        | d2     | int 0          | string b        |
        | d3     | int 1          | string b        |
        | d4     | int 0          | string b        |
      And a claim "c" requesting 2 devices
      And claim "c" needs matching "dra.example.com/numa"
      And claim "c" needs matching "dra.example.com/model"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | d2     |
        | d4     |

    @DRA/claim/constraints-limit-devices
    Scenario: A claim with two constraints gets nothing when no pair of devices meets both
      Given the devices
        | device | attribute numa | attribute model |
        | d1     | int 0          | string a        |
        | d2     | int 0          | string b        |
        | d3     | int 1          | string b        |
      And a claim "c" requesting 2 devices
      And claim "c" needs matching "dra.example.com/numa"
      And claim "c" needs matching "dra.example.com/model"
      When allocation of claim "c" is attempted
      Then nothing fits because of ConstraintUnsatisfied

    @DRA/claim/constraints-limit-devices
    Scenario: A device that the second constraint refuses leaves no trace in the first
      Given the devices
        | device | attribute numa | attribute model |
        | d1     | int 0          |                 |
        | d2     | int 1          | string b        |
        | d3     | int 1          | string b        |
      And a claim "c" requesting 2 devices
      And claim "c" needs matching "dra.example.com/numa"
      And claim "c" needs matching "dra.example.com/model"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | d2     |
        | d3     |

    @DRA/claim/constraints-limit-devices
    Scenario: The constraint of one claim does not limit another claim allocated with it
      Given the devices
        | device | attribute numa |
        | d1     | int 0          |
        | d2     | int 1          |
        | d3     | int 1          |
      And a claim "a" requesting 2 devices
      And claim "a" needs matching "dra.example.com/numa"
      And a claim "b" requesting 1 device
      When allocation of the claims "b, a" together is attempted
      Then claim "b" gets exactly
        | device |
        | d1     |
      And claim "a" gets exactly
        | device |
        | d2     |
        | d3     |

    @DRA/claim/constraints-limit-devices
    Scenario: A claim for all devices gets them when they all match its constraint
      Given the devices
        | device | attribute numa |
        | d1     | int 1          |
        | d2     | int 1          |
      And a claim "c" requesting all devices
      And claim "c" needs matching "dra.example.com/numa"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
        | d2     |

    @DRA/claim/constraints-limit-devices
    Scenario: A claim for all devices gets nothing when one of them does not match its constraint
      Given the devices
        | device | attribute numa |
        | d1     | int 1          |
        | d2     | int 0          |
        | d3     | int 1          |
      And a claim "c" requesting all devices
      And claim "c" needs matching "dra.example.com/numa"
      When allocation of claim "c" is attempted
      Then nothing is allocated because of ConstraintUnsatisfied
      But since Kubernetes 1.33, because releases end in an error when a constraint refuses one of all devices: the allocation ends in an error because of ConstraintUnsatisfied

    @DRA/claim/constraints-limit-devices @profile:since-1.34
    Scenario: A constraint that requires nothing ends the allocation in an error in releases
      Given objects that the API server does not admit, because a later release may know more constraints
      And the devices
        | device |
        | d1     |
      And a device class "nic"
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
      When allocation of claim "c" is attempted
      Then the allocation ends in an error because of ConstraintInvalid
