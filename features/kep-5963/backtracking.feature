Feature: The search and the groups
  A refusal for groups is one more filter of the search. The search tries other devices, other choices for the
  requests before, and gives up only when no combination is left.

  Background:
    Given a device class "mig" that selects
      """
      device.attributes["dra.example.com"].type == "mig"
      """
    And a device class "vgpu" that selects
      """
      device.attributes["dra.example.com"].type == "vgpu"
      """
    And the counter sets
      | set   | counter units |
      | gpu-0 | 100           |
      | gpu-1 | 100           |

  Rule: A refused device is passed over

    @case:a-vgpu-device-of-a-free-gpu-is-taken-where-another
    @KEP-5963/backtracking/refusal-tries-next-device @KEP-5963/backtracking/unschedulable-only-when-exhausted
    Scenario: A vGPU device of a free GPU is taken where another GPU holds a MIG device
      Given the devices
        | device | attribute type | counters gpu-0 | groups gpu-0 | counters gpu-1 | groups gpu-1 |
        | mig-0  | string mig     | units 20       | mig          |                |              |
        | vgpu-0 | string vgpu    | units 50       | vgpu         |                |              |
        | vgpu-1 | string vgpu    |                |              | units 50       | vgpu         |
      And claim "other" already holds
        | device | groups gpu-0 |
        | mig-0  | mig          |
      And a claim "c" requesting 1 device of class "vgpu"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | vgpu-1 |

    @case:no-vgpu-device-is-allocated-where-both-gpus-hold-mig
    @KEP-5963/backtracking/unschedulable-only-when-exhausted
    Scenario: No vGPU device is allocated where both GPUs hold MIG devices
      Given the devices
        | device | attribute type | counters gpu-0 | groups gpu-0 | counters gpu-1 | groups gpu-1 |
        | mig-0  | string mig     | units 20       | mig          |                |              |
        | mig-1  | string mig     |                |              | units 20       | mig          |
        | vgpu-0 | string vgpu    | units 50       | vgpu         |                |              |
        | vgpu-1 | string vgpu    |                |              | units 50       | vgpu         |
      And claim "other" already holds
        | device | groups gpu-0 | groups gpu-1 |
        | mig-0  | mig          |              |
        | mig-1  |              | mig          |
      And a claim "c" requesting 1 device of class "vgpu"
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

    @case:a-device-with-a-common-group-is-found-between
    @KEP-5963/backtracking/refusal-tries-next-device @KEP-5963/composition/violation-backtracks-like-a-constraint
    Scenario: A device with a common group is found between devices that the groups refuse
      Given the devices
        | device | attribute type | counters gpu-0 | groups gpu-0 |
        | d1     | string mig     | units 10       | vgpu         |
        | d2     | string mig     | units 10       |              |
        | d3     | string mig     | units 10       | mig, nvl     |
        | d4     | string mig     | units 10       | nvl          |
        | held   | string other   | units 10       | mig          |
      And claim "other" already holds
        | device | groups gpu-0 |
        | held   | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d3     |

    @case:a-claim-is-refused-without-an-error-where-the-groups
    @KEP-5963/composition/violation-backtracks-like-a-constraint @KEP-5963/backtracking/unschedulable-only-when-exhausted
    Scenario: A claim is refused without an error where the groups refuse every device
      Given the devices
        | device | attribute type | counters gpu-0 | groups gpu-0 |
        | d1     | string mig     | units 10       | vgpu         |
        | d2     | string mig     | units 10       |              |
        | d3     | string mig     | units 10       | nvl          |
        | held   | string other   | units 10       | mig          |
      And claim "other" already holds
        | device | groups gpu-0 |
        | held   | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

    @case:a-request-for-two-devices-is-refused-where-a-gpu-has
    @KEP-5963/backtracking/unschedulable-only-when-exhausted
    Scenario: A request for two devices is refused where a GPU has only a MIG and a vGPU device
      Given the devices
        | device | attribute type | counters gpu-0 | groups gpu-0 |
        | mig-0  | string mig     | units 20       | mig          |
        | vgpu-0 | string vgpu    | units 50       | vgpu         |
      And a claim "c" requesting 2 devices
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

  Rule: An earlier choice is taken back

    Background:
      Given the devices
        | device | attribute type | counters gpu-0 | groups gpu-0 |
        | mig-0  | string mig     | units 20       | mig          |
        | vgpu-0 | string vgpu    | units 50       | vgpu         |
        | vgpu-1 | string vgpu    | units 50       | vgpu         |

    @case:a-request-for-any-device-takes-a-vgpu-device-for-the
    @KEP-5963/backtracking/refusal-tries-next-device @KEP-5963/backtracking/request-order-does-not-decide-feasibility
    Scenario: A request for any device takes a vGPU device for the sake of a later request for one
      Given a claim "c" with the requests
        | request | class |
        | any     |       |
        | vgpu    | vgpu  |
      When allocation of claim "c" is attempted
      Then claim "c" gets one of
        | choice | request | device |
        | 1      | any     | vgpu-0 |
        | 1      | vgpu    | vgpu-1 |
        | 2      | any     | vgpu-1 |
        | 2      | vgpu    | vgpu-0 |

    @case:a-request-for-any-device-takes-a-vgpu-device-after-a
    @KEP-5963/backtracking/request-order-does-not-decide-feasibility
    Scenario: A request for any device takes a vGPU device after a request for one
      Given a claim "c" with the requests
        | request | class |
        | vgpu    | vgpu  |
        | any     |       |
      When allocation of claim "c" is attempted
      Then claim "c" gets one of
        | choice | request | device |
        | 1      | any     | vgpu-0 |
        | 1      | vgpu    | vgpu-1 |
        | 2      | any     | vgpu-1 |
        | 2      | vgpu    | vgpu-0 |

    @case:requests-of-class-and-then-of-class-are-refused-on
    @KEP-5963/backtracking/request-order-does-not-decide-feasibility
    Scenario Outline: Requests of class <first> and then of class <second> are refused on one GPU
      Given a claim "c" with the requests
        | request | class    |
        | r1      | <first>  |
        | r2      | <second> |
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

      Examples:
        | first | second |
        | mig   | vgpu   |
        | vgpu  | mig    |

    @case:a-claim-for-any-device-takes-a-vgpu-device-for-the
    @KEP-5963/backtracking/state-restored @KEP-5963/composition/other-claim-of-same-pod
    Scenario: A claim for any device takes a vGPU device for the sake of a later claim for one
      Given a claim "a" requesting 1 device
      And a claim "b" requesting 1 device of class "vgpu"
      When allocation of the claims "a, b" together is attempted
      Then claim "a" gets one of
        | choice | device |
        | 1      | vgpu-0 |
        | 2      | vgpu-1 |
      And claim "b" gets one of
        | choice | device |
        | 1      | vgpu-0 |
        | 2      | vgpu-1 |

    @case:a-claim-for-any-device-takes-a-vgpu-device-after-a
    @KEP-5963/backtracking/request-order-does-not-decide-feasibility @KEP-5963/composition/other-claim-of-same-pod
    Scenario: A claim for any device takes a vGPU device after a claim for one
      Given a claim "a" requesting 1 device of class "vgpu"
      And a claim "b" requesting 1 device
      When allocation of the claims "a, b" together is attempted
      Then claim "b" gets one of
        | choice | device |
        | 1      | vgpu-0 |
        | 2      | vgpu-1 |

  Rule: What was taken back leaves no trace

    @case:of-devices-with-groups-and-the-first-request-takes
    @KEP-5963/backtracking/state-restored
    Scenario Outline: Of devices with groups [<one>] and [<two>] the first request takes <taken> so that [<three>] serves the second
      Given the devices
        | device | attribute role | counters gpu-0 | groups gpu-0 |
        | d1     | string left    | units 10       | <one>        |
        | d2     | string left    | units 10       | <two>        |
        | d3     | string right   | units 10       | <three>      |
      And a claim "c" with the requests
        | request | selector                                             |
        | r0      | device.attributes["dra.example.com"].role == "left"  |
        | r1      | device.attributes["dra.example.com"].role == "right" |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device  |
        | r0      | <taken> |
        | r1      | d3      |

      Examples:
        | one  | two  | three | taken |
        | a    | b    | b     | d2    |
        | b    | a    | b     | d1    |
        | a    |      |       | d2    |
        |      | b    | b     | d2    |
        | a, b | c, d | d     | d2    |

    @case:neither-of-two-devices-with-groups-and-goes-with-of
    @KEP-5963/backtracking/state-restored
    Scenario Outline: Neither of two devices with groups [<one>] and [<two>] goes with [<three>] of the next request
      Given the devices
        | device | attribute role | counters gpu-0 | groups gpu-0 |
        | d1     | string left    | units 10       | <one>        |
        | d2     | string left    | units 10       | <two>        |
        | d3     | string right   | units 10       | <three>      |
      And a claim "c" with the requests
        | request | selector                                             |
        | r0      | device.attributes["dra.example.com"].role == "left"  |
        | r1      | device.attributes["dra.example.com"].role == "right" |
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

      Examples:
        | one | two | three |
        | a   | b   | c     |
        | a   | b   |       |
        |     |     | c     |

    @case:after-a-b-a-second-request-takes-of-and-so-that-b
    @KEP-5963/backtracking/state-restored
    Scenario Outline: After [a, b] a second request takes <taken> of [<one>] and [<two>] so that [b] serves a third
      Given the devices
        | device | attribute role | counters gpu-0 | groups gpu-0 |
        | wide   | string first   | units 10       | a, b         |
        | d1     | string second  | units 10       | <one>        |
        | d2     | string second  | units 10       | <two>        |
        | last   | string third   | units 10       | b            |
      And a claim "c" with the requests
        | request | selector                                              |
        | r0      | device.attributes["dra.example.com"].role == "first"  |
        | r1      | device.attributes["dra.example.com"].role == "second" |
        | r2      | device.attributes["dra.example.com"].role == "third"  |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device  |
        | r0      | wide    |
        | r1      | <taken> |
        | r2      | last    |

      Examples:
        | one | two  | taken |
        | a   | b    | d2    |
        | b   | a    | d1    |
        | a   | b, c | d2    |

    @case:a-tried-device-with-on-gpu-0-and-on-gpu-1-leaves-no
    @KEP-5963/backtracking/state-restored
    Scenario Outline: A tried device with [<gpu-0>] on gpu-0 and [<gpu-1>] on gpu-1 leaves no trace on either counter set
      Given the devices
        | device | attribute role | counters gpu-0 | groups gpu-0 | counters gpu-1 | groups gpu-1 |
        | d1     | string first   | units 10       | <gpu-0>      | units 10       | <gpu-1>      |
        | d2     | string first   | units 10       | b            | units 10       | y            |
        | d3     | string first   | units 10       | <gpu-0>      | units 10       | <gpu-1>      |
        | on-0   | string second  | units 10       | b            |                |              |
        | on-1   | string third   |                |              | units 10       | y            |
      And a claim "c" with the requests
        | request | selector                                              |
        | r0      | device.attributes["dra.example.com"].role == "first"  |
        | r1      | device.attributes["dra.example.com"].role == "second" |
        | r2      | device.attributes["dra.example.com"].role == "third"  |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d2     |
        | r1      | on-0   |
        | r2      | on-1   |

      Examples:
        | gpu-0 | gpu-1 |
        | a     | x     |
        | b     | x     |
        | a     | y     |
        |       |       |

    @case:three-requests-turn-to-another-group-for-the-sake-of
    @KEP-5963/backtracking/state-restored
    Scenario: Three requests turn to another group for the sake of a fourth
      Given the devices
        | device | attribute role | counters gpu-0 | groups gpu-0 |
        | a1     | string r1      | units 10       | a            |
        | b1     | string r1      | units 10       | b            |
        | a2     | string r2      | units 10       | a            |
        | b2     | string r2      | units 10       | b            |
        | a3     | string r3      | units 10       | a            |
        | b3     | string r3      | units 10       | b            |
        | b4     | string r4      | units 10       | b            |
      And a claim "c" with the requests
        | request | selector                                          |
        | r1      | device.attributes["dra.example.com"].role == "r1" |
        | r2      | device.attributes["dra.example.com"].role == "r2" |
        | r3      | device.attributes["dra.example.com"].role == "r3" |
        | r4      | device.attributes["dra.example.com"].role == "r4" |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r1      | b1     |
        | r2      | b2     |
        | r3      | b3     |
        | r4      | b4     |

    @case:a-device-is-taken-whose-groups-and-counters-both
    @KEP-5963/backtracking/state-restored @KEP-5963/composition/counters-still-apply
    Scenario: A device is taken whose groups and counters both leave room for the next request
      Given the devices
        | device | attribute role | counters gpu-0 | groups gpu-0 |
        | d1     | string first   | units 80       | mig          |
        | d2     | string first   | units 10       | vgpu         |
        | d3     | string first   | units 10       | mig, vgpu    |
        | last   | string second  | units 50       | mig          |
      And a claim "c" with the requests
        | request | selector                                              |
        | r0      | device.attributes["dra.example.com"].role == "first"  |
        | r1      | device.attributes["dra.example.com"].role == "second" |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d3     |
        | r1      | last   |

  Rule: Another subrequest of a prioritized list is taken

    Background:
      Given the devices
        | device | attribute type | counters gpu-0 | groups gpu-0 |
        | mig-0  | string mig     | units 20       | mig          |
        | mig-1  | string mig     | units 20       | mig          |
        | vgpu-0 | string vgpu    | units 40       | vgpu         |
        | vgpu-1 | string vgpu    | units 40       | vgpu         |

    @case:the-second-subrequest-is-taken-where-the-groups-of-a
    @KEP-5963/backtracking/refusal-tries-next-device
    Scenario: The second subrequest is taken where the groups of a held device exclude the first
      Given claim "other" already holds
        | device | groups gpu-0 |
        | mig-0  | mig          |
      And a claim "c" with the requests
        | request | subrequest  | class |
        | gpu     | best        | vgpu  |
        | gpu     | second      | mig   |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request    | device |
        | gpu/second | mig-1  |

    @case:the-first-subrequest-for-grouped-devices-is-taken
    @KEP-5963/compatibility/first-device-on-open-set @KEP-5963/compatibility/shared-group-admits
    Scenario: The first subrequest for grouped devices is taken where the counter set is free
      Given a claim "c" with the requests
        | request | subrequest  | class | count |
        | gpu     | best        | vgpu  | 2     |
        | gpu     | second      | mig   | 1     |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request  | device |
        | gpu/best | vgpu-0 |
        | gpu/best | vgpu-1 |

    @case:the-second-subrequest-is-taken-where-the-groups-of
    @KEP-5963/backtracking/refusal-tries-next-device @KEP-5963/backtracking/state-restored
    Scenario: The second subrequest is taken where the groups of the first exclude another request
      Given a claim "c" with the requests
        | request | subrequest  | class | count |
        | gpu     | best        | vgpu  | 2     |
        | gpu     | second      | mig   | 1     |
        | fixed   |             | mig   | 1     |
      When allocation of claim "c" is attempted
      Then claim "c" gets one of
        | choice | request    | device |
        | 1      | gpu/second | mig-0  |
        | 1      | fixed      | mig-1  |
        | 2      | gpu/second | mig-1  |
        | 2      | fixed      | mig-0  |

    @case:a-claim-is-refused-where-the-groups-of-every
    @KEP-5963/backtracking/unschedulable-only-when-exhausted
    Scenario: A claim is refused where the groups of every subrequest exclude its other request
      Given claim "other" already holds
        | device | groups gpu-0 |
        | mig-0  | mig          |
      And a claim "c" with the requests
        | request | subrequest  | class | count |
        | gpu     | best        | vgpu  | 2     |
        | gpu     | second      | vgpu  | 1     |
        | fixed   |             | mig   | 1     |
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

    @case:a-subrequest-for-all-devices-gives-way-to-one-for
    @KEP-5963/backtracking/refusal-tries-next-device @KEP-5963/backtracking/all-mode-needs-one-common-group
    Scenario: A subrequest for all devices gives way to one for two devices of one group
      Given a claim "c" with the requests
        | request | subrequest  | class | mode | count |
        | gpu     | all         |       | All  |       |
        | gpu     | two         | mig   |      | 2     |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | gpu/two | mig-0  |
        | gpu/two | mig-1  |

  Rule: Another node is tried

    Background:
      Given a node "left"
      And a node "right"
      And the counter sets
        | set   | pool  | node  | counter units |
        | gpu-0 | left  | left  | 100           |
        | gpu-0 | right | right | 100           |
      And the devices
        | device | pool  | node  | attribute type | counters gpu-0 | groups gpu-0 |
        | mig-0  | left  | left  | string mig     | units 20       | mig          |
        | vgpu-0 | left  | left  | string vgpu    | units 20       | vgpu         |
        | mig-0  | right | right | string mig     | units 20       | mig          |
        | vgpu-0 | right | right | string vgpu    | units 20       | vgpu         |
      And claim "other" already holds
        | device | pool | groups gpu-0 |
        | mig-0  | left | mig          |
      And a claim "c" requesting 1 device of class "vgpu"

    @case:a-vgpu-device-is-refused-on-a-node-whose-gpu-holds-a
    @KEP-5963/backtracking/other-node-tried @KEP-5963/backtracking/unschedulable-only-when-exhausted
    Scenario: A vGPU device is refused on a node whose GPU holds a MIG device
      When allocation of claim "c" on node "left" is attempted
      Then nothing fits because of IncompatibleGroup

    @case:a-vgpu-device-is-allocated-on-a-node-whose-gpu-is
    @KEP-5963/backtracking/other-node-tried
    Scenario: A vGPU device is allocated on a node whose GPU is free
      When allocation of claim "c" on node "right" is attempted
      Then claim "c" gets exactly
        | request | device | pool  |
        | r0      | vgpu-0 | right |
