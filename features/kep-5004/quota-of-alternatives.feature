@profile:since-1.35
Feature: Quota usage of allocationMode: All and of prioritized lists
  The KEP does not say how many devices count for allocationMode: All and for firstAvailable. Releases count the
  largest possible number.

  Background:
    Given a DeviceClass "mygpuclass" for extended resource "example.com/gpu"

  @case:all-mode-counts-32
  @KEP-5004/quota/explicit-counts-resource-claims
  Scenario: Requests of a ResourceClaim add up in quotas and allocationMode: All counts as 32 devices
    Given a ResourceClaim "c" with the requests
      | request | deviceClassName | allocationMode | count |
      | a       | mygpuclass      |                | 3     |
      | b       | mygpuclass      | All            |       |
    When the quota usage of namespace "default" is computed
    Then the namespace uses 35 of "requests.example.com/gpu"
    And the namespace uses 35 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
    And the namespace uses 35 of "mygpuclass.deviceclass.resource.k8s.io/devices"

  @case:largest-subrequest-of-each-class
  @KEP-5004/quota/explicit-counts-resource-claims
  Scenario: A prioritized list counts in quotas with the largest subrequest of each DeviceClass
    Given a DeviceClass "nic" for extended resource "example.com/nic"
    And a ResourceClaim "c" with the requests
      | request | subrequest | deviceClassName | allocationMode | count |
      | a       | two        | mygpuclass      |                | 2     |
      | a       | three      | mygpuclass      |                | 3     |
      | a       | one        | mygpuclass      |                | 1     |
      | a       | nic        | nic             |                | 1     |
      | b       |            | mygpuclass      |                | 1     |
    When the quota usage of namespace "default" is computed
    Then the namespace uses 4 of "requests.example.com/gpu"
    And the namespace uses 4 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
    And the namespace uses 4 of "mygpuclass.deviceclass.resource.k8s.io/devices"
    And the namespace uses 1 of "requests.example.com/nic"
    And the namespace uses 1 of "nic.deviceclass.resource.k8s.io/devices"

  @case:all-mode-subrequest-counts-32
  @KEP-5004/quota/explicit-counts-resource-claims
  Scenario: A subrequest with allocationMode: All counts as 32 devices in quotas
    Given a DeviceClass "nic"
    And a ResourceClaim "c" with the requests
      | request | subrequest | deviceClassName | allocationMode | count |
      | a       | one        | mygpuclass      |                | 1     |
      | a       | all        | mygpuclass      | All            |       |
      | a       | nics       | nic             |                | 2     |
    When the quota usage of namespace "default" is computed
    Then the namespace uses 32 of "requests.example.com/gpu"
    And the namespace uses 32 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
    And the namespace uses 32 of "mygpuclass.deviceclass.resource.k8s.io/devices"
    And the namespace uses 2 of "nic.deviceclass.resource.k8s.io/devices"

  @case:second-subrequest-allocated
  @KEP-5004/quota/explicit-counts-resource-claims @KEP-5004/quota/implicit-counts-claims-and-explicit-dra
  Scenario: A prioritized list counts all its DeviceClasses after its second subrequest is allocated
    Given a DeviceClass "nic" for extended resource "example.com/nic"
    And the device
      | device |
      | eth1   |
    And a ResourceClaim "c" with the requests
      | request | subrequest | deviceClassName | count |
      | a       | gpus       | mygpuclass      | 3     |
      | a       | nic        | nic             | 1     |
    And ResourceClaim "c" is already allocated
      | device | request |
      | eth1   | a/nic   |
    When the quota usage of namespace "default" is computed
    Then the namespace uses 3 of "requests.example.com/gpu"
    And the namespace uses 3 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
    And the namespace uses 3 of "mygpuclass.deviceclass.resource.k8s.io/devices"
    And the namespace uses 1 of "requests.example.com/nic"
    And the namespace uses 1 of "nic.deviceclass.resource.k8s.io/devices"

  @case:two-lists-add-up
  @KEP-5004/quota/explicit-counts-resource-claims
  Scenario: Two prioritized lists of a ResourceClaim add up in quotas
    Given a ResourceClaim "c" with the requests
      | request | subrequest | deviceClassName | count |
      | a       | two        | mygpuclass      | 2     |
      | a       | one        | mygpuclass      | 1     |
      | b       | three      | mygpuclass      | 3     |
      | b       | one        | mygpuclass      | 1     |
    When the quota usage of namespace "default" is computed
    Then the namespace uses 5 of "requests.example.com/gpu"
    And the namespace uses 5 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
    And the namespace uses 5 of "mygpuclass.deviceclass.resource.k8s.io/devices"
