Feature: Selectors of DeviceClasses and requests
  DeviceClasses and requests select devices with CEL expressions over the data of the devices in ResourceSlices.

  Rule: Selectors on attributes

    @case:driver-domain-by-default
    @DRA/selector/cel-on-attributes
    Scenario: An attribute without a domain is in the domain of its driver
      Given the devices
        | device | driver                      | attribute color |
        | cat-1  | resource-driver.example.com | string white    |
        | cat-2  | resource-driver.example.com | string black    |
      And a ResourceClaim "c" with the requests
        | request | selector                                                          |
        | r0      | device.attributes["resource-driver.example.com"].color == "black" |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | cat-2  |

    @case:other-domain
    @DRA/selector/cel-on-attributes
    Scenario: An attribute without a domain is not in the domain of another driver
      Given the devices
        | device | driver                      | attribute color |
        | cat-1  | resource-driver.example.com | string black    |
      And a ResourceClaim "c" with the requests
        | request | selector                                                |
        | r0      | device.attributes["other.example.com"].color == "black" |
      When allocation of ResourceClaim "c" is attempted
      Then nothing is allocated
      But since Kubernetes 1.34, because releases report an error for a selector that reads a missing attribute: allocation fails with an error because of SelectorRuntimeError

    @case:presence-test
    @DRA/selector/cel-on-attributes
    Scenario: A selector with a presence test selects only the device that has the attribute
      Given the devices
        | device | driver    | pool | attribute color |
        | cat-1  | a.example | p1   | string black    |
        | cat-2  | b.example | p2   | string black    |
      And a ResourceClaim "c" with the requests
        | request | selector                                                                                     |
        | r0      | "color" in device.attributes["b.example"] && device.attributes["b.example"].color == "black" |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | cat-2  |

    @case:domain-written-or-not
    @DRA/selector/cel-on-attributes
    Scenario: An attribute of the driver's domain can be published with or without the domain
      Given the devices
        | device | attribute color | attribute dra.example.com/size |
        | cat-1  | string black    | string large                   |
      And a ResourceClaim "c" with the requests
        | request | selector                                                                                                      |
        | r0      | device.attributes["dra.example.com"].color == "black" && device.attributes["dra.example.com"].size == "large" |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | cat-1  |

    @case:common-domain
    @DRA/selector/cel-on-attributes
    Scenario: A selector on an attribute of a common domain selects devices of two drivers
      Given the devices
        | device | driver    | pool | attribute example.org/numa |
        | gpu-0  | a.example | p1   | int 0                      |
        | gpu-1  | a.example | p1   | int 1                      |
        | nic-1  | b.example | p2   | int 1                      |
      And a ResourceClaim "c" with the requests
        | request | allocationMode | selector                                   |
        | r0      | All            | device.attributes["example.org"].numa == 1 |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device | driver    |
        | gpu-1  | a.example |
        | nic-1  | b.example |

    @case:select-by-driver
    @API/selector/driver
    Scenario: A selector on device.driver selects only devices of that driver
      Given the devices
        | device | driver    | pool |
        | cat-1  | a.example | p1   |
        | cat-1  | b.example | p1   |
      And a ResourceClaim "c" with the requests
        | request | selector                     |
        | r0      | device.driver == "b.example" |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device | driver    |
        | cat-1  | b.example |

  Rule: Selectors on capacity

    @case:enough-capacity
    @DRA/selector/cel-on-capacity
    Scenario: A selector on capacity selects the device with enough capacity
      Given the devices
        | device | capacity memory |
        | gpu-40 | 40Gi            |
        | gpu-80 | 80Gi            |
      And a ResourceClaim "c" with the requests
        | request | selector                                                                   |
        | r0      | device.capacity["dra.example.com"].memory.compareTo(quantity("64Gi")) >= 0 |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | gpu-80 |

    @case:no-device-with-capacity
    @DRA/selector/cel-on-capacity
    Scenario: A selector on capacity fails if no device has enough capacity
      Given the devices
        | device | capacity memory |
        | gpu-40 | 40Gi            |
        | gpu-80 | 80Gi            |
      And a ResourceClaim "c" with the requests
        | request | selector                                                                    |
        | r0      | device.capacity["dra.example.com"].memory.compareTo(quantity("100Gi")) >= 0 |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of SelectorNotMatched

    @case:capacity-not-added-up
    @DRA/selector/cel-on-capacity
    Scenario: A selector on capacity does not add up the capacity of several devices
      Given the devices
        | device   | capacity memory |
        | gpu-40-a | 40Gi            |
        | gpu-40-b | 40Gi            |
      And a ResourceClaim "c" with the requests
        | request | count | selector                                                                   |
        | r0      | 2     | device.capacity["dra.example.com"].memory.compareTo(quantity("64Gi")) >= 0 |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of SelectorNotMatched

  Rule: Requests and DeviceClasses with several selectors

    @case:both-selectors-met
    @DRA/selector/all-must-hold
    Scenario: A request with two selectors is allocated the device that both match
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
      And a DeviceClass "cat"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | cat-3  |

    @case:no-device-meets-both
    @DRA/selector/all-must-hold
    Scenario: A request with two selectors is not allocated if no device matches both
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
      And a DeviceClass "cat"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of SelectorNotMatched

    @case:class-and-request-selectors
    @DRA/selector/all-must-hold
    Scenario: A device must match all selectors of its DeviceClass and of the request
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
      And a ResourceClaim "c" with the requests
        | request | deviceClassName | allocationMode | selector                                      |
        | r0      | large-black     | All            | device.attributes["dra.example.com"].age >= 9 |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | cat-4  |

    @case:later-selector-not-evaluated
    @DRA/selector/all-must-hold
    Scenario: A selector is not evaluated on a device that an earlier selector does not match
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
      And a ResourceClaim "c" requesting 1 device of class "old"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of SelectorNotMatched

    @case:selectors-match-nothing
    @DRA/selector/no-match-is-unschedulable
    Scenario: A request whose selector matches no device is not allocated
      Given the devices
        | device | attribute color | attribute size |
        | cat-1  | string white    | string small   |
        | cat-2  | string white    | string small   |
      And a ResourceClaim "c" with the requests
        | request | selector                                                                                                      |
        | r0      | device.attributes["dra.example.com"].color == "black" && device.attributes["dra.example.com"].size == "large" |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of SelectorNotMatched

    @case:only-match-in-use
    @DRA/selector/no-match-is-unschedulable
    Scenario: A request is not allocated while the only device that its selector matches is in use
      Given the devices
        | device | attribute color |
        | cat-1  | string black    |
        | cat-2  | string white    |
      And ResourceClaim "other" is already allocated
        | device |
        | cat-1  |
      And a ResourceClaim "c" with the requests
        | request | selector                                              |
        | r0      | device.attributes["dra.example.com"].color == "black" |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

    @case:free-match-allocated
    @DRA/selector/no-match-is-unschedulable
    Scenario: A request gets the free device if its selector also matches a device in use
      Given the devices
        | device | attribute color |
        | cat-1  | string black    |
        | cat-2  | string white    |
        | cat-3  | string black    |
      And ResourceClaim "other" is already allocated
        | device |
        | cat-1  |
      And a ResourceClaim "c" with the requests
        | request | selector                                              |
        | r0      | device.attributes["dra.example.com"].color == "black" |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | cat-3  |

  Rule: Selector expressions that fail

    @case:missing-attribute-in-request
    @DRA/selector/non-boolean-or-failing-expression
    Scenario: A request selector that reads a missing attribute does not select the device
      Given the devices
        | device |
        | cat-1  |
      And a ResourceClaim "c" with the requests
        | request | selector                                              |
        | r0      | device.attributes["dra.example.com"].color == "black" |
      When allocation of ResourceClaim "c" is attempted
      Then nothing is allocated
      But since Kubernetes 1.34, because releases report an error for a selector that reads a missing attribute: allocation fails with an error because of SelectorRuntimeError

    @case:missing-attribute-in-class
    @DRA/selector/non-boolean-or-failing-expression
    Scenario: A DeviceClass selector that reads a missing attribute does not select the device
      Given the devices
        | device |
        | cat-1  |
      And a DeviceClass "black" with the selector
        """
        device.attributes["dra.example.com"].color == "black"
        """
      And a ResourceClaim "c" requesting 1 device of class "black"
      When allocation of ResourceClaim "c" is attempted
      Then nothing is allocated
      But since Kubernetes 1.34, because releases report an error for a selector that reads a missing attribute: allocation fails with an error because of SelectorRuntimeError

    @case:negated-missing-attribute
    @DRA/selector/non-boolean-or-failing-expression
    Scenario: A negated comparison with a missing attribute does not select the device
      Given the devices
        | device |
        | cat-1  |
      And a ResourceClaim "c" with the requests
        | request | selector                                                 |
        | r0      | !(device.attributes["dra.example.com"].color == "black") |
      When allocation of ResourceClaim "c" is attempted
      Then nothing is allocated
      But since Kubernetes 1.34, because releases report an error for a selector that reads a missing attribute: allocation fails with an error because of SelectorRuntimeError

    @case:attribute-of-other-type
    @DRA/selector/non-boolean-or-failing-expression
    Scenario: A comparison with an attribute of another type does not select the device
      Given the devices
        | device | attribute age |
        | cat-1  | string nine   |
      And a ResourceClaim "c" with the requests
        | request | selector                                     |
        | r0      | device.attributes["dra.example.com"].age > 8 |
      When allocation of ResourceClaim "c" is attempted
      Then nothing is allocated
      But since Kubernetes 1.34, because releases report an error for a selector that cannot be evaluated: allocation fails with an error because of SelectorRuntimeError

    @case:string-result
    @DRA/selector/non-boolean-or-failing-expression
    Scenario: A selector with a string result does not select the device
      Given the devices
        | device | attribute color |
        | cat-1  | string black    |
      And a ResourceClaim "c" with the requests
        | request | selector                                   |
        | r0      | device.attributes["dra.example.com"].color |
      When allocation of ResourceClaim "c" is attempted
      Then nothing is allocated
      But since Kubernetes 1.34, because releases report an error for a selector whose result is no boolean: allocation fails with an error because of SelectorRuntimeError

    @case:boolean-attribute
    @DRA/selector/non-boolean-or-failing-expression
    Scenario: A selector that consists of a boolean attribute selects the device where it is true
      Given the devices
        | device | attribute tame |
        | cat-1  | bool false     |
        | cat-2  | bool true      |
      And a ResourceClaim "c" with the requests
        | request | selector                                  |
        | r0      | device.attributes["dra.example.com"].tame |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | cat-2  |

    @case:all-mode-with-failing-device
    @DRA/selector/non-boolean-or-failing-expression
    Scenario: allocationMode: All never includes a device on which the selector fails with an error
      Given the devices
        | device | attribute color |
        | cat-1  | string black    |
        | cat-2  |                 |
      And a ResourceClaim "c" with the requests
        | request | allocationMode | selector                                              |
        | r0      | All            | device.attributes["dra.example.com"].color == "black" |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | cat-1  |
      And allocation may also fail
      But since Kubernetes 1.34, because releases report an error for a selector that reads a missing attribute: allocation fails with an error because of SelectorRuntimeError

    @case:first-device-fails
    @DRA/selector/non-boolean-or-failing-expression @profile:since-1.36
    Scenario: Allocation fails with an error since 1.36 if a selector fails on the first device
      Given the devices
        | device | attribute color |
        | cat-1  |                 |
        | cat-2  | string black    |
      And a ResourceClaim "c" with the requests
        | request | selector                                              |
        | r0      | device.attributes["dra.example.com"].color == "black" |
      When allocation of ResourceClaim "c" is attempted
      Then allocation fails with an error because of SelectorRuntimeError

    @case:device-in-use-would-fail
    @DRA/selector/non-boolean-or-failing-expression @profile:since-1.34
    Scenario: Since 1.34, a selector that fails only on a device in use causes no error
      Given the devices
        | device | attribute color |
        | cat-1  |                 |
        | cat-2  | string black    |
      And ResourceClaim "other" is already allocated
        | device |
        | cat-1  |
      And a ResourceClaim "c" with the requests
        | request | selector                                              |
        | r0      | device.attributes["dra.example.com"].color == "black" |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | cat-2  |

    @case:compile-error-without-devices
    @DRA/selector/non-boolean-or-failing-expression @profile:since-1.34
    Scenario: A selector that does not compile causes no error since 1.34 if there are no devices
      Given objects that the API server rejects, because a later release may know more expressions
      And a ResourceClaim "c" with the requests
        | request | selector         |
        | r0      | device.driver == |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

    @case:failing-disjunction
    @DRA/selector/non-boolean-or-failing-expression
    Scenario: A disjunction selects a device if one operand is true and the other fails with an error
      Given the devices
        | device | attribute size |
        | cat-1  | string large   |
      And a ResourceClaim "c" with the requests
        | request | selector                                                                                                        |
        | r0      | device.attributes["dra.example.com"].color == "black" \|\| device.attributes["dra.example.com"].size == "large" |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | cat-1  |

    @case:failing-conjunction
    @DRA/selector/non-boolean-or-failing-expression
    Scenario: A conjunction selects no device if one operand is false and the other fails with an error
      Given the devices
        | device | attribute size | attribute color |
        | cat-1  | string small   |                 |
        | cat-2  | string large   | string black    |
      And a ResourceClaim "c" with the requests
        | request | selector                                                                                                      |
        | r0      | device.attributes["dra.example.com"].color == "black" && device.attributes["dra.example.com"].size == "large" |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | cat-2  |

    @case:default-value
    @DRA/selector/non-boolean-or-failing-expression
    Scenario: A selector with a default value causes no error on a device without the attribute
      Given the devices
        | device | attribute color |
        | cat-1  |                 |
        | cat-2  | string black    |
      And a ResourceClaim "c" with the requests
        | request | allocationMode | selector                                                               |
        | r0      | All            | device.attributes["dra.example.com"].?color.orValue("none") == "black" |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | cat-2  |
