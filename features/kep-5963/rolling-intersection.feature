Feature: The rolling intersection
  All devices that are allocated on a counter set have at least one group in common. Each device that is added
  narrows what the next one may be.

  Background:
    Given the counter set
      | set  | counter units |
      | chip | 100           |

  Rule: It begins with the groups of all devices that are held

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

    @KEP-5963/rolling-intersection/seeded-from-allocated-devices
    Scenario Outline: A device with the name that two held devices have in common
      Given the device
        | device | counters chip | groups chip |
        | new    | units 10      | <groups>    |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | new    |

      Examples:
        | groups  |
        | b       |
        | b, d    |
        | a, b, c |

    @KEP-5963/rolling-intersection/seeded-from-allocated-devices @KEP-5963/rolling-intersection/pairwise-overlap-not-enough
    Scenario Outline: A device with a name of only one of two held devices, or of each another
      Given the device
        | device | counters chip | groups chip |
        | new    | units 10      | <groups>    |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

      Examples:
        | groups |
        | a      |
        | c      |
        | a, c   |
        | d      |
        |        |

    @KEP-5963/rolling-intersection/pairwise-overlap-not-enough
    Scenario: Of two devices that overlap each held one, the one with the common name is taken
      Given the devices
        | device | counters chip | groups chip |
        | ac     | units 10      | a, c        |
        | bd     | units 10      | b, d        |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | bd     |

  Rule: It begins with nothing where nothing is held

    @KEP-5963/rolling-intersection/seeded-from-allocated-devices
    Scenario: A free counter set
      Given the device
        | device | counters chip | groups chip |
        | new    | units 10      | a           |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | new    |

    @KEP-5963/rolling-intersection/seeded-from-allocated-devices @KEP-5963/rolling-intersection/recomputed-after-release
    Scenario Outline: A device that was released does not count
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

      Examples:
        | groups |
        | a      |
        | b      |

    @KEP-5963/rolling-intersection/seeded-from-allocated-devices
    Scenario: Devices held with administrative access do not count
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
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | vgpu-1 |

    @KEP-5963/rolling-intersection/seeded-from-allocated-devices @KEP-5963/composition/other-pod
    Scenario: Devices held in another namespace count
      Given the devices
        | device | counters chip | groups chip |
        | mig-0  | units 10      | mig         |
        | vgpu-0 | units 10      | vgpu        |
      And claim "elsewhere/other" already holds
        | device | groups chip |
        | mig-0  | mig         |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

  Rule: Each device narrows it

    @KEP-5963/rolling-intersection/narrows-on-admission
    Scenario: A chain of three devices with one name in the end
      Given the devices
        | device | counters chip | groups chip |
        | abc    | units 10      | a, b, c     |
        | bc     | units 10      | b, c        |
        | cd     | units 10      | c, d        |
        | c      | units 10      | c           |
      And a claim "c" asking 4 devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | abc    |
        | r0      | bc     |
        | r0      | cd     |
        | r0      | c      |

    @KEP-5963/rolling-intersection/narrows-on-admission @KEP-5963/rolling-intersection/narrowed-state-refuses-earlier-overlap
    Scenario Outline: After a chain of three devices a name that dropped out
      Given the devices
        | device | counters chip | groups chip |
        | abc    | units 10      | a, b, c     |
        | bc     | units 10      | b, c        |
        | cd     | units 10      | c, d        |
        | last   | units 10      | <groups>    |
      And a claim "c" asking 4 devices
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

      Examples:
        | groups  |
        | a       |
        | b       |
        | d       |
        | a, b, d |

    @KEP-5963/rolling-intersection/narrows-on-admission
    Scenario: A third device with the name that is left of two
      Given the devices
        | device | counters chip | groups chip |
        | foo-0  | units 25      | foo, foobar |
        | bar-0  | units 25      | bar, foobar |
        | qux-0  | units 25      | qux, foobar |
      And a claim "c" asking 3 devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | foo-0  |
        | r0      | bar-0  |
        | r0      | qux-0  |

    @KEP-5963/rolling-intersection/narrowed-state-refuses-earlier-overlap
    Scenario Outline: A name of only one of the devices before
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
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

      Examples:
        | groups   |
        | foo      |
        | bar      |
        | foo, bar |

    @KEP-5963/rolling-intersection/narrowed-state-refuses-earlier-overlap
    Scenario: The name of both devices before
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
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | new    |

    @KEP-5963/rolling-intersection/narrowed-state-refuses-earlier-overlap
    Scenario: A device of the same claim narrows what a held one left
      Given the devices
        | device | counters chip | groups chip |
        | held   | units 10      | a, b        |
        | d1     | units 10      | a           |
        | d2     | units 10      | b           |
      And claim "other" already holds
        | device | groups chip |
        | held   | a, b        |
      And a claim "c" asking 2 devices
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

    @KEP-5963/rolling-intersection/pairwise-overlap-not-enough @KEP-5963/composition/same-claim-requests
    Scenario: Three devices of one claim of which each two overlap
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

    @KEP-5963/rolling-intersection/pairwise-overlap-not-enough @KEP-5963/composition/other-claim-of-same-pod
    Scenario: Three claims of which each two overlap
      Given the devices
        | device | counters chip | groups chip |
        | ab     | units 10      | a, b        |
        | bc     | units 10      | b, c        |
        | ac     | units 10      | a, c        |
      And a claim "x" asking 1 device
      And a claim "y" asking 1 device
      And a claim "z" asking 1 device
      When allocation of the claims "x, y, z" together is attempted
      Then nothing fits because of IncompatibleGroup

  Rule: A refused device does not change it

    @KEP-5963/rolling-intersection/refused-candidate-leaves-state
    Scenario: The next device of the held scheme
      Given the devices
        | device | counters chip | groups chip |
        | held   | units 10      | mig         |
        | d1     | units 10      | vgpu        |
        | d2     | units 10      | mig         |
        | d3     | units 10      | vgpu        |
      And claim "other" already holds
        | device | groups chip |
        | held   | mig         |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d2     |

    @KEP-5963/rolling-intersection/refused-candidate-leaves-state
    Scenario: The next device of the refused scheme
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
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

    @KEP-5963/rolling-intersection/refused-candidate-leaves-state
    Scenario: The other set of a device that one set refuses
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
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d2     |

    @KEP-5963/rolling-intersection/refused-candidate-leaves-state @KEP-5963/composition/counters-still-apply
    Scenario: The free set of a device that its counters refuse
      Given the devices
        | device | counters chip | groups chip |
        | d1     | units 101     | mig         |
        | d2     | units 50      | vgpu        |
        | d3     | units 101     |             |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | d2     |

  Rule: Devices that are in conflict already leave room for nobody

    @KEP-5963/rolling-intersection/peers-already-in-conflict
    Scenario Outline: Two held devices without a common name
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
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

      Examples:
        | groups    |
        | mig       |
        | vgpu      |
        | mig, vgpu |
        |           |

    @KEP-5963/rolling-intersection/peers-already-in-conflict
    Scenario: Three held devices without a common name, of which each two overlap
      Given the devices
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
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

    @KEP-5963/rolling-intersection/peers-already-in-conflict
    Scenario: A conflict on one set leaves the others alone
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
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | mig-2  |

    @KEP-5963/rolling-intersection/peers-already-in-conflict
    Scenario: A grouped device and one without groups, asked for a device without groups
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
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

    @KEP-5963/rolling-intersection/peers-already-in-conflict
    Scenario: A grouped device and one without groups, asked for a grouped device
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
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup
      But since Kubernetes 1.37, because in this release only the first of held devices that do not agree counts: claim "c" gets exactly
        | request | device |
        | r0      | mig-1  |

    @KEP-5963/rolling-intersection/peers-already-in-conflict
    Scenario: A device without groups and then a grouped one, asked for a grouped device
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
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup

    @KEP-5963/rolling-intersection/peers-already-in-conflict
    Scenario: A device without groups and then a grouped one, asked for a device without groups
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
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of IncompatibleGroup
      But since Kubernetes 1.37, because in this release only the first of held devices that do not agree counts: claim "c" gets exactly
        | request | device  |
        | r0      | c-plain |
