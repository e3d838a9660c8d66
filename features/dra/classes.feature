Feature: Allocation of devices by their DeviceClass
  A DeviceClass is a category of devices. Its selectors decide which devices belong to it, whatever their driver
  or pool.

  Rule: Selectors of a DeviceClass

    @case:class-selects-driver
    @DRA/class/selects-by-attributes
    Scenario: A DeviceClass that selects one driver does not match another driver's device
      Given the devices
        | device | driver                      | pool |
        | cat-1  | other.example.com           | cats |
        | cat-1  | resource-driver.example.com | cats |
      And a DeviceClass "cat" with the selector
        """
        device.driver == "resource-driver.example.com"
        """
      And a ResourceClaim "c" requesting 1 device of class "cat"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device | driver                      |
        | cat-1  | resource-driver.example.com |

    @case:class-selects-absent-driver
    @DRA/class/selects-by-attributes
    Scenario: A ResourceClaim fails if its DeviceClass selects a driver without devices
      Given the devices
        | device | driver            | pool |
        | cat-1  | other.example.com | cats |
      And a DeviceClass "cat" with the selector
        """
        device.driver == "resource-driver.example.com"
        """
      And a ResourceClaim "c" requesting 1 device of class "cat"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of SelectorNotMatched

    @case:class-selects-attribute
    @DRA/class/selects-by-attributes
    Scenario Outline: A DeviceClass that selects an attribute value matches only devices with that value
      Given the devices
        | device | attribute color |
        | cat-1  | string white    |
        | cat-2  | string black    |
        | cat-3  | string white    |
      And a DeviceClass "black" with the selector
        """
        device.attributes["dra.example.com"].color == "black"
        """
      And a ResourceClaim "c" requesting <what> of class "black"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | cat-2  |

      Examples:
        | what        |
        | 1 device    |
        | all devices |

    @case:class-of-driver-or-admin
    @DRA/class/optional-creation @DRA/class/selects-by-attributes
    Scenario Outline: Devices are allocated by DeviceClasses that a driver or an admin created
      Given the devices
        | device | attribute color |
        | cat-1  | string white    |
        | cat-2  | string black    |
      And the object
        """
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: <metadata>
        spec:
          selectors: [{cel: {expression: 'device.attributes["dra.example.com"].color == "black"'}}]
        """
      And a ResourceClaim "c" requesting 1 device of class "black"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | cat-2  |

      @key:creator
      Examples:
        | creator | metadata                                                                                                                                                                                                        |
        | driver  | {name: black, labels: {app.kubernetes.io/managed-by: Helm}, annotations: {meta.helm.sh/release-name: dra-driver}, managedFields: [{manager: helm, operation: Apply, apiVersion: resource.k8s.io/v1, time: "2026-01-01T10:00:00Z", fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:selectors": {}}}}]} |
        | admin   | {name: black, managedFields: [{manager: kubectl-create, operation: Update, apiVersion: resource.k8s.io/v1, time: "2026-01-01T10:00:00Z", fieldsType: FieldsV1, fieldsV1: {"f:spec": {"f:selectors": {}}}}]} |

    @case:too-few-devices-in-class
    @DRA/class/selects-by-attributes
    Scenario: A request for two devices fails if its DeviceClass matches only one device
      Given the devices
        | device | attribute color |
        | cat-1  | string white    |
        | cat-2  | string black    |
        | cat-3  | string white    |
      And a DeviceClass "black" with the selector
        """
        device.attributes["dra.example.com"].color == "black"
        """
      And a ResourceClaim "c" requesting 2 devices of class "black"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

    @case:two-requests-two-classes
    @DRA/class/selects-by-attributes
    Scenario: Two requests of a ResourceClaim are each allocated a device of their own DeviceClass
      Given the devices
        | device | attribute color |
        | cat-1  | string white    |
        | cat-2  | string black    |
      And a DeviceClass "black" with the selector
        """
        device.attributes["dra.example.com"].color == "black"
        """
      And a DeviceClass "white" with the selector
        """
        device.attributes["dra.example.com"].color == "white"
        """
      And a ResourceClaim "c" with the requests
        | request | deviceClassName |
        | dark    | black           |
        | light   | white           |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | dark    | cat-2  |
        | light   | cat-1  |

    @case:class-with-two-selectors
    @DRA/class/selects-by-attributes
    Scenario: A device that matches only one of two selectors of the DeviceClass is not allocated
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
      And a ResourceClaim "c" requesting 1 device of class "large-black"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of SelectorNotMatched

    @case:pod-waits-for-both-selectors
    @DRA/class/selects-by-attributes @profile:kep @profile:since-1.34
    Scenario: A pod runs only when a device matches both selectors of the DeviceClass
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
      And a ResourceClaim "c" requesting 1 device of class "large-black"
      And a pod "p" that uses ResourceClaim "c"
      When the cluster reaches a steady state
      Then pod "p" is Pending
      When the driver updates the device "cat-1" with
        | field                   | value |
        | attributes[size].string | large |
      And the cluster reaches a steady state
      Then pod "p" is Running
      And ResourceClaim "c" is allocated exactly
        | device |
        | cat-1  |

  Rule: Number of devices in a DeviceClass

    @case:class-without-devices
    @DRA/class/zero-or-more-devices
    Scenario: A ResourceClaim for a DeviceClass without devices is not allocated
      Given the devices
        | device | attribute color |
        | cat-1  | string white    |
        | cat-2  | string white    |
        | cat-3  | string white    |
      And a DeviceClass "black" with the selector
        """
        device.attributes["dra.example.com"].color == "black"
        """
      And a ResourceClaim "c" requesting 1 device of class "black"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

    @case:other-class-without-devices
    @DRA/class/zero-or-more-devices
    Scenario: A DeviceClass without devices does not affect requests for another DeviceClass
      Given the devices
        | device | attribute color |
        | cat-1  | string white    |
      And a DeviceClass "black" with the selector
        """
        device.attributes["dra.example.com"].color == "black"
        """
      And a DeviceClass "white" with the selector
        """
        device.attributes["dra.example.com"].color == "white"
        """
      And a ResourceClaim "c" requesting 1 device of class "white"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | cat-1  |

    @case:class-with-several-devices
    @DRA/class/zero-or-more-devices
    Scenario Outline: A request can be allocated one or all of the devices in a DeviceClass
      Given the devices
        | device | attribute color |
        | cat-1  | string black    |
        | cat-2  | string black    |
        | cat-3  | string black    |
      And a DeviceClass "black" with the selector
        """
        device.attributes["dra.example.com"].color == "black"
        """
      And a ResourceClaim "c" requesting <count> of class "black"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated <got> devices

      Examples:
        | count     | got |
        | 1 device  | 1   |
        | 3 devices | 3   |

    @case:class-does-not-exist
    @DRA/class/required-and-existing
    Scenario: A ResourceClaim for a DeviceClass that does not exist is not allocated
      Given the devices
        | device |
        | cat-1  |
      And a ResourceClaim "c" requesting 1 device of class "nosuch"
      When allocation of ResourceClaim "c" is attempted
      Then nothing is allocated because of ClassNotFound
      But since Kubernetes 1.34, because releases report an error for a missing DeviceClass: allocation fails with an error because of ClassNotFound

    @case:one-request-class-missing
    @DRA/class/required-and-existing
    Scenario: A ResourceClaim fails if one of its two requests names a DeviceClass that does not exist
      Given the devices
        | device |
        | cat-1  |
        | cat-2  |
      And a ResourceClaim "c" with the requests
        | request | deviceClassName |
        | r0      |                 |
        | r1      | nosuch          |
      When allocation of ResourceClaim "c" is attempted
      Then nothing is allocated because of ClassNotFound
      But since Kubernetes 1.34, because releases report an error for a missing DeviceClass: allocation fails with an error because of ClassNotFound

    @case:later-subrequest-class-missing
    @DRA/class/required-and-existing @DRA/prioritized-list/first-satisfiable-wins
    Scenario: A second subrequest that names a missing DeviceClass is not chosen
      Given the devices
        | device |
        | cat-1  |
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName |
        | r0      | first      |                 |
        | r0      | second     | nosuch          |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated at least
        | request  | device |
        | r0/first | cat-1  |
      And allocation may also fail
      But since Kubernetes 1.33, because releases report an error for a missing DeviceClass: allocation fails with an error because of ClassNotFound

    @case:first-subrequest-class-missing
    @DRA/class/required-and-existing @DRA/prioritized-list/first-satisfiable-wins
    Scenario: A first subrequest that names a missing DeviceClass is not chosen
      Given the devices
        | device |
        | cat-1  |
      And a ResourceClaim "c" with the requests
        | request | subrequest | deviceClassName |
        | r0      | first      | nosuch          |
        | r0      | second     |                 |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated at least
        | request   | device |
        | r0/second | cat-1  |
      And allocation may also fail
      But since Kubernetes 1.33, because releases report an error for a missing DeviceClass: allocation fails with an error because of ClassNotFound

  Rule: Devices of a DeviceClass from several pools and drivers

    @case:devices-of-all-pools-and-drivers
    @DRA/class/spans-pools-and-drivers
    Scenario: One request can be allocated devices of its DeviceClass from several pools and drivers
      Given the devices
        | device | driver    | pool | attribute example.org/color |
        | cat-1  | a.example | p1   | string black                |
        | cat-1  | a.example | p2   | string black                |
        | cat-1  | b.example | p1   | string black                |
      And a DeviceClass "black" with the selector
        """
        device.attributes["example.org"].color == "black"
        """
      And a ResourceClaim "c" requesting 3 devices of class "black"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device | driver    | pool |
        | cat-1  | a.example | p1   |
        | cat-1  | a.example | p2   |
        | cat-1  | b.example | p1   |

    @case:too-few-in-all-pools
    @DRA/class/spans-pools-and-drivers
    Scenario: A request fails if all pools together have too few devices of its DeviceClass
      Given the devices
        | device | driver    | pool | attribute example.org/color |
        | cat-1  | a.example | p1   | string black                |
        | cat-1  | a.example | p2   | string white                |
        | cat-1  | b.example | p1   | string black                |
      And a DeviceClass "black" with the selector
        """
        device.attributes["example.org"].color == "black"
        """
      And a ResourceClaim "c" requesting 3 devices of class "black"
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

    @case:different-driver-per-node
    @DRA/class/spans-pools-and-drivers
    Scenario Outline: A DeviceClass matches devices of different drivers on different nodes
      Given a node "node-1"
      And a node "node-2"
      And the devices
        | device | driver    | pool   | node   | attribute example.org/color |
        | cat-1  | a.example | node-1 | node-1 | string black                |
        | cat-2  | b.example | node-2 | node-2 | string black                |
      And a DeviceClass "black" with the selector
        """
        device.attributes["example.org"].color == "black"
        """
      And a ResourceClaim "c" requesting 1 device of class "black"
      When allocation of ResourceClaim "c" on node "<node>" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device   | driver   |
        | <device> | <driver> |

      Examples:
        | node   | device | driver    |
        | node-1 | cat-1  | a.example |
        | node-2 | cat-2  | b.example |

    @case:class-without-selectors
    @DRA/class/spans-pools-and-drivers
    Scenario: A DeviceClass without selectors matches every device
      Given the devices
        | device | driver    | pool | attribute color |
        | cat-1  | a.example | p1   | string black    |
        | dog-1  | b.example | p2   |                 |
      And a DeviceClass "pet"
      And a ResourceClaim "c" requesting all devices of class "pet"
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | cat-1  |
        | dog-1  |

  Rule: Selectors of a request together with those of its DeviceClass

    @case:both-selectors-match
    @DRA/class/claim-narrows-class
    Scenario: A request is allocated the device that its DeviceClass and its own selector match
      Given the devices
        | device | attribute color | attribute size |
        | cat-1  | string black    | string small   |
        | cat-2  | string white    | string large   |
        | cat-3  | string black    | string large   |
      And a DeviceClass "black" with the selector
        """
        device.attributes["dra.example.com"].color == "black"
        """
      And a ResourceClaim "c" with the requests
        | request | deviceClassName | selector                                             |
        | r0      | black           | device.attributes["dra.example.com"].size == "large" |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | cat-3  |

    @case:selector-outside-class
    @DRA/class/claim-narrows-class
    Scenario: A device outside the DeviceClass is not allocated although the request selects it
      Given the devices
        | device | attribute color |
        | cat-1  | string black    |
        | cat-2  | string white    |
      And a DeviceClass "black" with the selector
        """
        device.attributes["dra.example.com"].color == "black"
        """
      And a ResourceClaim "c" with the requests
        | request | deviceClassName | selector                                              |
        | r0      | black           | device.attributes["dra.example.com"].color == "white" |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of SelectorNotMatched

    @case:selector-true-does-not-widen
    @DRA/class/claim-narrows-class
    Scenario: A request selector that is always true selects no device outside the DeviceClass
      Given the devices
        | device | attribute color |
        | cat-2  | string white    |
      And a DeviceClass "black" with the selector
        """
        device.attributes["dra.example.com"].color == "black"
        """
      And a ResourceClaim "c" with the requests
        | request | deviceClassName | selector |
        | r0      | black           | true     |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

    @case:any-leaves-device-to-selector
    @DRA/class/claim-narrows-class
    Scenario: A request without selectors leaves the large device to the request that selects it
      Given the devices
        | device | attribute color | attribute size |
        | cat-1  | string black    | string small   |
        | cat-2  | string white    | string large   |
        | cat-3  | string black    | string large   |
      And a DeviceClass "black" with the selector
        """
        device.attributes["dra.example.com"].color == "black"
        """
      And a ResourceClaim "c" with the requests
        | request | deviceClassName | selector                                             |
        | any     | black           |                                                      |
        | big     | black           | device.attributes["dra.example.com"].size == "large" |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | any     | cat-1  |
        | big     | cat-3  |

  Rule: Allocation by the current selectors of a DeviceClass

    Background:
      Given the device
        | device | attribute color |
        | cat-1  | string black    |
      And a ResourceClaim "c" requesting 1 device of class "cat"

    @case:class-selects-white
    @DRA/class/selects-by-attributes
    Scenario: A DeviceClass that selects white devices does not match a black device
      Given a DeviceClass "cat" with the selector
        """
        device.attributes["dra.example.com"].color == "white"
        """
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of SelectorNotMatched

    @case:redefined-class-selects-black
    @DRA/class/selects-by-attributes
    Scenario: A DeviceClass that selects black devices matches a black device
      Given a DeviceClass "cat" with the selector
        """
        device.attributes["dra.example.com"].color == "black"
        """
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | cat-1  |
