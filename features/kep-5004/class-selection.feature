Feature: Which device class serves an extended resource
  A class that names an extended resource makes its devices available to pods that request the resource.
  Of several classes with one name the one created last is picked, of those the first by name.

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

  @case:a-pod-that-requests-gets-as-many-of-the-3-devices
  @KEP-5004/class-selection/explicit-name-maps-devices @KEP-5004/class-selection/devices-filtered-by-class-selectors
  Scenario Outline: A pod that requests <amount> gets as many of the 3 devices that the class selects
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

  @case:a-pod-that-requests-waits-where-the-class-selects-3
  @KEP-5004/class-selection/explicit-name-maps-devices @KEP-5004/class-selection/devices-filtered-by-class-selectors
  Scenario Outline: A pod that requests <amount> waits where the class selects 3 devices of 6
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

  @case:devices-are-given-to-one-pod-after-the-other-until
  @KEP-5004/class-selection/explicit-name-maps-devices
  Scenario: Devices are given to one pod after the other until there are none left
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

  @case:of-from-from-and-from-serves-the-name
  @KEP-5004/scheduling-phase/dynamic-resources-table @profile:kep @profile:since-1.35
  Scenario Outline: Of <first> from <at first>, <second> from <at second> and <third> from <at third>, <chosen> serves the name
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
    Examples: The newest
      | first | second | third | at first | at second | at third | chosen |
      | a     | b      | c     | 10:00    | 12:00     | 11:00    | b      |
      | b     | a      | c     | 10:00    | 12:00     | 11:00    | a      |
      | a     | b      | c     | 12:00    | 10:00     | 11:00    | a      |

    @KEP-5004/class-selection/same-time-lexicographic-first
    Examples: The first by name of several that are equally new
      | first       | second | third       | at first | at second | at third | chosen      |
      | gpu-b       | gpu-a  | gpu-c       | 10:00    | 10:00     | 10:00    | gpu-a       |
      | gpu-9       | gpu-10 | gpu-a       | 10:00    | 10:00     | 10:00    | gpu-10      |

    @KEP-5004/class-selection/tie-break-only-among-newest
    Examples: The first by name of the newest, of which an older one is not
      | first       | second | third       | at first | at second | at third | chosen      |
      | gpu-class-4 | aged   | gpu-class-0 | 11:00    | 10:00     | 11:00    | gpu-class-0 |

  @case:an-older-class-is-not-tried-where-the-newest-one-has
  @KEP-5004/class-selection/newest-class-wins @profile:kep @profile:since-1.35
  Scenario: An older class is not tried where the newest one has no devices
    Given a device class "full" for "example.com/gpu" created at "2026-01-01T10:00:00Z"
    And a device class "empty" for "example.com/gpu" created at "2026-01-01T11:00:00Z" that selects
      """
      device.driver == "none.example.com"
      """
    And a pod "p" that requests 1 of "example.com/gpu"
    When the cluster settles
    Then pod "p" is pending
    And pod "p" has no special claim

  @case:of-classes-that-come-as-b-serves-the-name
  @KEP-5004/class-selection/independent-of-event-order @profile:kep @profile:since-1.35
  Scenario Outline: Of classes that come as <first>, <second>, <third>, b serves the name
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

  @case:without-a-class-only-nodes-that-have-the-resource
  @KEP-5004/class-selection/no-class-means-device-plugin-only
  Scenario: Without a class only nodes that have the resource themselves serve it
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

  @case:a-pod-that-waits-is-served-once-there-is-a-class-for
  @KEP-5004/class-selection/late-class-unblocks-pending-pod
  Scenario: A pod that waits is served once there is a class for the resource
    Given a pod "p" that requests 1 of "example.com/gpu"
    And a pod "q" that requests 1 of "example.com/fpga"
    When the cluster settles
    Then pod "p" is pending
    When a device class "gpu" for "example.com/gpu" is created
    And the cluster settles
    Then pod "p" runs
    And claim "extended resources of pod p" gets 1 device
    And pod "q" is pending

  @case:a-pod-that-waits-is-served-once-there-is-the-class
  @KEP-5004/class-selection/late-class-unblocks-pending-pod @profile:kep @profile:since-1.35
  Scenario: A pod that waits is served once there is the class that it requests by its implicit name
    Given a pod "p" that requests 1 of "deviceclass.resource.kubernetes.io/late"
    When the cluster settles
    Then pod "p" is pending
    When a device class "late" is created
    And the cluster settles
    Then pod "p" runs

  @case:pods-of-all-namespaces-are-served-by-one-class-each
  @KEP-5004/class-selection/cluster-scoped-mapping
  Scenario: Pods of all namespaces are served by one class, each by a claim in its own namespace
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
