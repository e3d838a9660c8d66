Feature: What the devices of a claim take of a node
  A device says for each resource how much each device is, or how much a unit of its capacity is.

  Background:
    Given a pod "p" that uses claim "c"

  Rule: With a capacity, what is consumed of it counts

    Background:
      Given the device
        | device  | shared | capacity cores | capacity memory | takes cpu | takes memory |
        | socket0 | yes    | 128            | 256Gi           | 2 x cores | memory       |

    @case:of-a-capacity-that-is-not-consumed-nothing-is-taken
    @KEP-5517/mapping/capacity-key-absent-from-consumed-map
    Scenario: Of a capacity that is not consumed nothing is taken
      Given claim "c" already holds
        | device  | share | consumed memory |
        | socket0 | s1    | 8Gi             |
      When the footprint of pod "p" is counted
      Then the pod takes 8Gi of "memory"
      And claim "c" takes 8Gi of "memory"

    @case:a-claim-that-consumes-nothing-that-counts-has-no
    @KEP-5517/mapping/capacity-key-absent-from-consumed-map
    Scenario: A claim that consumes nothing that counts has no entry
      Given claim "c" already holds
        | device  | share | consumed wrong |
        | socket0 | s1    | 4              |
      When the footprint of pod "p" is counted
      Then the pod takes nothing
      And claim "c" takes nothing
