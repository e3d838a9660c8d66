Feature: Upgrade and downgrade between releases
  With DRAExtendedResource on all the time, pods and extended-resource claims of one release keep working in the other.

  Background:
    Given a DeviceClass "gpu" for extended resource "example.com/gpu"
    And the devices
      | device |
      | gpu-0  |
      | gpu-1  |
      | gpu-2  |
      | gpu-3  |

  @case:upgrade-downgrade-upgrade @profile:kep @profile:since-1.36
  @KEP-5004/upgrade-downgrade/up-down-up-path
  Scenario: Pods with extended resources keep running through upgrade, downgrade and second upgrade
    Given the API server, the scheduler, the controller manager and the kubelet run Kubernetes 1.35
    And the feature gate "DRAExtendedResource" is on in the API server, the scheduler, the controller manager and the kubelet
    When a pod "p1" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p1" is Running
    When the API server, the scheduler, the controller manager and the kubelet restart with the release under test
    And a pod "p2" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p1" is Running
    And ResourceClaim "extended resources of pod p1" keeps its allocation
    And pod "p2" is Running
    When the API server, the scheduler, the controller manager and the kubelet restart with Kubernetes 1.35
    And a pod "p3" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p2" is Running
    And ResourceClaim "extended resources of pod p1" keeps its allocation
    And ResourceClaim "extended resources of pod p2" keeps its allocation
    And pod "p3" is Running
    And DeviceClass "gpu" has
      | field                     | value           |
      | spec.extendedResourceName | example.com/gpu |
    When the API server, the scheduler, the controller manager and the kubelet restart with the release under test
    And a pod "p4" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p4" is Running
    When a pod "p5" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p5" is Pending
    And ResourceClaim "extended resources of pod p3" keeps its allocation
    And pod "p1" has the requestMappings
      | containerName | resourceName    |
      | main          | example.com/gpu |
    When pod "p1" is deleted
    And pod "p2" is deleted
    And the cluster reaches a steady state
    Then ResourceClaim "extended resources of pod p1" does not exist
    And ResourceClaim "extended resources of pod p2" does not exist
    And pod "p5" is Running
