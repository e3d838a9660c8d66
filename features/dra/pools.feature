Feature: Pools of ResourceSlices
  A pool is a group of devices that its driver manages together. A pool consists of one or several
  ResourceSlices, and a change to the pool must reach all of them.

  Rule: ResourceSlices of a pool

    @case:one-slice
    @DRA/pool/one-slice
    Scenario: A device is allocated from a pool with one ResourceSlice
      Given the devices
        | device | slice |
        | d1     | s1    |
      And pool "pool-1" has the resourceSliceCount 1
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device | pool   |
        | d1     | pool-1 |

    @case:two-slices-one-request
    @DRA/pool/several-slices
    Scenario: One request is allocated devices of two ResourceSlices of a pool
      Given the devices
        | device | slice |
        | d1     | s1    |
        | d2     | s2    |
      And a ResourceClaim "c" requesting 2 devices
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d1     |
        | d2     |

    @case:two-slices-two-requests
    @DRA/pool/several-slices
    Scenario: Two requests are allocated devices of two ResourceSlices of a pool
      Given the devices
        | device | slice | attribute kind |
        | gpu-0  | s1    | string gpu     |
        | nic-0  | s2    | string nic     |
      And a ResourceClaim "c" with the requests
        | request | selector                                           |
        | nic     | device.attributes["dra.example.com"].kind == "nic" |
        | gpu     | device.attributes["dra.example.com"].kind == "gpu" |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | nic     | nic-0  |
        | gpu     | gpu-0  |

    @case:too-few-in-all-slices
    @DRA/pool/several-slices
    Scenario: A request fails if all ResourceSlices of a pool together have too few devices
      Given the devices
        | device | slice |
        | d1     | s1    |
        | d2     | s2    |
      And a ResourceClaim "c" requesting 3 devices
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of InsufficientDevices

    @case:all-slices-all-mode
    @DRA/pool/several-slices
    Scenario: A request with allocationMode: All gets the devices of all ResourceSlices of a pool
      Given the devices
        | device | slice |
        | d1     | s1    |
        | d2     | s1    |
        | d3     | s1    |
        | d4     | s2    |
        | d5     | s3    |
      And a ResourceClaim "c" requesting all devices
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated 5 devices

    @case:empty-slice-counts
    @DRA/pool/several-slices
    Scenario: A ResourceSlice without devices counts for the resourceSliceCount of its pool
      Given the devices
        | device | slice |
        | d1     | s1    |
      And pool "pool-1" has the resourceSliceCount 2
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
      And a ResourceClaim "c" requesting all devices
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d1     |

  Rule: Pools and devices with the same name

    @case:same-names-other-driver-in-use
    @DRA/pool/identity-by-driver-and-name
    Scenario: A device is available while another driver's device of the same name is in use
      Given the devices
        | device | driver    | pool   |
        | gpu-0  | a.example | node-1 |
        | gpu-0  | b.example | node-1 |
      And ResourceClaim "other" is already allocated
        | device | driver    | pool   |
        | gpu-0  | a.example | node-1 |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device | driver    | pool   |
        | gpu-0  | b.example | node-1 |

    @case:same-names-other-driver-free
    @DRA/pool/identity-by-driver-and-name
    Scenario: A device in use is not available although another driver's device of the same name is free
      Given the devices
        | device | driver    | pool   |
        | gpu-0  | a.example | node-1 |
        | gpu-0  | b.example | node-1 |
      And ResourceClaim "other" is already allocated
        | device | driver    | pool   |
        | gpu-0  | b.example | node-1 |
      And a ResourceClaim "c" with the requests
        | request | selector                     |
        | r0      | device.driver == "b.example" |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

    @case:same-name-other-pool-in-use
    @DRA/pool/identity-by-driver-and-name
    Scenario: A device is available while a device of the same name in another pool is in use
      Given the devices
        | device | pool   |
        | gpu-0  | pool-1 |
        | gpu-0  | pool-2 |
      And ResourceClaim "other" is already allocated
        | device | pool   |
        | gpu-0  | pool-1 |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device | pool   |
        | gpu-0  | pool-2 |

    @case:same-names-all-mode
    @DRA/pool/identity-by-driver-and-name
    Scenario: A request with allocationMode: All includes two drivers' pools of the same name
      Given the devices
        | device | driver    | pool   |
        | gpu-0  | a.example | node-1 |
        | gpu-0  | b.example | node-1 |
      And a ResourceClaim "c" requesting all devices
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device | driver    |
        | gpu-0  | a.example |
        | gpu-0  | b.example |

    @case:same-names-different-generations
    @DRA/pool/identity-by-driver-and-name
    Scenario: Pools of the same name of two drivers have independent generations
      Given the devices
        | device | driver    | pool   | generation |
        | gpu-0  | a.example | node-1 | 7          |
        | gpu-1  | b.example | node-1 | 1          |
      And a ResourceClaim "c" requesting 2 devices
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device | driver    |
        | gpu-0  | a.example |
        | gpu-1  | b.example |

    @case:same-names-other-incomplete
    @DRA/pool/identity-by-driver-and-name
    Scenario: A device is allocated while a pool of the same name of another driver is incomplete
      Given the devices
        | device | driver    | pool   |
        | gpu-0  | a.example | node-1 |
        | gpu-1  | b.example | node-1 |
      And pool "node-1" of driver "a.example" has the resourceSliceCount 2
      And a ResourceClaim "c" with the requests
        | request | selector                     |
        | r0      | device.driver == "b.example" |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device | driver    |
        | gpu-1  | b.example |

  Rule: Generation of a pool

    @case:newest-generation-allocated
    @DRA/pool/highest-generation-only
    Scenario: A device of the newest pool generation is allocated
      Given the devices
        | device | generation |
        | d1     | 1          |
        | d2     | 2          |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d2     |

    @case:two-generations-not-combined
    @DRA/pool/highest-generation-only
    Scenario: Devices of two pool generations are not combined in one request
      Given the devices
        | device | generation |
        | d1     | 1          |
        | d2     | 2          |
      And a ResourceClaim "c" requesting 2 devices
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of InsufficientDevices

    @case:newest-generation-all-mode
    @DRA/pool/highest-generation-only
    Scenario: A request with allocationMode: All gets only devices of the newest pool generation
      Given the devices
        | device | generation |
        | d1     | 1          |
        | d2     | 1          |
        | d2     | 2          |
        | d3     | 2          |
      And a ResourceClaim "c" requesting all devices
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d2     |
        | d3     |

    @case:attribute-of-older-generation
    @DRA/pool/highest-generation-only
    Scenario: A device is not selected by an attribute value of an older pool generation
      Given the devices
        | device | generation | attribute color |
        | d1     | 1          | string black    |
        | d1     | 2          | string white    |
      And a ResourceClaim "c" with the requests
        | request | selector                                              |
        | r0      | device.attributes["dra.example.com"].color == "black" |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of SelectorNotMatched

    @case:attribute-of-newest-generation
    @DRA/pool/highest-generation-only
    Scenario: A device is selected by its attribute value of the newest pool generation
      Given the devices
        | device | generation | attribute color |
        | d1     | 1          | string black    |
        | d1     | 2          | string white    |
      And a ResourceClaim "c" with the requests
        | request | selector                                              |
        | r0      | device.attributes["dra.example.com"].color == "white" |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d1     |

    @case:in-use-across-generations
    @DRA/pool/highest-generation-only
    Scenario: An allocated device stays in use in the next pool generation
      Given the devices
        | device | generation |
        | d1     | 1          |
        | d1     | 2          |
      And ResourceClaim "other" is already allocated
        | device |
        | d1     |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of DeviceInUse

    @case:newest-generation-incomplete
    @DRA/pool/highest-generation-only
    Scenario: No device is allocated while the newest pool generation is incomplete
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
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible
      But until Kubernetes 1.34, because these releases allocate devices of incomplete pools to requests with ExactCount: ResourceClaim "c" is allocated exactly
        | device |
        | d2     |

    @case:newest-complete-with-older
    @DRA/pool/highest-generation-only
    Scenario: A request with allocationMode: All ignores an older generation if a newer one is complete
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
      And a ResourceClaim "c" requesting all devices
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d2     |
        | d3     |

  Rule: Pools across nodes

    @case:change-not-at-node-yet
    @DRA/pool/highest-generation-only
    Scenario: A pool is not used on a node whose ResourceSlice is older than that of another node
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | slice | node   | generation |
        | d1     | s1    | node-1 | 1          |
        | d2     | s2    | node-2 | 2          |
      And pool "pool-1" has the resourceSliceCount 2
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "node-1" is attempted
      Then no allocation is possible
      But until Kubernetes 1.34, because these releases read only the ResourceSlices of the node and allocate devices of incomplete pools: ResourceClaim "c" is allocated exactly
        | device |
        | d1     |

    @case:change-only-at-node
    @DRA/pool/highest-generation-only
    Scenario: A pool is not used on a node whose ResourceSlice is newer than that of another node
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | slice | node   | generation |
        | d1     | s1    | node-1 | 1          |
        | d2     | s2    | node-2 | 2          |
      And pool "pool-1" has the resourceSliceCount 2
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "node-2" is attempted
      Then no allocation is possible because of PoolIncomplete
      But until Kubernetes 1.34, because these releases allocate devices of incomplete pools to requests with ExactCount: ResourceClaim "c" is allocated exactly
        | device |
        | d2     |

    @case:moved-pool-old-node
    @DRA/pool/highest-generation-only
    Scenario: A pool that has moved to another node is not used on its former node
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | slice | node   | generation |
        | d1     | s1    | node-1 | 1          |
        | d2     | s2    | node-2 | 2          |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "node-1" is attempted
      Then no allocation is possible
      But since Kubernetes 1.33, because releases use a pool if the ResourceSlices of the node are complete among themselves: ResourceClaim "c" is allocated exactly
        | device |
        | d1     |

    @case:moved-pool-new-node
    @DRA/pool/highest-generation-only
    Scenario: A pool that has moved to another node is used on its new node
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | slice | node   | generation |
        | d1     | s1    | node-1 | 1          |
        | d2     | s2    | node-2 | 2          |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "node-2" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d2     |

    @case:moved-pool-all-mode
    @DRA/pool/highest-generation-only
    Scenario: A request with allocationMode: All excludes a pool that has moved to another node
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | pool   | slice | node   | generation |
        | d1     | pool-1 | s1    | node-1 | 1          |
        | d2     | pool-1 | s2    | node-2 | 2          |
        | d9     | pool-2 | s9    | node-1 | 1          |
      And a ResourceClaim "c" requesting all devices
      When allocation of ResourceClaim "c" on node "node-1" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d9     |
      But since Kubernetes 1.33, because releases use a pool if the ResourceSlices of the node are complete among themselves: ResourceClaim "c" is allocated exactly
        | device |
        | d1     |
        | d9     |

    @case:old-generation-alone-all-mode
    @DRA/pool/highest-generation-only @profile:since-1.35
    Scenario: Since 1.35, allocationMode: All skips a pool with only an older generation on the node
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
      And a ResourceClaim "c" requesting all devices
      When allocation of ResourceClaim "c" on node "node-1" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d9     |

    @case:slice-per-node
    @DRA/pool/slices-for-different-nodes
    Scenario Outline: A device is allocated from the ResourceSlice of the chosen node
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | slice | node   |
        | d1     | s1    | node-1 |
        | d2     | s2    | node-2 |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "<node>" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device   |
        | <device> |
      And ResourceClaim "c" is available only on node "<node>"

      Examples:
        | node   | device |
        | node-1 | d1     |
        | node-2 | d2     |

    @case:slice-per-node-two-devices
    @DRA/pool/slices-for-different-nodes
    Scenario Outline: A request for two devices fails if the pool has only one device on each node
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | slice | node   |
        | d1     | s1    | node-1 |
        | d2     | s2    | node-2 |
      And a ResourceClaim "c" requesting 2 devices
      When allocation of ResourceClaim "c" on node "<node>" is attempted
      Then no allocation is possible

      Examples:
        | node   |
        | node-1 |
        | node-2 |

    @case:slice-per-node-all-mode
    @DRA/pool/slices-for-different-nodes
    Scenario Outline: A request with allocationMode: All gets only devices of the pool that the node can access
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | slice | node   |
        | d1     | s1    | node-1 |
        | d2     | s2    | node-2 |
      And a ResourceClaim "c" requesting all devices
      When allocation of ResourceClaim "c" on node "<node>" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device   |
        | <device> |
      But until Kubernetes 1.34, because these releases count only the ResourceSlices of the node, so the pool is incomplete: allocation fails with an error because of PoolIncomplete

      Examples:
        | node   | device |
        | node-1 | d1     |
        | node-2 | d2     |

    @case:node-slice-and-all-nodes-slice
    @DRA/pool/slices-for-different-nodes
    Scenario: One request is allocated devices from a pool's ResourceSlices with nodeName and allNodes
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | slice | node   |
        | d1     | s1    | node-1 |
        | d2     | s2    | node-2 |
        | d3     | s3    | *      |
      And a ResourceClaim "c" requesting 2 devices
      When allocation of ResourceClaim "c" on node "node-1" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d1     |
        | d3     |
      And ResourceClaim "c" is available only on node "node-1"

  Rule: Incomplete pools

    @case:incomplete-one-device
    @DRA/pool/incomplete-exact-count
    Scenario: A request for one device is not allocated from a pool with a missing ResourceSlice
      Given the devices
        | device | slice |
        | d1     | s1    |
      And pool "pool-1" has the resourceSliceCount 2
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of PoolIncomplete
      But until Kubernetes 1.34, because these releases allocate devices of incomplete pools to requests with ExactCount: ResourceClaim "c" is allocated exactly
        | device |
        | d1     |

    @case:complete-one-device
    @DRA/pool/incomplete-exact-count
    Scenario: A request for one device is allocated from a pool with all of its ResourceSlices
      Given the devices
        | device | slice |
        | d1     | s1    |
        | d2     | s2    |
      And pool "pool-1" has the resourceSliceCount 2
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated 1 device

    @case:complete-and-incomplete-pool
    @DRA/pool/incomplete-exact-count
    Scenario: A request for one device is allocated from the complete pool, not from an incomplete one
      Given the devices
        | device | pool   |
        | d1     | pool-1 |
        | d9     | pool-2 |
      And pool "pool-1" has the resourceSliceCount 2
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device | pool   |
        | d9     | pool-2 |
      But until Kubernetes 1.34, because these releases allocate devices of incomplete pools to requests with ExactCount: ResourceClaim "c" is allocated 1 device

    @case:two-devices-one-incomplete
    @DRA/pool/incomplete-exact-count
    Scenario: A request for two devices fails if one of them is in an incomplete pool
      Given the devices
        | device | pool   |
        | d1     | pool-1 |
        | d9     | pool-2 |
      And pool "pool-1" has the resourceSliceCount 2
      And a ResourceClaim "c" requesting 2 devices
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible
      But until Kubernetes 1.34, because these releases allocate devices of incomplete pools to requests with ExactCount: ResourceClaim "c" is allocated 2 devices

    @case:missing-slice-of-unknown-node
    @DRA/pool/incomplete-exact-count
    Scenario: A pool is not used while a missing ResourceSlice could belong to another node
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | slice | node   |
        | d1     | s1    | node-1 |
        | d2     | s2    | node-2 |
      And pool "pool-1" has the resourceSliceCount 3
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "node-1" is attempted
      Then no allocation is possible because of PoolIncomplete
      But until Kubernetes 1.34, because these releases allocate devices of incomplete pools to requests with ExactCount: ResourceClaim "c" is allocated exactly
        | device |
        | d1     |

    @case:incomplete-all-mode
    @DRA/pool/incomplete-all-mode
    Scenario: A request with allocationMode: All fails while a ResourceSlice of the pool is missing
      Given the devices
        | device | slice |
        | d1     | s1    |
      And pool "pool-1" has the resourceSliceCount 2
      And a ResourceClaim "c" requesting all devices
      When allocation of ResourceClaim "c" is attempted
      Then nothing is allocated because of PoolIncomplete
      But since Kubernetes 1.34, because releases report an error for allocationMode All if a pool is incomplete: allocation fails with an error because of PoolIncomplete

    @case:complete-all-mode
    @DRA/pool/incomplete-all-mode
    Scenario: A request with allocationMode: All is allocated from a pool with all its ResourceSlices
      Given the devices
        | device | slice |
        | d1     | s1    |
        | d2     | s2    |
      And pool "pool-1" has the resourceSliceCount 2
      And a ResourceClaim "c" requesting all devices
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d1     |
        | d2     |

    @case:two-pools-one-incomplete
    @DRA/pool/incomplete-all-mode
    Scenario: A request with allocationMode: All is not allocated while one of two pools is incomplete
      Given the devices
        | device | pool   |
        | d1     | pool-1 |
        | d9     | pool-2 |
      And pool "pool-1" has the resourceSliceCount 2
      And a ResourceClaim "c" requesting all devices
      When allocation of ResourceClaim "c" is attempted
      Then nothing is allocated because of PoolIncomplete
      But since Kubernetes 1.34, because releases report an error for allocationMode All if a pool is incomplete: allocation fails with an error because of PoolIncomplete

    @case:other-node-incomplete
    @DRA/pool/incomplete-all-mode
    Scenario: A request with allocationMode: All is allocated while a pool of another node is incomplete
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | pool   | node   |
        | d1     | pool-1 | node-1 |
        | d9     | pool-2 | node-2 |
      And pool "pool-2" has the resourceSliceCount 2
      And a ResourceClaim "c" requesting all devices
      When allocation of ResourceClaim "c" on node "node-1" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d1     |

    @case:other-node-incomplete-counters
    @DRA/pool/incomplete-all-mode
    Scenario: An incomplete pool with counters on another node does not block allocationMode: All
      Given a node "node-1"
      And a node "node-2"
      And the counter set
        | counterSet | pool   | node   | counter memory |
        | gpu-0      | pool-2 | node-2 | 8Gi            |
      And the devices
        | device | pool   | node   | consumesCounters gpu-0 |
        | d1     | pool-1 | node-1 |                        |
        | d9     | pool-2 | node-2 | memory 8Gi             |
      And pool "pool-2" has the resourceSliceCount 3
      And a ResourceClaim "c" requesting all devices
      When allocation of ResourceClaim "c" on node "node-1" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d1     |
      But from Kubernetes 1.35 to 1.36, because releases read a ResourceSlice with counter sets on every node: allocation fails with an error because of PoolIncomplete

    @case:other-driver-incomplete
    @DRA/pool/incomplete-all-mode @profile:since-1.34
    Scenario: Since 1.34, allocationMode: All fails if a pool of another driver is incomplete
      Given the devices
        | device | driver    | pool   |
        | gpu-0  | a.example | node-1 |
        | nic-0  | b.example | node-1 |
      And pool "node-1" of driver "b.example" has the resourceSliceCount 2
      And a DeviceClass "gpu" with the selector
        """
        device.driver == "a.example"
        """
      And a ResourceClaim "c" requesting all devices of class "gpu"
      When allocation of ResourceClaim "c" is attempted
      Then allocation fails with an error because of PoolIncomplete

    @case:more-slices-than-count
    @DRA/pool/incomplete-exact-count @profile:since-1.35
    Scenario: Since 1.35, a pool with more ResourceSlices than resourceSliceCount is not used
      Given the devices
        | device | slice |
        | d1     | s1    |
        | d2     | s2    |
      And pool "pool-1" has the resourceSliceCount 1
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

  Rule: Duplicate device names in a pool

    @case:duplicate-name
    @DRA/pool/duplicate-device-name
    Scenario: A device whose name occurs twice in its pool is not allocated
      Given the fixture "duplicate-device"
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then nothing is allocated because of PoolInvalid
      But since Kubernetes 1.34, because releases report an error if a pool is invalid and no other device fits: allocation fails with an error because of PoolInvalid

    @case:duplicate-name-other-device
    @DRA/pool/duplicate-device-name
    Scenario: A device with a unique name is not allocated from a pool with a duplicate device name
      Given the fixture "duplicate-device"
      And a ResourceClaim "c" with the requests
        | request | selector                                             |
        | r0      | device.attributes["dra.example.com"].mark == "other" |
      When allocation of ResourceClaim "c" is attempted
      Then nothing is allocated because of PoolInvalid
      But since Kubernetes 1.34, because releases report an error if a pool is invalid and no other device fits: allocation fails with an error because of PoolInvalid

    @case:duplicate-name-all-mode
    @DRA/pool/duplicate-device-name
    Scenario: A request with allocationMode: All fails if the pool has a duplicate device name
      Given the fixture "duplicate-device"
      And a ResourceClaim "c" requesting all devices
      When allocation of ResourceClaim "c" is attempted
      Then nothing is allocated because of PoolInvalid
      But since Kubernetes 1.34, because releases report an error for allocationMode All if a pool is invalid: allocation fails with an error because of PoolInvalid

    @case:duplicate-name-other-pool
    @DRA/pool/duplicate-device-name @profile:kep @profile:since-1.35
    Scenario: A device is allocated while another pool has a duplicate device name
      Given the fixture "duplicate-device"
      And the devices
        | device | pool   |
        | d9     | pool-2 |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device | pool   |
        | d9     | pool-2 |

    @case:same-name-in-two-pools
    @DRA/pool/duplicate-device-name
    Scenario: Two devices of the same name in two pools are allocated together
      Given the devices
        | device | pool   |
        | d1     | pool-1 |
        | d1     | pool-2 |
      And a ResourceClaim "c" requesting 2 devices
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device | pool   |
        | d1     | pool-1 |
        | d1     | pool-2 |

    @case:same-name-in-two-generations
    @DRA/pool/duplicate-device-name
    Scenario: A device whose name occurs in two pool generations is allocated
      Given the devices
        | device | generation |
        | d1     | 1          |
        | d1     | 2          |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d1     |

    @case:duplicate-name-on-two-nodes
    @DRA/pool/duplicate-device-name
    Scenario: A pool in which two nodes have a device of the same name is not used
      Given the fixture "duplicate-device-on-two-nodes"
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "node-1" is attempted
      Then nothing is allocated because of PoolInvalid
      But since Kubernetes 1.33, because releases compare only the device names of the node: ResourceClaim "c" is allocated exactly
        | device |
        | d1     |
