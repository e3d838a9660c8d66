Feature: The snapshot in the claim
  With each allocated device its groups are recorded in the claim, for each counter set. From then on the
  record counts, and not what the slice says later.

  Background:
    Given the counter sets
      | set      | counter units |
      | gpu-0    | 100           |
      | fabric-0 | 100           |

  Rule: The groups are recorded as the slice declares them

    @case:a-mig-device-has-its-group-recorded-for-the-counter
    @KEP-5963/snapshot/recorded-at-allocation @KEP-5963/snapshot/keyed-by-counter-set @KEP-5963/snapshot/unconsumed-sets-absent
    Scenario: A MIG device has its group recorded for the counter set that it draws from
      Given the devices
        | device | counters gpu-0 | groups gpu-0 |
        | mig-0  | units 20       | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | groups gpu-0 |
        | r0      | mig-0  | mig          |
      But since Kubernetes 1.37, because this release keeps no record of groups in claims: claim "c" gets exactly
        | request | device |
        | r0      | mig-0  |

    @case:each-of-two-devices-of-one-claim-has-its-own-groups
    @KEP-5963/snapshot/recorded-at-allocation
    Scenario: Each of two devices of one claim has its own groups recorded
      Given the devices
        | device | counters gpu-0 | groups gpu-0 |
        | foo-0  | units 25       | foo, foobar  |
        | bar-0  | units 25       | bar, foobar  |
      And a claim "c" requesting 2 devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | groups gpu-0 |
        | r0      | foo-0  | foo, foobar  |
        | r0      | bar-0  | bar, foobar  |
      But since Kubernetes 1.37, because this release keeps no record of groups in claims: claim "c" gets exactly
        | request | device |
        | r0      | foo-0  |
        | r0      | bar-0  |

    @case:each-of-two-claims-allocated-together-has-the-groups
    @KEP-5963/snapshot/recorded-at-allocation
    Scenario: Each of two claims allocated together has the groups of its own device recorded
      Given the devices
        | device | attribute kind | counters gpu-0 | groups gpu-0 |
        | foo-0  | string foo     | units 25       | foo, foobar  |
        | bar-0  | string bar     | units 25       | bar, foobar  |
      And a claim "a" with the request
        | request | selector                                           |
        | r0      | device.attributes["dra.example.com"].kind == "foo" |
      And a claim "b" with the request
        | request | selector                                           |
        | r0      | device.attributes["dra.example.com"].kind == "bar" |
      When allocation of the claims "a, b" together is attempted
      Then claim "a" gets exactly
        | request | device | groups gpu-0 |
        | r0      | foo-0  | foo, foobar  |
      And claim "b" gets exactly
        | request | device | groups gpu-0 |
        | r0      | bar-0  | bar, foobar  |
      But since Kubernetes 1.37, because this release keeps no record of groups in claims: claim "a" gets exactly
        | request | device |
        | r0      | foo-0  |
      And since Kubernetes 1.37, because this release keeps no record of groups in claims: claim "b" gets exactly
        | request | device |
        | r0      | bar-0  |

    @case:a-device-that-draws-from-two-sets-has-its-groups
    @KEP-5963/snapshot/keyed-by-counter-set
    Scenario: A device that draws from two sets has its groups recorded for each
      Given the devices
        | device | counters gpu-0 | groups gpu-0 | counters fabric-0 | groups fabric-0 |
        | both   | units 20       | mig          | units 1           | nvl             |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | groups gpu-0 | groups fabric-0 |
        | r0      | both   | mig          | nvl             |
      But since Kubernetes 1.37, because this release keeps no record of groups in claims: claim "c" gets exactly
        | request | device |
        | r0      | both   |

    @case:a-device-has-the-groups-of-its-newest-generation
    @KEP-5963/snapshot/recorded-at-allocation
    Scenario: A device has the groups of its newest generation recorded
      Given the devices
        | device | generation | counters gpu-0 | groups gpu-0 |
        | d1     | 1          | units 20       | mig          |
        | d1     | 2          | units 20       | vgpu         |
      And the counter sets
        | set      | generation | counter units |
        | gpu-0    | 2          | 100           |
        | fabric-0 | 2          | 100           |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | groups gpu-0 |
        | r0      | d1     | vgpu         |
      But since Kubernetes 1.37, because this release keeps no record of groups in claims: claim "c" gets exactly
        | request | device |
        | r0      | d1     |

  Rule: A set without groups is occupied all the same

    Background:
      Given the devices
        | device | counters gpu-0 | groups gpu-0 | counters fabric-0 | groups fabric-0 |
        | half   | units 20       | mig          | units 1           |                 |
        | nvl-0  |                |              | units 1           | nvl             |
        | plain  |                |              | units 1           |                 |
      And claim "other" already holds
        | device | groups gpu-0 |
        | half   | mig          |

    @case:a-device-without-groups-goes-beside-a-device-with
    @KEP-5963/snapshot/consumed-but-ungrouped-set
    Scenario: A device without groups goes beside a device with groups on another set only
      Given a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | plain  |

    @case:a-grouped-device-is-refused-on-a-set-for-which-held
    @KEP-5963/snapshot/consumed-but-ungrouped-set
    Scenario: A grouped device is refused on a set for which held devices have no groups recorded
      Given claim "second" already holds
        | device |
        | plain  |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

  Rule: The record counts when the slice has changed

    @case:a-device-of-the-recorded-group-is-allocated-although
    @KEP-5963/snapshot/authoritative-over-changed-slice
    Scenario: A device of the recorded group is allocated although the slice has another group now
      Given the devices
        | device | counters gpu-0 | groups gpu-0 |
        | d1     | units 20       | vgpu         |
        | mig-1  | units 20       | mig          |
      And claim "other" already holds
        | device | groups gpu-0 |
        | d1     | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | mig-1  |
      But since Kubernetes 1.37, because this release reads the groups of held devices from their slices: nothing fits

    @case:a-device-of-the-group-that-the-slice-has-now-is
    @KEP-5963/snapshot/authoritative-over-changed-slice
    Scenario: A device of the group that the slice has now is refused where another is recorded
      Given the devices
        | device | counters gpu-0 | groups gpu-0 |
        | d1     | units 20       | vgpu         |
        | vgpu-1 | units 20       | vgpu         |
      And claim "other" already holds
        | device | groups gpu-0 |
        | d1     | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup
      But since Kubernetes 1.37, because this release reads the groups of held devices from their slices: claim "c" gets exactly
        | request | device |
        | r0      | vgpu-1 |

    @case:a-recorded-name-still-admits-a-device-after-the
    @KEP-5963/snapshot/authoritative-over-changed-slice
    Scenario: A recorded name still admits a device after the slice drops it
      Given the devices
        | device | counters gpu-0 | groups gpu-0 |
        | d1     | units 20       | a            |
        | d2     | units 20       | b            |
      And claim "other" already holds
        | device | groups gpu-0 |
        | d1     | a, b         |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d2     |
      But since Kubernetes 1.37, because this release reads the groups of held devices from their slices: nothing fits

    @case:a-name-that-the-slice-adds-later-does-not-admit-a
    @KEP-5963/snapshot/authoritative-over-changed-slice
    Scenario: A name that the slice adds later does not admit a device
      Given the devices
        | device | counters gpu-0 | groups gpu-0 |
        | d1     | units 20       | a, b         |
        | d2     | units 20       | b            |
      And claim "other" already holds
        | device | groups gpu-0 |
        | d1     | a            |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup
      But since Kubernetes 1.37, because this release reads the groups of held devices from their slices: claim "c" gets exactly
        | request | device |
        | r0      | d2     |

    @case:after-a-driver-renames-the-group-of-all-devices
    @KEP-5963/snapshot/authoritative-over-changed-slice
    Scenario: After a driver renames the group of all devices, another one is refused beside a held one
      Given the devices
        | device | counters gpu-0 | groups gpu-0 |
        | d1     | units 20       | new          |
        | d2     | units 20       | new          |
      And claim "other" already holds
        | device | groups gpu-0 |
        | d1     | old          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup
      But since Kubernetes 1.37, because this release reads the groups of held devices from their slices: claim "c" gets exactly
        | request | device |
        | r0      | d2     |

    @case:a-device-of-is-refused-after-the-slice-removes-the
    @KEP-5963/snapshot/authoritative-over-removed-groups
    Scenario Outline: A device of [<groups>] is refused after the slice removes the recorded group mig
      Given the devices
        | device | counters gpu-0 | groups gpu-0 |
        | d1     | units 20       |              |
        | d2     | units 20       | <groups>     |
      And claim "other" already holds
        | device | groups gpu-0 |
        | d1     | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

      Examples:
        | groups    |
        | vgpu      |
        | vgpu, nvl |

    @case:a-device-of-the-recorded-group-is-allocated-after
    @KEP-5963/snapshot/authoritative-over-removed-groups
    Scenario: A device of the recorded group is allocated after the slice removes the group
      Given the devices
        | device | counters gpu-0 | groups gpu-0 |
        | d1     | units 20       |              |
        | mig-1  | units 20       | mig          |
      And claim "other" already holds
        | device | groups gpu-0 |
        | d1     | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | mig-1  |
      But since Kubernetes 1.37, because this release reads the groups of held devices from their slices: nothing fits

    @case:a-device-without-groups-is-refused-beside-a-recorded
    @KEP-5963/snapshot/authoritative-over-removed-groups
    Scenario: A device without groups is refused beside a recorded group that the slice has removed
      Given the devices
        | device | counters gpu-0 |
        | d1     | units 20       |
        | d2     | units 20       |
      And claim "other" already holds
        | device | groups gpu-0 |
        | d1     | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup
      But since Kubernetes 1.33, because releases know no record of groups in claims: claim "c" gets exactly
        | request | device |
        | r0      | d2     |

    @case:a-device-of-another-group-is-refused-although-the
    @KEP-5963/snapshot/authoritative-over-removed-groups
    Scenario: A device of another group is refused although the held one draws from the set no more
      Given the devices
        | device | counters gpu-0 | groups gpu-0 |
        | d1     |                |              |
        | vgpu-1 | units 20       | vgpu         |
      And claim "other" already holds
        | device | groups gpu-0 |
        | d1     | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup
      But since Kubernetes 1.37, because this release reads the groups of held devices from their slices: claim "c" gets exactly
        | request | device |
        | r0      | vgpu-1 |

    @case:a-device-of-another-group-is-refused-although-the-2
    @KEP-5963/snapshot/authoritative-over-removed-groups
    Scenario: A device of another group is refused although the held one has left the slice
      Given the devices
        | device | counters gpu-0 | groups gpu-0 |
        | vgpu-1 | units 20       | vgpu         |
      And claim "other" already holds
        | device | groups gpu-0 |
        | gone   | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup
      But since Kubernetes 1.37, because in this release a device that has left its slice occupies nothing: claim "c" gets exactly
        | request | device |
        | r0      | vgpu-1 |

    @case:a-device-of-the-recorded-group-is-allocated-after-2
    @KEP-5963/snapshot/authoritative-over-removed-groups
    Scenario: A device of the recorded group is allocated after the held one has left the slice
      Given the devices
        | device | counters gpu-0 | groups gpu-0 |
        | mig-1  | units 20       | mig          |
      And claim "other" already holds
        | device | groups gpu-0 |
        | gone   | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | mig-1  |

    @case:a-device-that-has-left-a-pool-occupies-a-set-of-that
    @KEP-5963/snapshot/authoritative-over-removed-groups @KEP-5963/compatibility/same-set-name-in-other-pool
    Scenario: A device that has left a pool occupies a set of that pool only
      Given the counter set
        | set   | pool   | counter units |
        | gpu-0 | pool-2 | 100           |
      And the devices
        | device | pool   | counters gpu-0 | groups gpu-0 |
        | vgpu-1 | pool-2 | units 20       | vgpu         |
      And claim "other" already holds
        | device | pool   | groups gpu-0 |
        | gone   | pool-1 | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | pool   |
        | r0      | vgpu-1 | pool-2 |

  Rule: Candidates are judged by what the slice says now

    @case:a-device-that-joins-the-held-group-in-a-new
    @KEP-5963/snapshot/candidates-use-current-slice
    Scenario: A device that joins the held group in a new generation is allocated
      Given the counter set
        | set   | pool   | generation | counter units |
        | gpu-0 | pool-2 | 1          | 100           |
        | gpu-0 | pool-2 | 2          | 100           |
      And the devices
        | device | pool   | generation | counters gpu-0 | groups gpu-0 |
        | a      | pool-2 | 1          | units 20       | mig          |
        | b      | pool-2 | 1          | units 20       | vgpu         |
        | a      | pool-2 | 2          | units 20       | mig          |
        | b      | pool-2 | 2          | units 20       | mig          |
      And claim "other" already holds
        | device | pool   | groups gpu-0 |
        | a      | pool-2 | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | b      |

    @case:a-device-that-leaves-the-held-group-in-a-new
    @KEP-5963/snapshot/candidates-use-current-slice
    Scenario: A device that leaves the held group in a new generation is refused
      Given the counter set
        | set   | pool   | generation | counter units |
        | gpu-0 | pool-2 | 1          | 100           |
        | gpu-0 | pool-2 | 2          | 100           |
      And the devices
        | device | pool   | generation | counters gpu-0 | groups gpu-0 |
        | a      | pool-2 | 1          | units 20       | mig          |
        | b      | pool-2 | 1          | units 20       | mig          |
        | a      | pool-2 | 2          | units 20       | mig          |
        | b      | pool-2 | 2          | units 20       | vgpu         |
      And claim "other" already holds
        | device | pool   | groups gpu-0 |
        | a      | pool-2 | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

    @case:a-device-that-comes-back-with-other-groups-is-judged
    @KEP-5963/snapshot/candidates-use-current-slice @KEP-5963/snapshot/rewritten-device-is-snapshotted-anew
    Scenario: A device that comes back with other groups is judged by these and has them recorded
      Given the devices
        | device | counters gpu-0 | groups gpu-0 |
        | mig-0  | units 20       | mig          |
        | d1     | units 20       | mig, vgpu    |
      And claim "other" already holds
        | device | groups gpu-0 |
        | mig-0  | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | groups gpu-0 |
        | r0      | d1     | mig, vgpu    |
      But since Kubernetes 1.37, because this release keeps no record of groups in claims: claim "c" gets exactly
        | request | device |
        | r0      | d1     |

  Rule: A held device without a record counts as one without groups

    @case:a-grouped-device-is-refused-beside-a-held-one-that
    @KEP-5963/rolling-intersection/peer-without-snapshot @KEP-5963/snapshot/authoritative-over-changed-slice
    Scenario: A grouped device is refused beside a held one that got its groups later
      Given the devices
        | device | counters gpu-0 | groups gpu-0 |
        | d1     | units 20       | mig          |
        | mig-1  | units 20       | mig          |
      And claim "other" already holds
        | device |
        | d1     |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup
      But since Kubernetes 1.37, because this release reads the groups of held devices from their slices: claim "c" gets exactly
        | request | device |
        | r0      | mig-1  |

    @case:a-device-without-groups-is-allocated-beside-a-held
    @KEP-5963/rolling-intersection/peer-without-snapshot
    Scenario: A device without groups is allocated beside a held one that got its groups later
      Given the devices
        | device  | counters gpu-0 | groups gpu-0 |
        | d1      | units 20       | mig          |
        | plain-1 | units 20       |              |
      And claim "other" already holds
        | device |
        | d1     |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device  |
        | r0      | plain-1 |
      But since Kubernetes 1.37, because this release reads the groups of held devices from their slices: nothing fits

    @case:two-grouped-devices-are-allocated-together-where-no
    @KEP-5963/rolling-intersection/peer-without-snapshot
    Scenario: Two grouped devices are allocated together where no held device is without a record
      Given the devices
        | device | counters gpu-0 | groups gpu-0 |
        | d1     | units 20       | mig          |
        | mig-1  | units 20       | mig          |
      And a claim "c" requesting 2 devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d1     |
        | r0      | mig-1  |

    @case:a-grouped-device-is-refused-on-a-set-for-which-a
    @KEP-5963/rolling-intersection/peer-without-snapshot
    Scenario: A grouped device is refused on a set for which a held device has no record
      Given the devices
        | device | counters gpu-0 | groups gpu-0 | counters fabric-0 | groups fabric-0 |
        | both   | units 20       | mig          | units 1           | nvl             |
        | nvl-0  |                |              | units 1           | nvl             |
      And claim "other" already holds
        | device | groups gpu-0 |
        | both   | mig          |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup
      But since Kubernetes 1.37, because this release reads the groups of held devices from their slices: claim "c" gets exactly
        | request | device |
        | r0      | nvl-0  |

    @case:a-grouped-device-is-allocated-where-a-held-one
    @KEP-5963/rolling-intersection/peer-without-snapshot @KEP-5963/compatibility/other-counter-set-never-compared
    Scenario: A grouped device is allocated where a held one without a record is on another set
      Given the devices
        | device | counters gpu-0 | groups gpu-0 | counters fabric-0 | groups fabric-0 |
        | d1     | units 20       | mig          |                   |                 |
        | nvl-0  |                |              | units 1           | nvl             |
        | mig-1  | units 20       | mig          |                   |                 |
      And claim "other" already holds
        | device |
        | d1     |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | nvl-0  |
      But since Kubernetes 1.37, because this release reads the groups of held devices from their slices: claim "c" gets 1 device

    @case:a-device-with-groups-is-refused-beside-a-recorded
    @KEP-5963/rolling-intersection/peers-already-in-conflict
    Scenario Outline: A device with groups [<groups>] is refused beside a recorded device and one without a record
      Given the devices
        | device | counters gpu-0 | groups gpu-0 |
        | d1     | units 20       | mig          |
        | d2     | units 20       | mig          |
        | d3     | units 20       | <groups>     |
      And claim "one" already holds
        | device | groups gpu-0 |
        | d1     | mig          |
      And claim "two" already holds
        | device |
        | d2     |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

      Examples:
        | groups |
        | vgpu   |
        |        |

    @case:a-device-of-the-recorded-group-is-refused-beside-a
    @KEP-5963/rolling-intersection/peers-already-in-conflict
    Scenario: A device of the recorded group is refused beside a recorded device and one without a record
      Given the devices
        | device | counters gpu-0 | groups gpu-0 |
        | d1     | units 20       | mig          |
        | d2     | units 20       | mig          |
        | d3     | units 20       | mig          |
      And claim "one" already holds
        | device | groups gpu-0 |
        | d1     | mig          |
      And claim "two" already holds
        | device |
        | d2     |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup
      But since Kubernetes 1.37, because this release reads the groups of held devices from their slices: claim "c" gets exactly
        | request | device |
        | r0      | d3     |
