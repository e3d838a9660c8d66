Feature: Changes to a device in use

  @case:exclusive-becomes-shared
  @KEP-5075/device-update/dedicated-to-shared-blocked @KEP-5075/device-update/dedicated-to-shared-no-default
  Scenario: A device in use that becomes multi-allocatable stays exclusive until it is released
    Given the device
      | device | capacity bw |
      | eth1   | 10          |
    And a ResourceClaim "old" requesting no capacity
    And a ResourceClaim "new" requesting 1 of "bw"
    And a pod "p" that uses ResourceClaim "old"
    When the cluster reaches a steady state
    Then ResourceClaim "old" is allocated exactly
      | device | shareID |
      | eth1   | no      |
    When the driver updates the device "eth1" with
      | field                    | value                                       |
      | allowMultipleAllocations | true                                        |
      | capacity[bw]             | {value: "10", requestPolicy: {default: "1"}} |
    And a pod "q" that uses ResourceClaim "new" is created
    And the cluster reaches a steady state
    Then pod "q" is Pending
    And ResourceClaim "old" keeps its allocation
    When pod "p" is deleted
    And the cluster reaches a steady state
    Then pod "q" is Running
    And ResourceClaim "new" is allocated exactly
      | device | consumedCapacity bw | shareID |
      | eth1   | 1                   | yes     |

  @case:partly-consumed-becomes-exclusive
  @KEP-5075/device-update/shared-to-dedicated-blocked
  Scenario: A partly consumed device that becomes exclusive is not allocated to a small request
    Given the device
      | device | allowMultipleAllocations | capacity bw |
      | eth1   | yes                      | 10          |
    And a ResourceClaim "old" requesting 3 of "bw"
    And a ResourceClaim "new" requesting 1 of "bw"
    And a pod "p" that uses ResourceClaim "old"
    When the cluster reaches a steady state
    And the driver updates the device "eth1" with
      | field                    | value |
      | allowMultipleAllocations | false |
    And a pod "q" that uses ResourceClaim "new" is created
    And the cluster reaches a steady state
    Then pod "q" is Pending
    But from Kubernetes 1.34 to 1.37, because these releases allocate a device that became exclusive if enough of its capacity remains: pod "q" is Running

  @case:second-claim-of-pod-with-share
  @KEP-5075/device-update/shared-to-dedicated-blocked
  Scenario Outline: A device with a shared allocation for a pod is not allocated exclusively to the same pod
    Given the device
      | device | allowMultipleAllocations | capacity bw |
      | eth1   | yes                      | 10          |
    And a ResourceClaim "old" requesting 3 of "bw"
    And a ResourceClaim "new" requesting 1 of "bw"
    And a pod "p" that uses ResourceClaim "old"
    When the cluster reaches a steady state
    Then ResourceClaim "old" consumes 3 of "bw"
    When the driver updates the device "eth1" with
      | field                    | value |
      | allowMultipleAllocations | null  |
    And a pod "q" that uses ResourceClaims "<claims>" is created
    And the cluster reaches a steady state
    Then pod "q" is Pending
    And ResourceClaim "new" is not allocated
    But from Kubernetes 1.34 to 1.37, because these releases allocate a device that became exclusive if enough of its capacity remains: pod "q" is Running

    Examples:
      | claims   |
      | old, new |
      | new, old |

  @case:same-claim-again-exclusive
  @KEP-5075/device-update/shared-to-dedicated-after-release
  Scenario: A ResourceClaim that had a shared allocation is allocated the device again exclusively
    Given the device
      | device | allowMultipleAllocations | capacity bw |
      | eth1   | yes                      | 10          |
    And a ResourceClaim "c" requesting 3 of "bw"
    And a ResourceClaim "d" requesting 3 of "bw"
    And a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then ResourceClaim "c" is allocated exactly
      | device | consumedCapacity bw | shareID |
      | eth1   | 3                   | yes     |
    When pod "p" is deleted
    And the cluster reaches a steady state
    Then ResourceClaim "c" is not allocated
    When the driver updates the device "eth1" with
      | field                    | value |
      | allowMultipleAllocations | null  |
    And a pod "q" that uses ResourceClaim "c" is created
    And the cluster reaches a steady state
    Then pod "q" is Running
    And ResourceClaim "c" is allocated exactly
      | device | shareID |
      | eth1   | no      |
    When a pod "r" that uses ResourceClaim "d" is created
    And the cluster reaches a steady state
    Then pod "r" is Pending

  @case:same-claim-again-shared
  @KEP-5075/device-update/dedicated-to-shared-blocked
  Scenario: A ResourceClaim that had an exclusive device gets a shared allocation of the same device
    Given the device
      | device | capacity bw |
      | eth1   | 10          |
    And a ResourceClaim "c" requesting 3 of "bw"
    And a ResourceClaim "d" requesting 7 of "bw"
    And a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then ResourceClaim "c" is allocated exactly
      | device | shareID |
      | eth1   | no      |
    When pod "p" is deleted
    And the cluster reaches a steady state
    Then ResourceClaim "c" is not allocated
    When the driver updates the device "eth1" with
      | field                    | value |
      | allowMultipleAllocations | true  |
    And a pod "q" that uses ResourceClaim "c" is created
    And a pod "r" that uses ResourceClaim "d" is created
    And the cluster reaches a steady state
    Then pod "q" is Running
    And pod "r" is Running
    And ResourceClaim "c" is allocated exactly
      | device | consumedCapacity bw | shareID |
      | eth1   | 3                   | yes     |

  @case:policy-change-affects-later-only
  @KEP-5075/device-update/policy-change-future-only @KEP-5075/device-update/policy-change-no-revalidation
  @KEP-5075/device-update/driver-should-avoid-policy-change
  Scenario: A changed requestPolicy applies to later allocations only
    Given the device
      | device | allowMultipleAllocations | capacity bw | requestPolicy bw |
      | eth1   | yes                      | 10          | default 1        |
    And a ResourceClaim "old" requesting 3 of "bw"
    And a ResourceClaim "new" requesting 1 of "bw"
    And a ResourceClaim "late" requesting 1 of "bw"
    And a pod "p" that uses ResourceClaim "old"
    When the cluster reaches a steady state
    Then ResourceClaim "old" consumes 3 of "bw"
    When the driver updates the device "eth1" with
      | field                     | value                                       |
      | capacity.bw.requestPolicy | {default: 4, validRange: {min: 4, step: 4}} |
    Then the object is stored
    When a pod "q" that uses ResourceClaim "new" is created
    And the cluster reaches a steady state
    Then ResourceClaim "old" keeps its allocation
    And ResourceClaim "new" consumes 4 of "bw"
    When a pod "r" that uses ResourceClaim "late" is created
    And the cluster reaches a steady state
    Then pod "r" is Pending
    When the driver updates the device "eth1" with
      | field                     | value |
      | capacity.bw.requestPolicy | null  |
    And the cluster reaches a steady state
    Then pod "r" is Running
    And ResourceClaim "late" consumes 1 of "bw"
    And ResourceClaim "old" keeps its allocation
    And ResourceClaim "new" keeps its allocation

  @case:policy-change-keeps-consumed
  @KEP-5075/device-update/policy-change-future-only @KEP-5075/device-update/policy-change-no-revalidation
  Scenario Outline: A changed requestPolicy does not round up the capacity that is already consumed
    Given the device
      | device | allowMultipleAllocations | capacity bw | requestPolicy bw |
      | eth1   | yes                      | 10          | default 1        |
    And a ResourceClaim "old" requesting 3 of "bw"
    And a ResourceClaim "new" requesting 7 of "bw"
    And a pod "p" that uses ResourceClaim "old"
    When the cluster reaches a steady state
    Then ResourceClaim "old" consumes 3 of "bw"
    When the driver updates the device "eth1" with
      | field                     | value    |
      | capacity.bw.requestPolicy | <policy> |
    And a pod "q" that uses ResourceClaim "new" is created
    And the cluster reaches a steady state
    Then pod "q" is Running
    And ResourceClaim "new" consumes 7 of "bw"
    And ResourceClaim "old" keeps its allocation

    Examples:
      | policy                              |
      | {default: 4, validRange: {min: 4}}  |
      | {default: 4, validValues: [4, 7]}   |

  Rule: A device becomes exclusive while it has a shared allocation

    Background:
      Given the device
        | device | allowMultipleAllocations | capacity bw |
        | eth1   | yes                      | 10          |
      And a ResourceClaim "old" requesting 10 of "bw"
      And a ResourceClaim "new" requesting 1 of "bw"
      And a pod "p" that uses ResourceClaim "old"
      When the cluster reaches a steady state
      Then ResourceClaim "old" consumes 10 of "bw"
      When the driver updates the device "eth1" with
        | field                    | value |
        | allowMultipleAllocations | null  |
      And a pod "q" that uses ResourceClaim "new" is created
      And the cluster reaches a steady state
      Then pod "q" is Pending

    @case:shared-becomes-exclusive
    @KEP-5075/device-update/shared-to-dedicated-blocked
    @KEP-5075/device-update/shared-to-dedicated-not-deallocated
    Scenario: A device that becomes exclusive is not allocated while it has a shared allocation
      Then pod "p" is Running
      And ResourceClaim "old" keeps its allocation
      And ResourceClaim "new" is not allocated

    @case:exclusive-after-last-share
    @KEP-5075/device-update/shared-to-dedicated-after-release
    Scenario: A device that becomes exclusive can be allocated after release of its shared allocations
      When pod "p" is deleted
      And the cluster reaches a steady state
      Then pod "q" is Running
      And ResourceClaim "new" is allocated exactly
        | device | shareID |
        | eth1   | no      |
