Feature: A driver prepares allocated devices for containers

  Rule: The response has the allocated devices

    @case:two-devices-of-a-request
    @DRIVER/prepare/devices @DRIVER/prepare/requests @DRIVER/prepare/in-time
    Scenario: A ResourceClaim with two devices of a request is prepared with both devices
      Given a driver with 3 devices
      And ResourceClaim "c" is allocated devices 1 and 3 of the driver
      When the kubelet prepares ResourceClaim "c"
      Then ResourceClaim "c" is prepared with devices 1, 3

    @case:six-devices-of-a-request
    @DRIVER/prepare/devices @DRIVER/prepare/in-time
    Scenario: A ResourceClaim with six devices of a request is prepared with all six devices
      Given a driver with 6 devices
      And ResourceClaim "c" is allocated devices 1, 2, 3, 4, 5 and 6 of the driver
      When the kubelet prepares ResourceClaim "c"
      Then ResourceClaim "c" is prepared with devices 1, 2, 3, 4, 5, 6
      And a container runtime finds the CDI devices of ResourceClaim "c"

    @case:reallocated-claim
    @DRIVER/prepare/devices
    Scenario: A ResourceClaim that is allocated another device is prepared with the new device
      Given a driver with 2 devices
      And ResourceClaim "c" is allocated device 1 of the driver
      When the kubelet prepares ResourceClaim "c"
      Then ResourceClaim "c" is prepared with device 1
      When the kubelet unprepares ResourceClaim "c"
      And ResourceClaim "c" is deallocated, and allocated device 2 of the driver
      And the kubelet prepares ResourceClaim "c"
      Then ResourceClaim "c" is prepared with device 2
      And a container runtime finds the CDI devices of ResourceClaim "c"

    @case:prepared-after-unprepare
    @DRIVER/prepare/devices @DRIVER/prepare/cdi-resolves
    Scenario: A ResourceClaim that was unprepared is prepared again with its CDI devices
      Given a driver with 1 device
      And ResourceClaim "c" is allocated device 1 of the driver
      When the kubelet prepares ResourceClaim "c"
      And the kubelet unprepares ResourceClaim "c"
      Then ResourceClaim "c" is unprepared
      When the kubelet prepares ResourceClaim "c"
      Then ResourceClaim "c" is prepared with device 1
      And a container runtime finds the CDI devices of ResourceClaim "c"

    @case:two-claims-of-a-call
    @DRIVER/prepare/one-entry-each @DRIVER/prepare/devices
    Scenario: A NodePrepareResources call for two ResourceClaims returns the devices of each
      Given a driver with 2 devices
      And ResourceClaim "a" is allocated device 2 of the driver
      And ResourceClaim "b" is allocated device 1 of the driver
      When the kubelet prepares ResourceClaims "a, b"
      Then ResourceClaim "a" is prepared with device 2
      And ResourceClaim "b" is prepared with device 1

    @case:four-claims-of-a-call
    @DRIVER/prepare/one-entry-each
    Scenario: A NodePrepareResources call for four ResourceClaims returns an entry for each
      Given a driver with 4 devices
      And ResourceClaim "a" is allocated device 1 of the driver
      And ResourceClaim "b" is allocated device 2 of the driver
      And ResourceClaim "c" is allocated device 3 of the driver
      And ResourceClaim "d" is allocated device 4 of the driver
      When the kubelet prepares ResourceClaims "a, b, c, d"
      Then ResourceClaim "a" is prepared with device 1
      And ResourceClaim "b" is prepared with device 2
      And ResourceClaim "c" is prepared with device 3
      And ResourceClaim "d" is prepared with device 4

    @case:reallocated-before-the-first-call
    @DRIVER/prepare/devices
    Scenario: A ResourceClaim that is reallocated before it is prepared gets the new device
      Given a driver with 2 devices
      And ResourceClaim "c" is allocated device 1 of the driver
      When nothing happens for 5 seconds
      And ResourceClaim "c" is deallocated, and allocated device 2 of the driver
      And the kubelet prepares ResourceClaim "c"
      Then ResourceClaim "c" is prepared with device 2

    @case:one-claim-of-two
    @DRIVER/prepare/one-entry-each
    Scenario: A NodePrepareResources call for one ResourceClaim returns no entry for another claim
      Given a driver with 2 devices
      And ResourceClaim "a" is allocated device 1 of the driver
      And ResourceClaim "b" is allocated device 2 of the driver
      When the kubelet prepares ResourceClaim "a"
      And the kubelet prepares ResourceClaim "b"
      Then ResourceClaim "b" is prepared with device 2

    @case:one-name-in-two-namespaces
    @DRIVER/prepare/by-uid
    Scenario: Two ResourceClaims of the same name in two namespaces get their own devices
      Given a driver with 2 devices
      And ResourceClaim "c" is allocated device 1 of the driver
      And ResourceClaim "other/c" is allocated device 2 of the driver
      When the kubelet prepares ResourceClaim "c"
      Then ResourceClaim "c" is prepared with device 1
      When the kubelet prepares ResourceClaim "other/c"
      Then ResourceClaim "other/c" is prepared with device 2
      And a container runtime finds the CDI devices of ResourceClaim "c"
      And a container runtime finds the CDI devices of ResourceClaim "other/c"
      When the driver is killed and started again
      And the kubelet prepares ResourceClaims "c, other/c"
      Then each answer for ResourceClaim "c" is the same as before
      And each answer for ResourceClaim "other/c" is the same as before

    @case:recreated-claim
    @DRIVER/prepare/by-uid
    Scenario: A ResourceClaim that is recreated with the same name gets its own device
      Given a driver with 2 devices
      And ResourceClaim "c" is allocated device 1 of the driver
      When the kubelet prepares ResourceClaim "c"
      Then ResourceClaim "c" is prepared with device 1
      When ResourceClaim "c" is deleted, and created again with device 2 of the driver
      And the kubelet prepares ResourceClaim "c"
      Then ResourceClaim "c" is prepared with device 2
      And a container runtime finds the CDI devices of ResourceClaim "c"

    @case:earlier-claim-unprepared
    @DRIVER/prepare/by-uid
    Scenario: A ResourceClaim stays prepared when its deleted predecessor of that name is unprepared
      Given a driver with 2 devices
      And ResourceClaim "c" is allocated device 1 of the driver
      When the kubelet prepares ResourceClaim "c"
      And ResourceClaim "c" is deleted, and created again with device 2 of the driver
      And the kubelet prepares ResourceClaim "c"
      Then ResourceClaim "c" is prepared with device 2
      When the kubelet unprepares the earlier ResourceClaim "c"
      Then ResourceClaim "c" is unprepared
      And a container runtime finds the CDI devices of ResourceClaim "c"
      When the kubelet prepares ResourceClaim "c"
      Then each answer for ResourceClaim "c" is the same as before
      And a container runtime finds the CDI devices of ResourceClaim "c"

    @case:similar-names-in-two-namespaces
    @DRIVER/prepare/by-uid
    Scenario: ResourceClaims whose namespaces and names are similar are prepared independently
      Given a driver with 2 devices
      And ResourceClaim "a/b-c" is allocated device 1 of the driver
      And ResourceClaim "a-b/c" is allocated device 2 of the driver
      When the kubelet prepares ResourceClaim "a/b-c"
      And the kubelet prepares ResourceClaim "a-b/c"
      Then ResourceClaim "a-b/c" is prepared with device 2
      And a container runtime finds the CDI devices of ResourceClaim "a/b-c"
      And a container runtime finds the CDI devices of ResourceClaim "a-b/c"
      When the kubelet unprepares ResourceClaim "a/b-c"
      Then a container runtime finds the CDI devices of ResourceClaim "a-b/c"

    @case:subrequest
    @DRIVER/prepare/requests
    Scenario: A prepared device of a subrequest has the name of the request, not of the subrequest
      Given a driver with 1 device
      And ResourceClaim "c" has the allocated devices
        | request | device |
        | gpu/big | 1      |
      When the kubelet prepares ResourceClaim "c"
      Then ResourceClaim "c" is prepared with the devices
        | device | request |
        | 1      | gpu     |

    @case:two-subrequests
    @DRIVER/prepare/requests @DRIVER/prepare/each-request-its-own
    Scenario: Each prepared device of two subrequests has the name of its own request
      Given a driver with 3 devices
      And ResourceClaim "c" has the allocated devices
        | request     | device |
        | left/big    | 2      |
        | right/small | 1      |
        | right/small | 3      |
      When the kubelet prepares ResourceClaim "c"
      Then ResourceClaim "c" is prepared with the devices
        | device | request |
        | 2      | left    |
        | 1      | right   |
        | 3      | right   |

    @case:two-requests
    @DRIVER/prepare/each-request-its-own
    Scenario: Each of two requests of a ResourceClaim is prepared with its own device
      Given a driver with 2 devices
      And ResourceClaim "c" has the allocated devices
        | request | device |
        | left    | 2      |
        | right   | 1      |
      When the kubelet prepares ResourceClaim "c"
      Then ResourceClaim "c" is prepared with the devices
        | device | request |
        | 2      | left    |
        | 1      | right   |

    @case:device-of-another-driver
    @DRIVER/prepare/other-drivers
    Scenario: The NodePrepareResources response leaves out devices of other drivers
      Given a driver with 1 device
      And ResourceClaim "c" has the allocated devices
        | request | device | driver            |
        | r0      | 1      |                   |
        | r1      | nic-0  | other.example.com |
      When the kubelet prepares ResourceClaim "c"
      Then ResourceClaim "c" is prepared with device 1

    @case:equal-device-of-another-driver
    @DRIVER/prepare/other-drivers
    Scenario: The response leaves out another driver's device with an equal pool and name
      Given a driver with 2 devices
      And ResourceClaim "c" has the allocated devices
        | request | device | driver            | pool |
        | r0      | 2      | other.example.com | own  |
        | r1      | 1      |                   |      |
        | r2      | 1      | other.example.com | own  |
      When the kubelet prepares ResourceClaim "c"
      Then ResourceClaim "c" is prepared with the devices
        | device | request |
        | 1      | r1      |

    @case:device-of-another-driver-in-two-claims
    @DRIVER/prepare/other-drivers
    Scenario: Two ResourceClaims with one device of another driver are prepared
      Given a driver with 2 devices
      And ResourceClaim "a" has the allocated devices
        | request | device | driver            |
        | r0      | 1      |                   |
        | r1      | nic-0  | other.example.com |
      And ResourceClaim "b" has the allocated devices
        | request | device | driver            |
        | r0      | 2      |                   |
        | r1      | nic-0  | other.example.com |
      When the kubelet prepares ResourceClaims "a, b"
      Then ResourceClaim "a" is prepared with device 1
      And ResourceClaim "b" is prepared with device 2

    @case:configuration-of-another-driver
    @DRIVER/prepare/other-configs
    Scenario: A ResourceClaim with the configuration of another driver is prepared
      Given a driver with 1 device
      And ResourceClaim "c" is allocated device 1 of the driver with another driver's configuration
      When the kubelet prepares ResourceClaim "c"
      Then ResourceClaim "c" is prepared with device 1

    @case:configuration-of-the-class
    @DRIVER/prepare/class-configs
    Scenario: A ResourceClaim is prepared if the configuration of its DeviceClass is valid
      Given a driver with 1 device
      And ResourceClaim "c" is allocated device 1 of the driver with a valid configuration of its DeviceClass
      When the kubelet prepares ResourceClaim "c"
      Then ResourceClaim "c" is prepared with device 1

    @case:invalid-configuration-of-the-class
    @DRIVER/prepare/class-configs
    Scenario: Preparing a ResourceClaim fails if the configuration of its DeviceClass is invalid
      Given a driver with 1 device
      And ResourceClaim "c" is allocated device 1 of the driver with an invalid configuration of its DeviceClass
      When the kubelet prepares ResourceClaim "c"
      Then preparing ResourceClaim "c" fails

    @case:invalid-configuration-of-the-class-of-a-subrequest
    @DRIVER/prepare/class-configs
    Scenario: Preparing a device of a subrequest fails if the config of its DeviceClass is invalid
      Given a driver with 1 device
      And ResourceClaim "c" has the allocated devices and an invalid configuration of its DeviceClass
        | request | device |
        | gpu/big | 1      |
      When the kubelet prepares ResourceClaim "c"
      Then preparing ResourceClaim "c" fails

    @case:shares-of-a-device
    @DRIVER/prepare/shares
    Scenario: Two shared allocations of a device are prepared with their share IDs
      Given a driver with 1 device that offers shares
      And ResourceClaim "a" has the allocated device
        | device | share |
        | 1      | 1     |
      And ResourceClaim "b" has the allocated device
        | device | share |
        | 1      | 2     |
      When the kubelet prepares ResourceClaim "a"
      Then ResourceClaim "a" is prepared with the devices
        | device | share |
        | 1      | 1     |
      When the kubelet prepares ResourceClaim "b"
      Then ResourceClaim "b" is prepared with the devices
        | device | share |
        | 1      | 2     |
      And a container runtime finds the CDI devices of ResourceClaim "a"
      And a container runtime finds the CDI devices of ResourceClaim "b"

    @case:shares-in-one-claim
    @DRIVER/prepare/shares
    Scenario: Two shared allocations of a device in one ResourceClaim are prepared with their share IDs
      Given a driver with 1 device that offers shares
      And ResourceClaim "c" has the allocated devices
        | request | device | share |
        | r0      | 1      | 1     |
        | r1      | 1      | 2     |
      When the kubelet prepares ResourceClaim "c"
      Then ResourceClaim "c" is prepared with the devices
        | device | request | share |
        | 1      | r0      | 1     |
        | 1      | r1      | 2     |
      And a container runtime finds the CDI devices of ResourceClaim "c"

    @case:shares-after-restart
    @DRIVER/prepare/same-after-restart @DRIVER/prepare/shares
    Scenario: Two shared allocations of a device have the same share IDs after a driver restart
      Given a driver with 1 device that offers shares
      And ResourceClaim "a" has the allocated device
        | device | share |
        | 1      | 1     |
      And ResourceClaim "b" has the allocated device
        | device | share |
        | 1      | 2     |
      When the kubelet prepares ResourceClaims "a, b"
      And the driver is killed and started again
      And the kubelet prepares ResourceClaims "a, b"
      Then each answer for ResourceClaim "a" is the same as before
      And each answer for ResourceClaim "b" is the same as before

    @case:three-shares-of-a-device
    @DRIVER/prepare/shares
    Scenario: A third ResourceClaim is prepared with a shared device, even after one is unprepared
      Given a driver with 1 device that offers shares
      And ResourceClaim "a" has the allocated device
        | device | share |
        | 1      | 1     |
      And ResourceClaim "b" has the allocated device
        | device | share |
        | 1      | 2     |
      And ResourceClaim "c" has the allocated device
        | device | share |
        | 1      | 3     |
      When the kubelet prepares ResourceClaim "a"
      And the kubelet prepares ResourceClaim "b"
      And the kubelet prepares ResourceClaim "c"
      Then ResourceClaim "c" is prepared with the devices
        | device | share |
        | 1      | 3     |
      And a container runtime finds the CDI devices of ResourceClaim "a"
      And a container runtime finds the CDI devices of ResourceClaim "b"
      And a container runtime finds the CDI devices of ResourceClaim "c"
      When the kubelet unprepares ResourceClaim "a"
      Then ResourceClaim "a" is unprepared
      And a container runtime finds the CDI devices of ResourceClaim "b"
      And a container runtime finds the CDI devices of ResourceClaim "c"
      When the kubelet prepares ResourceClaim "a"
      Then ResourceClaim "a" is prepared with the devices
        | device | share |
        | 1      | 1     |

    @case:three-shares-of-a-call
    @DRIVER/prepare/shares
    Scenario: One call prepares three shared allocations of a device with their share IDs
      Given a driver with 1 device that offers shares
      And ResourceClaim "a" has the allocated devices
        | request | device | share |
        | r0      | 1      | 1     |
        | r1      | 1      | 2     |
      And ResourceClaim "b" has the allocated device
        | device | share |
        | 1      | 3     |
      When the kubelet prepares ResourceClaims "a, b"
      Then ResourceClaim "a" is prepared with the devices
        | device | request | share |
        | 1      | r0      | 1     |
        | 1      | r1      | 2     |
      And ResourceClaim "b" is prepared with the devices
        | device | share |
        | 1      | 3     |

    @case:shares-of-the-older-service
    @DRIVER/prepare/shares @DRIVER/prepare/older-service
    Scenario: A shared allocation that v1beta1.DRAPlugin prepared has its share ID in v1.DRAPlugin
      Given a driver with 1 device that offers shares and older service
      And ResourceClaim "a" has the allocated device
        | device | share |
        | 1      | 1     |
      When the kubelet prepares ResourceClaim "a" by the service v1beta1.DRAPlugin
      Then a container runtime finds the CDI devices of ResourceClaim "a"
      When the kubelet prepares ResourceClaim "a"
      Then ResourceClaim "a" is prepared with the devices
        | device | share |
        | 1      | 1     |

    @case:known-subrequest
    @DRIVER/prepare/idempotent @DRIVER/prepare/requests
    Scenario: A device of a subrequest also has the name of the request when it is prepared again
      Given a driver with 1 device
      And ResourceClaim "c" has the allocated device
        | request | device |
        | gpu/big | 1      |
      When the kubelet prepares ResourceClaim "c"
      And the kubelet prepares ResourceClaim "c"
      Then ResourceClaim "c" is prepared with the devices
        | device | request |
        | 1      | gpu     |
      When the driver is killed and started again
      And the kubelet prepares ResourceClaim "c"
      Then ResourceClaim "c" is prepared with the devices
        | device | request |
        | 1      | gpu     |

    @case:known-and-new-claim
    @DRIVER/prepare/one-entry-each @DRIVER/prepare/idempotent
    Scenario: A call for a prepared and a new ResourceClaim returns the devices of both
      Given a driver with 3 devices
      And ResourceClaim "a" is allocated devices 1 and 3 of the driver
      And ResourceClaim "b" is allocated device 2 of the driver
      When the kubelet prepares ResourceClaim "a"
      And the kubelet prepares ResourceClaims "b, a"
      Then ResourceClaim "a" is prepared with the devices
        | device |
        | 1      |
        | 3      |
      And ResourceClaim "b" is prepared with device 2

    @case:prepared-again-after-restart
    @DRIVER/prepare/devices
    Scenario: A ResourceClaim that was unprepared before a driver restart is prepared again
      Given a driver with 1 device
      And ResourceClaim "c" is allocated device 1 of the driver
      When the kubelet prepares ResourceClaim "c"
      And the kubelet unprepares ResourceClaim "c"
      And the driver is killed and started again
      And the kubelet prepares ResourceClaim "c"
      Then ResourceClaim "c" is prepared with device 1
      And a container runtime finds the CDI devices of ResourceClaim "c"

    @case:class-configuration-of-another-driver
    @DRIVER/prepare/other-configs
    Scenario: A ResourceClaim whose DeviceClass has the configuration of another driver is prepared
      Given a driver with 1 device
      And ResourceClaim "c" is allocated device 1 of the driver with another driver's configuration of its DeviceClass
      When the kubelet prepares ResourceClaim "c"
      Then ResourceClaim "c" is prepared with device 1

    @case:monitor-of-an-earlier-user
    @DRIVER/prepare/admin
    Scenario: A ResourceClaim with adminAccess gets a device prepared before a driver restart
      Given a driver with 1 device
      And ResourceClaim "user" is allocated device 1 of the driver
      And ResourceClaim "monitor" is allocated device 1 of the driver with admin access
      When the kubelet prepares ResourceClaim "user"
      And the driver is killed and started again
      And the kubelet prepares ResourceClaim "monitor"
      Then ResourceClaim "monitor" is prepared with device 1

    @case:older-service-after-restart
    @DRIVER/prepare/in-use-after-restart @DRIVER/prepare/older-service
    Scenario: A device that v1beta1.DRAPlugin prepared is in use after a driver restart
      Given a driver with 1 device that offers exclusive devices and older service
      And ResourceClaim "a" is allocated device 1 of the driver
      And ResourceClaim "b" is allocated device 1 of the driver
      When the kubelet prepares ResourceClaim "a" by the service v1beta1.DRAPlugin
      And the driver is killed and started again
      And the kubelet prepares ResourceClaim "b"
      Then preparing ResourceClaim "b" fails

    @case:older-service
    @DRIVER/prepare/older-service
    Scenario: The service v1beta1.DRAPlugin returns the same response as v1.DRAPlugin
      Given a driver with 1 device that offers older service
      And ResourceClaim "c" is allocated device 1 of the driver
      When the kubelet prepares ResourceClaim "c"
      And the kubelet prepares ResourceClaim "c" by the service v1beta1.DRAPlugin
      Then each answer for ResourceClaim "c" is the same as before, but for share IDs

    @case:two-requests-of-the-older-service
    @DRIVER/prepare/older-service
    Scenario: The service v1beta1.DRAPlugin returns the devices of two requests
      Given a driver with 2 devices that offers older service
      And ResourceClaim "c" has the allocated devices
        | request   | device |
        | left      | 2      |
        | right/any | 1      |
      When the kubelet prepares ResourceClaim "c" by the service v1beta1.DRAPlugin
      Then ResourceClaim "c" is prepared with the devices
        | device | request |
        | 2      | left    |
        | 1      | right   |
      And a container runtime finds the CDI devices of ResourceClaim "c"

    @case:admin-access
    @DRIVER/prepare/admin
    Scenario: A ResourceClaim with adminAccess is prepared with a device that is in use
      Given a driver with 1 device
      And ResourceClaim "user" is allocated device 1 of the driver
      And ResourceClaim "admin" is allocated device 1 of the driver with admin access
      When the kubelet prepares ResourceClaim "user"
      And the kubelet prepares ResourceClaim "admin"
      Then ResourceClaim "admin" is prepared with device 1
      And a container runtime finds the CDI devices of ResourceClaim "user"

    @case:two-monitors
    @DRIVER/prepare/admin
    Scenario: Two ResourceClaims with adminAccess are prepared with one device
      Given a driver with 1 device
      And ResourceClaim "first" is allocated device 1 of the driver with admin access
      And ResourceClaim "second" is allocated device 1 of the driver with admin access
      When the kubelet prepares ResourceClaim "first"
      And the kubelet prepares ResourceClaim "second"
      Then ResourceClaim "second" is prepared with device 1
      And a container runtime finds the CDI devices of ResourceClaim "first"
      And a container runtime finds the CDI devices of ResourceClaim "second"

    @case:device-of-a-monitor
    @DRIVER/prepare/admin
    Scenario: A device of a ResourceClaim with adminAccess is prepared for another ResourceClaim
      Given a driver with 1 device
      And ResourceClaim "monitor" is allocated device 1 of the driver with admin access
      And ResourceClaim "b" is allocated device 1 of the driver
      When the kubelet prepares ResourceClaim "monitor"
      And the kubelet prepares ResourceClaim "b"
      Then ResourceClaim "b" is prepared with device 1

    @case:device-of-a-monitor-after-restart
    @DRIVER/prepare/admin
    Scenario: A device of a ResourceClaim with adminAccess stays free after a driver restart
      Given a driver with 1 device
      And ResourceClaim "monitor" is allocated device 1 of the driver with admin access
      And ResourceClaim "b" is allocated device 1 of the driver
      When the kubelet prepares ResourceClaim "monitor"
      And the driver is killed and started again
      And the kubelet prepares ResourceClaim "b"
      Then ResourceClaim "b" is prepared with device 1

    @case:parallel-calls
    @DRIVER/prepare/parallel
    Scenario: Four ResourceClaims are prepared in parallel with their own devices
      Given a driver with 4 devices
      And ResourceClaim "a" is allocated device 1 of the driver
      And ResourceClaim "b" is allocated device 2 of the driver
      And ResourceClaim "c" is allocated device 3 of the driver
      And ResourceClaim "d" is allocated device 4 of the driver
      When the kubelet prepares ResourceClaims "a, b, c, d" 3 times in parallel
      Then ResourceClaim "a" is prepared with device 1
      And ResourceClaim "b" is prepared with device 2
      And ResourceClaim "c" is prepared with device 3
      And ResourceClaim "d" is prepared with device 4
      And a container runtime finds the CDI devices of ResourceClaim "a"
      And a container runtime finds the CDI devices of ResourceClaim "d"
      When the driver is killed and started again
      And the kubelet prepares ResourceClaims "a, b, c, d"
      Then each answer for ResourceClaim "a" is the same as before
      And each answer for ResourceClaim "b" is the same as before
      And each answer for ResourceClaim "c" is the same as before
      And each answer for ResourceClaim "d" is the same as before

    @case:parallel-unprepare-calls
    @DRIVER/prepare/parallel
    Scenario: Four ResourceClaims are unprepared in parallel, and their devices are free
      Given a driver with 4 devices
      And ResourceClaim "a" is allocated device 1 of the driver
      And ResourceClaim "b" is allocated device 2 of the driver
      And ResourceClaim "c" is allocated device 3 of the driver
      And ResourceClaim "d" is allocated device 4 of the driver
      And ResourceClaim "e" is allocated devices 1, 2, 3 and 4 of the driver
      When the kubelet prepares ResourceClaims "a, b, c, d"
      And the kubelet unprepares ResourceClaims "a, b, c, d" in parallel
      Then ResourceClaim "a" is unprepared
      And ResourceClaim "d" is unprepared
      And no CDI device of ResourceClaim "a" is left
      And no CDI device of ResourceClaim "b" is left
      And no CDI device of ResourceClaim "c" is left
      And no CDI device of ResourceClaim "d" is left
      When the kubelet prepares ResourceClaim "e"
      Then ResourceClaim "e" is prepared with devices 1, 2, 3, 4

    @case:parallel-calls-for-one-device
    @DRIVER/prepare/in-use
    Scenario: Parallel calls do not prepare one device for two ResourceClaims
      Given a driver with 1 device that offers exclusive devices
      And ResourceClaim "a" is allocated device 1 of the driver
      And ResourceClaim "b" is allocated device 1 of the driver
      When the kubelet prepares ResourceClaims "a, b" in parallel
      Then at most one of the ResourceClaims "a, b" is prepared

  Rule: A prepared ResourceClaim can be prepared again

    @case:prepared-again
    @DRIVER/prepare/idempotent @DRIVER/prepare/third-time
    Scenario: A ResourceClaim that is prepared four times gets the same devices each time
      Given a driver with 2 devices
      And ResourceClaim "c" is allocated device 1 of the driver
      When the kubelet prepares ResourceClaim "c"
      Then ResourceClaim "c" is prepared with device 1
      When the kubelet prepares ResourceClaim "c" 3 times
      Then each answer for ResourceClaim "c" is the same as before
      And the CDI devices are unchanged

    @case:prepared-after-restart
    @DRIVER/prepare/same-after-restart
    Scenario Outline: A ResourceClaim gets the same devices after the driver was <how> and started again
      Given a driver with 2 devices
      And ResourceClaim "c" is allocated device 2 of the driver
      When the kubelet prepares ResourceClaim "c"
      And the driver is <how> and started again
      And the kubelet prepares ResourceClaim "c"
      Then each answer for ResourceClaim "c" is the same as before
      And a container runtime finds the CDI devices of ResourceClaim "c"

      Examples:
        | how        |
        | killed     |
        | terminated |

    @case:two-devices-after-restart
    @DRIVER/prepare/same-after-restart
    Scenario: A ResourceClaim of two requests gets the same devices after a driver restart
      Given a driver with 3 devices
      And ResourceClaim "c" has the allocated devices
        | request    | device |
        | left       | 2      |
        | right/any  | 1      |
        | right/any  | 3      |
      When the kubelet prepares ResourceClaim "c"
      Then ResourceClaim "c" is prepared with the devices
        | device | request |
        | 2      | left    |
        | 1      | right   |
        | 3      | right   |
      When the driver is killed and started again
      And the kubelet prepares ResourceClaim "c" 2 times
      Then each answer for ResourceClaim "c" is the same as before
      And a container runtime finds the CDI devices of ResourceClaim "c"

    @case:cdi-devices-after-restart
    @DRIVER/restart/serves-running-pods
    Scenario Outline: CDI devices are unchanged after the driver was <how> and started again
      Given a driver with 2 devices
      And ResourceClaim "c" is allocated device 2 of the driver
      And ResourceClaim "d" is allocated device 1 of the driver
      When the kubelet prepares ResourceClaim "c"
      And the kubelet prepares ResourceClaim "d"
      And the driver is <how> and started again
      Then the CDI devices are unchanged

      Examples:
        | how        |
        | killed     |
        | terminated |

    @case:prepared-before-published
    @DRIVER/prepare/not-after-publishing
    Scenario: A restarted driver prepares a ResourceClaim after its ResourceSlices were deleted
      Given a driver with 1 device
      And ResourceClaim "c" is allocated device 1 of the driver
      When the driver is killed
      And another client deletes the ResourceSlices of the driver
      And the driver is started
      And the kubelet prepares ResourceClaim "c"
      Then ResourceClaim "c" is prepared with device 1

  Rule: A ResourceClaim that cannot be prepared has an error

    @case:error-of-one-claim
    @DRIVER/prepare/error-per-claim
    Scenario: An unknown device in one of two ResourceClaims fails the call or only that ResourceClaim
      Given a driver with 2 devices
      And ResourceClaim "a" is allocated device "no-such-device" of the driver
      And ResourceClaim "b" is allocated device 2 of the driver
      When the kubelet prepares ResourceClaims "a, b"
      Then preparing ResourceClaim "a" fails
      And ResourceClaim "b" is prepared with device 2, unless the call fails

    @case:error-beside-a-prepared-claim
    @DRIVER/prepare/error-per-claim
    Scenario: A prepared ResourceClaim keeps its CDI devices when another one in the call is rejected
      Given a driver with 2 devices
      And ResourceClaim "a" is allocated device 1 of the driver
      And ResourceClaim "b" is allocated device "no-such-device" of the driver
      When the kubelet prepares ResourceClaim "a"
      Then ResourceClaim "a" is prepared with device 1
      When the kubelet prepares ResourceClaims "a, b"
      Then preparing ResourceClaim "b" fails
      And a container runtime finds the CDI devices of ResourceClaim "a"

    @case:error-after-a-new-claim
    @DRIVER/prepare/error-per-claim
    Scenario: A ResourceClaim keeps its CDI devices when a later one in the same call is rejected
      Given a driver with 2 devices
      And ResourceClaim "a" is allocated device 1 of the driver
      And ResourceClaim "b" is allocated device "no-such-device" of the driver
      When the kubelet prepares ResourceClaims "a, b"
      Then preparing ResourceClaim "b" fails
      And ResourceClaim "a" is prepared with device 1, unless the call fails
      And a container runtime finds the CDI devices of ResourceClaim "a", unless the call fails

    @case:invalid-configuration
    @DRIVER/prepare/error-per-claim
    Scenario: Invalid config in one of two ResourceClaims fails the call or only that ResourceClaim
      Given a driver with 2 devices
      And ResourceClaim "a" is allocated device 1 of the driver with an invalid configuration
      And ResourceClaim "b" is allocated device 2 of the driver with a valid configuration
      When the kubelet prepares ResourceClaims "a, b"
      Then preparing ResourceClaim "a" fails
      And ResourceClaim "b" is prepared with device 2, unless the call fails

    @case:invalid-configuration-after-that-of-the-class
    @DRIVER/prepare/error-per-claim
    Scenario: Preparing a ResourceClaim with invalid config and a valid DeviceClass config fails
      Given a driver with 1 device
      And ResourceClaim "c" is allocated device 1 of the driver with a valid configuration of its DeviceClass and an invalid configuration of its own
      When the kubelet prepares ResourceClaim "c"
      Then preparing ResourceClaim "c" fails

    @case:invalid-configuration-of-a-request
    @DRIVER/prepare/request-configs
    Scenario: Preparing a device of a subrequest fails if the config of its request is invalid
      Given a driver with 2 devices
      And ResourceClaim "c" has the allocated devices and an invalid configuration of request "right"
        | request   | device |
        | left      | 2      |
        | right/any | 1      |
      When the kubelet prepares ResourceClaim "c"
      Then preparing ResourceClaim "c" fails

    @case:unknown-device
    @DRIVER/prepare/unknown-device
    Scenario: Preparing a device that the driver does not have fails
      Given a driver with 1 device
      And ResourceClaim "c" is allocated device "no-such-device" of the driver
      When the kubelet prepares ResourceClaim "c"
      Then preparing ResourceClaim "c" fails

    @case:device-gone
    @DRIVER/prepare/unknown-device
    Scenario: Preparing a device that the driver had before it was started again fails
      Given a driver with 1 device
      And ResourceClaim "c" is allocated device 1 of the driver
      When the driver is killed and started again without devices
      And the kubelet prepares ResourceClaim "c"
      Then preparing ResourceClaim "c" fails

    @case:device-with-a-similar-name
    @DRIVER/prepare/unknown-device
    Scenario Outline: Preparing a device whose name <has> that of a known device fails
      Given a driver with 1 device
      And ResourceClaim "c" is allocated device "<device>" of the driver
      When the kubelet prepares ResourceClaim "c"
      Then preparing ResourceClaim "c" fails

      @key:device
      Examples:
        | has         | device |
        | begins with | own-x  |
        | ends with   | x-own  |

    @case:unknown-device-with-admin-access
    @DRIVER/prepare/unknown-device
    Scenario: Preparing a device that the driver does not have also fails with adminAccess
      Given a driver with 1 device
      And ResourceClaim "monitor" is allocated device "no-such-device" of the driver with admin access
      When the kubelet prepares ResourceClaim "monitor"
      Then preparing ResourceClaim "monitor" fails

    @case:unknown-device-of-the-older-service
    @DRIVER/prepare/unknown-device
    Scenario: The service v1beta1.DRAPlugin rejects a device that the driver does not have
      Given a driver with 1 device that offers older service
      And ResourceClaim "c" is allocated device "no-such-device" of the driver
      When the kubelet prepares ResourceClaim "c" by the service v1beta1.DRAPlugin
      Then preparing ResourceClaim "c" fails

    @case:invalid-configuration-of-the-older-service
    @DRIVER/prepare/older-service
    Scenario: The service v1beta1.DRAPlugin rejects a ResourceClaim with invalid config
      Given a driver with 1 device that offers older service
      And ResourceClaim "c" is allocated device 1 of the driver with an invalid configuration
      When the kubelet prepares ResourceClaim "c" by the service v1beta1.DRAPlugin
      Then preparing ResourceClaim "c" fails

    @case:share-of-an-unknown-device
    @DRIVER/prepare/unknown-device
    Scenario: Preparing a shared allocation of a device that the driver does not have fails
      Given a driver with 1 device that offers shares
      And ResourceClaim "c" has the allocated devices
        | request | device         | share |
        | r0      | 1              | 1     |
        | r1      | no-such-device | 2     |
      When the kubelet prepares ResourceClaim "c"
      Then preparing ResourceClaim "c" fails

    @case:unknown-pool
    @DRIVER/prepare/unknown-pool
    Scenario: Preparing a device of an unknown pool with the name of a known device fails
      Given a driver with 1 device
      And ResourceClaim "c" has the allocated device
        | device | pool         |
        | 1      | another-pool |
      When the kubelet prepares ResourceClaim "c"
      Then preparing ResourceClaim "c" fails

    @case:unknown-pool-with-admin-access
    @DRIVER/prepare/unknown-pool
    Scenario: Preparing a device of an unknown pool also fails with adminAccess
      Given a driver with 1 device
      And ResourceClaim "c" has the allocated devices with admin access
        | request | device | pool         |
        | r0      | 1      | another-pool |
      When the kubelet prepares ResourceClaim "c"
      Then preparing ResourceClaim "c" fails

    @case:pool-with-a-similar-name
    @DRIVER/prepare/unknown-pool
    Scenario Outline: Preparing a device of a pool whose name <has> that of a known pool fails
      Given a driver with 1 device
      And ResourceClaim "c" has the allocated device
        | device | pool   |
        | 1      | <pool> |
      When the kubelet prepares ResourceClaim "c"
      Then preparing ResourceClaim "c" fails

      @key:pool
      Examples:
        | has         | pool  |
        | begins with | own-2 |
        | ends with   | 2-own |

    @case:second-device-of-an-unknown-pool
    @DRIVER/prepare/unknown-pool
    Scenario: A ResourceClaim whose second device is of an unknown pool is not prepared
      Given a driver with 2 devices
      And ResourceClaim "c" has the allocated devices
        | request | device | pool         |
        | r0      | 1      |              |
        | r1      | 2      | another-pool |
      When the kubelet prepares ResourceClaim "c"
      Then preparing ResourceClaim "c" fails

    @case:second-device-unknown
    @DRIVER/prepare/unknown-device
    Scenario: A ResourceClaim with a known and an unknown device is not prepared
      Given a driver with 1 device
      And ResourceClaim "c" has the allocated devices
        | request | device         |
        | r0      | 1              |
        | r1      | no-such-device |
      When the kubelet prepares ResourceClaim "c"
      Then preparing ResourceClaim "c" fails

    @case:device-free-after-unknown-device
    @DRIVER/prepare/atomic
    Scenario: A device is prepared after a ResourceClaim with it and an unknown device has failed
      Given a driver with 1 device
      And ResourceClaim "c" has the allocated devices
        | request | device         |
        | r0      | 1              |
        | r1      | no-such-device |
      And ResourceClaim "d" is allocated device 1 of the driver
      When the kubelet prepares ResourceClaim "c"
      And the kubelet prepares ResourceClaim "d"
      Then ResourceClaim "d" is prepared with device 1

    @case:device-in-use
    @DRIVER/prepare/in-use
    Scenario: Preparing a device that is prepared for another ResourceClaim fails
      Given a driver with 1 device that offers exclusive devices
      And ResourceClaim "a" is allocated device 1 of the driver
      And ResourceClaim "b" is allocated device 1 of the driver
      When the kubelet prepares ResourceClaim "a"
      And the kubelet prepares ResourceClaim "b"
      Then preparing ResourceClaim "b" fails
      And a container runtime finds the CDI devices of ResourceClaim "a"

    @case:one-device-for-two-claims-of-a-call
    @DRIVER/prepare/in-use
    Scenario: A NodePrepareResources call does not prepare one device for two ResourceClaims
      Given a driver with 1 device that offers exclusive devices
      And ResourceClaim "a" is allocated device 1 of the driver
      And ResourceClaim "b" is allocated device 1 of the driver
      When the kubelet prepares ResourceClaims "a, b"
      Then at most one of the ResourceClaims "a, b" is prepared

    @case:second-device-in-use
    @DRIVER/prepare/in-use
    Scenario: A ResourceClaim with a free device and a device in use is not prepared
      Given a driver with 2 devices that offers exclusive devices
      And ResourceClaim "a" is allocated device 2 of the driver
      And ResourceClaim "b" is allocated devices 1 and 2 of the driver
      When the kubelet prepares ResourceClaim "a"
      And the kubelet prepares ResourceClaim "b"
      Then preparing ResourceClaim "b" fails
      And a container runtime finds the CDI devices of ResourceClaim "a"

    @case:second-device-of-a-claim-in-use
    @DRIVER/prepare/in-use
    Scenario: The second of two devices of a prepared ResourceClaim is not prepared for another claim
      Given a driver with 2 devices that offers exclusive devices
      And ResourceClaim "a" is allocated devices 1 and 2 of the driver
      And ResourceClaim "b" is allocated device 2 of the driver
      When the kubelet prepares ResourceClaim "a"
      And the kubelet prepares ResourceClaim "b"
      Then preparing ResourceClaim "b" fails

    @case:device-in-use-after-a-call-for-two-claims
    @DRIVER/prepare/in-use
    Scenario: Devices that one call prepared for two ResourceClaims are not prepared for others
      Given a driver with 2 devices that offers exclusive devices
      And ResourceClaim "a" is allocated device 1 of the driver
      And ResourceClaim "b" is allocated device 2 of the driver
      And ResourceClaim "c" is allocated device 1 of the driver
      And ResourceClaim "d" is allocated device 2 of the driver
      When the kubelet prepares ResourceClaims "a, b"
      And the kubelet prepares ResourceClaim "c"
      Then preparing ResourceClaim "c" fails
      When the kubelet prepares ResourceClaim "d"
      Then preparing ResourceClaim "d" fails

    @case:device-in-use-after-a-rejected-claim
    @DRIVER/prepare/in-use
    Scenario: A device stays in use when a ResourceClaim that failed to get it is unprepared
      Given a driver with 1 device that offers exclusive devices
      And ResourceClaim "a" is allocated device 1 of the driver
      And ResourceClaim "rejected" is allocated device 1 of the driver
      And ResourceClaim "c" is allocated device 1 of the driver
      When the kubelet prepares ResourceClaim "a"
      And the kubelet prepares ResourceClaim "rejected"
      And the kubelet unprepares ResourceClaim "rejected"
      And the kubelet prepares ResourceClaim "c"
      Then preparing ResourceClaim "c" fails
      And a container runtime finds the CDI devices of ResourceClaim "a"

    @case:device-in-use-after-a-monitor
    @DRIVER/prepare/in-use
    Scenario: A device stays in use when a ResourceClaim with adminAccess to it is unprepared
      Given a driver with 1 device that offers exclusive devices
      And ResourceClaim "a" is allocated device 1 of the driver
      And ResourceClaim "monitor" is allocated device 1 of the driver with admin access
      And ResourceClaim "c" is allocated device 1 of the driver
      When the kubelet prepares ResourceClaim "a"
      And the kubelet prepares ResourceClaim "monitor"
      And the kubelet unprepares ResourceClaim "monitor"
      And the kubelet prepares ResourceClaim "c"
      Then preparing ResourceClaim "c" fails
      And a container runtime finds the CDI devices of ResourceClaim "a"

    @case:device-in-use-of-the-older-service
    @DRIVER/prepare/in-use
    Scenario: A device in use through v1beta1.DRAPlugin is not prepared by v1.DRAPlugin
      Given a driver with 1 device that offers exclusive devices and older service
      And ResourceClaim "a" is allocated device 1 of the driver
      And ResourceClaim "b" is allocated device 1 of the driver
      When the kubelet prepares ResourceClaim "a" by the service v1beta1.DRAPlugin
      And the kubelet prepares ResourceClaim "b" by the service v1.DRAPlugin
      Then preparing ResourceClaim "b" fails

    @case:device-in-use-after-restart
    @DRIVER/prepare/in-use-after-restart
    Scenario: A device prepared for one ResourceClaim is not prepared for another after a driver restart
      Given a driver with 1 device that offers exclusive devices
      And ResourceClaim "a" is allocated device 1 of the driver
      And ResourceClaim "b" is allocated device 1 of the driver
      When the kubelet prepares ResourceClaim "a"
      And the driver is killed and started again
      And the kubelet prepares ResourceClaim "b"
      Then preparing ResourceClaim "b" fails

    @case:second-device-of-a-claim-in-use-after-restart
    @DRIVER/prepare/in-use-after-restart
    Scenario: The second of two devices of a ResourceClaim is in use after a driver restart
      Given a driver with 2 devices that offers exclusive devices
      And ResourceClaim "a" is allocated devices 1 and 2 of the driver
      And ResourceClaim "b" is allocated device 2 of the driver
      When the kubelet prepares ResourceClaim "a"
      And the driver is killed and started again
      And the kubelet prepares ResourceClaim "b"
      Then preparing ResourceClaim "b" fails

    @case:devices-of-a-call-in-use-after-restart
    @DRIVER/prepare/in-use-after-restart
    Scenario: Devices that one call prepared for two ResourceClaims are in use after a driver restart
      Given a driver with 2 devices that offers exclusive devices
      And ResourceClaim "a" is allocated device 1 of the driver
      And ResourceClaim "b" is allocated device 2 of the driver
      And ResourceClaim "c" is allocated device 1 of the driver
      And ResourceClaim "d" is allocated device 2 of the driver
      When the kubelet prepares ResourceClaims "a, b"
      And the driver is killed and started again
      And the kubelet prepares ResourceClaim "c"
      Then preparing ResourceClaim "c" fails
      When the kubelet prepares ResourceClaim "d"
      Then preparing ResourceClaim "d" fails

    @case:devices-of-parallel-calls-in-use-after-restart
    @DRIVER/prepare/in-use-after-restart
    Scenario: Devices that parallel calls prepared are in use after a driver restart
      Given a driver with 3 devices that offers exclusive devices
      And ResourceClaim "a" is allocated device 1 of the driver
      And ResourceClaim "b" is allocated device 2 of the driver
      And ResourceClaim "c" is allocated device 3 of the driver
      And ResourceClaim "d" is allocated device 1 of the driver
      And ResourceClaim "e" is allocated device 2 of the driver
      And ResourceClaim "f" is allocated device 3 of the driver
      When the kubelet prepares ResourceClaims "a, b, c" in parallel
      And the driver is killed and started again
      And the kubelet prepares ResourceClaims "d, e, f"
      Then preparing ResourceClaim "d" fails
      And preparing ResourceClaim "e" fails
      And preparing ResourceClaim "f" fails

    @case:replaced-claim
    @DRIVER/prepare/replaced-claim
    Scenario: A ResourceClaim that was replaced by another of the same name is not prepared
      Given a driver with 1 device
      And ResourceClaim "c" is allocated device 1 of the driver
      When ResourceClaim "c" is replaced by another of the same name
      And the kubelet prepares ResourceClaim "c"
      Then preparing ResourceClaim "c" fails

    @case:unallocated-claim
    @DRIVER/prepare/unallocated
    Scenario: Preparing a ResourceClaim without an allocation fails
      Given a driver with 1 device
      And ResourceClaim "c" without an allocation
      When the kubelet prepares ResourceClaim "c"
      Then preparing ResourceClaim "c" fails
      And the driver is running

    @case:missing-claim
    @DRIVER/prepare/unallocated
    Scenario: Preparing a ResourceClaim that does not exist fails
      Given a driver with 1 device
      When the kubelet prepares ResourceClaim "missing"
      Then preparing ResourceClaim "missing" fails
      And the driver is running

    @case:deleted-claim
    @DRIVER/prepare/unallocated
    Scenario: Preparing a ResourceClaim fails if it was deleted before it was prepared
      Given a driver with 1 device
      And ResourceClaim "c" is allocated device 1 of the driver
      When nothing happens for 5 seconds
      And ResourceClaim "c" is deleted from the API server
      And the kubelet prepares ResourceClaim "c"
      Then preparing ResourceClaim "c" fails
      And the driver is running

    @case:device-free-after-failure
    @DRIVER/prepare/atomic
    Scenario: A device can be prepared for another ResourceClaim after a failed call to prepare it
      Given a driver with 1 device
      And ResourceClaim "a" is allocated device 1 of the driver
      And ResourceClaim "b" is allocated device 1 of the driver
      When the CDI folder cannot be written
      And the kubelet prepares ResourceClaim "a"
      Then preparing ResourceClaim "a" fails
      When the CDI folder can be written again
      And the kubelet prepares ResourceClaim "b"
      Then ResourceClaim "b" is prepared with device 1
      And a container runtime finds the CDI devices of ResourceClaim "b"

    @case:device-free-after-invalid-configuration
    @DRIVER/prepare/atomic
    Scenario: A device can be prepared for another ResourceClaim after one with invalid config
      Given a driver with 1 device
      And ResourceClaim "a" is allocated device 1 of the driver with an invalid configuration
      And ResourceClaim "b" is allocated device 1 of the driver
      When the kubelet prepares ResourceClaim "a"
      Then preparing ResourceClaim "a" fails
      When the kubelet prepares ResourceClaim "b"
      Then ResourceClaim "b" is prepared with device 1

    @case:device-free-after-one-in-use
    @DRIVER/prepare/atomic
    Scenario: A free device is prepared after a ResourceClaim with it and a device in use has failed
      Given a driver with 2 devices that offers exclusive devices
      And ResourceClaim "a" is allocated device 2 of the driver
      And ResourceClaim "b" is allocated devices 1 and 2 of the driver
      And ResourceClaim "c" is allocated device 1 of the driver
      When the kubelet prepares ResourceClaim "a"
      And the kubelet prepares ResourceClaim "b"
      And the kubelet prepares ResourceClaim "c"
      Then ResourceClaim "c" is prepared with device 1

    @case:prepared-after-failure
    @DRIVER/prepare/atomic
    Scenario: A ResourceClaim is prepared by the next call after a failed NodePrepareResources call
      Given a driver with 1 device
      And ResourceClaim "c" is allocated device 1 of the driver
      When the CDI folder cannot be written
      And the kubelet prepares ResourceClaim "c"
      Then preparing ResourceClaim "c" fails
      When the CDI folder can be written again
      And the kubelet prepares ResourceClaim "c"
      Then ResourceClaim "c" is prepared with device 1
      And a container runtime finds the CDI devices of ResourceClaim "c"

  Rule: Devices of others are left unchanged

    @case:device-status-of-another-driver
    @DRIVER/prepare/status-own-entries
    Scenario: The device status of another driver is kept when a ResourceClaim is prepared
      Given a driver with 1 device
      And ResourceClaim "c" has the allocated devices and a device status of driver "other.example.com"
        | request | device | driver            |
        | r0      | 1      |                   |
        | r1      | nic-0  | other.example.com |
      When the kubelet prepares ResourceClaim "c"
      Then ResourceClaim "c" is prepared with device 1
      And status.devices of ResourceClaim "c" has the entry of driver "other.example.com"
      When the kubelet unprepares ResourceClaim "c"
      Then status.devices of ResourceClaim "c" has the entry of driver "other.example.com"
