Feature: What pods with claims count against quotas
  Only the spec of a pod counts, not what its claims take of the node.

  @KEP-5517/accounting/quota-counts-spec-only
  Scenario: Of cpu a pod counts what it requests, not what its claim takes
    Given the devices
      | device | takes cpu |
      | cpus   | 30        |
    And a pod "p" with the container
      | container | request cpu | claims |
      | main      | 1           | c      |
    And claim "c" already holds
      | device |
      | cpus   |
    When the usage of namespace "default" is counted
    Then the namespace uses 1 of "requests.cpu"
    And the namespace uses 1 of "cpu"
