@profile:since-1.35
Feature: What claims count in releases that may get more or fewer devices
  The document does not say how many a request for all devices counts, nor one with alternatives. Releases count the most
  that there can be.

  Background:
    Given a device class "mygpuclass" for "example.com/gpu"

  @case:several-requests-of-a-claim-add-up-and-all-devices
  @KEP-5004/quota/explicit-counts-resource-claims
  Scenario: Several requests of a claim add up, and all devices count 32
    Given a claim "c" with the requests
      | request | class      | mode | count |
      | a       | mygpuclass |      | 3     |
      | b       | mygpuclass | All  |       |
    When the usage of namespace "default" is counted
    Then the namespace uses 35 of "requests.example.com/gpu"
    And the namespace uses 35 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
    And the namespace uses 35 of "mygpuclass.deviceclass.resource.k8s.io/devices"

  @case:of-subrequests-the-largest-of-each-class-counts
  @KEP-5004/quota/explicit-counts-resource-claims
  Scenario: Of subrequests the largest of each class counts
    Given a device class "nic" for "example.com/nic"
    And a claim "c" with the requests
      | request | subrequest | class      | mode | count |
      | a       | two        | mygpuclass |      | 2     |
      | a       | three      | mygpuclass |      | 3     |
      | a       | one        | mygpuclass |      | 1     |
      | a       | nic        | nic        |      | 1     |
      | b       |            | mygpuclass |      | 1     |
    When the usage of namespace "default" is counted
    Then the namespace uses 4 of "requests.example.com/gpu"
    And the namespace uses 4 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
    And the namespace uses 4 of "mygpuclass.deviceclass.resource.k8s.io/devices"
    And the namespace uses 1 of "requests.example.com/nic"
    And the namespace uses 1 of "nic.deviceclass.resource.k8s.io/devices"

  @case:a-subrequest-for-all-devices-counts-32-whichever-is
  @KEP-5004/quota/explicit-counts-resource-claims
  Scenario: A subrequest for all devices counts 32, whichever is taken
    Given a device class "nic"
    And a claim "c" with the requests
      | request | subrequest | class      | mode | count |
      | a       | one        | mygpuclass |      | 1     |
      | a       | all        | mygpuclass | All  |       |
      | a       | nics       | nic        |      | 2     |
    When the usage of namespace "default" is counted
    Then the namespace uses 32 of "requests.example.com/gpu"
    And the namespace uses 32 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
    And the namespace uses 32 of "mygpuclass.deviceclass.resource.k8s.io/devices"
    And the namespace uses 2 of "nic.deviceclass.resource.k8s.io/devices"

  @case:a-claim-that-got-its-second-choice-counts-by-all
  @KEP-5004/quota/explicit-counts-resource-claims @KEP-5004/quota/implicit-counts-claims-and-explicit-dra
  Scenario: A claim that got its second choice counts by all that it requests
    Given a device class "nic" for "example.com/nic"
    And the device
      | device |
      | eth1   |
    And a claim "c" with the requests
      | request | subrequest | class      | count |
      | a       | gpus       | mygpuclass | 3     |
      | a       | nic        | nic        | 1     |
    And claim "c" already holds
      | device | request |
      | eth1   | a/nic   |
    When the usage of namespace "default" is counted
    Then the namespace uses 3 of "requests.example.com/gpu"
    And the namespace uses 3 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
    And the namespace uses 3 of "mygpuclass.deviceclass.resource.k8s.io/devices"
    And the namespace uses 1 of "requests.example.com/nic"
    And the namespace uses 1 of "nic.deviceclass.resource.k8s.io/devices"

  @case:what-two-requests-have-as-alternatives-adds-up
  @KEP-5004/quota/explicit-counts-resource-claims
  Scenario: What two requests have as alternatives adds up
    Given a claim "c" with the requests
      | request | subrequest | class      | count |
      | a       | two        | mygpuclass | 2     |
      | a       | one        | mygpuclass | 1     |
      | b       | three      | mygpuclass | 3     |
      | b       | one        | mygpuclass | 1     |
    When the usage of namespace "default" is counted
    Then the namespace uses 5 of "requests.example.com/gpu"
    And the namespace uses 5 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
    And the namespace uses 5 of "mygpuclass.deviceclass.resource.k8s.io/devices"
