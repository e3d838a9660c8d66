Feature: Partitionable devices
  Devices may be parts of the same hardware. What there is stands in counter sets; each device says how much of which
  counters it needs, and is given only while so much is left.

  Until 1.34 a device draws on the counter sets of its own slice, since 1.35 counter sets have slices of their own.

  Rule: A pool of 8Gi of memory and two devices of 6Gi gives one of them at a time

    @DRA/partitionable/example-8gi-6gi
    Scenario Outline: One of the two devices of <pool> is allocated
      Given the fixture "<pool>"
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "worker-1" is attempted
      Then claim "c" gets one of
        | choice | request | pool | device   |
        | 1      | r0      | pool | device-1 |
        | 2      | r0      | pool | device-2 |

      @profile:kep @profile:since-1.35
      Examples:
        | pool               |
        | 8gi-and-two-of-6gi |

    @DRA/partitionable/example-8gi-6gi
    Scenario Outline: A claim gets nothing from <pool> while another claim holds <held>
      Given the fixture "<pool>"
      And claim "a" already holds
        | pool | device |
        | pool | <held> |
      And a claim "b" requesting 1 device
      When allocation of claim "b" on node "worker-1" is attempted
      Then nothing fits because of CounterExhausted

      @profile:kep @profile:since-1.35
      Examples:
        | held     | pool               |
        | device-1 | 8gi-and-two-of-6gi |
        | device-2 | 8gi-and-two-of-6gi |

    @DRA/partitionable/example-8gi-6gi
    Scenario Outline: A device of <pool> is allocated while another claim asks for one but holds none
      Given the fixture "<pool>"
      And a claim "a" requesting 1 device
      And a claim "b" requesting 1 device
      When allocation of claim "b" on node "worker-1" is attempted
      Then claim "b" gets 1 device

      @profile:kep @profile:since-1.35
      Examples:
        | pool               |
        | 8gi-and-two-of-6gi |

    @DRA/partitionable/example-8gi-6gi
    Scenario Outline: Both devices are never allocated together to a claim for <what> of <pool>
      Given the fixture "<pool>"
      And a claim "c" requesting <what>
      When allocation of claim "c" on node "worker-1" is attempted
      Then nothing fits because of CounterExhausted

      @profile:kep @profile:since-1.35
      Examples:
        | what        | pool               |
        | 2 devices   | 8gi-and-two-of-6gi |
        | all devices | 8gi-and-two-of-6gi |

    @DRA/partitionable/example-8gi-6gi
    Scenario Outline: Two claims allocated together never get one device each from <pool>
      Given the fixture "<pool>"
      And a claim "a" requesting 1 device
      And a claim "b" requesting 1 device
      When allocation of the claims "a, b" together on node "worker-1" is attempted
      Then nothing fits because of CounterExhausted

      @profile:kep @profile:since-1.35
      Examples:
        | pool               |
        | 8gi-and-two-of-6gi |

  Rule: A slice with counter sets and devices, as the page writes it, gives one of two devices of 6Gi at a time

    @DRA/partitionable/example-8gi-6gi
    Scenario: One of the two devices beside their counters in one slice is allocated
      Given the fixture "8gi-and-two-of-6gi-in-one-slice"
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "worker-1" is attempted
      Then claim "c" gets one of
        | choice | request | pool | device   |
        | 1      | r0      | pool | device-1 |
        | 2      | r0      | pool | device-2 |
      But since Kubernetes 1.35, because a slice with counter sets gives no devices in these releases: nothing fits

    @DRA/partitionable/example-8gi-6gi
    Scenario Outline: A claim gets nothing while another claim holds <held> of the slice with the counters of both
      Given the fixture "8gi-and-two-of-6gi-in-one-slice"
      And claim "a" already holds
        | pool | device |
        | pool | <held> |
      And a claim "b" requesting 1 device
      When allocation of claim "b" on node "worker-1" is attempted
      Then nothing fits because of CounterExhausted
      But since Kubernetes 1.35, because a slice with counter sets gives no devices in these releases: nothing fits

      Examples:
        | held     |
        | device-1 |
        | device-2 |

    @DRA/partitionable/example-8gi-6gi
    Scenario: A device beside its counters in one slice is allocated while another claim asks for one but holds none
      Given the fixture "8gi-and-two-of-6gi-in-one-slice"
      And a claim "a" requesting 1 device
      And a claim "b" requesting 1 device
      When allocation of claim "b" on node "worker-1" is attempted
      Then claim "b" gets 1 device
      But since Kubernetes 1.35, because a slice with counter sets gives no devices in these releases: nothing fits

    @DRA/partitionable/example-8gi-6gi
    Scenario Outline: Both devices beside their counters in one slice are never allocated together to a claim for <what>
      Given the fixture "8gi-and-two-of-6gi-in-one-slice"
      And a claim "c" requesting <what>
      When allocation of claim "c" on node "worker-1" is attempted
      Then nothing fits because of CounterExhausted
      But since Kubernetes 1.35, because a slice with counter sets gives no devices in these releases: nothing fits

      Examples:
        | what        |
        | 2 devices   |
        | all devices |

    @DRA/partitionable/example-8gi-6gi
    Scenario: Two claims allocated together never get one device each from the slice with the counters of both
      Given the fixture "8gi-and-two-of-6gi-in-one-slice"
      And a claim "a" requesting 1 device
      And a claim "b" requesting 1 device
      When allocation of the claims "a, b" together on node "worker-1" is attempted
      Then nothing fits because of CounterExhausted
      But since Kubernetes 1.35, because a slice with counter sets gives no devices in these releases: nothing fits

  @profile:kep @profile:since-1.35
  Rule: Parts that overlap exclude each other

    Background:
      Given the counter set
        | set | counter slices |
        | gpu | 4              |
      And the devices
        | device | attribute name | counters gpu |
        | whole  | string whole   | slices 4     |
        | half-0 | string half-0  | slices 2     |
        | half-1 | string half-1  | slices 2     |
        | q-0    | string q-0     | slices 1     |
        | q-1    | string q-1     | slices 1     |
        | q-2    | string q-2     | slices 1     |
        | q-3    | string q-3     | slices 1     |

    @DRA/partitionable/overlapping-devices
    Scenario Outline: Part <wanted> is allocated while another claim holds <held>
      Given claim "other" already holds
        | device |
        | <held> |
      And a claim "c" with the request
        | request | selector                                                |
        | r0      | device.attributes["dra.example.com"].name == "<wanted>" |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device   |
        | r0      | <wanted> |

      Examples:
        | held   | wanted |
        | half-0 | half-1 |
        | half-0 | q-0    |
        | q-0    | half-0 |
        | q-0    | q-3    |

    @DRA/partitionable/overlapping-devices
    Scenario Outline: Part <wanted> is refused while another claim holds <held>
      Given claim "other" already holds
        | device |
        | <held> |
      And a claim "c" with the request
        | request | selector                                                |
        | r0      | device.attributes["dra.example.com"].name == "<wanted>" |
      When allocation of claim "c" is attempted
      Then nothing fits because of CounterExhausted

      Examples:
        | held   | wanted |
        | whole  | half-0 |
        | whole  | q-3    |
        | half-1 | whole  |
        | q-2    | whole  |

    @DRA/partitionable/overlapping-devices
    Scenario Outline: A claim gets a further part while another claim holds <held> and <second>
      Given claim "other" already holds
        | device   |
        | <held>   |
        | <second> |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets 1 device

      Examples:
        | held   | second |
        | q-0    | q-1    |
        | half-1 | q-2    |

    @DRA/partitionable/overlapping-devices
    Scenario: A claim gets no part while another claim holds both halves
      Given claim "other" already holds
        | device |
        | half-0 |
        | half-1 |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of CounterExhausted

    @DRA/partitionable/overlapping-devices
    Scenario: A claim gets the last quarter while another claim holds the other three
      Given claim "other" already holds
        | device |
        | q-0    |
        | q-1    |
        | q-3    |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | q-2    |

    @DRA/partitionable/overlapping-devices
    Scenario: A claim for four parts gets the four quarters
      Given a claim "c" requesting 4 devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | q-0    |
        | r0      | q-1    |
        | r0      | q-2    |
        | r0      | q-3    |

    @DRA/partitionable/overlapping-devices
    Scenario: A claim for five parts gets nothing from a GPU of four quarters
      Given a claim "c" requesting 5 devices
      When allocation of claim "c" is attempted
      Then nothing fits because of CounterExhausted

    @DRA/partitionable/overlapping-devices
    Scenario Outline: With a counter for each quarter part <wanted> is allocated while another claim holds <held>
      Given the counter set
        | set   | counter q0 | counter q1 | counter q2 | counter q3 |
        | parts | 1          | 1          | 1          | 1          |
      And the devices
        | device | attribute name | counters parts |
        | lower  | string lower   | q0 1, q1 1     |
        | upper  | string upper   | q2 1, q3 1     |
        | middle | string middle  | q1 1, q2 1     |
        | lowest | string lowest  | q0 1           |
      And claim "other" already holds
        | device |
        | <held> |
      And a claim "c" with the request
        | request | selector                                                |
        | r0      | device.attributes["dra.example.com"].name == "<wanted>" |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device   |
        | r0      | <wanted> |

      Examples:
        | held   | wanted |
        | lower  | upper  |
        | upper  | lowest |
        | lowest | middle |

    @DRA/partitionable/overlapping-devices
    Scenario Outline: With a counter for each quarter part <wanted> is refused while another claim holds <held>
      Given the counter set
        | set   | counter q0 | counter q1 | counter q2 | counter q3 |
        | parts | 1          | 1          | 1          | 1          |
      And the devices
        | device | attribute name | counters parts |
        | lower  | string lower   | q0 1, q1 1     |
        | upper  | string upper   | q2 1, q3 1     |
        | middle | string middle  | q1 1, q2 1     |
        | lowest | string lowest  | q0 1           |
      And claim "other" already holds
        | device |
        | <held> |
      And a claim "c" with the request
        | request | selector                                                |
        | r0      | device.attributes["dra.example.com"].name == "<wanted>" |
      When allocation of claim "c" is attempted
      Then nothing fits because of CounterExhausted

      Examples:
        | held  | wanted |
        | lower | lowest |
        | lower | middle |
        | upper | middle |

  @profile:kep @profile:since-1.35
  Rule: Each counter set stands for itself

    @DRA/partitionable/sets-independent
    Scenario: A part is allocated from one counter set while another with the same counter is used up
      Given the counter sets
        | set   | counter memory |
        | gpu-0 | 8Gi            |
        | gpu-1 | 8Gi            |
      And the devices
        | device | counters gpu-0 | counters gpu-1 |
        | taken  | memory 8Gi     |                |
        | d0     | memory 1Gi     |                |
        | d1     |                | memory 8Gi     |
      And claim "other" already holds
        | device |
        | taken  |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d1     |

    @DRA/partitionable/sets-independent
    Scenario: A part is refused when its own counter set has too little left and another has enough
      Given the counter sets
        | set   | counter memory |
        | gpu-0 | 8Gi            |
        | gpu-1 | 80Gi           |
      And the devices
        | device | counters gpu-0 |
        | taken  | memory 6Gi     |
        | d0     | memory 6Gi     |
      And claim "other" already holds
        | device |
        | taken  |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of CounterExhausted

    @DRA/partitionable/sets-independent
    Scenario: A part is allocated while the counter set of the same name in another pool has too little left
      Given the counter sets
        | set | pool   | counter memory |
        | gpu | pool-1 | 8Gi            |
        | gpu | pool-2 | 8Gi            |
      And the devices
        | device | pool   | counters gpu |
        | part   | pool-1 | memory 6Gi   |
        | part   | pool-2 | memory 6Gi   |
      And claim "other" already holds
        | device | pool   |
        | part   | pool-1 |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | pool   | device |
        | r0      | pool-2 | part   |

    @DRA/partitionable/sets-independent
    Scenario: A held device takes nothing from the counters of a device of the same name in another pool
      Given the counter set
        | set | pool   | counter memory |
        | gpu | pool-1 | 8Gi            |
      And the devices
        | device | pool   | counters gpu |
        | part   | pool-1 | memory 6Gi   |
        | other  | pool-1 | memory 6Gi   |
        | part   | pool-2 |              |
      And claim "other" already holds
        | device | pool   |
        | part   | pool-2 |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets one of
        | choice | pool   | device |
        | 1      | pool-1 | part   |
        | 2      | pool-1 | other  |

    @DRA/partitionable/sets-independent
    Scenario: Counter sets of the same name in pools of the same name of two drivers are independent
      Given the counter sets
        | set | driver    | counter memory |
        | gpu | a.example | 8Gi            |
        | gpu | b.example | 8Gi            |
      And the devices
        | device | driver    | counters gpu |
        | part   | a.example | memory 6Gi   |
        | part   | b.example | memory 6Gi   |
      And a claim "c" with the requests
        | request | selector                     |
        | r0      | device.driver == "a.example" |
        | r1      | device.driver == "b.example" |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | driver    | device |
        | r0      | a.example | part   |
        | r1      | b.example | part   |
      But in Kubernetes 1.35, because this release keeps counters by the name of the pool alone, whatever its driver: nothing fits

    @DRA/partitionable/sets-independent
    Scenario: Counters of one driver's pool do not help the pool of the same name of another driver
      Given the counter sets
        | set | driver    | counter memory |
        | big | a.example | 80Gi           |
        | gpu | b.example | 8Gi            |
      And the devices
        | device | driver    | counters big | counters gpu |
        | part   | a.example | memory 6Gi   |              |
        | one    | b.example |              | memory 6Gi   |
        | two    | b.example |              | memory 6Gi   |
      And a claim "c" with the requests
        | request | count | selector                     |
        | r0      | 1     | device.driver == "a.example" |
        | r1      | 2     | device.driver == "b.example" |
      When allocation of claim "c" is attempted
      Then nothing fits because of CounterExhausted
      But in Kubernetes 1.35, because this release keeps counters by the name of the pool alone, whatever its driver: claim "c" gets 3 devices

    @DRA/partitionable/sets-independent
    Scenario: A part is allocated from one counter set while another set is over-committed
      Given the counter sets
        | set   | counter memory |
        | gpu-0 | 8Gi            |
        | gpu-1 | 8Gi            |
      And the devices
        | device | counters gpu-0 | counters gpu-1 |
        | taken  | memory 9Gi     |                |
        | d1     |                | memory 8Gi     |
      And claim "other" already holds
        | device |
        | taken  |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d1     |
      But since Kubernetes 1.35, because these releases compare all counters of the pool: nothing fits

    @DRA/partitionable/each-counter-and-set-checked
    Scenario: A device is allocated while a counter that it does not need is used up
      Given the counter set
        | set | counter memory | counter cores |
        | gpu | 8Gi            | 4             |
      And the devices
        | device | counters gpu        |
        | taken  | memory 2Gi, cores 4 |
        | d1     | memory 1Gi, cores 1 |
        | d2     | memory 6Gi          |
      And claim "other" already holds
        | device |
        | taken  |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d2     |

    @DRA/partitionable/each-counter-and-set-checked
    Scenario: A device is allocated while a counter that it does not need is over-committed
      Given the counter set
        | set | counter memory | counter cores |
        | gpu | 8Gi            | 4             |
      And the devices
        | device | counters gpu        |
        | taken  | memory 2Gi, cores 5 |
        | d2     | memory 6Gi          |
      And claim "other" already holds
        | device |
        | taken  |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d2     |
      But since Kubernetes 1.35, because these releases compare all counters of the pool: nothing fits

    @DRA/partitionable/each-counter-and-set-checked
    Scenario: A held device that draws on two counter sets takes from both
      Given the counter sets
        | set   | counter memory |
        | gpu-0 | 8Gi            |
        | gpu-1 | 8Gi            |
      And the devices
        | device | counters gpu-0 | counters gpu-1 |
        | pair   | memory 5Gi     | memory 5Gi     |
        | left   | memory 4Gi     |                |
        | right  |                | memory 4Gi     |
        | small  |                | memory 3Gi     |
      And claim "other" already holds
        | device |
        | pair   |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | small  |

    @DRA/partitionable/devices-without-counters-unaffected
    Scenario Outline: A device without counters is allocated while other claims hold <held> of the 8Gi of its pool
      Given the counter set
        | set | counter memory |
        | gpu | 8Gi            |
      And the devices
        | device | counters gpu  |
        | taken  | memory <held> |
        | part   | memory 1Gi    |
        | plain  |               |
      And claim "other" already holds
        | device |
        | taken  |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | plain  |

      Examples:
        | held |
        | 8Gi  |
        | 9Gi  |

    @DRA/partitionable/devices-without-counters-unaffected
    Scenario: A claim for two devices gets nothing when only one of them can do without the used up counters
      Given the counter set
        | set | counter memory |
        | gpu | 8Gi            |
      And the devices
        | device | counters gpu |
        | taken  | memory 8Gi   |
        | part   | memory 1Gi   |
        | plain  |              |
      And claim "other" already holds
        | device |
        | taken  |
      And a claim "c" requesting 2 devices
      When allocation of claim "c" is attempted
      Then nothing fits because of CounterExhausted

    @DRA/partitionable/transparent-to-claims
    Scenario Outline: A claim that does not mention counters gets <what>
      Given the counter set
        | set | counter memory |
        | gpu | 8Gi            |
      And the devices
        | device | counters gpu |
        | d1     | <memory>     |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d1     |

      Examples:
        | what                            | memory     |
        | a device that needs no counters |            |
        | a device that needs memory      | memory 6Gi |

  @profile:kep @profile:since-1.35
  Rule: What is held is what the slices say of the devices that claims hold

    @DRA/partitionable/allocatable-iff-enough-left
    Scenario: The documents leave open what a held device takes from counters once it is no longer published
      Given the counter set
        | set | counter memory |
        | gpu | 8Gi            |
      And the devices
        | device | counters gpu |
        | part   | memory 8Gi   |
      And claim "other" already holds
        | device |
        | gone   |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | part   |
      And it may also be refused
      But since Kubernetes 1.35, because the document leaves it open and these releases count published devices only: claim "c" gets exactly
        | request | device |
        | r0      | part   |

    @DRA/partitionable/allocatable-iff-enough-left
    Scenario Outline: A part of 6Gi is allocated when the counter set changes from <old> to <new>
      Given the counter sets
        | set | generation | counter memory |
        | gpu | 1          | <old>          |
        | gpu | 2          | <new>          |
      And the devices
        | device | generation | counters gpu |
        | part   | 1          | memory 6Gi   |
        | part   | 2          | memory 6Gi   |
        | plain  | 2          |              |
      And claim "other" already holds
        | device |
        | plain  |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | part   |

      Examples:
        | old | new |
        | 4Gi | 6Gi |
        | 8Gi | 6Gi |

    @DRA/partitionable/allocatable-iff-enough-left
    Scenario: A part of 6Gi is refused when the counter set changes from 8Gi to 5Gi
      Given the counter sets
        | set | generation | counter memory |
        | gpu | 1          | 8Gi            |
        | gpu | 2          | 5Gi            |
      And the devices
        | device | generation | counters gpu |
        | part   | 1          | memory 6Gi   |
        | part   | 2          | memory 6Gi   |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of CounterExhausted

    @DRA/partitionable/allocatable-iff-enough-left
    Scenario Outline: A part of 4Gi is allocated when the held device changes from <old> to <new> of 8Gi
      Given the counter sets
        | set | generation | counter memory |
        | gpu | 1          | 8Gi            |
        | gpu | 2          | 8Gi            |
      And the devices
        | device | generation | counters gpu |
        | taken  | 1          | memory <old> |
        | taken  | 2          | memory <new> |
        | part   | 2          | memory 4Gi   |
      And claim "other" already holds
        | device |
        | taken  |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | part   |

      Examples:
        | old | new |
        | 8Gi | 4Gi |
        | 2Gi | 4Gi |

    @DRA/partitionable/allocatable-iff-enough-left
    Scenario: A part of 4Gi is refused when the held device changes from 2Gi to 5Gi of 8Gi
      Given the counter sets
        | set | generation | counter memory |
        | gpu | 1          | 8Gi            |
        | gpu | 2          | 8Gi            |
      And the devices
        | device | generation | counters gpu |
        | taken  | 1          | memory 2Gi   |
        | taken  | 2          | memory 5Gi   |
        | part   | 2          | memory 4Gi   |
      And claim "other" already holds
        | device |
        | taken  |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of CounterExhausted

    @DRA/partitionable/allocatable-iff-enough-left
    Scenario: A part is allocated while another claim asks for it but holds nothing
      Given the counter set
        | set | counter memory |
        | gpu | 8Gi            |
      And the devices
        | device | counters gpu |
        | half   | memory 4Gi   |
        | taken  | memory 4Gi   |
      And claim "other" already holds
        | device |
        | taken  |
      And a claim "released" requesting 1 device
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | half   |

    @DRA/partitionable/allocatable-iff-enough-left @DRA/admin-access/reaches-devices-in-use
    Scenario: A request with admin access gets a part in use although it would not fit a second time
      Given the counter set
        | set | counter memory |
        | gpu | 8Gi            |
      And the devices
        | device | counters gpu |
        | part   | memory 6Gi   |
      And claim "other" already holds
        | device |
        | part   |
      And a claim "c" with the request
        | request | admin |
        | r0      | yes   |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | admin |
        | r0      | part   | yes   |
      But since Kubernetes 1.35, because these releases charge counters for admin access as for any other: nothing fits

    @DRA/partitionable/allocatable-iff-enough-left
    Scenario Outline: A part that needs <memory> is allocated beside the shares of a device, which take 6Gi of 8Gi once
      Given the counter set
        | set | counter memory |
        | gpu | 8Gi            |
      And the devices
        | device | shared | capacity bw | counters gpu    |
        | nic    | yes    | 10          | memory 6Gi      |
        | part   |        |             | memory <memory> |
      And claim "other" already holds
        | device | request | consumed bw | share |
        | nic    | r0      | 2           | s1    |
        | nic    | r1      | 3           | s2    |
      And a claim "c" with the requests
        | request | selector                                 | capacity bw |
        | r0      | device.allowMultipleAllocations == true  | 5           |
        | r1      | device.allowMultipleAllocations == false |             |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | share |
        | r0      | nic    | yes   |
        | r1      | part   | no    |

      Examples:
        | memory |
        | 2Gi    |
        | 1      |

    @DRA/partitionable/allocatable-iff-enough-left
    Scenario: A part of 3Gi is refused while another claim holds a share of a device that takes 6Gi of 8Gi
      Given the counter set
        | set | counter memory |
        | gpu | 8Gi            |
      And the devices
        | device | shared | capacity bw | counters gpu |
        | nic    | yes    | 10          | memory 6Gi   |
        | part   |        |             | memory 3Gi   |
      And claim "other" already holds
        | device | consumed bw | share |
        | nic    | 2           | s1    |
      And a claim "c" with the request
        | request | selector                                 |
        | r0      | device.allowMultipleAllocations == false |
      When allocation of claim "c" is attempted
      Then nothing fits because of CounterExhausted
      But in Kubernetes 1.35, because this release forgets the counters of devices of which claims hold shares: claim "c" gets exactly
        | request | device |
        | r0      | part   |

    @DRA/partitionable/allocatable-iff-enough-left
    Scenario: A second share of a held device without capacity takes no further counters
      Given the counter set
        | set | counter memory |
        | gpu | 8Gi            |
      And the devices
        | device | shared | counters gpu |
        | nic    | yes    | memory 6Gi   |
      And claim "other" already holds
        | device | share |
        | nic    | s1    |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | share |
        | r0      | nic    | yes   |
      But in Kubernetes 1.36, because this release charges the counters of a shared device without capacity again in each attempt: nothing fits

    @DRA/partitionable/same-attempt-counts
    Scenario Outline: Two shares of a device <what> take its counters once in one attempt
      Given the counter set
        | set | counter memory |
        | gpu | 8Gi            |
      And the devices
        | device | shared | capacity bw | counters gpu |
        | nic    | yes    | <bw>        | memory 6Gi   |
        | part   |        |             | memory 2Gi   |
      And a claim "c" with the requests
        | request | selector                                 |
        | r0      | device.allowMultipleAllocations == true  |
        | r1      | device.allowMultipleAllocations == false |
        | r2      | device.allowMultipleAllocations == true  |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | share |
        | r0      | nic    | yes   |
        | r1      | part   | no    |
        | r2      | nic    | yes   |

      Examples:
        | what                 | bw |
        | without a capacity   |    |
        | with a capacity of 0 | 0  |

    @DRA/partitionable/same-attempt-counts
    Scenario: A part of 3Gi is refused when a share in the same attempt takes 6Gi of 8Gi
      Given the counter set
        | set | counter memory |
        | gpu | 8Gi            |
      And the devices
        | device | shared | counters gpu |
        | nic    | yes    | memory 6Gi   |
        | part   |        | memory 3Gi   |
      And a claim "c" with the requests
        | request | selector                                 |
        | r0      | device.allowMultipleAllocations == true  |
        | r1      | device.allowMultipleAllocations == false |
      When allocation of claim "c" is attempted
      Then nothing fits because of CounterExhausted

  @profile:kep @profile:since-1.35
  Rule: Devices chosen together count together

    @DRA/partitionable/same-attempt-counts
    Scenario: Two requests of a claim are met when their devices together use up the counter set
      Given the counter set
        | set | counter memory |
        | gpu | 8Gi            |
      And the devices
        | device | attribute size | counters gpu |
        | big    | string big     | memory 6Gi   |
        | small  | string small   | memory 2Gi   |
      And a claim "c" with the requests
        | request | selector                                             |
        | r0      | device.attributes["dra.example.com"].size == "big"   |
        | r1      | device.attributes["dra.example.com"].size == "small" |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | big    |
        | r1      | small  |

    @DRA/partitionable/same-attempt-counts
    Scenario: Two requests of a claim get nothing when their devices together need more than the counter set has
      Given the counter set
        | set | counter memory |
        | gpu | 8Gi            |
      And the devices
        | device | attribute size | counters gpu |
        | big    | string big     | memory 6Gi   |
        | small  | string small   | memory 3Gi   |
      And a claim "c" with the requests
        | request | selector                                             |
        | r0      | device.attributes["dra.example.com"].size == "big"   |
        | r1      | device.attributes["dra.example.com"].size == "small" |
      When allocation of claim "c" is attempted
      Then nothing fits because of CounterExhausted

    @DRA/partitionable/same-attempt-counts
    Scenario: A request gets the smaller device so that the next request of its claim can be met
      Given the counter set
        | set | counter memory |
        | gpu | 8Gi            |
      And the devices
        | device | attribute size | counters gpu |
        | six    | string big     | memory 6Gi   |
        | five   | string big     | memory 5Gi   |
        | three  | string small   | memory 3Gi   |
      And a claim "c" with the requests
        | request | selector                                             |
        | r0      | device.attributes["dra.example.com"].size == "big"   |
        | r1      | device.attributes["dra.example.com"].size == "small" |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | five   |
        | r1      | three  |

    @DRA/partitionable/same-attempt-counts
    Scenario: A claim gets the smaller device so that the next claim of the attempt can be met
      Given the counter set
        | set | counter memory |
        | gpu | 8Gi            |
      And the devices
        | device | attribute size | counters gpu |
        | six    | string big     | memory 6Gi   |
        | five   | string big     | memory 5Gi   |
        | three  | string small   | memory 3Gi   |
      And a claim "a" with the request
        | request | selector                                           |
        | r0      | device.attributes["dra.example.com"].size == "big" |
      And a claim "b" with the request
        | request | selector                                             |
        | r0      | device.attributes["dra.example.com"].size == "small" |
      When allocation of the claims "a, b" together is attempted
      Then claim "a" gets exactly
        | request | device |
        | r0      | five   |
      And claim "b" gets exactly
        | request | device |
        | r0      | three  |

    @DRA/partitionable/same-attempt-counts
    Scenario: A claim for two devices gets the two that fit together, which are not the first two
      Given the counter set
        | set | counter memory |
        | gpu | 8Gi            |
      And the devices
        | device | counters gpu |
        | six    | memory 6Gi   |
        | five   | memory 5Gi   |
        | three  | memory 3Gi   |
      And a claim "c" requesting 2 devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | five   |
        | r0      | three  |

    @DRA/partitionable/same-attempt-counts
    Scenario: A claim for three devices gets the three that fit together in both counters
      Given the counter set
        | set | counter memory | counter cores |
        | gpu | 100            | 10            |
      And the devices
        | device | counters gpu       |
        | d1     | memory 60, cores 1 |
        | d2     | memory 50, cores 2 |
        | d3     | memory 45, cores 3 |
        | d4     | memory 41, cores 6 |
        | d5     | memory 30, cores 5 |
        | d6     | memory 24, cores 2 |
      And a claim "c" requesting 3 devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d3     |
        | r0      | d5     |
        | r0      | d6     |

    @DRA/partitionable/same-attempt-counts
    Scenario: A claim for three devices gets nothing when no three fit together in both counters
      Given the counter set
        | set | counter memory | counter cores |
        | gpu | 100            | 9             |
      And the devices
        | device | counters gpu       |
        | d1     | memory 60, cores 1 |
        | d2     | memory 50, cores 2 |
        | d3     | memory 45, cores 3 |
        | d4     | memory 41, cores 6 |
        | d5     | memory 30, cores 5 |
        | d6     | memory 24, cores 2 |
      And a claim "c" requesting 3 devices
      When allocation of claim "c" is attempted
      Then nothing fits because of CounterExhausted

    @DRA/partitionable/same-attempt-counts
    Scenario: A request draws on another counter set so that the two requests after it can be met
      Given the counter sets
        | set   | counter memory |
        | gpu-0 | 8Gi            |
        | gpu-1 | 8Gi            |
      And the devices
        | device | attribute size | counters gpu-0 | counters gpu-1 |
        | big-0  | string big     | memory 6Gi     |                |
        | big-1  | string big     |                | memory 6Gi     |
        | four   | string four    | memory 4Gi     |                |
        | two    | string two     |                | memory 2Gi     |
      And a claim "c" with the requests
        | request | selector                                            |
        | r0      | device.attributes["dra.example.com"].size == "big"  |
        | r1      | device.attributes["dra.example.com"].size == "two"  |
        | r2      | device.attributes["dra.example.com"].size == "four" |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | big-1  |
        | r1      | two    |
        | r2      | four   |

    @DRA/partitionable/same-attempt-counts
    Scenario: A subrequest that fails leaves the counters it drew on to the next subrequest
      Given the counter set
        | set | counter memory |
        | gpu | 8Gi            |
      And the devices
        | device | attribute size | counters gpu |
        | five   | string odd     | memory 5Gi   |
        | three  | string odd     | memory 3Gi   |
        | one    | string odd     | memory 1Gi   |
        | eight  | string even    | memory 8Gi   |
      And a claim "c" with the requests
        | request | subrequest  | count | selector                                            |
        | r0      | odd         | 3     | device.attributes["dra.example.com"].size == "odd"  |
        | r0      | even        | 1     | device.attributes["dra.example.com"].size == "even" |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0/even | eight  |

    @DRA/partitionable/same-attempt-counts @DRA/taint/tainted-devices-are-passed-over
    Scenario: A tainted part that is passed over leaves its counters to all requests
      Given the counter set
        | set | counter memory |
        | gpu | 8Gi            |
      And the devices
        | device  | taints            | attribute size | counters gpu |
        | tainted | broken:NoSchedule | string any     | memory 6Gi   |
        | two     |                   | string any     | memory 2Gi   |
        | six     |                   | string six     | memory 6Gi   |
      And a claim "c" with the requests
        | request | selector                                           |
        | r0      | device.attributes["dra.example.com"].size == "any" |
        | r1      | device.attributes["dra.example.com"].size == "six" |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | two    |
        | r1      | six    |
      But in Kubernetes 1.35, because this release keeps the counters of a device that it gives back or refuses: nothing fits

    @DRA/partitionable/same-attempt-counts @DRA/claim/constraints-limit-devices
    Scenario: A part that a constraint refuses leaves its counters to all requests
      Given the counter set
        | set | counter memory |
        | gpu | 8Gi            |
      And the devices
        | device | attribute dra.example.com/numa | attribute size | counters gpu |
        | left   | int 0                          | string any     | memory 6Gi   |
        | right  | int 1                          | string any     | memory 2Gi   |
        | six    | int 1                          | string six     | memory 6Gi   |
        | plain  | int 1                          | string plain   |              |
      And a claim "c" with the requests
        | request | selector                                             |
        | r0      | device.attributes["dra.example.com"].size == "plain" |
        | r1      | device.attributes["dra.example.com"].size == "any"   |
        | r2      | device.attributes["dra.example.com"].size == "six"   |
      And claim "c" needs matching "dra.example.com/numa"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | plain  |
        | r1      | right  |
        | r2      | six    |
      But in Kubernetes 1.35, because this release keeps the counters of a device that it gives back or refuses: nothing fits

    @DRA/partitionable/same-attempt-counts
    Scenario: A share that is given up in the search leaves its counters to all requests
      Given the counter set
        | set | counter memory |
        | gpu | 8Gi            |
      And the devices
        | device | shared | capacity bw | attribute size | counters gpu |
        | nic    | yes    | 10          | string any     | memory 6Gi   |
        | plain  | yes    | 10          | string any     |              |
        | four   |        |             | string four    | memory 4Gi   |
      And a claim "c" with the requests
        | request | selector                                            | capacity bw |
        | r0      | device.attributes["dra.example.com"].size == "any"  | 5           |
        | r1      | device.attributes["dra.example.com"].size == "four" |             |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | plain  |
        | r1      | four   |
      But in Kubernetes 1.35, because this release keeps the counters of a device that it gives back or refuses: nothing fits

  @profile:kep @profile:since-1.35
  Rule: Devices refer to the counter sets of their pool

    @DRA/partitionable/devices-reference-counters
    Scenario Outline: A pool is refused when a device references <what>
      Given the counter sets
        | set   | driver            | pool   | counter memory |
        | gpu-0 | dra.example.com   | pool-1 | 8Gi            |
        | gpu-1 | dra.example.com   | pool-2 | 8Gi            |
        | gpu-1 | other.example.com | pool-1 | 8Gi            |
      And the devices
        | device | counters gpu-0 | counters gpu-1 |
        | part   | <first>        | <second>       |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing is allocated because of PoolInvalid

      Examples:
        | what                                           | first               | second     |
        | a counter that its set lacks                   | cores 1             |            |
        | a counter that its set lacks beside one it has | memory 1Gi, cores 0 |            |
        | a set of another pool or driver                |                     | memory 1Gi |
        | a set of another pool or driver beside its own | memory 1Gi          | memory 0   |

    @DRA/partitionable/devices-reference-counters
    Scenario: A device is allocated while a device of another pool references a counter that is not there
      Given the counter sets
        | set | pool   | counter memory |
        | gpu | pool-1 | 8Gi            |
        | gpu | pool-2 | 8Gi            |
      And the devices
        | device | pool   | counters gpu |
        | part   | pool-1 | cores 1      |
        | part   | pool-2 | memory 1Gi   |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | pool   | device |
        | r0      | pool-2 | part   |

    @DRA/partitionable/counter-sets-declare-shared-resources
    Scenario: A device is allocated when its two counter sets are in two other slices of the pool
      Given the counter sets
        | set   | slice | counter memory |
        | gpu-0 | a     | 8Gi            |
        | gpu-1 | z     | 8Gi            |
      And the devices
        | device | slice | counters gpu-0 | counters gpu-1 |
        | pair   | m     | memory 8Gi     | memory 8Gi     |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | pair   |

    @DRA/partitionable/counter-sets-declare-shared-resources
    Scenario: A pool with two counter sets of the same name is refused
      Given the devices
        | device | slice | counters gpu |
        | part   | parts | memory 1Gi   |
      And pool "pool-1" says it has 3 slices
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
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing is allocated because of PoolInvalid

    @DRA/partitionable/devices-reference-counters
    Scenario: A device is refused while the slice with its counter set is missing
      Given the devices
        | device | counters gpu |
        | part   | memory 1Gi   |
      And pool "pool-1" says it has 2 slices
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing is allocated

  @profile:kep @profile:since-1.35
  Rule: The nodes of a pool share its counters

    Background:
      Given a node "n1"
      And a node "n2"

    @DRA/partitionable/devices-across-nodes
    Scenario Outline: Device <left> is allocated on <node> while another claim holds <held> of another node
      Given the counter set
        | set | counter memory |
        | gpu | 8Gi            |
      And the devices
        | device | on | attribute size | counters gpu |
        | d1     | n1 | string big     | memory 6Gi   |
        | d2     | n1 | string small   | memory 2Gi   |
        | d3     | n2 | string big     | memory 6Gi   |
        | d4     | n2 | string small   | memory 2Gi   |
      And claim "other" already holds
        | device |
        | <held> |
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "<node>" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | <left> |
      And claim "c" can be used on node "<node>" only

      Examples:
        | held | node | left |
        | d3   | n1   | d2   |
        | d1   | n2   | d4   |

    @DRA/partitionable/devices-across-nodes
    Scenario Outline: A device of 6Gi of 8Gi is refused on <node> while another claim holds <held> of another node
      Given the counter set
        | set | counter memory |
        | gpu | 8Gi            |
      And the devices
        | device | on | attribute size | counters gpu |
        | d1     | n1 | string big     | memory 6Gi   |
        | d2     | n1 | string small   | memory 2Gi   |
        | d3     | n2 | string big     | memory 6Gi   |
        | d4     | n2 | string small   | memory 2Gi   |
      And claim "other" already holds
        | device |
        | <held> |
      And a claim "c" with the request
        | request | selector                                           |
        | r0      | device.attributes["dra.example.com"].size == "big" |
      When allocation of claim "c" on node "<node>" is attempted
      Then nothing fits because of CounterExhausted

      Examples:
        | held | node |
        | d3   | n1   |
        | d1   | n2   |

    @DRA/partitionable/devices-across-nodes
    Scenario Outline: With a slice for each node device <left> is allocated on <node> while another claim holds <held>
      Given the counter set
        | set | node | counter memory |
        | gpu | *    | 8Gi            |
      And the devices
        | device | node | counters gpu |
        | d1     | n1   | memory 6Gi   |
        | d2     | n1   | memory 2Gi   |
        | d3     | n2   | memory 6Gi   |
        | d4     | n2   | memory 2Gi   |
      And claim "other" already holds
        | device |
        | <held> |
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "<node>" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | <left> |

      Examples:
        | held | node | left |
        | d3   | n1   | d2   |
        | d1   | n2   | d4   |

    @DRA/partitionable/devices-across-nodes
    Scenario Outline: Nothing is left on <node> while another claim holds <held> and the counter set is for node <home>
      Given the counter set
        | set | node   | counter memory |
        | gpu | <home> | 8Gi            |
      And the devices
        | device | node | counters gpu |
        | d1     | n1   | memory 6Gi   |
        | d2     | n2   | memory 6Gi   |
      And claim "other" already holds
        | device |
        | <held> |
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "<node>" is attempted
      Then nothing fits because of CounterExhausted

      Examples: wherever the slice with the set is
        | home | held | node |
        | *    | d2   | n1   |
        | *    | d1   | n2   |
        | n1   | d2   | n1   |
        | n1   | d1   | n2   |
        | n2   | d2   | n1   |
        | n2   | d1   | n2   |

    @DRA/partitionable/devices-across-nodes
    Scenario Outline: Device <device> is allocated on <node> when its counter set is in a slice for node <home>
      Given the counter set
        | set | node   | counter memory |
        | gpu | <home> | 8Gi            |
      And the devices
        | device | node | counters gpu |
        | d1     | n1   | memory 6Gi   |
        | d2     | n2   | memory 6Gi   |
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "<node>" is attempted
      Then claim "c" gets exactly
        | request | device   |
        | r0      | <device> |

      Examples:
        | home | node | device |
        | n1   | n2   | d2     |
        | n2   | n1   | d1     |

    @DRA/partitionable/devices-across-nodes
    Scenario Outline: Beside a device made of two machines <left> is allocated on <node> while another claim holds <held>
      Given the counter sets
        | set       | counter gpus |
        | machine-1 | 8            |
        | machine-2 | 8            |
      And the devices
        | device   | on | counters machine-1 | counters machine-2 |
        | both     | *  | gpus 8             | gpus 8             |
        | single-1 | n1 | gpus 1             |                    |
        | single-2 | n2 |                    | gpus 1             |
      And claim "other" already holds
        | device |
        | <held> |
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "<node>" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | <left> |

      Examples:
        | held     | node | left     |
        | single-1 | n2   | single-2 |
        | single-2 | n1   | single-1 |

    @DRA/partitionable/devices-across-nodes
    Scenario Outline: Beside a device made of two machines nothing is left on <node> while another claim holds <held>
      Given the counter sets
        | set       | counter gpus |
        | machine-1 | 8            |
        | machine-2 | 8            |
      And the devices
        | device   | on | counters machine-1 | counters machine-2 |
        | both     | *  | gpus 8             | gpus 8             |
        | single-1 | n1 | gpus 1             |                    |
        | single-2 | n2 |                    | gpus 1             |
      And claim "other" already holds
        | device |
        | <held> |
      And a claim "c" requesting 1 device
      When allocation of claim "c" on node "<node>" is attempted
      Then nothing fits because of CounterExhausted

      Examples:
        | held     | node |
        | both     | n1   |
        | both     | n2   |
        | single-1 | n1   |
        | single-2 | n2   |

  @profile:kep @profile:since-1.35
  Rule: Without the feature devices that need counters are not used

    Background:
      Given the feature gate "DRAPartitionableDevices" is off
      And the counter set
        | set | pool | counter memory |
        | gpu | gpus | 8Gi            |

    @DRA/feature-gate/alpha-features-off-by-default
    Scenario: A device that needs no counters is allocated while DRAPartitionableDevices is off
      Given the devices
        | device | pool  | counters gpu |
        | part   | gpus  | memory 6Gi   |
        | plain  | plain |              |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | pool  | device |
        | r0      | plain | plain  |

    @DRA/feature-gate/alpha-features-off-by-default
    Scenario: A device that needs counters is not allocated while DRAPartitionableDevices is off
      Given the devices
        | device | pool | counters gpu |
        | part   | gpus | memory 6Gi   |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing is allocated
