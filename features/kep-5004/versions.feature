Feature: Upgrade and downgrade between releases
  With DRAExtendedResource on all the time, pods and extended-resource claims of one release keep working in the other.

  Background:
    Given a device class "gpu" for "example.com/gpu"
    And the devices
      | device |
      | gpu-0  |
      | gpu-1  |
      | gpu-2  |
      | gpu-3  |

  @case:upgrade-downgrade-upgrade
  @KEP-5004/upgrade-downgrade/upgrade-keeps-pods-and-claims @KEP-5004/upgrade-downgrade/downgrade-keeps-objects
  @KEP-5004/upgrade-downgrade/claim-format-compatible @KEP-5004/upgrade-downgrade/fields-persist
  @KEP-5004/upgrade-downgrade/up-down-up-path @profile:kep @profile:since-1.36
  Scenario: Pods of both releases keep running through an upgrade, a downgrade and another upgrade
    Given the API server, the scheduler, the controller manager and the kubelet run Kubernetes 1.35
    And the feature gate "DRAExtendedResource" is on in the API server, the scheduler, the controller manager and the kubelet
    When a pod "p1" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p1" runs
    When the API server, the scheduler, the controller manager and the kubelet now run the release under test
    And a pod "p2" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p1" runs
    And claim "extended resources of pod p1" keeps its allocation
    And pod "p2" runs
    When the API server, the scheduler, the controller manager and the kubelet now run Kubernetes 1.35
    And a pod "p3" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p2" runs
    And claim "extended resources of pod p1" keeps its allocation
    And claim "extended resources of pod p2" keeps its allocation
    And pod "p3" runs
    And the DeviceClass "gpu" has
      | field                     | value           |
      | spec.extendedResourceName | example.com/gpu |
    When the API server, the scheduler, the controller manager and the kubelet now run the release under test
    And a pod "p4" that requests 1 of "example.com/gpu" is created
    And a pod "p5" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p4" runs
    And pod "p5" is pending
    And claim "extended resources of pod p3" keeps its allocation
    And the special claim of pod "p1" serves
      | container | resource        |
      | main      | example.com/gpu |
    When pod "p1" is deleted
    And pod "p2" is deleted
    And the cluster settles
    Then the ResourceClaim "extended resources of pod p1" does not exist
    And the ResourceClaim "extended resources of pod p2" does not exist
    And pod "p5" runs
