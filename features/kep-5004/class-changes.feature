@profile:kep @profile:since-1.35
Feature: The class that serves an extended resource changes
  An administrator moves a resource from one class to another: the new class is created, then the old one no longer
  names the resource. Pods that run keep what they have.

  Background:
    Given the devices
      | device | attribute kind |
      | gpu-0  | string old     |
      | gpu-1  | string old     |
      | gpu-2  | string new     |
      | gpu-3  | string new     |
    And a device class "old" for "example.com/gpu" created at "2020-01-01T10:00:00Z" that selects
      """
      device.attributes["dra.example.com"].kind == "old"
      """
    And a pod "p" that requests 1 of "example.com/gpu"

  @case:a-new-class-takes-over-from-the-first-pod-after-its
  @KEP-5004/class-selection/transition-create-new-then-clear-old
  Scenario: A new class takes over from the first pod after its creation
    When the cluster settles
    Then pod "p" runs
    When a device class "new" for "example.com/gpu" is created that selects
      """
      device.attributes["dra.example.com"].kind == "new"
      """
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p" runs
    And claim "extended resources of pod p" keeps its allocation
    And the ResourceClaim "extended resources of pod q" has
      | field                                            | value |
      | spec.devices.requests[0].exactly.deviceClassName | new   |

  @case:the-resource-is-served-all-the-time-while-the-old
  @KEP-5004/class-selection/transition-create-new-then-clear-old
  Scenario: The resource is served all the time while the old class gives it up
    When the cluster settles
    And a device class "new" for "example.com/gpu" is created
    And the cluster settles
    And the DeviceClass "old" is updated with
      | field                     | value |
      | spec.extendedResourceName |       |
    Then it is stored
    When the cluster settles
    Then pod "p" runs
    When a pod "q" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "q" runs
    And the ResourceClaim "extended resources of pod q" has
      | field                                            | value |
      | spec.devices.requests[0].exactly.deviceClassName | new   |
    And claim "extended resources of pod p" keeps its allocation
    But since Kubernetes 1.35, because a class that gives up a name takes it away from the class that serves it by now: pod "q" is pending

  @case:a-scheduler-that-starts-again-serves-a-name-by-the
  @KEP-5004/class-selection/independent-of-event-order
  Scenario: A scheduler that starts again serves a name by the class that has it
    When the cluster settles
    And a device class "new" for "example.com/gpu" is created
    And the cluster settles
    And the DeviceClass "old" is updated with
      | field                     | value |
      | spec.extendedResourceName |       |
    And the cluster settles
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    And the scheduler restarts
    And the cluster settles
    Then pod "q" runs
    And the ResourceClaim "extended resources of pod q" has
      | field                                            | value |
      | spec.devices.requests[0].exactly.deviceClassName | new   |

  @case:the-next-class-takes-over-when-the-newest-one-is
  @KEP-5004/class-selection/runner-up-promoted
  Scenario: The next class takes over when the newest one is deleted
    Given a device class "new" for "example.com/gpu" created at "2020-01-01T11:00:00Z" that selects
      """
      device.attributes["dra.example.com"].kind == "new"
      """
    When the cluster settles
    Then the ResourceClaim "extended resources of pod p" has
      | field                                            | value |
      | spec.devices.requests[0].exactly.deviceClassName | new   |
    When the DeviceClass "new" is deleted
    And the cluster settles
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "q" runs
    And the ResourceClaim "extended resources of pod q" has
      | field                                            | value |
      | spec.devices.requests[0].exactly.deviceClassName | old   |
    But since Kubernetes 1.35, because a class that gives up a name takes it away from the class that serves it by now: pod "q" is pending

  @case:the-next-class-takes-over-when-the-newest-one-comes
  @KEP-5004/class-selection/runner-up-promoted
  Scenario: The next class takes over when the newest one comes to stand for another resource
    Given a device class "new" for "example.com/gpu" created at "2020-01-01T11:00:00Z"
    When the cluster settles
    And the DeviceClass "new" is updated with
      | field                     | value        |
      | spec.extendedResourceName | test.com/gpu |
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And a pod "r" that requests 1 of "test.com/gpu" is created
    And the cluster settles
    Then pod "q" runs
    And the ResourceClaim "extended resources of pod q" has
      | field                                            | value |
      | spec.devices.requests[0].exactly.deviceClassName | old   |
    And the ResourceClaim "extended resources of pod r" has
      | field                                            | value |
      | spec.devices.requests[0].exactly.deviceClassName | new   |
    But since Kubernetes 1.35, because a class that gives up a name takes it away from the class that serves it by now: pod "q" is pending

  @case:the-newest-class-goes-on-serving-when-an-older-one
  @KEP-5004/class-selection/loser-change-keeps-winner
  Scenario: The newest class goes on serving when an older one is deleted
    Given a device class "new" for "example.com/gpu" created at "2020-01-01T11:00:00Z"
    When the cluster settles
    And the DeviceClass "old" is deleted
    And the cluster settles
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "q" runs
    And the ResourceClaim "extended resources of pod q" has
      | field                                            | value |
      | spec.devices.requests[0].exactly.deviceClassName | new   |
    But since Kubernetes 1.35, because a class that gives up a name takes it away from the class that serves it by now: pod "q" is pending

  @case:the-newest-class-goes-on-serving-when-an-older-one-2
  @KEP-5004/class-selection/loser-change-keeps-winner
  Scenario: The newest class goes on serving when an older one selects other devices
    Given a device class "new" for "example.com/gpu" created at "2020-01-01T11:00:00Z"
    When the cluster settles
    And the DeviceClass "old" is updated with
      | field                            | value |
      | spec.selectors[0].cel.expression | 'true' |
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "q" runs
    And the ResourceClaim "extended resources of pod q" has
      | field                                            | value |
      | spec.devices.requests[0].exactly.deviceClassName | new   |

  @case:a-class-that-comes-to-stand-for-another-resource
  @KEP-5004/class-selection/name-change-takes-effect
  Scenario: A class that comes to stand for another resource serves that one and no longer the first
    When the cluster settles
    Then pod "p" runs
    When the DeviceClass "old" is updated with
      | field                     | value        |
      | spec.extendedResourceName | test.com/gpu |
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And a pod "r" that requests 1 of "test.com/gpu" is created
    And the cluster settles
    Then pod "q" is pending
    And pod "q" has no special claim
    And pod "r" runs
    And pod "p" runs
    And claim "extended resources of pod p" keeps its allocation

  @case:a-pod-keeps-its-devices-when-its-class-is-deleted
  @KEP-5004/lifecycle/class-removed-while-pods-run
  Scenario: A pod keeps its devices when its class is deleted
    When the cluster settles
    Then pod "p" runs
    When the DeviceClass "old" is deleted
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p" runs
    And claim "extended resources of pod p" keeps its allocation
    And pod "q" is pending

  @case:a-pod-keeps-its-devices-when-its-class-no-longer
  @KEP-5004/lifecycle/class-removed-while-pods-run
  Scenario: A pod keeps its devices when its class no longer stands for the resource
    When the cluster settles
    Then pod "p" runs
    When the DeviceClass "old" is updated with
      | field                     | value |
      | spec.extendedResourceName |       |
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p" runs
    And claim "extended resources of pod p" keeps its allocation
    And pod "q" is pending

  @case:all-containers-of-a-pod-are-served-by-one-class
  @KEP-5004/scheduling-phase/class-snapshot-per-cycle
  Scenario: All containers of a pod are served by one class, those of the next pod by the newest one
    When pod "p" is deleted
    And a pod "both" with the containers is created
      | container | limit example.com/gpu |
      | c0        | 1               |
      | c1        | 1               |
    And the cluster settles
    Then the ResourceClaim "extended resources of pod both" has
      | field                                            | value |
      | spec.devices.requests[0].exactly.deviceClassName | old   |
      | spec.devices.requests[1].exactly.deviceClassName | old   |
    When a device class "new" for "example.com/gpu" is created that selects
      """
      device.attributes["dra.example.com"].kind == "new"
      """
    And a pod "later" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then the ResourceClaim "extended resources of pod later" has
      | field                                            | value |
      | spec.devices.requests[0].exactly.deviceClassName | new   |
    And claim "extended resources of pod both" keeps its allocation
