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
  @KEP-5004/class-selection/explicit-name-maps-devices @KEP-5004/class-selection/devices-filtered-by-class-selectors
  Scenario Outline: A pod gets as many devices as it requests from those that the DeviceClass selects
    Given a device class "gpu.example.com" for "example.com/gpu" that selects
      """
      device.driver == "gpu.example.com" && device.attributes["gpu.example.com"].type == "gpu"
      """
    And a pod "p" that requests <amount> of "example.com/gpu"
    When the cluster settles
    Then pod "p" runs
    And claim "extended resources of pod p" gets <amount> devices
    And the special claim of pod "p" serves
      | container | resource        |
      | main      | example.com/gpu |

    Examples:
      | amount |
      | 1      |
      | 2      |
      | 3      |

  @case:request-exceeds-selected-devices
  @KEP-5004/class-selection/explicit-name-maps-devices @KEP-5004/class-selection/devices-filtered-by-class-selectors
  Scenario Outline: A pod that requests more devices than the DeviceClass selects stays Pending
    Given a device class "gpu.example.com" for "example.com/gpu" that selects
      """
      device.driver == "gpu.example.com" && device.attributes["gpu.example.com"].type == "gpu"
      """
    And a pod "p" that requests <amount> of "example.com/gpu"
    When the cluster settles
    Then pod "p" is pending
    And pod "p" has no special claim

    Examples:
      | amount |
      | 4      |
      | 5      |
      | 6      |

  @case:pods-until-no-device-is-left
  @KEP-5004/class-selection/explicit-name-maps-devices
  Scenario: Pods are allocated devices one after the other until no device is left
    Given a device class "gpu" for "example.com/gpu" that selects
      """
      device.driver == "gpu.example.com" && device.attributes["gpu.example.com"].type == "gpu"
      """
    When a pod "p" that requests 2 of "example.com/gpu" is created
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And a pod "r" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p" runs
    And pod "q" runs
    And pod "r" is pending

  @case:newest-class-then-first-name
  @KEP-5004/scheduling-phase/dynamic-resources-table @profile:kep @profile:since-1.35
  Scenario Outline: The newest DeviceClass backs the resource, and of equally new ones the first by name
    Given a device class "<first>" for "example.com/gpu" created at "2026-01-01T<at first>:00Z"
    And a device class "<second>" for "example.com/gpu" created at "2026-01-01T<at second>:00Z"
    And a device class "<third>" for "example.com/gpu" created at "2026-01-01T<at third>:00Z"
    And a pod "p" that requests 1 of "example.com/gpu"
    When the cluster settles
    Then pod "p" runs
    And the ResourceClaim "extended resources of pod p" has
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
  Scenario: A pod stays Pending if the newest DeviceClass has no devices, although an older one has
    Given a device class "full" for "example.com/gpu" created at "2026-01-01T10:00:00Z"
    And a device class "empty" for "example.com/gpu" created at "2026-01-01T11:00:00Z" that selects
      """
      device.driver == "none.example.com"
      """
    And a pod "p" that requests 1 of "example.com/gpu"
    When the cluster settles
    Then pod "p" is pending
    And pod "p" has no special claim

  @case:event-order-does-not-matter
  @KEP-5004/class-selection/independent-of-event-order @profile:kep @profile:since-1.35
  Scenario Outline: The backing DeviceClass does not depend on the order in which DeviceClasses are observed
    Given a device class "<first>" for "example.com/gpu" created at "2026-01-01T<at first>:00Z"
    And a device class "<second>" for "example.com/gpu" created at "2026-01-01T<at second>:00Z"
    And a device class "<third>" for "example.com/gpu" created at "2026-01-01T<at third>:00Z"
    When the scheduler restarts
    And a pod "p" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p" runs
    And the ResourceClaim "extended resources of pod p" has
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
  Scenario: Only a device plugin node runs a pod whose extended resource no DeviceClass backs
    Given a node "dra"
    And a node "plugin" with 1 of "example.com/gpu"
    And the feature gate "DRAExtendedResource" is on
    When a pod "p" that requests 1 of "example.com/gpu" is created
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p" runs on node "plugin"
    And pod "p" has no special claim
    And pod "q" is pending
    And pod "q" has no special claim

  @case:class-created-pending-pod-runs
  @KEP-5004/class-selection/late-class-unblocks-pending-pod
  Scenario: A Pending pod runs once a DeviceClass for its extended resource is created
    Given a pod "p" that requests 1 of "example.com/gpu"
    And a pod "q" that requests 1 of "example.com/fpga"
    When the cluster settles
    Then pod "p" is pending
    When a device class "gpu" for "example.com/gpu" is created
    And the cluster settles
    Then pod "p" runs
    And claim "extended resources of pod p" gets 1 device
    And pod "q" is pending

  @case:implicit-name-class-created
  @KEP-5004/class-selection/late-class-unblocks-pending-pod @profile:kep @profile:since-1.35
  Scenario: A Pending pod runs once the DeviceClass that it requests by implicit name is created
    Given a pod "p" that requests 1 of "deviceclass.resource.kubernetes.io/late"
    When the cluster settles
    Then pod "p" is pending
    When a device class "late" is created
    And the cluster settles
    Then pod "p" runs

  @case:one-class-for-all-namespaces
  @KEP-5004/class-selection/cluster-scoped-mapping
  Scenario: Pods of two namespaces use one DeviceClass and get claims in their own namespaces
    Given a device class "gpu" for "example.com/gpu"
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
    When the cluster settles
    Then pod "team-a/p" runs
    And pod "team-b/p" runs
    And the ResourceClaim "team-a/extended resources of pod p" has
      | field                                            | value  |
      | metadata.namespace                               | team-a |
      | spec.devices.requests[0].exactly.deviceClassName | gpu    |
    And the ResourceClaim "team-b/extended resources of pod p" has
      | field                                            | value  |
      | metadata.namespace                               | team-b |
      | spec.devices.requests[0].exactly.deviceClassName | gpu    |
