Feature: Selectors
  Classes and requests filter devices with CEL expressions over what the slices say of a device.

  Rule: Attributes

    @DRA/selector/cel-on-attributes
    Scenario: An attribute without a domain belongs to that of the driver
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
    Scenario: It does not belong to another domain
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
    Scenario: Whether a device has an attribute can be asked
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
    Scenario: An attribute of the driver's own domain may be written with or without the domain
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
    Scenario: A common domain names the same attribute for two drivers
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
    Scenario: The driver itself
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

  Rule: Capacity

    @DRA/selector/cel-on-capacity
    Scenario: A device with enough memory
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
    Scenario: No device has enough memory
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
    Scenario: Two devices do not add up to one with enough memory
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
    Scenario: Two selectors of a request
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
    Scenario: No device meets both selectors
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
    Scenario: Two selectors of the class and one of the request
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
    Scenario: A selector that is false keeps a later one from being asked
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
      And a claim "c" asking 1 device of class "old"
      When allocation of claim "c" is attempted
      Then nothing fits because of SelectorNotMatched

    @DRA/selector/no-match-is-unschedulable
    Scenario: Large and black is asked for and only small white devices are there
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
    Scenario: The one device that matches is in use
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
    Scenario: One device that matches is free
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
    Scenario: The attribute is missing
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
    Scenario: The attribute is missing and the class asks for it
      Given the devices
        | device |
        | cat-1  |
      And a device class "black" that selects
        """
        device.attributes["dra.example.com"].color == "black"
        """
      And a claim "c" asking 1 device of class "black"
      When allocation of claim "c" is attempted
      Then nothing is allocated
      But since Kubernetes 1.34, because releases end in an error for a selector that asks for a missing attribute: the allocation ends in an error because of SelectorRuntimeError

    @DRA/selector/non-boolean-or-failing-expression
    Scenario: A negation does not make a missing attribute match
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
    Scenario: The attribute has another type
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
    Scenario: An attribute that is no boolean is no answer
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
    Scenario: An attribute that is a boolean is an answer
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
    Scenario: All devices are asked for and the expression fails on one
      Given the devices
        | device | attribute color |
        | cat-1  | string black    |
        | cat-2  |                 |
      And a claim "c" with the requests
        | request | mode | selector                                              |
        | r0      | All  | device.attributes["dra.example.com"].color == "black" |
      When allocation of claim "c" is attempted
      Then nothing is allocated
      But since Kubernetes 1.34, because releases end in an error for a selector that asks for a missing attribute: the allocation ends in an error because of SelectorRuntimeError

    @DRA/selector/non-boolean-or-failing-expression @profile:since-1.36
    Scenario: Releases stop at the first device on which the expression fails
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
    Scenario: Releases do not ask devices in use
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
    Scenario: Releases look at an expression only where there is a device to ask
      Given a claim "c" with the requests
        | request | selector         |
        | r0      | device.driver == |
      When allocation of claim "c" is attempted
      Then nothing fits

    @DRA/selector/non-boolean-or-failing-expression
    Scenario: The failing part of a disjunction is not needed
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
    Scenario: An optional attribute has a value of its own where it is missing
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
