Feature: Changes to a device in use

  @case:exclusive-becomes-shared
  @KEP-5075/device-update/dedicated-to-shared-blocked @KEP-5075/device-update/dedicated-to-shared-no-default
  Scenario: A device in use that becomes multi-allocatable stays exclusive until it is released
    Given the device
      | device | capacity bw |
      | eth1   | 10          |
    And a claim "old" requesting no capacity
    And a claim "new" requesting 1 of "bw"
    And a pod "p" that uses claim "old"
    When the cluster settles
    Then claim "old" gets exactly
      | device | share |
      | eth1   | no    |
    When the driver changes the device "eth1"
      | field                    | value                                       |
      | allowMultipleAllocations | true                                        |
      | capacity[bw]             | {value: "10", requestPolicy: {default: "1"}} |
    And a pod "q" that uses claim "new" is created
    And the cluster settles
    Then pod "q" is pending
    And claim "old" keeps its allocation
    When pod "p" is deleted
    And the cluster settles
    Then pod "q" runs
    And claim "new" gets exactly
      | device | consumed bw | share |
      | eth1   | 1           | yes   |

  @case:shared-becomes-exclusive
  @KEP-5075/device-update/shared-to-dedicated-blocked
  @KEP-5075/device-update/shared-to-dedicated-not-deallocated
  @KEP-5075/device-update/shared-to-dedicated-after-release
  Scenario: A device that becomes exclusive is allocated again after its last shared allocation
    Given the device
      | device | shared | capacity bw |
      | eth1   | yes    | 10          |
    And a claim "old" requesting 10 of "bw"
    And a claim "new" requesting 1 of "bw"
    And a pod "p" that uses claim "old"
    When the cluster settles
    Then claim "old" consumes 10 of "bw"
    When the driver changes the device "eth1"
      | field                    | value |
      | allowMultipleAllocations | null  |
    And a pod "q" that uses claim "new" is created
    And the cluster settles
    Then pod "p" runs
    And claim "old" keeps its allocation
    And pod "q" is pending
    When pod "p" is deleted
    And the cluster settles
    Then pod "q" runs
    And claim "new" gets exactly
      | device | share |
      | eth1   | no    |

  @case:partly-consumed-becomes-exclusive
  @KEP-5075/device-update/shared-to-dedicated-blocked
  Scenario: A partly consumed device that becomes exclusive is not allocated to a small request
    Given the device
      | device | shared | capacity bw |
      | eth1   | yes    | 10          |
    And a claim "old" requesting 3 of "bw"
    And a claim "new" requesting 1 of "bw"
    And a pod "p" that uses claim "old"
    When the cluster settles
    And the driver changes the device "eth1"
      | field                    | value |
      | allowMultipleAllocations | false |
    And a pod "q" that uses claim "new" is created
    And the cluster settles
    Then pod "q" is pending
    But since Kubernetes 1.34, because these releases allocate a device that became exclusive if enough of its capacity remains: pod "q" runs

  @case:policy-change-affects-later-only
  @KEP-5075/device-update/policy-change-future-only @KEP-5075/device-update/policy-change-no-revalidation
  @KEP-5075/device-update/driver-should-avoid-policy-change
  Scenario: A changed requestPolicy applies to later allocations only
    Given the device
      | device | shared | capacity bw | policy bw |
      | eth1   | yes    | 10          | default 1 |
    And a claim "old" requesting 3 of "bw"
    And a claim "new" requesting 1 of "bw"
    And a claim "late" requesting 1 of "bw"
    And a pod "p" that uses claim "old"
    When the cluster settles
    Then claim "old" consumes 3 of "bw"
    When the driver changes the device "eth1"
      | field                     | value                                       |
      | capacity.bw.requestPolicy | {default: 4, validRange: {min: 4, step: 4}} |
    Then it is stored
    When a pod "q" that uses claim "new" is created
    And the cluster settles
    Then claim "old" keeps its allocation
    And claim "new" consumes 4 of "bw"
    When a pod "r" that uses claim "late" is created
    And the cluster settles
    Then pod "r" is pending
    When the driver changes the device "eth1"
      | field                     | value |
      | capacity.bw.requestPolicy | null  |
    And the cluster settles
    Then pod "r" runs
    And claim "late" consumes 1 of "bw"
    And claim "old" keeps its allocation
    And claim "new" keeps its allocation
