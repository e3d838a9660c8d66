Feature: Device plugin nodes and DRA nodes
  A node provides an extended resource through a device plugin, which lists the resource in node allocatable, or
  through DRA, never both. If a device plugin provides the resource, only the quantity in node allocatable counts.

  Background:
    Given a DeviceClass "gpu" for extended resource "example.com/gpu"

  @case:dra-resource-not-listed
  @KEP-5004/node-backing/dra-resource-not-in-node-capacity @KEP-5004/scheduling-phase/noderesources-delegates
  Scenario: A node provides a DRA-backed extended resource that its allocatable does not list
    Given a node "dra" with allocatable 4 of "cpu"
    And the device
      | device | node |
      | gpu-0  | dra  |
    And a pod "p" that requests 1 of "example.com/gpu"
    When the cluster reaches a steady state
    Then pod "p" is Running on node "dra"
    And node "dra" has
      | field                               | value |
      | status.allocatable[example.com/gpu] |       |
      | status.capacity[example.com/gpu]    |       |

  @case:plugin-node-up-to-allocatable
  @KEP-5004/node-backing/device-plugin-node-uses-capacity @KEP-5004/special-claim/not-created-on-device-plugin-node
  @KEP-5004/pod-status/absent-on-device-plugin-node
  Scenario: A device plugin node runs pods up to its allocatable quantity, without ResourceClaims
    Given a node "plugin" with allocatable 2 of "example.com/gpu"
    When a pod "p" that requests 1 of "example.com/gpu" is created
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    And a pod "r" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running on node "plugin"
    And pod "p" has no extended-resource claim
    And pod "q" is Running on node "plugin"
    And pod "q" has no extended-resource claim
    And pod "r" is Pending
    And pod "r" has no extended-resource claim

  @case:plugin-node-init-container
  @KEP-5004/node-backing/device-plugin-node-uses-capacity @KEP-5004/special-claim/not-created-on-device-plugin-node
  Scenario: On a device plugin node a pod uses the larger request of its init and app containers
    Given a node "plugin" with allocatable 3 of "example.com/gpu"
    When a pod "p" with the containers is created
      | container | kind | limit example.com/gpu |
      | first     | init | 2                     |
      | main      | app  | 1                     |
    And the cluster reaches a steady state
    Then pod "p" is Running on node "plugin"
    And pod "p" has no extended-resource claim
    When a pod "q" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "q" is Running on node "plugin"
    When a pod "r" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "r" is Pending

  @case:plugin-before-dra
  @KEP-5004/node-backing/one-backing-per-node
  Scenario: A device plugin provides the extended resource on a node that also has DRA devices
    Given a node "both" with allocatable 2 of "example.com/gpu"
    And the devices
      | device | node |
      | gpu-0  | both |
      | gpu-1  | both |
      | gpu-2  | both |
    And a pod "p" that requests 1 of "example.com/gpu"
    When the cluster reaches a steady state
    Then pod "p" is Running on node "both"
    And pod "p" has no extended-resource claim

  @case:plugin-exceeded-despite-dra
  @KEP-5004/node-backing/one-backing-per-node @KEP-5004/diagnostics/incomplete-driver-replacement
  Scenario Outline: A pod that requests more than the device plugin has stays Pending despite DRA devices
    Given a node "both" with allocatable 2 of "example.com/gpu"
    And the devices
      | device | node |
      | gpu-0  | both |
      | gpu-1  | both |
      | gpu-2  | both |
    And a pod "p" that requests <amount> of "example.com/gpu"
    When the cluster reaches a steady state
    Then pod "p" is Pending
    And pod "p" has no extended-resource claim

    Examples:
      | amount |
      | 3      |
      | 5      |

  @case:zero-allocatable-uses-dra
  @KEP-5004/node-backing/zero-capacity-counts-as-no-device-plugin @profile:kep @profile:since-1.35
  Scenario: A node that lists an extended resource with quantity zero provides it through DRA
    Given a node "moved" with allocatable 0 of "example.com/gpu"
    And the device
      | device | node  |
      | gpu-0  | moved |
    And a pod "p" that requests 1 of "example.com/gpu"
    When the cluster reaches a steady state
    Then pod "p" is Running on node "moved"
    And ResourceClaim "extended resources of pod p" is allocated 1 device

  @case:zero-allocatable-init-container
  @KEP-5004/node-backing/zero-capacity-counts-as-no-device-plugin @profile:kep @profile:since-1.35
  Scenario: An init container gets a DRA device on a node that lists quantity zero of the resource
    Given a node "moved" with allocatable 0 of "example.com/gpu"
    And the device
      | device | node  |
      | gpu-0  | moved |
    And a pod "p" with the containers
      | container | kind | limit example.com/gpu |
      | first     | init | 1                     |
      | main      | app  |                       |
    When the cluster reaches a steady state
    Then pod "p" is Running on node "moved"
    And ResourceClaim "extended resources of pod p" is allocated 1 device

  @case:capacity-without-allocatable-uses-dra
  @KEP-5004/node-backing/zero-capacity-counts-as-no-device-plugin @profile:kep @profile:since-1.35
  Scenario: A node with capacity but zero allocatable of an extended resource provides it through DRA
    Given the object
      """
      apiVersion: v1
      kind: Node
      metadata: {name: ill}
      status: {capacity: {example.com/gpu: 1}, allocatable: {example.com/gpu: 0}}
      """
    And the device
      | device | node | pool |
      | gpu-0  | ill  | ill  |
    And a pod "p" that requests 1 of "example.com/gpu"
    When the cluster reaches a steady state
    Then pod "p" is Running on node "ill"
    And ResourceClaim "extended resources of pod p" is allocated 1 device

  @case:zero-allocatable-no-devices
  @KEP-5004/node-backing/zero-capacity-counts-as-no-device-plugin
  Scenario: A pod stays Pending if the node lists quantity zero of the resource and has no DRA devices
    Given a node "moved" with allocatable 0 of "example.com/gpu"
    And a pod "p" that requests 1 of "example.com/gpu"
    When the cluster reaches a steady state
    Then pod "p" is Pending

  @case:zero-quantity-runs-anywhere
  @KEP-5004/limits/zero-quantity
  Scenario: A pod that requests zero of an extended resource runs on a node without the resource
    Given a node "empty" with allocatable 4 of "cpu"
    And a pod "p" that requests 0 of "example.com/none" and 1 of "cpu"
    When the cluster reaches a steady state
    Then pod "p" is Running on node "empty"

  @case:no-class-or-no-devices
  @KEP-5004/node-backing/neither-backing-does-not-fit
  Scenario Outline: A pod stays Pending if its extended resource has no DeviceClass or no devices
    Given a node "empty" with allocatable 4 of "cpu"
    And a pod "p" that requests 1 of "<resource>"
    When the cluster reaches a steady state
    Then pod "p" is Pending
    And pod "p" has no extended-resource claim

    @KEP-5004/scheduling-phase/noderesources-delegates
    Examples:
      | resource          | what           |
      | example.com/other | a class for it |

    @KEP-5004/diagnostics/cdi-runtime-required
    Examples:
      | resource        | what    |
      | example.com/gpu | devices |

  @case:both-kinds-until-full
  @KEP-5004/mixed-nodes/either-node-can-serve
  Scenario: Pods run on DRA nodes and device plugin nodes until both are full
    Given a node "dra"
    And a node "plugin" with allocatable 1 of "example.com/gpu"
    And a node "none" with allocatable 4 of "cpu"
    And the devices
      | device | node |
      | gpu-0  | dra  |
      | gpu-1  | dra  |
    When a pod "p" that requests 2 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running on node "dra"
    And ResourceClaim "extended resources of pod p" is allocated 2 devices
    When a pod "q" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "q" is Running on node "plugin"
    And pod "q" has no extended-resource claim
    When a pod "r" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "r" is Pending

  @case:cordoned-node-of-other-kind
  @KEP-5004/mixed-nodes/either-node-can-serve
  Scenario Outline: A pod runs on the DRA node or the device plugin node, whichever is not cordoned
    Given a node "dra"
    And a node "plugin" with allocatable 1 of "example.com/gpu"
    And the device
      | device | node |
      | gpu-0  | dra  |
    When node "<closed>" is updated with
      | field              | value |
      | spec.unschedulable | true  |
    And a pod "p" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running on node "<open>"

    Examples:
      | closed | open   |
      | dra    | plugin |
      | plugin | dra    |

  @case:node-with-enough-free-devices
  @KEP-5004/mixed-nodes/size-decides-the-node
  Scenario Outline: A pod runs on the DRA node or the device plugin node, whichever has enough free devices
    Given a node "dra"
    And a node "plugin" with allocatable <plugin> of "example.com/gpu"
    And a ResourceClaim "other" requesting <held> devices of class "gpu"
    And the devices
      | device | node |
      | gpu-0  | dra  |
      | gpu-1  | dra  |
      | gpu-2  | dra  |
      | gpu-3  | dra  |
    And a pod "first" that uses ResourceClaim "other"
    When the cluster reaches a steady state
    And a pod "p" that requests 3 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running on node "<node>"

    Examples:
      | devices | held | plugin | node   |
      | 3       | 1    | 2      | dra    |
      | 2       | 2    | 4      | plugin |

  @case:enough-only-on-two-nodes
  @KEP-5004/mixed-nodes/size-decides-the-node
  Scenario: A pod stays Pending if no single node has enough devices
    Given a node "dra"
    And a node "plugin" with allocatable 2 of "example.com/gpu"
    And the devices
      | device | node |
      | gpu-0  | dra  |
      | gpu-1  | dra  |
    And a pod "p" that requests 3 of "example.com/gpu"
    When the cluster reaches a steady state
    Then pod "p" is Pending

  @case:claim-requests-only-dra-part
  @KEP-5004/mixed-nodes/backing-differs-per-resource @KEP-5004/scheduling-phase/template-empty-until-filter
  @KEP-5004/scheduling-phase/filter-fills-requests-only-for-dra-nodes
  Scenario Outline: An extended-resource claim requests only what the device plugin does not provide
    Given a DeviceClass "foo" for extended resource "foo.domain/bar"
    And a node "a-full"
    And a node "b-chosen" with allocatable <has>
    And the devices
      | device | node     | pool     |
      | dev-0  | b-chosen | b-chosen |
      | dev-1  | b-chosen | b-chosen |
    And the device
      | device | node   | pool   |
      | dev-0  | a-full | a-full |
    And a pod "p" that requests 1 of "example.com/gpu" and 1 of "foo.domain/bar"
    When the cluster reaches a steady state
    Then pod "p" is Running on node "b-chosen"
    And ResourceClaim "extended resources of pod p" is allocated <count> device
    And pod "p" has the requestMappings
      | containerName | resourceName |
      | main          | <resource>   |
    But in Kubernetes 1.34, because the scheduler of this release also requests devices for resources that the node provides: ResourceClaim "extended resources of pod p" is allocated 2 devices
    And in Kubernetes 1.34, because the scheduler of this release also requests devices for resources that the node provides: pod "p" has the requestMappings
      | containerName | resourceName    |
      | main          | example.com/gpu |
      | main          | foo.domain/bar  |

    Examples:
      | has                    | count | resource        |
      | 1 of "example.com/gpu" | 1     | foo.domain/bar  |
      | 1 of "foo.domain/bar"  | 1     | example.com/gpu |

  @case:plugin-and-dra-part-must-fit
  @KEP-5004/mixed-nodes/backing-differs-per-resource @KEP-5004/scheduling-phase/noderesources-delegates
  Scenario Outline: A pod runs only if its device plugin resource and its DRA-backed resource both fit
    Given a DeviceClass "foo" for extended resource "foo.domain/bar"
    And a node "n" with allocatable 2 of "example.com/gpu"
    And the devices
      | device | node | pool |
      | dev-0  | n    | n    |
      | dev-1  | n    | n    |
    And a pod "p" that requests <gpus> of "example.com/gpu" and <bars> of "foo.domain/bar"
    When the cluster reaches a steady state
    Then pod "p" is <phase>
    But in Kubernetes 1.34, because the scheduler of this release also requests devices for resources that the node provides: pod "p" is Pending

    Examples:
      | gpus | bars | phase   |
      | 2    | 2    | Running |
      | 3    | 1    | Pending |
      | 1    | 3    | Pending |

  @case:plugin-provides-all-no-claim
  @KEP-5004/mixed-nodes/backing-differs-per-resource
  Scenario: A pod gets no extended-resource claim if device plugins of its node provide all resources
    Given a DeviceClass "foo" for extended resource "foo.domain/bar"
    And a node "plugin" with allocatable 1 of "example.com/gpu" and 1 of "foo.domain/bar"
    And a pod "p" that requests 1 of "example.com/gpu" and 1 of "foo.domain/bar"
    When the cluster reaches a steady state
    Then pod "p" is Running
    And pod "p" has no extended-resource claim

  @case:node-moves-to-dra
  @KEP-5004/mixed-nodes/node-transition @profile:kep @profile:since-1.35
  Scenario Outline: A node provides an extended resource through DRA after its device plugin is replaced
    Given a node "moving" with allocatable 1 of "example.com/gpu"
    And a node "other"
    And the device
      | device | node  | pool  |
      | gpu-0  | other | other |
    When a pod "p" that requests 1 of "example.com/gpu" is created
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running
    And pod "q" is Running
    When pod "p" is deleted
    And pod "q" is deleted
    And a pod "there" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    And the status of node "moving" is updated with
      | field                               | value   |
      | status.capacity[example.com/gpu]    | <value> |
      | status.allocatable[example.com/gpu] | <value> |
    And pod "there" is deleted
    And the cluster reaches a steady state
    And a pod "s" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    And a pod "t" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "s" is Running on node "other"
    And pod "t" is Pending
    When the driver publishes the device
      | device | node   | pool   | slice  |
      | gpu-0  | moving | moving | moving |
    And the cluster reaches a steady state
    Then pod "t" is Running on node "moving"
    And ResourceClaim "extended resources of pod t" is allocated exactly
      | device | pool   |
      | gpu-0  | moving |
    And ResourceClaim "extended resources of pod s" keeps its allocation

    Examples:
      | ends               | value |
      | reports no device  | '0'   |
      | is gone            |       |

  @case:allocatable-added-pod-runs
  @KEP-5004/scheduling-phase/requeue-on-node-allocatable
  Scenario: A Pending pod runs once a node lists the extended resource
    Given a node "node-1" with allocatable 4 of "cpu"
    And a pod "p" that requests 1 of "example.com/gpu"
    When the cluster reaches a steady state
    Then pod "p" is Pending
    When the status of node "node-1" is updated with
      | field                               | value |
      | status.capacity[example.com/gpu]    | 1     |
      | status.allocatable[example.com/gpu] | 1     |
    And the cluster reaches a steady state
    Then pod "p" is Running on node "node-1"
    And pod "p" has no extended-resource claim

  @case:device-published-pod-runs
  @KEP-5004/scheduling-phase/requeue-on-node-allocatable
  Scenario: A Pending pod runs once a driver publishes a device
    Given a node "node-1" with allocatable 4 of "cpu"
    And a pod "p" that requests 1 of "example.com/gpu"
    When the cluster reaches a steady state
    Then pod "p" is Pending
    When the driver publishes the device
      | device | node   |
      | gpu-0  | node-1 |
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" is allocated 1 device

  @case:device-released-pod-runs
  @KEP-5004/scheduling-phase/requeue-on-node-allocatable
  Scenario: A Pending pod runs once a ResourceClaim releases its device
    Given a node "node-1" with allocatable 4 of "cpu"
    And the device
      | device |
      | gpu-0  |
    And a ResourceClaim "c" requesting 1 device of class "gpu"
    And a pod "first" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    And a pod "p" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Pending
    When pod "first" is deleted
    And the cluster reaches a steady state
    Then pod "p" is Running
