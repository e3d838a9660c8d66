Feature: Devices that can be shared
  Shares of one device draw from the counters once, and its groups count as long as any share of it is held.

  Background:
    Given the counter set
      | set   | counter units |
      | gpu-0 | 100           |

  Rule: The groups of a shared device count like those of any other

    Background:
      Given the devices
        | device   | shared | capacity memory | counters gpu-0 | groups gpu-0 |
        | shared-0 | yes    | 40              | units 40       | mig          |
        | mig-0    | no     | 10              | units 20       | mig          |
        | vgpu-0   | no     | 80              | units 20       | vgpu         |

    @case:a-device-of-another-group-is-refused-beside-a-share
    @KEP-5963/compatibility/disjoint-groups-refused
    Scenario: A device of another group is refused beside a share
      Given claim "other" already holds
        | device   | consumed memory | share | groups gpu-0 |
        | shared-0 | 10              | s1    | mig          |
      And a claim "c" requesting 50 of "memory"
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

    @case:a-share-is-refused-beside-a-device-of-another-group
    @KEP-5963/compatibility/disjoint-groups-refused
    Scenario: A share is refused beside a device of another group
      Given claim "other" already holds
        | device | groups gpu-0 |
        | vgpu-0 | vgpu         |
      And a claim "c" requesting 30 of "memory"
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

    @case:a-share-is-given-beside-a-device-of-its-group
    @KEP-5963/compatibility/shared-group-admits
    Scenario: A share is given beside a device of its group
      Given claim "other" already holds
        | device | groups gpu-0 |
        | mig-0  | mig          |
      And a claim "c" requesting 30 of "memory"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device   | consumed memory | share |
        | r0      | shared-0 | 30              | yes   |

    @case:a-second-share-of-a-grouped-device-is-given
    @KEP-5963/compatibility/shared-group-admits
    Scenario: A second share of a grouped device is given
      Given claim "other" already holds
        | device   | consumed memory | share | groups gpu-0 |
        | shared-0 | 10              | s1    | mig          |
      And a claim "c" requesting 30 of "memory"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device   | consumed memory | share |
        | r0      | shared-0 | 30              | yes   |

  Rule: Each share has the groups recorded

    @case:two-shares-of-one-device-in-one-claim-each-have-its
    @KEP-5963/snapshot/recorded-at-allocation
    Scenario: Two shares of one device in one claim each have its groups recorded
      Given the device
        | device   | shared | capacity memory | counters gpu-0 | groups gpu-0 |
        | shared-0 | yes    | 40              | units 60       | foo, foobar  |
      And a claim "c" with the requests
        | request | capacity memory |
        | r0      | 10              |
        | r1      | 30              |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device   | consumed memory | share | groups gpu-0 |
        | r0      | shared-0 | 10              | yes   | foo, foobar  |
        | r1      | shared-0 | 30              | yes   | foo, foobar  |
      But since Kubernetes 1.37, because this release keeps no record of groups in claims: claim "c" gets exactly
        | request | device   | consumed memory | share |
        | r0      | shared-0 | 10              | yes   |
        | r1      | shared-0 | 30              | yes   |

    @case:a-share-has-the-groups-of-its-device-recorded-beside
    @KEP-5963/snapshot/recorded-at-allocation
    Scenario: A share has the groups of its device recorded beside a share held before
      Given the device
        | device   | shared | capacity memory | counters gpu-0 | groups gpu-0 |
        | shared-0 | yes    | 40              | units 60       | mig          |
      And claim "other" already holds
        | device   | consumed memory | share | groups gpu-0 |
        | shared-0 | 10              | s1    | mig          |
      And a claim "c" requesting 30 of "memory"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device   | consumed memory | share | groups gpu-0 |
        | r0      | shared-0 | 30              | yes   | mig          |
      But since Kubernetes 1.37, because this release keeps no record of groups in claims: claim "c" gets exactly
        | request | device   | consumed memory | share |
        | r0      | shared-0 | 30              | yes   |

  Rule: Shares of several devices have one name in common

    Background:
      Given the devices
        | device | shared | capacity memory | attribute name | counters gpu-0 | groups gpu-0 |
        | ab     | yes    | 40              | string ab      | units 20       | a, b         |
        | bc     | yes    | 40              | string bc      | units 20       | b, c         |
        | a      | yes    | 40              | string a       | units 20       | a            |

    @case:more-shares-are-given-of-two-held-devices-with-a
    @KEP-5963/rolling-intersection/narrows-on-admission
    Scenario: More shares are given of two held devices with a name in common
      Given claim "one" already holds
        | device | consumed memory | share | groups gpu-0 |
        | ab     | 10              | s1    | a, b         |
      And claim "two" already holds
        | device | consumed memory | share | groups gpu-0 |
        | bc     | 10              | s2    | b, c         |
      And a claim "c" with the requests
        | request | capacity memory | selector                                          |
        | r0      | 30              | device.attributes["dra.example.com"].name == "ab" |
        | r1      | 30              | device.attributes["dra.example.com"].name == "bc" |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | consumed memory |
        | r0      | ab     | 30              |
        | r1      | bc     | 30              |

    @case:a-share-of-a-device-of-a-is-refused-beside-shares-of
    @KEP-5963/rolling-intersection/narrowed-state-refuses-earlier-overlap
    Scenario: A share of a device of [a] is refused beside shares of [a, b] and [b, c]
      Given claim "one" already holds
        | device | consumed memory | share | groups gpu-0 |
        | ab     | 40              | s1    | a, b         |
      And claim "two" already holds
        | device | consumed memory | share | groups gpu-0 |
        | bc     | 40              | s2    | b, c         |
      And a claim "c" requesting 10 of "memory"
      When allocation of claim "c" is attempted
      Then nothing fits

    @case:a-second-share-is-taken-from-the-first-ones-device
    @KEP-5963/backtracking/state-restored
    Scenario: A second share is taken from the first one's device so that a third request fits
      Given a claim "c" with the requests
        | request | capacity memory | selector                                                 |
        | r0      | 20              | device.attributes["dra.example.com"].name == "ab"        |
        | r1      | 20              | device.attributes["dra.example.com"].name in ["ab", "a"] |
        | r2      | 40              | device.attributes["dra.example.com"].name == "bc"        |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device | consumed memory |
        | r0      | ab     | 20              |
        | r1      | ab     | 20              |
        | r2      | bc     | 40              |

    @case:another-share-of-a-held-device-is-refused-where-it
    @KEP-5963/rolling-intersection/peers-already-in-conflict
    Scenario: Another share of a held device is refused where it is in conflict with a device of another group
      Given the device
        | device | shared | capacity memory | attribute name | counters gpu-0 | groups gpu-0 |
        | c      | yes    | 40              | string c       | units 20       | c            |
      And claim "one" already holds
        | device | consumed memory | share | groups gpu-0 |
        | a      | 10              | s1    | a            |
      And claim "two" already holds
        | device | consumed memory | share | groups gpu-0 |
        | c      | 10              | s2    | c            |
      And a claim "x" with the request
        | request | capacity memory | selector                                         |
        | r0      | 10              | device.attributes["dra.example.com"].name == "a" |
      When allocation of claim "x" is attempted
      Then nothing fits because of IncompatibleGroup
      But since Kubernetes 1.37, because this release does not look at the groups for further shares of a device: claim "x" gets 1 device
