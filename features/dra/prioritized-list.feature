Feature: Prioritized lists
  A request may be a list of subrequests. The first that can be met is taken, whole, and the result says which.

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

  Rule: The first subrequest that can be met is taken

    @DRA/prioritized-list/first-satisfiable-wins @DRA/prioritized-list/chosen-alternative-recorded
    Scenario Outline: Of subrequests for alpha, beta and gamma <choice> is taken when there are <first>, <second> and <third>
      Given the devices
        | device | attribute kind  |
        | d1     | string <first>  |
        | d2     | string <second> |
        | d3     | string <third>  |
      And a claim "c" with the requests
        | request | subrequest  | class |
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
    Scenario: A prioritized list gets nothing when none of its subrequests can be met
      Given the devices
        | device | attribute kind |
        | d1     | string delta   |
        | d2     | string delta   |
      And a claim "c" with the requests
        | request | subrequest  | class |
        | r0      | a           | alpha |
        | r0      | b           | beta  |
        | r0      | c           | gamma |
      When allocation of claim "c" is attempted
      Then nothing fits

    @DRA/prioritized-list/first-satisfiable-wins
    Scenario Outline: A prioritized list of <alpha> alpha or else <beta> beta gets <choice> while <held> and <other> are in use
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
        | request | subrequest  | class | count   |
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
    Scenario Outline: A prioritized list of <alpha> alpha or else <beta> beta gets nothing while <held> and <other> are in use
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
        | request | subrequest  | class | count   |
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
    Scenario Outline: Of eight subrequests <choice> is taken for a device with a memory of <memory>
      Given the devices
        | device | attribute memory |
        | d1     | int <memory>     |
      And a claim "c" with the requests
        | request | subrequest  | selector                                           |
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
    Scenario: A subrequest gets the device that the failed subrequest before it had tried
      Given the devices
        | device | attribute kind |
        | d1     | string alpha   |
        | d2     | string beta    |
        | d3     | string beta    |
      And a claim "c" with the requests
        | request | subrequest  | class | count |
        | r0      | a           | alpha | 2     |
        | r0      | b           |       | 3     |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0/b    | d1     |
        | r0/b    | d2     |
        | r0/b    | d3     |

    @DRA/prioritized-list/first-satisfiable-wins
    Scenario: The selector of a later subrequest is not evaluated when an earlier one is met
      Given the devices
        | device | attribute kind |
        | d1     | string alpha   |
      And a claim "c" with the requests
        | request | subrequest  | class | selector                                               |
        | r0      | a           | alpha |                                                        |
        | r0      | b           |       | device.attributes["dra.example.com"].missing == "lost" |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0/a    | d1     |

    @DRA/prioritized-list/first-satisfiable-wins
    Scenario Outline: On node <node> subrequest <choice> is the first that can be met
      Given a node "left"
      And a node "right"
      And the devices
        | device | node  | pool  | attribute kind |
        | a1     | right | right | string alpha   |
        | b1     | left  | left  | string beta    |
        | b2     | right | right | string beta    |
      And a claim "c" with the requests
        | request | subrequest  | class |
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

  Rule: The example claim of the documentation gets one large black device or else two small white ones

    Background:
      Given the fixture "large-black-or-small-white"

    @DRA/prioritized-list/example-primary @DRA/prioritized-list/chosen-alternative-recorded
    Scenario: A claim for a large black or else two small white devices gets the black one when all are free
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
    Scenario: A claim for a large black or else two small white devices gets the black one if there is no white
      Given the devices
        | device | driver                      | attribute color | attribute size |
        | black  | resource-driver.example.com | string black    | string large   |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request           | device |
        | req-0/large-black | black  |

    @DRA/prioritized-list/example-fallback @DRA/prioritized-list/chosen-alternative-recorded
    Scenario: A claim for a large black or else two small white devices gets two white ones if black is in use
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
    Scenario: A claim for a large black or else two small white devices gets two of three white ones
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
    Scenario: A claim for a large black or else two small white devices gets no small black or large white one
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
    Scenario: A claim for a large black or else two small white devices gets nothing if only one white one is free
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
    Scenario: A claim for a large black or else two small white devices gets nothing if one device of three fits
      Given the devices
        | device      | driver                      | attribute color | attribute size |
        | small-black | resource-driver.example.com | string black    | string small   |
        | large-white | resource-driver.example.com | string white    | string large   |
        | white-1     | resource-driver.example.com | string white    | string small   |
      When allocation of claim "c" is attempted
      Then nothing fits

    @DRA/prioritized-list/example-unsatisfiable
    Scenario: A claim for a large black or else two small white devices gets nothing from another driver
      Given the devices
        | device | driver            | attribute resource-driver.example.com/color | attribute resource-driver.example.com/size |
        | black  | other.example.com | string black                                | string large                               |
      When allocation of claim "c" is attempted
      Then nothing fits

    @DRA/prioritized-list/without-alternative
    Scenario Outline: A claim for just a large black device gets nothing if the black one is <size> and <held> is in use
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
    Scenario: A claim for just a large black device gets it when it is free
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

  Rule: Each subrequest stands for itself

    @DRA/prioritized-list/counts-per-subrequest
    Scenario Outline: From 2 alpha and 1 beta a list of <wanted> <first> or else <less> <next> gets <count> for <choice>
      Given the devices
        | device | attribute kind |
        | a1     | string alpha   |
        | a2     | string alpha   |
        | b1     | string beta    |
      And a claim "c" with the requests
        | request | subrequest  | class   | count    |
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
    Scenario Outline: From 1 alpha and 2 beta a list of <alpha> alpha or else <beta> beta gets nothing
      Given the devices
        | device | attribute kind |
        | a1     | string alpha   |
        | b1     | string beta    |
        | b2     | string beta    |
      And a claim "c" with the requests
        | request | subrequest  | class | count   |
        | r0      | a           | alpha | <alpha> |
        | r0      | b           | beta  | <beta>  |
      When allocation of claim "c" is attempted
      Then nothing fits

      Examples:
        | alpha | beta |
        | 2     | 3    |
        | 3     | 3    |

    @DRA/prioritized-list/counts-per-subrequest
    Scenario: A prioritized list falls back to a subrequest for the same class with another selector
      Given the devices
        | device | attribute kind | attribute memory |
        | d1     | string alpha   | int 16           |
        | d2     | string alpha   | int 40           |
        | d3     | string alpha   | int 40           |
      And claim "other" already holds
        | device |
        | d3     |
      And a claim "c" with the requests
        | request | subrequest  | class | count | selector                                          |
        | r0      | large       | alpha | 2     | device.attributes["dra.example.com"].memory >= 40 |
        | r0      | small       | alpha | 1     | device.attributes["dra.example.com"].memory < 40  |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request  | device |
        | r0/small | d1     |

    @DRA/prioritized-list/counts-per-subrequest
    Scenario Outline: A prioritized list of all alpha or else one beta gets <count> for <choice> while <held> is in use
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
        | request | subrequest  | class | mode |
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
    Scenario: A prioritized list of all alpha or else two beta gets two beta where there is no alpha
      Given the devices
        | device | attribute kind |
        | b1     | string beta    |
        | b2     | string beta    |
      And a claim "c" with the requests
        | request | subrequest  | class | mode | count |
        | r0      | all-alpha   | alpha | All  |       |
        | r0      | two-beta    | beta  |      | 2     |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request     | device |
        | r0/two-beta | b1     |
        | r0/two-beta | b2     |

    @DRA/prioritized-list/counts-per-subrequest
    Scenario: A prioritized list of two alpha or else all beta gets all three beta where there is one alpha
      Given the devices
        | device | attribute kind |
        | a1     | string alpha   |
        | b1     | string beta    |
        | b2     | string beta    |
        | b3     | string beta    |
      And a claim "c" with the requests
        | request | subrequest  | class | mode | count |
        | r0      | two-alpha   | alpha |      | 2     |
        | r0      | all-beta    | beta  | All  |       |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request     | device |
        | r0/all-beta | b1     |
        | r0/all-beta | b2     |
        | r0/all-beta | b3     |
      But until Kubernetes 1.35, because these releases go on with the first subrequest after one device: claim "c" gets exactly
        | request      | device |
        | r0/all-beta  | b1     |
        | r0/two-alpha | a1     |

    @DRA/prioritized-list/counts-per-subrequest
    Scenario: A prioritized list of one alpha or else all beta gets both beta where there is no alpha
      Given the devices
        | device | attribute kind |
        | b1     | string beta    |
        | b2     | string beta    |
      And a claim "c" with the requests
        | request | subrequest  | class | mode |
        | r0      | one-alpha   | alpha |      |
        | r0      | all-beta    | beta  | All  |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request     | device |
        | r0/all-beta | b1     |
        | r0/all-beta | b2     |
      But until Kubernetes 1.35, because these releases go on with the first subrequest after one device: claim "c" gets exactly
        | request     | device |
        | r0/all-beta | b1     |

    @DRA/prioritized-list/counts-per-subrequest
    Scenario: A prioritized list of all alpha or else all beta gets all beta where there is no alpha
      Given the devices
        | device | attribute kind |
        | b1     | string beta    |
        | b2     | string beta    |
      And a claim "c" with the requests
        | request | subrequest  | class | mode |
        | r0      | all-alpha   | alpha | All  |
        | r0      | all-beta    | beta  | All  |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request     | device |
        | r0/all-beta | b1     |
        | r0/all-beta | b2     |
      But until Kubernetes 1.35, because these releases list the devices of the second subrequest with the answers for the first: nothing fits

  Rule: The place in the list decides

    @DRA/prioritized-list/order-not-size-decides
    Scenario Outline: A prioritized list of <many> <first> or else <other> <second> takes its first subrequest
      Given the devices
        | device | attribute kind |
        | a1     | string alpha   |
        | b1     | string beta    |
        | b2     | string beta    |
        | b3     | string beta    |
      And a claim "c" with the requests
        | request | subrequest  | class    | count   |
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
    Scenario: A prioritized list takes its first subrequest, in whatever order the devices are published
      Given the devices
        | device | attribute kind |
        | d1     | string gamma   |
        | d2     | string beta    |
        | d3     | string alpha   |
      And a claim "c" with the requests
        | request | subrequest  | class |
        | r0      | z           | alpha |
        | r0      | y           | beta  |
        | r0      | x           | gamma |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0/z    | d3     |

  Rule: All requests of all claims must be met

    @DRA/prioritized-list/with-other-requests
    Scenario: A prioritized list takes its second subrequest when another request needs the device for the first
      Given the devices
        | device | attribute kind |
        | d1     | string alpha   |
        | d2     | string beta    |
      And a claim "c" with the requests
        | request | subrequest  | class |
        | r0      | a           | alpha |
        | r0      | b           | beta  |
        | r1      |             | alpha |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0/b    | d2     |
        | r1      | d1     |

    @DRA/prioritized-list/with-other-requests
    Scenario: A prioritized list takes its second subrequest when another claim needs the device for the first
      Given the devices
        | device | attribute kind |
        | d1     | string alpha   |
        | d2     | string beta    |
      And a claim "a" with the requests
        | request | subrequest  | class |
        | r0      | a           | alpha |
        | r0      | b           | beta  |
      And a claim "b" requesting 1 device of class "alpha"
      When allocation of the claims "a, b" together is attempted
      Then claim "a" gets exactly
        | request | device |
        | r0/b    | d2     |
      And claim "b" gets exactly
        | request | device |
        | r0      | d1     |

    @DRA/prioritized-list/with-other-requests
    Scenario: One of two lists takes its second subrequest when both need one device for the first
      Given the devices
        | device | attribute kind |
        | d1     | string alpha   |
        | d2     | string beta    |
        | d3     | string gamma   |
      And a claim "c" with the requests
        | request | subrequest  | class |
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
    Scenario: Of two claims with the same list the one allocated first takes the first subrequest
      Given the devices
        | device | attribute kind |
        | large  | string alpha   |
        | small  | string beta    |
      And a claim "a" with the requests
        | request | subrequest  | class |
        | r0      | large       | alpha |
        | r0      | small       | beta  |
      And a claim "b" with the requests
        | request | subrequest  | class |
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
    Scenario: Two lists take their second subrequests when a request after them needs the device for the first
      Given the devices
        | device | attribute kind |
        | d1     | string alpha   |
        | d2     | string beta    |
        | d3     | string gamma   |
      And a claim "c" with the requests
        | request | subrequest  | class |
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
    Scenario: Three lists get the only combination of subrequests that has a device for each
      Given the devices
        | device | attribute kind |
        | d1     | string alpha   |
        | d2     | string beta    |
        | d3     | string gamma   |
      And a claim "c" with the requests
        | request | subrequest  | class |
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
    Scenario: Three lists that need the same two devices get nothing
      Given the devices
        | device | attribute kind |
        | d1     | string alpha   |
        | d2     | string beta    |
        | d3     | string gamma   |
      And a claim "c" with the requests
        | request | subrequest  | class |
        | r0      | a           | alpha |
        | r0      | b           | beta  |
        | r1      | b           | beta  |
        | r1      | a           | alpha |
        | r2      | a           | alpha |
        | r2      | b           | beta  |
      When allocation of claim "c" is attempted
      Then nothing fits

    @DRA/prioritized-list/with-other-requests
    Scenario: A claim with two lists gets nothing when every combination of subrequests lacks a device
      Given the devices
        | device | attribute kind |
        | d1     | string alpha   |
        | d2     | string beta    |
      And a claim "c" with the requests
        | request | subrequest  | class |
        | r0      | a           | alpha |
        | r0      | b           | beta  |
        | r1      | b           | beta  |
        | r1      | a           | alpha |
        | r2      |             | alpha |
      When allocation of claim "c" is attempted
      Then nothing fits

    @DRA/prioritized-list/with-other-requests
    Scenario: A prioritized list takes its last subrequest when earlier ones leave too few for another request
      Given the devices
        | device | attribute kind |
        | a1     | string alpha   |
        | a2     | string alpha   |
        | a3     | string alpha   |
        | b1     | string beta    |
      And a claim "c" with the requests
        | request | subrequest  | class | count |
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
    Scenario: A prioritized list takes one device when a subrequest for all devices leaves none for another request
      Given the devices
        | device | attribute kind |
        | a1     | string alpha   |
        | a2     | string alpha   |
        | b1     | string beta    |
      And a claim "c" with the requests
        | request | subrequest  | class | mode |
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
    Scenario: A prioritized list takes the subrequest that meets a constraint that names its request
      Given the devices
        | device | attribute kind | attribute dra.example.com/numa |
        | a1     | string alpha   | int 0                          |
        | b1     | string beta    | int 1                          |
        | g1     | string gamma   | int 1                          |
      And a claim "c" with the requests
        | request | subrequest  | class |
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
    Scenario: A prioritized list gets nothing when a constraint that names its request refuses every subrequest
      Given the devices
        | device | attribute kind | attribute dra.example.com/numa |
        | a1     | string alpha   | int 0                          |
        | b1     | string beta    | int 2                          |
        | g1     | string gamma   | int 1                          |
      And a claim "c" with the requests
        | request | subrequest  | class |
        | r0      | a           | alpha |
        | r0      | b           | beta  |
        | r1      |             | gamma |
      And claim "c" needs matching "dra.example.com/numa" among the requests "r0, r1"
      When allocation of claim "c" is attempted
      Then nothing fits

    @DRA/prioritized-list/with-other-requests @DRA/claim/constraints-limit-devices
    Scenario Outline: With a constraint on r0/a subrequest <choice> is taken when numa is <alpha> and has to be 1
      Given the devices
        | device | attribute kind | attribute dra.example.com/numa |
        | a1     | string alpha   | int <alpha>                    |
        | b1     | string beta    | int 2                          |
        | g1     | string gamma   | int 1                          |
      And a claim "c" with the requests
        | request | subrequest  | class |
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
    Scenario: A constraint that names two subrequests does not hold when one of them is not taken
      Given the devices
        | device | attribute kind | attribute dra.example.com/numa |
        | a1     | string alpha   | int 0                          |
        | b1     | string beta    | int 1                          |
        | b2     | string beta    | int 2                          |
        | g1     | string gamma   | int 3                          |
      And a claim "c" with the requests
        | request | subrequest  | class |
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
    Scenario: A prioritized list takes its second subrequest when a constraint refuses one of all devices for the first
      Given the devices
        | device | attribute kind | attribute dra.example.com/numa |
        | a1     | string alpha   | int 0                          |
        | a2     | string alpha   | int 1                          |
        | b1     | string beta    | int 2                          |
      And a claim "c" with the requests
        | request | subrequest  | class | mode |
        | r0      | all-alpha   | alpha | All  |
        | r0      | one-beta    | beta  |      |
      And claim "c" needs matching "dra.example.com/numa"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request     | device |
        | r0/one-beta | b1     |
      But since Kubernetes 1.33, because releases end in an error when a constraint refuses one of all devices: the allocation ends in an error because of ConstraintUnsatisfied

  Rule: The configuration is that of the subrequest that was taken

    Background:
      Given device class "alpha" is configured with "for-alpha"
      And device class "beta" is configured with "for-beta"
      And the devices
        | device | attribute kind |
        | b1     | string beta    |
        | g1     | string gamma   |

    @DRA/prioritized-list/configuration-of-the-chosen
    Scenario: The allocation has the configuration of the class of the subrequest that was taken
      Given a claim "c" with the requests
        | request | subrequest  | class |
        | r0      | a           | alpha |
        | r0      | b           | beta  |
        | r1      |             | gamma |
      When allocation of claim "c" is attempted
      Then claim "c" has the configuration
        | source    | requests | profile  |
        | FromClass | r0/b     | for-beta |

    @DRA/prioritized-list/configuration-of-the-chosen
    Scenario: The allocation leaves out configuration for a subrequest that was not taken
      Given a claim "c" with the requests
        | request | subrequest  | class |
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

  Rule: A claim may have 32 devices in releases

    Background:
      Given the fixture "forty-devices"

    @DRA/prioritized-list/first-satisfiable-wins @profile:since-1.34
    Scenario Outline: A subrequest for <what> is passed over because a claim may have at most 32
      Given a claim "c" with the requests
        | request | subrequest  | mode   | count   |
        | r0      | many        | <mode> | <count> |
        | r0      | few         |        | 32      |
      When allocation of claim "c" is attempted
      Then claim "c" has the result
        | request |
        | r0/few  |
      And claim "c" gets 32 devices

      Examples:
        | what           | mode       | count |
        | 33 devices     | ExactCount | 33    |
        | 40 devices     | ExactCount | 40    |
        | all 40 devices | All        |       |

    @DRA/prioritized-list/first-satisfiable-wins @profile:since-1.34
    Scenario Outline: A prioritized list of <what> or else 33 gets nothing because a claim may have at most 32
      Given a claim "c" with the requests
        | request | subrequest  | mode   | count   |
        | r0      | many        | <mode> | <count> |
        | r0      | more        |        | 33      |
      When allocation of claim "c" is attempted
      Then nothing is allocated because of ClaimLimitExceeded

      Examples:
        | what           | mode       | count |
        | 40 devices     | ExactCount | 40    |
        | all 40 devices | All        |       |

    @DRA/prioritized-list/first-satisfiable-wins
    Scenario: Two claims get 20 devices each because the limit of 32 devices is one for each claim
      Given a claim "a" with the requests
        | request | subrequest  | count |
        | r0      | many        | 20    |
        | r0      | few         | 1     |
      And a claim "b" with the requests
        | request | subrequest  | count |
        | r0      | many        | 20    |
        | r0      | few         | 1     |
      When allocation of the claims "a, b" together is attempted
      Then claim "a" gets 20 devices
      And claim "b" gets 20 devices

    @DRA/prioritized-list/with-other-requests
    Scenario Outline: Two lists for <many> or else <few> in one claim get <count> devices together
      Given a claim "c" with the requests
        | request | subrequest  | count  |
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

      @profile:since-1.34
      Examples:
        | many | few | first | second | count |
        | 32   | 16  | few   | few    | 32    |
        | 32   | 1   | few   | few    | 2     |

    @DRA/prioritized-list/with-other-requests @profile:since-1.34
    Scenario: A prioritized list takes 10 and not 20 devices beside a request for 13 of at most 32
      Given a claim "c" with the requests
        | request | subrequest  | count |
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

    @DRA/feature-gate/alpha-features-off-by-default
    Scenario: A claim with a prioritized list gets nothing while DRAPrioritizedList is off
      Given a claim "c" with the requests
        | request | subrequest  | class |
        | r0      | a           | alpha |
        | r0      | b           | beta  |
      When allocation of claim "c" is attempted
      Then nothing is allocated because of FeatureDisabled

    @DRA/claim/requests-select-from-class
    Scenario: A claim without a prioritized list gets a device while DRAPrioritizedList is off
      Given a claim "c" requesting 1 device of class "alpha"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | r0      | a1     |

  Rule: A class that is missing

    @DRA/class/required-and-existing @profile:since-1.34
    Scenario: Releases refuse a pod before any node is looked at when one of its alternatives names a missing class
      Given the device
        | device | attribute kind |
        | d1     | string alpha   |
      And a claim "c" with the requests
        | request | subrequest | class   |
        | r0      | first      | alpha   |
        | r0      | second     | missing |
      And a pod "p" that uses claim "c"
      When pod "p" is tried
      Then PreFilter ends with UnschedulableAndUnresolvable
      And Filter is not reached
