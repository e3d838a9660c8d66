Feature: Pools
  A pool is a group of devices that its driver manages together. A pool consists of one or several
  ResourceSlices, and a change to the pool must reach all of them.

  Rule: Incomplete pools

    @case:other-node-incomplete-counters
    @DRA/pool/incomplete-all-mode
    Scenario: An incomplete pool with counters on another node does not block allocationMode: All
      Given a node "node-1"
      And a node "node-2"
      And the counter set
        | set   | pool   | node   | counter memory |
        | gpu-0 | pool-2 | node-2 | 8Gi            |
      And the devices
        | device | pool   | node   | counters gpu-0 |
        | d1     | pool-1 | node-1 |                |
        | d9     | pool-2 | node-2 | memory 8Gi     |
      And pool "pool-2" says it has 3 slices
      And a claim "c" requesting all devices
      When allocation of claim "c" on node "node-1" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
      But from Kubernetes 1.35 to 1.36, because a slice with counters concerns every node: the allocation ends in an error because of PoolIncomplete
