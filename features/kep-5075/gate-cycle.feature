Feature: The feature gate is turned off and on again
  From the upgrade and rollback test of the document: 10G of bandwidth, a workload that asks 5G, one of 2G
  while the gate is off, one of 8G and one of 2G when it is on again.

  Background:
    Given the devices
      | device | shared | capacity bw | policy bw  |
      | eth1   | yes    | 10G         | default 1G |
    And a claim "first" requesting 5G of "bw"
    And a pod "p" that uses claim "first"

  @KEP-5075/rollback/upgrade-downgrade-upgrade @KEP-5075/rollback/existing-workloads-continue
  Scenario: Shares of the first phase count when the gate is on again
    When the cluster settles
    Then pod "p" runs
    And claim "first" consumes 5G of "bw"
    When the feature gate "DRAConsumableCapacity" is turned off
    And the cluster settles
    Then pod "p" runs
    And claim "first" keeps its allocation
    When the feature gate "DRAConsumableCapacity" is turned on
    And a claim "too-big" requesting 8G of "bw" is created
    And a pod "q" that uses claim "too-big" is created
    And a claim "small" requesting 2G of "bw" is created
    And a pod "r" that uses claim "small" is created
    And the cluster settles
    Then pod "q" is pending
    And pod "r" runs
    And claim "small" consumes 2G of "bw"
    And claim "first" keeps its allocation
