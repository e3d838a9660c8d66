Feature: A driver unprepares ResourceClaims

  @case:devices-removed
  @DRIVER/unprepare/undoes @DRIVER/unprepare/again
  Scenario: Unpreparing a ResourceClaim three times removes its CDI devices
    Given a driver with 1 device
    And ResourceClaim "c" is allocated device 1 of the driver
    When the kubelet prepares ResourceClaim "c"
    Then ResourceClaim "c" is prepared with device 1
    When the kubelet unprepares ResourceClaim "c" 3 times
    Then ResourceClaim "c" is unprepared
    And no CDI device of ResourceClaim "c" is left

  @case:prepared-twice
  @DRIVER/unprepare/undoes @DRIVER/unprepare/frees
  Scenario: A ResourceClaim that was prepared twice is unprepared by one call
    Given a driver with 1 device
    And ResourceClaim "a" is allocated device 1 of the driver
    And ResourceClaim "b" is allocated device 1 of the driver
    When the kubelet prepares ResourceClaim "a" 2 times
    And the kubelet unprepares ResourceClaim "a"
    Then ResourceClaim "a" is unprepared
    And no CDI device of ResourceClaim "a" is left
    When the kubelet prepares ResourceClaim "b"
    Then ResourceClaim "b" is prepared with device 1

  @case:again-after-restart
  @DRIVER/unprepare/again
  Scenario: Unpreparing a ResourceClaim again succeeds after a driver restart
    Given a driver with 1 device
    And ResourceClaim "c" is allocated device 1 of the driver
    When the kubelet prepares ResourceClaim "c"
    And the kubelet unprepares ResourceClaim "c"
    And the driver is killed and started again
    And the kubelet unprepares ResourceClaim "c"
    Then ResourceClaim "c" is unprepared

  @case:two-devices-of-a-request
  @DRIVER/unprepare/undoes @DRIVER/unprepare/frees @DRIVER/prepare/in-time
  Scenario: A ResourceClaim with two devices is unprepared, and both devices are free
    Given a driver with 2 devices
    And ResourceClaim "c" is allocated devices 1 and 2 of the driver
    And ResourceClaim "d" is allocated devices 1 and 2 of the driver
    When the kubelet prepares ResourceClaim "c"
    Then ResourceClaim "c" is prepared with devices 1, 2
    When the kubelet unprepares ResourceClaim "c"
    Then ResourceClaim "c" is unprepared
    And no CDI device of ResourceClaim "c" is left
    When the kubelet prepares ResourceClaim "d"
    Then ResourceClaim "d" is prepared with devices 1, 2

  @case:subrequest
  @DRIVER/unprepare/undoes
  Scenario: A ResourceClaim with a device for a subrequest is unprepared
    Given a driver with 1 device
    And ResourceClaim "c" has the allocated devices
      | request | device |
      | gpu/big | 1      |
    When the kubelet prepares ResourceClaim "c"
    Then ResourceClaim "c" is prepared with the devices
      | device | request |
      | 1      | gpu     |
    When the kubelet unprepares ResourceClaim "c"
    Then ResourceClaim "c" is unprepared
    And no CDI device of ResourceClaim "c" is left

  @case:older-service
  @DRIVER/prepare/older-service
  Scenario Outline: A ResourceClaim prepared by <first> is unprepared by <second>
    Given a driver with 1 device that offers older service
    And ResourceClaim "c" is allocated device 1 of the driver
    When the kubelet prepares ResourceClaim "c" by the service <first>
    Then a container runtime finds the CDI devices of ResourceClaim "c"
    When the kubelet unprepares ResourceClaim "c" by the service <second>
    Then ResourceClaim "c" is unprepared
    And no CDI device of ResourceClaim "c" is left

    @key:second
    Examples:
      | first             | second            |
      | v1beta1.DRAPlugin | v1beta1.DRAPlugin |
      | v1beta1.DRAPlugin | v1.DRAPlugin      |

  @case:device-free-by-the-other-service
  @DRIVER/prepare/older-service
  Scenario Outline: A device prepared by <first> is free after <second> unprepares it
    Given a driver with 1 device that offers older service
    And ResourceClaim "a" is allocated device 1 of the driver
    And ResourceClaim "b" is allocated device 1 of the driver
    When the kubelet prepares ResourceClaim "a" by the service <first>
    And the kubelet unprepares ResourceClaim "a" by the service <second>
    And the kubelet prepares ResourceClaim "b" by the service <first>
    Then ResourceClaim "b" is prepared with device 1
    And a container runtime finds the CDI devices of ResourceClaim "b"

    @key:first
    Examples:
      | first             | second            |
      | v1.DRAPlugin      | v1beta1.DRAPlugin |
      | v1beta1.DRAPlugin | v1.DRAPlugin      |

  @case:unknown-claim
  @DRIVER/unprepare/unknown
  Scenario: Unpreparing a ResourceClaim that was never prepared succeeds
    Given a driver with 1 device
    When the kubelet unprepares ResourceClaim "never-prepared"
    Then ResourceClaim "never-prepared" is unprepared
    And the driver is running

  @case:unknown-claim-keeps-others
  @DRIVER/unprepare/unknown @DRIVER/unprepare/undoes
  Scenario: A ResourceClaim is unprepared after another that was never prepared
    Given a driver with 1 device
    And ResourceClaim "a" is allocated device 1 of the driver
    When the kubelet prepares ResourceClaim "a"
    Then ResourceClaim "a" is prepared with device 1
    When the kubelet unprepares ResourceClaim "never-prepared"
    Then ResourceClaim "never-prepared" is unprepared
    And a container runtime finds the CDI devices of ResourceClaim "a"
    When the kubelet unprepares ResourceClaim "a"
    Then ResourceClaim "a" is unprepared
    And no CDI device of ResourceClaim "a" is left

  @case:claim-that-failed-to-prepare
  @DRIVER/unprepare/undoes
  Scenario: Unpreparing a ResourceClaim whose preparation failed leaves no CDI device
    Given a driver with 1 device
    And ResourceClaim "c" has the allocated devices
      | request | device         |
      | r0      | 1              |
      | r1      | no-such-device |
    When the kubelet prepares ResourceClaim "c"
    When the kubelet unprepares ResourceClaim "c"
    Then ResourceClaim "c" is unprepared
    And no CDI device of ResourceClaim "c" is left

  @case:device-gone
  @DRIVER/unprepare/device-gone
  Scenario: A ResourceClaim is unprepared by a driver that no longer has the device
    Given a driver with 1 device
    And ResourceClaim "c" is allocated device 1 of the driver
    When the kubelet prepares ResourceClaim "c"
    Then ResourceClaim "c" is prepared with device 1
    When the driver is killed and started again without devices
    And the kubelet unprepares ResourceClaim "c"
    Then ResourceClaim "c" is unprepared
    And no CDI device of ResourceClaim "c" is left

  @case:mounted-files-removed
  @DRIVER/metadata/removed
  Scenario: Unpreparing a ResourceClaim removes the driver's files that its CDI devices mount
    Given a driver with 1 device that offers metadata
    And ResourceClaim "c" is allocated device 1 of the driver
    When the kubelet prepares ResourceClaim "c"
    Then the files of the driver that CDI devices mount exist
    When the kubelet unprepares ResourceClaim "c"
    Then ResourceClaim "c" is unprepared
    And no file that a CDI device mounted earlier is left

  @case:mounted-files-of-two-devices
  @DRIVER/metadata/removed
  Scenario: Unpreparing a ResourceClaim removes the mounted files of both of its devices
    Given a driver with 2 devices that offers metadata
    And ResourceClaim "c" is allocated devices 1 and 2 of the driver
    When the kubelet prepares ResourceClaim "c"
    Then the files of the driver that CDI devices mount exist
    When the kubelet unprepares ResourceClaim "c"
    Then ResourceClaim "c" is unprepared
    And no file that a CDI device mounted earlier is left

  @case:mounted-files-removed-after-restart
  @DRIVER/metadata/removed
  Scenario: Unpreparing after a driver restart removes the files that CDI devices mount
    Given a driver with 1 device that offers metadata
    And ResourceClaim "c" is allocated device 1 of the driver
    When the kubelet prepares ResourceClaim "c"
    Then the files of the driver that CDI devices mount exist
    When the driver is killed and started again
    And the kubelet unprepares ResourceClaim "c"
    Then ResourceClaim "c" is unprepared
    And no file that a CDI device mounted earlier is left

  @case:deleted-claim
  @DRIVER/unprepare/claim-gone
  Scenario: A ResourceClaim that was deleted from the API server is unprepared
    Given a driver with 1 device
    And ResourceClaim "c" is allocated device 1 of the driver
    When the kubelet prepares ResourceClaim "c"
    Then ResourceClaim "c" is prepared with device 1
    When ResourceClaim "c" is deleted from the API server
    And the kubelet unprepares ResourceClaim "c"
    Then ResourceClaim "c" is unprepared
    And no CDI device of ResourceClaim "c" is left

  @case:deleted-claim-of-two
  @DRIVER/unprepare/claim-gone
  Scenario: One NodeUnprepareResources call unprepares a deleted and an existing ResourceClaim
    Given a driver with 2 devices
    And ResourceClaim "a" is allocated device 1 of the driver
    And ResourceClaim "b" is allocated device 2 of the driver
    When the kubelet prepares ResourceClaims "a, b"
    And ResourceClaim "a" is deleted from the API server
    And the kubelet unprepares ResourceClaims "a, b"
    Then ResourceClaim "a" is unprepared
    And ResourceClaim "b" is unprepared
    And no CDI device of ResourceClaim "a" is left
    And no CDI device of ResourceClaim "b" is left

  @case:deleted-claim-after-restart
  @DRIVER/unprepare/other-process
  Scenario: A ResourceClaim that was deleted while the driver restarted is unprepared
    Given a driver with 2 devices
    And ResourceClaim "c" is allocated devices 1 and 2 of the driver
    And ResourceClaim "d" is allocated device 2 of the driver
    When the kubelet prepares ResourceClaim "c"
    And ResourceClaim "c" is deleted from the API server
    And the driver is killed and started again
    And the kubelet unprepares ResourceClaim "c"
    Then ResourceClaim "c" is unprepared
    And no CDI device of ResourceClaim "c" is left
    When the kubelet prepares ResourceClaim "d"
    Then ResourceClaim "d" is prepared with device 2

  @case:replaced-claim
  @DRIVER/unprepare/claim-gone
  Scenario: A ResourceClaim that was replaced by another of the same name is unprepared
    Given a driver with 1 device
    And ResourceClaim "c" is allocated device 1 of the driver
    When the kubelet prepares ResourceClaim "c"
    Then ResourceClaim "c" is prepared with device 1
    When ResourceClaim "c" is replaced by another of the same name
    And the kubelet unprepares ResourceClaim "c"
    Then ResourceClaim "c" is unprepared
    And no CDI device of ResourceClaim "c" is left

  @case:metadata-of-another-claim
  @DRIVER/metadata/file @DRIVER/unprepare/one-of-two
  Scenario: Unpreparing a ResourceClaim keeps the mounted files of another ResourceClaim
    Given a driver with 2 devices that offers metadata
    And ResourceClaim "c" is allocated device 1 of the driver
    And ResourceClaim "other/c" is allocated device 2 of the driver
    When the kubelet prepares ResourceClaims "c, other/c"
    And the kubelet unprepares ResourceClaim "c"
    Then ResourceClaim "c" is unprepared
    And the files of the driver that CDI devices mount exist
    And a container runtime finds the CDI devices of ResourceClaim "other/c"

  @case:without-api-server
  @DRIVER/unprepare/no-api-server
  Scenario: A ResourceClaim is unprepared while the API server is unavailable
    Given a driver with 1 device
    And ResourceClaim "c" is allocated device 1 of the driver
    When the kubelet prepares ResourceClaim "c"
    Then ResourceClaim "c" is prepared with device 1
    When the API server becomes unavailable
    And the kubelet unprepares ResourceClaim "c"
    Then ResourceClaim "c" is unprepared
    And no CDI device of ResourceClaim "c" is left
    When the API server becomes available again
    Then the driver is running

  @case:after-restart
  @DRIVER/unprepare/other-process
  Scenario Outline: A ResourceClaim is unprepared after the driver was <how> and started again
    Given a driver with 1 device
    And ResourceClaim "c" is allocated device 1 of the driver
    When the kubelet prepares ResourceClaim "c"
    Then ResourceClaim "c" is prepared with device 1
    When the driver is <how> and started again
    And the kubelet unprepares ResourceClaim "c"
    Then ResourceClaim "c" is unprepared
    And no CDI device of ResourceClaim "c" is left

    Examples:
      | how        |
      | killed     |
      | terminated |

  @case:after-two-restarts
  @DRIVER/unprepare/other-process
  Scenario: A ResourceClaim is unprepared after the driver was killed and started again twice
    Given a driver with 1 device
    And ResourceClaim "c" is allocated device 1 of the driver
    When the kubelet prepares ResourceClaim "c"
    And the driver is killed and started again 2 times
    And the kubelet unprepares ResourceClaim "c"
    Then ResourceClaim "c" is unprepared
    And no CDI device of ResourceClaim "c" is left

  @case:monitor-after-restart
  @DRIVER/unprepare/other-process
  Scenario: A ResourceClaim with adminAccess is unprepared after a driver restart
    Given a driver with 1 device
    And ResourceClaim "monitor" is allocated device 1 of the driver with admin access
    When the kubelet prepares ResourceClaim "monitor"
    And the driver is killed and started again
    And the kubelet unprepares ResourceClaim "monitor"
    Then ResourceClaim "monitor" is unprepared
    And no CDI device of ResourceClaim "monitor" is left

  @case:after-reboot
  @DRIVER/unprepare/other-process @DRIVER/unprepare/frees
  Scenario: A ResourceClaim whose CDI files a reboot removed is unprepared
    Given a driver with 1 device
    And ResourceClaim "a" is allocated device 1 of the driver
    And ResourceClaim "b" is allocated device 1 of the driver
    When the kubelet prepares ResourceClaim "a"
    Then ResourceClaim "a" is prepared with device 1
    When the node is rebooted
    And the kubelet unprepares ResourceClaim "a"
    Then ResourceClaim "a" is unprepared
    When the kubelet prepares ResourceClaim "b"
    Then ResourceClaim "b" is prepared with device 1

  @case:device-for-another-claim
  @DRIVER/unprepare/frees
  Scenario: The device of an unprepared ResourceClaim can be prepared for another ResourceClaim
    Given a driver with 1 device
    And ResourceClaim "a" is allocated device 1 of the driver
    And ResourceClaim "b" is allocated device 1 of the driver
    When the kubelet prepares ResourceClaim "a"
    And the kubelet unprepares ResourceClaim "a"
    Then ResourceClaim "a" is unprepared
    When the kubelet prepares ResourceClaim "b"
    Then ResourceClaim "b" is prepared with device 1
    When the kubelet unprepares ResourceClaim "a"
    Then a container runtime finds the CDI devices of ResourceClaim "b"

  @case:device-for-another-claim-after-restart
  @DRIVER/unprepare/frees-for-good
  Scenario: A device unprepared before a driver restart can be prepared for another ResourceClaim
    Given a driver with 1 device
    And ResourceClaim "a" is allocated device 1 of the driver
    And ResourceClaim "b" is allocated device 1 of the driver
    When the kubelet prepares ResourceClaim "a"
    And the kubelet unprepares ResourceClaim "a"
    Then ResourceClaim "a" is unprepared
    When the driver is killed and started again
    And the kubelet prepares ResourceClaim "b"
    Then ResourceClaim "b" is prepared with device 1
    And a container runtime finds the CDI devices of ResourceClaim "b"

  @case:one-of-two-claims
  @DRIVER/unprepare/one-of-two
  Scenario: A ResourceClaim stays prepared when a ResourceClaim with a similar name is unprepared
    Given a driver with 2 devices
    And ResourceClaim "gpu" is allocated device 1 of the driver
    And ResourceClaim "gpu-2" is allocated device 2 of the driver
    When the kubelet prepares ResourceClaims "gpu, gpu-2"
    Then ResourceClaim "gpu-2" is prepared with device 2
    When the kubelet unprepares ResourceClaim "gpu"
    Then ResourceClaim "gpu" is unprepared
    And no CDI device of ResourceClaim "gpu" is left
    And a container runtime finds the CDI devices of ResourceClaim "gpu-2"
    When the kubelet prepares ResourceClaim "gpu-2"
    Then each answer for ResourceClaim "gpu-2" is the same as before

  @case:one-of-two-claims-after-restart
  @DRIVER/unprepare/one-of-two
  Scenario: A ResourceClaim stays prepared when another is unprepared after a driver restart
    Given a driver with 2 devices
    And ResourceClaim "a" is allocated device 1 of the driver
    And ResourceClaim "b" is allocated device 2 of the driver
    When the kubelet prepares ResourceClaims "a, b"
    And the driver is killed and started again
    And the kubelet unprepares ResourceClaim "a"
    Then ResourceClaim "a" is unprepared
    And a container runtime finds the CDI devices of ResourceClaim "b"

  @case:one-name-in-two-namespaces
  @DRIVER/prepare/by-uid
  Scenario: ResourceClaims of the same name in two namespaces are unprepared independently
    Given a driver with 2 devices
    And ResourceClaim "c" is allocated device 1 of the driver
    And ResourceClaim "other/c" is allocated device 2 of the driver
    When the kubelet prepares ResourceClaims "c, other/c"
    Then ResourceClaim "other/c" is prepared with device 2
    When the kubelet unprepares ResourceClaim "c"
    Then ResourceClaim "c" is unprepared
    And no CDI device of ResourceClaim "c" is left
    And a container runtime finds the CDI devices of ResourceClaim "other/c"
    When the kubelet prepares ResourceClaim "other/c"
    Then each answer for ResourceClaim "other/c" is the same as before

  @case:two-claims-of-a-call
  @DRIVER/unprepare/one-entry-each @DRIVER/unprepare/unknown @DRIVER/unprepare/undoes
  Scenario: Unpreparing an unprepared and two prepared ResourceClaims returns an entry for each
    Given a driver with 3 devices
    And ResourceClaim "a" is allocated device 1 of the driver
    And ResourceClaim "b" is allocated device 2 of the driver
    And ResourceClaim "c" is allocated device 3 of the driver
    When the kubelet prepares ResourceClaims "a, c"
    And the kubelet unprepares ResourceClaims "a, b, c"
    Then ResourceClaim "a" is unprepared
    And ResourceClaim "b" is unprepared
    And ResourceClaim "c" is unprepared
    And no CDI device of ResourceClaim "c" is left

  @case:two-prepared-claims-of-a-call
  @DRIVER/unprepare/undoes @DRIVER/unprepare/one-entry-each
  Scenario: Unpreparing two ResourceClaims in one call removes the CDI devices of both
    Given a driver with 2 devices
    And ResourceClaim "a" is allocated device 1 of the driver
    And ResourceClaim "b" is allocated device 2 of the driver
    When the kubelet prepares ResourceClaims "a, b"
    Then ResourceClaim "b" is prepared with device 2
    When the kubelet unprepares ResourceClaims "a, b"
    Then ResourceClaim "a" is unprepared
    And ResourceClaim "b" is unprepared
    And no CDI device of ResourceClaim "a" is left
    And no CDI device of ResourceClaim "b" is left

  @case:four-prepared-claims-of-a-call
  @DRIVER/unprepare/undoes
  Scenario: Unpreparing four ResourceClaims in one call removes the CDI devices of each
    Given a driver with 4 devices
    And ResourceClaim "a" is allocated device 1 of the driver
    And ResourceClaim "b" is allocated device 2 of the driver
    And ResourceClaim "c" is allocated device 3 of the driver
    And ResourceClaim "d" is allocated device 4 of the driver
    When the kubelet prepares ResourceClaims "a, b, c, d"
    And the kubelet unprepares ResourceClaims "a, b, c, d"
    Then ResourceClaim "c" is unprepared
    And ResourceClaim "d" is unprepared
    And no CDI device of ResourceClaim "a" is left
    And no CDI device of ResourceClaim "b" is left
    And no CDI device of ResourceClaim "c" is left
    And no CDI device of ResourceClaim "d" is left

  @case:devices-of-two-claims-of-a-call
  @DRIVER/unprepare/frees
  Scenario: The devices of two ResourceClaims that one call unprepares are free
    Given a driver with 2 devices
    And ResourceClaim "a" is allocated device 1 of the driver
    And ResourceClaim "b" is allocated device 2 of the driver
    And ResourceClaim "c" is allocated device 1 of the driver
    And ResourceClaim "d" is allocated device 2 of the driver
    When the kubelet prepares ResourceClaims "a, b"
    And the kubelet unprepares ResourceClaims "a, b"
    And the kubelet prepares ResourceClaims "c, d"
    Then ResourceClaim "c" is prepared with device 1
    And ResourceClaim "d" is prepared with device 2

  @case:devices-of-two-claims-of-a-call-after-restart
  @DRIVER/unprepare/frees-for-good
  Scenario: The devices of two ResourceClaims that one call unprepares are free after a driver restart
    Given a driver with 2 devices
    And ResourceClaim "a" is allocated device 1 of the driver
    And ResourceClaim "b" is allocated device 2 of the driver
    And ResourceClaim "c" is allocated device 1 of the driver
    And ResourceClaim "d" is allocated device 2 of the driver
    When the kubelet prepares ResourceClaims "a, b"
    And the kubelet unprepares ResourceClaims "a, b"
    And the driver is killed and started again
    And the kubelet prepares ResourceClaims "c, d"
    Then ResourceClaim "c" is prepared with device 1
    And ResourceClaim "d" is prepared with device 2

  @case:repeated-after-failure
  @DRIVER/unprepare/repeatable
  Scenario: A second unprepare call removes the CDI devices that a failed call has left
    Given a driver with 1 device
    And ResourceClaim "c" is allocated device 1 of the driver
    When the kubelet prepares ResourceClaim "c"
    Then ResourceClaim "c" is prepared with device 1
    When the CDI folder cannot be written
    And the kubelet unprepares ResourceClaim "c"
    Then unpreparing ResourceClaim "c" fails
    When the CDI folder can be written again
    And the kubelet unprepares ResourceClaim "c"
    Then ResourceClaim "c" is unprepared
    And no CDI device of ResourceClaim "c" is left

  @case:shares-of-a-device
  @DRIVER/unprepare/one-of-two
  Scenario: After a restart, unpreparing one shared allocation of a device keeps the other prepared
    Given a driver with 1 device that offers shares
    And ResourceClaim "a" has the allocated device
      | device | share |
      | 1      | 1     |
    And ResourceClaim "b" has the allocated device
      | device | share |
      | 1      | 2     |
    When the kubelet prepares ResourceClaims "a, b"
    And the driver is killed and started again
    And the kubelet unprepares ResourceClaim "a"
    Then ResourceClaim "a" is unprepared
    And a container runtime finds the CDI devices of ResourceClaim "b"
    When the kubelet prepares ResourceClaim "b"
    Then each answer for ResourceClaim "b" is the same as before

  @case:admin-access
  @DRIVER/unprepare/one-of-two
  Scenario: A ResourceClaim stays prepared when a claim with adminAccess to its device is unprepared
    Given a driver with 1 device
    And ResourceClaim "user" is allocated device 1 of the driver
    And ResourceClaim "admin" is allocated device 1 of the driver with admin access
    When the kubelet prepares ResourceClaims "user, admin"
    And the kubelet unprepares ResourceClaim "admin"
    Then ResourceClaim "admin" is unprepared
    And a container runtime finds the CDI devices of ResourceClaim "user"
    When the kubelet prepares ResourceClaim "user"
    Then each answer for ResourceClaim "user" is the same as before

  @case:user-of-a-monitored-device
  @DRIVER/unprepare/one-of-two
  Scenario: A claim with adminAccess stays prepared when another claim for its device is unprepared
    Given a driver with 1 device
    And ResourceClaim "user" is allocated device 1 of the driver
    And ResourceClaim "monitor" is allocated device 1 of the driver with admin access
    When the kubelet prepares ResourceClaim "monitor"
    And the kubelet prepares ResourceClaim "user"
    And the kubelet unprepares ResourceClaim "user"
    Then ResourceClaim "user" is unprepared
    And a container runtime finds the CDI devices of ResourceClaim "monitor"
    When the kubelet prepares ResourceClaim "monitor"
    Then each answer for ResourceClaim "monitor" is the same as before
