Feature: A driver prepares allocated devices for containers

  @case:prepared-again
  @DRIVER/prepare/devices @DRIVER/prepare/idempotent
  Scenario: A ResourceClaim that is prepared again has the same devices
    Given a driver with 2 devices
    And ResourceClaim "c" is allocated device 1 of the driver
    When the kubelet prepares ResourceClaim "c"
    Then ResourceClaim "c" is prepared with device 1
    And a container runtime finds the CDI devices of ResourceClaim "c"
    When the kubelet prepares ResourceClaim "c" 3 times
    Then each answer for ResourceClaim "c" is the same as before
    And the CDI devices are unchanged

  @case:prepared-after-reboot
  @DRIVER/prepare/cdi-after-reboot
  Scenario: CDI files that a reboot removes are written again when a ResourceClaim is prepared
    Given a driver with 2 devices
    And ResourceClaim "c" is allocated device 1 of the driver
    When the kubelet prepares ResourceClaim "c"
    Then ResourceClaim "c" is prepared with device 1
    When the node is rebooted
    And the kubelet prepares ResourceClaim "c"
    Then each answer for ResourceClaim "c" is the same as before
    And a container runtime finds the CDI devices of ResourceClaim "c"
