Feature: Allocation of partitionable devices
  Several devices can be partitions of the same hardware. A counter set declares what the hardware has, and each
  device declares which counters it consumes. A device can be allocated only while enough of these counters
  remains.

  Until Kubernetes 1.34 a device consumes counter sets of its own ResourceSlice. Since 1.35 counter sets are in
  ResourceSlices of their own.

  Rule: Partition example in the DRA docs with the counter set in a separate ResourceSlice

    @case:example-one-device
    @DRA/partitionable/example-8gi-6gi
    Scenario Outline: A request for one device gets one of the two partitions in the DRA docs' example
      Given the fixture "<pool>"
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "worker-1" is attempted
      Then ResourceClaim "c" is allocated one of
        | choice | request | pool | device   |
        | 1      | r0      | pool | device-1 |
        | 2      | r0      | pool | device-2 |

      @profile:kep @profile:since-1.35
      Examples:
        | pool               |
        | 8gi-and-two-of-6gi |

    @case:example-other-device-in-use
    @DRA/partitionable/example-8gi-6gi
    Scenario Outline: A partition in the DRA docs' example is not allocated while the other partition is in use
      Given the fixture "<pool>"
      And ResourceClaim "a" is already allocated
        | pool | device |
        | pool | <held> |
      And a ResourceClaim "b" requesting 1 device
      When allocation of ResourceClaim "b" on node "worker-1" is attempted
      Then no allocation is possible because of CounterExhausted

      @profile:kep @profile:since-1.35
      Examples:
        | held     | pool               |
        | device-1 | 8gi-and-two-of-6gi |
        | device-2 | 8gi-and-two-of-6gi |

    @case:example-other-namespace-in-use
    @DRA/partitionable/example-8gi-6gi @DRA/partitionable/allocatable-iff-enough-left
    Scenario Outline: A partition in use in another namespace consumes the counters of the pool
      Given the fixture "<pool>"
      And ResourceClaim "team-a/a" is already allocated
        | pool | device   |
        | pool | device-1 |
      And a ResourceClaim "team-b/b" requesting 1 device
      When allocation of ResourceClaim "team-b/b" on node "worker-1" is attempted
      Then no allocation is possible because of CounterExhausted

      @profile:kep @profile:since-1.35
      Examples:
        | pool               |
        | 8gi-and-two-of-6gi |

    @case:example-unallocated-claim
    @DRA/partitionable/example-8gi-6gi
    Scenario Outline: An unallocated ResourceClaim consumes no counters in the DRA docs' partition example
      Given the fixture "<pool>"
      And a ResourceClaim "a" requesting 1 device
      And a ResourceClaim "b" requesting 1 device
      When allocation of ResourceClaim "b" on node "worker-1" is attempted
      Then ResourceClaim "b" is allocated 1 device

      @profile:kep @profile:since-1.35
      Examples:
        | pool               |
        | 8gi-and-two-of-6gi |

    @case:example-both-devices
    @DRA/partitionable/example-8gi-6gi
    Scenario Outline: A request for both partitions in the DRA docs' example is not allocated
      Given the fixture "<pool>"
      And a ResourceClaim "c" requesting <what>
      When allocation of ResourceClaim "c" on node "worker-1" is attempted
      Then no allocation is possible because of CounterExhausted

      @profile:kep @profile:since-1.35
      Examples:
        | what        | pool               |
        | 2 devices   | 8gi-and-two-of-6gi |
        | all devices | 8gi-and-two-of-6gi |

    @case:example-two-claims
    @DRA/partitionable/example-8gi-6gi
    Scenario Outline: Two ResourceClaims cannot each get one of the two partitions in the DRA docs' example
      Given the fixture "<pool>"
      And a ResourceClaim "a" requesting 1 device
      And a ResourceClaim "b" requesting 1 device
      When allocation of the ResourceClaims "a, b" together on node "worker-1" is attempted
      Then no allocation is possible because of CounterExhausted

      @profile:kep @profile:since-1.35
      Examples:
        | pool               |
        | 8gi-and-two-of-6gi |

  Rule: Partition example in the DRA docs with counters and devices in one ResourceSlice

    @case:one-slice-one-device
    @DRA/partitionable/example-8gi-6gi
    Scenario: A request is allocated a device of a ResourceSlice with both counter sets and devices
      Given the fixture "8gi-and-two-of-6gi-in-one-slice"
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "worker-1" is attempted
      Then ResourceClaim "c" is allocated one of
        | choice | request | pool | device   |
        | 1      | r0      | pool | device-1 |
        | 2      | r0      | pool | device-2 |
      But since Kubernetes 1.35, because these releases allocate no device of a ResourceSlice with counter sets: no allocation is possible

    @case:one-slice-other-device-in-use
    @DRA/partitionable/example-8gi-6gi
    Scenario Outline: A device is not allocated if a device in use leaves too few counters in the ResourceSlice
      Given the fixture "8gi-and-two-of-6gi-in-one-slice"
      And ResourceClaim "a" is already allocated
        | pool | device |
        | pool | <held> |
      And a ResourceClaim "b" requesting 1 device
      When allocation of ResourceClaim "b" on node "worker-1" is attempted
      Then no allocation is possible because of CounterExhausted
      But since Kubernetes 1.35, because these releases allocate no device of a ResourceSlice with counter sets: no allocation is possible

      Examples:
        | held     |
        | device-1 |
        | device-2 |

    @case:one-slice-unallocated-claim
    @DRA/partitionable/example-8gi-6gi
    Scenario: An unallocated ResourceClaim consumes no counters in the ResourceSlice of its devices
      Given the fixture "8gi-and-two-of-6gi-in-one-slice"
      And a ResourceClaim "a" requesting 1 device
      And a ResourceClaim "b" requesting 1 device
      When allocation of ResourceClaim "b" on node "worker-1" is attempted
      Then ResourceClaim "b" is allocated 1 device
      But since Kubernetes 1.35, because these releases allocate no device of a ResourceSlice with counter sets: no allocation is possible

    @case:one-slice-both-devices
    @DRA/partitionable/example-8gi-6gi
    Scenario Outline: Two devices that exceed the counters of their ResourceSlice are not allocated together
      Given the fixture "8gi-and-two-of-6gi-in-one-slice"
      And a ResourceClaim "c" requesting <what>
      When allocation of ResourceClaim "c" on node "worker-1" is attempted
      Then no allocation is possible because of CounterExhausted
      But since Kubernetes 1.35, because these releases allocate no device of a ResourceSlice with counter sets: no allocation is possible

      Examples:
        | what        |
        | 2 devices   |
        | all devices |

    @case:one-slice-two-claims
    @DRA/partitionable/example-8gi-6gi
    Scenario: Two ResourceClaims cannot each get a device if the counters allow only one device
      Given the fixture "8gi-and-two-of-6gi-in-one-slice"
      And a ResourceClaim "a" requesting 1 device
      And a ResourceClaim "b" requesting 1 device
      When allocation of the ResourceClaims "a, b" together on node "worker-1" is attempted
      Then no allocation is possible because of CounterExhausted
      But since Kubernetes 1.35, because these releases allocate no device of a ResourceSlice with counter sets: no allocation is possible

  @profile:kep @profile:since-1.35
  Rule: Overlapping partitions of the same hardware

    Background:
      Given the counter set
        | counterSet | counter slices |
        | gpu        | 4              |
      And the devices
        | device | attribute name | consumesCounters gpu |
        | whole  | string whole   | slices 4             |
        | half-0 | string half-0  | slices 2             |
        | half-1 | string half-1  | slices 2             |
        | q-0    | string q-0     | slices 1             |
        | q-1    | string q-1     | slices 1             |
        | q-2    | string q-2     | slices 1             |
        | q-3    | string q-3     | slices 1             |

    @case:overlap-enough-left
    @DRA/partitionable/overlapping-devices
    Scenario Outline: A partition is allocated if an overlapping partition in use leaves enough counters
      Given ResourceClaim "other" is already allocated
        | device |
        | <held> |
      And a ResourceClaim "c" with the request
        | request | selector                                                |
        | r0      | device.attributes["dra.example.com"].name == "<wanted>" |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device   |
        | r0      | <wanted> |

      Examples:
        | held   | wanted |
        | half-0 | half-1 |
        | half-0 | q-0    |
        | q-0    | half-0 |
        | q-0    | q-3    |

    @case:overlap-too-little-left
    @DRA/partitionable/overlapping-devices
    Scenario Outline: A partition is not allocated if an overlapping partition in use leaves too few counters
      Given ResourceClaim "other" is already allocated
        | device |
        | <held> |
      And a ResourceClaim "c" with the request
        | request | selector                                                |
        | r0      | device.attributes["dra.example.com"].name == "<wanted>" |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of CounterExhausted

      Examples:
        | held   | wanted |
        | whole  | half-0 |
        | whole  | q-3    |
        | half-1 | whole  |
        | q-2    | whole  |

    @case:overlap-two-in-use
    @DRA/partitionable/overlapping-devices
    Scenario Outline: A further partition is allocated if two partitions in use leave enough counters
      Given ResourceClaim "other" is already allocated
        | device   |
        | <held>   |
        | <second> |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated 1 device

      Examples:
        | held   | second |
        | q-0    | q-1    |
        | half-1 | q-2    |

    @case:overlap-halves-in-use
    @DRA/partitionable/overlapping-devices
    Scenario: No partition is allocated while both halves of the hardware are in use
      Given ResourceClaim "other" is already allocated
        | device |
        | half-0 |
        | half-1 |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of CounterExhausted

    @case:overlap-last-quarter
    @DRA/partitionable/overlapping-devices
    Scenario: The last quarter of the hardware is allocated while the other three are in use
      Given ResourceClaim "other" is already allocated
        | device |
        | q-0    |
        | q-1    |
        | q-3    |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | q-2    |

    @case:overlap-four-quarters
    @DRA/partitionable/overlapping-devices
    Scenario: A request for four devices is allocated the four quarters of the hardware
      Given a ResourceClaim "c" requesting 4 devices
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | q-0    |
        | r0      | q-1    |
        | r0      | q-2    |
        | r0      | q-3    |

    @case:overlap-five-devices
    @DRA/partitionable/overlapping-devices
    Scenario: A request for more partitions than the counters allow is not allocated
      Given a ResourceClaim "c" requesting 5 devices
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of CounterExhausted

    @case:separate-counters-disjoint
    @DRA/partitionable/overlapping-devices
    Scenario Outline: With a counter for each quarter, a partition is allocated while another quarter is in use
      Given the counter set
        | counterSet | counter q0 | counter q1 | counter q2 | counter q3 |
        | parts      | 1          | 1          | 1          | 1          |
      And the devices
        | device | attribute name | consumesCounters parts |
        | lower  | string lower   | q0 1, q1 1             |
        | upper  | string upper   | q2 1, q3 1             |
        | middle | string middle  | q1 1, q2 1             |
        | lowest | string lowest  | q0 1                   |
      And ResourceClaim "other" is already allocated
        | device |
        | <held> |
      And a ResourceClaim "c" with the request
        | request | selector                                                |
        | r0      | device.attributes["dra.example.com"].name == "<wanted>" |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device   |
        | r0      | <wanted> |

      Examples:
        | held   | wanted |
        | lower  | upper  |
        | upper  | lowest |
        | lowest | middle |

    @case:separate-counters-overlapping
    @DRA/partitionable/overlapping-devices
    Scenario Outline: With a counter for each quarter, a partition is not allocated if its quarter is in use
      Given the counter set
        | counterSet | counter q0 | counter q1 | counter q2 | counter q3 |
        | parts      | 1          | 1          | 1          | 1          |
      And the devices
        | device | attribute name | consumesCounters parts |
        | lower  | string lower   | q0 1, q1 1             |
        | upper  | string upper   | q2 1, q3 1             |
        | middle | string middle  | q1 1, q2 1             |
        | lowest | string lowest  | q0 1                   |
      And ResourceClaim "other" is already allocated
        | device |
        | <held> |
      And a ResourceClaim "c" with the request
        | request | selector                                                |
        | r0      | device.attributes["dra.example.com"].name == "<wanted>" |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of CounterExhausted

      Examples:
        | held  | wanted |
        | lower | lowest |
        | lower | middle |
        | upper | middle |

  @profile:kep @profile:since-1.35
  Rule: Independent counter sets

    @case:other-set-used-up
    @DRA/partitionable/sets-independent
    Scenario: A partition is allocated while a counter of the same name in another set is used up
      Given the counter sets
        | counterSet | counter memory |
        | gpu-0      | 8Gi            |
        | gpu-1      | 8Gi            |
      And the devices
        | device | consumesCounters gpu-0 | consumesCounters gpu-1 |
        | taken  | memory 8Gi             |                        |
        | d0     | memory 1Gi             |                        |
        | d1     |                        | memory 8Gi             |
      And ResourceClaim "other" is already allocated
        | device |
        | taken  |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d1     |

    @case:own-set-used-up
    @DRA/partitionable/sets-independent
    Scenario: A partition is not allocated if only a counter set that it does not use has enough left
      Given the counter sets
        | counterSet | counter memory |
        | gpu-0      | 8Gi            |
        | gpu-1      | 80Gi           |
      And the devices
        | device | consumesCounters gpu-0 |
        | taken  | memory 6Gi             |
        | d0     | memory 6Gi             |
      And ResourceClaim "other" is already allocated
        | device |
        | taken  |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of CounterExhausted

    @case:same-set-name-other-pool
    @DRA/partitionable/sets-independent
    Scenario: A counter set of the same name in another pool does not limit a partition
      Given the counter sets
        | counterSet | pool   | counter memory |
        | gpu        | pool-1 | 8Gi            |
        | gpu        | pool-2 | 8Gi            |
      And the devices
        | device | pool   | consumesCounters gpu |
        | part   | pool-1 | memory 6Gi           |
        | part   | pool-2 | memory 6Gi           |
      And ResourceClaim "other" is already allocated
        | device | pool   |
        | part   | pool-1 |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | pool   | device |
        | r0      | pool-2 | part   |

    @case:same-device-name-other-pool
    @DRA/partitionable/sets-independent
    Scenario: A device in use does not consume counters for a device of the same name in another pool
      Given the counter set
        | counterSet | pool   | counter memory |
        | gpu        | pool-1 | 8Gi            |
      And the devices
        | device | pool   | consumesCounters gpu |
        | part   | pool-1 | memory 6Gi           |
        | other  | pool-1 | memory 6Gi           |
        | part   | pool-2 |                      |
      And ResourceClaim "other" is already allocated
        | device | pool   |
        | part   | pool-2 |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated one of
        | choice | pool   | device |
        | 1      | pool-1 | part   |
        | 2      | pool-1 | other  |

    @case:same-pool-name-other-driver
    @DRA/partitionable/sets-independent
    Scenario: Counter sets of two drivers with equal pool and set names are independent
      Given the counter sets
        | counterSet | driver    | counter memory |
        | gpu        | a.example | 8Gi            |
        | gpu        | b.example | 8Gi            |
      And the devices
        | device | driver    | consumesCounters gpu |
        | part   | a.example | memory 6Gi           |
        | part   | b.example | memory 6Gi           |
      And a ResourceClaim "c" with the requests
        | request | selector                     |
        | r0      | device.driver == "a.example" |
        | r1      | device.driver == "b.example" |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | driver    | device |
        | r0      | a.example | part   |
        | r1      | b.example | part   |
      But in Kubernetes 1.35, because this release identifies counter sets by the pool name alone, without the driver: no allocation is possible

    @case:other-driver-counters-do-not-help
    @DRA/partitionable/sets-independent
    Scenario: A device cannot consume counters of another driver's pool with the same pool name
      Given the counter sets
        | counterSet | driver    | counter memory |
        | big        | a.example | 80Gi           |
        | gpu        | b.example | 8Gi            |
      And the devices
        | device | driver    | consumesCounters big | consumesCounters gpu |
        | part   | a.example | memory 6Gi           |                      |
        | one    | b.example |                      | memory 6Gi           |
        | two    | b.example |                      | memory 6Gi           |
      And a ResourceClaim "c" with the requests
        | request | count | selector                     |
        | r0      | 1     | device.driver == "a.example" |
        | r1      | 2     | device.driver == "b.example" |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of CounterExhausted
      But in Kubernetes 1.35, because this release identifies counter sets by the pool name alone, without the driver: ResourceClaim "c" is allocated 3 devices

    @case:other-set-over-committed
    @DRA/partitionable/sets-independent
    Scenario: A partition is allocated while another counter set is over-committed
      Given the counter sets
        | counterSet | counter memory |
        | gpu-0      | 8Gi            |
        | gpu-1      | 8Gi            |
      And the devices
        | device | consumesCounters gpu-0 | consumesCounters gpu-1 |
        | taken  | memory 9Gi             |                        |
        | d1     |                        | memory 8Gi             |
      And ResourceClaim "other" is already allocated
        | device |
        | taken  |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d1     |
      But since Kubernetes 1.35, because these releases check all counters of the pool, not only those that the device consumes: no allocation is possible

    @case:unneeded-counter-used-up
    @DRA/partitionable/each-counter-and-set-checked
    Scenario: A device is allocated while a counter that it does not consume is used up
      Given the counter set
        | counterSet | counter memory | counter cores |
        | gpu        | 8Gi            | 4             |
      And the devices
        | device | consumesCounters gpu |
        | taken  | memory 2Gi, cores 4  |
        | d1     | memory 1Gi, cores 1  |
        | d2     | memory 6Gi           |
      And ResourceClaim "other" is already allocated
        | device |
        | taken  |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d2     |

    @case:unneeded-counter-over-committed
    @DRA/partitionable/each-counter-and-set-checked
    Scenario: A device is allocated while a counter that it does not consume is over-committed
      Given the counter set
        | counterSet | counter memory | counter cores |
        | gpu        | 8Gi            | 4             |
      And the devices
        | device | consumesCounters gpu |
        | taken  | memory 2Gi, cores 5  |
        | d2     | memory 6Gi           |
      And ResourceClaim "other" is already allocated
        | device |
        | taken  |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d2     |
      But since Kubernetes 1.35, because these releases check all counters of the pool, not only those that the device consumes: no allocation is possible

    @case:device-consumes-two-sets
    @DRA/partitionable/each-counter-and-set-checked
    Scenario: A device in use that consumes two counter sets reduces the counters of both
      Given the counter sets
        | counterSet | counter memory |
        | gpu-0      | 8Gi            |
        | gpu-1      | 8Gi            |
      And the devices
        | device | consumesCounters gpu-0 | consumesCounters gpu-1 |
        | pair   | memory 5Gi             | memory 5Gi             |
        | left   | memory 4Gi             |                        |
        | right  |                        | memory 4Gi             |
        | small  |                        | memory 3Gi             |
      And ResourceClaim "other" is already allocated
        | device |
        | pair   |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | small  |

    @case:device-without-counters
    @DRA/partitionable/devices-without-counters-unaffected
    Scenario Outline: A device without counters is allocated while the counters of its pool are used up
      Given the counter set
        | counterSet | counter memory |
        | gpu        | 8Gi            |
      And the devices
        | device | consumesCounters gpu |
        | taken  | memory <held>        |
        | part   | memory 1Gi           |
        | plain  |                      |
      And ResourceClaim "other" is already allocated
        | device |
        | taken  |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | plain  |

      Examples:
        | held |
        | 8Gi  |
        | 9Gi  |

    @case:only-one-without-counters
    @DRA/partitionable/devices-without-counters-unaffected
    Scenario: A request for two devices fails if all devices but one consume used-up counters
      Given the counter set
        | counterSet | counter memory |
        | gpu        | 8Gi            |
      And the devices
        | device | consumesCounters gpu |
        | taken  | memory 8Gi           |
        | part   | memory 1Gi           |
        | plain  |                      |
      And ResourceClaim "other" is already allocated
        | device |
        | taken  |
      And a ResourceClaim "c" requesting 2 devices
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of CounterExhausted

    @case:request-without-counters
    @DRA/partitionable/transparent-to-claims
    Scenario Outline: A request can be allocated a device with or without consumesCounters
      Given the counter set
        | counterSet | counter memory |
        | gpu        | 8Gi            |
      And the devices
        | device | consumesCounters gpu |
        | d1     | <memory>             |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d1     |

      Examples:
        | what                            | memory     |
        | a device that needs no counters |            |
        | a device that needs memory      | memory 6Gi |

  @profile:since-1.35
  Rule: Counters of devices in use that are no longer published

    @case:unpublished-device-in-use
    @DRA/partitionable/allocatable-iff-enough-left
    Scenario: A device in use that is no longer published consumes no counters
      Given the counter set
        | counterSet | counter memory |
        | gpu        | 8Gi            |
      And the devices
        | device | consumesCounters gpu |
        | part   | memory 8Gi           |
      And ResourceClaim "other" is already allocated
        | device |
        | gone   |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | part   |

  @profile:kep @profile:since-1.35
  Rule: Counters consumed by allocated devices

    @case:counter-set-changed-enough
    @DRA/partitionable/allocatable-iff-enough-left
    Scenario Outline: A partition is allocated if its counter is large enough in the newest pool generation
      Given the counter sets
        | counterSet | generation | counter memory |
        | gpu        | 1          | <old>          |
        | gpu        | 2          | <new>          |
      And the devices
        | device | generation | consumesCounters gpu |
        | part   | 1          | memory 6Gi           |
        | part   | 2          | memory 6Gi           |
        | plain  | 2          |                      |
      And ResourceClaim "other" is already allocated
        | device |
        | plain  |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | part   |

      Examples:
        | old | new |
        | 4Gi | 6Gi |
        | 8Gi | 6Gi |

    @case:counter-set-changed-too-little
    @DRA/partitionable/allocatable-iff-enough-left
    Scenario: A partition is not allocated if its counter is too small in the newest pool generation
      Given the counter sets
        | counterSet | generation | counter memory |
        | gpu        | 1          | 8Gi            |
        | gpu        | 2          | 5Gi            |
      And the devices
        | device | generation | consumesCounters gpu |
        | part   | 1          | memory 6Gi           |
        | part   | 2          | memory 6Gi           |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of CounterExhausted

    @case:device-in-use-changed-enough
    @DRA/partitionable/allocatable-iff-enough-left
    Scenario Outline: A partition is allocated if enough counters are left in the newest pool generation
      Given the counter sets
        | counterSet | generation | counter memory |
        | gpu        | 1          | 8Gi            |
        | gpu        | 2          | 8Gi            |
      And the devices
        | device | generation | consumesCounters gpu |
        | taken  | 1          | memory <old>         |
        | taken  | 2          | memory <new>         |
        | part   | 2          | memory 4Gi           |
      And ResourceClaim "other" is already allocated
        | device |
        | taken  |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | part   |

      Examples:
        | old | new |
        | 8Gi | 4Gi |
        | 2Gi | 4Gi |

    @case:device-in-use-changed-too-little
    @DRA/partitionable/allocatable-iff-enough-left
    Scenario: A partition is not allocated if too few counters are left in the newest pool generation
      Given the counter sets
        | counterSet | generation | counter memory |
        | gpu        | 1          | 8Gi            |
        | gpu        | 2          | 8Gi            |
      And the devices
        | device | generation | consumesCounters gpu |
        | taken  | 1          | memory 2Gi           |
        | taken  | 2          | memory 5Gi           |
        | part   | 2          | memory 4Gi           |
      And ResourceClaim "other" is already allocated
        | device |
        | taken  |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of CounterExhausted

    @case:unallocated-claim
    @DRA/partitionable/allocatable-iff-enough-left
    Scenario: An unallocated ResourceClaim consumes no counters
      Given the counter set
        | counterSet | counter memory |
        | gpu        | 8Gi            |
      And the devices
        | device | consumesCounters gpu |
        | half   | memory 4Gi           |
        | taken  | memory 4Gi           |
      And ResourceClaim "other" is already allocated
        | device |
        | taken  |
      And a ResourceClaim "released" requesting 1 device
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | half   |

    @case:admin-access-to-partition
    @DRA/partitionable/allocatable-iff-enough-left @DRA/admin-access/reaches-devices-in-use
    Scenario: An adminAccess request is allocated a partition in use although too few counters remain
      Given the counter set
        | counterSet | counter memory |
        | gpu        | 8Gi            |
      And the devices
        | device | consumesCounters gpu |
        | part   | memory 6Gi           |
      And ResourceClaim "other" is already allocated
        | device |
        | part   |
      And a ResourceClaim "c" with the request
        | request | adminAccess |
        | r0      | yes         |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | adminAccess |
        | r0      | part   | yes         |
      But since Kubernetes 1.35, because these releases consume counters for adminAccess, too: no allocation is possible

    @case:shared-device-counts-once
    @DRA/partitionable/allocatable-iff-enough-left
    Scenario Outline: A shared device consumes its counters once for all of its allocations
      Given the counter set
        | counterSet | counter memory |
        | gpu        | 8Gi            |
      And the devices
        | device | allowMultipleAllocations | capacity bw | consumesCounters gpu |
        | nic    | yes                      | 10          | memory 6Gi           |
        | part   |                          |             | memory <memory>      |
      And ResourceClaim "other" is already allocated
        | device | request | consumedCapacity bw | shareID |
        | nic    | r0      | 2                   | s1      |
        | nic    | r1      | 3                   | s2      |
      And a ResourceClaim "c" with the requests
        | request | selector                                 | capacity bw |
        | r0      | device.allowMultipleAllocations == true  | 5           |
        | r1      | device.allowMultipleAllocations == false |             |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | shareID |
        | r0      | nic    | yes     |
        | r1      | part   | no      |

      Examples:
        | memory |
        | 2Gi    |
        | 1      |

    @case:shared-device-leaves-too-little
    @DRA/partitionable/allocatable-iff-enough-left
    Scenario: A partition is not allocated if a shared device in use leaves too few counters
      Given the counter set
        | counterSet | counter memory |
        | gpu        | 8Gi            |
      And the devices
        | device | allowMultipleAllocations | capacity bw | consumesCounters gpu |
        | nic    | yes                      | 10          | memory 6Gi           |
        | part   |                          |             | memory 3Gi           |
      And ResourceClaim "other" is already allocated
        | device | consumedCapacity bw | shareID |
        | nic    | 2                   | s1      |
      And a ResourceClaim "c" with the request
        | request | selector                                 |
        | r0      | device.allowMultipleAllocations == false |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of CounterExhausted
      But in Kubernetes 1.35, because this release ignores the counters of devices with shared allocations: ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | part   |

    @case:second-share-without-capacity
    @DRA/partitionable/allocatable-iff-enough-left
    Scenario: A second allocation of a shared device without capacity consumes no more counters
      Given the counter set
        | counterSet | counter memory |
        | gpu        | 8Gi            |
      And the devices
        | device | allowMultipleAllocations | consumesCounters gpu |
        | nic    | yes                      | memory 6Gi           |
      And ResourceClaim "other" is already allocated
        | device | shareID |
        | nic    | s1      |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | shareID |
        | r0      | nic    | yes     |
      But in Kubernetes 1.36, because this release consumes the counters of a shared device without capacity again in each attempt: no allocation is possible

    @case:two-shares-in-one-attempt
    @DRA/partitionable/same-attempt-counts
    Scenario Outline: Two allocations of a shared device in one attempt consume its counters once
      Given the counter set
        | counterSet | counter memory |
        | gpu        | 8Gi            |
      And the devices
        | device | allowMultipleAllocations | capacity bw | consumesCounters gpu |
        | nic    | yes                      | <bw>        | memory 6Gi           |
        | part   |                          |             | memory 2Gi           |
      And a ResourceClaim "c" with the requests
        | request | selector                                 |
        | r0      | device.allowMultipleAllocations == true  |
        | r1      | device.allowMultipleAllocations == false |
        | r2      | device.allowMultipleAllocations == true  |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device | shareID |
        | r0      | nic    | yes     |
        | r1      | part   | no      |
        | r2      | nic    | yes     |

      Examples:
        | what                 | bw |
        | without a capacity   |    |
        | with a capacity of 0 | 0  |

    @case:share-in-same-attempt
    @DRA/partitionable/same-attempt-counts
    Scenario: A partition is not allocated if another request's shared device leaves too few counters
      Given the counter set
        | counterSet | counter memory |
        | gpu        | 8Gi            |
      And the devices
        | device | allowMultipleAllocations | consumesCounters gpu |
        | nic    | yes                      | memory 6Gi           |
        | part   |                          | memory 3Gi           |
      And a ResourceClaim "c" with the requests
        | request | selector                                 |
        | r0      | device.allowMultipleAllocations == true  |
        | r1      | device.allowMultipleAllocations == false |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of CounterExhausted

  @profile:kep @profile:since-1.35
  Rule: Devices allocated in the same attempt

    @case:two-requests-fit
    @DRA/partitionable/same-attempt-counts
    Scenario: Two requests are allocated devices that together use up the counter set
      Given the counter set
        | counterSet | counter memory |
        | gpu        | 8Gi            |
      And the devices
        | device | attribute size | consumesCounters gpu |
        | big    | string big     | memory 6Gi           |
        | small  | string small   | memory 2Gi           |
      And a ResourceClaim "c" with the requests
        | request | selector                                             |
        | r0      | device.attributes["dra.example.com"].size == "big"   |
        | r1      | device.attributes["dra.example.com"].size == "small" |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | big    |
        | r1      | small  |

    @case:two-requests-exceed
    @DRA/partitionable/same-attempt-counts
    Scenario: Two requests fail if their devices together need more than the counter set has
      Given the counter set
        | counterSet | counter memory |
        | gpu        | 8Gi            |
      And the devices
        | device | attribute size | consumesCounters gpu |
        | big    | string big     | memory 6Gi           |
        | small  | string small   | memory 3Gi           |
      And a ResourceClaim "c" with the requests
        | request | selector                                             |
        | r0      | device.attributes["dra.example.com"].size == "big"   |
        | r1      | device.attributes["dra.example.com"].size == "small" |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of CounterExhausted

    @case:smaller-device-for-next-request
    @DRA/partitionable/same-attempt-counts
    Scenario: A request is allocated the smaller device so that the next request fits
      Given the counter set
        | counterSet | counter memory |
        | gpu        | 8Gi            |
      And the devices
        | device | attribute size | consumesCounters gpu |
        | six    | string big     | memory 6Gi           |
        | five   | string big     | memory 5Gi           |
        | three  | string small   | memory 3Gi           |
      And a ResourceClaim "c" with the requests
        | request | selector                                             |
        | r0      | device.attributes["dra.example.com"].size == "big"   |
        | r1      | device.attributes["dra.example.com"].size == "small" |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | five   |
        | r1      | three  |

    @case:smaller-device-for-next-claim
    @DRA/partitionable/same-attempt-counts
    Scenario: A ResourceClaim is allocated the smaller device so that the next ResourceClaim fits
      Given the counter set
        | counterSet | counter memory |
        | gpu        | 8Gi            |
      And the devices
        | device | attribute size | consumesCounters gpu |
        | six    | string big     | memory 6Gi           |
        | five   | string big     | memory 5Gi           |
        | three  | string small   | memory 3Gi           |
      And a ResourceClaim "a" with the request
        | request | selector                                           |
        | r0      | device.attributes["dra.example.com"].size == "big" |
      And a ResourceClaim "b" with the request
        | request | selector                                             |
        | r0      | device.attributes["dra.example.com"].size == "small" |
      When allocation of the ResourceClaims "a, b" together is attempted
      Then ResourceClaim "a" is allocated exactly
        | request | device |
        | r0      | five   |
      And ResourceClaim "b" is allocated exactly
        | request | device |
        | r0      | three  |

    @case:pair-that-fits
    @DRA/partitionable/same-attempt-counts
    Scenario: A request for two devices is allocated the only pair that fits the counters
      Given the counter set
        | counterSet | counter memory |
        | gpu        | 8Gi            |
      And the devices
        | device | consumesCounters gpu |
        | six    | memory 6Gi           |
        | five   | memory 5Gi           |
        | three  | memory 3Gi           |
      And a ResourceClaim "c" requesting 2 devices
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | five   |
        | r0      | three  |

    @case:triple-that-fits
    @DRA/partitionable/same-attempt-counts
    Scenario: A request for three devices gets the only three devices that fit both counters
      Given the counter set
        | counterSet | counter memory | counter cores |
        | gpu        | 100            | 10            |
      And the devices
        | device | consumesCounters gpu |
        | d1     | memory 60, cores 1   |
        | d2     | memory 50, cores 2   |
        | d3     | memory 45, cores 3   |
        | d4     | memory 41, cores 6   |
        | d5     | memory 30, cores 5   |
        | d6     | memory 24, cores 2   |
      And a ResourceClaim "c" requesting 3 devices
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d3     |
        | r0      | d5     |
        | r0      | d6     |

    @case:no-triple-fits
    @DRA/partitionable/same-attempt-counts
    Scenario: A request for three devices fails if no three devices fit both counters
      Given the counter set
        | counterSet | counter memory | counter cores |
        | gpu        | 100            | 9             |
      And the devices
        | device | consumesCounters gpu |
        | d1     | memory 60, cores 1   |
        | d2     | memory 50, cores 2   |
        | d3     | memory 45, cores 3   |
        | d4     | memory 41, cores 6   |
        | d5     | memory 30, cores 5   |
        | d6     | memory 24, cores 2   |
      And a ResourceClaim "c" requesting 3 devices
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of CounterExhausted

    @case:other-set-for-later-requests
    @DRA/partitionable/same-attempt-counts
    Scenario: A request gets a device of the second counter set so that two later requests fit
      Given the counter sets
        | counterSet | counter memory |
        | gpu-0      | 8Gi            |
        | gpu-1      | 8Gi            |
      And the devices
        | device | attribute size | consumesCounters gpu-0 | consumesCounters gpu-1 |
        | big-0  | string big     | memory 6Gi             |                        |
        | big-1  | string big     |                        | memory 6Gi             |
        | four   | string four    | memory 4Gi             |                        |
        | two    | string two     |                        | memory 2Gi             |
      And a ResourceClaim "c" with the requests
        | request | selector                                            |
        | r0      | device.attributes["dra.example.com"].size == "big"  |
        | r1      | device.attributes["dra.example.com"].size == "two"  |
        | r2      | device.attributes["dra.example.com"].size == "four" |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | big-1  |
        | r1      | two    |
        | r2      | four   |

    @case:failed-subrequest-releases
    @DRA/partitionable/same-attempt-counts
    Scenario: Counters of a failed subrequest are available to the next subrequest
      Given the counter set
        | counterSet | counter memory |
        | gpu        | 8Gi            |
      And the devices
        | device | attribute size | consumesCounters gpu |
        | five   | string odd     | memory 5Gi           |
        | three  | string odd     | memory 3Gi           |
        | one    | string odd     | memory 1Gi           |
        | eight  | string even    | memory 8Gi           |
      And a ResourceClaim "c" with the requests
        | request | subrequest  | count | selector                                            |
        | r0      | odd         | 3     | device.attributes["dra.example.com"].size == "odd"  |
        | r0      | even        | 1     | device.attributes["dra.example.com"].size == "even" |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0/even | eight  |

    @case:tainted-device-releases
    @DRA/partitionable/same-attempt-counts @DRA/taint/tainted-devices-are-passed-over
    Scenario: A tainted device that is not allocated consumes no counters
      Given the counter set
        | counterSet | counter memory |
        | gpu        | 8Gi            |
      And the devices
        | device  | taints            | attribute size | consumesCounters gpu |
        | tainted | broken:NoSchedule | string any     | memory 6Gi           |
        | two     |                   | string any     | memory 2Gi           |
        | six     |                   | string six     | memory 6Gi           |
      And a ResourceClaim "c" with the requests
        | request | selector                                           |
        | r0      | device.attributes["dra.example.com"].size == "any" |
        | r1      | device.attributes["dra.example.com"].size == "six" |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | two    |
        | r1      | six    |
      But in Kubernetes 1.35, because this release does not release the counters of a device that it backtracks: no allocation is possible

    @case:constraint-releases
    @DRA/partitionable/same-attempt-counts @DRA/claim/constraints-limit-devices
    Scenario: A device that fails a constraint consumes no counters
      Given the counter set
        | counterSet | counter memory |
        | gpu        | 8Gi            |
      And the devices
        | device | attribute dra.example.com/numa | attribute size | consumesCounters gpu |
        | left   | int 0                          | string any     | memory 6Gi           |
        | right  | int 1                          | string any     | memory 2Gi           |
        | six    | int 1                          | string six     | memory 6Gi           |
        | plain  | int 1                          | string plain   |                      |
      And a ResourceClaim "c" with the requests
        | request | selector                                             |
        | r0      | device.attributes["dra.example.com"].size == "plain" |
        | r1      | device.attributes["dra.example.com"].size == "any"   |
        | r2      | device.attributes["dra.example.com"].size == "six"   |
      And ResourceClaim "c" has the constraint matchAttribute "dra.example.com/numa"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | plain  |
        | r1      | right  |
        | r2      | six    |
      But in Kubernetes 1.35, because this release does not release the counters of a device that it backtracks: no allocation is possible

    @case:backtracked-share-releases
    @DRA/partitionable/same-attempt-counts
    Scenario: Counters of a backtracked shared allocation are available to later requests
      Given the counter set
        | counterSet | counter memory |
        | gpu        | 8Gi            |
      And the devices
        | device | allowMultipleAllocations | capacity bw | attribute size | consumesCounters gpu |
        | nic    | yes                      | 10          | string any     | memory 6Gi           |
        | plain  | yes                      | 10          | string any     |                      |
        | four   |                          |             | string four    | memory 4Gi           |
      And a ResourceClaim "c" with the requests
        | request | selector                                            | capacity bw |
        | r0      | device.attributes["dra.example.com"].size == "any"  | 5           |
        | r1      | device.attributes["dra.example.com"].size == "four" |             |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | plain  |
        | r1      | four   |
      But in Kubernetes 1.35, because this release does not release the counters of a device that it backtracks: no allocation is possible

  @profile:kep @profile:since-1.35
  Rule: References to counter sets

    @case:reference-missing
    @DRA/partitionable/devices-reference-counters
    Scenario Outline: A pool whose device references a missing counter or counter set is not used
      Given the counter sets
        | counterSet | driver            | pool   | counter memory |
        | gpu-0      | dra.example.com   | pool-1 | 8Gi            |
        | gpu-1      | dra.example.com   | pool-2 | 8Gi            |
        | gpu-1      | other.example.com | pool-1 | 8Gi            |
      And the devices
        | device | consumesCounters gpu-0 | consumesCounters gpu-1 |
        | part   | <first>                | <second>               |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then nothing is allocated because of PoolInvalid

      Examples:
        | what                                           | first               | second     |
        | a counter that its set lacks                   | cores 1             |            |
        | a counter that its set lacks beside one it has | memory 1Gi, cores 0 |            |
        | a set of another pool or driver                |                     | memory 1Gi |
        | a set of another pool or driver beside its own | memory 1Gi          | memory 0   |

    @case:reference-missing-in-other-pool
    @DRA/partitionable/devices-reference-counters
    Scenario: A missing counter in one pool does not affect the devices of another pool
      Given the counter sets
        | counterSet | pool   | counter memory |
        | gpu        | pool-1 | 8Gi            |
        | gpu        | pool-2 | 8Gi            |
      And the devices
        | device | pool   | consumesCounters gpu |
        | part   | pool-1 | cores 1              |
        | part   | pool-2 | memory 1Gi           |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | pool   | device |
        | r0      | pool-2 | part   |

    @case:sets-in-other-slices
    @DRA/partitionable/counter-sets-declare-shared-resources
    Scenario: A device can consume counter sets of two other ResourceSlices of its pool
      Given the counter sets
        | counterSet | slice | counter memory |
        | gpu-0      | a     | 8Gi            |
        | gpu-1      | z     | 8Gi            |
      And the devices
        | device | slice | consumesCounters gpu-0 | consumesCounters gpu-1 |
        | pair   | m     | memory 8Gi             | memory 8Gi             |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | pair   |

    @case:duplicate-set-name
    @DRA/partitionable/counter-sets-declare-shared-resources
    Scenario: A pool with two counter sets of the same name is not used
      Given the devices
        | device | slice | consumesCounters gpu |
        | part   | parts | memory 1Gi           |
      And pool "pool-1" has the resourceSliceCount 3
      And the objects
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: first}
        spec:
          driver: dra.example.com
          nodeName: node-1
          pool: {name: pool-1, generation: 1, resourceSliceCount: 3}
          sharedCounters: [{name: gpu, counters: {memory: {value: 8Gi}}}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: second}
        spec:
          driver: dra.example.com
          nodeName: node-1
          pool: {name: pool-1, generation: 1, resourceSliceCount: 3}
          sharedCounters: [{name: gpu, counters: {memory: {value: 8Gi}}}]
        """
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then nothing is allocated because of PoolInvalid

    @case:slice-with-set-missing
    @DRA/partitionable/devices-reference-counters
    Scenario: A device is not allocated while the ResourceSlice with its counter set is missing
      Given the devices
        | device | consumesCounters gpu |
        | part   | memory 1Gi           |
      And pool "pool-1" has the resourceSliceCount 2
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then nothing is allocated

  @profile:kep @profile:since-1.35
  Rule: Counter sets that devices of several nodes consume

    Background:
      Given a node "n1"
      And a node "n2"

    @case:other-node-enough-left
    @DRA/partitionable/devices-across-nodes
    Scenario Outline: A device is allocated if a device in use on another node leaves enough counters
      Given the counter set
        | counterSet | counter memory |
        | gpu        | 8Gi            |
      And the devices
        | device | on | attribute size | consumesCounters gpu |
        | d1     | n1 | string big     | memory 6Gi           |
        | d2     | n1 | string small   | memory 2Gi           |
        | d3     | n2 | string big     | memory 6Gi           |
        | d4     | n2 | string small   | memory 2Gi           |
      And ResourceClaim "other" is already allocated
        | device |
        | <held> |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "<node>" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | <left> |
      And ResourceClaim "c" is available only on node "<node>"

      Examples:
        | held | node | left |
        | d3   | n1   | d2   |
        | d1   | n2   | d4   |

    @case:other-node-too-little-left
    @DRA/partitionable/devices-across-nodes
    Scenario Outline: A device is not allocated if a device in use on another node leaves too few counters
      Given the counter set
        | counterSet | counter memory |
        | gpu        | 8Gi            |
      And the devices
        | device | on | attribute size | consumesCounters gpu |
        | d1     | n1 | string big     | memory 6Gi           |
        | d2     | n1 | string small   | memory 2Gi           |
        | d3     | n2 | string big     | memory 6Gi           |
        | d4     | n2 | string small   | memory 2Gi           |
      And ResourceClaim "other" is already allocated
        | device |
        | <held> |
      And a ResourceClaim "c" with the request
        | request | selector                                           |
        | r0      | device.attributes["dra.example.com"].size == "big" |
      When allocation of ResourceClaim "c" on node "<node>" is attempted
      Then no allocation is possible because of CounterExhausted

      Examples:
        | held | node |
        | d3   | n1   |
        | d1   | n2   |

    @case:pods-on-both-nodes
    @DRA/partitionable/devices-across-nodes
    Scenario Outline: A pod runs only if the pods of all nodes leave enough counters for its device
      Given the counter set
        | counterSet | counter memory |
        | gpu        | 8Gi            |
      And the devices
        | device | on          | attribute name  | consumesCounters gpu |
        | d1     | <of first>  | string first    | memory 3Gi           |
        | d2     | <of second> | string second   | memory 2Gi           |
        | d3     | <of first>  | string third    | memory <third>       |
      And a ResourceClaim "first" with the request
        | selector                                             |
        | device.attributes["dra.example.com"].name == "first" |
      And a ResourceClaim "second" with the request
        | selector                                              |
        | device.attributes["dra.example.com"].name == "second" |
      And a ResourceClaim "third" with the request
        | selector                                             |
        | device.attributes["dra.example.com"].name == "third" |
      And a pod "a" that uses ResourceClaim "first"
      When the cluster reaches a steady state
      Then pod "a" is Running on node "<of first>"
      When a pod "b" that uses ResourceClaim "second" is created
      And the cluster reaches a steady state
      Then pod "b" is Running on node "<of second>"
      When a pod "c" that uses ResourceClaim "third" is created
      And the cluster reaches a steady state
      Then pod "c" <what>

      Examples:
        | of first | of second | third | what       |
        | n1       | n2        | 3Gi   | is Running |
        | n1       | n2        | 4Gi   | is Pending |
        | n2       | n1        | 4Gi   | is Pending |

    @case:slice-per-node-enough-left
    @DRA/partitionable/devices-across-nodes
    Scenario Outline: A device is allocated if a device in another node's ResourceSlice leaves enough counters
      Given the counter set
        | counterSet | node | counter memory |
        | gpu        | *    | 8Gi            |
      And the devices
        | device | node | consumesCounters gpu |
        | d1     | n1   | memory 6Gi           |
        | d2     | n1   | memory 2Gi           |
        | d3     | n2   | memory 6Gi           |
        | d4     | n2   | memory 2Gi           |
      And ResourceClaim "other" is already allocated
        | device |
        | <held> |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "<node>" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | <left> |

      Examples:
        | held | node | left |
        | d3   | n1   | d2   |
        | d1   | n2   | d4   |

    @case:set-on-any-node-used-up
    @DRA/partitionable/devices-across-nodes
    Scenario Outline: A counter set limits the devices of all nodes, even if its ResourceSlice names one node
      Given the counter set
        | counterSet | node   | counter memory |
        | gpu        | <home> | 8Gi            |
      And the devices
        | device | node | consumesCounters gpu |
        | d1     | n1   | memory 6Gi           |
        | d2     | n2   | memory 6Gi           |
      And ResourceClaim "other" is already allocated
        | device |
        | <held> |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "<node>" is attempted
      Then no allocation is possible because of CounterExhausted

      Examples: any node access of the ResourceSlice with the counter set
        | home | held | node |
        | *    | d2   | n1   |
        | *    | d1   | n2   |
        | n1   | d2   | n1   |
        | n1   | d1   | n2   |
        | n2   | d2   | n1   |
        | n2   | d1   | n2   |

    @case:set-on-other-node
    @DRA/partitionable/devices-across-nodes
    Scenario Outline: A device can consume a counter set whose ResourceSlice names another node
      Given the counter set
        | counterSet | node   | counter memory |
        | gpu        | <home> | 8Gi            |
      And the devices
        | device | node | consumesCounters gpu |
        | d1     | n1   | memory 6Gi           |
        | d2     | n2   | memory 6Gi           |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "<node>" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device   |
        | r0      | <device> |

      Examples:
        | home | node | device |
        | n1   | n2   | d2     |
        | n2   | n1   | d1     |

    @case:two-machines-single-left
    @DRA/partitionable/devices-across-nodes
    Scenario Outline: A device is allocated while a device that consumes another machine's counters is in use
      Given the counter sets
        | counterSet | counter gpus |
        | machine-1  | 8            |
        | machine-2  | 8            |
      And the devices
        | device   | on | consumesCounters machine-1 | consumesCounters machine-2 |
        | both     | *  | gpus 8                     | gpus 8                     |
        | single-1 | n1 | gpus 1                     |                            |
        | single-2 | n2 |                            | gpus 1                     |
      And ResourceClaim "other" is already allocated
        | device |
        | <held> |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "<node>" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | <left> |

      Examples:
        | held     | node | left     |
        | single-1 | n2   | single-2 |
        | single-2 | n1   | single-1 |

    @case:two-machines-used-up
    @DRA/partitionable/devices-across-nodes
    Scenario Outline: A device with counters of two machines and a device of either machine exclude each other
      Given the counter sets
        | counterSet | counter gpus |
        | machine-1  | 8            |
        | machine-2  | 8            |
      And the devices
        | device   | on | consumesCounters machine-1 | consumesCounters machine-2 |
        | both     | *  | gpus 8                     | gpus 8                     |
        | single-1 | n1 | gpus 1                     |                            |
        | single-2 | n2 |                            | gpus 1                     |
      And ResourceClaim "other" is already allocated
        | device |
        | <held> |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" on node "<node>" is attempted
      Then no allocation is possible because of CounterExhausted

      Examples:
        | held     | node |
        | both     | n1   |
        | both     | n2   |
        | single-1 | n1   |
        | single-2 | n2   |

  @profile:kep @profile:since-1.35
  Rule: Allocation while DRAPartitionableDevices is off

    Background:
      Given the feature gate "DRAPartitionableDevices" is off
      And the counter set
        | counterSet | pool | counter memory |
        | gpu        | gpus | 8Gi            |

    @case:gate-off-plain-device
    @DRA/feature-gate/alpha-features-off-by-default
    Scenario: With DRAPartitionableDevices off, a device without counters is allocated
      Given the devices
        | device | pool  | consumesCounters gpu |
        | part   | gpus  | memory 6Gi           |
        | plain  | plain |                      |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | pool  | device |
        | r0      | plain | plain  |

    @case:gate-off-partition
    @DRA/feature-gate/alpha-features-off-by-default
    Scenario: With DRAPartitionableDevices off, a device that consumes counters is not allocated
      Given the devices
        | device | pool | consumesCounters gpu |
        | part   | gpus | memory 6Gi           |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then nothing is allocated
