Feature: Selection of the DeviceClass that backs an extended resource
  A DeviceClass with an extendedResourceName makes its devices available to pods that request this resource.
  If several DeviceClasses have the same name, the one created last backs the resource. If several were created last
  at the same time, the first by name backs the resource.

  Background:
    Given the devices
      | device | driver          | pool | attribute type |
      | gpu-0  | gpu.example.com | gpus | string gpu     |
      | gpu-1  | gpu.example.com | gpus | string gpu     |
      | gpu-2  | gpu.example.com | gpus | string gpu     |
      | nic-0  | gpu.example.com | gpus | string nic     |
      | nic-1  | gpu.example.com | gpus | string nic     |
    And the device
      | device | driver            | pool  | attribute type |
      | gpu-0  | other.example.com | other | string gpu     |

  @case:devices-of-class-allocated
  @KEP-5004/class-selection/explicit-name-maps-devices
  Scenario Outline: A pod gets the requested number of devices that the DeviceClass selects
    Given a DeviceClass "gpu.example.com" for extended resource "example.com/gpu" with the selector
      """
      device.driver == "gpu.example.com" && device.attributes["gpu.example.com"].type == "gpu"
      """
    And a pod "p" that requests <amount> of "example.com/gpu"
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" is allocated <amount> devices
    And pod "p" has the requestMappings
      | containerName | resourceName    |
      | main          | example.com/gpu |

    Examples:
      | amount |
      | 1      |
      | 2      |
      | 3      |

  @case:request-exceeds-selected-devices
  @KEP-5004/class-selection/explicit-name-maps-devices @KEP-5004/class-selection/devices-filtered-by-class-selectors
  Scenario Outline: A pod that requests more devices than the DeviceClass selects stays Pending
    Given a DeviceClass "gpu.example.com" for extended resource "example.com/gpu" with the selector
      """
      device.driver == "gpu.example.com" && device.attributes["gpu.example.com"].type == "gpu"
      """
    And a pod "p" that requests <amount> of "example.com/gpu"
    When the cluster reaches a steady state
    Then pod "p" is Pending
    And pod "p" has no extended-resource claim

    Examples:
      | amount |
      | 4      |
      | 5      |
      | 6      |

  @case:pods-until-no-device-is-left
  @KEP-5004/class-selection/explicit-name-maps-devices @KEP-5004/class-selection/devices-filtered-by-class-selectors
  Scenario: Pods are allocated devices one after the other until no device is left
    Given a DeviceClass "gpu" for extended resource "example.com/gpu" with the selector
      """
      device.driver == "gpu.example.com" && device.attributes["gpu.example.com"].type == "gpu"
      """
    When a pod "p" that requests 2 of "example.com/gpu" is created
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    And a pod "r" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running
    And pod "q" is Running
    And pod "r" is Pending

  @case:newest-class-then-first-name
  @KEP-5004/scheduling-phase/dynamic-resources-table @profile:kep @profile:since-1.35
  Scenario Outline: The newest DeviceClass, or the first by name if several are newest, backs the resource
    Given a DeviceClass "<first>" for extended resource "example.com/gpu" created at "2026-01-01T<at first>:00Z"
    And a DeviceClass "<second>" for extended resource "example.com/gpu" created at "2026-01-01T<at second>:00Z"
    And a DeviceClass "<third>" for extended resource "example.com/gpu" created at "2026-01-01T<at third>:00Z"
    And a pod "p" that requests 1 of "example.com/gpu"
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" has
      | field                                            | value    |
      | spec.devices.requests[0].exactly.deviceClassName | <chosen> |

    @KEP-5004/class-selection/newest-class-wins
    Examples: The newest DeviceClass
      | first | second | third | at first | at second | at third | chosen |
      | a     | b      | c     | 10:00    | 12:00     | 11:00    | b      |
      | b     | a      | c     | 10:00    | 12:00     | 11:00    | a      |
      | a     | b      | c     | 12:00    | 10:00     | 11:00    | a      |

    @KEP-5004/class-selection/same-time-lexicographic-first
    Examples: The first by name of equally new DeviceClasses
      | first       | second | third       | at first | at second | at third | chosen      |
      | gpu-b       | gpu-a  | gpu-c       | 10:00    | 10:00     | 10:00    | gpu-a       |
      | gpu-9       | gpu-10 | gpu-a       | 10:00    | 10:00     | 10:00    | gpu-10      |

    @KEP-5004/class-selection/tie-break-only-among-newest
    Examples: The first by name of the newest DeviceClasses, with an older one
      | first       | second | third       | at first | at second | at third | chosen      |
      | gpu-class-4 | aged   | gpu-class-0 | 11:00    | 10:00     | 11:00    | gpu-class-0 |

  @case:newest-class-without-devices
  @KEP-5004/class-selection/newest-class-wins @profile:kep @profile:since-1.35
  Scenario: A pod stays Pending if the newest DeviceClass has no devices but an older one has some
    Given a DeviceClass "full" for extended resource "example.com/gpu" created at "2026-01-01T10:00:00Z"
    And a DeviceClass "empty" for extended resource "example.com/gpu" created at "2026-01-01T11:00:00Z" with the selector
      """
      device.driver == "none.example.com"
      """
    And a pod "p" that requests 1 of "example.com/gpu"
    When the cluster reaches a steady state
    Then pod "p" is Pending
    And pod "p" has no extended-resource claim

  @case:event-order-does-not-matter
  @KEP-5004/class-selection/independent-of-event-order @profile:kep @profile:since-1.35
  Scenario Outline: The backing DeviceClass does not depend on the order in which DeviceClasses are observed
    Given a DeviceClass "<first>" for extended resource "example.com/gpu" created at "2026-01-01T<at first>:00Z"
    And a DeviceClass "<second>" for extended resource "example.com/gpu" created at "2026-01-01T<at second>:00Z"
    And a DeviceClass "<third>" for extended resource "example.com/gpu" created at "2026-01-01T<at third>:00Z"
    When the scheduler restarts
    And a pod "p" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" has
      | field                                            | value |
      | spec.devices.requests[0].exactly.deviceClassName | b     |

    Examples:
      | first | second | third | at first | at second | at third |
      | a     | b      | c     | 10:00    | 11:00     | 11:00    |
      | a     | c      | b     | 10:00    | 11:00     | 11:00    |
      | b     | a      | c     | 11:00    | 10:00     | 11:00    |
      | b     | c      | a     | 11:00    | 11:00     | 10:00    |
      | c     | a      | b     | 11:00    | 10:00     | 11:00    |
      | c     | b      | a     | 11:00    | 11:00     | 10:00    |

  @case:no-class-device-plugin-only
  @KEP-5004/class-selection/no-class-means-device-plugin-only
  Scenario: A pod whose extended resource has no DeviceClass runs only on a device plugin node
    Given a node "dra"
    And a node "plugin" with allocatable 1 of "example.com/gpu"
    And the feature gate "DRAExtendedResource" is on
    When a pod "p" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running on node "plugin"
    And pod "p" has no extended-resource claim
    And pod "q" is Pending
    And pod "q" has no extended-resource claim

  @case:class-created-pending-pod-runs
  @KEP-5004/class-selection/late-class-unblocks-pending-pod
  Scenario: A Pending pod runs once a DeviceClass for its extended resource is created
    Given a pod "p" that requests 1 of "example.com/gpu"
    And a pod "q" that requests 1 of "example.com/fpga"
    When the cluster reaches a steady state
    Then pod "p" is Pending
    When a DeviceClass "gpu" for extended resource "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" is allocated 1 device
    And pod "q" is Pending

  @case:implicit-name-class-created
  @KEP-5004/class-selection/late-class-unblocks-pending-pod @profile:kep @profile:since-1.35
  Scenario: A Pending pod runs once the DeviceClass that it requests by implicit name is created
    Given a pod "p" that requests 1 of "deviceclass.resource.kubernetes.io/late"
    When the cluster reaches a steady state
    Then pod "p" is Pending
    When a DeviceClass "late" is created
    And the cluster reaches a steady state
    Then pod "p" is Running

  @case:one-class-for-all-namespaces
  @KEP-5004/class-selection/cluster-scoped-mapping
  Scenario: Pods of two namespaces use one DeviceClass and get claims in their own namespaces
    Given a DeviceClass "gpu" for extended resource "example.com/gpu"
    And the objects
      """
      apiVersion: v1
      kind: Namespace
      metadata: {name: team-a}
      ---
      apiVersion: v1
      kind: Namespace
      metadata: {name: team-b}
      """
    And a pod "team-a/p" that requests 1 of "example.com/gpu"
    And a pod "team-b/p" that requests 1 of "example.com/gpu"
    When the cluster reaches a steady state
    Then pod "team-a/p" is Running
    And pod "team-b/p" is Running
    And ResourceClaim "team-a/extended resources of pod p" has
      | field                                            | value  |
      | metadata.namespace                               | team-a |
      | spec.devices.requests[0].exactly.deviceClassName | gpu    |
    And ResourceClaim "team-b/extended resources of pod p" has
      | field                                            | value  |
      | metadata.namespace                               | team-b |
      | spec.devices.requests[0].exactly.deviceClassName | gpu    |
