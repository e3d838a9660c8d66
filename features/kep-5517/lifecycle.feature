Feature: What a node is charged while pods come and go
  The whole footprint is booked when a node is chosen, stays as it is when the pod is bound, and goes with it.

  Rule: Booking

    @case:a-pod-that-waits-for-its-device-to-be-ready-is
    @KEP-5517/lifecycle/assume-books-immediately @KEP-5517/status/in-memory-copy-at-assume
    @KEP-5517/shared-claim/assumed-pod-already-counts
    Scenario: A pod that waits for its device to be ready is charged already
      Given a node "node-1" with 10 of "cpu"
      And the device
        | device | takes cpu | binding | failure |
        | five   | 5         | Ready   | Broken  |
      And a claim "c" requesting 1 device
      And a pod "waiting" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      And a pod "other" that uses claim "c"
      And a pod "fits" with the container
        | container | request cpu |
        | main      | 4           |
      And a pod "next" with the container
        | container | request cpu |
        | main      | 1m          |
      When the cluster settles
      Then pod "waiting" is pending
      And pod "fits" runs
      And pod "next" is pending
      And pod "other" is pending
      And pod "other" is refused as UnschedulableAndUnresolvable

    @case:once-it-is-bound-a-pod-of-1-with-a-claim-of-5-is
    @KEP-5517/lifecycle/bind-success-changes-nothing
    Scenario Outline: Once it is bound a pod of 1 with a claim of 5 is charged 6: <cpu> more <what>
      Given a node "node-1" with 10 of "cpu"
      And the device
        | device | takes cpu |
        | five   | 5         |
      And a claim "c" requesting 1 device
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      When the cluster settles
      Then pod "p" runs
      When a pod "next" with the container is created
        | container | request cpu |
        | main      | <cpu>       |
      And the cluster settles
      Then pod "next" <what>

      Examples:
        | cpu   | what       |
        | 4     | runs       |
        | 4001m | is pending |

  Rule: Giving back

    Background:
      Given a node "node-1" with 16 of "cpu"
      And the device
        | device | takes cpu |
        | xpu    | 12        |
      And a claim "c" requesting 1 device
      And a pod "first" with the container
        | container | request cpu | claims |
        | main      | 2           | c      |

    @case:a-pod-that-is-deleted-frees-what-it-requested-and
    @KEP-5517/lifecycle/delete-releases-everything
    Scenario: A pod that is deleted frees what it requested and what its claim took
      Given a pod "second" with the container
        | container | request cpu |
        | main      | 8           |
      When the cluster settles
      Then pod "first" runs
      And pod "second" is pending
      When pod "first" is deleted
      And the cluster settles
      Then pod "second" runs
      When a pod "third" with the container is created
        | container | request cpu |
        | main      | 8           |
      And the cluster settles
      Then pod "third" runs

    @case:a-pod-that-has-finished-frees-all-of-it-as-well
    @KEP-5517/lifecycle/delete-releases-everything
    Scenario: A pod that has finished frees all of it as well
      When the cluster settles
      Then pod "first" runs
      When pod "first" finishes
      And a pod "second" with the container is created
        | container | request cpu |
        | main      | 16          |
      And the cluster settles
      Then pod "second" runs

    @case:a-pod-that-is-being-deleted-and-still-runs-takes-14
    @KEP-5517/lifecycle/delete-releases-everything
    Scenario: A pod that is being deleted and still runs takes 14 of 16
      When the cluster settles
      And the Pod "first" is updated with
        | field               | value              |
        | metadata.finalizers | [example.com/keep] |
      And pod "first" is deleted
      And a pod "second" with the container is created
        | container | request cpu |
        | main      | 2001m       |
      And a pod "third" on node "node-1" with the container is created
        | container | request cpu |
        | main      | 2001m       |
      And the cluster settles
      Then pod "first" runs
      And pod "second" is pending
      And the Pod "third" has
        | field         | value    |
        | status.phase  | Failed   |
        | status.reason | OutOfcpu |

    @case:after-a-restart-of-the-scheduler-14-of-16-are-taken
    @KEP-5517/lifecycle/scheduler-restart-rebuilds-from-status
    Scenario Outline: After a restart of the scheduler 14 of 16 are taken: <cpu> more <what>
      When the cluster settles
      Then pod "first" runs
      When the scheduler restarts
      And a pod "next" with the container is created
        | container | request cpu |
        | main      | <cpu>       |
      And the cluster settles
      Then pod "next" <what>

      Examples:
        | cpu   | what       |
        | 2     | runs       |
        | 2001m | is pending |

    @case:a-device-that-takes-from-now-on-leaves-a-running-pod
    @KEP-5517/lifecycle/later-slice-changes-do-not-touch-running-pods
    Scenario Outline: A device that takes <now> from now on leaves a running pod at 14
      When the cluster settles
      Then pod "first" runs
      When the driver changes the device "xpu"
        | field                                               | value    |
        | nodeAllocatableResourceMappings                     | <old>    |
        | nodeAllocatableResources                            | <new>    |
      And a pod "fits" with the container is created
        | container | request cpu |
        | main      | 2           |
      And a pod "next" with the container is created
        | container | request cpu |
        | main      | 1m          |
      And the cluster settles
      Then pod "first" records
        | claim | containers | takes cpu |
        | c     | main       | 12        |
      And pod "fits" runs
      And pod "next" is pending

      Examples:
        | now     | old                                 | new                                       |
        | 4       | {cpu: {allocationMultiplier: "4"}}  | {cpu: {mapping: {deviceMultiplier: "4"}}}  |
        | 40      | {cpu: {allocationMultiplier: "40"}} | {cpu: {mapping: {deviceMultiplier: "40"}}} |
        | nothing |                                     |                                           |

    @case:the-next-pod-that-gets-the-device-takes-what-it-says
    @KEP-5517/lifecycle/later-slice-changes-do-not-touch-running-pods
    Scenario: The next pod that gets the device takes what it says then
      When the cluster settles
      And the driver changes the device "xpu"
        | field                           | value                                      |
        | nodeAllocatableResourceMappings | {cpu: {allocationMultiplier: "14"}}        |
        | nodeAllocatableResources        | {cpu: {mapping: {deviceMultiplier: "14"}}} |
      And pod "first" is deleted
      And the cluster settles
      And a pod "second" with the container is created
        | container | request cpu | claims |
        | main      | 2           | c      |
      And the cluster settles
      Then pod "second" runs
      And pod "second" records
        | claim | containers | takes cpu |
        | c     | main       | 14        |

  Rule: Attempts that fail

    Background:
      Given a node "node-1" with 10 of "cpu"
      And the device
        | device | takes cpu |
        | five   | 5         |
      And a claim "c" requesting 1 device
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      And a pod "q" with the container
        | container | request cpu |
        | main      | 10          |

    @case:a-pod-of-6-of-10-runs-in-the-end-whose-cannot-be
    @KEP-5517/lifecycle/bind-failure-reverts @KEP-5517/shared-claim/nodeinfo-tracks-consumers
    Scenario Outline: A pod of 6 of 10 runs in the end whose <what> cannot be written <times> times
      When pod "q" is deleted
      And the next <times> updates of the status of a <kind> by components fail as Forbidden
      And the cluster settles
      Then pod "p" runs
      And pod "p" records
        | claim | containers | takes cpu |
        | c     | main       | 5         |
      But in Kubernetes 1.36, because that release counts what it allocates itself: pod "p" runs
      When a pod "rest" with the container is created
        | container | request cpu |
        | main      | 4           |
      And the cluster settles
      Then pod "rest" runs

      Examples:
        | what   | times | kind |
        | status | 2     | Pod  |

      @KEP-5517/lifecycle/claim-stays-allocated-across-footprint-revert
      Examples:
        | what  | times | kind          |
        | claim | 2     | ResourceClaim |

    @case:a-pod-whose-status-cannot-be-written-leaves-the-node
    @KEP-5517/lifecycle/bind-failure-reverts @KEP-5517/lifecycle/status-cleared-after-failed-attempt
    @KEP-5517/shared-claim/nodeinfo-tracks-consumers @profile:since-1.36
    Scenario: A pod whose status cannot be written leaves the node to the next one
      When the next 1 update of the status of a Pod by components fails as Forbidden
      And the cluster settles
      Then pod "q" runs
      And pod "p" is pending
      And pod "p" records nothing
      And claim "c" is reserved for nobody

    @case:a-pod-whose-claim-cannot-be-written-leaves-the-node
    @KEP-5517/lifecycle/claim-stays-allocated-across-footprint-revert @profile:since-1.36
    Scenario: A pod whose claim cannot be written leaves the node to the next one
      When the next 1 update of the status of a ResourceClaim by components fails as InternalError
      And the cluster settles
      Then pod "q" runs
      And pod "p" is pending
      And pod "p" records nothing
      And claim "c" is not allocated
