Feature: Which nodes have enough for a pod and its claims
  A node fits if what it has left covers what the pod requests and what its claims take there.

  Rule: One ledger for requests and claims

    @case:with-cpus-left-a-pod-of-1-and-a-claim-of-4
    @KEP-5517/node-fit/effective-demand-against-free @KEP-5517/node-fit/dynamicresources-check-is-authoritative
    Scenario Outline: With <free> CPUs left a pod of 1 and a claim of 4 <what>
      Given a node "node-1" with 16 of "cpu"
      And the device
        | device | takes cpu |
        | four   | 4         |
      And a claim "c" requesting 1 device
      And a pod "first" on node "node-1" with the container
        | container | request cpu |
        | main      | <taken>     |
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      When the cluster settles
      Then pod "p" <what>

      Examples:
        | free  | taken  | what       |
        | 6     | 10     | runs       |
        | 4999m | 11001m | is pending |
        | 4     | 12     | is pending |

      @KEP-5517/node-fit/exact-fit-is-feasible
      Examples:
        | free | taken | what |
        | 5    | 11    | runs |

    @case:what-fits-by-itself-does-not-fit-together
    @KEP-5517/node-fit/dynamicresources-check-is-authoritative @KEP-5517/node-fit/noderesourcesfit-checks-standard-only
    Scenario: What fits by itself does not fit together
      Given a node "node-1" with 10 of "cpu"
      And the device
        | device | shared | capacity cpu | takes cpu |
        | pool0  | yes    | 128          | cpu       |
      And a claim "c" requesting 10 of "cpu"
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      When the cluster settles
      Then pod "p" is pending
      And claim "c" is not allocated

    @case:what-a-pod-requests-itself-must-fit-however-little
    @KEP-5517/node-fit/noderesourcesfit-checks-standard-only
    Scenario: What a pod requests itself must fit, however little its claim takes
      Given a node "node-1" with 10 of "cpu"
      And the device
        | device | takes cpu |
        | one    | 1         |
      And a claim "c" requesting 1 device
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 20          | c      |
      When the cluster settles
      Then pod "p" is pending

    @case:a-pod-fits-when-its-requests-and-its-claim-together
    @KEP-5517/node-fit/noderesourcesfit-checks-standard-only
    Scenario: A pod fits when its requests and its claim together do
      Given a node "node-1" with 21 of "cpu"
      And the device
        | device | takes cpu |
        | one    | 1         |
      And a claim "c" requesting 1 device
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 20          | c      |
      When the cluster settles
      Then pod "p" runs

    @case:beside-a-claim-of-cpus-a-pod-that-requests-5-of-100
    @KEP-5517/node-fit/standard-pods-see-dra-usage
    Scenario Outline: Beside a claim of <claimed> CPUs a pod that requests 5 of 100 <what>
      Given a node "node-1" with 100 of "cpu"
      And the device
        | device | shared | capacity cpu | takes cpu |
        | pool0  | yes    | 128          | cpu       |
      And a claim "c" requesting <claimed> of "cpu"
      And a pod "first" that uses claim "c"
      When the cluster settles
      Then pod "first" runs
      When a pod "p" with the container is created
        | container | request cpu |
        | main      | 5           |
      And the cluster settles
      Then pod "p" <what>

      Examples:
        | claimed | what       |
        | 50      | runs       |
        | 95      | runs       |
        | 96      | is pending |
        | 98      | is pending |

    @case:a-claim-of-8-does-not-fit-beside-a-pod-that-requests
    @KEP-5517/node-fit/dra-pods-see-standard-usage
    Scenario: A claim of 8 does not fit beside a pod that requests 10 of 16
      Given a node "node-1" with 16 of "cpu"
      And the device
        | device | takes cpu |
        | eight  | 8         |
      And a claim "c" requesting 1 device
      And a pod "first" on node "node-1" with the container
        | container | request cpu |
        | main      | 10          |
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" is pending
      And claim "c" is not allocated

    @case:beside-footprints-of-2-5-and-11-a-pod-of-on-a-node
    @KEP-5517/accounting/ledger-is-sum-of-footprints
    Scenario Outline: Beside footprints of 2, 5 and 11 a pod of <cpu> on a node of 20 <what>
      Given a node "node-1" with 20 of "cpu"
      And the device
        | device | shared | capacity cpu | takes cpu |
        | pool0  | yes    | 128          | cpu       |
      And a claim "four" requesting 4 of "cpu"
      And a claim "ten" requesting 10 of "cpu"
      And a pod "a" with the container
        | container | request cpu |
        | main      | 2           |
      And a pod "b" with the container
        | container | request cpu | claims |
        | main      | 1           | four   |
      And a pod "d" that uses claim "ten"
      And pod "d" requests 11 of "cpu" as a whole
      When the cluster settles
      Then pod "a" runs
      And pod "b" runs
      And pod "d" runs
      When a pod "next" with the container is created
        | container | request cpu |
        | main      | <cpu>       |
      And the cluster settles
      Then pod "next" <what>

      Examples:
        | cpu   | what       |
        | 2     | runs       |
        | 2001m | is pending |

    @case:dedicated-cpus-and-sidecars-9-cpus-beside-of-16
    @KEP-5517/accounting/story-2-dedicated-and-shared
    Scenario Outline: Dedicated CPUs and sidecars: 9 CPUs beside <taken> of 16 <what>
      Given a node "node-1" with 16 of "cpu"
      And the device
        | device | takes cpu |
        | eight  | 8         |
      And a claim "dedicated" requesting 1 device
      And a pod "other" on node "node-1" with the container
        | container | request cpu |
        | main      | <taken>     |
      And a pod "telco" with the containers
        | container | request cpu | claims    |
        | app       |             | dedicated |
        | sidecar-1 | 500m        |           |
        | sidecar-2 | 500m        |           |
      When the cluster settles
      Then pod "telco" <what>

      Examples:
        | taken | what       |
        | 6     | runs       |
        | 7     | runs       |
        | 8     | is pending |

  Rule: Every resource is checked

    @case:a-claim-of-of-does-not-fit-into
    @KEP-5517/node-fit/every-resource-is-checked
    Scenario Outline: A claim of <claimed> of <resource> does not fit into <free>
      Given a node "node-1" with 64 of "cpu" and <free> of "<resource>"
      And the device
        | device | takes <resource> |
        | dev-0  | <claimed>        |
      And a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" is pending
      And claim "c" is not allocated

      Examples:
        | resource          | free | claimed |
        | memory            | 4Gi  | 8Gi     |
        | hugepages-1Gi     | 2Gi  | 4Gi     |
        | ephemeral-storage | 5Gi  | 10Gi    |

    @case:a-node-without-huge-pages-has-none-for-a-claim
    @KEP-5517/node-fit/every-resource-is-checked
    Scenario: A node without huge pages has none for a claim
      Given a node "node-1" with 64 of "cpu"
      And the device
        | device | takes hugepages-2Mi |
        | dev-0  | 64Mi                |
      And a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" is pending

    @case:enough-cpus-do-not-help-when-memory-is-short
    @KEP-5517/node-fit/every-resource-is-checked
    Scenario: Enough CPUs do not help when memory is short
      Given a node "node-1" with 64 of "cpu" and 4Gi of "memory"
      And the device
        | device | takes cpu | takes memory |
        | dev-0  | 2         | 8Gi          |
      And a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" is pending

  Rule: Devices and nodes are limits apart

    @case:free-devices-do-not-help-when-the-node-is-used-up
    @KEP-5517/node-fit/node-full-although-devices-left
    Scenario: Free devices do not help when the node is used up
      Given a node "node-1" with 128 of "cpu"
      And the device
        | device  | shared | capacity cpu | takes cpu |
        | socket0 | yes    | 128          | cpu       |
      And a claim "first" requesting 28 of "cpu"
      And a claim "c" requesting 10 of "cpu"
      And a pod "by-claim" that uses claim "first"
      And a pod "by-spec" with the container
        | container | request cpu |
        | main      | 92          |
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "by-claim" runs
      And pod "by-spec" runs
      And pod "p" is pending
      And claim "c" is not allocated

    @case:a-free-node-does-not-help-when-the-devices-are-used
    @KEP-5517/node-fit/devices-exhausted-although-node-free
    Scenario: A free node does not help when the devices are used up
      Given a node "node-1" with 60 of "cpu"
      And the devices
        | device | takes cpu |
        | cpu0   | 1         |
        | cpu1   | 1         |
      And claim "a" already holds
        | device |
        | cpu0   |
      And claim "b" already holds
        | device |
        | cpu1   |
      And a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" is pending
      And claim "c" is not allocated

    @case:of-a-socket-of-128-on-a-node-of-120-a-claim-of
    @KEP-5517/node-fit/allocatable-is-the-baseline
    Scenario Outline: Of a socket of 128 on a node of 120 a claim of <claimed> <what>
      Given a node "node-1" with 120 of "cpu"
      And the device
        | device  | shared | capacity cpu | takes cpu |
        | socket0 | yes    | 128          | cpu       |
      And a claim "c" requesting <claimed> of "cpu"
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" <what>

      Examples:
        | claimed | what       |
        | 120     | runs       |
        | 121     | is pending |
        | 124     | is pending |

    @case:with-the-gate-a-claim-that-takes-nothing-of-the-node
    @KEP-5517/node-fit/extra-check-only-for-mapped-claims @KEP-5517/feature-gate/no-effect-without-mapped-claims @profile:kep @profile:since-1.34
    Scenario Outline: With the gate <state> a claim that takes nothing of the node changes nothing
      Given the feature gate "DRANodeAllocatableResources" is <state>
      And a node "node-1" with 1 of "cpu"
      And the device
        | device |
        | gpu0   |
      And a claim "c" requesting 1 device
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      When the cluster settles
      Then pod "p" runs
      And pod "p" records nothing
      When a pod "next" with the container is created
        | container | request cpu |
        | main      | 1m          |
      And the cluster settles
      Then pod "next" is pending

      Examples:
        | state |
        | on    |
        | off   |

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

  Rule: Each node is judged by what the claim gets there

    Background:
      Given the devices
        | device | node | attribute type | shared | capacity cpu | takes cpu |
        | gpu0   | n1   | string gpu     |        |              |           |
        | pool2  | n2   | string pool    | yes    | 64           | cpu       |
        | pool3  | n3   | string pool    | yes    | 64           | cpu       |
      And a device class "gpu" that selects
        """
        device.attributes["dra.example.com"].type == "gpu"
        """
      And a device class "pool" that selects
        """
        device.attributes["dra.example.com"].type == "pool"
        """
      And a claim "c" with the requests
        | request | subrequest | class | capacity cpu |
        | r0      | gpu        | gpu   |              |
        | r0      | cpu        | pool  | 30           |
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |

    @case:on-the-node-with-the-gpu-2-cpus-are-enough
    @KEP-5517/node-fit/per-node-footprint-for-fungible-claims @KEP-5517/status/no-entry-without-node-resources
    Scenario: On the node with the GPU 2 CPUs are enough
      Given a node "n1" with 2 of "cpu"
      And a node "n2" with 20 of "cpu"
      And a node "n3" with 20 of "cpu"
      When the cluster settles
      Then pod "p" runs on node "n1"
      And pod "p" records nothing

    @case:the-node-with-31-cpus-is-taken-and-only-it-is
    @KEP-5517/node-fit/per-node-footprint-for-fungible-claims @KEP-5517/status/chosen-node-values-are-used
    Scenario: The node with 31 CPUs is taken, and only it is charged
      Given a node "n1" with 500m of "cpu"
      And a node "n2" with 31 of "cpu"
      And a node "n3" with 20 of "cpu"
      When the cluster settles
      Then pod "p" runs on node "n2"
      And pod "p" records
        | claim | containers | takes cpu |
        | c     | main       | 30        |
      When a pod "q" with the container is created
        | container | request cpu |
        | main      | 20          |
      And the cluster settles
      Then pod "q" runs on node "n3"

    @case:no-node-has-enough-for-what-the-claim-gets-there
    @KEP-5517/node-fit/per-node-footprint-for-fungible-claims
    Scenario: No node has enough for what the claim gets there
      Given a node "n1" with 500m of "cpu"
      And a node "n2" with 30 of "cpu"
      And a node "n3" with 20 of "cpu"
      When the cluster settles
      Then pod "p" is pending
      And claim "c" is not allocated

    @case:a-budget-of-4-holds-where-the-claim-gets-a-gpu
    @KEP-5517/pod-level-resources/budget-check-follows-allocation
    Scenario: A budget of 4 holds where the claim gets a GPU
      Given a node "n1" with 64 of "cpu"
      And a node "n2" with 64 of "cpu"
      And a node "n3" with 64 of "cpu"
      And pod "p" requests 4 of "cpu" as a whole
      When the cluster settles
      Then pod "p" runs on node "n1"

    @case:where-the-claim-gets-30-cpus-a-budget-of-4-does-not
    @KEP-5517/pod-level-resources/budget-check-follows-allocation
    Scenario: Where the claim gets 30 CPUs a budget of 4 does not hold
      Given a node "n2" with 64 of "cpu"
      And a node "n3" with 64 of "cpu"
      And pod "p" requests 4 of "cpu" as a whole
      When the cluster settles
      Then pod "p" is pending
      And claim "c" is not allocated

  Rule: The first alternative that can be allocated decides

    @case:a-node-is-not-tried-again-with-the-next-alternative
    @KEP-5517/node-fit/no-fallback-to-next-alternative-on-misfit @profile:since-1.36
    Scenario: A node is not tried again with the next alternative
      Given a node "node-1" with 10 of "cpu"
      And the devices
        | device | attribute type | shared | capacity cpu | takes cpu |
        | xpu    | string xpu     |        |              | 20        |
        | pool   | string pool    | yes    | 64           | cpu       |
      And a claim "c" with the requests
        | request | subrequest | selector                                              | capacity cpu |
        | r0      | xpu        | device.attributes["dra.example.com"].type == "xpu"  |              |
        | r0      | cpu        | device.attributes["dra.example.com"].type == "pool" | 4            |
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" is pending
      And claim "c" is not allocated

    @case:story-4-without-a-gpu-anywhere-8-cpus-are-taken
    @KEP-5517/node-fit/per-node-footprint-for-fungible-claims
    Scenario: Story 4, without a GPU anywhere 8 CPUs are taken
      Given a node "node-1" with 8 of "cpu"
      And the device
        | device | attribute type | shared | capacity cpu | takes cpu |
        | pool   | string pool    | yes    | 64           | cpu       |
      And a claim "c" with the requests
        | request | subrequest | selector                                              | capacity cpu |
        | r0      | gpu        | device.attributes["dra.example.com"].type == "gpu"  |              |
        | r0      | cpu        | device.attributes["dra.example.com"].type == "pool" | 8            |
      And a pod "p" that uses claim "c"
      When the cluster settles
      Then pod "p" runs
      And pod "p" records
        | claim | containers | takes cpu |
        | c     | main       | 8         |

  Rule: A claim that was allocated before

    @case:four-cores-held-before-and-1-cpu-of-its-own-with
    @KEP-5517/accounting/already-allocated-claim-counted
    Scenario Outline: Four cores held before and 1 CPU of its own: with <cpu> left the pod <what>
      Given a node "node-1" with <cpu> of "cpu"
      And the devices
        | device | takes cpu |
        | core-0 | 1         |
        | core-1 | 1         |
        | core-2 | 1         |
        | core-3 | 1         |
      And claim "c" already holds
        | device |
        | core-0 |
        | core-1 |
        | core-2 |
        | core-3 |
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      When the cluster settles
      Then pod "p" <what>
      But in Kubernetes 1.36, because that release counts what it allocates itself: pod "p" runs

      Examples:
        | cpu | what       |
        | 5   | runs       |
        | 4   | is pending |

  Rule: What pods request as a whole

    @case:a-budget-of-for-2-and-a-claim-of-4-charges-the-node
    @KEP-5517/pod-level-resources/budget-met-exactly
    Scenario Outline: A budget of <budget> for 2 and a claim of 4 charges the node <budget>
      Given a node "node-1" with 10 of "cpu"
      And the device
        | device | takes cpu |
        | four   | 4         |
      And a claim "c" requesting 1 device
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 2           | c      |
      And pod "p" requests <budget> of "cpu" as a whole
      When the cluster settles
      Then pod "p" runs
      When a pod "next" with the container is created
        | container | request cpu |
        | main      | 4           |
      And the cluster settles
      Then pod "next" <what>

      Examples:
        | budget | what       |
        | 6      | runs       |
        | 10     | is pending |

    @case:the-budget-is-the-request-not-the-limit
    @KEP-5517/pod-level-resources/budget-compares-requests
    Scenario: The budget is the request, not the limit
      Given a node "node-1" with 64 of "cpu"
      And the device
        | device | takes cpu |
        | four   | 4         |
      And a claim "c" requesting 1 device
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 2           | c      |
      And pod "p" requests 5 of "cpu" as a whole
      And pod "p" is limited to 8 of "cpu" as a whole
      When the cluster settles
      Then pod "p" is pending

    @case:a-pod-that-is-only-limited-to-5-requests-5-a-claim
    @KEP-5517/pod-level-resources/budget-compares-requests
    Scenario Outline: A pod that is only limited to 5 requests 5: a claim of <claim> <what>
      Given a node "node-1" with 5 of "cpu"
      And the device
        | device | shared | capacity cpu | takes cpu |
        | pool0  | yes    | 128          | cpu       |
      And a claim "c" requesting <claim> of "cpu"
      And a pod "p" that uses claim "c"
      And pod "p" is limited to 5 of "cpu" as a whole
      When the Pod "p" is created
      And the cluster settles
      Then pod "p" <what>

      Examples:
        | claim | what       |
        | 4     | runs       |
        | 5     | runs       |
        | 6     | is pending |

    @case:beside-huge-pages-as-a-whole-a-pod-whose-container
    @KEP-5517/pod-level-resources/budget-compares-requests
    Scenario Outline: Beside huge pages as a whole, a pod whose container requests <requested> and whose claim takes a CPU <what>
      Given a node "node-1" with 10 of "cpu" and 1Gi of "memory" and 64Mi of "hugepages-2Mi"
      And the device
        | device | takes cpu |
        | xpu    | 1         |
      And a claim "c" requesting 1 device
      And a pod "p" with the container
        | container | request <requested> | claims |
        | main      | 1                   | c      |
      And pod "p" requests 4Mi of "hugepages-2Mi" as a whole
      And pod "p" is limited to 4Mi of "hugepages-2Mi" as a whole
      When the Pod "p" is created
      And the cluster settles
      Then pod "p" <what>

      Examples: The API server completes the budget by what the container requests, and that leaves nothing for the claim
        | requested | what       |
        | cpu       | is pending |

      Examples: There is no budget of CPUs
        | requested | what |
        | memory    | runs |

    @case:memory-has-no-budget-where-only-cpus-are-requested
    @KEP-5517/pod-level-resources/unset-resources-not-budgeted
    Scenario: Memory has no budget where only CPUs are requested as a whole
      Given a node "node-1" with 4 of "cpu" and 16Gi of "memory"
      And the device
        | device | takes cpu | takes memory |
        | xpu    | 2         | 16Gi         |
      And a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      And pod "p" requests 4 of "cpu" as a whole
      When the cluster settles
      Then pod "p" runs

    @case:a-budget-that-is-exceeded-refuses-the-pod-on-the
    @KEP-5517/pod-level-resources/budget-exceeded-is-unresolvable
    Scenario: A budget that is exceeded refuses the pod on the emptiest node
      Given a node "node-1" with 64 of "cpu" and 64Gi of "memory"
      And the device
        | device | takes memory |
        | xpu    | 8Gi          |
      And a claim "c" requesting 1 device
      And a pod "p" with the container
        | container | request memory | claims |
        | main      | 1Gi            | c      |
      And pod "p" requests 8Gi of "memory" as a whole
      When the cluster settles
      Then pod "p" is pending
      And claim "c" is not allocated

  Rule: Of two nodes on which a pod fits, the one of which more is left

    Background:
      Given a node "node-1" with 10 of "cpu"
      And a node "node-2" with 10 of "cpu"
      And a pod "busy" on node "node-1" with the container
        | container | request cpu |
        | main      | 6           |
      And a claim "c" requesting 1 device
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |

    @case:a-node-with-9-cpus-left-after-the-request-is
    @KEP-5517/node-fit/scoring-uses-spec-only
    Scenario: A node with 9 CPUs left after the request is preferred, though the claim takes 8 of them
      Given the devices
        | device | node   | takes cpu |
        | small  | node-1 | 1         |
        | large  | node-2 | 8         |
      When the cluster settles
      Then pod "p" runs on node "node-2"

    @case:later-a-node-with-2-cpus-left-after-request-and
    @KEP-5517/node-fit/scoring-includes-dra @profile:kep-future
    Scenario: Later a node with 2 CPUs left after request and claim is preferred to one with 1 left
      Given the devices
        | device | node   | takes cpu        |
        | small  | node-1 | 1 as AddPerClaim |
        | large  | node-2 | 8 as AddPerClaim |
      When the cluster settles
      Then pod "p" runs on node "node-1"
