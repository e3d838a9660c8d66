Feature: Admin access
  A request with admin access is for maintenance and troubleshooting. It gets devices that others use, and takes
  nothing away from them.

  Rule: Admin access reaches devices in use

    @DRA/admin-access/reaches-devices-in-use @DRA/admin-access/flag-visible-to-driver
    Scenario: A request with admin access gets a device that another claim holds
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

    @DRA/claim/exclusive-between-claims
    Scenario: A request without admin access does not get a device that another claim holds
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
    Scenario: A request with admin access for two devices gets one that is free and one that is in use
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
    Scenario: A request with admin access for two devices gets nothing where there is only one
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
    Scenario: A request with admin access does not get a device that its selector does not match
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

    @DRA/node-access/node-name
    Scenario: A request with admin access does not get a device of another node
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
    Scenario: A request with admin access gets two devices in use that meet the constraint of its claim
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
    Scenario: A request with admin access gets a partition in use whose counters are used up
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

  Rule: The example claim of the documentation gets all devices of its class

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
    Scenario: A request with admin access for all devices gets three of which two are in use
      When allocation of claim "large-black-cat-claim" on node "n1" is attempted
      Then claim "large-black-cat-claim" gets exactly
        | request | device | admin |
        | req-0   | d1     | yes   |
        | req-0   | d2     | yes   |
        | req-0   | d3     | yes   |

    @DRA/admin-access/all-mode-example
    Scenario: A request with admin access for all devices gets nothing on a node without a device of the class
      When allocation of claim "large-black-cat-claim" on node "n2" is attempted
      Then nothing fits because of SelectorNotMatched

    @DRA/allocation-mode/all-needs-every-device-free
    Scenario: A request without admin access for all devices gets nothing while two of three are in use
      Given a claim "c" requesting all devices of class "resource.example.com"
      When allocation of claim "c" on node "n1" is attempted
      Then nothing fits because of DeviceInUse

  Rule: Admin access uses nothing up

    @DRA/admin-access/does-not-consume
    Scenario: A device that a claim holds with admin access is free for an ordinary claim
      Given the devices
        | device |
        | d1     |
      And claim "admin" already holds
        | device | admin |
        | d1     | yes   |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | admin |
        | d1     | no    |

    @DRA/admin-access/does-not-consume
    Scenario: A device that is held with admin access and by an ordinary claim is not free for a third claim
      Given the devices
        | device |
        | d1     |
      And claim "admin" already holds
        | device | admin |
        | d1     | yes   |
      And claim "user" already holds
        | device |
        | d1     |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then nothing fits because of DeviceInUse

    @DRA/admin-access/does-not-consume
    Scenario: A request for all devices gets one that another claim holds with admin access
      Given the devices
        | device |
        | d1     |
        | d2     |
      And claim "admin" already holds
        | device | admin |
        | d1     | yes   |
      And a claim "c" requesting all devices
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device |
        | d1     |
        | d2     |

    @DRA/admin-access/does-not-consume
    Scenario: A second claim gets admin access to a device that a first holds with admin access
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
    Scenario: Two claims that are allocated together both get admin access to one device
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
    Scenario: An ordinary claim and, after it, one with admin access get the same device in one attempt
      Given the devices
        | device |
        | d1     |
      And a claim "user" requesting 1 device
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
    Scenario: A claim with admin access and, after it, an ordinary one get the same device in one attempt
      Given the devices
        | device |
        | d1     |
      And a claim "user" requesting 1 device
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
    Scenario: Counters of a partition that is held with admin access stay available to other claims
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
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets 1 device

  Rule: Admin access belongs to a request

    @DRA/admin-access/per-request
    Scenario: A claim with admin access in one request gets nothing if its other request finds no free device
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
    Scenario Outline: Of two requests with admin access <admin> and <another> the ordinary one gets the free device
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
    Scenario: A request with adminAccess false gets a free device without admin access
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
    Scenario: A request with adminAccess false does not get a device in use
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
    Scenario: The allocation of an ordinary request has no trace of admin access
      Given the devices
        | device |
        | d1     |
      And a claim "c" requesting 1 device
      When allocation of claim "c" is attempted
      Then claim "c" gets exactly
        | device | admin |
        | d1     | no    |

    @DRA/admin-access/per-request @profile:since-1.34
    Scenario: Two requests of one claim do not get admin access to the same device in releases
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
    Scenario: A stored claim with admin access does not get a device in use while DRAAdminAccess is off
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
