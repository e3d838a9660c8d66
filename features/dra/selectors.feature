Feature: Selectors
  Classes and requests filter devices with CEL expressions over what the slices say of a device.

  Rule: Selectors filter devices by their attributes

    @DRA/selector/cel-on-attributes
    Scenario: An attribute without a domain is found in the domain of the driver
      Given the devices
        | device | driver                      | attribute color |
        | cat-1  | resource-driver.example.com | string white    |
        | cat-2  | resource-driver.example.com | string black    |
      And a claim "c" with the requests
        | request | selector                                                          |
        | r0      | device.attributes["resource-driver.example.com"].color == "black" |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | cat-2  |

    @DRA/selector/cel-on-attributes
    Scenario: An attribute without a domain is not found in a domain that is not the driver's
      Given the devices
        | device | driver                      | attribute color |
        | cat-1  | resource-driver.example.com | string black    |
      And a claim "c" with the requests
        | request | selector                                                |
        | r0      | device.attributes["other.example.com"].color == "black" |
      When allocation of claim "c" is attempted
      Then nothing is allocated
      But since Kubernetes 1.34, because releases end in an error for a selector that asks for a missing attribute: the allocation ends in an error because of SelectorRuntimeError

    @DRA/selector/cel-on-attributes
    Scenario: A selector that asks whether there is an attribute gets a device that has it
      Given the devices
        | device | driver    | pool | attribute color |
        | cat-1  | a.example | p1   | string black    |
        | cat-2  | b.example | p2   | string black    |
      And a claim "c" with the requests
        | request | selector                                                                                     |
        | r0      | "color" in device.attributes["b.example"] && device.attributes["b.example"].color == "black" |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | cat-2  |

    @DRA/selector/cel-on-attributes
    Scenario: An attribute is found in the domain of the driver whether it is published with the domain or without
      Given the devices
        | device | attribute color | attribute dra.example.com/size |
        | cat-1  | string black    | string large                   |
      And a claim "c" with the requests
        | request | selector                                                                                                      |
        | r0      | device.attributes["dra.example.com"].color == "black" && device.attributes["dra.example.com"].size == "large" |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | cat-1  |

    @DRA/selector/cel-on-attributes
    Scenario: An attribute of a common domain selects devices of two drivers
      Given the devices
        | device | driver    | pool | attribute example.org/numa |
        | gpu-0  | a.example | p1   | int 0                      |
        | gpu-1  | a.example | p1   | int 1                      |
        | nic-1  | b.example | p2   | int 1                      |
      And a claim "c" with the requests
        | request | mode | selector                                   |
        | r0      | All  | device.attributes["example.org"].numa == 1 |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | driver    |
        | gpu-1  | a.example |
        | nic-1  | b.example |

    @DRA/selector/cel-on-attributes
    Scenario: A selector on the driver gets a device of that driver
      Given the devices
        | device | driver    | pool |
        | cat-1  | a.example | p1   |
        | cat-1  | b.example | p1   |
      And a claim "c" with the requests
        | request | selector                     |
        | r0      | device.driver == "b.example" |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | driver    |
        | cat-1  | b.example |

  Rule: Selectors filter devices by their capacity

    @DRA/selector/cel-on-capacity
    Scenario: A selector on capacity gets the device with enough memory
      Given the devices
        | device | capacity memory |
        | gpu-40 | 40Gi            |
        | gpu-80 | 80Gi            |
      And a claim "c" with the requests
        | request | selector                                                                   |
        | r0      | device.capacity["dra.example.com"].memory.compareTo(quantity("64Gi")) >= 0 |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | gpu-80 |

    @DRA/selector/cel-on-capacity
    Scenario: A selector on capacity gets nothing when no device has enough memory
      Given the devices
        | device | capacity memory |
        | gpu-40 | 40Gi            |
        | gpu-80 | 80Gi            |
      And a claim "c" with the requests
        | request | selector                                                                    |
        | r0      | device.capacity["dra.example.com"].memory.compareTo(quantity("100Gi")) >= 0 |
      When allocation of claim "c" is attempted
      Then nothing fits because of SelectorNotMatched

    @DRA/selector/cel-on-capacity
    Scenario: A selector on capacity does not add up the memory of two devices
      Given the devices
        | device   | capacity memory |
        | gpu-40-a | 40Gi            |
        | gpu-40-b | 40Gi            |
      And a claim "c" with the requests
        | request | count | selector                                                                   |
        | r0      | 2     | device.capacity["dra.example.com"].memory.compareTo(quantity("64Gi")) >= 0 |
      When allocation of claim "c" is attempted
      Then nothing fits because of SelectorNotMatched

  Rule: All selectors must hold

    @DRA/selector/all-must-hold
    Scenario: A request with two selectors gets the device that meets both
      Given the devices
        | device | attribute color | attribute size |
        | cat-1  | string black    | string small   |
        | cat-2  | string white    | string large   |
        | cat-3  | string black    | string large   |
      And the objects
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: c}
        spec:
          devices:
            requests:
              - name: r0
                exactly:
                  deviceClassName: cat
                  selectors:
                    - cel: {expression: 'device.attributes["dra.example.com"].color == "black"'}
                    - cel: {expression: 'device.attributes["dra.example.com"].size == "large"'}
        """
      And a device class "cat"
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | cat-3  |

    @DRA/selector/all-must-hold
    Scenario: A request with two selectors gets nothing when no device meets both
      Given the devices
        | device | attribute color | attribute size |
        | cat-1  | string black    | string small   |
        | cat-2  | string white    | string large   |
      And the objects
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: c}
        spec:
          devices:
            requests:
              - name: r0
                exactly:
                  deviceClassName: cat
                  selectors:
                    - cel: {expression: 'device.attributes["dra.example.com"].color == "black"'}
                    - cel: {expression: 'device.attributes["dra.example.com"].size == "large"'}
        """
      And a device class "cat"
      When allocation of claim "c" is attempted
      Then nothing fits because of SelectorNotMatched

    @DRA/selector/all-must-hold
    Scenario: A request with a selector gets the device that meets it and both selectors of the class
      Given the devices
        | device | attribute color | attribute size | attribute age |
        | cat-1  | string black    | string large   | int 3         |
        | cat-2  | string black    | string small   | int 9         |
        | cat-3  | string white    | string large   | int 9         |
        | cat-4  | string black    | string large   | int 9         |
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
      And a claim "c" with the requests
        | request | class       | mode | selector                                      |
        | r0      | large-black | All  | device.attributes["dra.example.com"].age >= 9 |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | cat-4  |

    @DRA/selector/all-must-hold
    Scenario: A selector after one that is false is not evaluated
      Given the devices
        | device | attribute color |
        | cat-1  | string white    |
      And the objects
        """
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: old}
        spec:
          selectors:
            - cel: {expression: '"age" in device.attributes["dra.example.com"]'}
            - cel: {expression: 'device.attributes["dra.example.com"].age >= 9'}
        """
      And a claim "c" requesting 1 device of class "old"
      When allocation of claim "c" is attempted
      Then nothing fits because of SelectorNotMatched

    @DRA/selector/no-match-is-unschedulable
    Scenario: A request for a large black device gets nothing when there are only small white ones
      Given the devices
        | device | attribute color | attribute size |
        | cat-1  | string white    | string small   |
        | cat-2  | string white    | string small   |
      And a claim "c" with the requests
        | request | selector                                                                                                      |
        | r0      | device.attributes["dra.example.com"].color == "black" && device.attributes["dra.example.com"].size == "large" |
      When allocation of claim "c" is attempted
      Then nothing fits because of SelectorNotMatched

    @DRA/selector/no-match-is-unschedulable
    Scenario: A request gets nothing while the only device that its selector matches is in use
      Given the devices
        | device | attribute color |
        | cat-1  | string black    |
        | cat-2  | string white    |
      And claim "other" already holds
        | device |
        | cat-1  |
      And a claim "c" with the requests
        | request | selector                                              |
        | r0      | device.attributes["dra.example.com"].color == "black" |
      When allocation of claim "c" is attempted
      Then nothing fits

    @DRA/selector/no-match-is-unschedulable
    Scenario: A request gets the free one of two devices that its selector matches
      Given the devices
        | device | attribute color |
        | cat-1  | string black    |
        | cat-2  | string white    |
        | cat-3  | string black    |
      And claim "other" already holds
        | device |
        | cat-1  |
      And a claim "c" with the requests
        | request | selector                                              |
        | r0      | device.attributes["dra.example.com"].color == "black" |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | cat-3  |

  Rule: An expression that fails selects nothing

    @DRA/selector/non-boolean-or-failing-expression
    Scenario: A request whose selector reads a missing attribute gets nothing
      Given the devices
        | device |
        | cat-1  |
      And a claim "c" with the requests
        | request | selector                                              |
        | r0      | device.attributes["dra.example.com"].color == "black" |
      When allocation of claim "c" is attempted
      Then nothing is allocated
      But since Kubernetes 1.34, because releases end in an error for a selector that asks for a missing attribute: the allocation ends in an error because of SelectorRuntimeError

    @DRA/selector/non-boolean-or-failing-expression
    Scenario: A request for a class whose selector reads a missing attribute gets nothing
      Given the devices
        | device |
        | cat-1  |
      And a device class "black" that selects
        """
        device.attributes["dra.example.com"].color == "black"
        """
      And a claim "c" requesting 1 device of class "black"
      When allocation of claim "c" is attempted
      Then nothing is allocated
      But since Kubernetes 1.34, because releases end in an error for a selector that asks for a missing attribute: the allocation ends in an error because of SelectorRuntimeError

    @DRA/selector/non-boolean-or-failing-expression
    Scenario: A request whose selector negates a comparison with a missing attribute gets nothing
      Given the devices
        | device |
        | cat-1  |
      And a claim "c" with the requests
        | request | selector                                                 |
        | r0      | !(device.attributes["dra.example.com"].color == "black") |
      When allocation of claim "c" is attempted
      Then nothing is allocated
      But since Kubernetes 1.34, because releases end in an error for a selector that asks for a missing attribute: the allocation ends in an error because of SelectorRuntimeError

    @DRA/selector/non-boolean-or-failing-expression
    Scenario: A request whose selector compares an attribute of another type gets nothing
      Given the devices
        | device | attribute age |
        | cat-1  | string nine   |
      And a claim "c" with the requests
        | request | selector                                     |
        | r0      | device.attributes["dra.example.com"].age > 8 |
      When allocation of claim "c" is attempted
      Then nothing is allocated
      But since Kubernetes 1.34, because releases end in an error for a selector that cannot be evaluated: the allocation ends in an error because of SelectorRuntimeError

    @DRA/selector/non-boolean-or-failing-expression
    Scenario: A request whose selector is an attribute that is not a boolean gets nothing
      Given the devices
        | device | attribute color |
        | cat-1  | string black    |
      And a claim "c" with the requests
        | request | selector                                   |
        | r0      | device.attributes["dra.example.com"].color |
      When allocation of claim "c" is attempted
      Then nothing is allocated
      But since Kubernetes 1.34, because releases end in an error for a selector that gives no boolean: the allocation ends in an error because of SelectorRuntimeError

    @DRA/selector/non-boolean-or-failing-expression
    Scenario: A request whose selector is a boolean attribute gets the device on which it is true
      Given the devices
        | device | attribute tame |
        | cat-1  | bool false     |
        | cat-2  | bool true      |
      And a claim "c" with the requests
        | request | selector                                  |
        | r0      | device.attributes["dra.example.com"].tame |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | cat-2  |

    @DRA/selector/non-boolean-or-failing-expression
    Scenario: A request for all devices never gets the one on which its selector fails
      Given the devices
        | device | attribute color |
        | cat-1  | string black    |
        | cat-2  |                 |
      And a claim "c" with the requests
        | request | mode | selector                                              |
        | r0      | All  | device.attributes["dra.example.com"].color == "black" |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | cat-1  |
      And it may also be refused
      But since Kubernetes 1.34, because releases end in an error for a selector that asks for a missing attribute: the allocation ends in an error because of SelectorRuntimeError

    @DRA/selector/non-boolean-or-failing-expression @profile:since-1.36
    Scenario: A selector that fails on the first device ends the allocation in an error in releases
      Given the devices
        | device | attribute color |
        | cat-1  |                 |
        | cat-2  | string black    |
      And a claim "c" with the requests
        | request | selector                                              |
        | r0      | device.attributes["dra.example.com"].color == "black" |
      When allocation of claim "c" is attempted
      Then the allocation ends in an error because of SelectorRuntimeError

    @DRA/selector/non-boolean-or-failing-expression @profile:since-1.34
    Scenario: A selector that would fail on a device in use does not end the allocation in an error in releases
      Given the devices
        | device | attribute color |
        | cat-1  |                 |
        | cat-2  | string black    |
      And claim "other" already holds
        | device |
        | cat-1  |
      And a claim "c" with the requests
        | request | selector                                              |
        | r0      | device.attributes["dra.example.com"].color == "black" |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | cat-2  |

    @DRA/selector/non-boolean-or-failing-expression @profile:since-1.34
    Scenario: A selector that does not compile is not an error in releases when there is no device
      Given objects that the API server does not admit, because a later release may know more expressions
      And a claim "c" with the requests
        | request | selector         |
        | r0      | device.driver == |
      When allocation of claim "c" is attempted
      Then nothing fits

    @DRA/selector/non-boolean-or-failing-expression
    Scenario: A selector that fails in one part of a disjunction selects a device that meets the other
      Given the devices
        | device | attribute size |
        | cat-1  | string large   |
      And a claim "c" with the requests
        | request | selector                                                                                                        |
        | r0      | device.attributes["dra.example.com"].color == "black" \|\| device.attributes["dra.example.com"].size == "large" |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | cat-1  |

    @DRA/selector/non-boolean-or-failing-expression
    Scenario: A selector that fails in one part of a conjunction passes over a device that does not meet the other
      Given the devices
        | device | attribute size | attribute color |
        | cat-1  | string small   |                 |
        | cat-2  | string large   | string black    |
      And a claim "c" with the requests
        | request | selector                                                                                                      |
        | r0      | device.attributes["dra.example.com"].color == "black" && device.attributes["dra.example.com"].size == "large" |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | cat-2  |

    @DRA/selector/non-boolean-or-failing-expression
    Scenario: A selector with a default for a missing attribute passes over the device without it
      Given the devices
        | device | attribute color |
        | cat-1  |                 |
        | cat-2  | string black    |
      And a claim "c" with the requests
        | request | mode | selector                                                               |
        | r0      | All  | device.attributes["dra.example.com"].?color.orValue("none") == "black" |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | cat-2  |
