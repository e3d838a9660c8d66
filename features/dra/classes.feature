Feature: Device classes
  A device class is a category of devices. Its selectors say which devices belong to it, whatever driver or pool
  they come from.

  Rule: The selectors of a class limit the devices

    @DRA/class/selects-by-attributes
    Scenario: A class of one driver
      Given the devices
        | device | driver                      | pool |
        | cat-1  | other.example.com           | cats |
        | cat-1  | resource-driver.example.com | cats |
      And a device class "cat" that selects
        """
        device.driver == "resource-driver.example.com"
        """
      And a claim "c" asking 1 device of class "cat"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | driver                      |
        | cat-1  | resource-driver.example.com |

    @DRA/class/selects-by-attributes
    Scenario: A class of a driver without devices
      Given the devices
        | device | driver            | pool |
        | cat-1  | other.example.com | cats |
      And a device class "cat" that selects
        """
        device.driver == "resource-driver.example.com"
        """
      And a claim "c" asking 1 device of class "cat"
      When allocation of claim "c" is attempted
      Then nothing fits because of SelectorNotMatched

    @DRA/class/selects-by-attributes
    Scenario Outline: A class of one color
      Given the devices
        | device | attribute color |
        | cat-1  | string white    |
        | cat-2  | string black    |
        | cat-3  | string white    |
      And a device class "black" that selects
        """
        device.attributes["dra.example.com"].color == "black"
        """
      And a claim "c" asking <what> of class "black"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | cat-2  |

      Examples:
        | what        |
        | 1 device    |
        | all devices |

    @DRA/class/selects-by-attributes
    Scenario: Devices outside the class do not fill up a count
      Given the devices
        | device | attribute color |
        | cat-1  | string white    |
        | cat-2  | string black    |
        | cat-3  | string white    |
      And a device class "black" that selects
        """
        device.attributes["dra.example.com"].color == "black"
        """
      And a claim "c" asking 2 devices of class "black"
      When allocation of claim "c" is attempted
      Then nothing fits

    @DRA/class/selects-by-attributes
    Scenario: Two classes in one claim
      Given the devices
        | device | attribute color |
        | cat-1  | string white    |
        | cat-2  | string black    |
      And a device class "black" that selects
        """
        device.attributes["dra.example.com"].color == "black"
        """
      And a device class "white" that selects
        """
        device.attributes["dra.example.com"].color == "white"
        """
      And a claim "c" with the requests
        | request | class |
        | dark    | black |
        | light   | white |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | dark    | cat-2  |
        | light   | cat-1  |

    @DRA/class/selects-by-attributes
    Scenario: Every selector of a class counts
      Given the devices
        | device | attribute color | attribute size |
        | cat-1  | string black    | string small   |
        | cat-2  | string white    | string large   |
      And the objects
        """
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: large-black}
        spec:
          selectors:
            - cel: {expression: 'device.attributes["dra.example.com"].color == "black"'}
            - cel: {expression: 'device.attributes["dra.example.com"].size == "large"'}
        """
      And a claim "c" asking 1 device of class "large-black"
      When allocation of claim "c" is attempted
      Then nothing fits because of SelectorNotMatched

  Rule: A class may have no, one or many devices

    @DRA/class/zero-or-more-devices
    Scenario: A class without devices serves no claim
      Given the devices
        | device | attribute color |
        | cat-1  | string white    |
        | cat-2  | string white    |
        | cat-3  | string white    |
      And a device class "black" that selects
        """
        device.attributes["dra.example.com"].color == "black"
        """
      And a claim "c" asking 1 device of class "black"
      When allocation of claim "c" is attempted
      Then nothing fits

    @DRA/class/zero-or-more-devices
    Scenario: A class without devices does not disturb others
      Given the devices
        | device | attribute color |
        | cat-1  | string white    |
      And a device class "black" that selects
        """
        device.attributes["dra.example.com"].color == "black"
        """
      And a device class "white" that selects
        """
        device.attributes["dra.example.com"].color == "white"
        """
      And a claim "c" asking 1 device of class "white"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | cat-1  |

    @DRA/class/zero-or-more-devices
    Scenario Outline: A class of three devices serves claims for up to three
      Given the devices
        | device | attribute color |
        | cat-1  | string black    |
        | cat-2  | string black    |
        | cat-3  | string black    |
      And a device class "black" that selects
        """
        device.attributes["dra.example.com"].color == "black"
        """
      And a claim "c" asking <count> of class "black"
      When allocation of claim "c" is attempted
      Then claim "c" gets <got> devices

      Examples:
        | count     | got |
        | 1 device  | 1   |
        | 3 devices | 3   |

    @DRA/class/required-and-existing
    Scenario: A class that does not exist
      Given the devices
        | device |
        | cat-1  |
      And a claim "c" asking 1 device of class "nosuch"
      When allocation of claim "c" is attempted
      Then nothing is allocated because of ClassNotFound
      But since Kubernetes 1.34, because releases end in an error when a class is missing: the allocation ends in an error because of ClassNotFound

    @DRA/class/required-and-existing
    Scenario: A class that does not exist stands in the way of the other requests as well
      Given the devices
        | device |
        | cat-1  |
        | cat-2  |
      And a claim "c" with the requests
        | request | class  |
        | r0      |        |
        | r1      | nosuch |
      When allocation of claim "c" is attempted
      Then nothing is allocated because of ClassNotFound
      But since Kubernetes 1.34, because releases end in an error when a class is missing: the allocation ends in an error because of ClassNotFound

  Rule: A class spans pools and drivers

    @DRA/class/spans-pools-and-drivers
    Scenario: Devices of two drivers and three pools belong to one class
      Given the devices
        | device | driver    | pool | attribute example.org/color |
        | cat-1  | a.example | p1   | string black                |
        | cat-1  | a.example | p2   | string black                |
        | cat-1  | b.example | p1   | string black                |
      And a device class "black" that selects
        """
        device.attributes["example.org"].color == "black"
        """
      And a claim "c" asking 3 devices of class "black"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | driver    | pool |
        | cat-1  | a.example | p1   |
        | cat-1  | a.example | p2   |
        | cat-1  | b.example | p1   |

    @DRA/class/spans-pools-and-drivers
    Scenario: There are only so many in all pools
      Given the devices
        | device | driver    | pool | attribute example.org/color |
        | cat-1  | a.example | p1   | string black                |
        | cat-1  | a.example | p2   | string white                |
        | cat-1  | b.example | p1   | string black                |
      And a device class "black" that selects
        """
        device.attributes["example.org"].color == "black"
        """
      And a claim "c" asking 3 devices of class "black"
      When allocation of claim "c" is attempted
      Then nothing fits

    @DRA/class/spans-pools-and-drivers
    Scenario Outline: The device may be of another driver on another node
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | driver    | pool   | node   | attribute example.org/color |
        | cat-1  | a.example | node-1 | node-1 | string black                |
        | cat-2  | b.example | node-2 | node-2 | string black                |
      And a device class "black" that selects
        """
        device.attributes["example.org"].color == "black"
        """
      And a claim "c" asking 1 device of class "black"
      When allocation of claim "c" on node "<node>" is attempted
      Then claim "c" gets exactly
        | device   | driver   |
        | <device> | <driver> |

      Examples:
        | node   | device | driver    |
        | node-1 | cat-1  | a.example |
        | node-2 | cat-2  | b.example |

    @DRA/class/spans-pools-and-drivers
    Scenario: A class without selectors has every device
      Given the devices
        | device | driver    | pool | attribute color |
        | cat-1  | a.example | p1   | string black    |
        | dog-1  | b.example | p2   |                 |
      And a device class "pet"
      And a claim "c" asking all devices of class "pet"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | cat-1  |
        | dog-1  |

  Rule: A request chooses within its class

    @DRA/class/claim-narrows-class
    Scenario: Class and request each leave out devices
      Given the devices
        | device | attribute color | attribute size |
        | cat-1  | string black    | string small   |
        | cat-2  | string white    | string large   |
        | cat-3  | string black    | string large   |
      And a device class "black" that selects
        """
        device.attributes["dra.example.com"].color == "black"
        """
      And a claim "c" with the requests
        | request | class | selector                                             |
        | r0      | black | device.attributes["dra.example.com"].size == "large" |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | cat-3  |

    @DRA/class/claim-narrows-class
    Scenario: A request cannot reach outside its class
      Given the devices
        | device | attribute color |
        | cat-1  | string black    |
        | cat-2  | string white    |
      And a device class "black" that selects
        """
        device.attributes["dra.example.com"].color == "black"
        """
      And a claim "c" with the requests
        | request | class | selector                                              |
        | r0      | black | device.attributes["dra.example.com"].color == "white" |
      When allocation of claim "c" is attempted
      Then nothing fits because of SelectorNotMatched

    @DRA/class/claim-narrows-class
    Scenario: A selector that is always true does not widen the class
      Given the devices
        | device | attribute color |
        | cat-2  | string white    |
      And a device class "black" that selects
        """
        device.attributes["dra.example.com"].color == "black"
        """
      And a claim "c" with the requests
        | request | class | selector |
        | r0      | black | true     |
      When allocation of claim "c" is attempted
      Then nothing fits

    @DRA/class/claim-narrows-class
    Scenario: Requests of one class each narrow it in their own way
      Given the devices
        | device | attribute color | attribute size |
        | cat-1  | string black    | string small   |
        | cat-2  | string white    | string large   |
        | cat-3  | string black    | string large   |
      And a device class "black" that selects
        """
        device.attributes["dra.example.com"].color == "black"
        """
      And a claim "c" with the requests
        | request | class | selector                                             |
        | any     | black |                                                      |
        | big     | black | device.attributes["dra.example.com"].size == "large" |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | request | device |
        | any     | cat-1  |
        | big     | cat-3  |
