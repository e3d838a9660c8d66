Feature: The rolling intersection
  All devices that are allocated on a counter set have at least one group in common. Each device that is added
  narrows what the next one may be.

  Background:
    Given the counter set
      | set  | counter units |
      | chip | 100           |

  Rule: The intersection begins with the groups of all devices that are held

    Background:
      Given the devices
        | device | counters chip | groups chip |
        | ab     | units 10      | a, b        |
        | bc     | units 10      | b, c        |
      And claim "one" already holds
        | device | groups chip |
        | ab     | a, b        |
      And claim "two" already holds
        | device | groups chip |
        | bc     | b, c        |

    @case:a-device-with-groups-is-allocated-beside-held-ones
    @KEP-5963/rolling-intersection/seeded-from-allocated-devices
    Scenario Outline: A device with groups [<groups>] is allocated beside held ones with [a, b] and [b, c]
      Given objects that the API server does not admit, because no document says how many groups a device may have
      And the device
        | device | counters chip | groups chip |
        | new    | units 10      | <groups>    |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | new    |

      Examples:
        | groups  |
        | b       |
        | b, d    |
        | a, b, c |

    @case:a-device-with-groups-is-refused-beside-held-ones
    @KEP-5963/rolling-intersection/seeded-from-allocated-devices
    Scenario Outline: A device with groups [<groups>] is refused beside held ones with [a, b] and [b, c]
      Given the device
        | device | counters chip | groups chip |
        | new    | units 10      | <groups>    |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

      Examples: a name of one held device
        | groups |
        | a      |
        | c      |

      @KEP-5963/rolling-intersection/pairwise-overlap-not-enough
      Examples: different names of the held devices
        | groups |
        | a, c   |

      Examples: no name of a held device
        | groups |
        | d      |
        |        |

    @case:of-two-devices-that-overlap-each-held-one-the-one
    @KEP-5963/rolling-intersection/pairwise-overlap-not-enough
    Scenario: Of two devices that overlap each held one, the one with the common name is taken
      Given the devices
        | device | counters chip | groups chip |
        | ac     | units 10      | a, c        |
        | bd     | units 10      | b, d        |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | bd     |

  Rule: Only what is held narrows the intersection at the beginning

    @case:a-grouped-device-is-allocated-on-a-free-counter-set
    @KEP-5963/rolling-intersection/seeded-from-allocated-devices
    Scenario: A grouped device is allocated on a free counter set
      Given the device
        | device | counters chip | groups chip |
        | new    | units 10      | a           |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | new    |

    @case:with-a-b-held-and-b-released-a-device-with-groups-is
    @KEP-5963/rolling-intersection/seeded-from-allocated-devices
    Scenario Outline: With [a, b] held and [b] released, a device with groups [<groups>] is allocated
      Given the devices
        | device   | attribute free | counters chip | groups chip |
        | ab       | bool false     | units 10      | a, b        |
        | released | bool false     | units 10      | b           |
        | new      | bool true      | units 10      | <groups>    |
      And claim "one" already holds
        | device | groups chip |
        | ab     | a, b        |
      And a claim "c" with the request
        | request | selector                                  |
        | r0      | device.attributes["dra.example.com"].free |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | new    |

      @KEP-5963/rolling-intersection/recomputed-after-release
      Examples: a name that the released device does not have
        | groups |
        | a      |

      Examples: a name that it has
        | groups |
        | b      |

    @case:a-device-of-the-held-group-is-allocated-where
    @KEP-5963/rolling-intersection/seeded-from-allocated-devices
    Scenario: A device of the held group is allocated where another group is held with administrative access
      Given the devices
        | device | counters chip | groups chip |
        | mig-0  | units 10      | mig         |
        | vgpu-0 | units 10      | vgpu        |
        | vgpu-1 | units 10      | vgpu        |
      And claim "admin" already holds
        | device | admin | groups chip |
        | mig-0  | yes   | mig         |
      And claim "other" already holds
        | device | groups chip |
        | vgpu-0 | vgpu        |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | vgpu-1 |

    @case:a-device-is-refused-where-another-group-is-held-by-a
    @KEP-5963/rolling-intersection/seeded-from-allocated-devices @KEP-5963/composition/other-pod
    Scenario: A device is refused where another group is held by a claim in another namespace
      Given the devices
        | device | counters chip | groups chip |
        | mig-0  | units 10      | mig         |
        | vgpu-0 | units 10      | vgpu        |
      And claim "elsewhere/other" already holds
        | device | groups chip |
        | mig-0  | mig         |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

  Rule: Each device narrows the intersection

    @case:a-request-for-four-devices-is-served-where-one-name
    @KEP-5963/rolling-intersection/narrows-on-admission
    Scenario: A request for four devices is served where one name is common to all
      Given objects that the API server does not admit, because no document says how many groups a device may have
      And the devices
        | device | counters chip | groups chip |
        | abc    | units 10      | a, b, c     |
        | bc     | units 10      | b, c        |
        | cd     | units 10      | c, d        |
        | c      | units 10      | c           |
      And a claim "c" requesting 4 devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | abc    |
        | r0      | bc     |
        | r0      | cd     |
        | r0      | c      |

    @case:after-a-b-c-b-c-and-c-d-a-fourth-device-with-groups
    @KEP-5963/rolling-intersection/narrows-on-admission @KEP-5963/rolling-intersection/narrowed-state-refuses-earlier-overlap
    Scenario Outline: After [a, b, c], [b, c] and [c, d] a fourth device with groups [<groups>] is refused
      Given objects that the API server does not admit, because no document says how many groups a device may have
      And the devices
        | device | counters chip | groups chip |
        | abc    | units 10      | a, b, c     |
        | bc     | units 10      | b, c        |
        | cd     | units 10      | c, d        |
        | last   | units 10      | <groups>    |
      And a claim "c" requesting 4 devices
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

      Examples:
        | groups  |
        | a       |
        | b       |
        | d       |
        | a, b, d |

    @case:three-devices-with-the-name-foobar-in-common-are
    @KEP-5963/rolling-intersection/narrows-on-admission
    Scenario: Three devices with the name foobar in common are allocated
      Given the devices
        | device | counters chip | groups chip |
        | foo-0  | units 25      | foo, foobar |
        | bar-0  | units 25      | bar, foobar |
        | qux-0  | units 25      | qux, foobar |
      And a claim "c" requesting 3 devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | foo-0  |
        | r0      | bar-0  |
        | r0      | qux-0  |

    @case:a-device-of-is-refused-beside-held-ones-of-foo
    @KEP-5963/rolling-intersection/narrowed-state-refuses-earlier-overlap
    Scenario Outline: A device of [<groups>] is refused beside held ones of [foo, foobar] and [bar, foobar]
      Given the devices
        | device | counters chip | groups chip |
        | foo-0  | units 25      | foo, foobar |
        | bar-0  | units 25      | bar, foobar |
        | new    | units 25      | <groups>    |
      And claim "one" already holds
        | device | groups chip |
        | foo-0  | foo, foobar |
      And claim "two" already holds
        | device | groups chip |
        | bar-0  | bar, foobar |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

      Examples:
        | groups   |
        | foo      |
        | bar      |
        | foo, bar |

    @case:a-device-of-foobar-is-allocated-beside-held-ones-of
    @KEP-5963/rolling-intersection/narrowed-state-refuses-earlier-overlap
    Scenario: A device of [foobar] is allocated beside held ones of [foo, foobar] and [bar, foobar]
      Given the devices
        | device | counters chip | groups chip |
        | foo-0  | units 25      | foo, foobar |
        | bar-0  | units 25      | bar, foobar |
        | new    | units 25      | foobar      |
      And claim "one" already holds
        | device | groups chip |
        | foo-0  | foo, foobar |
      And claim "two" already holds
        | device | groups chip |
        | bar-0  | bar, foobar |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | new    |

    @case:devices-of-a-and-b-are-refused-for-one-claim-beside
    @KEP-5963/rolling-intersection/narrowed-state-refuses-earlier-overlap
    Scenario: Devices of [a] and [b] are refused for one claim beside a held one of [a, b]
      Given the devices
        | device | counters chip | groups chip |
        | held   | units 10      | a, b        |
        | d1     | units 10      | a           |
        | d2     | units 10      | b           |
      And claim "other" already holds
        | device | groups chip |
        | held   | a, b        |
      And a claim "c" requesting 2 devices
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

    @case:three-devices-without-a-common-name-of-which-each
    @KEP-5963/rolling-intersection/pairwise-overlap-not-enough @KEP-5963/composition/same-claim-requests
    Scenario: Three devices without a common name, of which each two overlap, are refused for one claim
      Given the devices
        | device | counters chip | groups chip |
        | ab     | units 10      | a, b        |
        | bc     | units 10      | b, c        |
        | ac     | units 10      | a, c        |
      And a claim "c" with the requests
        | request |
        | r0      |
        | r1      |
        | r2      |
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

    @case:three-claims-for-devices-without-a-common-name-of
    @KEP-5963/rolling-intersection/pairwise-overlap-not-enough @KEP-5963/composition/other-claim-of-same-pod
    Scenario: Three claims for devices without a common name, of which each two overlap, are refused together
      Given the devices
        | device | counters chip | groups chip |
        | ab     | units 10      | a, b        |
        | bc     | units 10      | b, c        |
        | ac     | units 10      | a, c        |
      And a claim "x" requesting 1 device
      And a claim "y" requesting 1 device
      And a claim "z" requesting 1 device
      When allocation of the claims "x, y, z" together is attempted
      Then nothing fits because of IncompatibleGroup

  Rule: A refused device does not change the intersection

    @case:a-device-of-the-held-group-is-taken-between-devices
    @KEP-5963/rolling-intersection/refused-candidate-leaves-state
    Scenario: A device of the held group is taken between devices of a refused group
      Given the devices
        | device | counters chip | groups chip |
        | held   | units 10      | mig         |
        | d1     | units 10      | vgpu        |
        | d2     | units 10      | mig         |
        | d3     | units 10      | vgpu        |
      And claim "other" already holds
        | device | groups chip |
        | held   | mig         |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d2     |

    @case:a-refused-device-does-not-open-the-counter-set-for
    @KEP-5963/rolling-intersection/refused-candidate-leaves-state
    Scenario: A refused device does not open the counter set for another of its kind
      Given the devices
        | device | counters chip | groups chip |
        | held   | units 10      | mig         |
        | d1     | units 10      | vgpu        |
        | d2     | units 10      | vgpu        |
        | d3     | units 10      |             |
        | d4     | units 10      |             |
      And claim "other" already holds
        | device | groups chip |
        | held   | mig         |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

    @case:a-device-that-one-set-refuses-does-not-narrow-its
    @KEP-5963/rolling-intersection/refused-candidate-leaves-state
    Scenario: A device that one set refuses does not narrow its other set
      Given the counter set
        | set   | counter units |
        | other | 100           |
      And the devices
        | device | counters chip | groups chip | counters other | groups other |
        | ab     | units 10      | a, b        |                |              |
        | x      |               |             | units 10       | x            |
        | d1     | units 10      | a           | units 10       | z            |
        | d2     | units 10      | b           |                |              |
        | d3     | units 10      | a           | units 10       | z            |
      And claim "one" already holds
        | device | groups chip |
        | ab     | a, b        |
      And claim "two" already holds
        | device | groups other |
        | x      | x            |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d2     |

    @case:a-device-that-the-counters-refuse-leaves-its-free
    @KEP-5963/rolling-intersection/refused-candidate-leaves-state @KEP-5963/composition/counters-still-apply
    Scenario: A device that the counters refuse leaves its free counter set open for any group
      Given the devices
        | device | counters chip | groups chip |
        | d1     | units 101     | mig         |
        | d2     | units 50      | vgpu        |
        | d3     | units 101     |             |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d2     |

  Rule: Devices that are in conflict already leave room for nobody

    @case:where-devices-of-mig-and-vgpu-are-held-in-conflict-a
    @KEP-5963/rolling-intersection/peers-already-in-conflict
    Scenario Outline: Where devices of mig and vgpu are held in conflict, a device with groups [<groups>] is refused
      Given the devices
        | device | counters chip | groups chip |
        | mig-0  | units 10      | mig         |
        | vgpu-0 | units 10      | vgpu        |
        | new    | units 10      | <groups>    |
      And claim "one" already holds
        | device | groups chip |
        | mig-0  | mig         |
      And claim "two" already holds
        | device | groups chip |
        | vgpu-0 | vgpu        |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

      Examples:
        | groups    |
        | mig       |
        | vgpu      |
        | mig, vgpu |
        |           |

    @case:a-device-of-a-b-c-is-refused-beside-three-held-ones
    @KEP-5963/rolling-intersection/peers-already-in-conflict
    Scenario: A device of [a, b, c] is refused beside three held ones without a common name
      Given objects that the API server does not admit, because no document says how many groups a device may have
      And the devices
        | device | counters chip | groups chip |
        | ab     | units 10      | a, b        |
        | bc     | units 10      | b, c        |
        | ac     | units 10      | a, c        |
        | new    | units 10      | a, b, c     |
      And claim "other" already holds
        | device | groups chip |
        | ab     | a, b        |
        | bc     | b, c        |
        | ac     | a, c        |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

    @case:a-conflict-between-held-devices-on-one-counter-set
    @KEP-5963/rolling-intersection/peers-already-in-conflict
    Scenario: A conflict between held devices on one counter set leaves other sets open
      Given the counter set
        | set   | counter units |
        | other | 100           |
      And the devices
        | device | counters chip | groups chip | counters other | groups other |
        | mig-0  | units 10      | mig         |                |              |
        | vgpu-0 | units 10      | vgpu        |                |              |
        | mig-1  | units 10      | mig         |                |              |
        | mig-2  |               |             | units 10       | mig          |
      And claim "one" already holds
        | device | groups chip |
        | mig-0  | mig         |
      And claim "two" already holds
        | device | groups chip |
        | vgpu-0 | vgpu        |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | mig-2  |

    @case:a-device-without-groups-is-refused-where-a-grouped
    @KEP-5963/rolling-intersection/peers-already-in-conflict
    Scenario: A device without groups is refused where a grouped one and then one without groups are held
      Given the devices
        | device  | counters chip | groups chip |
        | mig-0   | units 10      | mig         |
        | plain-0 | units 10      |             |
        | plain-1 | units 10      |             |
      And claim "one" already holds
        | device | groups chip |
        | mig-0  | mig         |
      And claim "two" already holds
        | device  |
        | plain-0 |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

    @case:a-grouped-device-is-refused-where-a-grouped-one-and
    @KEP-5963/rolling-intersection/peers-already-in-conflict
    Scenario: A grouped device is refused where a grouped one and then one without groups are held
      Given the devices
        | device  | counters chip | groups chip |
        | mig-0   | units 10      | mig         |
        | plain-0 | units 10      |             |
        | mig-1   | units 10      | mig         |
      And claim "one" already holds
        | device | groups chip |
        | mig-0  | mig         |
      And claim "two" already holds
        | device  |
        | plain-0 |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup
      But since Kubernetes 1.37, because in this release only the first of held devices that do not agree counts: claim "c" gets exactly
        | request | device |
        | r0      | mig-1  |

    @case:a-grouped-device-is-refused-where-one-without-groups
    @KEP-5963/rolling-intersection/peers-already-in-conflict
    Scenario: A grouped device is refused where one without groups and then a grouped one are held
      Given the devices
        | device  | counters chip | groups chip |
        | a-plain | units 10      |             |
        | b-mig   | units 10      | mig         |
        | c-mig   | units 10      | mig         |
      And claim "one" already holds
        | device  |
        | a-plain |
      And claim "two" already holds
        | device | groups chip |
        | b-mig  | mig         |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

    @case:a-device-without-groups-is-refused-where-one-without
    @KEP-5963/rolling-intersection/peers-already-in-conflict
    Scenario: A device without groups is refused where one without groups and then a grouped one are held
      Given the devices
        | device  | counters chip | groups chip |
        | a-plain | units 10      |             |
        | b-mig   | units 10      | mig         |
        | c-plain | units 10      |             |
      And claim "one" already holds
        | device  |
        | a-plain |
      And claim "two" already holds
        | device | groups chip |
        | b-mig  | mig         |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup
      But since Kubernetes 1.37, because in this release only the first of held devices that do not agree counts: claim "c" gets exactly
        | request | device  |
        | r0      | c-plain |
