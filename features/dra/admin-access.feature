Feature: Admin access
  A request with admin access is for maintenance and troubleshooting. It gets devices that others use, and takes
  nothing away from them.

  Rule: Devices in use are within reach

    @DRA/admin-access/reaches-devices-in-use @DRA/admin-access/flag-visible-to-driver
    Scenario: The only device is held by another claim
      Given the devices
        | device |
        | d1     |
      And claim "user" already holds
        | device |
        | d1     |
      And a claim "admin" with the requests
        | request | admin |
        | r0      | yes   |
      When allocation of claim "admin" is attempted
      Then claim "admin" gets exactly
        | request | device | admin |
        | r0      | d1     | yes   |

    @DRA/admin-access/reaches-devices-in-use
    Scenario: Without admin access the device is out of reach
      Given the devices
        | device |
        | d1     |
      And claim "user" already holds
        | device |
        | d1     |
      And a claim "c" with the requests
        | request | admin |
        | r0      |       |
      When allocation of claim "c" is attempted
      Then nothing fits because of DeviceInUse

    @DRA/admin-access/reaches-devices-in-use
    Scenario: Two devices of which one is in use
      Given the devices
        | device |
        | d1     |
        | d2     |
      And claim "user" already holds
        | device |
        | d2     |
      And a claim "admin" with the requests
        | request | admin | count |
        | r0      | yes   | 2     |
      When allocation of claim "admin" is attempted
      Then claim "admin" gets exactly
        | device | admin |
        | d1     | yes   |
        | d2     | yes   |

    @DRA/admin-access/reaches-devices-in-use
    Scenario: There are no more devices for admin access than there are
      Given the devices
        | device |
        | d1     |
      And claim "user" already holds
        | device |
        | d1     |
      And a claim "admin" with the requests
        | request | admin | count |
        | r0      | yes   | 2     |
      When allocation of claim "admin" is attempted
      Then nothing fits

    @DRA/admin-access/reaches-devices-in-use
    Scenario: Selectors hold for admin access too
      Given the devices
        | device | attribute color |
        | d1     | string black    |
      And claim "user" already holds
        | device |
        | d1     |
      And a claim "admin" with the requests
        | request | admin | selector                                              |
        | r0      | yes   | device.attributes["dra.example.com"].color == "white" |
      When allocation of claim "admin" is attempted
      Then nothing fits because of SelectorNotMatched

    @DRA/admin-access/reaches-devices-in-use
    Scenario: Admin access does not reach the devices of another node
      Given a node "n1"
      And a node "n2"
      And the devices
        | device | node |
        | d1     | n2   |
      And a claim "admin" with the requests
        | request | admin |
        | r0      | yes   |
      When allocation of claim "admin" on node "n1" is attempted
      Then nothing fits because of NodeMismatch

    @DRA/admin-access/reaches-devices-in-use
    Scenario: Constraints hold for admin access too
      Given the devices
        | device | attribute numa |
        | d1     | int 0          |
        | d2     | int 1          |
        | d3     | int 1          |
      And claim "user" already holds
        | device |
        | d2     |
        | d3     |
      And a claim "admin" with the requests
        | request | admin | count |
        | r0      | yes   | 2     |
      And claim "admin" needs matching "dra.example.com/numa"
      When allocation of claim "admin" is attempted
      Then claim "admin" gets exactly
        | device | admin |
        | d2     | yes   |
        | d3     | yes   |

    @DRA/admin-access/reaches-devices-in-use
    Scenario: A partition whose counters are used up
      Given the counter set
        | set   | counter memory |
        | gpu-0 | 8Gi            |
      And the devices
        | device | counters gpu-0 |
        | d1     | memory 8Gi     |
      And claim "user" already holds
        | device |
        | d1     |
      And a claim "admin" with the requests
        | request | admin |
        | r0      | yes   |
      When allocation of claim "admin" is attempted
      Then claim "admin" gets exactly
        | device | admin |
        | d1     | yes   |
      But since Kubernetes 1.35, because these releases charge counters for admin access as for any other: nothing fits

  Rule: The example asks for all devices

    Background:
      Given a node "n1"
      And a node "n2"
      And the devices
        | device | driver                      | pool  | node |
        | d1     | resource-driver.example.com | n1    | n1   |
        | d2     | resource-driver.example.com | n1    | n1   |
        | d3     | resource-driver.example.com | n1    | n1   |
        | d4     | other.example.com           | other | n2   |
      And claim "a" already holds
        | device | driver                      | pool |
        | d1     | resource-driver.example.com | n1   |
      And claim "b" already holds
        | device | driver                      | pool |
        | d2     | resource-driver.example.com | n1   |
      And a device class "resource.example.com" that selects
        """
        device.driver == "resource-driver.example.com"
        """
      And the fixture "large-black-cat-claim"

    @DRA/admin-access/all-mode-example @DRA/allocation-mode/all-needs-every-device-free
    Scenario: Two of three devices are in use
      When allocation of claim "large-black-cat-claim" on node "n1" is attempted
      Then claim "large-black-cat-claim" gets exactly
        | request | device | admin |
        | req-0   | d1     | yes   |
        | req-0   | d2     | yes   |
        | req-0   | d3     | yes   |

    @DRA/admin-access/all-mode-example
    Scenario: The node has no device of the class
      When allocation of claim "large-black-cat-claim" on node "n2" is attempted
      Then nothing fits because of SelectorNotMatched

    @DRA/admin-access/all-mode-example
    Scenario: Without admin access the same is refused
      Given a claim "c" asking all devices of class "resource.example.com"
      When allocation of claim "c" on node "n1" is attempted
      Then nothing fits because of DeviceInUse

  Rule: Admin access uses nothing up

    @DRA/admin-access/does-not-consume
    Scenario: A device given with admin access is free for an ordinary claim
      Given the devices
        | device |
        | d1     |
      And claim "admin" already holds
        | device | admin |
        | d1     | yes   |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | admin |
        | d1     | no    |

    @DRA/admin-access/does-not-consume
    Scenario: A device given with admin access and in use stays in use
      Given the devices
        | device |
        | d1     |
      And claim "admin" already holds
        | device | admin |
        | d1     | yes   |
      And claim "user" already holds
        | device |
        | d1     |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of DeviceInUse

    @DRA/admin-access/does-not-consume
    Scenario: All devices, one of them given with admin access
      Given the devices
        | device |
        | d1     |
        | d2     |
      And claim "admin" already holds
        | device | admin |
        | d1     | yes   |
      And a claim "c" asking all devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
        | d2     |

    @DRA/admin-access/does-not-consume
    Scenario: Two claims with admin access to one device
      Given the devices
        | device |
        | d1     |
      And claim "admin-1" already holds
        | device | admin |
        | d1     | yes   |
      And a claim "admin-2" with the requests
        | request | admin |
        | r0      | yes   |
      When allocation of claim "admin-2" is attempted
      Then claim "admin-2" gets exactly
        | device | admin |
        | d1     | yes   |

    @DRA/admin-access/does-not-consume
    Scenario: Two claims with admin access to one device at once
      Given the devices
        | device |
        | d1     |
      And a claim "admin-1" with the requests
        | request | admin |
        | r0      | yes   |
      And a claim "admin-2" with the requests
        | request | admin |
        | r0      | yes   |
      When allocation of the claims "admin-1, admin-2" together is attempted
      Then claim "admin-1" gets exactly
        | device | admin |
        | d1     | yes   |
      And claim "admin-2" gets exactly
        | device | admin |
        | d1     | yes   |

    @DRA/admin-access/does-not-consume
    Scenario: An ordinary claim and one with admin access at once, the ordinary one first
      Given the devices
        | device |
        | d1     |
      And a claim "user" asking 1 device
      And a claim "admin" with the requests
        | request | admin |
        | r0      | yes   |
      When allocation of the claims "user, admin" together is attempted
      Then claim "user" gets exactly
        | device | admin |
        | d1     | no    |
      And claim "admin" gets exactly
        | device | admin |
        | d1     | yes   |

    @DRA/admin-access/does-not-consume
    Scenario: An ordinary claim and one with admin access at once, the ordinary one last
      Given the devices
        | device |
        | d1     |
      And a claim "user" asking 1 device
      And a claim "admin" with the requests
        | request | admin |
        | r0      | yes   |
      When allocation of the claims "admin, user" together is attempted
      Then claim "admin" gets exactly
        | device | admin |
        | d1     | yes   |
      And claim "user" gets exactly
        | device | admin |
        | d1     | no    |
      But since Kubernetes 1.34, because a device taken with admin access counts as taken for the rest of the attempt: nothing fits

    @DRA/admin-access/does-not-consume
    Scenario: Counters of a partition given with admin access stay available
      Given the counter set
        | set   | counter memory |
        | gpu-0 | 8Gi            |
      And the devices
        | device | counters gpu-0 |
        | d1     | memory 6Gi     |
        | d2     | memory 6Gi     |
      And claim "admin" already holds
        | device | admin |
        | d1     | yes   |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets 1 device

  Rule: Admin access belongs to a request

    @DRA/admin-access/per-request
    Scenario: The ordinary request beside it finds nothing
      Given the devices
        | device |
        | d1     |
      And claim "user" already holds
        | device |
        | d1     |
      And a claim "c" with the requests
        | request | admin |
        | watch   | yes   |
        | work    |       |
      When allocation of claim "c" is attempted
      Then nothing fits

    @DRA/admin-access/per-request @DRA/admin-access/flag-visible-to-driver
    Scenario Outline: The ordinary request gets the free device, wherever it stands
      Given the devices
        | device |
        | d1     |
        | d2     |
      And claim "user" already holds
        | device |
        | d1     |
      And a claim "c" with the requests
        | request  | admin     |
        | <first>  | <admin>   |
        | <second> | <another> |
      When allocation of claim "c" is attempted
      Then claim "c" has the results
        | request | device | admin |
        | work    | d2     | no    |
        | watch   |        | yes   |
      And claim "c" gets 2 devices

      Examples:
        | first | admin | second | another |
        | watch | yes   | work   | no      |
        | work  | no    | watch  | yes     |

    @DRA/admin-access/per-request
    Scenario: Admin access that is explicitly off is an ordinary request
      Given the devices
        | device |
        | d1     |
      And a claim "c" with the requests
        | request | admin |
        | r0      | no    |
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | admin |
        | d1     | no    |

    @DRA/admin-access/per-request
    Scenario: Admin access that is explicitly off does not reach a device in use
      Given the devices
        | device |
        | d1     |
      And claim "user" already holds
        | device |
        | d1     |
      And a claim "c" with the requests
        | request | admin |
        | r0      | no    |
      When allocation of claim "c" is attempted
      Then nothing fits because of DeviceInUse

    @DRA/admin-access/flag-visible-to-driver
    Scenario: An ordinary allocation has no trace of admin access
      Given the devices
        | device |
        | d1     |
      And a claim "c" asking 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | admin |
        | d1     | no    |

    @DRA/admin-access/per-request @profile:since-1.34
    Scenario: In releases two requests of one claim do not get admin access to the same device
      Given the devices
        | device |
        | d1     |
      And a claim "c" with the requests
        | request | admin |
        | r0      | yes   |
        | r1      | yes   |
      When allocation of claim "c" is attempted
      Then nothing fits

  Rule: Without the feature there is no admin access

    Background:
      Given the feature gate "DRAAdminAccess" is off

    @DRA/feature-gate/admin-access-off-removes-field
    Scenario: A stored claim with admin access does not reach a device in use
      Given the devices
        | device |
        | d1     |
      And claim "user" already holds
        | device |
        | d1     |
      And a claim "admin" with the requests
        | request | admin |
        | r0      | yes   |
      When allocation of claim "admin" is attempted
      Then nothing is allocated
