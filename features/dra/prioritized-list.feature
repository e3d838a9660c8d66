Feature: Prioritized lists
  A request may list alternatives. The first that can be met is taken, whole, and the result says which.

  Background:
    Given a device class "alpha" that selects
      """
      device.attributes["dra.example.com"].kind == "alpha"
      """
    And a device class "beta" that selects
      """
      device.attributes["dra.example.com"].kind == "beta"
      """
    And a device class "gamma" that selects
      """
      device.attributes["dra.example.com"].kind == "gamma"
      """

  Rule: The first alternative that can be met is taken

    @DRA/prioritized-list/first-satisfiable-wins @DRA/prioritized-list/chosen-alternative-recorded
    Scenario Outline: The first alternative there are devices for
      Given the devices
        | device | attribute kind  |
        | d1     | string <first>  |
        | d2     | string <second> |
        | d3     | string <third>  |
      And a claim "c" with the requests
        | request | alternative | class |
        | r0      | a           | alpha |
        | r0      | b           | beta  |
        | r0      | c           | gamma |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request  | device   |
        | <choice> | <device> |

      Examples:
        | first | second | third | choice | device |
        | alpha | beta   | gamma | r0/a   | d1     |
        | gamma | beta   | alpha | r0/a   | d3     |
        | gamma | delta  | beta  | r0/b   | d3     |
        | beta  | delta  | gamma | r0/b   | d1     |
        | delta | gamma  | delta | r0/c   | d2     |

    @DRA/prioritized-list/first-satisfiable-wins
    Scenario: No alternative can be met
      Given the devices
        | device | attribute kind |
        | d1     | string delta   |
        | d2     | string delta   |
      And a claim "c" with the requests
        | request | alternative | class |
        | r0      | a           | alpha |
        | r0      | b           | beta  |
        | r0      | c           | gamma |
      When allocation of claim "c" is attempted
      Then nothing fits

    @DRA/prioritized-list/first-satisfiable-wins
    Scenario Outline: An alternative whose devices are in use is passed over
      Given the devices
        | device | attribute kind |
        | a1     | string alpha   |
        | a2     | string alpha   |
        | b1     | string beta    |
        | b2     | string beta    |
      And claim "other" already holds
        | device  |
        | <held>  |
        | <other> |
      And a claim "c" with the requests
        | request | alternative | class | count   |
        | r0      | a           | alpha | <alpha> |
        | r0      | b           | beta  | <beta>  |
      When allocation of claim "c" is attempted
      Then claim "c" has the result
        | request  |
        | <choice> |
      And claim "c" gets <count> devices

      Examples:
        | held | other | alpha | beta | choice | count |
        | b1   | b2    | 2     | 2    | r0/a   | 2     |
        | a1   | b1    | 1     | 2    | r0/a   | 1     |
        | a1   | a2    | 1     | 2    | r0/b   | 2     |
        | a2   | b2    | 2     | 1    | r0/b   | 1     |

    @DRA/prioritized-list/first-satisfiable-wins
    Scenario Outline: Every alternative lacks a device
      Given the devices
        | device | attribute kind |
        | a1     | string alpha   |
        | a2     | string alpha   |
        | b1     | string beta    |
        | b2     | string beta    |
      And claim "other" already holds
        | device  |
        | <held>  |
        | <other> |
      And a claim "c" with the requests
        | request | alternative | class | count   |
        | r0      | a           | alpha | <alpha> |
        | r0      | b           | beta  | <beta>  |
      When allocation of claim "c" is attempted
      Then nothing fits

      Examples:
        | held | other | alpha | beta |
        | a1   | b1    | 2     | 2    |
        | a1   | a2    | 1     | 3    |
        | b1   | b2    | 3     | 1    |

    @DRA/prioritized-list/first-satisfiable-wins
    Scenario Outline: The last of eight alternatives is as good as the first
      Given the devices
        | device | attribute memory |
        | d1     | int <memory>     |
      And a claim "c" with the requests
        | request | alternative | selector                                           |
        | r0      | a           | device.attributes["dra.example.com"].memory >= 128 |
        | r0      | b           | device.attributes["dra.example.com"].memory >= 96  |
        | r0      | c           | device.attributes["dra.example.com"].memory >= 80  |
        | r0      | d           | device.attributes["dra.example.com"].memory >= 64  |
        | r0      | e           | device.attributes["dra.example.com"].memory >= 48  |
        | r0      | f           | device.attributes["dra.example.com"].memory >= 32  |
        | r0      | g           | device.attributes["dra.example.com"].memory >= 24  |
        | r0      | h           | device.attributes["dra.example.com"].memory >= 16  |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request  | device |
        | <choice> | d1     |

      Examples:
        | memory | choice |
        | 16     | r0/h   |
        | 23     | r0/h   |
        | 64     | r0/d   |
        | 200    | r0/a   |

    @DRA/prioritized-list/first-satisfiable-wins
    Scenario: What an alternative took before it failed is free for the next one
      Given the devices
        | device | attribute kind |
        | d1     | string alpha   |
        | d2     | string beta    |
        | d3     | string beta    |
      And a claim "c" with the requests
        | request | alternative | class | count |
        | r0      | a           | alpha | 2     |
        | r0      | b           |       | 3     |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0/b    | d1     |
        | r0/b    | d2     |
        | r0/b    | d3     |

    @DRA/prioritized-list/first-satisfiable-wins
    Scenario: Nothing is asked of the alternatives after the one that is taken
      Given the devices
        | device | attribute kind |
        | d1     | string alpha   |
      And a claim "c" with the requests
        | request | alternative | class | selector                                               |
        | r0      | a           | alpha |                                                        |
        | r0      | b           |       | device.attributes["dra.example.com"].missing == "lost" |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0/a    | d1     |

    @DRA/prioritized-list/first-satisfiable-wins
    Scenario Outline: Each node has its own first alternative
      Given a node "left"
      And a node "right"
      And the devices
        | device | node  | pool  | attribute kind |
        | a1     | right | right | string alpha   |
        | b1     | left  | left  | string beta    |
        | b2     | right | right | string beta    |
      And a claim "c" with the requests
        | request | alternative | class |
        | r0      | a           | alpha |
        | r0      | b           | beta  |
      When allocation of claim "c" on node "<node>" is attempted
      Then claim "c" gets exactly
        | request  | device   |
        | <choice> | <device> |

      Examples:
        | node  | choice | device |
        | left  | r0/b   | b1     |
        | right | r0/a   | a1     |

  Rule: The claim of the page, for one large black device or else two small white ones

    Background:
      Given the fixture "large-black-or-small-white"

    @DRA/prioritized-list/example-primary @DRA/prioritized-list/chosen-alternative-recorded
    Scenario: The black device is free
      Given the devices
        | device  | driver                      | attribute color | attribute size |
        | white-1 | resource-driver.example.com | string white    | string small   |
        | white-2 | resource-driver.example.com | string white    | string small   |
        | black   | resource-driver.example.com | string black    | string large   |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request           | device |
        | req-0/large-black | black  |

    @DRA/prioritized-list/example-primary
    Scenario: The black device is free and there is no white one
      Given the devices
        | device | driver                      | attribute color | attribute size |
        | black  | resource-driver.example.com | string black    | string large   |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request           | device |
        | req-0/large-black | black  |

    @DRA/prioritized-list/example-fallback @DRA/prioritized-list/chosen-alternative-recorded
    Scenario: The black device is in use
      Given the devices
        | device  | driver                      | attribute color | attribute size |
        | black   | resource-driver.example.com | string black    | string large   |
        | white-1 | resource-driver.example.com | string white    | string small   |
        | white-2 | resource-driver.example.com | string white    | string small   |
      And claim "other" already holds
        | device | driver                      |
        | black  | resource-driver.example.com |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request           | device  |
        | req-0/small-white | white-1 |
        | req-0/small-white | white-2 |

    @DRA/prioritized-list/example-fallback
    Scenario: There is no black device and one white device more than needed
      Given the devices
        | device  | driver                      | attribute color | attribute size |
        | white-1 | resource-driver.example.com | string white    | string small   |
        | white-2 | resource-driver.example.com | string white    | string small   |
        | white-3 | resource-driver.example.com | string white    | string small   |
      When allocation of claim "c" is attempted
      Then claim "c" gets one of
        | choice | request           | device  |
        | 1      | req-0/small-white | white-1 |
        | 1      | req-0/small-white | white-2 |
        | 2      | req-0/small-white | white-1 |
        | 2      | req-0/small-white | white-3 |
        | 3      | req-0/small-white | white-2 |
        | 3      | req-0/small-white | white-3 |

    @DRA/prioritized-list/example-fallback
    Scenario: Black but small, and white but large, are neither alternative
      Given the devices
        | device      | driver                      | attribute color | attribute size |
        | small-black | resource-driver.example.com | string black    | string small   |
        | large-white | resource-driver.example.com | string white    | string large   |
        | white-1     | resource-driver.example.com | string white    | string small   |
        | white-2     | resource-driver.example.com | string white    | string small   |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request           | device  |
        | req-0/small-white | white-1 |
        | req-0/small-white | white-2 |

    @DRA/prioritized-list/example-unsatisfiable
    Scenario: The black device and a white one are in use
      Given the devices
        | device  | driver                      | attribute color | attribute size |
        | black   | resource-driver.example.com | string black    | string large   |
        | white-1 | resource-driver.example.com | string white    | string small   |
        | white-2 | resource-driver.example.com | string white    | string small   |
      And claim "other" already holds
        | device  | driver                      |
        | black   | resource-driver.example.com |
        | white-2 | resource-driver.example.com |
      When allocation of claim "c" is attempted
      Then nothing fits

    @DRA/prioritized-list/example-unsatisfiable
    Scenario: Only the wrong combinations of color and size are there
      Given the devices
        | device      | driver                      | attribute color | attribute size |
        | small-black | resource-driver.example.com | string black    | string small   |
        | large-white | resource-driver.example.com | string white    | string large   |
        | white-1     | resource-driver.example.com | string white    | string small   |
      When allocation of claim "c" is attempted
      Then nothing fits

    @DRA/prioritized-list/example-unsatisfiable
    Scenario: The right devices of another driver
      Given the devices
        | device | driver            | attribute resource-driver.example.com/color | attribute resource-driver.example.com/size |
        | black  | other.example.com | string black                                | string large                               |
      When allocation of claim "c" is attempted
      Then nothing fits

    @DRA/prioritized-list/without-alternative
    Scenario Outline: A claim for the large black device alone
      Given the devices
        | device  | driver                      | attribute color | attribute size |
        | black   | resource-driver.example.com | string black    | string <size>  |
        | white-1 | resource-driver.example.com | string white    | string small   |
        | white-2 | resource-driver.example.com | string white    | string small   |
      And claim "other" already holds
        | device | driver                      |
        | <held> | resource-driver.example.com |
      And a claim "alone" with the request
        | request | class                | selector                                                                                                                              |
        | req-0   | resource.example.com | device.attributes["resource-driver.example.com"].color == "black" && device.attributes["resource-driver.example.com"].size == "large" |
      When allocation of claim "alone" is attempted
      Then nothing fits

      Examples:
        | size  | held    |
        | large | black   |
        | small | white-1 |

    @DRA/prioritized-list/without-alternative
    Scenario: A claim for the large black device alone, and it is free
      Given the devices
        | device  | driver                      | attribute color | attribute size |
        | black   | resource-driver.example.com | string black    | string large   |
        | white-1 | resource-driver.example.com | string white    | string small   |
      And a claim "alone" with the request
        | request | class                | selector                                                                                                                              |
        | req-0   | resource.example.com | device.attributes["resource-driver.example.com"].color == "black" && device.attributes["resource-driver.example.com"].size == "large" |
      When allocation of claim "alone" is attempted
      Then claim "alone" gets exactly
        | request | device |
        | req-0   | black  |

  Rule: Each alternative stands for itself

    @DRA/prioritized-list/counts-per-subrequest
    Scenario Outline: Each alternative has its own count
      Given the devices
        | device | attribute kind |
        | a1     | string alpha   |
        | a2     | string alpha   |
        | b1     | string beta    |
      And a claim "c" with the requests
        | request | alternative | class   | count    |
        | r0      | x           | <first> | <wanted> |
        | r0      | y           | <next>  | <less>   |
      When allocation of claim "c" is attempted
      Then claim "c" has the result
        | request  | device   |
        | <choice> | <device> |
      And claim "c" gets <count> devices

      Examples:
        | first | wanted | next  | less | choice | device | count |
        | beta  | 2      | alpha | 2    | r0/y   | a2     | 2     |
        | beta  | 1      | beta  | 2    | r0/x   | b1     | 1     |
        | alpha | 3      | alpha | 2    | r0/y   | a1     | 2     |
        | alpha | 3      | beta  | 1    | r0/y   | b1     | 1     |

    @DRA/prioritized-list/counts-per-subrequest
    Scenario Outline: Devices of two alternatives do not add up
      Given the devices
        | device | attribute kind |
        | a1     | string alpha   |
        | b1     | string beta    |
        | b2     | string beta    |
      And a claim "c" with the requests
        | request | alternative | class | count   |
        | r0      | a           | alpha | <alpha> |
        | r0      | b           | beta  | <beta>  |
      When allocation of claim "c" is attempted
      Then nothing fits

      Examples:
        | alpha | beta |
        | 2     | 3    |
        | 3     | 3    |

    @DRA/prioritized-list/counts-per-subrequest
    Scenario: Each alternative has its own selectors within one class
      Given the devices
        | device | attribute kind | attribute memory |
        | d1     | string alpha   | int 16           |
        | d2     | string alpha   | int 40           |
        | d3     | string alpha   | int 40           |
      And claim "other" already holds
        | device |
        | d3     |
      And a claim "c" with the requests
        | request | alternative | class | count | selector                                          |
        | r0      | large       | alpha | 2     | device.attributes["dra.example.com"].memory >= 40 |
        | r0      | small       | alpha | 1     | device.attributes["dra.example.com"].memory < 40  |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request  | device |
        | r0/small | d1     |

    @DRA/prioritized-list/counts-per-subrequest
    Scenario Outline: An alternative may ask for all devices
      Given the devices
        | device | attribute kind |
        | a1     | string alpha   |
        | a2     | string alpha   |
        | b1     | string beta    |
        | b2     | string beta    |
        | b3     | string beta    |
      And claim "other" already holds
        | device |
        | <held> |
      And a claim "c" with the requests
        | request | alternative | class | mode |
        | r0      | all-alpha   | alpha | All  |
        | r0      | one-beta    | beta  |      |
      When allocation of claim "c" is attempted
      Then claim "c" has the result
        | request  |
        | <choice> |
      And claim "c" gets <count> devices

      Examples:
        | held | choice       | count |
        | b1   | r0/all-alpha | 2     |
        | a2   | r0/one-beta  | 1     |

    @DRA/prioritized-list/counts-per-subrequest
    Scenario: All devices of none cannot be given
      Given the devices
        | device | attribute kind |
        | b1     | string beta    |
        | b2     | string beta    |
      And a claim "c" with the requests
        | request | alternative | class | mode | count |
        | r0      | all-alpha   | alpha | All  |       |
        | r0      | two-beta    | beta  |      | 2     |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request     | device |
        | r0/two-beta | b1     |
        | r0/two-beta | b2     |

    @DRA/prioritized-list/counts-per-subrequest
    Scenario: A later alternative may ask for all devices
      Given the devices
        | device | attribute kind |
        | a1     | string alpha   |
        | b1     | string beta    |
        | b2     | string beta    |
        | b3     | string beta    |
      And a claim "c" with the requests
        | request | alternative | class | mode | count |
        | r0      | two-alpha   | alpha |      | 2     |
        | r0      | all-beta    | beta  | All  |       |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request     | device |
        | r0/all-beta | b1     |
        | r0/all-beta | b2     |
        | r0/all-beta | b3     |
      But until Kubernetes 1.35, because these releases go on with the first alternative after one device: claim "c" gets exactly
        | request      | device |
        | r0/all-beta  | b1     |
        | r0/two-alpha | a1     |

    @DRA/prioritized-list/counts-per-subrequest
    Scenario: All devices of a later alternative are more than the first one asks for
      Given the devices
        | device | attribute kind |
        | b1     | string beta    |
        | b2     | string beta    |
      And a claim "c" with the requests
        | request | alternative | class | mode |
        | r0      | one-alpha   | alpha |      |
        | r0      | all-beta    | beta  | All  |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request     | device |
        | r0/all-beta | b1     |
        | r0/all-beta | b2     |
      But until Kubernetes 1.35, because these releases go on with the first alternative after one device: claim "c" gets exactly
        | request     | device |
        | r0/all-beta | b1     |

    @DRA/prioritized-list/counts-per-subrequest
    Scenario: All devices of one kind or else all devices of another
      Given the devices
        | device | attribute kind |
        | b1     | string beta    |
        | b2     | string beta    |
      And a claim "c" with the requests
        | request | alternative | class | mode |
        | r0      | all-alpha   | alpha | All  |
        | r0      | all-beta    | beta  | All  |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request     | device |
        | r0/all-beta | b1     |
        | r0/all-beta | b2     |
      But until Kubernetes 1.35, because these releases list the devices of the second alternative with the answers for the first: nothing fits

  Rule: The place in the list decides

    @DRA/prioritized-list/order-not-size-decides
    Scenario Outline: Not the number of devices
      Given the devices
        | device | attribute kind |
        | a1     | string alpha   |
        | b1     | string beta    |
        | b2     | string beta    |
        | b3     | string beta    |
      And a claim "c" with the requests
        | request | alternative | class    | count   |
        | r0      | first       | <first>  | <many>  |
        | r0      | second      | <second> | <other> |
      When allocation of claim "c" is attempted
      Then claim "c" has the result
        | request  | device   |
        | r0/first | <device> |
      And claim "c" gets <many> devices

      Examples:
        | first | many | second | other | device |
        | beta  | 3    | alpha  | 1     | b2     |
        | alpha | 1    | beta   | 3     | a1     |
        | beta  | 3    | beta   | 1     | b1     |

    @DRA/prioritized-list/order-not-size-decides
    Scenario: Not the order in which the devices are published
      Given the devices
        | device | attribute kind |
        | d1     | string gamma   |
        | d2     | string beta    |
        | d3     | string alpha   |
      And a claim "c" with the requests
        | request | alternative | class |
        | r0      | z           | alpha |
        | r0      | y           | beta  |
        | r0      | x           | gamma |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0/z    | d3     |

  Rule: All requests of all claims must be met

    @DRA/prioritized-list/with-other-requests
    Scenario: The first alternative would take the only device of another request
      Given the devices
        | device | attribute kind |
        | d1     | string alpha   |
        | d2     | string beta    |
      And a claim "c" with the requests
        | request | alternative | class |
        | r0      | a           | alpha |
        | r0      | b           | beta  |
        | r1      |             | alpha |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0/b    | d2     |
        | r1      | d1     |

    @DRA/prioritized-list/with-other-requests
    Scenario: The first alternative would take the only device of another claim
      Given the devices
        | device | attribute kind |
        | d1     | string alpha   |
        | d2     | string beta    |
      And a claim "a" with the requests
        | request | alternative | class |
        | r0      | a           | alpha |
        | r0      | b           | beta  |
      And a claim "b" asking 1 device of class "alpha"
      When allocation of the claims "a, b" together is attempted
      Then claim "a" gets exactly
        | request | device |
        | r0/b    | d2     |
      And claim "b" gets exactly
        | request | device |
        | r0      | d1     |

    @DRA/prioritized-list/with-other-requests
    Scenario: Two lists cannot both have their first alternative
      Given the devices
        | device | attribute kind |
        | d1     | string alpha   |
        | d2     | string beta    |
        | d3     | string gamma   |
      And a claim "c" with the requests
        | request | alternative | class |
        | r0      | a           | alpha |
        | r0      | b           | beta  |
        | r1      | a           | alpha |
        | r1      | c           | gamma |
      When allocation of claim "c" is attempted
      Then claim "c" gets one of
        | choice | request | device |
        | 1      | r0/a    | d1     |
        | 1      | r1/c    | d3     |
        | 2      | r0/b    | d2     |
        | 2      | r1/a    | d1     |

    @DRA/prioritized-list/with-other-requests @order
    Scenario: The first claim has the first choice
      Given the devices
        | device | attribute kind |
        | large  | string alpha   |
        | small  | string beta    |
      And a claim "a" with the requests
        | request | alternative | class |
        | r0      | large       | alpha |
        | r0      | small       | beta  |
      And a claim "b" with the requests
        | request | alternative | class |
        | r0      | large       | alpha |
        | r0      | small       | beta  |
      When allocation of the claims "a, b" together is attempted
      Then claim "a" gets exactly
        | request  | device |
        | r0/large | large  |
      And claim "b" gets exactly
        | request  | device |
        | r0/small | small  |

    @DRA/prioritized-list/with-other-requests
    Scenario: A request at the end moves all lists before it
      Given the devices
        | device | attribute kind |
        | d1     | string alpha   |
        | d2     | string beta    |
        | d3     | string gamma   |
      And a claim "c" with the requests
        | request | alternative | class |
        | r0      | a           | alpha |
        | r0      | b           | beta  |
        | r1      | b           | beta  |
        | r1      | c           | gamma |
        | r2      |             | alpha |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0/b    | d2     |
        | r1/c    | d3     |
        | r2      | d1     |

    @DRA/prioritized-list/with-other-requests
    Scenario: Only the last of all combinations has a device for each request
      Given the devices
        | device | attribute kind |
        | d1     | string alpha   |
        | d2     | string beta    |
        | d3     | string gamma   |
      And a claim "c" with the requests
        | request | alternative | class |
        | r0      | a           | alpha |
        | r0      | b           | beta  |
        | r0      | c           | gamma |
        | r1      | a           | alpha |
        | r1      | b           | beta  |
        | r2      | a           | alpha |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0/c    | d3     |
        | r1/b    | d2     |
        | r2/a    | d1     |

    @DRA/prioritized-list/with-other-requests
    Scenario: Three lists want the same two devices
      Given the devices
        | device | attribute kind |
        | d1     | string alpha   |
        | d2     | string beta    |
        | d3     | string gamma   |
      And a claim "c" with the requests
        | request | alternative | class |
        | r0      | a           | alpha |
        | r0      | b           | beta  |
        | r1      | b           | beta  |
        | r1      | a           | alpha |
        | r2      | a           | alpha |
        | r2      | b           | beta  |
      When allocation of claim "c" is attempted
      Then nothing fits

    @DRA/prioritized-list/with-other-requests
    Scenario: Every combination of alternatives lacks a device
      Given the devices
        | device | attribute kind |
        | d1     | string alpha   |
        | d2     | string beta    |
      And a claim "c" with the requests
        | request | alternative | class |
        | r0      | a           | alpha |
        | r0      | b           | beta  |
        | r1      | b           | beta  |
        | r1      | a           | alpha |
        | r2      |             | alpha |
      When allocation of claim "c" is attempted
      Then nothing fits

    @DRA/prioritized-list/with-other-requests
    Scenario: Many devices for one list leave too few for another request
      Given the devices
        | device | attribute kind |
        | a1     | string alpha   |
        | a2     | string alpha   |
        | a3     | string alpha   |
        | b1     | string beta    |
      And a claim "c" with the requests
        | request | alternative | class | count |
        | r0      | three       | alpha | 3     |
        | r0      | two         | alpha | 2     |
        | r0      | beta        | beta  | 1     |
        | r1      |             | alpha | 2     |
      When allocation of claim "c" is attempted
      Then claim "c" has the results
        | request | device |
        | r0/beta | b1     |
        | r1      |        |
        | r1      |        |
      And claim "c" gets 3 devices

    @DRA/prioritized-list/with-other-requests
    Scenario: All devices for one list leave none for another request
      Given the devices
        | device | attribute kind |
        | a1     | string alpha   |
        | a2     | string alpha   |
        | b1     | string beta    |
      And a claim "c" with the requests
        | request | alternative | class | mode |
        | r0      | all-alpha   | alpha | All  |
        | r0      | one-beta    | beta  |      |
        | r1      |             | alpha |      |
      When allocation of claim "c" is attempted
      Then claim "c" has the results
        | request     | device |
        | r0/one-beta | b1     |
        | r1          |        |
      And claim "c" gets 2 devices

    @DRA/prioritized-list/with-other-requests @DRA/claim/constraints-limit-devices
    Scenario: A constraint that names the request holds for each alternative
      Given the devices
        | device | attribute kind | attribute dra.example.com/numa |
        | a1     | string alpha   | int 0                          |
        | b1     | string beta    | int 1                          |
        | g1     | string gamma   | int 1                          |
      And a claim "c" with the requests
        | request | alternative | class |
        | r0      | a           | alpha |
        | r0      | b           | beta  |
        | r1      |             | gamma |
      And claim "c" needs matching "dra.example.com/numa" among the requests "r0, r1"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0/b    | b1     |
        | r1      | g1     |

    @DRA/prioritized-list/with-other-requests @DRA/claim/constraints-limit-devices
    Scenario: A constraint that names the request refuses every alternative
      Given the devices
        | device | attribute kind | attribute dra.example.com/numa |
        | a1     | string alpha   | int 0                          |
        | b1     | string beta    | int 2                          |
        | g1     | string gamma   | int 1                          |
      And a claim "c" with the requests
        | request | alternative | class |
        | r0      | a           | alpha |
        | r0      | b           | beta  |
        | r1      |             | gamma |
      And claim "c" needs matching "dra.example.com/numa" among the requests "r0, r1"
      When allocation of claim "c" is attempted
      Then nothing fits

    @DRA/prioritized-list/with-other-requests @DRA/claim/constraints-limit-devices
    Scenario Outline: A constraint that names an alternative holds for that one only
      Given the devices
        | device | attribute kind | attribute dra.example.com/numa |
        | a1     | string alpha   | int <alpha>                    |
        | b1     | string beta    | int 2                          |
        | g1     | string gamma   | int 1                          |
      And a claim "c" with the requests
        | request | alternative | class |
        | r0      | a           | alpha |
        | r0      | b           | beta  |
        | r1      |             | gamma |
      And claim "c" needs matching "dra.example.com/numa" among the requests "r0/a, r1"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request  | device   |
        | <choice> | <device> |
        | r1       | g1       |

      Examples:
        | alpha | choice | device |
        | 1     | r0/a   | a1     |
        | 0     | r0/b   | b1     |

    @DRA/prioritized-list/with-other-requests @DRA/claim/constraints-limit-devices
    Scenario: A constraint that names two alternatives does not hold where one of them is not taken
      Given the devices
        | device | attribute kind | attribute dra.example.com/numa |
        | a1     | string alpha   | int 0                          |
        | b1     | string beta    | int 1                          |
        | b2     | string beta    | int 2                          |
        | g1     | string gamma   | int 3                          |
      And a claim "c" with the requests
        | request | alternative | class |
        | r0      | a           | alpha |
        | r0      | b           | beta  |
        | r1      | g           | gamma |
        | r1      | b           | beta  |
      And claim "c" needs matching "dra.example.com/numa" among the requests "r0/a, r1/g"
      When allocation of claim "c" is attempted
      Then claim "c" gets one of
        | choice | request | device |
        | 1      | r0/a    | a1     |
        | 1      | r1/b    | b1     |
        | 2      | r0/a    | a1     |
        | 2      | r1/b    | b2     |
        | 3      | r0/b    | b1     |
        | 3      | r1/g    | g1     |
        | 4      | r0/b    | b2     |
        | 4      | r1/g    | g1     |

    @DRA/prioritized-list/with-other-requests @DRA/claim/constraints-limit-devices
    Scenario: A constraint refuses one of all devices of an alternative
      Given the devices
        | device | attribute kind | attribute dra.example.com/numa |
        | a1     | string alpha   | int 0                          |
        | a2     | string alpha   | int 1                          |
        | b1     | string beta    | int 2                          |
      And a claim "c" with the requests
        | request | alternative | class | mode |
        | r0      | all-alpha   | alpha | All  |
        | r0      | one-beta    | beta  |      |
      And claim "c" needs matching "dra.example.com/numa"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request     | device |
        | r0/one-beta | b1     |
      But since Kubernetes 1.33, because releases end in an error when a constraint refuses one of all devices: the allocation ends in an error because of ConstraintUnsatisfied

  Rule: The configuration is that of the alternative that was taken

    Background:
      Given device class "alpha" is configured with "for-alpha"
      And device class "beta" is configured with "for-beta"
      And the devices
        | device | attribute kind |
        | b1     | string beta    |
        | g1     | string gamma   |

    @DRA/prioritized-list/configuration-of-the-chosen
    Scenario: Its class gives the configuration
      Given a claim "c" with the requests
        | request | alternative | class |
        | r0      | a           | alpha |
        | r0      | b           | beta  |
        | r1      |             | gamma |
      When allocation of claim "c" is attempted
      Then claim "c" has the configuration
        | source    | requests | profile  |
        | FromClass | r0/b     | for-beta |

    @DRA/prioritized-list/configuration-of-the-chosen
    Scenario: Configuration of another alternative is left out
      Given a claim "c" with the requests
        | request | alternative | class |
        | r0      | a           | alpha |
        | r0      | b           | beta  |
        | r1      |             | gamma |
      And claim "c" is configured with "only-a" for the requests "r0/a"
      And claim "c" is configured with "only-b" for the requests "r0/b"
      And claim "c" is configured with "either" for the requests "r0"
      When allocation of claim "c" is attempted
      Then claim "c" has the configuration
        | source    | requests | profile  |
        | FromClass | r0/b     | for-beta |
        | FromClaim | r0/b     | only-b   |
        | FromClaim | r0       | either   |

  Rule: A claim may have 32 devices

    Background:
      Given the fixture "forty-devices"

    @DRA/prioritized-list/first-satisfiable-wins
    Scenario Outline: An alternative for more is passed over
      Given a claim "c" with the requests
        | request | alternative | mode   | count   |
        | r0      | many        | <mode> | <count> |
        | r0      | few         |        | 32      |
      When allocation of claim "c" is attempted
      Then claim "c" has the result
        | request |
        | r0/few  |
      And claim "c" gets 32 devices

      Examples:
        | mode       | count |
        | ExactCount | 33    |
        | ExactCount | 40    |
        | All        |       |

    @DRA/prioritized-list/first-satisfiable-wins
    Scenario Outline: No alternative is small enough
      Given a claim "c" with the requests
        | request | alternative | mode   | count   |
        | r0      | many        | <mode> | <count> |
        | r0      | more        |        | 33      |
      When allocation of claim "c" is attempted
      Then nothing is allocated because of ClaimLimitExceeded

      Examples:
        | mode       | count |
        | ExactCount | 40    |
        | All        |       |

    @DRA/prioritized-list/first-satisfiable-wins
    Scenario: Each claim has 32 of its own
      Given a claim "a" with the requests
        | request | alternative | count |
        | r0      | many        | 20    |
        | r0      | few         | 1     |
      And a claim "b" with the requests
        | request | alternative | count |
        | r0      | many        | 20    |
        | r0      | few         | 1     |
      When allocation of the claims "a, b" together is attempted
      Then claim "a" gets 20 devices
      And claim "b" gets 20 devices

    @DRA/prioritized-list/with-other-requests
    Scenario Outline: Two lists share the 32
      Given a claim "c" with the requests
        | request | alternative | count  |
        | r0      | many        | <many> |
        | r0      | few         | <few>  |
        | r1      | many        | <many> |
        | r1      | few         | <few>  |
      When allocation of claim "c" is attempted
      Then claim "c" has the results
        | request     |
        | r0/<first>  |
        | r1/<second> |
      And claim "c" gets <count> devices

      Examples:
        | many | few | first | second | count |
        | 16   | 8   | many  | many   | 32    |
        | 32   | 16  | few   | few    | 32    |
        | 32   | 1   | few   | few    | 2     |

    @DRA/prioritized-list/with-other-requests
    Scenario: The list gives way to a request beside it
      Given a claim "c" with the requests
        | request | alternative | count |
        | r0      | many        | 20    |
        | r0      | few         | 10    |
        | r1      |             | 13    |
      When allocation of claim "c" is attempted
      Then claim "c" has the results
        | request |
        | r0/few  |
        | r1      |
      And claim "c" gets 23 devices

  @profile:kep @profile:until-1.36
  Rule: Without the feature there are no lists

    Background:
      Given the feature gate "DRAPrioritizedList" is off
      And the devices
        | device | attribute kind |
        | a1     | string alpha   |

    @DRA/feature-gate/prioritized-list-components
    Scenario: A claim with a list
      Given a claim "c" with the requests
        | request | alternative | class |
        | r0      | a           | alpha |
        | r0      | b           | beta  |
      When allocation of claim "c" is attempted
      Then nothing is allocated because of FeatureDisabled

    @DRA/feature-gate/prioritized-list-components
    Scenario: A claim without a list
      Given a claim "c" asking 1 device of class "alpha"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | a1     |
