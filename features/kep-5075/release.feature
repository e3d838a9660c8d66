Feature: Capacity after the release of a ResourceClaim

  Background:
    Given the device
      | device | shared | capacity bw | policy bw |
      | eth1   | yes    | 10          | default 0 |

  @case:pending-pod-runs-after-release
  @KEP-5075/lifecycle/release-frees-capacity @KEP-5075/lifecycle/pending-pod-starts-after-release
  Scenario: A Pending pod runs after a pod with a generated ResourceClaim is deleted
    Given a template "six" requesting 6 of "bw"
    And a pod "p" that uses the template "six" as "nic"
    When the cluster settles
    Then pod "p" runs
    And claim "nic of pod p" consumes 6 of "bw"
    When a pod "q" that uses the template "six" as "nic" is created
    And the cluster settles
    Then pod "q" is pending
    And claim "nic of pod q" is not allocated
    When pod "p" is deleted
    And the cluster settles
    Then pod "q" runs
    And claim "nic of pod q" consumes 6 of "bw"

  @case:release-frees-too-little
  @KEP-5075/lifecycle/pending-pod-stays-if-still-too-big
  Scenario: A pod stays Pending if a release frees too little capacity
    Given a claim "first" requesting 4 of "bw"
    And a claim "second" requesting 4 of "bw"
    And a claim "big" requesting 8 of "bw"
    And a pod "p" that uses claim "first"
    And a pod "q" that uses claim "second"
    When the cluster settles
    And a pod "r" that uses claim "big" is created
    And the cluster settles
    Then pod "r" is pending
    When pod "p" is deleted
    And the cluster settles
    Then pod "r" is pending
    And claim "big" is not allocated
    When pod "q" is deleted
    And the cluster settles
    Then pod "r" runs

  @case:release-frees-both-devices
  @KEP-5075/lifecycle/claim-with-several-shares
  Scenario: A released ResourceClaim frees its shared allocations of both devices
    Given the device
      | device | shared | capacity bw | policy bw |
      | eth2   | yes    | 10          | default 0 |
    And a claim "pair" with the request
      | request | count | capacity bw |
      | r0      | 2     | 6           |
    And a claim "next" with the request
      | request | count | capacity bw |
      | r0      | 2     | 6           |
    And a pod "p" that uses claim "pair"
    When the cluster settles
    Then claim "pair" gets 2 devices
    When a pod "q" that uses claim "next" is created
    And the cluster settles
    Then pod "q" is pending
    When pod "p" is deleted
    And the cluster settles
    Then pod "q" runs
    And claim "next" gets 2 devices
    And claim "pair" is not allocated

  @case:claim-kept-until-last-pod
  @KEP-5075/lifecycle/claim-kept-while-used
  Scenario: A ResourceClaim of two pods stays allocated until the last pod is deleted
    Given a claim "common" requesting 6 of "bw"
    And a claim "next" requesting 6 of "bw"
    And a pod "p" that uses claim "common"
    And a pod "q" that uses claim "common"
    When the cluster settles
    Then claim "common" is reserved for pods "p, q"
    When a pod "r" that uses claim "next" is created
    And pod "p" is deleted
    And the cluster settles
    Then claim "common" keeps its allocation
    And claim "common" is reserved for pod "q"
    And pod "r" is pending
    When pod "q" is deleted
    And the cluster settles
    Then claim "common" is not allocated
    And pod "r" runs

  @case:full-capacity-after-last-share
  @KEP-5075/lifecycle/release-of-last-share-makes-device-free
  Scenario: The full capacity is available after the last shared allocation is released
    Given a claim "first" requesting 3 of "bw"
    And a claim "second" requesting 4 of "bw"
    And a claim "everything" requesting 10 of "bw"
    And a pod "p" that uses claim "first"
    And a pod "q" that uses claim "second"
    When the cluster settles
    And a pod "r" that uses claim "everything" is created
    And pod "p" is deleted
    And the cluster settles
    Then pod "r" is pending
    When pod "q" is deleted
    And the cluster settles
    Then pod "r" runs
    And claim "everything" consumes 10 of "bw"

  @case:zero-consumption-has-no-effect
  @KEP-5075/lifecycle/zero-consumption-release
  Scenario: Shared allocations that consume zero do not affect other allocations
    Given a claim "everything" requesting 10 of "bw"
    And a claim "nothing" requesting no capacity
    And a claim "nothing-either" requesting no capacity
    And a pod "p" that uses claim "everything"
    And a pod "q" that uses claim "nothing"
    When the cluster settles
    Then claim "everything" consumes 10 of "bw"
    And claim "nothing" consumes 0 of "bw"
    When pod "q" is deleted
    And the cluster settles
    Then claim "everything" keeps its allocation
    And claim "nothing" is not allocated
    When a pod "r" that uses claim "nothing-either" is created
    And the cluster settles
    Then pod "r" runs
    And claim "everything" keeps its allocation

  @case:share-id-stays
  @KEP-5075/status/share-id-stable
  Scenario: A ResourceClaim keeps its shareID across other allocations and a scheduler restart
    Given a claim "first" requesting 3 of "bw"
    And a claim "second" requesting 4 of "bw"
    And a pod "p" that uses claim "first"
    When the cluster settles
    Then claim "first" gets exactly
      | device | share |
      | eth1   | yes   |
    When a pod "q" that uses claim "second" is created
    And the cluster settles
    Then claim "first" keeps its allocation
    When pod "q" is deleted
    And the scheduler restarts
    And the cluster settles
    Then claim "first" keeps its allocation

  @case:new-share-id-after-release
  @KEP-5075/status/share-id-stable
  Scenario: A released ResourceClaim gets a new shareID when it is allocated again
    Given a claim "c" requesting 3 of "bw"
    And a pod "p" that uses claim "c"
    When the cluster settles
    Then claim "c" has new shares
    When pod "p" is deleted
    And the cluster settles
    Then claim "c" is not allocated
    When a pod "q" that uses claim "c" is created
    And the cluster settles
    Then claim "c" has new shares
    And claim "c" consumes 3 of "bw"

  @case:slice-unchanged
  @KEP-5075/capacity-accounting/slice-value-unchanged
  Scenario: A ResourceSlice is not changed by an allocation
    Given a claim "c" requesting 3 of "bw"
    And a pod "p" that uses claim "c"
    When the cluster settles
    Then claim "c" consumes 3 of "bw"
    And the ResourceSlice "pool-1-slice" is as it was
    And the ResourceSlice "pool-1-slice" has
      | field                             | value |
      | spec.devices[0].capacity.bw.value | 10    |

  @case:device-status-gate-off
  @KEP-5075/feature-gate/works-without-device-status @profile:kep @profile:until-1.36
  Scenario: With DRAResourceClaimDeviceStatus off, ResourceClaims can still share a device
    Given the feature gate "DRAResourceClaimDeviceStatus" is off
    And a claim "first" requesting 3 of "bw"
    And a claim "second" requesting 4 of "bw"
    And a pod "p" that uses claims "first, second"
    When the cluster settles
    Then pod "p" runs
    And claim "first" consumes 3 of "bw"
    And claim "second" consumes 4 of "bw"
