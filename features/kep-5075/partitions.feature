@profile:kep @profile:since-1.35
Feature: Partitions that can be shared
  A partition draws from the counters of a physical device. Where it can be shared, its first share draws from
  them, once for all shares; the capacity of the partition is checked for every share.

  Counter sets have slices of their own since 1.35; golden/kep-5075/partitions.yaml has them as 1.34 does.

  Rule: The counters are charged once for a partition

    Background:
      Given the counter set
        | set | counter memory |
        | gpu | 8              |
      And the devices
        | device | shared | counters gpu | capacity slots | policy slots     | attribute kind |
        | p1     | yes    | memory 4     | 4              | default 1, min 1 | string shared  |
        | p2     | no     | memory 4     |                |                  | string whole   |
        | p3     | no     | memory 4     |                |                  | string whole   |
      And a device class "whole" that selects
        """
        device.attributes["dra.example.com"].kind == "whole"
        """
      And a device class "shared" that selects
        """
        device.attributes["dra.example.com"].kind == "shared"
        """

    @case:three-shares-of-a-partition-leave-counters-for-a
    @KEP-5075/allocation/partition-counters-once
    Scenario: Three shares of a partition leave counters for a second partition
      Given claim "a" already holds
        | device | consumed slots | share |
        | p1     | 1              | s1    |
      And claim "b" already holds
        | device | consumed slots | share |
        | p1     | 1              | s2    |
      And claim "c" already holds
        | device | consumed slots | share |
        | p1     | 1              | s3    |
      And a claim "d" requesting 1 device of class "whole"
      When allocation of claim "d" is attempted
      Then claim "d" gets one of
        | choice | device | share |
        | 1      | p2     | no    |
        | 2      | p3     | no    |

    @case:three-shares-of-a-partition-and-a-second-partition
    @KEP-5075/allocation/partition-counters-once
    Scenario: Three shares of a partition and a second partition leave no counters for a third
      Given claim "a" already holds
        | device | consumed slots | share |
        | p1     | 1              | s1    |
        | p1     | 1              | s2    |
        | p1     | 1              | s3    |
      And claim "b" already holds
        | device |
        | p2     |
      And a claim "d" requesting 1 device of class "whole"
      When allocation of claim "d" is attempted
      Then nothing fits because of CounterExhausted
      But in Kubernetes 1.35, because this release forgets the counters of devices of which claims hold shares: claim "d" gets exactly
        | request | device |
        | r0      | p3     |

    @case:a-fourth-share-of-a-partition-is-given-although-the
    @KEP-5075/allocation/partition-counters-once
    Scenario: A fourth share of a partition is given although the counters are used up
      Given claim "a" already holds
        | device | consumed slots | share |
        | p1     | 1              | s1    |
        | p1     | 1              | s2    |
        | p1     | 1              | s3    |
      And claim "b" already holds
        | device |
        | p2     |
      And a claim "d" requesting 1 device of class "shared"
      When allocation of claim "d" is attempted
      Then claim "d" gets exactly
        | request | device | consumed slots | share |
        | r0      | p1     | 1              | yes   |

    @case:one-claim-gets-four-shares-of-a-partition-and-a
    @KEP-5075/allocation/partition-counters-once
    Scenario: One claim gets four shares of a partition and a second partition
      Given a claim "c" with the requests
        | request | class  |
        | r1      | shared |
        | r2      | shared |
        | whole   | whole  |
        | r3      | shared |
        | r4      | shared |
      When allocation of claim "c" is attempted
      Then claim "c" has the results
        | request | device | consumed slots |
        | r1      | p1     | 1              |
        | r2      | p1     | 1              |
        | r3      | p1     | 1              |
        | r4      | p1     | 1              |
      And claim "c" gets 5 devices

    @case:a-claim-for-two-shares-of-a-partition-and-two
    @KEP-5075/allocation/partition-counters-once
    Scenario: A claim for two shares of a partition and two further partitions is refused
      Given a claim "c" with the requests
        | request | class  | count |
        | r1      | shared | 1     |
        | r2      | shared | 1     |
        | whole   | whole  | 2     |
      When allocation of claim "c" is attempted
      Then nothing fits because of CounterExhausted

    @case:claims-allocated-together-get-two-shares-of-a
    @KEP-5075/allocation/partition-counters-once
    Scenario: Claims allocated together get two shares of a partition and a second partition
      Given a claim "a" requesting 1 device of class "shared"
      And a claim "b" requesting 1 device of class "whole"
      And a claim "c" requesting 1 device of class "shared"
      When allocation of the claims "a, b, c" together is attempted
      Then claim "a" gets exactly
        | request | device | consumed slots | share |
        | r0      | p1     | 1              | yes   |
      And claim "b" gets 1 device
      And claim "c" gets exactly
        | request | device | consumed slots | share |
        | r0      | p1     | 1              | yes   |

  Rule: The counters are charged once for a partition without capacity too

    Background:
      Given the counter set
        | set | counter memory |
        | gpu | 8              |
      And the devices
        | device | shared | counters gpu |
        | p1     | yes    | memory 8     |

    @case:a-partition-without-capacity-that-draws-all-counters
    @KEP-5075/allocation/partition-counters-once
    Scenario: A partition without capacity that draws all counters gives another claim a second share
      Given claim "a" already holds
        | device | share |
        | p1     | s1    |
      And a claim "c" requesting no capacity
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | share |
        | r0      | p1     | yes   |
      But in Kubernetes 1.36, because this release charges the counters of a shared device without capacity again in each attempt: nothing fits

    @case:a-partition-without-capacity-that-draws-all-counters-2
    @KEP-5075/allocation/partition-counters-once
    Scenario: A partition without capacity that draws all counters gives one claim two shares
      Given a claim "c" with the requests
        | request |
        | r0      |
        | r1      |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | share |
        | r0      | p1     | yes   |
        | r1      | p1     | yes   |

    @case:while-a-claim-has-a-share-of-a-partition-without
    @KEP-5075/allocation/partition-counters-once
    Scenario: While a claim has a share of a partition without capacity that draws all counters, another partition is refused
      Given the devices
        | device | shared | counters gpu |
        | p2     | no     | memory 1     |
      And claim "a" already holds
        | device | share |
        | p1     | s1    |
      And a device class "p2" that selects
        """
        device.allowMultipleAllocations == false
        """
      And a claim "c" requesting 1 device of class "p2"
      When allocation of claim "c" is attempted
      Then nothing fits because of CounterExhausted
      But in Kubernetes 1.35, because this release forgets the counters of devices of which claims hold shares: claim "c" gets exactly
        | request | device |
        | r0      | p2     |

  Rule: The capacity is checked for every share

    Background:
      Given the counter set
        | set | counter memory |
        | gpu | 8              |
      And the devices
        | device | shared | counters gpu | capacity memory |
        | p1     | yes    | memory 4     | 4               |

    @case:a-second-share-may-use-up-the-capacity-of-a
    @KEP-5075/allocation/partition-capacity-every-time
    Scenario: A second share may use up the capacity of a partition
      Given claim "other" already holds
        | device | consumed memory | share |
        | p1     | 2               | s1    |
      And a claim "c" requesting 2 of "memory"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | consumed memory | share |
        | r0      | p1     | 2               | yes   |

    @case:a-third-share-is-refused-where-a-partition-is-used
    @KEP-5075/allocation/partition-capacity-every-time
    Scenario: A third share is refused where a partition is used up, although counters are left
      Given claim "other" already holds
        | device | consumed memory | share |
        | p1     | 2               | s1    |
        | p1     | 2               | s2    |
      And a claim "c" requesting 1 of "memory"
      When allocation of claim "c" is attempted
      Then nothing fits because of InsufficientCapacity

    @case:one-claim-gets-shares-of-and-from-a-partition-with-4
    @KEP-5075/allocation/partition-capacity-every-time
    Scenario Outline: One claim gets shares of <first> and <second> from a partition with 4 of memory
      Given a claim "c" with the requests
        | request | capacity memory |
        | r0      | <first>         |
        | r1      | <second>        |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | consumed memory |
        | r0      | p1     | <first>         |
        | r1      | p1     | <second>        |

      Examples:
        | first | second |
        | 2     | 2      |
        | 1     | 3      |
        | 4     | 0      |

    @case:one-claim-does-not-get-shares-of-and-from-a
    @KEP-5075/allocation/partition-capacity-every-time
    Scenario Outline: One claim does not get shares of <first> and <second> from a partition with 4 of memory
      Given a claim "c" with the requests
        | request | capacity memory |
        | r0      | <first>         |
        | r1      | <second>        |
      When allocation of claim "c" is attempted
      Then nothing fits because of InsufficientCapacity

      Examples:
        | first | second |
        | 3     | 2      |
        | 4     | 1m     |

  Rule: The first share needs the counters

    Background:
      Given the counter set
        | set | counter memory |
        | gpu | 8              |
      And the devices
        | device | shared | counters gpu | capacity memory | attribute kind |
        | p1     | yes    | memory 4     | 4               | string shared  |
        | p2     | no     | memory 5     |                 | string large   |
        | p3     | no     | memory 4     |                 | string small   |
      And a device class "large" that selects
        """
        device.attributes["dra.example.com"].kind == "large"
        """

    @case:a-first-share-is-refused-beside-a-partition-that
    @KEP-5075/allocation/partition-first-share-needs-counters
    Scenario: A first share is refused beside a partition that leaves too few counters
      Given claim "other" already holds
        | device |
        | p2     |
      And a claim "c" requesting 1 of "memory"
      When allocation of claim "c" is attempted
      Then nothing fits because of CounterExhausted

    @case:a-first-share-is-given-beside-a-partition-that
    @KEP-5075/allocation/partition-first-share-needs-counters
    Scenario: A first share is given beside a partition that leaves just enough counters
      Given claim "other" already holds
        | device |
        | p3     |
      And a claim "c" requesting 1 of "memory"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | consumed memory | share |
        | r0      | p1     | 1               | yes   |

    @case:a-large-partition-is-refused-where-the-shares-of
    @KEP-5075/allocation/partition-first-share-needs-counters
    Scenario: A large partition is refused where the shares of another leave too few counters
      Given claim "other" already holds
        | device | consumed memory | share |
        | p1     | 1               | s1    |
        | p1     | 1               | s2    |
      And a claim "c" requesting 1 device of class "large"
      When allocation of claim "c" is attempted
      Then nothing fits because of CounterExhausted
      But in Kubernetes 1.35, because this release forgets the counters of devices of which claims hold shares: claim "c" gets exactly
        | request | device |
        | r0      | p2     |

  Rule: A shared partition and a dedicated one exclude each other

    Background:
      Given the counter set
        | set | counter gpus |
        | gpu | 1            |
      And the devices
        | device     | shared | counters gpu | capacity memory | attribute kind |
        | whole-gpu  | no     | gpus 1       | 80Gi            | string whole   |
        | shared-gpu | yes    | gpus 1       | 80Gi            | string shared  |
      And a device class "whole" that selects
        """
        device.attributes["dra.example.com"].kind == "whole"
        """
      And a device class "shared" that selects
        """
        device.attributes["dra.example.com"].kind == "shared"
        """

    @case:the-whole-gpu-is-refused-while-a-share-of-the-shared
    @KEP-5075/allocation/partition-exclusive-alternatives
    Scenario: The whole GPU is refused while a share of the shared GPU is held
      Given claim "other" already holds
        | device     | consumed memory | share |
        | shared-gpu | 10Gi            | s1    |
      And a claim "c" with the request
        | request | class | capacity memory |
        | r0      | whole | 20Gi            |
      When allocation of claim "c" is attempted
      Then nothing fits because of CounterExhausted
      But in Kubernetes 1.35, because this release forgets the counters of devices of which claims hold shares: claim "c" gets exactly
        | request | device    |
        | r0      | whole-gpu |

    @case:the-shared-gpu-gives-another-share-while-a-first-one
    @KEP-5075/allocation/partition-exclusive-alternatives
    Scenario: The shared GPU gives another share while a first one is held
      Given claim "other" already holds
        | device     | consumed memory | share |
        | shared-gpu | 10Gi            | s1    |
      And a claim "c" with the request
        | request | class  | capacity memory |
        | r0      | shared | 20Gi            |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device     | consumed memory | share |
        | r0      | shared-gpu | 20Gi            | yes   |

    @case:a-share-of-the-shared-gpu-is-refused-while-the-whole
    @KEP-5075/allocation/partition-exclusive-alternatives
    Scenario: A share of the shared GPU is refused while the whole GPU is held
      Given claim "other" already holds
        | device    |
        | whole-gpu |
      And a claim "c" requesting 10Gi of "memory"
      When allocation of claim "c" is attempted
      Then nothing fits because of CounterExhausted

    @case:a-claim-for-a-share-and-for-the-whole-gpu-is-refused
    @KEP-5075/allocation/partition-exclusive-alternatives
    Scenario: A claim for a share and for the whole GPU is refused
      Given a claim "c" with the requests
        | request | class  |
        | r0      | shared |
        | r1      | whole  |
      When allocation of claim "c" is attempted
      Then nothing fits because of CounterExhausted

    @case:a-request-for-any-device-takes-a-share-so-that-a
    @KEP-5075/allocation/partition-exclusive-alternatives
    Scenario: A request for any device takes a share so that a request for a share fits
      Given a claim "c" with the requests
        | request | class  | capacity memory |
        | any     |        | 10Gi            |
        | share   | shared | 10Gi            |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device     | consumed memory |
        | any     | shared-gpu | 10Gi            |
        | share   | shared-gpu | 10Gi            |

  Rule: Counters, shares, capacities and subrequests go together in one claim

    Background:
      Given the counter sets
        | set | counter units |
        | c1  | 4             |
        | c2  | 8             |
      And the devices
        | device | shared | counters c1 | counters c2 | capacity a | capacity b | policy b                        |
        | d1     | yes    | units 2     | units 4     | 2          | 4          | default 2, min 2, step 2, max 4 |
        | d2     | yes    | units 4     | units 4     | 4          | 4          | default 2, min 2, step 2, max 4 |
        | d3     | yes    | units 2     | units 4     | 2          | 4          | default 2, min 2, step 2, max 4 |

    @case:the-second-subrequest-is-taken-where-the-first-would
    @KEP-5075/allocation/partition-in-same-claim
    Scenario: The second subrequest is taken where the first would leave other requests without counters
      Given a claim "c" with the requests
        | request | subrequest  | capacity a | selector                                                          |
        | r0      |             | 1          |                                                                   |
        | r1      | large       | 1          | device.capacity["dra.example.com"].a.isGreaterThan(quantity("3")) |
        | r1      | small       | 1          | device.capacity["dra.example.com"].a.isGreaterThan(quantity("1")) |
        | r2      |             | 2          |                                                                   |
      When allocation of claim "c" is attempted
      Then claim "c" gets one of
        | choice | request  | device | consumed a | consumed b |
        | 1      | r0       | d1     | 1          | 2          |
        | 1      | r1/small | d1     | 1          | 2          |
        | 1      | r2       | d3     | 2          | 2          |
        | 2      | r0       | d3     | 1          | 2          |
        | 2      | r1/small | d3     | 1          | 2          |
        | 2      | r2       | d1     | 2          | 2          |

    @case:the-first-subrequest-is-taken-where-another-request
    @KEP-5075/allocation/partition-in-same-claim
    Scenario: The first subrequest is taken where another request finds room on its device
      Given a claim "c" with the requests
        | request | subrequest  | capacity a | selector                                                          |
        | r0      | large       | 1          | device.capacity["dra.example.com"].a.isGreaterThan(quantity("3")) |
        | r0      | small       | 1          | device.capacity["dra.example.com"].a.isGreaterThan(quantity("1")) |
        | r1      |             | 1          |                                                                   |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request  | device | consumed a | consumed b |
        | r0/large | d2     | 1          | 2          |
        | r1       | d2     | 1          | 2          |

    @case:two-small-shares-move-onto-one-partition-so-that-a
    @KEP-5075/allocation/partition-in-same-claim
    Scenario: Two small shares move onto one partition so that a large share gets another
      Given a claim "c" with the requests
        | request | capacity a | capacity b |
        | r0      | 1          | 2          |
        | r1      | 1          | 2          |
        | r2      | 2          | 4          |
      When allocation of claim "c" is attempted
      Then claim "c" gets one of
        | choice | request | device | consumed a | consumed b |
        | 1      | r0      | d1     | 1          | 2          |
        | 1      | r1      | d1     | 1          | 2          |
        | 1      | r2      | d3     | 2          | 4          |
        | 2      | r0      | d3     | 1          | 2          |
        | 2      | r1      | d3     | 1          | 2          |
        | 2      | r2      | d1     | 2          | 4          |

    @case:a-claim-whose-shares-no-combination-of-partitions
    @KEP-5075/allocation/partition-in-same-claim
    Scenario: A claim whose shares no combination of partitions can serve is refused
      Given a claim "c" with the requests
        | request | capacity a | capacity b |
        | r0      | 1          | 2          |
        | r1      | 3          | 2          |
        | r2      | 1          | 2          |
      When allocation of claim "c" is attempted
      Then nothing fits
