Feature: Drivers report the status of their own shared devices

  @case:device-status-of-another-driver
  @KEP-5075/status/device-entries-owned-by-drivers
  Scenario: A driver keeps the device status of another driver when it prepares a shared device
    Given a driver with 1 device that offers shares
    And ResourceClaim "c" has the allocated devices and a device status of driver "other.example.com"
      | request | device | driver            | pool | share |
      | r0      | 1      |                   |      | 1     |
      | r1      | 1      | other.example.com | own  |       |
    When the kubelet prepares ResourceClaim "c"
    Then a container runtime finds the CDI devices of ResourceClaim "c"
    And status.devices of ResourceClaim "c" has the entry of driver "other.example.com"
    When the kubelet unprepares ResourceClaim "c"
    Then status.devices of ResourceClaim "c" has the entry of driver "other.example.com"

  @case:no-device-status-for-another-driver
  @KEP-5075/status/device-entries-owned-by-drivers
  Scenario: A driver writes no device status for a device of another driver
    Given a driver with 1 device
    And ResourceClaim "c" has the allocated devices
      | request | device | driver            |
      | r0      | 1      |                   |
      | r1      | nic-0  | other.example.com |
    When the kubelet prepares ResourceClaim "c"
    Then ResourceClaim "c" is prepared with device 1
    And status.devices of ResourceClaim "c" has no entry of driver "other.example.com"
