Feature: What pods with claims count against quotas
  Only the spec of a pod counts, not what its claims take of the node.

  @case:of-cpu-a-pod-counts-what-it-requests-not-what-its
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

  @case:a-used-up-quota-of-cpu-leaves-room-for-a-pod-with-0
  @KEP-5517/accounting/quota-counts-spec-only
  Scenario: A used up quota of cpu leaves room for a pod with 0 cpu and a claim of 4, and for none with 1 cpu
    Given the devices
      | device | takes cpu |
      | cpus   | 4         |
    And a quota "q" of 1 of "requests.cpu"
    And a claim "c" requesting 1 device
    When the cluster settles
    And a pod "full" with the container is created
      | container | request cpu |
      | main      | 1           |
    Then it is stored
    When a pod "more" with the container is created
      | container | request cpu |
      | main      | 1           |
    Then it is rejected as Forbidden
    When a pod "p" with the container is created
      | container | request cpu | claims |
      | main      | 0           | c      |
    Then it is stored
    When the cluster settles
    Then quota "q" counts 1 of "requests.cpu"

  @case:later-a-pod-counts-what-its-status-says-that-its
  @KEP-5517/accounting/quota-includes-dra @profile:kep-future
  Scenario: Later a pod counts what its status says that its claims take, besides what it requests
    Given a pod "p" with the container
      | container | request cpu | request memory | claims |
      | main      | 1           | 1Gi            | c      |
    And the status of pod "p" records
      | claim | containers | takes cpu | takes hugepages-1Gi |
      | c     | main       | 4         | 2Gi                 |
    When the usage of namespace "default" is counted
    Then the namespace uses 5 of "requests.cpu"
    And the namespace uses 1Gi of "requests.memory"
    And the namespace uses 2Gi of "requests.hugepages-1Gi"

  @case:later-a-pod-with-1-cpu-and-a-claim-of-4-uses-up-a
  @KEP-5517/accounting/quota-includes-dra @profile:kep-future
  Scenario: Later a pod with 1 CPU and a claim of 4 uses up a quota of 5 once it is placed
    Given a node "node-1" with 64 of "cpu"
    And the devices
      | device | takes cpu        |
      | cpus   | 4 as AddPerClaim |
    And a quota "q" of 5 of "requests.cpu"
    And a claim "c" requesting 1 device
    And a pod "p" with the container
      | container | request cpu | claims |
      | main      | 1           | c      |
    When the cluster settles
    Then pod "p" runs
    And quota "q" counts 5 of "requests.cpu"
    When a pod "more" with the container is created
      | container | request cpu |
      | main      | 1m          |
    Then it is rejected as Forbidden
