Feature: Container runtimes find the CDI devices of a driver

  @case:runtimes-find-devices
  @DRIVER/prepare/cdi-resolves @DRIVER/prepare/cdi-qualified
  Scenario: A container runtime finds the CDI devices of a prepared ResourceClaim
    Given a driver with 2 devices
    And ResourceClaim "c" is allocated devices 1 and 2 of the driver
    When the kubelet prepares ResourceClaim "c"
    Then a container runtime finds the CDI devices of ResourceClaim "c"
    And the CDI names of ResourceClaim "c" have the form vendor/class=name

  @case:names-keep-contents
  @DRIVER/prepare/cdi-names-not-reused
  Scenario: CDI names of an unprepared ResourceClaim are not used again for another device
    Given a driver with 2 devices
    And ResourceClaim "a" is allocated device 1 of the driver
    And ResourceClaim "b" is allocated device 2 of the driver
    When the kubelet prepares ResourceClaim "a"
    And the kubelet unprepares ResourceClaim "a"
    And the kubelet prepares ResourceClaim "b"
    Then ResourceClaim "b" is prepared with device 2
    And no CDI name has other contents than before

  @case:names-keep-contents-after-restart
  @DRIVER/prepare/cdi-names-not-reused
  Scenario: CDI names are not used again for another device after a driver restart
    Given a driver with 2 devices
    And ResourceClaim "a" is allocated device 1 of the driver
    And ResourceClaim "b" is allocated device 2 of the driver
    When the kubelet prepares ResourceClaim "a"
    And the kubelet unprepares ResourceClaim "a"
    And the driver is killed and started again
    And the kubelet prepares ResourceClaim "b"
    Then ResourceClaim "b" is prepared with device 2
    And no CDI name has other contents than before

  @case:names-of-a-recreated-claim
  @DRIVER/prepare/cdi-names-not-reused
  Scenario: A recreated ResourceClaim does not get the CDI names of its deleted predecessor
    Given a driver with 2 devices
    And ResourceClaim "c" is allocated device 1 of the driver
    When the kubelet prepares ResourceClaim "c"
    And the kubelet unprepares ResourceClaim "c"
    And ResourceClaim "c" is deleted, and created again with device 2 of the driver
    And the kubelet prepares ResourceClaim "c"
    Then ResourceClaim "c" is prepared with device 2
    And no CDI name has other contents than before

  @case:specs-of-other-vendors
  @DRIVER/prepare/cdi-of-others
  Scenario: The CDI spec of another vendor is kept when a driver prepares, unprepares and restarts
    Given a driver with 1 device
    And ResourceClaim "c" is allocated device 1 of the driver
    When the kubelet prepares ResourceClaim "c"
    Then the CDI spec of another vendor exists
    When the kubelet unprepares ResourceClaim "c"
    Then the CDI spec of another vendor exists
    When the driver is killed and started again
    Then the CDI spec of another vendor exists

  @case:files-lost-in-a-reboot
  @DRIVER/prepare/cdi-after-reboot
  Scenario: CDI files that a reboot removes are written again when a ResourceClaim is prepared
    Given a driver with 2 devices
    And ResourceClaim "c" is allocated device 1 of the driver
    When the kubelet prepares ResourceClaim "c"
    Then ResourceClaim "c" is prepared with device 1
    When the node is rebooted
    And the kubelet prepares ResourceClaim "c"
    Then ResourceClaim "c" is prepared with device 1
    And a container runtime finds the CDI devices of ResourceClaim "c"

  @case:files-of-two-devices-lost-in-a-reboot
  @DRIVER/prepare/cdi-after-reboot
  Scenario: CDI files of a ResourceClaim with two requests are written again after a reboot
    Given a driver with 3 devices
    And ResourceClaim "c" has the allocated devices
      | request | device |
      | left    | 3      |
      | right   | 1      |
    When the kubelet prepares ResourceClaim "c"
    And the node is rebooted
    And the kubelet prepares ResourceClaim "c"
    Then ResourceClaim "c" is prepared with the devices
      | device | request |
      | 3      | left    |
      | 1      | right   |
    And a container runtime finds the CDI devices of ResourceClaim "c"

  @case:files-of-two-claims-lost-in-a-reboot
  @DRIVER/prepare/cdi-after-reboot
  Scenario: CDI files of both ResourceClaims of a call are written again after a reboot
    Given a driver with 2 devices
    And ResourceClaim "a" is allocated device 1 of the driver
    And ResourceClaim "b" is allocated device 2 of the driver
    When the kubelet prepares ResourceClaims "a, b"
    And the node is rebooted
    And the kubelet prepares ResourceClaims "a, b"
    Then ResourceClaim "a" is prepared with device 1
    And ResourceClaim "b" is prepared with device 2
    And a container runtime finds the CDI devices of ResourceClaim "a"
    And a container runtime finds the CDI devices of ResourceClaim "b"

  @case:files-lost-while-running
  @DRIVER/prepare/cdi-lost-while-running
  Scenario: CDI files of two ResourceClaims that are lost while the driver runs are written again
    Given a driver with 3 devices
    And ResourceClaim "c" is allocated device 1 of the driver
    And ResourceClaim "d" is allocated devices 2 and 3 of the driver
    When the kubelet prepares ResourceClaims "c, d"
    And the files in the CDI folder are lost
    And the kubelet prepares ResourceClaims "c, d"
    Then ResourceClaim "c" is prepared with device 1
    And a container runtime finds the CDI devices of ResourceClaim "c"
    And a container runtime finds the CDI devices of ResourceClaim "d"

  @case:files-lost-twice
  @DRIVER/prepare/cdi-lost-while-running
  Scenario: CDI files that are lost twice while the driver runs are written again each time
    Given a driver with 1 device
    And ResourceClaim "c" is allocated device 1 of the driver
    When the kubelet prepares ResourceClaim "c"
    And the files in the CDI folder are lost
    And the kubelet prepares ResourceClaim "c"
    And the files in the CDI folder are lost
    And the kubelet prepares ResourceClaim "c"
    Then ResourceClaim "c" is prepared with device 1
    And a container runtime finds the CDI devices of ResourceClaim "c"

  @case:common-files-lost
  @DRIVER/prepare/cdi-shared-lost
  Scenario: A ResourceClaim is prepared with all CDI devices after the CDI files were lost
    Given a driver with 1 device
    And ResourceClaim "c" is allocated device 1 of the driver
    When the files in the CDI folder are lost
    And the kubelet prepares ResourceClaim "c"
    Then ResourceClaim "c" is prepared with device 1
    And a container runtime finds the CDI devices of ResourceClaim "c"

  @case:mounted-files-exist
  @DRIVER/metadata/file
  Scenario: The files of the driver that CDI devices mount exist when a ResourceClaim is prepared
    Given a driver with 1 device that offers metadata
    And ResourceClaim "c" is allocated device 1 of the driver
    When the kubelet prepares ResourceClaim "c"
    Then ResourceClaim "c" is prepared with device 1
    And the files of the driver that CDI devices mount exist
    When the node is rebooted
    And the kubelet prepares ResourceClaim "c"
    Then ResourceClaim "c" is prepared with device 1
    And the files of the driver that CDI devices mount exist

  @case:mounted-files-exist-after-restart
  @DRIVER/metadata/file
  Scenario: The files of the driver that CDI devices mount exist after a driver restart
    Given a driver with 2 devices that offers metadata
    And ResourceClaim "c" is allocated devices 1 and 2 of the driver
    When the kubelet prepares ResourceClaim "c"
    Then the files of the driver that CDI devices mount exist
    When the driver is killed and started again
    Then the files of the driver that CDI devices mount exist

  @case:files-of-a-monitor-lost-in-a-reboot
  @DRIVER/prepare/cdi-after-reboot
  Scenario: CDI files of a ResourceClaim with adminAccess are written again after a reboot
    Given a driver with 1 device
    And ResourceClaim "c" is allocated device 1 of the driver with admin access
    When the kubelet prepares ResourceClaim "c"
    And the node is rebooted
    And the kubelet prepares ResourceClaim "c"
    Then ResourceClaim "c" is prepared with device 1
    And a container runtime finds the CDI devices of ResourceClaim "c"

  @case:files-of-shares-lost-in-a-reboot
  @DRIVER/prepare/cdi-after-reboot
  Scenario: CDI files of two shared allocations of a device are written again after a reboot
    Given a driver with 1 device that offers shares
    And ResourceClaim "a" has the allocated device
      | device | share |
      | 1      | 1     |
    And ResourceClaim "b" has the allocated device
      | device | share |
      | 1      | 2     |
    When the kubelet prepares ResourceClaims "a, b"
    And the node is rebooted
    And the kubelet prepares ResourceClaims "a, b"
    Then a container runtime finds the CDI devices of ResourceClaim "a"
    And a container runtime finds the CDI devices of ResourceClaim "b"

  @case:files-of-the-older-service-lost-in-a-reboot
  @DRIVER/prepare/cdi-after-reboot
  Scenario: CDI files that a reboot removes are written again by v1beta1.DRAPlugin
    Given a driver with 1 device that offers older service
    And ResourceClaim "c" is allocated device 1 of the driver
    When the kubelet prepares ResourceClaim "c" by the service v1beta1.DRAPlugin
    And the node is rebooted
    And the kubelet prepares ResourceClaim "c" by the service v1beta1.DRAPlugin
    Then ResourceClaim "c" is prepared with device 1
    And a container runtime finds the CDI devices of ResourceClaim "c"
