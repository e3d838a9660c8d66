Feature: Which nodes have enough for a pod and its claims
  A node fits if what it has left covers what the pod requests and what its claims take there.

  Rule: Devices and nodes are limits apart

    @case:with-the-gate-a-pod-without-claims-goes-where-it
    @KEP-5517/feature-gate/no-effect-without-mapped-claims
    Scenario Outline: With the gate <state> a pod without claims goes where it fits
      Given the feature gate "DRANodeAllocatableResources" is <state>
      And a node "node-1" with 1 of "cpu"
      And a pod "p" with the container
        | container | request cpu |
        | main      | 1           |
      When the cluster settles
      Then pod "p" runs on node "node-1"
      And pod "p" records nothing

      Examples:
        | state |
        | on    |
        | off   |
