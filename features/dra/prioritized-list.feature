Feature: Prioritized lists of subrequests (firstAvailable)
  A request can be a prioritized list of subrequests (firstAvailable). The first subrequest that can be met
  completely is allocated, and the result names it.

  Background:
    Given a DeviceClass "alpha" with the selector
      """
      device.attributes["dra.example.com"].kind == "alpha"
      """
    And a DeviceClass "beta" with the selector
      """
      device.attributes["dra.example.com"].kind == "beta"
      """
    And a DeviceClass "gamma" with the selector
      """
      device.attributes["dra.example.com"].kind == "gamma"
      """

  Rule: First subrequest that can be allocated

    @case:first-with-device-is-chosen
    @DRA/prioritized-list/first-satisfiable-wins @DRA/prioritized-list/chosen-alternative-recorded
    Scenario Outline: The first subrequest with a matching device is chosen, and the result names it
      Given the devices
        | device | attribute kind  |
        | d1     | string <first>  |
        | d2     | string <second> |
        | d3     | string <third>  |
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName |
        | r0      | a          | alpha           |
        | r0      | b          | beta            |
        | r0      | c          | gamma           |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request  | device   |
        | <choice> | <device> |

      Examples:
        | first | second | third | choice | device |
        | alpha | beta   | gamma | r0/a   | d1     |
        | gamma | beta   | alpha | r0/a   | d3     |
        | gamma | delta  | beta  | r0/b   | d3     |
        | beta  | delta  | gamma | r0/b   | d1     |
        | delta | gamma  | delta | r0/c   | d2     |

    @case:no-subrequest-met
    @DRA/prioritized-list/first-satisfiable-wins
    Scenario: A prioritized list is not allocated if no device matches any of its subrequests
      Given the devices
        | device | attribute kind |
        | d1     | string delta   |
        | d2     | string delta   |
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName |
        | r0      | a          | alpha           |
        | r0      | b          | beta            |
        | r0      | c          | gamma           |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

    @case:enough-free-devices-for-choice
    @DRA/prioritized-list/first-satisfiable-wins
    Scenario Outline: The first subrequest with enough free devices is chosen
      Given the devices
        | device | attribute kind |
        | a1     | string alpha   |
        | a2     | string alpha   |
        | b1     | string beta    |
        | b2     | string beta    |
      And ResourceClaim "other" is already allocated
        | device  |
        | <held>  |
        | <other> |
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName | count   |
        | r0      | a          | alpha           | <alpha> |
        | r0      | b          | beta            | <beta>  |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated at least
        | request  |
        | <choice> |
      And ResourceClaim "c" is allocated <count> devices

      Examples:
        | held | other | alpha | beta | choice | count |
        | b1   | b2    | 2     | 2    | r0/a   | 2     |
        | a1   | b1    | 1     | 2    | r0/a   | 1     |
        | a1   | a2    | 1     | 2    | r0/b   | 2     |
        | a2   | b2    | 2     | 1    | r0/b   | 1     |

    @case:too-few-free-devices
    @DRA/prioritized-list/first-satisfiable-wins
    Scenario Outline: A prioritized list is not allocated if no subrequest has enough free devices
      Given the devices
        | device | attribute kind |
        | a1     | string alpha   |
        | a2     | string alpha   |
        | b1     | string beta    |
        | b2     | string beta    |
      And ResourceClaim "other" is already allocated
        | device  |
        | <held>  |
        | <other> |
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName | count   |
        | r0      | a          | alpha           | <alpha> |
        | r0      | b          | beta            | <beta>  |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

      Examples:
        | held | other | alpha | beta |
        | a1   | b1    | 2     | 2    |
        | a1   | a2    | 1     | 3    |
        | b1   | b2    | 3     | 1    |

    @case:first-of-eight-subrequests
    @DRA/prioritized-list/first-satisfiable-wins
    Scenario Outline: The first of eight subrequests whose selector matches the device is chosen
      Given the devices
        | device | attribute memory |
        | d1     | int <memory>     |
      And a ResourceClaim "c" with the requests
        | request | subrequest  | selector                                           |
        | r0      | a           | device.attributes["dra.example.com"].memory >= 128 |
        | r0      | b           | device.attributes["dra.example.com"].memory >= 96  |
        | r0      | c           | device.attributes["dra.example.com"].memory >= 80  |
        | r0      | d           | device.attributes["dra.example.com"].memory >= 64  |
        | r0      | e           | device.attributes["dra.example.com"].memory >= 48  |
        | r0      | f           | device.attributes["dra.example.com"].memory >= 32  |
        | r0      | g           | device.attributes["dra.example.com"].memory >= 24  |
        | r0      | h           | device.attributes["dra.example.com"].memory >= 16  |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request  | device |
        | <choice> | d1     |

      Examples:
        | memory | choice |
        | 16     | r0/h   |
        | 23     | r0/h   |
        | 64     | r0/d   |
        | 200    | r0/a   |

    @case:failed-subrequest-releases-device
    @DRA/prioritized-list/first-satisfiable-wins
    Scenario: A device tried for a failed subrequest is available to the next subrequest
      Given the devices
        | device | attribute kind |
        | d1     | string alpha   |
        | d2     | string beta    |
        | d3     | string beta    |
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName | count |
        | r0      | a          | alpha           | 2     |
        | r0      | b          |                 | 3     |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0/b    | d1     |
        | r0/b    | d2     |
        | r0/b    | d3     |

    @case:later-selector-not-evaluated
    @DRA/prioritized-list/first-satisfiable-wins
    Scenario: A selector of a later subrequest is not evaluated if an earlier subrequest is allocated
      Given the devices
        | device | attribute kind |
        | d1     | string alpha   |
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName | selector                                               |
        | r0      | a          | alpha           |                                                        |
        | r0      | b          |                 | device.attributes["dra.example.com"].missing == "lost" |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0/a    | d1     |

    @case:choice-depends-on-node
    @DRA/prioritized-list/first-satisfiable-wins
    Scenario Outline: The chosen subrequest depends on the devices of the node
      Given a node "left"
      And a node "right"
      And the devices
        | device | node  | pool  | attribute kind |
        | a1     | right | right | string alpha   |
        | b1     | left  | left  | string beta    |
        | b2     | right | right | string beta    |
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName |
        | r0      | a          | alpha           |
        | r0      | b          | beta            |
      When allocation of ResourceClaim "c" on node "<node>" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request  | device   |
        | <choice> | <device> |

      Examples:
        | node  | choice | device |
        | left  | r0/b   | b1     |
        | right | r0/a   | a1     |

  Rule: firstAvailable example in the DRA docs

    Background:
      Given the fixture "large-black-or-small-white"

    @case:example-all-free
    @DRA/prioritized-list/example-primary @DRA/prioritized-list/chosen-alternative-recorded
    Scenario: The DRA docs' firstAvailable example gets the large black device if all devices are free
      Given the devices
        | device  | driver                      | attribute color | attribute size |
        | white-1 | resource-driver.example.com | string white    | string small   |
        | white-2 | resource-driver.example.com | string white    | string small   |
        | black   | resource-driver.example.com | string black    | string large   |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request           | device |
        | req-0/large-black | black  |

    @case:example-no-white
    @DRA/prioritized-list/example-primary
    Scenario: The DRA docs' firstAvailable example gets the large black device if no device is white
      Given the devices
        | device | driver                      | attribute color | attribute size |
        | black  | resource-driver.example.com | string black    | string large   |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request           | device |
        | req-0/large-black | black  |

    @case:example-black-in-use
    @DRA/prioritized-list/example-fallback @DRA/prioritized-list/chosen-alternative-recorded
    Scenario: The DRA docs' firstAvailable example gets two small white devices if no black one is free
      Given the devices
        | device  | driver                      | attribute color | attribute size |
        | black   | resource-driver.example.com | string black    | string large   |
        | white-1 | resource-driver.example.com | string white    | string small   |
        | white-2 | resource-driver.example.com | string white    | string small   |
      And ResourceClaim "other" is already allocated
        | device | driver                      |
        | black  | resource-driver.example.com |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request           | device  |
        | req-0/small-white | white-1 |
        | req-0/small-white | white-2 |

    @case:example-no-black
    @DRA/prioritized-list/example-fallback
    Scenario: The DRA docs' firstAvailable example gets any two small white devices if none are black
      Given the devices
        | device  | driver                      | attribute color | attribute size |
        | white-1 | resource-driver.example.com | string white    | string small   |
        | white-2 | resource-driver.example.com | string white    | string small   |
        | white-3 | resource-driver.example.com | string white    | string small   |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated one of
        | choice | request           | device  |
        | 1      | req-0/small-white | white-1 |
        | 1      | req-0/small-white | white-2 |
        | 2      | req-0/small-white | white-1 |
        | 2      | req-0/small-white | white-3 |
        | 3      | req-0/small-white | white-2 |
        | 3      | req-0/small-white | white-3 |

    @case:example-partial-matches
    @DRA/prioritized-list/example-fallback
    Scenario: The DRA docs' firstAvailable example gets neither a small black nor a large white device
      Given the devices
        | device      | driver                      | attribute color | attribute size |
        | small-black | resource-driver.example.com | string black    | string small   |
        | large-white | resource-driver.example.com | string white    | string large   |
        | white-1     | resource-driver.example.com | string white    | string small   |
        | white-2     | resource-driver.example.com | string white    | string small   |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request           | device  |
        | req-0/small-white | white-1 |
        | req-0/small-white | white-2 |

    @case:example-one-white-free
    @DRA/prioritized-list/example-unsatisfiable
    Scenario: The DRA docs' firstAvailable example fails if only one small white device is free
      Given the devices
        | device  | driver                      | attribute color | attribute size |
        | black   | resource-driver.example.com | string black    | string large   |
        | white-1 | resource-driver.example.com | string white    | string small   |
        | white-2 | resource-driver.example.com | string white    | string small   |
      And ResourceClaim "other" is already allocated
        | device  | driver                      |
        | black   | resource-driver.example.com |
        | white-2 | resource-driver.example.com |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

    @case:example-one-white-exists
    @DRA/prioritized-list/example-unsatisfiable
    Scenario: The DRA docs' firstAvailable example fails if only one small white device exists
      Given the devices
        | device      | driver                      | attribute color | attribute size |
        | small-black | resource-driver.example.com | string black    | string small   |
        | large-white | resource-driver.example.com | string white    | string large   |
        | white-1     | resource-driver.example.com | string white    | string small   |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

    @case:example-other-driver
    @DRA/prioritized-list/example-unsatisfiable
    Scenario: The DRA docs' firstAvailable example gets no device of another driver
      Given the devices
        | device | driver            | attribute resource-driver.example.com/color | attribute resource-driver.example.com/size |
        | black  | other.example.com | string black                                | string large                               |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

    @case:no-alternative-not-met
    @DRA/prioritized-list/without-alternative
    Scenario Outline: A request without firstAvailable fails if the only device that it selects is not available
      Given the devices
        | device  | driver                      | attribute color | attribute size |
        | black   | resource-driver.example.com | string black    | string <size>  |
        | white-1 | resource-driver.example.com | string white    | string small   |
        | white-2 | resource-driver.example.com | string white    | string small   |
      And ResourceClaim "other" is already allocated
        | device | driver                      |
        | <held> | resource-driver.example.com |
      And a ResourceClaim "alone" with the request
        | request | deviceClassName      | selector                                                                                                                              |
        | req-0   | resource.example.com | device.attributes["resource-driver.example.com"].color == "black" && device.attributes["resource-driver.example.com"].size == "large" |
      When allocation of ResourceClaim "alone" is attempted
      Then no allocation is possible

      Examples:
        | size  | held    |
        | large | black   |
        | small | white-1 |

    @case:no-alternative-met
    @DRA/prioritized-list/without-alternative
    Scenario: A request without firstAvailable gets the only device that it selects while it is free
      Given the devices
        | device  | driver                      | attribute color | attribute size |
        | black   | resource-driver.example.com | string black    | string large   |
        | white-1 | resource-driver.example.com | string white    | string small   |
      And a ResourceClaim "alone" with the request
        | request | deviceClassName      | selector                                                                                                                              |
        | req-0   | resource.example.com | device.attributes["resource-driver.example.com"].color == "black" && device.attributes["resource-driver.example.com"].size == "large" |
      When allocation of ResourceClaim "alone" is attempted
      Then ResourceClaim "alone" is allocated exactly
        | request | device |
        | req-0   | black  |

  Rule: Count, mode and selectors of each subrequest

    @case:own-count-and-class
    @DRA/prioritized-list/counts-per-subrequest
    Scenario Outline: Each subrequest has its own count and DeviceClass
      Given the devices
        | device | attribute kind |
        | a1     | string alpha   |
        | a2     | string alpha   |
        | b1     | string beta    |
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName | count    |
        | r0      | x          | <first>         | <wanted> |
        | r0      | y          | <next>          | <less>   |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated at least
        | request  | device   |
        | <choice> | <device> |
      And ResourceClaim "c" is allocated <count> devices

      Examples:
        | first | wanted | next  | less | choice | device | count |
        | beta  | 2      | alpha | 2    | r0/y   | a2     | 2     |
        | beta  | 1      | beta  | 2    | r0/x   | b1     | 1     |
        | alpha | 3      | alpha | 2    | r0/y   | a1     | 2     |
        | alpha | 3      | beta  | 1    | r0/y   | b1     | 1     |

    @case:no-mixing-of-subrequests
    @DRA/prioritized-list/counts-per-subrequest
    Scenario Outline: Devices for two subrequests are not combined to satisfy one prioritized list
      Given the devices
        | device | attribute kind |
        | a1     | string alpha   |
        | b1     | string beta    |
        | b2     | string beta    |
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName | count   |
        | r0      | a          | alpha           | <alpha> |
        | r0      | b          | beta            | <beta>  |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

      Examples:
        | alpha | beta |
        | 2     | 3    |
        | 3     | 3    |

    @case:own-selector
    @DRA/prioritized-list/counts-per-subrequest
    Scenario: A prioritized list falls back from one subrequest to another of the same DeviceClass
      Given the devices
        | device | attribute kind | attribute memory |
        | d1     | string alpha   | int 16           |
        | d2     | string alpha   | int 40           |
        | d3     | string alpha   | int 40           |
      And ResourceClaim "other" is already allocated
        | device |
        | d3     |
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName | count | selector                                          |
        | r0      | large      | alpha           | 2     | device.attributes["dra.example.com"].memory >= 40 |
        | r0      | small      | alpha           | 1     | device.attributes["dra.example.com"].memory < 40  |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request  | device |
        | r0/small | d1     |

    @case:all-mode-then-one
    @DRA/prioritized-list/counts-per-subrequest
    Scenario Outline: A subrequest with allocationMode: All is chosen only if all of its devices are free
      Given the devices
        | device | attribute kind |
        | a1     | string alpha   |
        | a2     | string alpha   |
        | b1     | string beta    |
        | b2     | string beta    |
        | b3     | string beta    |
      And ResourceClaim "other" is already allocated
        | device |
        | <held> |
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName | allocationMode |
        | r0      | all-alpha  | alpha           | All            |
        | r0      | one-beta   | beta            |                |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated at least
        | request  |
        | <choice> |
      And ResourceClaim "c" is allocated <count> devices

      Examples:
        | held | choice       | count |
        | b1   | r0/all-alpha | 2     |
        | a2   | r0/one-beta  | 1     |

    @case:all-mode-without-devices
    @DRA/prioritized-list/counts-per-subrequest
    Scenario: A subrequest with allocationMode: All is skipped if its selector matches no device
      Given the devices
        | device | attribute kind |
        | b1     | string beta    |
        | b2     | string beta    |
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName | allocationMode | count |
        | r0      | all-alpha  | alpha           | All            |       |
        | r0      | two-beta   | beta            |                | 2     |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request     | device |
        | r0/two-beta | b1     |
        | r0/two-beta | b2     |

    @case:one-then-all-mode
    @DRA/prioritized-list/counts-per-subrequest
    Scenario: A prioritized list falls back to allocationMode: All if the first subrequest has no device
      Given the devices
        | device | attribute kind |
        | b1     | string beta    |
        | b2     | string beta    |
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName | allocationMode |
        | r0      | one-alpha  | alpha           |                |
        | r0      | all-beta   | beta            | All            |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request     | device |
        | r0/all-beta | b1     |
        | r0/all-beta | b2     |
      But until Kubernetes 1.35, because after one device these releases continue with the first subrequest: ResourceClaim "c" is allocated exactly
        | request     | device |
        | r0/all-beta | b1     |

    @case:all-mode-then-all-mode
    @DRA/prioritized-list/counts-per-subrequest
    Scenario: A prioritized list falls back from one allocationMode: All subrequest to another
      Given the devices
        | device | attribute kind |
        | b1     | string beta    |
        | b2     | string beta    |
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName | allocationMode |
        | r0      | all-alpha  | alpha           | All            |
        | r0      | all-beta   | beta            | All            |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request     | device |
        | r0/all-beta | b1     |
        | r0/all-beta | b2     |
      But until Kubernetes 1.35, because these releases use the selector results of the first subrequest for the devices of the second: no allocation is possible

  Rule: Order of the subrequests in a prioritized list

    @case:order-not-count
    @DRA/prioritized-list/order-not-size-decides
    Scenario Outline: The first of two allocatable subrequests is chosen whatever their counts are
      Given the devices
        | device | attribute kind |
        | a1     | string alpha   |
        | b1     | string beta    |
        | b2     | string beta    |
        | b3     | string beta    |
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName | count   |
        | r0      | first      | <first>         | <many>  |
        | r0      | second     | <second>        | <other> |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated at least
        | request  | device   |
        | r0/first | <device> |
      And ResourceClaim "c" is allocated <many> devices

      Examples:
        | first | many | second | other | device |
        | beta  | 3    | alpha  | 1     | b2     |
        | alpha | 1    | beta   | 3     | a1     |
        | beta  | 3    | beta   | 1     | b1     |

    @case:order-not-device-order
    @DRA/prioritized-list/order-not-size-decides
    Scenario: The first of three allocatable subrequests is chosen whatever the order of the devices is
      Given the devices
        | device | attribute kind |
        | d1     | string gamma   |
        | d2     | string beta    |
        | d3     | string alpha   |
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName |
        | r0      | z          | alpha           |
        | r0      | y          | beta            |
        | r0      | x          | gamma           |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0/z    | d3     |

  Rule: Prioritized lists with other requests and ResourceClaims

    @case:other-request-needs-device
    @DRA/prioritized-list/with-other-requests
    Scenario: The second subrequest is chosen if another request needs the first subrequest's device
      Given the devices
        | device | attribute kind |
        | d1     | string alpha   |
        | d2     | string beta    |
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName |
        | r0      | a          | alpha           |
        | r0      | b          | beta            |
        | r1      |            | alpha           |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0/b    | d2     |
        | r1      | d1     |

    @case:other-claim-needs-device
    @DRA/prioritized-list/with-other-requests
    Scenario: The second subrequest is chosen if another claim needs the first subrequest's device
      Given the devices
        | device | attribute kind |
        | d1     | string alpha   |
        | d2     | string beta    |
      And a ResourceClaim "a" with the requests
        | request | subrequest | deviceClassName |
        | r0      | a          | alpha           |
        | r0      | b          | beta            |
      And a ResourceClaim "b" requesting 1 device of class "alpha"
      When allocation of the ResourceClaims "a, b" together is attempted
      Then ResourceClaim "a" is allocated exactly
        | request | device |
        | r0/b    | d2     |
      And ResourceClaim "b" is allocated exactly
        | request | device |
        | r0      | d1     |

    @case:two-lists-one-device
    @DRA/prioritized-list/with-other-requests
    Scenario: One of two prioritized lists falls back if their first subrequests need the same device
      Given the devices
        | device | attribute kind |
        | d1     | string alpha   |
        | d2     | string beta    |
        | d3     | string gamma   |
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName |
        | r0      | a          | alpha           |
        | r0      | b          | beta            |
        | r1      | a          | alpha           |
        | r1      | c          | gamma           |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated one of
        | choice | request | device |
        | 1      | r0/a    | d1     |
        | 1      | r1/c    | d3     |
        | 2      | r0/b    | d2     |
        | 2      | r1/a    | d1     |

    @case:earlier-claim-gets-first-choice
    @DRA/prioritized-list/with-other-requests @order
    Scenario: The first of two ResourceClaims with equal prioritized lists gets its first subrequest
      Given the devices
        | device | attribute kind |
        | large  | string alpha   |
        | small  | string beta    |
      And a ResourceClaim "a" with the requests
        | request | subrequest | deviceClassName |
        | r0      | large      | alpha           |
        | r0      | small      | beta            |
      And a ResourceClaim "b" with the requests
        | request | subrequest | deviceClassName |
        | r0      | large      | alpha           |
        | r0      | small      | beta            |
      When allocation of the ResourceClaims "a, b" together is attempted
      Then ResourceClaim "a" is allocated exactly
        | request  | device |
        | r0/large | large  |
      And ResourceClaim "b" is allocated exactly
        | request  | device |
        | r0/small | small  |

    @case:two-lists-both-fall-back
    @DRA/prioritized-list/with-other-requests
    Scenario: Two prioritized lists fall back so that a later request can be allocated
      Given the devices
        | device | attribute kind |
        | d1     | string alpha   |
        | d2     | string beta    |
        | d3     | string gamma   |
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName |
        | r0      | a          | alpha           |
        | r0      | b          | beta            |
        | r1      | b          | beta            |
        | r1      | c          | gamma           |
        | r2      |            | alpha           |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0/b    | d2     |
        | r1/c    | d3     |
        | r2      | d1     |

    @case:only-combination-of-three-lists
    @DRA/prioritized-list/with-other-requests
    Scenario: Three prioritized lists are allocated the only combination that has a device for each
      Given the devices
        | device | attribute kind |
        | d1     | string alpha   |
        | d2     | string beta    |
        | d3     | string gamma   |
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName |
        | r0      | a          | alpha           |
        | r0      | b          | beta            |
        | r0      | c          | gamma           |
        | r1      | a          | alpha           |
        | r1      | b          | beta            |
        | r2      | a          | alpha           |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0/c    | d3     |
        | r1/b    | d2     |
        | r2/a    | d1     |

    @case:three-lists-two-devices
    @DRA/prioritized-list/with-other-requests
    Scenario: Three prioritized lists for the same two devices are not allocated
      Given the devices
        | device | attribute kind |
        | d1     | string alpha   |
        | d2     | string beta    |
        | d3     | string gamma   |
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName |
        | r0      | a          | alpha           |
        | r0      | b          | beta            |
        | r1      | b          | beta            |
        | r1      | a          | alpha           |
        | r2      | a          | alpha           |
        | r2      | b          | beta            |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

    @case:no-combination-of-two-lists
    @DRA/prioritized-list/with-other-requests
    Scenario: Two prioritized lists fail if every combination of subrequests lacks a device
      Given the devices
        | device | attribute kind |
        | d1     | string alpha   |
        | d2     | string beta    |
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName |
        | r0      | a          | alpha           |
        | r0      | b          | beta            |
        | r1      | b          | beta            |
        | r1      | a          | alpha           |
        | r2      |            | alpha           |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

    @case:last-choice-for-other-request
    @DRA/prioritized-list/with-other-requests
    Scenario: The last subrequest is chosen if earlier ones leave too few devices for another request
      Given the devices
        | device | attribute kind |
        | a1     | string alpha   |
        | a2     | string alpha   |
        | a3     | string alpha   |
        | b1     | string beta    |
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName | count |
        | r0      | three      | alpha           | 3     |
        | r0      | two        | alpha           | 2     |
        | r0      | beta       | beta            | 1     |
        | r1      |            | alpha           | 2     |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated at least
        | request | device |
        | r0/beta | b1     |
        | r1      |        |
        | r1      |        |
      And ResourceClaim "c" is allocated 3 devices

    @case:all-mode-leaves-none
    @DRA/prioritized-list/with-other-requests
    Scenario: A subrequest with allocationMode: All is skipped if another request needs its device
      Given the devices
        | device | attribute kind |
        | a1     | string alpha   |
        | a2     | string alpha   |
        | b1     | string beta    |
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName | allocationMode |
        | r0      | all-alpha  | alpha           | All            |
        | r0      | one-beta   | beta            |                |
        | r1      |            | alpha           |                |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated at least
        | request     | device |
        | r0/one-beta | b1     |
        | r1          |        |
      And ResourceClaim "c" is allocated 2 devices

    @case:constraint-on-request
    @DRA/prioritized-list/with-other-requests
    Scenario: A constraint that names the request applies to each of its subrequests
      Given the devices
        | device | attribute kind | attribute dra.example.com/numa |
        | a1     | string alpha   | int 0                          |
        | b1     | string beta    | int 1                          |
        | g1     | string gamma   | int 1                          |
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName |
        | r0      | a          | alpha           |
        | r0      | b          | beta            |
        | r1      |            | gamma           |
      And ResourceClaim "c" has the constraint matchAttribute "dra.example.com/numa" for the requests "r0, r1"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0/b    | b1     |
        | r1      | g1     |

    @case:constraint-on-request-unmet
    @DRA/claim/constraints-limit-devices
    Scenario: A prioritized list fails if no subrequest satisfies a constraint on its request
      Given the devices
        | device | attribute kind | attribute dra.example.com/numa |
        | a1     | string alpha   | int 0                          |
        | b1     | string beta    | int 2                          |
        | g1     | string gamma   | int 1                          |
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName |
        | r0      | a          | alpha           |
        | r0      | b          | beta            |
        | r1      |            | gamma           |
      And ResourceClaim "c" has the constraint matchAttribute "dra.example.com/numa" for the requests "r0, r1"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

    @case:constraint-on-subrequest
    @DRA/prioritized-list/with-other-requests
    Scenario Outline: A constraint that names a subrequest applies only if that subrequest is chosen
      Given the devices
        | device | attribute kind | attribute dra.example.com/numa |
        | a1     | string alpha   | int <alpha>                    |
        | b1     | string beta    | int 2                          |
        | g1     | string gamma   | int 1                          |
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName |
        | r0      | a          | alpha           |
        | r0      | b          | beta            |
        | r1      |            | gamma           |
      And ResourceClaim "c" has the constraint matchAttribute "dra.example.com/numa" for the requests "r0/a, r1"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request  | device   |
        | <choice> | <device> |
        | r1       | g1       |

      Examples:
        | alpha | choice | device |
        | 1     | r0/a   | a1     |
        | 0     | r0/b   | b1     |

    @case:constraint-on-two-subrequests
    @DRA/prioritized-list/with-other-requests
    Scenario: A constraint on two subrequests does not apply if only one of the two is chosen
      Given the devices
        | device | attribute kind | attribute dra.example.com/numa |
        | a1     | string alpha   | int 0                          |
        | b1     | string beta    | int 1                          |
        | b2     | string beta    | int 2                          |
        | g1     | string gamma   | int 3                          |
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName |
        | r0      | a          | alpha           |
        | r0      | b          | beta            |
        | r1      | g          | gamma           |
        | r1      | b          | beta            |
      And ResourceClaim "c" has the constraint matchAttribute "dra.example.com/numa" for the requests "r0/a, r1/g"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated one of
        | choice | request | device |
        | 1      | r0/a    | a1     |
        | 1      | r1/b    | b1     |
        | 2      | r0/a    | a1     |
        | 2      | r1/b    | b2     |
        | 3      | r0/b    | b1     |
        | 3      | r1/g    | g1     |
        | 4      | r0/b    | b2     |
        | 4      | r1/g    | g1     |

    @case:constraint-fails-all-mode
    @DRA/claim/constraints-limit-devices @DRA/prioritized-list/first-satisfiable-wins
    Scenario: The second subrequest is chosen if the first is for all devices and violates a constraint
      Given the devices
        | device | attribute kind | attribute dra.example.com/numa |
        | a1     | string alpha   | int 0                          |
        | a2     | string alpha   | int 1                          |
        | b1     | string beta    | int 2                          |
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName | allocationMode |
        | r0      | all-alpha  | alpha           | All            |
        | r0      | one-beta   | beta            |                |
      And ResourceClaim "c" has the constraint matchAttribute "dra.example.com/numa"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request     | device |
        | r0/one-beta | b1     |
      But since Kubernetes 1.33, because releases report an error if a constraint excludes a device of allocationMode All: allocation fails with an error because of ConstraintUnsatisfied

  Rule: Configuration of the chosen subrequest

    Background:
      Given DeviceClass "alpha" is configured with profile "for-alpha"
      And DeviceClass "beta" is configured with profile "for-beta"
      And the devices
        | device | attribute kind |
        | b1     | string beta    |
        | g1     | string gamma   |

    @case:class-config-of-choice
    @DRA/prioritized-list/configuration-of-the-chosen
    Scenario: The allocation has the config of the DeviceClass of the chosen subrequest
      Given a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName |
        | r0      | a          | alpha           |
        | r0      | b          | beta            |
        | r1      |            | gamma           |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" has the configuration
        | source    | requests | profile  |
        | FromClass | r0/b     | for-beta |

    @case:config-of-other-subrequest
    @DRA/prioritized-list/configuration-of-the-chosen
    Scenario: The allocation has no config of a subrequest that was not chosen
      Given a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName |
        | r0      | a          | alpha           |
        | r0      | b          | beta            |
        | r1      |            | gamma           |
      And ResourceClaim "c" is configured with profile "only-a" for the requests "r0/a"
      And ResourceClaim "c" is configured with profile "only-b" for the requests "r0/b"
      And ResourceClaim "c" is configured with profile "either" for the requests "r0"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" has the configuration
        | source    | requests | profile  |
        | FromClass | r0/b     | for-beta |
        | FromClaim | r0/b     | only-b   |
        | FromClaim | r0       | either   |

  Rule: Limit of 32 devices for each ResourceClaim since 1.34

    Background:
      Given the fixture "forty-devices"

    @case:subrequest-above-limit
    @DRA/prioritized-list/first-satisfiable-wins @profile:since-1.34
    Scenario Outline: Since 1.34, a subrequest for more than 32 devices is skipped
      Given a ResourceClaim "c" with the requests
        | request | subrequest | allocationMode | count   |
        | r0      | many       | <mode>         | <count> |
        | r0      | few        |                | 32      |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated at least
        | request |
        | r0/few  |
      And ResourceClaim "c" is allocated 32 devices

      Examples:
        | what           | mode       | count |
        | 33 devices     | ExactCount | 33    |
        | 40 devices     | ExactCount | 40    |
        | all 40 devices | All        |       |

    @case:every-subrequest-above-limit
    @DRA/prioritized-list/first-satisfiable-wins @profile:since-1.34
    Scenario Outline: A prioritized list is not allocated since 1.34 if every subrequest exceeds 32 devices
      Given a ResourceClaim "c" with the requests
        | request | subrequest | allocationMode | count   |
        | r0      | many       | <mode>         | <count> |
        | r0      | more       |                | 33      |
      When allocation of ResourceClaim "c" is attempted
      Then nothing is allocated because of ClaimLimitExceeded

      Examples:
        | what           | mode       | count |
        | 40 devices     | ExactCount | 40    |
        | all 40 devices | All        |       |

    @case:limit-per-claim
    @DRA/prioritized-list/first-satisfiable-wins
    Scenario: The limit of 32 devices applies to each ResourceClaim separately
      Given a ResourceClaim "a" with the requests
        | request | subrequest  | count |
        | r0      | many        | 20    |
        | r0      | few         | 1     |
      And a ResourceClaim "b" with the requests
        | request | subrequest  | count |
        | r0      | many        | 20    |
        | r0      | few         | 1     |
      When allocation of the ResourceClaims "a, b" together is attempted
      Then ResourceClaim "a" is allocated 20 devices
      And ResourceClaim "b" is allocated 20 devices

    @case:two-lists-share-limit
    @DRA/prioritized-list/with-other-requests
    Scenario Outline: Two prioritized lists of one ResourceClaim together stay within 32 devices
      Given a ResourceClaim "c" with the requests
        | request | subrequest  | count  |
        | r0      | many        | <many> |
        | r0      | few         | <few>  |
        | r1      | many        | <many> |
        | r1      | few         | <few>  |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated at least
        | request     |
        | r0/<first>  |
        | r1/<second> |
      And ResourceClaim "c" is allocated <count> devices

      Examples:
        | many | few | first | second | count |
        | 16   | 8   | many  | many   | 32    |

      @profile:since-1.34
      Examples:
        | many | few | first | second | count |
        | 32   | 16  | few   | few    | 32    |
        | 32   | 1   | few   | few    | 2     |

    @case:limit-with-other-request
    @DRA/prioritized-list/with-other-requests @profile:since-1.34
    Scenario: A prioritized list falls back if it would exceed 32 devices together with another request
      Given a ResourceClaim "c" with the requests
        | request | subrequest  | count |
        | r0      | many        | 20    |
        | r0      | few         | 10    |
        | r1      |             | 13    |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated at least
        | request |
        | r0/few  |
        | r1      |
      And ResourceClaim "c" is allocated 23 devices

  @profile:kep @profile:until-1.36
  Rule: Prioritized lists while DRAPrioritizedList is off

    Background:
      Given the feature gate "DRAPrioritizedList" is off
      And the devices
        | device | attribute kind |
        | a1     | string alpha   |

    @case:gate-off-list
    @DRA/feature-gate/alpha-features-off-by-default
    Scenario: With DRAPrioritizedList off, a ResourceClaim with a prioritized list is not allocated
      Given a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName |
        | r0      | a          | alpha           |
        | r0      | b          | beta            |
      When allocation of ResourceClaim "c" is attempted
      Then nothing is allocated because of FeatureDisabled

    @case:gate-off-plain-request
    @DRA/claim/requests-select-from-class
    Scenario: With DRAPrioritizedList off, a ResourceClaim without a prioritized list is allocated
      Given a ResourceClaim "c" requesting 1 device of class "alpha"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | a1     |

  Rule: Missing DeviceClass in a subrequest

    @case:missing-class-ends-prefilter
    @DRA/class/required-and-existing @profile:since-1.34
    Scenario: PreFilter returns UnschedulableAndUnresolvable if a subrequest's DeviceClass is missing
      Given the device
        | device | attribute kind |
        | d1     | string alpha   |
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName |
        | r0      | first      | alpha           |
        | r0      | second     | missing         |
      And a pod "p" that uses ResourceClaim "c"
      When scheduling of pod "p" is attempted
      Then PreFilter returns UnschedulableAndUnresolvable
      And Filter is not reached
