Feature: Nodes with device plugins beside nodes with DRA drivers
  A node serves an extended resource from a device plugin, which shows in its allocatable resources, or by DRA.
  Never both: what the node has itself is all that there is of it.

  Background:
    Given a device class "gpu" for "example.com/gpu"

  @case:a-node-serves-a-resource-that-it-does-not-list
  @KEP-5004/node-backing/dra-resource-not-in-node-capacity @KEP-5004/scheduling-phase/noderesources-delegates
  Scenario: A node serves a resource that it does not list
    Given a node "dra" with 4 of "cpu"
    And the device
      | device | node |
      | gpu-0  | dra  |
    And a pod "p" that requests 1 of "example.com/gpu"
    When the cluster settles
    Then pod "p" runs on node "dra"
    And the Node "dra" has
      | field                               | value |
      | status.allocatable[example.com/gpu] |       |
      | status.capacity[example.com/gpu]    |       |

  @case:a-node-with-a-device-plugin-serves-as-much-as-it-has
  @KEP-5004/node-backing/device-plugin-node-uses-capacity @KEP-5004/special-claim/not-created-on-device-plugin-node
  @KEP-5004/pod-status/absent-on-device-plugin-node @KEP-5004/scheduling-phase/noderesources-delegates
  @KEP-5004/diagnostics/feature-in-use
  Scenario: A node with a device plugin serves as much as it has
    Given a node "plugin" with 2 of "example.com/gpu"
    When a pod "p" that requests 1 of "example.com/gpu" is created
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And a pod "r" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p" runs on node "plugin"
    And pod "p" has no special claim
    And pod "q" runs on node "plugin"
    And pod "q" has no special claim
    And pod "r" is pending
    And pod "r" has no special claim

  @case:on-a-node-that-has-both-the-device-plugin-serves
  @KEP-5004/node-backing/one-backing-per-node @KEP-5004/diagnostics/incomplete-driver-replacement
  Scenario: On a node that has both the device plugin serves
    Given a node "both" with 2 of "example.com/gpu"
    And the devices
      | device | node |
      | gpu-0  | both |
      | gpu-1  | both |
      | gpu-2  | both |
    And a pod "p" that requests 1 of "example.com/gpu"
    When the cluster settles
    Then pod "p" runs on node "both"
    And pod "p" has no special claim

  @case:on-a-node-that-has-both-devices-are-too-many
  @KEP-5004/node-backing/one-backing-per-node @KEP-5004/diagnostics/incomplete-driver-replacement
  Scenario Outline: On a node that has both <amount> devices are too many
    Given a node "both" with 2 of "example.com/gpu"
    And the devices
      | device | node |
      | gpu-0  | both |
      | gpu-1  | both |
      | gpu-2  | both |
    And a pod "p" that requests <amount> of "example.com/gpu"
    When the cluster settles
    Then pod "p" is pending
    And pod "p" has no special claim

    Examples:
      | amount |
      | 3      |
      | 5      |

  @case:a-node-that-has-none-of-a-resource-left-serves-it-by
  @KEP-5004/node-backing/zero-capacity-counts-as-no-device-plugin @profile:kep @profile:since-1.35
  Scenario: A node that has none of a resource left serves it by DRA
    Given a node "moved" with 0 of "example.com/gpu"
    And the device
      | device | node  |
      | gpu-0  | moved |
    And a pod "p" that requests 1 of "example.com/gpu"
    When the cluster settles
    Then pod "p" runs on node "moved"
    And claim "extended resources of pod p" gets 1 device

  @case:a-node-whose-device-plugin-has-one-device-and-none
  @KEP-5004/node-backing/zero-capacity-counts-as-no-device-plugin
  Scenario: A node whose device plugin has one device, and none that may be used, serves the resource by DRA
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
    When the cluster settles
    Then pod "p" runs on node "ill"
    And claim "extended resources of pod p" gets 1 device

  @case:a-node-that-has-none-of-a-resource-and-no-devices
  @KEP-5004/node-backing/zero-capacity-counts-as-no-device-plugin
  Scenario: A node that has none of a resource and no devices does not serve it
    Given a node "moved" with 0 of "example.com/gpu"
    And a pod "p" that requests 1 of "example.com/gpu"
    When the cluster settles
    Then pod "p" is pending

  @case:a-pod-that-requests-nothing-of-a-resource-runs-where
  @KEP-5004/node-backing/neither-backing-does-not-fit
  Scenario: A pod that requests nothing of a resource runs where nobody has it
    Given a node "empty" with 4 of "cpu"
    And a pod "p" that requests 0 of "example.com/none" and 1 of "cpu"
    When the cluster settles
    Then pod "p" runs on node "empty"

  @case:a-node-serves-no-without
  @KEP-5004/node-backing/neither-backing-does-not-fit
  Scenario Outline: A node serves no <resource> without <what>
    Given a node "empty" with 4 of "cpu"
    And a pod "p" that requests 1 of "<resource>"
    When the cluster settles
    Then pod "p" is pending
    And pod "p" has no special claim

    @KEP-5004/scheduling-phase/noderesources-delegates
    Examples:
      | resource          | what           |
      | example.com/other | a class for it |

    @KEP-5004/diagnostics/cdi-runtime-required
    Examples:
      | resource        | what    |
      | example.com/gpu | devices |

  @case:pods-go-to-nodes-of-both-kinds-until-both-are-full
  @KEP-5004/mixed-nodes/either-node-can-serve @KEP-5004/enablement/workload-transition
  Scenario: Pods go to nodes of both kinds until both are full
    Given a node "dra"
    And a node "plugin" with 1 of "example.com/gpu"
    And a node "none" with 4 of "cpu"
    And the devices
      | device | node |
      | gpu-0  | dra  |
      | gpu-1  | dra  |
    When a pod "p" that requests 2 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p" runs on node "dra"
    And claim "extended resources of pod p" gets 2 devices
    When a pod "q" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "q" runs on node "plugin"
    And pod "q" has no special claim
    When a pod "r" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "r" is pending

  @case:with-node-cordoned-a-pod-goes-to-node
  @KEP-5004/mixed-nodes/either-node-can-serve
  Scenario Outline: With node <closed> cordoned a pod goes to node <open>
    Given a node "dra"
    And a node "plugin" with 1 of "example.com/gpu"
    And the device
      | device | node |
      | gpu-0  | dra  |
    When the Node "<closed>" is updated with
      | field              | value |
      | spec.unschedulable | true  |
    And a pod "p" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p" runs on node "<open>"

    Examples:
      | closed | open   |
      | dra    | plugin |
      | plugin | dra    |

  @case:of-devices-by-dra-and-by-a-device-plugin-3-are-on
  @KEP-5004/mixed-nodes/size-decides-the-node @KEP-5004/scheduling-phase/allocation-kept-per-node
  Scenario Outline: Of <devices> devices by DRA and <plugin> by a device plugin, 3 are on node <node>
    Given a node "dra"
    And a node "plugin" with <plugin> of "example.com/gpu"
    And a claim "other" requesting <held> devices of class "gpu"
    And the devices
      | device | node |
      | gpu-0  | dra  |
      | gpu-1  | dra  |
      | gpu-2  | dra  |
      | gpu-3  | dra  |
    And a pod "first" that uses claim "other"
    When the cluster settles
    And a pod "p" that requests 3 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p" runs on node "<node>"

    Examples:
      | devices | held | plugin | node   |
      | 3       | 1    | 2      | dra    |
      | 2       | 2    | 4      | plugin |

  @case:a-pod-waits-for-one-node-that-has-enough-though-two
  @KEP-5004/mixed-nodes/size-decides-the-node
  Scenario: A pod waits for one node that has enough, though two together have
    Given a node "dra"
    And a node "plugin" with 2 of "example.com/gpu"
    And the devices
      | device | node |
      | gpu-0  | dra  |
      | gpu-1  | dra  |
    And a pod "p" that requests 3 of "example.com/gpu"
    When the cluster settles
    Then pod "p" is pending

  @case:on-a-node-with-the-special-claim-requests-what-is
  @KEP-5004/mixed-nodes/backing-differs-per-resource @KEP-5004/scheduling-phase/template-empty-until-filter
  @KEP-5004/scheduling-phase/filter-fills-requests-only-for-dra-nodes @KEP-5004/scheduling-phase/allocation-kept-per-node
  Scenario Outline: On a node with <has> the special claim requests what is left to DRA
    Given a device class "foo" for "foo.domain/bar"
    And a node "a-full"
    And a node "b-chosen" with <has>
    And the devices
      | device | node     | pool     |
      | dev-0  | b-chosen | b-chosen |
      | dev-1  | b-chosen | b-chosen |
    And the device
      | device | node   | pool   |
      | dev-0  | a-full | a-full |
    And a pod "p" that requests 1 of "example.com/gpu" and 1 of "foo.domain/bar"
    When the cluster settles
    Then pod "p" runs on node "b-chosen"
    And claim "extended resources of pod p" gets <count> device
    And the special claim of pod "p" serves
      | container | resource   |
      | main      | <resource> |

    Examples:
      | has                    | count | resource        |
      | 1 of "example.com/gpu" | 1     | foo.domain/bar  |
      | 1 of "foo.domain/bar"  | 1     | example.com/gpu |

  @case:on-a-node-that-has-all-resources-itself-there-is-no
  @KEP-5004/mixed-nodes/backing-differs-per-resource
  Scenario: On a node that has all resources itself there is no special claim
    Given a device class "foo" for "foo.domain/bar"
    And a node "plugin" with 1 of "example.com/gpu" and 1 of "foo.domain/bar"
    And a pod "p" that requests 1 of "example.com/gpu" and 1 of "foo.domain/bar"
    When the cluster settles
    Then pod "p" runs
    And pod "p" has no special claim

  @case:a-node-moves-from-its-device-plugin-to-a-dra-driver
  @KEP-5004/mixed-nodes/node-transition @profile:kep @profile:since-1.35
  Scenario Outline: A node moves from its device plugin to a DRA driver when its plugin <ends>
    Given a node "moving" with 1 of "example.com/gpu"
    And a node "other"
    And the device
      | device | node  | pool  |
      | gpu-0  | other | other |
    When a pod "p" that requests 1 of "example.com/gpu" is created
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p" runs
    And pod "q" runs
    When pod "p" is deleted
    And pod "q" is deleted
    And a pod "there" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    And the status of the Node "moving" is updated with
      | field                               | value   |
      | status.capacity[example.com/gpu]    | <value> |
      | status.allocatable[example.com/gpu] | <value> |
    And pod "there" is deleted
    And the cluster settles
    And a pod "s" that requests 1 of "example.com/gpu" is created
    And a pod "t" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "s" runs on node "other"
    And pod "t" is pending
    When the driver publishes the device
      | device | node   | pool   | slice  |
      | gpu-0  | moving | moving | moving |
    And the cluster settles
    Then pod "t" runs on node "moving"
    And claim "extended resources of pod t" gets exactly
      | device | pool   |
      | gpu-0  | moving |
    And claim "extended resources of pod s" keeps its allocation

    Examples:
      | ends               | value |
      | reports no device  | '0'   |
      | is gone            |       |

  @case:a-pod-that-waits-is-scheduled-once-a-node-has-the
  @KEP-5004/scheduling-phase/requeue-on-node-allocatable
  Scenario: A pod that waits is scheduled once a node has the resource
    Given a node "node-1" with 4 of "cpu"
    And a pod "p" that requests 1 of "example.com/gpu"
    When the cluster settles
    Then pod "p" is pending
    When the status of the Node "node-1" is updated with
      | field                               | value |
      | status.capacity[example.com/gpu]    | 1     |
      | status.allocatable[example.com/gpu] | 1     |
    And the cluster settles
    Then pod "p" runs on node "node-1"
    And pod "p" has no special claim

  @case:a-pod-that-waits-is-scheduled-once-a-driver
  @KEP-5004/scheduling-phase/requeue-on-node-allocatable
  Scenario: A pod that waits is scheduled once a driver publishes a device
    Given a node "node-1" with 4 of "cpu"
    And a pod "p" that requests 1 of "example.com/gpu"
    When the cluster settles
    Then pod "p" is pending
    When the driver publishes the device
      | device | node   |
      | gpu-0  | node-1 |
    And the cluster settles
    Then pod "p" runs
    And claim "extended resources of pod p" gets 1 device

  @case:a-pod-that-waits-is-scheduled-once-a-claim-gives-its
  @KEP-5004/scheduling-phase/requeue-on-node-allocatable
  Scenario: A pod that waits is scheduled once a claim gives its device back
    Given a node "node-1" with 4 of "cpu"
    And the device
      | device |
      | gpu-0  |
    And a claim "c" requesting 1 device of class "gpu"
    And a pod "first" that uses claim "c"
    When the cluster settles
    And a pod "p" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p" is pending
    When pod "first" is deleted
    And the cluster settles
    Then pod "p" runs
