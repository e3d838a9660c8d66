Feature: Allocation with adminAccess
  A request with adminAccess is for maintenance and troubleshooting. It is allocated devices that are in use and
  does not make them unavailable to other ResourceClaims.

  Rule: Allocation of devices in use with adminAccess

    @case:gets-device-in-use
    @DRA/admin-access/reaches-devices-in-use @DRA/admin-access/flag-visible-to-driver
    Scenario: A request with adminAccess is allocated a device that another ResourceClaim uses
      Given the devices
        | device |
        | d1     |
      And ResourceClaim "user" is already allocated
        | device |
        | d1     |
      And a ResourceClaim "admin" with the requests
        | request | adminAccess |
        | r0      | yes         |
      When allocation of ResourceClaim "admin" is attempted
      Then ResourceClaim "admin" is allocated exactly
        | request | device | adminAccess |
        | r0      | d1     | yes         |

    @case:free-and-used-device
    @DRA/admin-access/reaches-devices-in-use
    Scenario: A request with adminAccess is allocated a free device together with a device in use
      Given the devices
        | device |
        | d1     |
        | d2     |
      And ResourceClaim "user" is already allocated
        | device |
        | d2     |
      And a ResourceClaim "admin" with the requests
        | request | adminAccess | count |
        | r0      | yes         | 2     |
      When allocation of ResourceClaim "admin" is attempted
      Then ResourceClaim "admin" is allocated exactly
        | device | adminAccess |
        | d1     | yes         |
        | d2     | yes         |

    @case:count-exceeds-devices
    @DRA/allocation-mode/exact-count
    Scenario: A request with adminAccess is not allocated if its count exceeds the number of devices
      Given the devices
        | device |
        | d1     |
      And ResourceClaim "user" is already allocated
        | device |
        | d1     |
      And a ResourceClaim "admin" with the requests
        | request | adminAccess | count |
        | r0      | yes         | 2     |
      When allocation of ResourceClaim "admin" is attempted
      Then no allocation is possible

    @case:selector-still-applies
    @DRA/selector/no-match-is-unschedulable
    Scenario: A request with adminAccess is not allocated a device that its selector does not match
      Given the devices
        | device | attribute color |
        | d1     | string black    |
      And ResourceClaim "user" is already allocated
        | device |
        | d1     |
      And a ResourceClaim "admin" with the requests
        | request | adminAccess | selector                                              |
        | r0      | yes         | device.attributes["dra.example.com"].color == "white" |
      When allocation of ResourceClaim "admin" is attempted
      Then no allocation is possible because of SelectorNotMatched

    @case:node-access-still-applies
    @DRA/node-access/node-name
    Scenario: A request with adminAccess is not allocated a device of another node
      Given a node "n1"
      And a node "n2"
      And the devices
        | device | node |
        | d1     | n2   |
      And a ResourceClaim "admin" with the requests
        | request | adminAccess |
        | r0      | yes         |
      When allocation of ResourceClaim "admin" on node "n1" is attempted
      Then no allocation is possible because of NodeMismatch

    @case:constraint-still-applies
    @DRA/admin-access/reaches-devices-in-use
    Scenario: A request with adminAccess is allocated only devices that satisfy matchAttribute
      Given the devices
        | device | attribute numa |
        | d1     | int 0          |
        | d2     | int 1          |
        | d3     | int 1          |
      And ResourceClaim "user" is already allocated
        | device |
        | d2     |
        | d3     |
      And a ResourceClaim "admin" with the requests
        | request | adminAccess | count |
        | r0      | yes         | 2     |
      And ResourceClaim "admin" has the constraint matchAttribute "dra.example.com/numa"
      When allocation of ResourceClaim "admin" is attempted
      Then ResourceClaim "admin" is allocated exactly
        | device | adminAccess |
        | d2     | yes         |
        | d3     | yes         |

    @case:partition-without-counters-left
    @DRA/admin-access/reaches-devices-in-use
    Scenario: A request with adminAccess is allocated a partition in use although no counters remain
      Given the counter set
        | counterSet | counter memory |
        | gpu-0      | 8Gi            |
      And the devices
        | device | consumesCounters gpu-0 |
        | d1     | memory 8Gi             |
      And ResourceClaim "user" is already allocated
        | device |
        | d1     |
      And a ResourceClaim "admin" with the requests
        | request | adminAccess |
        | r0      | yes         |
      When allocation of ResourceClaim "admin" is attempted
      Then ResourceClaim "admin" is allocated exactly
        | device | adminAccess |
        | d1     | yes         |
      But since Kubernetes 1.35, because these releases consume counters for adminAccess, too: no allocation is possible

  Rule: Example ResourceClaim with adminAccess in the DRA docs

    Background:
      Given a node "n1"
      And a node "n2"
      And the devices
        | device | driver                      | pool  | node |
        | d1     | resource-driver.example.com | n1    | n1   |
        | d2     | resource-driver.example.com | n1    | n1   |
        | d3     | resource-driver.example.com | n1    | n1   |
        | d4     | other.example.com           | other | n2   |
      And ResourceClaim "a" is already allocated
        | device | driver                      | pool |
        | d1     | resource-driver.example.com | n1   |
      And ResourceClaim "b" is already allocated
        | device | driver                      | pool |
        | d2     | resource-driver.example.com | n1   |
      And a DeviceClass "resource.example.com" with the selector
        """
        device.driver == "resource-driver.example.com"
        """
      And the fixture "large-black-cat-claim"

    @case:example-all-devices
    @DRA/admin-access/all-mode-example @DRA/allocation-mode/all-needs-every-device-free
    Scenario: The adminAccess example in the DRA docs is allocated all devices, free or in use
      When allocation of ResourceClaim "large-black-cat-claim" on node "n1" is attempted
      Then ResourceClaim "large-black-cat-claim" is allocated exactly
        | request | device | adminAccess |
        | req-0   | d1     | yes         |
        | req-0   | d2     | yes         |
        | req-0   | d3     | yes         |

    @case:example-node-without-devices
    @DRA/admin-access/all-mode-example
    Scenario: The adminAccess example in the DRA docs fails on a node without devices of its DeviceClass
      When allocation of ResourceClaim "large-black-cat-claim" on node "n2" is attempted
      Then no allocation is possible because of SelectorNotMatched

    @case:example-without-admin-access
    @DRA/allocation-mode/all-needs-every-device-free
    Scenario: A request without adminAccess for all devices fails while some of them are in use
      Given a ResourceClaim "c" requesting all devices of class "resource.example.com"
      When allocation of ResourceClaim "c" on node "n1" is attempted
      Then no allocation is possible because of DeviceInUse

  Rule: Availability of devices allocated with adminAccess

    @case:ordinary-claim-after-admin
    @DRA/admin-access/does-not-consume
    Scenario: A device allocated only with adminAccess is available to a request without adminAccess
      Given the devices
        | device |
        | d1     |
      And ResourceClaim "admin" is already allocated
        | device | adminAccess |
        | d1     | yes         |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device | adminAccess |
        | d1     | no          |

    @case:admin-and-ordinary-user
    @DRA/claim/exclusive-between-claims
    Scenario: A device allocated with and without adminAccess is not available to a third ResourceClaim
      Given the devices
        | device |
        | d1     |
      And ResourceClaim "admin" is already allocated
        | device | adminAccess |
        | d1     | yes         |
      And ResourceClaim "user" is already allocated
        | device |
        | d1     |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of DeviceInUse

    @case:all-mode-after-admin
    @DRA/admin-access/does-not-consume
    Scenario: A request with allocationMode: All includes a device allocated only with adminAccess
      Given the devices
        | device |
        | d1     |
        | d2     |
      And ResourceClaim "admin" is already allocated
        | device | adminAccess |
        | d1     | yes         |
      And a ResourceClaim "c" requesting all devices
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device |
        | d1     |
        | d2     |

    @case:second-admin-claim
    @DRA/admin-access/does-not-consume
    Scenario: A second ResourceClaim with adminAccess is allocated the device of the first ResourceClaim
      Given the devices
        | device |
        | d1     |
      And ResourceClaim "admin-1" is already allocated
        | device | adminAccess |
        | d1     | yes         |
      And a ResourceClaim "admin-2" with the requests
        | request | adminAccess |
        | r0      | yes         |
      When allocation of ResourceClaim "admin-2" is attempted
      Then ResourceClaim "admin-2" is allocated exactly
        | device | adminAccess |
        | d1     | yes         |

    @case:two-admin-claims-together
    @DRA/admin-access/does-not-consume
    Scenario: Two ResourceClaims with adminAccess can get the same device in one scheduling attempt
      Given the devices
        | device |
        | d1     |
      And a ResourceClaim "admin-1" with the requests
        | request | adminAccess |
        | r0      | yes         |
      And a ResourceClaim "admin-2" with the requests
        | request | adminAccess |
        | r0      | yes         |
      When allocation of the ResourceClaims "admin-1, admin-2" together is attempted
      Then ResourceClaim "admin-1" is allocated exactly
        | device | adminAccess |
        | d1     | yes         |
      And ResourceClaim "admin-2" is allocated exactly
        | device | adminAccess |
        | d1     | yes         |

    @case:ordinary-then-admin-together
    @DRA/admin-access/does-not-consume
    Scenario: Two ResourceClaims, only the second with adminAccess, can be allocated the same device
      Given the devices
        | device |
        | d1     |
      And a ResourceClaim "user" requesting 1 device
      And a ResourceClaim "admin" with the requests
        | request | adminAccess |
        | r0      | yes         |
      When allocation of the ResourceClaims "user, admin" together is attempted
      Then ResourceClaim "user" is allocated exactly
        | device | adminAccess |
        | d1     | no          |
      And ResourceClaim "admin" is allocated exactly
        | device | adminAccess |
        | d1     | yes         |

    @case:admin-then-ordinary-together
    @DRA/admin-access/does-not-consume
    Scenario: Two ResourceClaims, only the first with adminAccess, can be allocated the same device
      Given the devices
        | device |
        | d1     |
      And a ResourceClaim "user" requesting 1 device
      And a ResourceClaim "admin" with the requests
        | request | adminAccess |
        | r0      | yes         |
      When allocation of the ResourceClaims "admin, user" together is attempted
      Then ResourceClaim "admin" is allocated exactly
        | device | adminAccess |
        | d1     | yes         |
      And ResourceClaim "user" is allocated exactly
        | device | adminAccess |
        | d1     | no          |
      But since Kubernetes 1.34, because a device allocated with adminAccess is not available for the rest of the attempt: no allocation is possible

    @case:counters-stay-available
    @DRA/admin-access/does-not-consume
    Scenario: A partition allocated only with adminAccess consumes no counters
      Given the counter set
        | counterSet | counter memory |
        | gpu-0      | 8Gi            |
      And the devices
        | device | consumesCounters gpu-0 |
        | d1     | memory 6Gi             |
        | d2     | memory 6Gi             |
      And ResourceClaim "admin" is already allocated
        | device | adminAccess |
        | d1     | yes         |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated 1 device

  Rule: Scope of adminAccess within a ResourceClaim

    @case:other-request-needs-free-device
    @DRA/admin-access/per-request
    Scenario: A ResourceClaim fails if its request without adminAccess finds no free device
      Given the devices
        | device |
        | d1     |
      And ResourceClaim "user" is already allocated
        | device |
        | d1     |
      And a ResourceClaim "c" with the requests
        | request | adminAccess |
        | watch   | yes         |
        | work    |             |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

    @case:ordinary-request-gets-free-device
    @DRA/admin-access/per-request @DRA/admin-access/flag-visible-to-driver
    Scenario Outline: A request without adminAccess gets the free device, before or after an adminAccess request
      Given the devices
        | device |
        | d1     |
        | d2     |
      And ResourceClaim "user" is already allocated
        | device |
        | d1     |
      And a ResourceClaim "c" with the requests
        | request  | adminAccess |
        | <first>  | <admin>     |
        | <second> | <another>   |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated at least
        | request | device | adminAccess |
        | work    | d2     | no          |
        | watch   |        | yes         |
      And ResourceClaim "c" is allocated 2 devices

      Examples:
        | first | admin | second | another |
        | watch | yes   | work   | no      |
        | work  | no    | watch  | yes     |

    @case:admin-false-gets-free-device
    @DRA/admin-access/per-request
    Scenario: A request with adminAccess: false is allocated a free device without adminAccess
      Given the devices
        | device |
        | d1     |
      And a ResourceClaim "c" with the requests
        | request | adminAccess |
        | r0      | no          |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device | adminAccess |
        | d1     | no          |

    @case:admin-false-device-in-use
    @DRA/admin-access/per-request
    Scenario: A request with adminAccess: false is not allocated a device in use
      Given the devices
        | device |
        | d1     |
      And ResourceClaim "user" is already allocated
        | device |
        | d1     |
      And a ResourceClaim "c" with the requests
        | request | adminAccess |
        | r0      | no          |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of DeviceInUse

    @case:ordinary-result-without-flag
    @DRA/admin-access/flag-visible-to-driver
    Scenario: The allocation result of a request without adminAccess does not have adminAccess
      Given the devices
        | device |
        | d1     |
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | device | adminAccess |
        | d1     | no          |

    @case:same-device-twice-in-claim
    @DRA/admin-access/per-request @profile:since-1.34
    Scenario: Since 1.34, two adminAccess requests of one ResourceClaim cannot get the same device
      Given the devices
        | device |
        | d1     |
      And a ResourceClaim "c" with the requests
        | request | adminAccess |
        | r0      | yes         |
        | r1      | yes         |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible

  Rule: Allocation with adminAccess while DRAAdminAccess is off

    Background:
      Given the feature gate "DRAAdminAccess" is off

    @case:gate-off-device-in-use
    @DRA/feature-gate/admin-access-off-removes-field
    Scenario: With DRAAdminAccess off, a stored request with adminAccess does not get a device in use
      Given the devices
        | device |
        | d1     |
      And ResourceClaim "user" is already allocated
        | device |
        | d1     |
      And a ResourceClaim "admin" with the requests
        | request | adminAccess |
        | r0      | yes         |
      When allocation of ResourceClaim "admin" is attempted
      Then nothing is allocated
