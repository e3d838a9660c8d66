@profile:kep @profile:since-1.35
Feature: Changes of the DeviceClass that backs an extended resource
  An administrator moves an extended resource from one DeviceClass to another. First the new DeviceClass is created,
  then extendedResourceName is cleared on the old one. Running pods keep their devices.

  Background:
    Given the devices
      | device | attribute kind |
      | gpu-0  | string old     |
      | gpu-1  | string old     |
      | gpu-2  | string new     |
      | gpu-3  | string new     |
    And a DeviceClass "old" for extended resource "example.com/gpu" created at "2020-01-01T10:00:00Z" with the selector
      """
      device.attributes["dra.example.com"].kind == "old"
      """
    And a pod "p" that requests 1 of "example.com/gpu"

  @case:new-class-backs-next-pod
  @KEP-5004/class-selection/transition-create-new-then-clear-old
  Scenario: A newly created DeviceClass backs the extended resource for the next pod
    When the cluster reaches a steady state
    Then pod "p" is Running
    When a DeviceClass "new" for extended resource "example.com/gpu" is created with the selector
      """
      device.attributes["dra.example.com"].kind == "new"
      """
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" keeps its allocation
    And ResourceClaim "extended resources of pod q" has
      | field                                            | value |
      | spec.devices.requests[0].exactly.deviceClassName | new   |

  @case:old-class-cleared-keeps-backing
  @KEP-5004/class-selection/transition-create-new-then-clear-old
  Scenario: An extended resource stays backed when an older DeviceClass clears extendedResourceName
    When the cluster reaches a steady state
    And a DeviceClass "new" for extended resource "example.com/gpu" is created
    And the cluster reaches a steady state
    And DeviceClass "old" is updated with
      | field                     | value |
      | spec.extendedResourceName |       |
    Then the object is stored
    When the cluster reaches a steady state
    Then pod "p" is Running
    When a pod "q" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "q" is Running
    And ResourceClaim "extended resources of pod q" has
      | field                                            | value |
      | spec.devices.requests[0].exactly.deviceClassName | new   |
    And ResourceClaim "extended resources of pod p" keeps its allocation
    But since Kubernetes 1.35, because a DeviceClass that loses an extendedResourceName removes its mapping even if another DeviceClass has the name: pod "q" is Pending

  @case:restarted-scheduler-finds-class
  @KEP-5004/class-selection/independent-of-event-order
  Scenario: A restarted scheduler uses the DeviceClass that currently has the extendedResourceName
    When the cluster reaches a steady state
    And a DeviceClass "new" for extended resource "example.com/gpu" is created
    And the cluster reaches a steady state
    And DeviceClass "old" is updated with
      | field                     | value |
      | spec.extendedResourceName |       |
    And the cluster reaches a steady state
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    And the scheduler restarts
    And the cluster reaches a steady state
    Then pod "q" is Running
    And ResourceClaim "extended resources of pod q" has
      | field                                            | value |
      | spec.devices.requests[0].exactly.deviceClassName | new   |

  @case:newest-class-deleted-next-backs
  @KEP-5004/class-selection/runner-up-promoted
  Scenario: The next newest DeviceClass backs the extended resource after the newest one is deleted
    Given a DeviceClass "new" for extended resource "example.com/gpu" created at "2020-01-01T11:00:00Z" with the selector
      """
      device.attributes["dra.example.com"].kind == "new"
      """
    When the cluster reaches a steady state
    Then ResourceClaim "extended resources of pod p" has
      | field                                            | value |
      | spec.devices.requests[0].exactly.deviceClassName | new   |
    When DeviceClass "new" is deleted
    And the cluster reaches a steady state
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "q" is Running
    And ResourceClaim "extended resources of pod q" has
      | field                                            | value |
      | spec.devices.requests[0].exactly.deviceClassName | old   |
    But since Kubernetes 1.35, because a DeviceClass that loses an extendedResourceName removes its mapping even if another DeviceClass has the name: pod "q" is Pending

  @case:newest-class-renamed-next-backs
  @KEP-5004/class-selection/runner-up-promoted
  Scenario: The next newest DeviceClass backs an extended resource that the newest one no longer names
    Given a DeviceClass "new" for extended resource "example.com/gpu" created at "2020-01-01T11:00:00Z"
    When the cluster reaches a steady state
    And DeviceClass "new" is updated with
      | field                     | value        |
      | spec.extendedResourceName | test.com/gpu |
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    And a pod "r" that requests 1 of "test.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "q" is Running
    And ResourceClaim "extended resources of pod q" has
      | field                                            | value |
      | spec.devices.requests[0].exactly.deviceClassName | old   |
    And ResourceClaim "extended resources of pod r" has
      | field                                            | value |
      | spec.devices.requests[0].exactly.deviceClassName | new   |
    But since Kubernetes 1.35, because a DeviceClass that loses an extendedResourceName removes its mapping even if another DeviceClass has the name: pod "q" is Pending

  @case:older-class-deleted-newest-backs
  @KEP-5004/class-selection/loser-change-keeps-winner
  Scenario: The newest DeviceClass still backs the extended resource after an older one is deleted
    Given a DeviceClass "new" for extended resource "example.com/gpu" created at "2020-01-01T11:00:00Z"
    When the cluster reaches a steady state
    And DeviceClass "old" is deleted
    And the cluster reaches a steady state
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "q" is Running
    And ResourceClaim "extended resources of pod q" has
      | field                                            | value |
      | spec.devices.requests[0].exactly.deviceClassName | new   |
    But since Kubernetes 1.35, because a DeviceClass that loses an extendedResourceName removes its mapping even if another DeviceClass has the name: pod "q" is Pending

  @case:older-class-changed-newest-backs
  @KEP-5004/class-selection/loser-change-keeps-winner
  Scenario: The newest DeviceClass still backs the resource after an older one changes its selector
    Given a DeviceClass "new" for extended resource "example.com/gpu" created at "2020-01-01T11:00:00Z"
    When the cluster reaches a steady state
    And DeviceClass "old" is updated with
      | field                            | value |
      | spec.selectors[0].cel.expression | 'true' |
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "q" is Running
    And ResourceClaim "extended resources of pod q" has
      | field                                            | value |
      | spec.devices.requests[0].exactly.deviceClassName | new   |

  @case:changed-name-backs-new-resource
  @KEP-5004/class-selection/name-change-takes-effect
  Scenario: A DeviceClass with a changed extendedResourceName backs only the new resource
    When the cluster reaches a steady state
    Then pod "p" is Running
    When DeviceClass "old" is updated with
      | field                     | value        |
      | spec.extendedResourceName | test.com/gpu |
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And a pod "r" that requests 1 of "test.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "q" is Pending
    And pod "q" has no extended-resource claim
    And pod "r" is Running
    And pod "p" is Running
    And ResourceClaim "extended resources of pod p" keeps its allocation

  @case:class-takes-name-of-newer-class
  @KEP-5004/class-selection/name-change-takes-effect
  Scenario: A DeviceClass that takes the resource of a newer DeviceClass loses its former resource
    Given a DeviceClass "new" for extended resource "test.com/gpu" created at "2020-01-01T11:00:00Z"
    When the cluster reaches a steady state
    Then pod "p" is Running
    When DeviceClass "old" is updated with
      | field                     | value        |
      | spec.extendedResourceName | test.com/gpu |
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And a pod "r" that requests 1 of "test.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "q" is Pending
    And ResourceClaim "extended resources of pod r" has
      | field                                            | value |
      | spec.devices.requests[0].exactly.deviceClassName | new   |
    But since Kubernetes 1.35, because the scheduler ignores the change of a DeviceClass if a newer DeviceClass has the extendedResourceName: pod "q" is Running

  @case:class-deleted-pod-keeps-devices
  @KEP-5004/lifecycle/class-removed-while-pods-run
  Scenario: A running pod keeps its devices when its DeviceClass is deleted
    When the cluster reaches a steady state
    Then pod "p" is Running
    When DeviceClass "old" is deleted
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" keeps its allocation
    And pod "q" is Pending

  @case:class-cleared-pod-keeps-devices
  @KEP-5004/lifecycle/class-removed-while-pods-run
  Scenario: A running pod keeps its devices when its DeviceClass clears extendedResourceName
    When the cluster reaches a steady state
    Then pod "p" is Running
    When DeviceClass "old" is updated with
      | field                     | value |
      | spec.extendedResourceName |       |
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" keeps its allocation
    And pod "q" is Pending

  @case:one-class-for-all-containers
  @KEP-5004/scheduling-phase/class-snapshot-per-cycle
  Scenario: All containers of a pod use one DeviceClass, and the next pod uses a newer DeviceClass
    When pod "p" is deleted
    And a pod "both" with the containers is created
      | container | limit example.com/gpu |
      | c0        | 1               |
      | c1        | 1               |
    And the cluster reaches a steady state
    Then ResourceClaim "extended resources of pod both" has
      | field                                            | value |
      | spec.devices.requests[0].exactly.deviceClassName | old   |
      | spec.devices.requests[1].exactly.deviceClassName | old   |
    When a DeviceClass "new" for extended resource "example.com/gpu" is created with the selector
      """
      device.attributes["dra.example.com"].kind == "new"
      """
    And a pod "later" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then ResourceClaim "extended resources of pod later" has
      | field                                            | value |
      | spec.devices.requests[0].exactly.deviceClassName | new   |
    And ResourceClaim "extended resources of pod both" keeps its allocation
