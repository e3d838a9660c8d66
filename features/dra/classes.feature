Feature: Device classes
  A device class is a category of devices. Its selectors say which devices belong to it, whatever driver or pool
  they come from.

  Rule: The selectors of a class limit the devices

    @DRA/class/selects-by-attributes
    Scenario: A claim for a class that selects one driver gets a device of that driver
      Given the devices
        | device | driver                      | pool |
        | cat-1  | other.example.com           | cats |
        | cat-1  | resource-driver.example.com | cats |
      And a device class "cat" that selects
        """
        device.driver == "resource-driver.example.com"
        """
      And a claim "c" requesting 1 device of class "cat"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | driver                      |
        | cat-1  | resource-driver.example.com |

    @DRA/class/selects-by-attributes
    Scenario: A claim for a class that selects a driver without devices gets nothing
      Given the devices
        | device | driver            | pool |
        | cat-1  | other.example.com | cats |
      And a device class "cat" that selects
        """
        device.driver == "resource-driver.example.com"
        """
      And a claim "c" requesting 1 device of class "cat"
      When allocation of claim "c" is attempted
      Then nothing fits because of SelectorNotMatched

    @DRA/class/selects-by-attributes
    Scenario Outline: A claim for <what> of a class that selects one color gets the only device of that color
      Given the devices
        | device | attribute color |
        | cat-1  | string white    |
        | cat-2  | string black    |
        | cat-3  | string white    |
      And a device class "black" that selects
        """
        device.attributes["dra.example.com"].color == "black"
        """
      And a claim "c" requesting <what> of class "black"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | cat-2  |

      Examples:
        | what        |
        | 1 device    |
        | all devices |

    @DRA/class/selects-by-attributes
    Scenario: A claim for two devices gets nothing when only one of three devices is in its class
      Given the devices
        | device | attribute color |
        | cat-1  | string white    |
        | cat-2  | string black    |
        | cat-3  | string white    |
      And a device class "black" that selects
        """
        device.attributes["dra.example.com"].color == "black"
        """
      And a claim "c" requesting 2 devices of class "black"
      When allocation of claim "c" is attempted
      Then nothing fits

    @DRA/class/selects-by-attributes
    Scenario: Two requests of one claim each get a device of their own class
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
    Scenario: A claim for a class with two selectors gets no device that meets only one of them
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
      And a claim "c" requesting 1 device of class "large-black"
      When allocation of claim "c" is attempted
      Then nothing fits because of SelectorNotMatched

  Rule: A class may have no, one or many devices

    @DRA/class/zero-or-more-devices
    Scenario: A claim for a class without devices gets nothing
      Given the devices
        | device | attribute color |
        | cat-1  | string white    |
        | cat-2  | string white    |
        | cat-3  | string white    |
      And a device class "black" that selects
        """
        device.attributes["dra.example.com"].color == "black"
        """
      And a claim "c" requesting 1 device of class "black"
      When allocation of claim "c" is attempted
      Then nothing fits

    @DRA/class/zero-or-more-devices
    Scenario: A claim gets a device of its class while another class has no devices
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
      And a claim "c" requesting 1 device of class "white"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | cat-1  |

    @DRA/class/zero-or-more-devices
    Scenario Outline: A claim for <count> of a class that has three is allocated
      Given the devices
        | device | attribute color |
        | cat-1  | string black    |
        | cat-2  | string black    |
        | cat-3  | string black    |
      And a device class "black" that selects
        """
        device.attributes["dra.example.com"].color == "black"
        """
      And a claim "c" requesting <count> of class "black"
      When allocation of claim "c" is attempted
      Then claim "c" gets <got> devices

      Examples:
        | count     | got |
        | 1 device  | 1   |
        | 3 devices | 3   |

    @DRA/class/required-and-existing
    Scenario: A claim for a class that does not exist gets nothing
      Given the devices
        | device |
        | cat-1  |
      And a claim "c" requesting 1 device of class "nosuch"
      When allocation of claim "c" is attempted
      Then nothing is allocated because of ClassNotFound
      But since Kubernetes 1.34, because releases end in an error when a class is missing: the allocation ends in an error because of ClassNotFound

    @DRA/class/required-and-existing
    Scenario: A claim gets nothing when one of its two requests names a class that does not exist
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

    @DRA/class/required-and-existing @DRA/prioritized-list/first-satisfiable-wins
    Scenario: An alternative that names a class that does not exist, behind one that can be had, does no harm
      Given the devices
        | device |
        | cat-1  |
      And a claim "c" with the requests
        | request | subrequest | class  |
        | r0      | first      |        |
        | r0      | second     | nosuch |
      When allocation of claim "c" is attempted
      Then claim "c" has the result
        | request  | device |
        | r0/first | cat-1  |
      And it may also be refused
      But since Kubernetes 1.33, because releases end in an error when a class is missing: the allocation ends in an error because of ClassNotFound

    @DRA/class/required-and-existing @DRA/prioritized-list/first-satisfiable-wins
    Scenario: An alternative that names a class that does not exist cannot be met
      Given the devices
        | device |
        | cat-1  |
      And a claim "c" with the requests
        | request | subrequest | class  |
        | r0      | first      | nosuch |
        | r0      | second     |        |
      When allocation of claim "c" is attempted
      Then claim "c" has the result
        | request   | device |
        | r0/second | cat-1  |
      And it may also be refused
      But since Kubernetes 1.33, because releases end in an error when a class is missing: the allocation ends in an error because of ClassNotFound

  Rule: A class spans pools and drivers

    @DRA/class/spans-pools-and-drivers
    Scenario: A claim gets devices of one class from two drivers and three pools
      Given the devices
        | device | driver    | pool | attribute example.org/color |
        | cat-1  | a.example | p1   | string black                |
        | cat-1  | a.example | p2   | string black                |
        | cat-1  | b.example | p1   | string black                |
      And a device class "black" that selects
        """
        device.attributes["example.org"].color == "black"
        """
      And a claim "c" requesting 3 devices of class "black"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | driver    | pool |
        | cat-1  | a.example | p1   |
        | cat-1  | a.example | p2   |
        | cat-1  | b.example | p1   |

    @DRA/class/spans-pools-and-drivers
    Scenario: A claim for three devices gets nothing when its class has two in all pools
      Given the devices
        | device | driver    | pool | attribute example.org/color |
        | cat-1  | a.example | p1   | string black                |
        | cat-1  | a.example | p2   | string white                |
        | cat-1  | b.example | p1   | string black                |
      And a device class "black" that selects
        """
        device.attributes["example.org"].color == "black"
        """
      And a claim "c" requesting 3 devices of class "black"
      When allocation of claim "c" is attempted
      Then nothing fits

    @DRA/class/spans-pools-and-drivers
    Scenario Outline: A claim for a class gets a device of driver <driver> on <node>
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
      And a claim "c" requesting 1 device of class "black"
      When allocation of claim "c" on node "<node>" is attempted
      Then claim "c" gets exactly
        | device   | driver   |
        | <device> | <driver> |

      Examples:
        | node   | device | driver    |
        | node-1 | cat-1  | a.example |
        | node-2 | cat-2  | b.example |

    @DRA/class/spans-pools-and-drivers
    Scenario: A claim for all devices of a class without selectors gets every device
      Given the devices
        | device | driver    | pool | attribute color |
        | cat-1  | a.example | p1   | string black    |
        | dog-1  | b.example | p2   |                 |
      And a device class "pet"
      And a claim "c" requesting all devices of class "pet"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | cat-1  |
        | dog-1  |

  Rule: A request chooses within its class

    @DRA/class/claim-narrows-class
    Scenario: A request gets the device that both its class and its own selector match
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
    Scenario: A request does not get a device outside its class that its own selector matches
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
    Scenario: A selector that is always true does not widen the class of a request
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
    Scenario: A request without a selector leaves the large device to a request of the same class that selects it
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

  Rule: A class is what it says now

    Background:
      Given the device
        | device | attribute color |
        | cat-1  | string black    |
      And a claim "c" requesting 1 device of class "cat"

    @DRA/class/selects-by-attributes
    Scenario: A claim for a class that selects white gets no black device
      Given a device class "cat" that selects
        """
        device.attributes["dra.example.com"].color == "white"
        """
      When allocation of claim "c" is attempted
      Then nothing fits because of SelectorNotMatched

    @DRA/class/selects-by-attributes
    Scenario: The same claim gets the black device where the class of that name selects black
      Given a device class "cat" that selects
        """
        device.attributes["dra.example.com"].color == "black"
        """
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | cat-1  |
