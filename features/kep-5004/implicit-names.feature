@profile:kep @profile:since-1.35
Feature: Implicit extended resource names of DeviceClasses
  Every DeviceClass, with or without an extendedResourceName, can be requested as the extended resource
  deviceclass.resource.kubernetes.io/NAME.

  Background:
    Given the devices
      | device |
      | gpu-0  |
      | gpu-1  |
      | gpu-2  |

  @case:class-without-explicit-name
  @KEP-5004/implicit-name/every-class-reachable @KEP-5004/pod-status/mapping-fields
  Scenario: A DeviceClass without extendedResourceName can be requested by its implicit name
    Given a DeviceClass "gpu.example.com"
    And a pod "p" that requests 2 of "deviceclass.resource.kubernetes.io/gpu.example.com"
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" is allocated 2 devices
    And ResourceClaim "extended resources of pod p" has
      | field                                            | value           |
      | spec.devices.requests[0].exactly.deviceClassName | gpu.example.com |
    And pod "p" has the requestMappings
      | containerName | resourceName                                       |
      | main          | deviceclass.resource.kubernetes.io/gpu.example.com |

  @case:all-devices-allocated
  @KEP-5004/implicit-name/every-class-reachable
  Scenario: A pod stays Pending once all devices are allocated through the implicit name
    Given a DeviceClass "gpu"
    When a pod "p" that requests 3 of "deviceclass.resource.kubernetes.io/gpu" is created
    And the cluster reaches a steady state
    And a pod "q" that requests 1 of "deviceclass.resource.kubernetes.io/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running
    And pod "q" is Pending

  @case:class-with-explicit-name
  @KEP-5004/implicit-name/in-addition-to-explicit @KEP-5004/scheduling-phase/dynamic-resources-table
  Scenario: A DeviceClass with extendedResourceName can be requested by explicit or implicit name
    Given a DeviceClass "mygpuclass" for extended resource "example.com/gpu"
    And a pod "p" that requests 1 of "example.com/gpu"
    And a pod "q" that requests 1 of "deviceclass.resource.kubernetes.io/mygpuclass"
    When the cluster reaches a steady state
    Then pod "p" is Running
    And pod "q" is Running
    And ResourceClaim "extended resources of pod p" has
      | field                                            | value      |
      | spec.devices.requests[0].exactly.deviceClassName | mygpuclass |
    And ResourceClaim "extended resources of pod q" has
      | field                                            | value      |
      | spec.devices.requests[0].exactly.deviceClassName | mygpuclass |

  @case:older-class-implicit-name
  @KEP-5004/implicit-name/collision-loser-keeps-implicit-name
  Scenario: An older DeviceClass for the same resource can be requested by its implicit name
    Given a DeviceClass "a" for extended resource "example.com/gpu" created at "2020-01-01T10:00:00Z"
    And a DeviceClass "b" for extended resource "example.com/gpu" created at "2020-01-01T11:00:00Z"
    And a pod "p" that requests 1 of "deviceclass.resource.kubernetes.io/a"
    And a pod "q" that requests 1 of "example.com/gpu"
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" has
      | field                                            | value |
      | spec.devices.requests[0].exactly.deviceClassName | a     |
    And ResourceClaim "extended resources of pod q" has
      | field                                            | value |
      | spec.devices.requests[0].exactly.deviceClassName | b     |

  @case:never-backing-class-implicit-name
  @KEP-5004/implicit-name/collision-loser-keeps-implicit-name
  Scenario: A DeviceClass that does not back its explicit name can be requested by its implicit name
    Given a DeviceClass "b" for extended resource "example.com/gpu" created at "2020-01-01T11:00:00Z"
    And a DeviceClass "c" for extended resource "example.com/gpu" created at "2020-01-01T10:00:00Z"
    And a pod "p" that requests 1 of "deviceclass.resource.kubernetes.io/c"
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" has
      | field                                            | value |
      | spec.devices.requests[0].exactly.deviceClassName | c     |
    But since Kubernetes 1.35, because a DeviceClass added while another one backs its explicit name gets no implicit name either: pod "p" is Pending

  @case:near-implicit-name-backed-by-no-class
  @KEP-5004/implicit-name/prefix-exact
  Scenario Outline: A pod that requests a misspelled implicit name stays Pending
    Given a DeviceClass "gpu"
    And the feature gate "DRAExtendedResource" is on
    And a pod "p" that requests 1 of "<resource>"
    When the cluster reaches a steady state
    Then pod "p" is Pending
    And pod "p" has no extended-resource claim

    Examples:
      | resource                                 |
      | deviceclass.resource.kubernetes.io/gpux  |
      | deviceclass.resource.kubernetes.io/GPU   |
      | deviceclass.resource.k8s.io/gpu          |
      | x.deviceclass.resource.kubernetes.io/gpu |

  @case:deleted-class-implicit-name
  @KEP-5004/implicit-name/prefix-exact
  Scenario: A pod that requests the implicit name of a deleted DeviceClass stays Pending
    Given a DeviceClass "gpu"
    And a pod "p" that requests 1 of "deviceclass.resource.kubernetes.io/gpu"
    When DeviceClass "gpu" is deleted
    And the cluster reaches a steady state
    Then pod "p" is Pending

  @case:names-and-claims-share-devices
  @KEP-5004/implicit-name/shares-pool-with-explicit-and-claims
  Scenario: Requests by explicit name, by implicit name and by ResourceClaim share the same devices
    Given a DeviceClass "mygpuclass" for extended resource "example.com/gpu"
    And a ResourceClaim "c" requesting 1 device of class "mygpuclass"
    And a pod "p" that requests 1 of "example.com/gpu"
    And a pod "q" that requests 1 of "deviceclass.resource.kubernetes.io/mygpuclass"
    And a pod "r" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then pod "p" is Running
    And pod "q" is Running
    And pod "r" is Running
    When a ResourceClaim "d" requesting 1 device of class "mygpuclass" is created
    And a pod "late-1" that requests 1 of "example.com/gpu" is created
    And a pod "late-2" that requests 1 of "deviceclass.resource.kubernetes.io/mygpuclass" is created
    And a pod "late-3" that uses ResourceClaim "d" is created
    And the cluster reaches a steady state
    Then pod "late-1" is Pending
    And pod "late-2" is Pending
    And pod "late-3" is Pending

  @case:both-names-in-one-container
  @KEP-5004/implicit-name/both-names-in-one-container @KEP-5004/special-claim/at-most-one-per-pod
  Scenario: A container that requests a DeviceClass by explicit and implicit name gets both quantities
    Given a DeviceClass "mygpuclass" for extended resource "example.com/gpu"
    And a pod "p" that requests 1 of "example.com/gpu" and 2 of "deviceclass.resource.kubernetes.io/mygpuclass"
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" is allocated 3 devices
    And pod "p" has the requestMappings
      | containerName | resourceName                                  |
      | main          | example.com/gpu                               |
      | main          | deviceclass.resource.kubernetes.io/mygpuclass |

  @case:both-names-exceed-devices
  @KEP-5004/implicit-name/both-names-in-one-container
  Scenario: A pod stays Pending if its explicit and implicit names together request too many devices
    Given a DeviceClass "mygpuclass" for extended resource "example.com/gpu"
    And a pod "p" that requests 2 of "example.com/gpu" and 2 of "deviceclass.resource.kubernetes.io/mygpuclass"
    When the cluster reaches a steady state
    Then pod "p" is Pending
    And pod "p" has no extended-resource claim

  @case:long-class-name-explicit-name
  @KEP-5004/implicit-name/long-class-name-uses-explicit
  Scenario: A DeviceClass whose name is too long for an implicit name is requested by explicit name
    Given a DeviceClass "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb" for extended resource "example.com/gpu"
    And a pod "p" that requests 1 of "example.com/gpu"
    When the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" has
      | field                                            | value                                                                                                |
      | spec.devices.requests[0].exactly.deviceClassName | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb |
