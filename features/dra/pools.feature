Feature: Pools
  A pool is what a driver manages as one thing. It spans one slice or several, and a change to it has to reach
  all of them.

  Rule: A pool spans one slice or several

    @DRA/pool/one-slice
    Scenario: A device is allocated from a pool of one slice
      Given the devices
        | device | slice |
        | d1     | s1    |
      And pool "pool-1" says it has 1 slice
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | pool   |
        | d1     | pool-1 |

    @DRA/pool/several-slices
    Scenario: A request for two devices gets them from two slices of a pool
      Given the devices
        | device | slice |
        | d1     | s1    |
        | d2     | s2    |
      And a claim "c" requesting 2 devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
        | d2     |

    @DRA/pool/several-slices
    Scenario: Two requests of a claim get their devices from two slices of a pool
      Given the devices
        | device | slice | attribute kind |
        | gpu-0  | s1    | string gpu     |
        | nic-0  | s2    | string nic     |
      And a claim "c" with the requests
        | request | selector                                           |
        | nic     | device.attributes["dra.example.com"].kind == "nic" |
        | gpu     | device.attributes["dra.example.com"].kind == "gpu" |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | nic     | nic-0  |
        | gpu     | gpu-0  |

    @DRA/pool/several-slices
    Scenario: A request for three devices gets nothing from a pool whose slices list two
      Given the devices
        | device | slice |
        | d1     | s1    |
        | d2     | s2    |
      And a claim "c" requesting 3 devices
      When allocation of claim "c" is attempted
      Then nothing fits because of InsufficientDevices

    @DRA/pool/several-slices
    Scenario: A request for all devices gets the devices of all slices of a pool
      Given the devices
        | device | slice |
        | d1     | s1    |
        | d2     | s1    |
        | d3     | s1    |
        | d4     | s2    |
        | d5     | s3    |
      And a claim "c" requesting all devices
      When allocation of claim "c" is attempted
      Then claim "c" gets 5 devices

    @DRA/pool/several-slices
    Scenario: A slice without devices counts as a slice of its pool
      Given the devices
        | device | slice |
        | d1     | s1    |
      And pool "pool-1" says it has 2 slices
      And the objects
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: s2}
        spec:
          driver: dra.example.com
          pool: {name: pool-1, generation: 1, resourceSliceCount: 2}
          nodeName: node-1
          devices: []
        """
      And a claim "c" requesting all devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |

  Rule: Driver and name make a pool

    @DRA/pool/identity-by-driver-and-name
    Scenario: A device is free while a device of the same pool and name of another driver is in use
      Given the devices
        | device | driver    | pool   |
        | gpu-0  | a.example | node-1 |
        | gpu-0  | b.example | node-1 |
      And claim "other" already holds
        | device | driver    | pool   |
        | gpu-0  | a.example | node-1 |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | driver    | pool   |
        | gpu-0  | b.example | node-1 |

    @DRA/pool/identity-by-driver-and-name
    Scenario: A device in use is not allocated when one of the same pool and name of another driver is free
      Given the devices
        | device | driver    | pool   |
        | gpu-0  | a.example | node-1 |
        | gpu-0  | b.example | node-1 |
      And claim "other" already holds
        | device | driver    | pool   |
        | gpu-0  | b.example | node-1 |
      And a claim "c" with the requests
        | request | selector                     |
        | r0      | device.driver == "b.example" |
      When allocation of claim "c" is attempted
      Then nothing fits

    @DRA/pool/identity-by-driver-and-name
    Scenario: A device is free while a device of the same name in another pool of its driver is in use
      Given the devices
        | device | pool   |
        | gpu-0  | pool-1 |
        | gpu-0  | pool-2 |
      And claim "other" already holds
        | device | pool   |
        | gpu-0  | pool-1 |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | pool   |
        | gpu-0  | pool-2 |

    @DRA/pool/identity-by-driver-and-name
    Scenario: A request for all devices gets those of two drivers whose pools have the same name
      Given the devices
        | device | driver    | pool   |
        | gpu-0  | a.example | node-1 |
        | gpu-0  | b.example | node-1 |
      And a claim "c" requesting all devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | driver    |
        | gpu-0  | a.example |
        | gpu-0  | b.example |

    @DRA/pool/identity-by-driver-and-name
    Scenario: Devices are allocated from pools of the same name of two drivers with different generations
      Given the devices
        | device | driver    | pool   | generation |
        | gpu-0  | a.example | node-1 | 7          |
        | gpu-1  | b.example | node-1 | 1          |
      And a claim "c" requesting 2 devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | driver    |
        | gpu-0  | a.example |
        | gpu-1  | b.example |

    @DRA/pool/identity-by-driver-and-name
    Scenario: A device is allocated while the pool of the same name of another driver is incomplete
      Given the devices
        | device | driver    | pool   |
        | gpu-0  | a.example | node-1 |
        | gpu-1  | b.example | node-1 |
      And pool "node-1" of driver "a.example" says it has 2 slices
      And a claim "c" with the requests
        | request | selector                     |
        | r0      | device.driver == "b.example" |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | driver    |
        | gpu-1  | b.example |

  Rule: The newest generation counts

    @DRA/pool/highest-generation-only
    Scenario: A claim gets a device of the newest generation of a pool
      Given the devices
        | device | generation |
        | d1     | 1          |
        | d2     | 2          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | d2     |

    @DRA/pool/highest-generation-only
    Scenario: A claim for two devices gets nothing when they are of two generations of a pool
      Given the devices
        | device | generation |
        | d1     | 1          |
        | d2     | 2          |
      And a claim "c" requesting 2 devices
      When allocation of claim "c" is attempted
      Then nothing fits because of InsufficientDevices

    @DRA/pool/highest-generation-only
    Scenario: A request for all devices gets those of the newest generation only
      Given the devices
        | device | generation |
        | d1     | 1          |
        | d2     | 1          |
        | d2     | 2          |
        | d3     | 2          |
      And a claim "c" requesting all devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | d2     |
        | d3     |

    @DRA/pool/highest-generation-only
    Scenario: A device is not selected by an attribute that only an older generation gives it
      Given the devices
        | device | generation | attribute color |
        | d1     | 1          | string black    |
        | d1     | 2          | string white    |
      And a claim "c" with the requests
        | request | selector                                              |
        | r0      | device.attributes["dra.example.com"].color == "black" |
      When allocation of claim "c" is attempted
      Then nothing fits because of SelectorNotMatched

    @DRA/pool/highest-generation-only
    Scenario: A device is selected by the attribute that the newest generation gives it
      Given the devices
        | device | generation | attribute color |
        | d1     | 1          | string black    |
        | d1     | 2          | string white    |
      And a claim "c" with the requests
        | request | selector                                              |
        | r0      | device.attributes["dra.example.com"].color == "white" |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |

    @DRA/pool/highest-generation-only
    Scenario: A device that a claim holds stays in use in the next generation of its pool
      Given the devices
        | device | generation |
        | d1     | 1          |
        | d1     | 2          |
      And claim "other" already holds
        | device |
        | d1     |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of DeviceInUse

    @DRA/pool/highest-generation-only
    Scenario: A request for all devices is met while another claim holds a device that is no longer published
      Given the devices
        | device | generation |
        | d1     | 1          |
        | d2     | 2          |
      And claim "other" already holds
        | device |
        | d1     |
      And a claim "c" requesting all devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | d2     |

    @DRA/pool/highest-generation-only
    Scenario: A pool gives nothing while its newest generation is incomplete
      Given the objects
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: old}
        spec:
          driver: dra.example.com
          pool: {name: pool-1, generation: 1, resourceSliceCount: 1}
          nodeName: node-1
          devices: [{name: d1}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: new-1}
        spec:
          driver: dra.example.com
          pool: {name: pool-1, generation: 2, resourceSliceCount: 2}
          nodeName: node-1
          devices: [{name: d2}]
        """
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits
      But until Kubernetes 1.34, because these releases take devices of incomplete pools for a fixed number: claim "c" gets exactly
        | device |
        | d2     |

    @DRA/pool/highest-generation-only
    Scenario: A request for all devices gets those of a newer generation that is complete beside an older one
      Given the objects
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: new-2}
        spec:
          driver: dra.example.com
          pool: {name: pool-1, generation: 2, resourceSliceCount: 2}
          nodeName: node-1
          devices: [{name: d3}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: old}
        spec:
          driver: dra.example.com
          pool: {name: pool-1, generation: 1, resourceSliceCount: 1}
          nodeName: node-1
          devices: [{name: d1}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: new-1}
        spec:
          driver: dra.example.com
          pool: {name: pool-1, generation: 2, resourceSliceCount: 2}
          nodeName: node-1
          devices: [{name: d2}]
        """
      And a claim "c" requesting all devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | d2     |
        | d3     |

  Rule: A pool is one thing for all nodes

    @DRA/pool/highest-generation-only
    Scenario: A pool gives nothing on a node whose slice a change has not reached
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | slice | node   | generation |
        | d1     | s1    | node-1 | 1          |
        | d2     | s2    | node-2 | 2          |
      And pool "pool-1" says it has 2 slices
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "node-1" is attempted
      Then nothing fits
      But until Kubernetes 1.34, because these releases look at the slices of the node only and take devices of incomplete pools: claim "c" gets exactly
        | device |
        | d1     |

    @DRA/pool/highest-generation-only
    Scenario: A pool gives nothing on a node whose slice is the only one that a change has reached
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | slice | node   | generation |
        | d1     | s1    | node-1 | 1          |
        | d2     | s2    | node-2 | 2          |
      And pool "pool-1" says it has 2 slices
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "node-2" is attempted
      Then nothing fits because of PoolIncomplete
      But until Kubernetes 1.34, because these releases take devices of incomplete pools for a fixed number: claim "c" gets exactly
        | device |
        | d2     |

    @DRA/pool/highest-generation-only
    Scenario: A pool that has moved to another node gives nothing on the first
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | slice | node   | generation |
        | d1     | s1    | node-1 | 1          |
        | d2     | s2    | node-2 | 2          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "node-1" is attempted
      Then nothing fits
      But since Kubernetes 1.33, because slices that are complete among those of the node are used without a look at the others: claim "c" gets exactly
        | device |
        | d1     |

    @DRA/pool/highest-generation-only
    Scenario: A pool that has moved to another node gives its device there
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | slice | node   | generation |
        | d1     | s1    | node-1 | 1          |
        | d2     | s2    | node-2 | 2          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "node-2" is attempted
      Then claim "c" gets exactly
        | device |
        | d2     |

    @DRA/pool/highest-generation-only
    Scenario: A request for all devices leaves out those of a pool that has moved to another node
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | pool   | slice | node   | generation |
        | d1     | pool-1 | s1    | node-1 | 1          |
        | d2     | pool-1 | s2    | node-2 | 2          |
        | d9     | pool-2 | s9    | node-1 | 1          |
      And a claim "c" requesting all devices
      When allocation of claim "c" on node "node-1" is attempted
      Then claim "c" gets exactly
        | device |
        | d9     |
      But since Kubernetes 1.33, because slices that are complete among those of the node are used without a look at the others: claim "c" gets exactly
        | device |
        | d1     |
        | d9     |

    @DRA/pool/highest-generation-only @profile:since-1.35
    Scenario: A request for all devices in releases leaves out a pool whose old generation alone is on the node
      Given a node "node-1"
      And a node "node-2"
      And the objects
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: old}
        spec:
          driver: dra.example.com
          pool: {name: pool-1, generation: 1, resourceSliceCount: 2}
          nodeName: node-1
          devices: [{name: d1}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: new}
        spec:
          driver: dra.example.com
          pool: {name: pool-1, generation: 2, resourceSliceCount: 2}
          nodeName: node-2
          devices: [{name: d2}]
        """
      And the devices
        | device | pool   | node   |
        | d9     | pool-2 | node-1 |
      And a claim "c" requesting all devices
      When allocation of claim "c" on node "node-1" is attempted
      Then claim "c" gets exactly
        | device |
        | d9     |

    @DRA/pool/slices-for-different-nodes
    Scenario Outline: A pool with a slice for each node gives device <device> on <node>
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | slice | node   |
        | d1     | s1    | node-1 |
        | d2     | s2    | node-2 |
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "<node>" is attempted
      Then claim "c" gets exactly
        | device   |
        | <device> |
      And claim "c" can be used on node "<node>" only

      Examples:
        | node   | device |
        | node-1 | d1     |
        | node-2 | d2     |

    @DRA/pool/slices-for-different-nodes
    Scenario Outline: A pool with a slice for each node does not give two devices on <node>
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | slice | node   |
        | d1     | s1    | node-1 |
        | d2     | s2    | node-2 |
      And a claim "c" requesting 2 devices
      When allocation of claim "c" on node "<node>" is attempted
      Then nothing fits

      Examples:
        | node   |
        | node-1 |
        | node-2 |

    @DRA/pool/slices-for-different-nodes
    Scenario Outline: A pool with a slice for each node gives <device> to a request for all devices on <node>
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | slice | node   |
        | d1     | s1    | node-1 |
        | d2     | s2    | node-2 |
      And a claim "c" requesting all devices
      When allocation of claim "c" on node "<node>" is attempted
      Then claim "c" gets exactly
        | device   |
        | <device> |
      But until Kubernetes 1.34, because these releases count the slices of the node only and find the pool incomplete: the allocation ends in an error because of PoolIncomplete

      Examples:
        | node   | device |
        | node-1 | d1     |
        | node-2 | d2     |

    @DRA/pool/slices-for-different-nodes
    Scenario: A claim gets a device of the node and one of the slice of the same pool for all nodes
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | slice | node   |
        | d1     | s1    | node-1 |
        | d2     | s2    | node-2 |
        | d3     | s3    | *      |
      And a claim "c" requesting 2 devices
      When allocation of claim "c" on node "node-1" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
        | d3     |
      And claim "c" can be used on node "node-1" only

  Rule: An incomplete pool gives nothing

    @DRA/pool/incomplete-exact-count
    Scenario: A request for one device gets nothing from a pool of which a slice is missing
      Given the devices
        | device | slice |
        | d1     | s1    |
      And pool "pool-1" says it has 2 slices
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of PoolIncomplete
      But until Kubernetes 1.34, because these releases take devices of incomplete pools for a fixed number: claim "c" gets exactly
        | device |
        | d1     |

    @DRA/pool/incomplete-exact-count
    Scenario: A request for one device gets it from a pool of which both slices are there
      Given the devices
        | device | slice |
        | d1     | s1    |
        | d2     | s2    |
      And pool "pool-1" says it has 2 slices
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets 1 device

    @DRA/pool/incomplete-exact-count
    Scenario: A request for one device gets it from a complete pool beside an incomplete one
      Given the devices
        | device | pool   |
        | d1     | pool-1 |
        | d9     | pool-2 |
      And pool "pool-1" says it has 2 slices
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | pool   |
        | d9     | pool-2 |
      But until Kubernetes 1.34, because these releases take devices of incomplete pools for a fixed number: claim "c" gets 1 device

    @DRA/pool/incomplete-exact-count
    Scenario: A request for two devices gets nothing when one of them is in an incomplete pool
      Given the devices
        | device | pool   |
        | d1     | pool-1 |
        | d9     | pool-2 |
      And pool "pool-1" says it has 2 slices
      And a claim "c" requesting 2 devices
      When allocation of claim "c" is attempted
      Then nothing fits
      But until Kubernetes 1.34, because these releases take devices of incomplete pools for a fixed number: claim "c" gets 2 devices

    @DRA/pool/incomplete-exact-count
    Scenario: A pool gives nothing while a slice is missing that may be one of another node
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | slice | node   |
        | d1     | s1    | node-1 |
        | d2     | s2    | node-2 |
      And pool "pool-1" says it has 3 slices
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "node-1" is attempted
      Then nothing fits because of PoolIncomplete
      But until Kubernetes 1.34, because these releases take devices of incomplete pools for a fixed number: claim "c" gets exactly
        | device |
        | d1     |

    @DRA/pool/incomplete-all-mode
    Scenario: A request for all devices gets nothing while a slice of the pool is missing
      Given the devices
        | device | slice |
        | d1     | s1    |
      And pool "pool-1" says it has 2 slices
      And a claim "c" requesting all devices
      When allocation of claim "c" is attempted
      Then nothing is allocated because of PoolIncomplete
      But since Kubernetes 1.34, because releases end in an error when all devices are asked for and a pool is incomplete: the allocation ends in an error because of PoolIncomplete

    @DRA/pool/incomplete-all-mode
    Scenario: A request for all devices gets those of a pool of which both slices are there
      Given the devices
        | device | slice |
        | d1     | s1    |
        | d2     | s2    |
      And pool "pool-1" says it has 2 slices
      And a claim "c" requesting all devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
        | d2     |

    @DRA/pool/incomplete-all-mode
    Scenario: A request for all devices gets nothing while one of two pools is incomplete
      Given the devices
        | device | pool   |
        | d1     | pool-1 |
        | d9     | pool-2 |
      And pool "pool-1" says it has 2 slices
      And a claim "c" requesting all devices
      When allocation of claim "c" is attempted
      Then nothing is allocated because of PoolIncomplete
      But since Kubernetes 1.34, because releases end in an error when all devices are asked for and a pool is incomplete: the allocation ends in an error because of PoolIncomplete

    @DRA/pool/incomplete-all-mode
    Scenario: A request for all devices is met while a pool of another node is incomplete
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | pool   | node   |
        | d1     | pool-1 | node-1 |
        | d9     | pool-2 | node-2 |
      And pool "pool-2" says it has 2 slices
      And a claim "c" requesting all devices
      When allocation of claim "c" on node "node-1" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |

    @DRA/pool/incomplete-all-mode
    Scenario: A request for all devices is met while a pool of another node with counters is incomplete
      Given a node "node-1"
      And a node "node-2"
      And the counter set
        | set   | pool   | node   | counter memory |
        | gpu-0 | pool-2 | node-2 | 8Gi            |
      And the devices
        | device | pool   | node   | counters gpu-0 |
        | d1     | pool-1 | node-1 |                |
        | d9     | pool-2 | node-2 | memory 8Gi     |
      And pool "pool-2" says it has 3 slices
      And a claim "c" requesting all devices
      When allocation of claim "c" on node "node-1" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
      But from Kubernetes 1.35 to 1.36, because a slice with counters concerns every node: the allocation ends in an error because of PoolIncomplete

    @DRA/pool/incomplete-all-mode @profile:since-1.34
    Scenario: A request for all devices of one driver fails on an incomplete pool of another in releases
      Given the devices
        | device | driver    | pool   |
        | gpu-0  | a.example | node-1 |
        | nic-0  | b.example | node-1 |
      And pool "node-1" of driver "b.example" says it has 2 slices
      And a device class "gpu" that selects
        """
        device.driver == "a.example"
        """
      And a claim "c" requesting all devices of class "gpu"
      When allocation of claim "c" is attempted
      Then the allocation ends in an error because of PoolIncomplete

    @DRA/pool/incomplete-exact-count @profile:since-1.35
    Scenario: A pool with more slices than it says gives nothing in releases
      Given the devices
        | device | slice |
        | d1     | s1    |
        | d2     | s2    |
      And pool "pool-1" says it has 1 slice
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits

  Rule: A device name occurs once in a pool

    @DRA/pool/duplicate-device-name
    Scenario: A pool in which a device name occurs twice gives nothing
      Given the fixture "duplicate-device"
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing is allocated because of PoolInvalid
      But since Kubernetes 1.34, because releases end in an error when a pool is invalid and nothing else fits: the allocation ends in an error because of PoolInvalid

    @DRA/pool/duplicate-device-name
    Scenario: A pool in which a device name occurs twice does not give its other devices either
      Given the fixture "duplicate-device"
      And a claim "c" with the requests
        | request | selector                                             |
        | r0      | device.attributes["dra.example.com"].mark == "other" |
      When allocation of claim "c" is attempted
      Then nothing is allocated because of PoolInvalid
      But since Kubernetes 1.34, because releases end in an error when a pool is invalid and nothing else fits: the allocation ends in an error because of PoolInvalid

    @DRA/pool/duplicate-device-name
    Scenario: A request for all devices gets nothing from a pool in which a device name occurs twice
      Given the fixture "duplicate-device"
      And a claim "c" requesting all devices
      When allocation of claim "c" is attempted
      Then nothing is allocated because of PoolInvalid
      But since Kubernetes 1.34, because releases end in an error when all devices are asked for and a pool is invalid: the allocation ends in an error because of PoolInvalid

    @DRA/pool/duplicate-device-name @profile:kep @profile:since-1.35
    Scenario: A device is allocated from a pool beside one in which a device name occurs twice
      Given the fixture "duplicate-device"
      And the devices
        | device | pool   |
        | d9     | pool-2 |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | pool   |
        | d9     | pool-2 |

    @DRA/pool/duplicate-device-name
    Scenario: Two devices of the same name are allocated from two pools
      Given the devices
        | device | pool   |
        | d1     | pool-1 |
        | d1     | pool-2 |
      And a claim "c" requesting 2 devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | pool   |
        | d1     | pool-1 |
        | d1     | pool-2 |

    @DRA/pool/duplicate-device-name
    Scenario: A device whose name occurs in two generations of its pool is allocated
      Given the devices
        | device | generation |
        | d1     | 1          |
        | d1     | 2          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |

    @DRA/pool/duplicate-device-name
    Scenario: A pool in which two nodes have a device of the same name gives nothing
      Given the fixture "duplicate-device-on-two-nodes"
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "node-1" is attempted
      Then nothing is allocated because of PoolInvalid
      But since Kubernetes 1.33, because releases compare the names of devices of the node only: claim "c" gets exactly
        | device |
        | d1     |
