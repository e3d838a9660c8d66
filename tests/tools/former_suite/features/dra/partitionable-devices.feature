Feature: Partitionable devices
  Several devices can be partitions of the same hardware. A counter set declares what the hardware has, and each
  device declares which counters it consumes. A device can be allocated only while enough of these counters
  remains.

  Until Kubernetes 1.34 a device consumes counter sets of its own ResourceSlice. Since 1.35 counter sets are in
  ResourceSlices of their own.

  Rule: Example of the DRA page with separate ResourceSlices

    @case:example-unallocated-claim
    @DRA/partitionable/example-8gi-6gi
    Scenario Outline: An unallocated ResourceClaim consumes no counters of the example pool
      Given the fixture "<pool>"
      And a claim "a" requesting 1 device
      And a claim "b" requesting 1 device
      When allocation of claim "b" on node "worker-1" is attempted
      Then claim "b" gets 1 device

      @profile:kep @profile:since-1.35
      Examples:
        | pool               |
        | 8gi-and-two-of-6gi |
