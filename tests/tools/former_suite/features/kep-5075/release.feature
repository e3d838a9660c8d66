Feature: What a claim has consumed becomes available again when the claim is released

  Background:
    Given the device
      | device | shared | capacity bw | policy bw |
      | eth1   | yes    | 10          | default 0 |

  @case:a-claim-that-is-allocated-again-after-its-release
  @KEP-5075/status/share-id-stable
  Scenario: A claim that is allocated again after its release has a share of its own
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

  @case:an-allocation-leaves-the-slice-as-it-is
  @KEP-5075/capacity-accounting/slice-value-unchanged
  Scenario: An allocation leaves the slice as it is
    Given a claim "c" requesting 3 of "bw"
    And a pod "p" that uses claim "c"
    When the cluster settles
    Then claim "c" consumes 3 of "bw"
    And the ResourceSlice "pool-1-slice" is as it was
    And the ResourceSlice "pool-1-slice" has
      | field                             | value |
      | spec.devices[0].capacity.bw.value | 10    |
