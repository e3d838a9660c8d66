Feature: Pools
  A pool is what a driver manages as one thing. It spans one slice or several, and a change to it has to reach
  all of them.

  Rule: One slice or several

    @DRA/pool/one-slice
    Scenario: A pool of one slice
      Given the devices
        | device | slice |
        | d1     | s1    |
      And pool "pool-1" says it has 1 slice
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | pool   |
        | d1     | pool-1 |

    @DRA/pool/several-slices
    Scenario: Devices of several slices are combined in one request
      Given the devices
        | device | slice |
        | d1     | s1    |
        | d2     | s2    |
      And a claim "c" asking 2 devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
        | d2     |

    @DRA/pool/several-slices
    Scenario: Devices of several slices serve different requests
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
    Scenario: A pool has no more devices than its slices list
      Given the devices
        | device | slice |
        | d1     | s1    |
        | d2     | s2    |
      And a claim "c" asking 3 devices
      When allocation of claim "c" is attempted
      Then nothing fits because of InsufficientDevices

    @DRA/pool/several-slices
    Scenario: Uneven slices make one pool
      Given the devices
        | device | slice |
        | d1     | s1    |
        | d2     | s1    |
        | d3     | s1    |
        | d4     | s2    |
        | d5     | s3    |
      And a claim "c" asking all devices
      When allocation of claim "c" is attempted
      Then claim "c" gets 5 devices

    @DRA/pool/several-slices
    Scenario: A slice without devices is a slice of the pool all the same
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
      And a claim "c" asking all devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |

  Rule: Driver and name make a pool

    @DRA/pool/identity-by-driver-and-name
    Scenario: The same pool and device of another driver is another device
      Given the devices
        | device | driver    | pool   |
        | gpu-0  | a.example | node-1 |
        | gpu-0  | b.example | node-1 |
      And claim "other" already holds
        | device | driver    | pool   |
        | gpu-0  | a.example | node-1 |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | driver    | pool   |
        | gpu-0  | b.example | node-1 |

    @DRA/pool/identity-by-driver-and-name
    Scenario: A device is free only if it is free itself
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
    Scenario: A device of the same name in another pool of the driver is another device
      Given the devices
        | device | pool   |
        | gpu-0  | pool-1 |
        | gpu-0  | pool-2 |
      And claim "other" already holds
        | device | pool   |
        | gpu-0  | pool-1 |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | pool   |
        | gpu-0  | pool-2 |

    @DRA/pool/identity-by-driver-and-name
    Scenario: Pools of two drivers with one name are not added up
      Given the devices
        | device | driver    | pool   |
        | gpu-0  | a.example | node-1 |
        | gpu-0  | b.example | node-1 |
      And a claim "c" asking all devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | driver    |
        | gpu-0  | a.example |
        | gpu-0  | b.example |

    @DRA/pool/identity-by-driver-and-name
    Scenario: The generation of one driver's pool says nothing about that of another
      Given the devices
        | device | driver    | pool   | generation |
        | gpu-0  | a.example | node-1 | 7          |
        | gpu-1  | b.example | node-1 | 1          |
      And a claim "c" asking 2 devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | driver    |
        | gpu-0  | a.example |
        | gpu-1  | b.example |

    @DRA/pool/identity-by-driver-and-name
    Scenario: An incomplete pool of one driver leaves that of another alone
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
    Scenario: A device of the newest generation is taken
      Given the devices
        | device | generation |
        | d1     | 1          |
        | d2     | 2          |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | d2     |

    @DRA/pool/highest-generation-only
    Scenario: Generations are not put together
      Given the devices
        | device | generation |
        | d1     | 1          |
        | d2     | 2          |
      And a claim "c" asking 2 devices
      When allocation of claim "c" is attempted
      Then nothing fits because of InsufficientDevices

    @DRA/pool/highest-generation-only
    Scenario: All devices are those of the newest generation
      Given the devices
        | device | generation |
        | d1     | 1          |
        | d2     | 1          |
        | d2     | 2          |
        | d3     | 2          |
      And a claim "c" asking all devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | d2     |
        | d3     |

    @DRA/pool/highest-generation-only
    Scenario: What an older generation said of a device counts no more
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
    Scenario: What the newest generation says of a device counts
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
    Scenario: A device keeps its user across generations
      Given the devices
        | device | generation |
        | d1     | 1          |
        | d1     | 2          |
      And claim "other" already holds
        | device |
        | d1     |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of DeviceInUse

    @DRA/pool/highest-generation-only
    Scenario: A claim may hold a device that is no longer published
      Given the devices
        | device | generation |
        | d1     | 1          |
        | d2     | 2          |
      And claim "other" already holds
        | device |
        | d1     |
      And a claim "c" asking all devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | d2     |

    @DRA/pool/highest-generation-only
    Scenario: A newer generation that is not yet complete hides the older one
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
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then nothing fits
      But until Kubernetes 1.34, because these releases take devices of incomplete pools for a fixed number: claim "c" gets exactly
        | device |
        | d2     |

    @DRA/pool/highest-generation-only
    Scenario: Once complete the newer generation is used, whatever is left of the older one
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
      And a claim "c" asking all devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | d2     |
        | d3     |

  Rule: A pool is one thing for all nodes

    @DRA/pool/highest-generation-only
    Scenario: A change that reached another node's slice only makes the pool incomplete here
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | slice | node   | generation |
        | d1     | s1    | node-1 | 1          |
        | d2     | s2    | node-2 | 2          |
      And pool "pool-1" says it has 2 slices
      And a claim "c" asking 1 device
      When allocation of claim "c" on node "node-1" is attempted
      Then nothing fits
      But until Kubernetes 1.34, because these releases look at the slices of the node only and take devices of incomplete pools: claim "c" gets exactly
        | device |
        | d1     |

    @DRA/pool/highest-generation-only
    Scenario: A change that reached another node's slice only makes the pool incomplete there
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | slice | node   | generation |
        | d1     | s1    | node-1 | 1          |
        | d2     | s2    | node-2 | 2          |
      And pool "pool-1" says it has 2 slices
      And a claim "c" asking 1 device
      When allocation of claim "c" on node "node-2" is attempted
      Then nothing fits because of PoolIncomplete
      But until Kubernetes 1.34, because these releases take devices of incomplete pools for a fixed number: claim "c" gets exactly
        | device |
        | d2     |

    @DRA/pool/highest-generation-only
    Scenario: A pool that has moved to another node is gone from the first
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | slice | node   | generation |
        | d1     | s1    | node-1 | 1          |
        | d2     | s2    | node-2 | 2          |
      And a claim "c" asking 1 device
      When allocation of claim "c" on node "node-1" is attempted
      Then nothing fits
      But since Kubernetes 1.33, because slices that are complete among those of the node are used without a look at the others: claim "c" gets exactly
        | device |
        | d1     |

    @DRA/pool/highest-generation-only
    Scenario: A pool that has moved to another node is there
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | slice | node   | generation |
        | d1     | s1    | node-1 | 1          |
        | d2     | s2    | node-2 | 2          |
      And a claim "c" asking 1 device
      When allocation of claim "c" on node "node-2" is attempted
      Then claim "c" gets exactly
        | device |
        | d2     |

    @DRA/pool/highest-generation-only
    Scenario: All devices, after a pool has moved to another node
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | pool   | slice | node   | generation |
        | d1     | pool-1 | s1    | node-1 | 1          |
        | d2     | pool-1 | s2    | node-2 | 2          |
        | d9     | pool-2 | s9    | node-1 | 1          |
      And a claim "c" asking all devices
      When allocation of claim "c" on node "node-1" is attempted
      Then claim "c" gets exactly
        | device |
        | d9     |
      But since Kubernetes 1.33, because slices that are complete among those of the node are used without a look at the others: claim "c" gets exactly
        | device |
        | d1     |
        | d9     |

    @DRA/pool/highest-generation-only @profile:since-1.35
    Scenario: Releases take all devices without waiting for a pool of which the node has an old generation only
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
      And a claim "c" asking all devices
      When allocation of claim "c" on node "node-1" is attempted
      Then claim "c" gets exactly
        | device |
        | d9     |

    @DRA/pool/slices-for-different-nodes
    Scenario Outline: Each node has the devices of its own slice
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | slice | node   |
        | d1     | s1    | node-1 |
        | d2     | s2    | node-2 |
      And a claim "c" asking 1 device
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
    Scenario Outline: Devices of two nodes are not combined
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | slice | node   |
        | d1     | s1    | node-1 |
        | d2     | s2    | node-2 |
      And a claim "c" asking 2 devices
      When allocation of claim "c" on node "<node>" is attempted
      Then nothing fits

      Examples:
        | node   |
        | node-1 |
        | node-2 |

    @DRA/pool/slices-for-different-nodes
    Scenario Outline: All devices are those of the node
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | slice | node   |
        | d1     | s1    | node-1 |
        | d2     | s2    | node-2 |
      And a claim "c" asking all devices
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
    Scenario: A slice for all nodes adds to that of the node
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | slice | node   |
        | d1     | s1    | node-1 |
        | d2     | s2    | node-2 |
        | d3     | s3    | *      |
      And a claim "c" asking 2 devices
      When allocation of claim "c" on node "node-1" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
        | d3     |
      And claim "c" can be used on node "node-1" only

  Rule: An incomplete pool gives nothing

    @DRA/pool/incomplete-exact-count
    Scenario: A slice is missing
      Given the devices
        | device | slice |
        | d1     | s1    |
      And pool "pool-1" says it has 2 slices
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of PoolIncomplete
      But until Kubernetes 1.34, because these releases take devices of incomplete pools for a fixed number: claim "c" gets exactly
        | device |
        | d1     |

    @DRA/pool/incomplete-exact-count
    Scenario: The missing slice has appeared
      Given the devices
        | device | slice |
        | d1     | s1    |
        | d2     | s2    |
      And pool "pool-1" says it has 2 slices
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets 1 device

    @DRA/pool/incomplete-exact-count
    Scenario: Another pool serves the request
      Given the devices
        | device | pool   |
        | d1     | pool-1 |
        | d9     | pool-2 |
      And pool "pool-1" says it has 2 slices
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | pool   |
        | d9     | pool-2 |
      But until Kubernetes 1.34, because these releases take devices of incomplete pools for a fixed number: claim "c" gets 1 device

    @DRA/pool/incomplete-exact-count
    Scenario: The devices of an incomplete pool do not add to those of another
      Given the devices
        | device | pool   |
        | d1     | pool-1 |
        | d9     | pool-2 |
      And pool "pool-1" says it has 2 slices
      And a claim "c" asking 2 devices
      When allocation of claim "c" is attempted
      Then nothing fits
      But until Kubernetes 1.34, because these releases take devices of incomplete pools for a fixed number: claim "c" gets 2 devices

    @DRA/pool/incomplete-exact-count
    Scenario: The missing slice may be one of another node
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | slice | node   |
        | d1     | s1    | node-1 |
        | d2     | s2    | node-2 |
      And pool "pool-1" says it has 3 slices
      And a claim "c" asking 1 device
      When allocation of claim "c" on node "node-1" is attempted
      Then nothing fits because of PoolIncomplete
      But until Kubernetes 1.34, because these releases take devices of incomplete pools for a fixed number: claim "c" gets exactly
        | device |
        | d1     |

    @DRA/pool/incomplete-all-mode
    Scenario: All devices of a pool of which a slice is missing
      Given the devices
        | device | slice |
        | d1     | s1    |
      And pool "pool-1" says it has 2 slices
      And a claim "c" asking all devices
      When allocation of claim "c" is attempted
      Then nothing is allocated because of PoolIncomplete
      But since Kubernetes 1.34, because releases end in an error when all devices are asked for and a pool is incomplete: the allocation ends in an error because of PoolIncomplete

    @DRA/pool/incomplete-all-mode
    Scenario: All devices of a pool of which all slices are there
      Given the devices
        | device | slice |
        | d1     | s1    |
        | d2     | s2    |
      And pool "pool-1" says it has 2 slices
      And a claim "c" asking all devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
        | d2     |

    @DRA/pool/incomplete-all-mode
    Scenario: A complete pool beside an incomplete one does not make up all devices
      Given the devices
        | device | pool   |
        | d1     | pool-1 |
        | d9     | pool-2 |
      And pool "pool-1" says it has 2 slices
      And a claim "c" asking all devices
      When allocation of claim "c" is attempted
      Then nothing is allocated because of PoolIncomplete
      But since Kubernetes 1.34, because releases end in an error when all devices are asked for and a pool is incomplete: the allocation ends in an error because of PoolIncomplete

    @DRA/pool/incomplete-all-mode
    Scenario: An incomplete pool of another node is not waited for
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | pool   | node   |
        | d1     | pool-1 | node-1 |
        | d9     | pool-2 | node-2 |
      And pool "pool-2" says it has 2 slices
      And a claim "c" asking all devices
      When allocation of claim "c" on node "node-1" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |

    @DRA/pool/incomplete-all-mode
    Scenario: An incomplete pool of another node is not waited for, not even for its counters
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
      And a claim "c" asking all devices
      When allocation of claim "c" on node "node-1" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
      But from Kubernetes 1.35 to 1.36, because a slice with counters concerns every node: the allocation ends in an error because of PoolIncomplete

    @DRA/pool/incomplete-all-mode @profile:since-1.34
    Scenario: Releases wait for incomplete pools of drivers that the class does not select, too
      Given the devices
        | device | driver    | pool   |
        | gpu-0  | a.example | node-1 |
        | nic-0  | b.example | node-1 |
      And pool "node-1" of driver "b.example" says it has 2 slices
      And a device class "gpu" that selects
        """
        device.driver == "a.example"
        """
      And a claim "c" asking all devices of class "gpu"
      When allocation of claim "c" is attempted
      Then the allocation ends in an error because of PoolIncomplete

    @DRA/pool/incomplete-exact-count @profile:since-1.35
    Scenario: In releases more slices than the pool says make it incomplete as well
      Given the devices
        | device | slice |
        | d1     | s1    |
        | d2     | s2    |
      And pool "pool-1" says it has 1 slice
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then nothing fits

  Rule: A device name is there once in a pool

    @DRA/pool/duplicate-device-name
    Scenario: A name that is there twice makes the pool useless
      Given the fixture "duplicate-device"
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then nothing is allocated because of PoolInvalid
      But since Kubernetes 1.34, because releases end in an error when a pool is invalid and nothing else fits: the allocation ends in an error because of PoolInvalid

    @DRA/pool/duplicate-device-name
    Scenario: The other devices of such a pool are out of reach as well
      Given the fixture "duplicate-device"
      And a claim "c" with the requests
        | request | selector                                             |
        | r0      | device.attributes["dra.example.com"].mark == "other" |
      When allocation of claim "c" is attempted
      Then nothing is allocated because of PoolInvalid
      But since Kubernetes 1.34, because releases end in an error when a pool is invalid and nothing else fits: the allocation ends in an error because of PoolInvalid

    @DRA/pool/duplicate-device-name
    Scenario: All devices of such a pool are not to be had either
      Given the fixture "duplicate-device"
      And a claim "c" asking all devices
      When allocation of claim "c" is attempted
      Then nothing is allocated because of PoolInvalid
      But since Kubernetes 1.34, because releases end in an error when all devices are asked for and a pool is invalid: the allocation ends in an error because of PoolInvalid

    @DRA/pool/duplicate-device-name @profile:kep @profile:since-1.35
    Scenario: A valid pool beside it serves the request
      Given the fixture "duplicate-device"
      And the devices
        | device | pool   |
        | d9     | pool-2 |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | pool   |
        | d9     | pool-2 |

    @DRA/pool/duplicate-device-name
    Scenario: The same name in two pools is no duplicate
      Given the devices
        | device | pool   |
        | d1     | pool-1 |
        | d1     | pool-2 |
      And a claim "c" asking 2 devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | pool   |
        | d1     | pool-1 |
        | d1     | pool-2 |

    @DRA/pool/duplicate-device-name
    Scenario: The same name in two generations is no duplicate
      Given the devices
        | device | generation |
        | d1     | 1          |
        | d1     | 2          |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |

    @DRA/pool/duplicate-device-name
    Scenario: The same name on two nodes is a duplicate in the pool they share
      Given the fixture "duplicate-device-on-two-nodes"
      And a claim "c" asking 1 device
      When allocation of claim "c" on node "node-1" is attempted
      Then nothing is allocated because of PoolInvalid
      But since Kubernetes 1.33, because releases compare the names of devices of the node only: claim "c" gets exactly
        | device |
        | d1     |
